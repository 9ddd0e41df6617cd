//! What a request says about the document it may bring, and the few headers that are changed so that the document comes
//! whole, fresh, and in a coding we can read.
//!
//! Browsers tell what a request is for (`Sec-Fetch-Dest`), but only to trustworthy origins, and not the older ones: a page
//! on plain HTTP, WebKit before 16.4 and Chromium before 80 have to be known by other signs.

use super::coding::narrow_accept_encoding;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderName, HeaderValue, IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE,
    IF_UNMODIFIED_SINCE, RANGE, UPGRADE, UPGRADE_INSECURE_REQUESTS, USER_AGENT,
};
use hyper::{Method, Uri};

/// What [`super::decide`] needs to know of the request, taken from its head as the client sent it.
#[derive(Debug, Clone)]
pub(crate) struct RequestFacts {
    pub(super) method: Method,
    pub(super) destination: Destination,
    /// The browser says that it is for a window of its own, not for a frame.
    pub(super) window: bool,
    /// It is for a script of a document.
    pub(super) script: bool,
    /// It is for a module, or for a classic script that was asked for in the same way.
    pub(super) module: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Destination {
    /// The client says that it will show the answer as a page or in a frame.
    Document,
    /// As the script of a worker, shared or not.
    Worker,
    /// As the script of a service worker.
    ServiceWorker,
    /// A client that is no browser and says nothing: curl, a crawler. HTML is taken for a document.
    Unsaid,
    /// A script, an image, `fetch`, XHR: never instrumented.
    Other,
}

impl RequestFacts {
    /// A script, an image, a style sheet asked for this: nobody would see a page.
    pub(crate) fn is_for_part_of_a_page(&self) -> bool {
        matches!(
            self.destination,
            Destination::Other | Destination::Worker | Destination::ServiceWorker
        )
    }

    pub(crate) fn is_for_service_worker(&self) -> bool {
        self.destination == Destination::ServiceWorker
    }

    pub(crate) fn is_for_worker(&self) -> bool {
        self.destination == Destination::Worker
    }

    pub(crate) fn is_for_a_document(&self) -> bool {
        !self.is_for_part_of_a_page()
    }

    pub(crate) fn is_for_script(&self) -> bool {
        self.script
    }

    /// Or for a classic script with `crossorigin`.
    pub(crate) fn may_be_for_module(&self) -> bool {
        self.module
    }

