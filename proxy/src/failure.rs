//! What goes wrong between us and an origin, told so that a person can do something about it.

use crate::body::{self, Body};
use crate::inject::RequestFacts;
use crate::upstream::{DialError, LONGEST_HEAD, MOST_HEADERS};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderValue, USER_AGENT};
use hyper::{Response, StatusCode};
use std::error::Error;
use std::io;

/// What a request comes to: a response, or a connection (or stream) that ends without one.
pub(crate) type Answer = Result<Response<Body>, NoAnswer>;

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct NoAnswer(String);

impl NoAnswer {
    /// A fault was asked for.
    pub(crate) fn on_purpose() -> NoAnswer {
        NoAnswer("no answer, on purpose".to_owned())
    }
}

/// Who gets a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asker {
    /// Somebody who reads what is wrong.
    Reader,
    /// A browser on behalf of a page, for a part of it. It gets what it would have got without a proxy in between: no
    /// answer at all, so that the page's own handling of errors runs.
    Page,
}

impl Asker {
    pub(crate) fn of(facts: &RequestFacts, headers: &HeaderMap) -> Asker {
        let browser = headers
            .get(USER_AGENT)
            .is_some_and(|agent| agent.as_bytes().starts_with(b"Mozilla/"));
        if browser && facts.is_for_part_of_a_page() {
            Asker::Page
        } else {
            Asker::Reader
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) status: StatusCode,
    pub(crate) what: String,
    pub(crate) why: String,
    pub(crate) advice: &'static str,
}

impl Failure {
    pub(crate) fn bad_request(what: &str, why: impl Into<String>) -> Failure {
        Failure {
            status: StatusCode::BAD_REQUEST,
            what: what.to_owned(),
            why: why.into(),
            advice: "Check the address, and that the program is set up to use xcheck as a proxy.",
        }
    }

    pub(crate) fn to_itself(url: &str) -> Failure {
        Failure {
            status: StatusCode::LOOP_DETECTED,
            what: "This request leads back to xcheck's own proxy".to_owned(),
            why: format!("{url} is where xcheck itself listens, so forwarding it would never end."),
            advice: "Open the address of the site you want to record instead.",
        }
    }

    /// The replay asks for something that was not recorded.
    pub(crate) fn not_in_trace(method: &hyper::Method, url: &hyper::Uri) -> Failure {
        Failure {
            status: StatusCode::NOT_FOUND,
            what: "This is not in the trace".to_owned(),
            why: format!("{method} {url} was not asked for when the trace was recorded."),
            advice: "The replay says at which event; --live lets such requests go to the network.",
        }
    }

    /// As it failed when it was recorded.
    pub(crate) fn as_recorded(reason: &str) -> Failure {
        Failure {
            status: StatusCode::BAD_GATEWAY,
            what: "No answer came when this was recorded".to_owned(),
            why: reason.to_owned(),
            advice: "Nothing is wrong now: this is a replay of that moment.",
        }
    }

