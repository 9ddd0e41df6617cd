//! The applications' files, which are part of the binary.

pub(crate) struct File {
    pub(crate) path: &'static str,
    pub(crate) content_type: &'static str,
    pub(crate) bytes: &'static [u8],
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

macro_rules! files {
    ($($path:literal $file:literal $content_type:ident;)+) => {
        pub(crate) const FILES: &[File] = &[
            $(File { path: $path, content_type: $content_type, bytes: include_bytes!(concat!("../app/", $file)) },)+
        ];
    };
}

files! {
    "/books/" "books/index.html" HTML;
    "/books/shelf.html" "books/shelf.html" HTML;
    "/books/shelf.js" "books/shelf.js" SCRIPT;
    "/books/style.css" "books/style.css" CSS;
    "/restaurant/" "restaurant/index.html" HTML;
    "/restaurant/menu.js" "restaurant/menu.js" SCRIPT;
    "/restaurant/style.css" "restaurant/style.css" CSS;
    "/images/atlas.svg" "images/atlas.svg" PICTURE;
    "/images/bees.svg" "images/bees.svg" PICTURE;
    "/images/comet.svg" "images/comet.svg" PICTURE;
    "/images/dinner.svg" "images/dinner.svg" PICTURE;
    "/images/garden.svg" "images/garden.svg" PICTURE;
    "/images/lighthouse.svg" "images/lighthouse.svg" PICTURE;
    "/images/lunch.svg" "images/lunch.svg" PICTURE;
    "/images/table.svg" "images/table.svg" PICTURE;
    "/images/train.svg" "images/train.svg" PICTURE;
}
