//! What is put behind modules while they are recorded, so that a document's recorder hears when each has run: nothing
//! else tells, of those least that code asks for by `import()`.
//!
//! A module whose hash the page knows would be refused for it, and a classic script that was asked for in the same way
//! (`<script crossorigin>`) has nothing to say: so documents are looked at for hashes, and scripts for what only modules have.

mod hashes;
mod text;

use crate::body::{self, Body, BoxError};
use crate::inject::{KEPT_APART, RequestFacts, content_codings};
use crate::serve::decoded;
use bytes::Bytes;
use futures_util::StreamExt;
use hashes::Hashes;
use http_body_util::{BodyStream, StreamBody};
use hyper::body::Frame;
use hyper::header::{CONTENT_TYPE, ETAG, HeaderValue, VARY};
use hyper::{Response, StatusCode};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::task::{Context, Poll, ready};
use text::ModuleText;
use xcheck_trace::exchange::ExchangeId;

#[derive(Debug, Default)]
pub(crate) struct Modules {
    /// A page of this session gives hashes of its modules.
    hashed: Arc<AtomicBool>,
}

impl Modules {
    /// Looks for hashes of modules in a document as it passes.
    pub(crate) fn look_at(&self, document: Response<Body>) -> Response<Body> {
        let (mut hashes, hashed) = (Hashes::default(), self.hashed.clone());
        document.map(|body| {
            body::boxed(StreamBody::new(BodyStream::new(body).inspect(move |frame| {
                if let Some(data) = frame.as_ref().ok().and_then(Frame::data_ref)
                    && hashes.are_in(data)
                {
                    hashed.store(true, Relaxed);
                }
            })))
        })
    }

    /// Nobody looked at a document.
    pub(crate) fn missed_one(&self) {
        self.hashed.store(true, Relaxed);
    }

    /// A module's response, with what it says when it has run.
    pub(crate) fn mark(&self, facts: &RequestFacts, response: Response<Body>, exchange: ExchangeId) -> Response<Body> {
        let codings = content_codings(response.headers()).ok();
        let is_one = facts.may_be_for_module() && response.status() == StatusCode::OK && is_javascript(&response);
        let Some(codings) = codings.filter(|_| is_one && !self.hashed.load(Relaxed)) else {
            return response;
        };
        let (mut head, body) = decoded(response, &codings).into_parts();
        head.headers.remove(ETAG);
        // Who asks for the text gets it as it is.
        head.headers.append(VARY, HeaderValue::from_static(KEPT_APART));
        let marking = Marking {
            body,
            text: ModuleText::default(),
            mark: Some(xcheck_replay_js::module_has_run(exchange)),
        };
        Response::from_parts(head, body::boxed(marking))
    }
}

fn is_javascript(response: &Response<Body>) -> bool {
    let of = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    of.is_some_and(|of| of.contains("javascript") || of.contains("ecmascript"))
}

struct Marking {
    body: Body,
    text: ModuleText,
    /// What still follows the last byte.
    mark: Option<String>,
}

impl hyper::body::Body for Marking {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match ready!(Pin::new(&mut self.body).poll_frame(context)) {
            Some(Ok(frame)) if frame.is_data() => {
                self.text.push(frame.data_ref().map_or(&[], |data| &data[..]));
                Poll::Ready(Some(Ok(frame)))
            }
            Some(Err(damage)) => {
                self.mark = None;
                Poll::Ready(Some(Err(damage)))
            }
            // A script has no use for trailers.
            Some(Ok(_)) | None => {
                let mark = self.mark.take().filter(|_| self.text.is_module());
                Poll::Ready(mark.map(|mark| Ok(Frame::data(Bytes::from(mark)))))
            }
        }
    }
}
