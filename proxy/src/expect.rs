//! `Expect: 100-continue`: a client that waits to be told whether its body is wanted.
//!
//! hyper tells the client to go on as soon as we read its body, and does not itself wait when it sends one. So the body
//! is not read before the origin has asked for it; an origin that refuses by its status is never sent the body. One
//! that says nothing gets it after a second, as curl does it (RFC 9110, section 10.1.1).

use crate::body::{Body, BoxError};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use hyper::header::EXPECT;
use hyper::{Request, StatusCode};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::sync::Notify;

const PATIENCE: Duration = Duration::from_secs(1);

/// Holds the body of a request that expects to be told to go on.
pub(crate) fn hold_until_wanted(request: &mut Request<Body>) {
    let expects = request
        .headers()
        .get(EXPECT)
        .is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"));
    if !expects {
        return;
    }
    let wanted = Arc::new(Notify::new());
    let told = wanted.clone();
    hyper::ext::on_informational(request, move |response| {
        if response.status() == StatusCode::CONTINUE {
            told.notify_one();
        }
    });
    let patience = tokio::time::timeout(PATIENCE, async move { wanted.notified().await });
    let body = std::mem::replace(request.body_mut(), crate::body::empty());
    let gate = Box::pin(async move {
        // Told to go on or not answered in time: either way the body goes.
        let _ = patience.await;
    });
    *request.body_mut() = crate::body::boxed(Held { gate: Some(gate), body });
}

struct Held {
    gate: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    body: Body,
}

impl hyper::body::Body for Held {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Some(gate) = &mut self.gate {
            ready!(gate.as_mut().poll(context));
            self.gate = None;
        }
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