    /// Why no answer came from the origin of `url`.
    pub(crate) fn upstream(error: &(dyn Error + 'static), url: &str) -> Failure {
        if let Some(DialError::Loop) = find(error) {
            return Failure::to_itself(url);
        }
        let (status, what, advice) = classify(error);
        Failure {
            status,
            what: what.to_owned(),
            why: format!("{url}: {}", chain(error)),
            advice,
        }
    }

    /// The sentence that the trace keeps.
    pub(crate) fn reason(&self) -> String {
        format!("{}: {}", self.what, self.why)
    }

    pub(crate) fn answer(&self, asker: Asker) -> Answer {
        match asker {
            Asker::Reader => Ok(self.page()),
            Asker::Page => Err(NoAnswer(self.reason())),
        }
    }

    pub(crate) fn page(&self) -> Response<Body> {
        let mut response = Response::new(body::full(self.html()));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response
    }

    pub(crate) fn html(&self) -> String {
        let (what, why) = (escape(&self.what), escape(&self.why));
        format!(
            "<!doctype html><html lang=en><meta charset=utf-8><title>xcheck: {what}</title>\
             <style>body{{font:16px/1.5 sans-serif;max-width:42em;margin:3em auto;padding:0 1em}}code{{overflow-wrap:anywhere}}</style>\
             <h1>{what}</h1><p><code>{why}</code></p><p>{}</p><p><small>This page comes from xcheck's proxy, not from the site.</small></p></html>\n",
            escape(self.advice)
        )
    }
}

fn classify(error: &(dyn Error + 'static)) -> (StatusCode, &'static str, &'static str) {
    const RUNS: &str = "Check that the server runs and listens there; other pages are not affected.";
    const SERVER: &str =
        "The server (or something before it) broke off; its log may say why. Other pages are not affected.";
    if find::<DialError>(error).is_some_and(|error| !matches!(error, DialError::Connect(_))) {
        let advice = "Check HTTP_PROXY, HTTPS_PROXY and NO_PROXY, or the upstream proxy that xcheck was given.";
        return (StatusCode::BAD_GATEWAY, "The upstream proxy could not be used", advice);
    }
    if let Some(error) = find::<rustls::Error>(error) {
        return tls(error);
    }
    if chain(error).contains("dns error") {
        let advice = "Check the spelling of the host, and that this machine can look up names.";
        return (StatusCode::BAD_GATEWAY, "There is no host of this name", advice);
    }
    if let Some(error) = find::<hyper::Error>(error)
        && (error.is_parse_too_large() || error.is_parse())
    {
        return head(error);
    }
    if find::<hyper::Error>(error).is_some_and(hyper::Error::is_incomplete_message) {
        return (StatusCode::BAD_GATEWAY, "The server broke off the connection", SERVER);
    }
    match find::<io::Error>(error).map(io::Error::kind) {
        Some(io::ErrorKind::ConnectionRefused) => (StatusCode::BAD_GATEWAY, "The server refused the connection", RUNS),
        Some(io::ErrorKind::TimedOut) => (
            StatusCode::GATEWAY_TIMEOUT,
            "The server could not be reached in time",
            RUNS,
        ),
        Some(io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable) => (
            StatusCode::BAD_GATEWAY,
            "The server cannot be reached from this machine",
            RUNS,
        ),
        Some(io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe | io::ErrorKind::UnexpectedEof) => {
            (StatusCode::BAD_GATEWAY, "The server broke off the connection", SERVER)
        }
        _ => (StatusCode::BAD_GATEWAY, "No answer came from the server", SERVER),
    }
}

fn tls(error: &rustls::Error) -> (StatusCode, &'static str, &'static str) {
    match error {
        rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented => (
            StatusCode::BAD_GATEWAY,
            "The server's certificate is not trusted",
            "If it is a test server, name its authority with --ca-extra, or accept any certificate with --insecure-upstream.",
        ),
        _ => (
            StatusCode::BAD_GATEWAY,
            "No secure connection to the server was possible",
            "Check that the server speaks TLS 1.2 or 1.3 on this port, and not plain HTTP.",
        ),
    }
}

fn head(error: &hyper::Error) -> (StatusCode, &'static str, &'static str) {
    const _: () = assert!(
        LONGEST_HEAD == 512 * 1024 && MOST_HEADERS == 20_000,
        "the advice below names these"
    );
    if error.is_parse_too_large() {
        let advice = "xcheck takes heads of up to 512 KiB and 20,000 headers.";
        return (
            StatusCode::BAD_GATEWAY,
            "The server's response has too large a head",
            advice,
        );
    }
    let advice = "Something other than a web server may be listening there, or it speaks TLS and was asked without.";
    (StatusCode::BAD_GATEWAY, "The server's answer is not HTTP", advice)
}

/// The messages of an error and its causes, each once.
pub(crate) fn chain(error: &(dyn Error + 'static)) -> String {
    let mut messages: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let message = error.to_string();
        if !messages.iter().any(|earlier| earlier.contains(&message)) {
            messages.push(message);
        }
        next = error.source();
    }
    messages.join(": ")
}

/// The first error of type `T` among an error and its causes. An `io::Error` hides what it wraps from `source`.
pub(crate) fn find<'a, T: Error + 'static>(error: &'a (dyn Error + 'static)) -> Option<&'a T> {
    if let Some(found) = error.downcast_ref::<T>() {
        return Some(found);
    }
    if let Some(found) = error
        .downcast_ref::<io::Error>()
        .and_then(io::Error::get_ref)
        .and_then(|inner| find(inner))
    {
        return Some(found);
    }
    find(error.source()?)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
