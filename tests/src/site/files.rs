//! Answers from a folder: content types, ranges, and the prelude in HTML.

use super::{Body, Content};
use anyhow::Result;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::header::{ACCEPT_RANGES, CONTENT_RANGE, CONTENT_TYPE, LOCATION, RANGE};
use hyper::{Method, Request, Response, StatusCode};
use std::path::{Component, Path, PathBuf};

pub(super) async fn answer<B>(content: &Content, request: &Request<B>) -> Result<Response<Body>> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(plain(405, "only GET and HEAD here"));
    }
    let path = request.uri().path();
    let Some(mut file) = locate(&content.root, path) else {
        return Ok(plain(404, format!("no {path} here")));
    };
    if file.is_dir() {
        if !path.ends_with('/') {
            return Ok(Response::builder()
                .status(302)
                .header(LOCATION, format!("{path}/"))
                .body(full(""))?);
        }
        file.push("index.html");
    }
    let Ok(bytes) = tokio::fs::read(&file).await else {
        return Ok(plain(404, format!("no {path} here")));
    };
    let kind = content_type(&file);
    let bytes = if kind.starts_with("text/html") {
        content.prelude.insert_into(bytes)
    } else {
        bytes.into()
    };
    let range = request.headers().get(RANGE).and_then(|value| value.to_str().ok());
    let response = Response::builder()
        .header(CONTENT_TYPE, kind)
        .header(ACCEPT_RANGES, "bytes");
    let length = bytes.len();
    Ok(match range.map(|range| part(range, length)) {
        None => response.body(full(bytes))?,
        Some(Some((first, last))) => response
            .status(StatusCode::PARTIAL_CONTENT)
            .header(CONTENT_RANGE, format!("bytes {first}-{last}/{length}"))
            .body(full(bytes.slice(first..=last)))?,
        Some(None) => response
            .status(StatusCode::RANGE_NOT_SATISFIABLE)
            .header(CONTENT_RANGE, format!("bytes */{length}"))
            .body(full(""))?,
    })
}

pub(super) fn plain(status: u16, text: impl Into<String>) -> Response<Body> {
    let mut response = Response::new(full(text.into()));
    *response.status_mut() = StatusCode::from_u16(status).expect("a status");
    response
        .headers_mut()
        .insert(CONTENT_TYPE, "text/plain; charset=utf-8".parse().expect("a header"));
    response
}

pub(super) fn full(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(|never| match never {}).boxed_unsync()
}

/// The file a path names, below the root: `..` in a path leads nowhere.
pub(super) fn locate(root: &Path, path: &str) -> Option<PathBuf> {
    let decoded = percent_decoded(path);
    let relative = Path::new(decoded.trim_start_matches('/'));
    let inside = relative
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let file = root.join(relative);
    (inside && file.exists()).then_some(file)
}

/// First and last byte of the only range asked for; `None` when there is no such part.
fn part(range: &str, length: usize) -> Option<(usize, usize)> {
    let (first, last) = range.strip_prefix("bytes=")?.split_once('-')?;
    let end = length.checked_sub(1)?;
    match (first.parse::<usize>().ok(), last.parse::<usize>().ok()) {
        (Some(first), last) if first <= end => Some((first, last.unwrap_or(end).min(end))),
        (None, Some(suffix)) if suffix > 0 => Some((length.saturating_sub(suffix), end)),
        _ => None,
    }
}

pub(super) fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = match (first, tail) {
            (b'%', [high, low, ..]) => std::str::from_utf8(&[*high, *low])
                .ok()
                .and_then(|digits| u8::from_str_radix(digits, 16).ok()),
            _ => None,
        };
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn content_type(file: &Path) -> &'static str {
    match file
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default()
    {
        "html" | "htm" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "gif" => "image/gif",
        "jpg" | "jpeg" => "image/jpeg",
        "ico" => "image/x-icon",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "ttf" => "font/ttf",
        "wasm" => "application/wasm",
        "xml" => "application/xml",
        "xhtml" => "application/xhtml+xml",
        "txt" => "text/plain; charset=utf-8",
        "" => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::{locate, part, percent_decoded};
    use std::path::Path;

    #[test]
    fn a_range_is_cut_to_the_file() {
        assert_eq!(part("bytes=0-3", 10), Some((0, 3)));
        assert_eq!(part("bytes=8-99", 10), Some((8, 9)));
        assert_eq!(part("bytes=7-", 10), Some((7, 9)));
        assert_eq!(part("bytes=-4", 10), Some((6, 9)));
        assert_eq!(part("bytes=10-", 10), None);
        assert_eq!(part("bytes=0-0", 0), None);
    }

    #[test]
    fn a_path_cannot_leave_the_site() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert!(locate(&root, "/lib.rs").is_some());
        assert!(locate(&root, "/../Cargo.toml").is_none());
        assert!(locate(&root, "/%2e%2e/Cargo.toml").is_none());
    }

    #[test]
    fn only_whole_escapes_are_decoded() {
        assert_eq!(percent_decoded("/a%20b%2"), "/a b%2");
        assert_eq!(percent_decoded("%zz"), "%zz");
    }
}
