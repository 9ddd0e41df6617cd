//! Injection as the proxy calls it: heads and bytes in, decisions and bytes out.

mod bodies;
mod cost;
mod decisions;
#[path = "../../../tests/proxy/pieces.rs"]
mod pieces;
mod places;
mod splits;
mod within;

use super::*;
use hyper::header::{HeaderName, HeaderValue};
use hyper::{HeaderMap, Method, StatusCode, Uri};
use xcheck_trace::notice::{Notice, NoticeKind};

pub(super) const TAG: &str = "<script src=\"/__xcheck/t.js\"></script>";
pub(super) const XML_TAG: &str = "<script xmlns=\"http://www.w3.org/1999/xhtml\" src=\"/__xcheck/t.js\"/>";

pub(super) fn script() -> Script {
    Script {
        path: "/__xcheck/t.js".into(),
        origin: "https://a.org".into(),
        nonce: "N".into(),
        talks: Talks::ByPost,
        sockets: false,
        inline: false,
        tells_imports: true,
        errand: None,
    }
}

pub(super) fn headers(lines: &[(&str, &str)]) -> HeaderMap {
    let parse = |(name, value): &(&str, &str)| {
        let name = HeaderName::from_bytes(name.as_bytes()).unwrap();
        (name, HeaderValue::from_str(value).unwrap())
    };
    lines.iter().map(parse).collect()
}

pub(super) fn request(lines: &[(&str, &str)]) -> RequestFacts {
    prepare_request(&Method::GET, &Uri::from_static("/"), &mut headers(lines))
}

pub(super) fn document_request() -> RequestFacts {
    request(&[("sec-fetch-dest", "document")])
}

/// What the browser gets.
#[derive(Debug)]
pub(super) struct Delivered {
    pub(super) body: Vec<u8>,
    pub(super) headers: HeaderMap,
    pub(super) injected: bool,
    pub(super) ending: Option<Ending>,
    pub(super) notices: Vec<Notice>,
}

impl Delivered {
    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(super) fn notices_of(&self, kind: NoticeKind) -> Vec<&str> {
        let of_kind = self.notices.iter().filter(|notice| notice.kind == kind);
        of_kind.map(|notice| notice.text.as_str()).collect()
    }
}

/// Takes a response through as the proxy does, its body in the given chunks.
pub(super) fn deliver<'a>(
    request: &RequestFacts,
    status: u16,
    lines: &[(&str, &str)],
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> Delivered {
    deliver_with(&script(), request, status, lines, chunks)
}

pub(super) fn deliver_with<'a>(
    script: &Script,
    request: &RequestFacts,
    status: u16,
    lines: &[(&str, &str)],
    chunks: impl IntoIterator<Item = &'a [u8]>,
) -> Delivered {
    let mut headers = headers(lines);
    let mut chunks = chunks.into_iter();
    let (mut first, mut ended) = (Vec::new(), false);
    let decision = loop {
        let status = StatusCode::from_u16(status).unwrap();
        match decide(request, status, &headers, &first, ended, script) {
            Decision::NeedBytes => match chunks.next() {
                Some(chunk) => first.extend_from_slice(chunk),
                None => {
                    assert!(!ended, "more bytes were asked for after the end");
                    ended = true;
                }
            },
            decision => break decision,
        }
    };
    let mut body = Vec::new();
    match decision {
        Decision::NeedBytes => unreachable!(),
        Decision::Pass { edits, notice } => {
            edits.apply(&mut headers);
            body.extend_from_slice(&first);
            chunks.for_each(|chunk| body.extend_from_slice(chunk));
            Delivered {
                body,
                headers,
                injected: false,
                ending: None,
                notices: notice.into_iter().collect(),
            }
        }
        Decision::Inject(mut plan) => {
            plan.edits().apply(&mut headers);
            let mut push = |mut rest: &[u8]| {
                while plan.push(&mut rest, &mut body) == Flow::Full {}
                assert!(rest.is_empty(), "a hungry plan takes everything");
            };
            push(&first);
            chunks.for_each(push);
            let ending = Some(plan.finish(&mut body));
            Delivered {
                body,
                headers,
                injected: true,
                ending,
                notices: plan.take_notices(),
            }
        }
    }
}

/// A document as sent with `text/html` and nothing else.
pub(super) fn deliver_html(html: &[u8]) -> Delivered {
    deliver(&document_request(), 200, &[("content-type", "text/html")], [html])
}
