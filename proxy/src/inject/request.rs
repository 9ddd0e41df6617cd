//! What a request says about the document it may bring, and the few headers that are changed so that it comes whole,
//! fresh, and in a coding we can read.

use hyper::header::{HeaderMap, IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE};
use hyper::{Method, Uri};

/// What [`super::decide`] needs to know of the request, taken from the headers as the client sent them.
#[derive(Debug, Clone)]
pub(crate) struct RequestFacts {
    pub(crate) method: Method,
    pub(crate) destination: Destination,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Destination {
    /// The client said that it will show the answer as a page or in a frame.
    Document,
    /// A client that says nothing: curl, a crawler. HTML is taken for a document.
    Unsaid,
    /// A script, an image, `fetch`, XHR: never instrumented.
    Other,
}

/// Changes the request's headers and says what the answer will be used for.
pub(crate) fn prepare_request(method: &Method, _uri: &Uri, headers: &mut HeaderMap) -> RequestFacts {
    for name in [
        IF_MATCH,
        IF_MODIFIED_SINCE,
        IF_NONE_MATCH,
        IF_RANGE,
        IF_UNMODIFIED_SINCE,
    ] {
        headers.remove(name);
    }
    RequestFacts {
        method: method.clone(),
        destination: Destination::Unsaid,
    }
}
