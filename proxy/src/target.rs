//! What a request is for: an absolute URL, from what the client wrote and from the tunnel it wrote it into.

use crate::failure::Failure;
use hyper::http::request::Parts;
use hyper::http::uri::{Authority, PathAndQuery, Scheme};
use hyper::{Uri, header};
use std::net::{IpAddr, SocketAddr};

/// How requests of one connection are to be read.
#[derive(Debug, Clone)]
pub(crate) enum Inside {
    /// Straight from a client that knows us as its proxy.
    Nothing,
    /// Within a CONNECT tunnel to `authority`, over TLS that we ended (`https`) or plain (`http`).
    Tunnel { scheme: Scheme, authority: Authority },
}

pub(crate) fn target(request: &Parts, inside: &Inside) -> Result<Uri, Failure> {
    let path = request
        .uri
        .path_and_query()
        .cloned()
        .unwrap_or_else(|| PathAndQuery::from_static("/"));
    let (scheme, authority) = match (inside, request.uri.scheme(), request.uri.authority()) {
        (Inside::Tunnel { scheme, authority }, _, _) => (scheme.clone(), authority.clone()),
        (Inside::Nothing, Some(scheme), Some(authority)) => (scheme.clone(), authority.clone()),
        (Inside::Nothing, _, _) => return Err(not_for_a_proxy(request)),
    };
    // WebKitGTK asks a proxy for a plain WebSocket by its own scheme; other browsers open a tunnel.
    let scheme = if scheme.as_str() == "ws" { Scheme::HTTP } else { scheme };
    if scheme != Scheme::HTTP && scheme != Scheme::HTTPS {
        return Err(Failure::bad_request(
            "This address cannot be opened",
            format!("xcheck's proxy speaks http and https, not `{scheme}`."),
        ));
    }
    let authority = plain(&authority, &scheme)?;
    let built = Uri::builder()
        .scheme(scheme)
        .authority(authority)
        .path_and_query(path)
        .build();
    built.map_err(|error| Failure::bad_request("This address is not a URL", error.to_string()))
}

/// An HTTP/2 client names the host in the request line; the one that speaks to us in the clear wants our own pages.
fn not_for_a_proxy(request: &Parts) -> Failure {
    let host = request
        .headers
        .get(header::HOST)
        .map(|host| String::from_utf8_lossy(host.as_bytes()).into_owned());
    Failure::bad_request(
        "This is xcheck's proxy, not a web site",
        format!(
            "`{} {}` for host `{}` did not come as a request to a proxy.",
            request.method,
            request.uri,
            host.unwrap_or_default()
        ),
    )
}

/// Without user and password, and without the port that goes without saying.
fn plain(authority: &Authority, scheme: &Scheme) -> Result<Authority, Failure> {
    let bad = |why: &str| Failure::bad_request("This address is not a URL", format!("`{authority}`: {why}"));
    let host = authority.host();
    if host.is_empty() {
        return Err(bad("there is no host in it"));
    }
    let default = if *scheme == Scheme::HTTPS { 443 } else { 80 };
    let port = port(authority).map_err(|why| bad(&why))?;
    let text = match port {
        Some(port) if port != default => format!("{host}:{port}"),
        _ => host.to_owned(),
    };
    if text == authority.as_str() {
        return Ok(authority.clone());
    }
    text.parse().map_err(|_| bad("the host is not one"))
}

/// `http` takes any digits for a port; numbers above 65535 are for us to refuse.
pub(crate) fn port(authority: &Authority) -> Result<Option<u16>, String> {
    let after_host = authority
        .as_str()
        .rsplit('@')
        .next()
        .unwrap_or_default()
        .strip_prefix(authority.host());
    match after_host.and_then(|rest| rest.strip_prefix(':')) {
        None | Some("") => Ok(None),
        Some(digits) => digits
            .parse()
            .map(Some)
            .map_err(|_| format!("`{digits}` is not a port")),
    }
}

/// `https://example.org:8443`, as browsers write origins.
pub(crate) fn origin(url: &Uri) -> String {
    let authority = url.authority().map(Authority::as_str).unwrap_or_default();
    format!(
        "{}://{}",
        url.scheme_str().unwrap_or_default(),
        authority.to_ascii_lowercase()
    )
}

/// The URL names the address we listen on. Names that merely lead there are noticed when the connection is made.
pub(crate) fn is_own(url: &Uri, own: SocketAddr) -> bool {
    let host = url.host().unwrap_or_default().trim_matches(['[', ']']);
    let default = if url.scheme() == Some(&Scheme::HTTPS) { 443 } else { 80 };
    if url.port_u16().unwrap_or(default) != own.port() {
        return false;
    }
    match host.parse::<IpAddr>() {
        Ok(address) => address == own.ip() || (own.ip().is_unspecified() && address.is_loopback()),
        Err(_) => host.eq_ignore_ascii_case("localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::Request;

    fn parts(uri: &str) -> Parts {
        Request::builder().uri(uri).body(()).unwrap().into_parts().0
    }

    #[test]
    fn urls_are_absolute_and_without_what_goes_without_saying() {
        let check = |uri: &str, inside: &Inside, expected: &str| {
            assert_eq!(target(&parts(uri), inside).unwrap().to_string(), expected);
        };
        check("http://a.test/x?y", &Inside::Nothing, "http://a.test/x?y");
        check("http://a.test:80", &Inside::Nothing, "http://a.test/");
        check("ws://a.test:8080/x", &Inside::Nothing, "http://a.test:8080/x");
        check(
            "http://user:secret@a.test:8080/",
            &Inside::Nothing,
            "http://a.test:8080/",
        );
        let tunnel = |scheme: Scheme, authority: &'static str| Inside::Tunnel {
            scheme,
            authority: Authority::from_static(authority),
        };
        check("/x", &tunnel(Scheme::HTTPS, "a.test:443"), "https://a.test/x");
        check("/x", &tunnel(Scheme::HTTPS, "[::1]:8443"), "https://[::1]:8443/x");
        check("/x", &tunnel(Scheme::HTTP, "a.test:443"), "http://a.test:443/x");
    }

    #[test]
    fn what_is_not_for_a_proxy_is_told_so() {
        assert!(
            target(&parts("/"), &Inside::Nothing)
                .unwrap_err()
                .what
                .contains("proxy")
        );
        assert!(
            target(&parts("ftp://a.test/"), &Inside::Nothing)
                .unwrap_err()
                .why
                .contains("ftp")
        );
        assert!(
            target(&parts("http://a.test:99999/"), &Inside::Nothing)
                .unwrap_err()
                .why
                .contains("99999")
        );
    }

    #[test]
    fn our_own_address_is_known_by_its_usual_names() {
        let own: SocketAddr = "127.0.0.1:4000".parse().unwrap();
        for (url, expected) in [
            ("http://127.0.0.1:4000/", true),
            ("http://localhost:4000/", true),
            ("http://127.0.0.1/", false),
            ("http://a.test:4000/", false),
        ] {
            assert_eq!(is_own(&url.parse().unwrap(), own), expected, "{url}");
        }
    }
}
