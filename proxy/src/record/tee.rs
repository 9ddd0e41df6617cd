//! A body that is kept while it passes.

use super::{Recording, Side};
use crate::body::{self, BoxError, Passing};
use crate::headers;
use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use xcheck_trace::exchange::End;

/// Passes frames on as they come and gives a copy to the trace. When the trace is far behind, waits for it.
pub(crate) struct Tee<B = Incoming> {
    body: B,
    side: Side,
    recording: Recording,
    waiting: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    ended: bool,
}

impl Tee {
    /// Most requests have no body, and need nobody to watch it.
    pub(crate) fn request(body: Incoming, recording: &Recording) -> body::Body {
        if body.is_end_stream() {
            return body::empty();
        }
        body::boxed(Tee::new(body, Side::Request, recording.clone()))
    }
}

impl<B: Passing> Tee<B> {
    /// Ends the exchange when the body ends; dropped before that, the client went away.
    pub(crate) fn response(body: B, recording: Recording) -> Self {
        Tee::new(body, Side::Response, recording)
    }

    fn new(body: B, side: Side, recording: Recording) -> Self {
        let mut tee = Tee {
            body,
            side,
            recording,
            waiting: None,
            ended: false,
        };
        if tee.body.is_end_stream() {
            tee.end();
        } else {
            tee.recording.expect_body(side);
        }
        tee
    }

    fn end(&mut self) {
        if self.ended {
            return;
        }
        self.ended = true;
        self.recording.body_whole(self.side);
        if self.side == Side::Response {
            self.recording.end(End::Complete);
        }
    }

    fn passed(&mut self, frame: &Frame<Bytes>) {
        if let Some(data) = frame.data_ref() {
            self.recording.chunk(self.side, data.clone());
        }
        if let (Some(trailers), Side::Response) = (frame.trailers_ref(), self.side) {
            self.recording.trailers(headers::for_trace(trailers));
        }
        // With a known length, nobody asks again after the last byte.
        if self.body.is_end_stream() {
            self.end();
        }
    }

    fn failed(&mut self, error: &BoxError) {
        if !self.ended && self.side == Side::Response {
            self.ended = true;
            self.recording
                .fail(format!("The response broke off: {}", crate::failure::chain(&**error)));
        }
    }

    fn poll_room(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if self.waiting.is_none() && self.recording.recorder().is_full() {
            let recorder = self.recording.recorder().clone();
            self.waiting = Some(Box::pin(async move { recorder.room().await }));
        }
        if let Some(waiting) = &mut self.waiting {
            ready!(waiting.as_mut().poll(context));
            self.waiting = None;
        }
        Poll::Ready(())
    }
}

impl<B: Passing> Body for Tee<B> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        ready!(self.poll_room(context));
        match ready!(Pin::new(&mut self.body).poll_frame(context)) {
            Some(Ok(frame)) => {
                self.passed(&frame);
                Poll::Ready(Some(Ok(frame)))
            }
            Some(Err(error)) => {
                let error = error.into();
                self.failed(&error);
                Poll::Ready(Some(Err(error)))
            }
            None => {
                self.end();
                Poll::Ready(None)
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
