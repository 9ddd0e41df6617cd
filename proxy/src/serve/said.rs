//! What the origin of a recorded WebSocket said, told to the replayer at once.
//!
//! The replayer holds each message until the log has it, and compares what the page says. Only the origin's close waits
//! for what the page had said before it: nothing could be said after it.

use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use xcheck_trace::Trace;
use xcheck_trace::exchange::{ExchangeId, Payload, Peer};

const LARGEST_MESSAGE: u64 = 64 * 1024 * 1024;

/// What the origin said, and how it ended.
pub(super) struct Said {
    messages: Vec<Message>,
    /// After so many messages of the page's.
    close: Option<(usize, CloseFrame)>,
}

impl Said {
    pub(super) fn of(trace: &Trace, exchange: ExchangeId) -> Result<Said, String> {
        let mut said = Said {
            messages: Vec::new(),
            close: None,
        };
        let mut heard = 0;
        let mut page_closed = false;
        for frame in trace.frames.iter().filter(|frame| frame.exchange == exchange) {
            match (frame.from, &frame.payload) {
                (Peer::Client, Payload::Close { .. }) => page_closed = true,
                (Peer::Client, _) => heard += 1,
                (Peer::Server, Payload::Text { text }) => said.messages.push(Message::text(text.clone())),
                (Peer::Server, Payload::Binary { body }) => {
                    let bytes = trace.bodies().bytes(&body.sha256, LARGEST_MESSAGE);
                    said.messages
                        .push(Message::binary(bytes.map_err(|error| error.to_string())?));
                }
                // The answer to a close is given by itself.
                (Peer::Server, Payload::Close { .. }) if page_closed => {}
                (Peer::Server, Payload::Close { code, reason }) => {
                    let (code, reason) = ((*code).into(), reason.clone().into());
                    said.close = Some((heard, CloseFrame { code, reason }));
                }
            }
        }
        Ok(said)
    }
}

/// To a page whose replayer holds each message until the log has it. Either end may go first.
pub(super) async fn say(mut socket: WebSocketStream<TokioIo<Upgraded>>, said: Said) {
    for message in said.messages {
        if socket.send(message).await.is_err() {
            return;
        }
    }
    let mut close = said.close;
    let mut heard = 0;
    loop {
        if let Some((_, frame)) = close.take_if(|(after, _)| heard >= *after)
            && socket.close(Some(frame)).await.is_err()
        {
            return;
        }
        // Reading answers pings and a close.
        match socket.next().await {
            Some(Ok(message)) => heard += usize::from(message.is_text() || message.is_binary()),
            Some(Err(_)) | None => return,
        }
    }
}
