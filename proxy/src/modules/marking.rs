//! A script's body on its way, with what is put into it.

use super::HashedInSession;
use super::text::ModuleText;
use super::told::Telling;
use crate::body::{Body, BoxError};
use crate::record::Recording;
use bytes::Bytes;
use hyper::body::Frame;
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll, ready};

pub(super) struct Marking {
    body: Body,
    calls: Telling,
    recorded: Option<Recorded>,
    /// What follows once the body is over.
    last: Option<VecDeque<Result<Bytes, BoxError>>>,
}

/// What only a script that is being recorded is asked.
struct Recorded {
    text: ModuleText,
    hashed: Arc<HashedInSession>,
    may_be_module: bool,
    /// Told whether its calls are told of; gone once it was. Dropped with the body if that breaks off.
    recording: Recording,
}

impl Marking {
    pub(super) fn recorded(
        body: Body,
        recording: &Recording,
        may_be_module: bool,
        hashed: Arc<HashedInSession>,
    ) -> Marking {
        recording.undecided();
        let recorded = Recorded {
            text: ModuleText::default(),
            hashed,
            may_be_module,
            recording: recording.clone(),
        };
        Marking {
            recorded: Some(recorded),
            ..Marking::served(body)
        }
    }

    pub(super) fn served(body: Body) -> Marking {
        Marking {
            body,
            calls: Telling::default(),
            recorded: None,
            last: None,
        }
    }

    /// What follows the last byte.
    fn end(&mut self) -> VecDeque<Result<Bytes, BoxError>> {
        let Some(recorded) = self.recorded.take() else {
            return VecDeque::from([Ok(self.calls.finish(true).0)]);
        };
        let is_module = recorded.may_be_module && recorded.text.is_module();
        let (rest, is_told) = self.calls.finish(recorded.may_change(is_module));
        recorded.recording.imports_told(is_told);
        let mut last = VecDeque::from([Ok(rest)]);
        if is_module {
            let mark = xcheck_replay_js::module_has_run(recorded.recording.id());
            last.push_back(Ok(Bytes::from(mark)));
        }
        last
    }

    /// It breaks off.
    fn fail(&mut self, damage: BoxError) -> VecDeque<Result<Bytes, BoxError>> {
        if let Some(recorded) = self.recorded.take() {
            recorded.recording.imports_told(false);
        }
        VecDeque::from([Ok(self.calls.rest()), Err(damage)])
    }
}

impl Recorded {
    /// No page has been seen that gives its hash.
    fn may_change(&self, is_module: bool) -> bool {
        is_module || !self.hashed.scripts.load(Relaxed)
    }
}

impl hyper::body::Body for Marking {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        loop {
            if let Some(last) = &mut self.last {
                return match last.pop_front() {
                    Some(Ok(data)) if data.is_empty() => continue,
                    next => Poll::Ready(next.map(|data| data.map(Frame::data))),
                };
            }
            match ready!(Pin::new(&mut self.body).poll_frame(context)).map(|frame| frame.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => {
                    if let Some(recorded) = &mut self.recorded {
                        recorded.text.push(&data);
                    }
                    let passes = self.calls.push(data);
                    if !passes.is_empty() {
                        return Poll::Ready(Some(Ok(Frame::data(passes))));
                    }
                }
                Some(Err(damage)) => self.last = Some(self.fail(damage)),
                // A script has no use for trailers.
                Some(Ok(Err(_))) | None => self.last = Some(self.end()),
            }
        }
    }
}
