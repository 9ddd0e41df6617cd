//! Requests that an origin never looked at, sent again.
//!
//! A pooled connection may be closed by the server at the moment we use it; HTTP/2 servers that end a connection say
//! which requests they did not take (GOAWAY, REFUSED_STREAM). Browsers send those again without a word, so a recording
//! must not show failures that the person would not have seen (RFC 9112 section 9.3.1, RFC 9113 section 8.7).

use super::dial;
use crate::body::{Body, BoxError, boxed, empty};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use hyper::{Method, Request};
use hyper_util::client::legacy::Error;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

/// A server that takes three requests on each connection needs some patience with twenty at once.
pub(super) const ATTEMPTS: usize = 12;

/// What may be sent of a body before it can no longer be sent again. Servers grant 64 KiB before they look at a request.
const REMEMBERED: usize = 128 * 1024;

/// A request as it was, until it is answered.
pub(super) struct Original {
    request: Request<()>,
    body: Option<Arc<Mutex<Remembered>>>,
}

impl Original {
    /// Takes down what is needed to send `request` again.
    pub(super) fn of(request: Request<Body>) -> (Original, Request<Body>) {
        let (head, body) = request.into_parts();
        let copy = Request::from_parts(head.clone(), ());
        if hyper::body::Body::is_end_stream(&body) {
            return (
                Original {
                    request: copy,
                    body: None,
                },
                Request::from_parts(head, body),
            );
        }
        let hint = hyper::body::Body::size_hint(&body);
        let remembered = Remembered {
            body,
            hint,
            sent: Vec::new(),
            bytes: 0,
            forgotten: false,
        };
        let remembered = Arc::new(Mutex::new(remembered));
        let sending = boxed(Sending {
            from: remembered.clone(),
            at: 0,
        });
        (
            Original {
                request: copy,
                body: Some(remembered),
            },
            Request::from_parts(head, sending),
        )
    }

    /// The request once more, if asking twice changes nothing at the server.
    pub(super) fn if_harmless(&self) -> Option<Request<Body>> {
        self.is_harmless().then(|| self.request.clone().map(|()| empty()))
    }

    fn is_harmless(&self) -> bool {
        matches!(*self.request.method(), Method::GET | Method::HEAD | Method::OPTIONS) && self.body.is_none()
    }

    /// The request once more, if `error` says that it did no harm and its body is still known from the beginning.
    pub(super) fn again(&self, error: &Error) -> Option<Request<Body>> {
        if !(not_taken(error) || (self.is_harmless() && lost_on_reused_connection(error))) {
            return None;
        }
        let body = match &self.body {
            None => empty(),
            Some(remembered) if lock(remembered).forgotten => return None,
            Some(remembered) => boxed(Sending {
                from: remembered.clone(),
                at: 0,
            }),
        };
        let (head, ()) = self.request.clone().into_parts();
        Some(Request::from_parts(head, body))
    }
}

impl Drop for Original {
    fn drop(&mut self) {
        if let Some(remembered) = &self.body {
            lock(remembered).forget();
        }
    }
}

/// The server said that it did not look at the request.
fn not_taken(error: &Error) -> bool {
    crate::failure::find::<h2::Error>(error).is_some_and(|error| {
        let reason = error.reason();
        error.is_remote()
            && ((error.is_go_away() && reason == Some(h2::Reason::NO_ERROR))
                || reason == Some(h2::Reason::REFUSED_STREAM))
    })
}

/// The connection had answered before, and was gone before it answered this.
fn lost_on_reused_connection(error: &Error) -> bool {
    let unanswered = crate::failure::find::<hyper::Error>(error)
        .is_some_and(|error| error.is_incomplete_message() || error.is_canceled() || error.is_closed());
    let broken = crate::failure::find::<std::io::Error>(error).is_some_and(|error| {
        use std::io::ErrorKind::{BrokenPipe, ConnectionReset};
        matches!(error.kind(), BrokenPipe | ConnectionReset)
    });
    error.connect_info().is_some_and(dial::was_used) && (unanswered || broken)
}

struct Remembered {
    body: Body,
    hint: SizeHint,
    sent: Vec<Bytes>,
    bytes: usize,
    forgotten: bool,
}

impl Remembered {
    fn remember(&mut self, chunk: &Bytes) {
        if self.forgotten {
            return;
        }
        self.bytes += chunk.len();
        self.sent.push(chunk.clone());
        if self.bytes > REMEMBERED {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.forgotten = true;
        self.sent = Vec::new();
    }
}

struct Sending {
    from: Arc<Mutex<Remembered>>,
    /// How many of the remembered chunks were sent on this attempt.
    at: usize,
}

impl hyper::body::Body for Sending {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let at = self.at;
        self.at += 1;
        let mut from = lock(&self.from);
        if let Some(chunk) = from.sent.get(at) {
            return Poll::Ready(Some(Ok(Frame::data(chunk.clone()))));
        }
        let Poll::Ready(frame) = Pin::new(&mut from.body).poll_frame(context) else {
            drop(from);
            self.at = at;
            return Poll::Pending;
        };
        if let Some(Ok(frame)) = &frame {
            match frame.data_ref() {
                Some(chunk) => from.remember(chunk),
                None => from.forget(),
            }
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        let from = lock(&self.from);
        self.at >= from.sent.len() && from.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        lock(&self.from).hint
    }
}

fn lock(remembered: &Mutex<Remembered>) -> MutexGuard<'_, Remembered> {
    remembered.lock().unwrap_or_else(PoisonError::into_inner)
}
