//! One set of fonts for every engine. Text metrics are the largest source of noise between browsers, and what a
//! machine has installed is no property of a browser.

use std::path::{Path, PathBuf};

/// Where distributions keep Liberation and DejaVu.
const FOLDERS: [&str; 10] = [
    "/usr/share/fonts/truetype/liberation",
    "/usr/share/fonts/truetype/liberation2",
    "/usr/share/fonts/truetype/dejavu",
    "/usr/share/fonts/liberation",
    "/usr/share/fonts/liberation-fonts",
    "/usr/share/fonts/liberation-sans-fonts",
    "/usr/share/fonts/dejavu",
    "/usr/share/fonts/dejavu-sans-fonts",
    "/usr/share/fonts/TTF",
    "/usr/local/share/fonts/xcheck",
];

/// What pages ask for, and what they get.
const FAMILIES: [(&str, &[&str]); 5] = [
    (
        "Liberation Sans",
        &[
            "sans-serif",
            "system-ui",
            "ui-sans-serif",
            "-apple-system",
            "BlinkMacSystemFont",
            "Arial",
            "Helvetica",
            "Helvetica Neue",
            "Segoe UI",
            "Roboto",
            "Ubuntu",
            "Cantarell",
            "Noto Sans",
            "Open Sans",
            "Tahoma",
            "Verdana",
            "Geneva",
            "Trebuchet MS",
            "Lucida Grande",
            "Lucida Sans Unicode",
            "Calibri",
            "Oxygen",
            "Fira Sans",
            "Droid Sans",
            "cursive",
            "fantasy",
            "Impact",
            "Comic Sans MS",
            "Nimbus Sans",
            "San Francisco",
        ],
    ),
    (
        "Liberation Serif",
        &[
            "serif",
            "ui-serif",
            "Times",
            "Times New Roman",
            "Georgia",
            "Garamond",
            "Cambria",
            "Palatino",
            "Palatino Linotype",
            "Book Antiqua",
            "Noto Serif",
            "Nimbus Roman",
            "math",
        ],
    ),
    (
        "Liberation Mono",
        &[
            "monospace",
            "ui-monospace",
            "Courier",
            "Courier New",
            "Consolas",
            "Menlo",
            "Monaco",
            "SF Mono",
            "SFMono-Regular",
            "Lucida Console",
            "Andale Mono",
            "Ubuntu Mono",
            "Noto Sans Mono",
            "Nimbus Mono PS",
        ],
    ),
    ("Liberation Sans Narrow", &["Arial Narrow"]),
    ("DejaVu Sans", &["Bitstream Vera Sans", "emoji"]),
];

/// Writes `fonts.conf` into `folder` and gives its path: what `FONTCONFIG_FILE` is to name.
pub fn write(folder: &Path) -> std::io::Result<PathBuf> {
    let path = folder.join("fonts.conf");
    std::fs::write(&path, configuration())?;
    Ok(path)
}

fn configuration() -> String {
    let mut text = String::from("<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n<fontconfig>\n");
    for folder in FOLDERS {
        text.push_str(&format!("<dir>{folder}</dir>\n"));
    }
    // The system's cache is read where it is valid, so that a fresh home does not mean scanning fonts at every start.
    text.push_str("<cachedir>/var/cache/fontconfig</cachedir>\n<cachedir prefix=\"xdg\">fontconfig</cachedir>\n");
    for (family, asked) in FAMILIES {
        for name in asked {
            text.push_str(&format!(
                "<match target=\"pattern\"><test name=\"family\" qual=\"any\"><string>{name}</string></test>\
                 <edit name=\"family\" mode=\"assign\" binding=\"same\"><string>{family}</string></edit></match>\n"
            ));
        }
    }
    text.push_str(
        "<match target=\"pattern\"><edit name=\"family\" mode=\"append_last\">\
         <string>Liberation Sans</string><string>DejaVu Sans</string></edit></match>\n",
    );
    for target in ["pattern", "font"] {
        text.push_str(&format!(
            "<match target=\"{target}\">\
             <edit name=\"antialias\" mode=\"assign\"><bool>true</bool></edit>\
             <edit name=\"hinting\" mode=\"assign\"><bool>false</bool></edit>\
             <edit name=\"autohint\" mode=\"assign\"><bool>false</bool></edit>\
             <edit name=\"hintstyle\" mode=\"assign\"><const>hintnone</const></edit>\
             <edit name=\"rgba\" mode=\"assign\"><const>none</const></edit>\
             <edit name=\"lcdfilter\" mode=\"assign\"><const>lcdnone</const></edit>\
             </match>\n"
        ));
    }
    text.push_str("</fontconfig>\n");
    text
}
