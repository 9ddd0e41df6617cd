//! What a request that meets a fault comes to.

use super::How;
use crate::body::{self, Body, BoxError, boxed};
use crate::failure::{Answer, NoAnswer};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use hyper::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH,
    CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, ORIGIN, TRANSFER_ENCODING,
};
use hyper::{Response, StatusCode};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

/// Neither JSON nor markup nor a script.
const GARBAGE: &str = "}{ ]< xcheck garbled this answer ;)\u{fffd}\n";

/// What there is to do about a request at once.
pub(crate) enum Met {
    /// This instead.
    Answered(Answer),
    /// What it would have come to, changed by [`Spoilt::spoil`].
    Spoilt(Spoilt),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spoilt {
    Not,
    Cut,
    Garbled,
}

/// Returns when it is time to go on, which for a request that is not answered is never.
pub(crate) async fn meet(how: How, headers: &HeaderMap) -> Met {
    match how {
        How::Silence => std::future::pending().await,
        How::Status(status) => Met::Answered(Ok(refusal(status, headers))),
        How::Refused => Met::Answered(Err(NoAnswer::on_purpose())),
        How::Late { millis } => {
            tokio::time::sleep(Duration::from_millis(millis)).await;
            Met::Spoilt(Spoilt::Not)
        }
        How::Cut => Met::Spoilt(Spoilt::Cut),
        How::Garbled => Met::Spoilt(Spoilt::Garbled),
    }
}

fn refusal(status: u16, headers: &HeaderMap) -> Response<Body> {
    let mut response = Response::new(body::full("xcheck answers so on purpose\n"));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let answer = response.headers_mut();
    answer.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    answer.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A server that fails still says who may read that; without it the page would see a failure of another kind.
    if let Some(origin) = headers.get(ORIGIN) {
        answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        answer.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
    }
    response
}

impl Spoilt {
    pub(crate) fn spoil(self, answer: Answer) -> Answer {
        let response = match (self, answer) {
            (Spoilt::Not, answer) | (_, answer @ Err(_)) => return answer,
            (_, Ok(response)) => response,
        };
        let (mut head, whole) = response.into_parts();
        // What the browser has of it must not be good the next time.
        head.headers.remove(ETAG);
        head.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self == Spoilt::Garbled {
            for name in [CONTENT_LENGTH, CONTENT_ENCODING, TRANSFER_ENCODING] {
                head.headers.remove(name);
            }
            return Ok(Response::from_parts(head, body::full(GARBAGE)));
        }
        match hyper::body::Body::size_hint(&whole).exact() {
            Some(0) => Err(NoAnswer::on_purpose()),
            exact => {
                let cut = Cut {
                    body: whole,
                    left: exact.map(|bytes| bytes / 2),
                };
                Ok(Response::from_parts(head, boxed(cut)))
            }
        }
    }
}

/// A body that breaks off half-way; where nobody knows how long it is, in its first piece.
struct Cut {
    body: Body,
    left: Option<u64>,
}

impl hyper::body::Body for Cut {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        const BROKEN: &str = "broken off on purpose";
        if self.left == Some(0) {
            return Poll::Ready(Some(Err(BROKEN.into())));
        }
        let piece = match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                Ok(piece) => piece,
                Err(_) => return Poll::Ready(Some(Err(BROKEN.into()))),
            },
            Poll::Ready(None) => return Poll::Ready(Some(Err(BROKEN.into()))),
            other => return other,
        };
        let left = self.left.unwrap_or(piece.len() as u64 / 2);
        let kept = (piece.len() as u64).min(left);
        self.left = Some(left - kept);
        Poll::Ready(Some(Ok(Frame::data(piece.slice(..kept as usize)))))
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
