//! What kind of thing a response is, as a browser would take it: by its content type, or by its first bytes where that
//! says nothing (<https://mimesniff.spec.whatwg.org/>).

use hyper::header::{CONTENT_TYPE, HeaderMap};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Html,
    /// XHTML, SVG and XML: `certain` when the type alone says that scripts can run in it.
    Xml {
        certain: bool,
    },
    /// `multipart/x-mixed-replace`: documents may be in it, one after the other.
    Multipart,
    Other,
    /// More of the body is needed.
    Unknown,
}

/// A content type's essence and charset.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct MediaType {
    pub(super) essence: String,
    pub(super) charset: Option<String>,
}

/// How much of a resource a browser looks at.
const RESOURCE_HEADER: usize = 1445;

/// The type a browser goes by: of several lines or members the last valid one, a missing charset taken from an earlier
/// one of the same type (<https://fetch.spec.whatwg.org/#concept-header-extract-mime-type>).
pub(super) fn media_type(headers: &HeaderMap) -> Option<MediaType> {
    let mut found: Option<MediaType> = None;
    for line in headers.get_all(CONTENT_TYPE) {
        let line: String = line.as_bytes().iter().map(|byte| char::from(*byte)).collect();
        for member in split_outside_quotes(&line, ',') {
            let Some(mut new) = parse(&member) else { continue };
            if new.essence == "*/*" {
                continue;
            }
            if let Some(old) = found.take()
                && old.essence == new.essence
                && new.charset.is_none()
            {
                new.charset = old.charset;
            }
            found = Some(new);
        }
    }
    found
}

fn parse(text: &str) -> Option<MediaType> {
    let mut parts = split_outside_quotes(text, ';').into_iter();
    let essence = parts.next()?.trim().to_ascii_lowercase();
    let (kind, subtype) = essence.split_once('/')?;
    let is_token = |part: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c))
    };
    if !is_token(kind) || !is_token(subtype) {
        return None;
    }
    let charset = parts.find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim()
            .eq_ignore_ascii_case("charset")
            .then(|| value.trim().trim_matches('"').to_owned())
    });
    Some(MediaType { essence, charset })
}

