//! What is changed in scripts while they are recorded, so that a document's recorder hears what nothing else tells: a text
//! behind each module says that it has run, and calls of `import()` say what they promise.
//!
//! A script whose hash the page knows would be refused for it, and a classic script that was asked for like a module
//! (`<script crossorigin>`) has no end to tell of: so documents are looked at for hashes, and scripts for what only modules have.

mod calls;
mod hashes;
mod marking;
mod text;
mod told;

use crate::body::{self, Body};
use crate::inject::{KEPT_APART, RequestFacts, content_codings};
use crate::record::Recording;
use crate::serve::decoded;
use futures_util::StreamExt;
use hashes::Hashes;
use http_body_util::{BodyStream, StreamBody};
use hyper::body::Frame;
use hyper::header::{CONTENT_TYPE, ETAG, HeaderValue, VARY};
use hyper::{Response, StatusCode};
use marking::Marking;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
pub(crate) use told::Telling;

#[derive(Debug, Default)]
pub(crate) struct Modules {
    hashed: Arc<HashedInSession>,
}

/// Of what a page of this session gives hashes.
#[derive(Debug, Default)]
struct HashedInSession {
    modules: AtomicBool,
    scripts: AtomicBool,
}

impl Modules {
    /// Looks for hashes of scripts in a document as it passes.
    pub(crate) fn look_at(&self, document: Response<Body>) -> Response<Body> {
        let (mut hashes, hashed) = (Hashes::default(), self.hashed.clone());
        document.map(|body| {
            body::boxed(StreamBody::new(BodyStream::new(body).inspect(move |frame| {
                if let Some(data) = frame.as_ref().ok().and_then(Frame::data_ref) {
                    let found = hashes.look_at(data);
                    hashed.modules.fetch_or(found.modules, Relaxed);
                    hashed.scripts.fetch_or(found.scripts, Relaxed);
                }
            })))
        })
    }

    /// Nobody looked at a document.
    pub(crate) fn missed_one(&self) {
        self.hashed.modules.store(true, Relaxed);
        self.hashed.scripts.store(true, Relaxed);
    }

    /// A script's response, with what it says when it has run, and of its calls.
    pub(crate) fn mark(&self, facts: &RequestFacts, response: Response<Body>, recording: &Recording) -> Response<Body> {
        let codings = content_codings(response.headers()).ok();
        let is_one = facts.is_for_script() && response.status() == StatusCode::OK && is_javascript(&response);
        let Some(codings) = codings.filter(|_| is_one && !self.hashed.modules.load(Relaxed)) else {
            return response;
        };
        let (mut head, body) = decoded(response, &codings).into_parts();
        if facts.may_be_for_module() {
            head.headers.remove(ETAG);
            // Who asks for the text gets it as it is.
            head.headers.append(VARY, HeaderValue::from_static(KEPT_APART));
        }
        let marking = Marking::recorded(body, recording, facts.may_be_for_module(), self.hashed.clone());
        Response::from_parts(head, body::boxed(marking))
    }
}

/// As it was recorded: with calls of `import()` that say what they promise.
pub(crate) fn with_calls_told(response: Response<Body>) -> Response<Body> {
    let Ok(codings) = content_codings(response.headers()) else {
        return response;
    };
    let (head, body) = decoded(response, &codings).into_parts();
    Response::from_parts(head, body::boxed(Marking::served(body)))
}

fn is_javascript(response: &Response<Body>) -> bool {
    let of = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    of.is_some_and(|of| of.contains("javascript") || of.contains("ecmascript"))
}
