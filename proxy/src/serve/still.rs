//! Pictures that move stand still: at another moment each would show another of its frames, and no script can hold one.
//!
//! What stands in an `<img>` or a style sheet moves by the browser's own clock, from whenever it came. So whoever asks for
//! an image is given its first frame, by every format for itself. Scripts that fetch the same file get it whole.

mod raster;
mod svg;

use super::coding::decoded;
use crate::body::{Body, boxed};
use crate::inject::content_codings;
use bytes::Bytes;
use futures_util::stream;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap};
use hyper::{Response, StatusCode};
use std::future::ready;

/// What is larger is hardly looked at while it moves, and passes as it is.
const LARGEST: u64 = 16 * 1024 * 1024;

/// The response with a picture in it that does not move, where that is what was asked for.
pub(super) async fn standing(asked: &HeaderMap, response: Response<Body>) -> Response<Body> {
    if !is_for_an_image(asked) || !may_move(&response) {
        return response;
    }
    let Ok(codings) = content_codings(response.headers()) else {
        return response;
    };
    let (mut head, body) = decoded(response, &codings).into_parts();
    let whole = match body.collect().await {
        Ok(whole) => whole.to_bytes(),
        // It breaks off where it did, with nothing before that: half of a picture is none that could be compared.
        Err(error) => return Response::from_parts(head, boxed(StreamBody::new(stream::once(ready(Err(error)))))),
    };
    let shown = match first_frame(&kind(&head.headers), &whole) {
        Some(frame) => {
            head.headers.remove(ETAG);
            Bytes::from(frame)
        }
        None => whole,
    };
    head.headers.insert(CONTENT_LENGTH, shown.len().into());
    Response::from_parts(head, boxed(Full::new(shown).map_err(|never| match never {})))
}

/// Elements and style sheets name the kinds of pictures they take; what scripts ask for is anything.
fn is_for_an_image(asked: &HeaderMap) -> bool {
    match asked.get("sec-fetch-dest") {
        Some(destination) => destination == "image",
        None => asked
            .get(ACCEPT)
            .is_some_and(|kinds| kinds.as_bytes().starts_with(b"image/")),
    }
}

/// A whole response of a size that can be held, which may be a picture of several frames.
fn may_move(response: &Response<Body>) -> bool {
    let bytes = hyper::body::Body::size_hint(response.body()).exact();
    response.status() == StatusCode::OK
        && bytes.is_some_and(|bytes| (1..=LARGEST).contains(&bytes))
        && !matches!(kind(response.headers()).as_str(), "image/jpeg" | "image/avif")
}

/// Browsers know pictures made of pixels by how they begin, whatever they are said to be, and drawings by what they are said to be.
fn first_frame(kind: &str, file: &[u8]) -> Option<Vec<u8>> {
    match kind {
        "image/svg+xml" => svg::at_rest(file),
        _ => raster::gif(file)
            .or_else(|| raster::png(file))
            .or_else(|| raster::webp(file)),
    }
}

fn kind(headers: &HeaderMap) -> String {
    let said = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .unwrap_or_default();
    said.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}