fn split_outside_quotes(text: &str, separator: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        quoted ^= c == '"';
        if c == separator && !quoted {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts
}

/// `first` is decoded; `ended` says that there is no more.
pub(super) fn kind(headers: &HeaderMap, media_type: Option<&MediaType>, first: &[u8], ended: bool) -> Kind {
    match media_type.map(|found| found.essence.as_str()) {
        Some("text/html") => Kind::Html,
        Some("application/xhtml+xml" | "image/svg+xml") => Kind::Xml { certain: true },
        Some("text/xml" | "application/xml") => Kind::Xml { certain: false },
        Some("multipart/x-mixed-replace") => Kind::Multipart,
        None | Some("unknown/unknown" | "application/unknown") => sniff(headers, first, ended),
        Some(other) if other.ends_with("+xml") => Kind::Xml { certain: false },
        Some(_) => Kind::Other,
    }
}

/// What "identifying a resource with an unknown MIME type" makes of HTML and XML.
fn sniff(headers: &HeaderMap, first: &[u8], ended: bool) -> Kind {
    let nosniff = headers.get("x-content-type-options").is_some_and(|value| {
        value
            .as_bytes()
            .to_ascii_lowercase()
            .trim_ascii()
            .starts_with(b"nosniff")
    });
    if nosniff {
        return Kind::Other;
    }
    let looked_at = &first[..first.len().min(RESOURCE_HEADER)];
    let ended = ended || first.len() >= RESOURCE_HEADER;
    let start = looked_at
        .iter()
        .position(|byte| !is_space(*byte))
        .unwrap_or(looked_at.len());
    let text = &looked_at[start..];
    let mut undecided = false;
    for tag in SCRIPTABLE {
        match begins_with_tag(text, tag) {
            Some(true) => return Kind::Html,
            Some(false) => {}
            None => undecided = true,
        }
    }
    if text.starts_with(b"<?xml") {
        return Kind::Xml { certain: false };
    }
    undecided |= b"<?xml".starts_with(text);
    if undecided && !ended {
        Kind::Unknown
    } else {
        Kind::Other
    }
}

const SCRIPTABLE: [&[u8]; 17] = [
    b"<!DOCTYPE HTML",
    b"<HTML",
    b"<HEAD",
    b"<SCRIPT",
    b"<IFRAME",
    b"<H1",
    b"<DIV",
    b"<FONT",
    b"<TABLE",
    b"<A",
    b"<STYLE",
    b"<TITLE",
    b"<B",
    b"<BODY",
    b"<BR",
    b"<P",
    b"<!--",
];

/// The tag in any case, then a space or `>`; `None` when `text` ends before that can be told.
fn begins_with_tag(text: &[u8], tag: &[u8]) -> Option<bool> {
    let same = text.len().min(tag.len());
    if !text[..same].eq_ignore_ascii_case(&tag[..same]) {
        return Some(false);
    }
    text.get(tag.len()).map(|end| matches!(end, b' ' | b'>'))
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r' | b' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    fn with_types(lines: &[&'static str]) -> HeaderMap {
        lines
            .iter()
            .map(|line| (CONTENT_TYPE, HeaderValue::from_static(line)))
            .collect()
    }

    fn check(lines: &[&'static str], body: &[u8], expected: Kind) {
        let headers = with_types(lines);
        let found = kind(&headers, media_type(&headers).as_ref(), body, true);
        assert_eq!(found, expected, "{lines:?} {:?}", String::from_utf8_lossy(body));
    }

    #[test]
    fn the_last_valid_type_counts_and_keeps_an_earlier_charset_of_the_same_type() {
        let last = media_type(&with_types(&[
            "text/plain",
            "TEXT/HTML; Charset=\"gbk\", text/html",
            "nonsense",
        ]));
        assert_eq!(
            last,
            Some(MediaType {
                essence: "text/html".into(),
                charset: Some("gbk".into())
            })
        );
        assert_eq!(
            media_type(&with_types(&["text/html;charset=a;charset=b"]))
                .unwrap()
                .charset
                .as_deref(),
            Some("a")
        );
        assert_eq!(media_type(&with_types(&["html"])), None);
    }

    #[test]
    fn a_type_that_says_something_is_believed() {
        check(&["text/html"], b"GIF89a", Kind::Html);
        check(&["text/plain"], b"<!doctype html><p>", Kind::Other);
        check(&["application/octet-stream"], b"<html>", Kind::Other);
        check(&["application/xhtml+xml"], b"", Kind::Xml { certain: true });
        check(&["application/atom+xml"], b"", Kind::Xml { certain: false });
    }

    #[test]
    fn without_a_type_html_is_known_by_its_first_tag() {
        check(&[], b" \n\t<!DocType html>", Kind::Html);
        check(&[], b"<p>", Kind::Html);
        check(&[], b"<!-- c -->", Kind::Html);
        check(&["*/*"], b"<BR >", Kind::Html);
        check(&["unknown/unknown"], b"<a href=x>", Kind::Html);
        check(&["foo"], b"<table >", Kind::Html);
        check(&[], b"<?xml version='1.0'?>", Kind::Xml { certain: false });
        check(&[], b"<header>", Kind::Other);
        check(&[], b"<section>", Kind::Other);
        check(&[], b"text <p>", Kind::Other);
        check(&[], b"\xef\xbb\xbf<html>", Kind::Other);
        check(&[], b"", Kind::Other);
    }

    #[test]
    fn nosniff_makes_an_unknown_type_no_html() {
        let mut headers = HeaderMap::new();
        headers.insert("x-content-type-options", HeaderValue::from_static("NoSniff"));
        assert_eq!(kind(&headers, None, b"<html>", true), Kind::Other);
    }

    #[test]
    fn sniffing_waits_only_while_the_bytes_leave_it_open() {
        let headers = HeaderMap::new();
        for open in [&b""[..], b"   ", b"<!doctype htm", b"<!doctype html", b"<b", b"<?xm"] {
            assert_eq!(
                kind(&headers, None, open, false),
                Kind::Unknown,
                "{}",
                String::from_utf8_lossy(open)
            );
        }
        assert_eq!(kind(&headers, None, b"x", false), Kind::Other);
        assert_eq!(kind(&headers, None, &[b' '; RESOURCE_HEADER], false), Kind::Other);
    }
}
