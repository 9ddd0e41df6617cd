//! Puts our script into a response as it streams: the I/O around [`crate::inject`].

use crate::body::{self, Body, BoxError};
use crate::inject::{Decision, Ending, Flow, Plan, RequestFacts, Script, decide};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Frame;
use hyper::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, ETAG, HeaderValue};
use hyper::http::response::Parts;
use hyper::{Response, StatusCode};
use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};
use xcheck_trace::notice::Notice;

/// What the first bytes of a body decided.
pub(crate) struct Instrumented {
    pub(crate) response: Response<Body>,
    /// What the document now carries.
    pub(crate) injected: Option<Script>,
    pub(crate) notices: Vec<Notice>,
}

/// Reads as much of the body as the decision needs, and no more. Most responses are no documents by their head alone;
/// only for the others is a script made. What `notify` gives is told what turns up later.
pub(crate) async fn instrument<N>(
    request: &RequestFacts,
    mut head: Parts,
    mut body: Body,
    script: impl FnOnce() -> Script,
    notify: impl FnOnce() -> N,
) -> Instrumented
where
    N: Fn(Notice) + Send + Unpin + 'static,
{
    let bodiless = hyper::body::Body::is_end_stream(&body);
    if let Decision::Pass { edits, notice } =
        decide(request, head.status, &head.headers, b"", bodiless, &Script::none())
    {
        edits.apply(&mut head.headers);
        let notices = notice.into_iter().collect();
        return Instrumented {
            response: Response::from_parts(head, body),
            injected: None,
            notices,
        };
    }
    let script = script();
    let mut first = First::default();
    loop {
        let ended = bodiless || first.ended();
        match decide(request, head.status, &head.headers, &first.seen, ended, &script) {
            Decision::NeedBytes => first.read(&mut body).await,
            Decision::Pass { edits, notice } => {
                edits.apply(&mut head.headers);
                let body = first.before(body);
                let notices = notice.into_iter().collect();
                return Instrumented {
                    response: Response::from_parts(head, body),
                    injected: None,
                    notices,
                };
            }
            Decision::Inject(mut plan) => {
                plan.edits().apply(&mut head.headers);
                let notices = plan.take_notices();
                let (sockets, inline) = (!plan.limits_sockets, plan.lets_inline());
                let rest = first.before(body);
                let body = body::boxed(Injecting {
                    body: rest,
                    plan,
                    input: Bytes::new(),
                    more: false,
                    ending: None,
                    notify: notify(),
                });
                return Instrumented {
                    response: Response::from_parts(head, body),
                    injected: Some(Script {
                        sockets,
                        inline,
                        ..script
                    }),
                    notices,
                };
            }
        }
    }
}

/// A worker's script with ours before it. What the origin sent it in must be readable as it is.
pub(crate) async fn instrument_worker(
    mut head: Parts,
    mut body: Body,
    script: impl FnOnce() -> String,
) -> Response<Body> {
    let coded = head
        .headers
        .get(CONTENT_ENCODING)
        .is_some_and(|coding| coding != "identity");
    if head.status != StatusCode::OK || coded {
        return Response::from_parts(head, body);
    }
    let mut first = First::default();
    while !first.ended() && first.seen.len() < DIRECTIVES {
        first.read(&mut body).await;
    }
    // A directive is one only where nothing stands before it.
    let strict = if is_strict(&first.seen) { "'use strict';" } else { "" };
    let ours = Frame::data(Bytes::from(format!("{strict}{}", script())));
    first.frames.push_front(Ok(ours));
    head.headers.remove(CONTENT_LENGTH);
    head.headers.remove(ETAG);
    // Each worker has a script of its own.
    head.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Response::from_parts(head, first.before(body))
}

/// A service worker that is installed, as the page asked, and leaves everything to the network: what it would answer by
/// itself no trace has. The origin's own script is read to its end, so that it is recorded whole.
pub(crate) async fn without_effect(response: Response<Body>) -> Response<Body> {
    let (mut head, mut body) = response.into_parts();
    if head.status != StatusCode::OK {
        return Response::from_parts(head, body);
    }
    while let Some(Ok(_)) = body.frame().await {}
    for name in [CONTENT_ENCODING, CONTENT_LENGTH, ETAG] {
        head.headers.remove(name);
    }
    Response::from_parts(head, body::empty())
}

/// How far the comments may reach that stand before a script's directives.
const DIRECTIVES: usize = 4096;

fn is_strict(script: &[u8]) -> bool {
    let mut rest = script
        .strip_prefix(b"\xef\xbb\xbf")
        .unwrap_or(script)
        .trim_ascii_start();
    loop {
        let end = match rest {
            [b'/', b'*', ..] => rest.windows(2).position(|pair| pair == b"*/").map(|at| at + 2),
            [b'/', b'/', ..] => rest.iter().position(|byte| *byte == b'\n'),
            _ => return rest.starts_with(b"'use strict'") || rest.starts_with(b"\"use strict\""),
        };
        match end {
            Some(end) => rest = rest[end..].trim_ascii_start(),
            None => return false,
        }
    }
}

