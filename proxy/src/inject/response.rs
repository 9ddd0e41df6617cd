//! Is this response a document that gets the script?

use super::plan::{HeaderEdits, Plan};
use super::{RequestFacts, Script};
use hyper::StatusCode;
use hyper::header::HeaderMap;
use xcheck_trace::notice::Notice;

#[derive(Debug)]
pub(crate) enum Decision {
    /// The body goes on as it is. A document that should have been instrumented says why it was not.
    Pass {
        edits: HeaderEdits,
        notice: Option<Notice>,
    },
    /// Ask again with more of the body; never said once `ended`.
    NeedBytes,
    Inject(Box<Plan>),
}

/// `first` is the body so far, as it came; `ended` says that there is no more.
pub(crate) fn decide(
    _request: &RequestFacts,
    _status: StatusCode,
    headers: &HeaderMap,
    _first: &[u8],
    _ended: bool,
    script: &Script,
) -> Decision {
    let html = headers
        .get("content-type")
        .is_some_and(|v| v.as_bytes().starts_with(b"text/html"));
    if html && !headers.contains_key("content-encoding") {
        return Decision::Inject(Box::new(Plan::new(script)));
    }
    Decision::Pass {
        edits: HeaderEdits::default(),
        notice: None,
    }
}