    pub(crate) fn is_for_a_window(&self) -> bool {
        self.window
    }
}

/// Changes the request's headers and says what its answer will be used for.
pub(crate) fn prepare_request(method: &Method, uri: &Uri, headers: &mut HeaderMap) -> RequestFacts {
    let destination = destination(uri, headers);
    let window = headers.get("sec-fetch-dest").is_some_and(|value| value == "document");
    if matches!(destination, Destination::Worker | Destination::ServiceWorker) {
        // Something is put in front of it; a coding would be in the way.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    } else {
        narrow_accept_encoding(headers);
    }
    let script = *method == Method::GET && says(headers, "sec-fetch-dest", "script");
    let module = script && says(headers, "sec-fetch-mode", "cors");
    if destination != Destination::Other || module {
        // A 304 would bring back a copy without the script, a 412 nothing at all.
        for name in [IF_NONE_MATCH, IF_MODIFIED_SINCE] {
            headers.remove(name);
        }
        if matches!(*method, Method::GET | Method::HEAD) {
            headers.remove(IF_MATCH);
            headers.remove(IF_UNMODIFIED_SINCE);
        }
    }
    // A part of a document has no place for the script. A client that is no browser may well mean what it asks for.
    if destination == Destination::Document {
        headers.remove(RANGE);
        headers.remove(IF_RANGE);
    }
    RequestFacts {
        method: method.clone(),
        destination,
        window,
        script,
        module,
    }
}

fn says(headers: &HeaderMap, name: &str, wanted: &str) -> bool {
    headers.get(name).is_some_and(|value| value == wanted)
}

fn destination(uri: &Uri, headers: &HeaderMap) -> Destination {
    let text = |name: &HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let fetch_header = |name: &'static str| text(&HeaderName::from_static(name));
    if headers.contains_key(UPGRADE) {
        return Destination::Other;
    }
    if fetch_header("service-worker") == Some("script") {
        return Destination::ServiceWorker;
    }
    match fetch_header("sec-fetch-dest") {
        Some("document" | "iframe" | "frame" | "embed" | "object" | "fencedframe" | "nested-document") => {
            return Destination::Document;
        }
        // What a worker's module imports comes for a worker, too, and is no worker.
        Some("worker" | "sharedworker") if fetch_header("sec-fetch-mode") != Some("cors") => {
            return Destination::Worker;
        }
        // A service worker passing a navigation on; everything else that is empty is a script's.
        Some(_) if fetch_header("sec-fetch-mode") == Some("navigate") => return Destination::Document,
        Some(_) => return Destination::Other,
        None => {}
    }
    match fetch_header("sec-fetch-mode") {
        // Chromium 76 to 79 sent the mode alone.
        Some("navigate" | "nested-navigate") => return Destination::Document,
        Some(_) => return Destination::Other,
        None => {}
    }
    if headers.contains_key("x-requested-with") {
        return Destination::Other;
    }
    let accept = text(&ACCEPT).unwrap_or("*/*").to_ascii_lowercase();
    let is_browser = text(&USER_AGENT).is_some_and(|agent| agent.starts_with("Mozilla/"));
    // Browsers send both with navigations, in frames too, and neither with anything else unless a script says so.
    if headers.contains_key(UPGRADE_INSECURE_REQUESTS) || accept.contains("text/html") || accept.contains("xhtml+xml") {
        return Destination::Document;
    }
    if is_browser || !accept.contains("*/*") || is_no_document_by_name(uri.path()) {
        return Destination::Other;
    }
    Destination::Unsaid
}

/// For clients that say nothing: keeps conditional requests for what is surely not a page as they are.
fn is_no_document_by_name(path: &str) -> bool {
    const EXTENSIONS: [&str; 34] = [
        "avif", "bin", "bmp", "bz2", "css", "csv", "gif", "gz", "ico", "jpeg", "jpg", "js", "json", "map", "mjs",
        "mp3", "mp4", "ogg", "otf", "pdf", "png", "svgz", "tar", "tgz", "ttf", "wasm", "wav", "webm", "webp", "woff",
        "woff2", "xz", "zip", "zst",
    ];
    let name = path.rsplit('/').next().unwrap_or_default();
    let Some((_, extension)) = name.rsplit_once('.') else {
        return false;
    };
    EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    fn headers(lines: &[(&'static str, &'static str)]) -> HeaderMap {
        lines
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    fn check(uri: &'static str, lines: &[(&'static str, &'static str)], expected: Destination) {
        let facts = prepare_request(&Method::GET, &Uri::from_static(uri), &mut headers(lines));
        assert_eq!(facts.destination, expected, "{uri} {lines:?}");
    }

    const BROWSER: (&str, &str) = ("user-agent", "Mozilla/5.0 (X11; Linux x86_64)");

    #[test]
    fn a_browser_that_names_the_destination_is_believed() {
        for name in ["document", "iframe", "frame", "object", "embed"] {
            check("/", &[BROWSER, ("sec-fetch-dest", name)], Destination::Document);
        }
        let parts =
            ["empty", "script", "image", "style", "serviceworker", "video"].map(|name| (name, Destination::Other));
        let imported = ["worker", "sharedworker"].map(|name| (name, Destination::Other));
        for (name, expected) in parts.into_iter().chain(imported) {
            let lines = [
                ("sec-fetch-dest", name),
                ("accept", "text/html"),
                ("sec-fetch-mode", "cors"),
            ];
            check("/", &lines, expected);
        }
        for name in ["worker", "sharedworker"] {
            let lines = [("sec-fetch-dest", name), ("sec-fetch-mode", "same-origin")];
            check("/", &lines, Destination::Worker);
        }
    }

    #[test]
    fn a_navigation_passed_on_by_a_service_worker_is_a_document() {
        let lines = [("sec-fetch-dest", "empty"), ("sec-fetch-mode", "navigate")];
        check("/", &lines, Destination::Document);
    }

    #[test]
    fn an_old_chromium_names_only_the_mode() {
        check(
            "/",
            &[BROWSER, ("sec-fetch-mode", "nested-navigate")],
            Destination::Document,
        );
        check(
            "/",
            &[BROWSER, ("sec-fetch-mode", "cors"), ("accept", "text/html")],
            Destination::Other,
        );
    }

    #[test]
    fn a_browser_on_plain_http_is_known_by_what_it_accepts() {
        check(
            "/",
            &[BROWSER, ("accept", "text/html,application/xhtml+xml,*/*;q=0.8")],
            Destination::Document,
        );
        check(
            "/",
            &[BROWSER, ("accept", "*/*"), ("upgrade-insecure-requests", "1")],
            Destination::Document,
        );
        check("/part.html", &[BROWSER, ("accept", "*/*")], Destination::Other);
        check(
            "/part.html",
            &[BROWSER, ("accept", "text/html"), ("x-requested-with", "XMLHttpRequest")],
            Destination::Other,
        );
    }

    #[test]
    fn a_client_that_is_no_browser_may_get_documents_from_any_page_like_address() {
        check("/", &[("user-agent", "curl/8"), ("accept", "*/*")], Destination::Unsaid);
        check("/", &[], Destination::Unsaid);
        check("/a.b/page", &[], Destination::Unsaid);
        check("/logo.PNG", &[("accept", "*/*")], Destination::Other);
        check("/data", &[("accept", "application/json")], Destination::Other);
    }

    #[test]
    fn a_document_is_asked_for_whole_and_unconditionally() {
        let sent = [
            ("sec-fetch-dest", "document"),
            ("if-none-match", "\"x\""),
            ("if-modified-since", "Mon, 01 Jan 2024 00:00:00 GMT"),
            ("range", "bytes=0-99"),
            ("if-range", "\"x\""),
        ];
        let mut headers = headers(&sent);
        prepare_request(&Method::GET, &Uri::from_static("/"), &mut headers);
        assert_eq!(
            headers.keys().map(HeaderName::as_str).collect::<Vec<_>>(),
            ["sec-fetch-dest"]
        );
    }

    #[test]
    fn the_precondition_of_a_post_and_the_range_of_a_download_tool_are_kept() {
        let mut post = headers(&[("sec-fetch-dest", "document"), ("if-match", "\"x\"")]);
        prepare_request(&Method::POST, &Uri::from_static("/"), &mut post);
        assert!(post.contains_key("if-match"));
        let mut tool = headers(&[("accept", "*/*"), ("range", "bytes=0-99"), ("if-none-match", "\"x\"")]);
        prepare_request(&Method::GET, &Uri::from_static("/"), &mut tool);
        assert!(tool.contains_key("range") && !tool.contains_key("if-none-match"));
    }

    #[test]
    fn requests_for_other_things_keep_their_conditions() {
        let mut image = headers(&[
            ("sec-fetch-dest", "image"),
            ("if-none-match", "\"x\""),
            ("range", "bytes=0-"),
        ]);
        let before = image.clone();
        prepare_request(&Method::GET, &Uri::from_static("/"), &mut image);
        assert_eq!(image, before);
    }
}
