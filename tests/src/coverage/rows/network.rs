//! What comes over the network, piece by piece.

use super::{extra, row};
use crate::coverage::Row;
use crate::coverage::Varied::At;
use xcheck_trace::run::DivergenceKind::{MessageDiffers, RequestExtra};

pub(super) const NETWORK: &[Row] = &[
    row(
        "websocket",
        "WebSocket: text, binary, close",
        &[],
        At("open of WebSocket", MessageDiffers),
    ),
    row("eventsource", "EventSource", &[], extra("message of EventSource")),
    row(
        "fetch-stream",
        "streamed `fetch` bodies, piece by piece and as text",
        &[],
        At("ReadableStreamDefaultReader.read fulfilled", RequestExtra),
    ),
    row(
        "stream-pipes",
        "streams: piped, branched, of a `Blob`, and of the page's own making",
        &[],
        At("timer (10 ms)", RequestExtra),
    ),
    row(
        "fetch-abort",
        "`fetch` aborted before and during the response, and by a timeout",
        &[],
        extra("fetch GET */~/never fulfilled"),
    ),
    row(
        "xhr-upload",
        "XMLHttpRequest: what is sent, and how far it is",
        &[],
        extra("load of POST */~/echo?upload"),
    ),
];