/// The beginning of a body that was read before it was known what becomes of it.
#[derive(Default)]
struct First {
    seen: Vec<u8>,
    frames: VecDeque<Result<Frame<Bytes>, BoxError>>,
    end: bool,
}

impl First {
    fn ended(&self) -> bool {
        self.end
            || self
                .frames
                .back()
                .is_some_and(|frame| frame.as_ref().map_or(true, Frame::is_trailers))
    }

    async fn read(&mut self, body: &mut Body) {
        match body.frame().await {
            None => self.end = true,
            Some(frame) => {
                if let Ok(Some(data)) = frame.as_ref().map(Frame::data_ref) {
                    self.seen.extend_from_slice(data);
                }
                self.frames.push_back(frame);
            }
        }
    }

    fn before(self, rest: Body) -> Body {
        if self.frames.is_empty() && !self.end {
            return rest;
        }
        body::boxed(Rejoined {
            frames: self.frames,
            rest,
        })
    }
}

struct Rejoined {
    frames: VecDeque<Result<Frame<Bytes>, BoxError>>,
    rest: Body,
}

impl hyper::body::Body for Rejoined {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match self.frames.pop_front() {
            Some(frame) => Poll::Ready(Some(frame)),
            None => Pin::new(&mut self.rest).poll_frame(context),
        }
    }

    fn is_end_stream(&self) -> bool {
        self.frames.is_empty() && self.rest.is_end_stream()
    }
}

/// The document on its way out. What each piece of input gives is sent at once.
struct Injecting<N> {
    body: Body,
    plan: Box<Plan>,
    /// What the plan has not taken yet.
    input: Bytes,
    /// The plan has more to give from what it took.
    more: bool,
    ending: Option<Last>,
    notify: N,
}

/// What still follows the last byte of the document.
enum Last {
    Trailers(Frame<Bytes>),
    Error(BoxError),
    Nothing,
}

impl<N: Fn(Notice)> Injecting<N> {
    /// Empty only when the plan wants more input.
    fn push(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        loop {
            let mut rest = &self.input[..];
            let flow = self.plan.push(&mut rest, &mut out);
            let taken = self.input.len() - rest.len();
            self.input = self.input.slice(taken..);
            self.more = flow == Flow::Full;
            if !self.more || !out.is_empty() {
                break;
            }
        }
        self.tell();
        out
    }

    /// Upstream has no more for the moment; it will wake us.
    fn pause(&mut self) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let mut out = Vec::new();
        self.plan.pause(&mut out);
        if out.is_empty() {
            return Poll::Pending;
        }
        Poll::Ready(Some(Ok(Frame::data(out.into()))))
    }

    fn finish(&mut self, mut last: Last) -> Option<Result<Frame<Bytes>, BoxError>> {
        let mut out = Vec::new();
        if self.plan.finish(&mut out) == Ending::Broken && !matches!(last, Last::Error(_)) {
            last = Last::Error("the document's coding is broken".into());
        }
        self.tell();
        self.ending = Some(last);
        if out.is_empty() {
            self.after_end()
        } else {
            Some(Ok(Frame::data(out.into())))
        }
    }

    fn after_end(&mut self) -> Option<Result<Frame<Bytes>, BoxError>> {
        match self.ending.replace(Last::Nothing)? {
            Last::Trailers(trailers) => Some(Ok(trailers)),
            Last::Error(error) => Some(Err(error)),
            Last::Nothing => None,
        }
    }

    fn tell(&mut self) {
        for notice in self.plan.take_notices() {
            (self.notify)(notice);
        }
    }
}

impl<N: Fn(Notice) + Send + Unpin> hyper::body::Body for Injecting<N> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if self.ending.is_some() {
            return Poll::Ready(self.after_end());
        }
        loop {
            if !self.input.is_empty() || self.more {
                let out = self.push();
                if !out.is_empty() {
                    return Poll::Ready(Some(Ok(Frame::data(out.into()))));
                }
            }
            let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) else {
                return self.pause();
            };
            match frame {
                None => return Poll::Ready(self.finish(Last::Nothing)),
                Some(Err(error)) => return Poll::Ready(self.finish(Last::Error(error))),
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.input = data,
                    Err(trailers) => return Poll::Ready(self.finish(Last::Trailers(trailers))),
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_strict;

    #[test]
    fn a_directive_is_found_behind_comments_and_nowhere_else() {
        for script in [
            "'use strict'; a()",
            "\u{feff}\n\"use strict\"",
            "/* 'a' */ // b\n 'use strict'",
        ] {
            assert!(is_strict(script.as_bytes()), "{script}");
        }
        for script in ["", "a(); 'use strict'", "// 'use strict'", "/* 'use strict' */ a()"] {
            assert!(!is_strict(script.as_bytes()), "{script}");
        }
    }
}
