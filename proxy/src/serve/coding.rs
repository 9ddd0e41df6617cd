//! Bodies in a coding that the replaying browser does not have: what Chromium was sent as zstd, WebKit gets plain.

use crate::body::{Body, BoxError, boxed};
use crate::headers::has_token;
use crate::inject::{Coding, Decoder, Flow, content_codings};
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use http_body_util::{BodyStream, StreamBody};
use hyper::Response;
use hyper::body::Frame;
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, ETAG, HeaderMap};
use std::future::ready;
use std::pin::Pin;
use std::task::{Context, Poll, ready as taken};

/// Takes codings off that `asked` does not accept. A client that says nothing about codings gets the body as it is.
pub(crate) fn readable(asked: &HeaderMap, response: Response<Body>) -> Response<Body> {
    let Ok(codings) = content_codings(response.headers()) else {
        return response;
    };
    if !asked.contains_key(ACCEPT_ENCODING) || codings.iter().all(|coding| accepts(asked, *coding)) {
        return response;
    }
    decoded(response, &codings)
}

/// With a text behind its own.
pub(super) fn ending_with(response: Response<Body>, text: String) -> Response<Body> {
    let Ok(codings) = content_codings(response.headers()) else {
        return response;
    };
    let (mut head, body) = decoded(response, &codings).into_parts();
    head.headers.remove(ETAG);
    // What follows trailers would be no text any more.
    let data = BodyStream::new(body).try_filter(|frame| ready(frame.is_data()));
    let end = stream::once(ready(Ok(Frame::data(Bytes::from(text)))));
    Response::from_parts(head, boxed(StreamBody::new(data.chain(end))))
}

pub(crate) fn decoded(response: Response<Body>, codings: &[Coding]) -> Response<Body> {
    let (mut head, body) = response.into_parts();
    head.headers.remove(CONTENT_ENCODING);
    head.headers.remove(CONTENT_LENGTH);
    let body = boxed(Decoding {
        body,
        decoder: Decoder::new(codings),
        input: Bytes::new(),
        more: false,
    });
    Response::from_parts(head, body)
}

fn accepts(asked: &HeaderMap, coding: Coding) -> bool {
    let name = match coding {
        Coding::Gzip => "gzip",
        Coding::Deflate => "deflate",
        Coding::Brotli => "br",
        Coding::Zstd => "zstd",
    };
    asked
        .get_all(ACCEPT_ENCODING)
        .iter()
        .any(|value| has_token(value, name))
}

struct Decoding {
    body: Body,
    decoder: Decoder,
    input: Bytes,
    /// The decoder has more to give from what it took.
    more: bool,
}

impl hyper::body::Body for Decoding {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        loop {
            while self.more || !self.input.is_empty() {
                let (input, mut out) = (std::mem::take(&mut self.input), Vec::new());
                let mut rest = &input[..];
                let flow = match self.decoder.decode(&mut rest, &mut out) {
                    Ok(flow) => flow,
                    Err(damage) => return Poll::Ready(Some(Err(damage.into()))),
                };
                self.input = input.slice(input.len() - rest.len()..);
                self.more = flow == Flow::Full;
                if !out.is_empty() {
                    return Poll::Ready(Some(Ok(Frame::data(out.into()))));
                }
            }
            match taken!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.input = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                end => return Poll::Ready(end),
            }
        }
    }
}
