//! Headers that belong to one connection rather than to the message, and headers as the trace keeps them.

use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};

const HOP_BY_HOP: [HeaderName; 6] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    header::PROXY_AUTHORIZATION,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Removes what was meant for us and not for the other side. `TE: trailers` stays: we do pass trailers on.
pub(crate) fn remove_hop_by_hop(headers: &mut HeaderMap) {
    for name in named_by_connection(headers) {
        headers.remove(name);
    }
    for name in &HOP_BY_HOP {
        headers.remove(name);
    }
    let trailers = headers
        .get_all(header::TE)
        .iter()
        .any(|value| has_token(value, "trailers"));
    headers.remove(header::TE);
    if trailers {
        headers.insert(header::TE, HeaderValue::from_static("trailers"));
    }
}

fn named_by_connection(headers: &HeaderMap) -> Vec<HeaderName> {
    headers
        .get_all(header::CONNECTION)
        .iter()
        .flat_map(tokens)
        .filter_map(|token| HeaderName::from_bytes(token.as_bytes()).ok())
        // A client that names these wants to smuggle, not to keep them on one hop.
        .filter(|name| {
            !matches!(
                *name,
                header::HOST | header::CONTENT_LENGTH | header::TE | header::COOKIE
            )
        })
        .collect()
}

/// The protocol a request or response wants to change to, when it says so consistently.
pub(crate) fn upgrade_wanted(headers: &HeaderMap) -> Option<String> {
    let connection = headers
        .get_all(header::CONNECTION)
        .iter()
        .any(|value| has_token(value, "upgrade"));
    let protocol = headers.get(header::UPGRADE)?.to_str().ok()?;
    connection.then(|| protocol.to_ascii_lowercase())
}

pub(crate) fn has_token(value: &HeaderValue, wanted: &str) -> bool {
    tokens(value).any(|token| {
        token
            .split(';')
            .next()
            .is_some_and(|token| token.trim().eq_ignore_ascii_case(wanted))
    })
}

fn tokens(value: &HeaderValue) -> impl Iterator<Item = &str> {
    value
        .to_str()
        .unwrap_or("")
        .split(',')
        .map(str::trim)
        .filter(|token| !token.is_empty())
}

/// Headers in order, bytes that are not UTF-8 as Latin-1, as `trace::exchange` wants them.
pub(crate) fn for_trace(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes())))
        .collect()
}

fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&str, &str)]) -> HeaderMap {
        lines
            .iter()
            .map(|(name, value)| {
                (
                    name.parse::<HeaderName>().unwrap(),
                    value.parse::<HeaderValue>().unwrap(),
                )
            })
            .collect()
    }

    #[test]
    fn hop_by_hop_headers_stay_on_their_hop() {
        let mut sent = headers(&[
            ("connection", "close, X-Hop"),
            ("x-hop", "1"),
            ("x-kept", "2"),
            ("te", "trailers, deflate;q=0.5"),
            ("proxy-authorization", "Basic abc"),
            ("proxy-connection", "keep-alive"),
            ("keep-alive", "timeout=5"),
        ]);
        remove_hop_by_hop(&mut sent);
        assert_eq!(
            for_trace(&sent),
            [("x-kept".into(), "2".into()), ("te".into(), "trailers".into())]
        );
    }

    #[test]
    fn connection_cannot_name_away_the_host() {
        let mut sent = headers(&[("connection", "host, cookie"), ("host", "a.test"), ("cookie", "a=b")]);
        remove_hop_by_hop(&mut sent);
        assert_eq!(sent.len(), 2);
    }

    #[test]
    fn an_upgrade_needs_both_headers() {
        assert_eq!(upgrade_wanted(&headers(&[("upgrade", "websocket")])), None);
        let both = headers(&[("upgrade", "WebSocket"), ("connection", "keep-alive, Upgrade")]);
        assert_eq!(upgrade_wanted(&both).as_deref(), Some("websocket"));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_kept_as_latin_1() {
        let mut sent = HeaderMap::new();
        sent.insert("x", HeaderValue::from_bytes(b"caf\xe9").unwrap());
        assert_eq!(for_trace(&sent), [("x".into(), "café".into())]);
    }
}
