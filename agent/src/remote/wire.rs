//! What client and daemon say to each other, and how they know that the other one is still there.
//!
//! Texts are JSON: [`Request`] and [`Answer`]. Bytes follow the text that announces them, in pieces, so that a large body
//! does not keep a sign of life from getting through.
//!
//! ```text
//! client  replay {browser, bodies: [hashes]…}      file, bytes…  body, bytes…      go
//! daemon                             lacks [hashes]                  waiting, progress, event, page, bytes…, ended
//! ```

use crate::replay::Progress;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use xcheck_trace::Sha256;
use xcheck_trace::run::{Checkpoint, ReplayOutcome, ReplayedEvent};

/// Of these messages. A daemon refuses another one by its number.
pub(super) const PROTOCOL: u32 = 1;

pub(super) const BROWSERS: &str = "/v1/browsers";
pub(super) const REPLAY: &str = "/v1/replay";

/// Bytes travel in such pieces.
pub(super) const PIECE: usize = 256 * 1024;

/// Each side says something at least so often.
const PULSE: Duration = Duration::from_secs(10);

/// Whoever was not heard of for so long, or took nothing, is gone, whatever the network thinks.
pub(super) const SILENCE: Duration = Duration::from_secs(60);

/// Of one message, pieces of bytes apart: a list of all bodies of a very large trace.
const LARGEST_MESSAGE: usize = 64 * 1024 * 1024;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Request {
    Replay(Wanted),
    /// Its bytes follow, and end with the next text.
    File {
        name: String,
    },
    Body {
        sha256: Sha256,
    },
    /// Everything was sent.
    Go,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Wanted {
    pub(super) protocol: u32,
    /// As the daemon's machine calls it.
    pub(super) browser: String,
    pub(super) every_event: bool,
    pub(super) deadline_ms: u64,
    pub(super) ignored_parameters: Vec<String>,
    pub(super) miss_status: u16,
    /// Those the trace names, as far as the client has them.
    pub(super) bodies: Vec<Sha256>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Answer {
    /// Of the bodies that were named.
    Lacks(Vec<Sha256>),
    /// For its turn; so many are before it.
    Waiting {
        ahead: usize,
    },
    Progress(Progress),
    Event(ReplayedEvent),
    /// Its bytes follow.
    Page {
        sha256: Sha256,
        bytes: u64,
    },
    Screenshot {
        sha256: Sha256,
        bytes: u64,
    },
    Checkpoint(Checkpoint),
    Ended(ReplayOutcome),
    /// There will be no replay, or no more of it.
    Refused {
        reason: String,
    },
}

pub(super) fn configuration() -> WebSocketConfig {
    WebSocketConfig::default()
        .max_message_size(Some(LARGEST_MESSAGE))
        .max_frame_size(Some(LARGEST_MESSAGE))
}

#[derive(Debug, thiserror::Error)]
pub(super) enum LineError {
    #[error("the connection ended")]
    Ended,
    #[error("nothing was heard for {} s", SILENCE.as_secs())]
    Silence,
    #[error("what came makes no sense: {0}")]
    Nonsense(String),
}

/// The saying half; cheap to clone. What is said waits when the other side is slow.
#[derive(Clone)]
pub(super) struct Mouth(mpsc::Sender<Message>);

/// The hearing half.
pub(super) struct Ear<S>(SplitStream<WebSocketStream<S>>);

pub(super) enum Heard<T> {
    Text(T),
    Bytes(bytes::Bytes),
}

/// Takes a connection apart. The task that writes ends with the last [`Mouth`], or when nothing can be written.
pub(super) fn line<S>(socket: WebSocketStream<S>) -> (Mouth, Ear<S>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (sink, stream) = socket.split();
    let (mouth, messages) = mpsc::channel(8);
    tokio::spawn(speak(sink, messages));
    (Mouth(mouth), Ear(stream))
}

async fn speak<S>(mut sink: SplitSink<WebSocketStream<S>, Message>, mut messages: mpsc::Receiver<Message>)
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let mut pulse = tokio::time::interval(PULSE);
    loop {
        let message = tokio::select! {
            message = messages.recv() => message,
            _ = pulse.tick() => Some(Message::Ping(bytes::Bytes::new())),
        };
        let said = async {
            match message {
                Some(message) => sink.send(message).await,
                None => sink.close().await,
            }
        };
        // However it ends, the hearing half notices and tells why.
        match tokio::time::timeout(SILENCE, said).await {
            Ok(Ok(())) if !messages.is_closed() || !messages.is_empty() => {}
            _ => return,
        }
    }
}

impl Mouth {
    pub(super) async fn say(&self, message: &impl Serialize) -> Result<(), LineError> {
        let text = serde_json::to_string(message).map_err(|error| LineError::Nonsense(error.to_string()))?;
        self.send(Message::text(text)).await
    }

    /// In pieces; their message was said before.
    pub(super) async fn bytes(&self, bytes: bytes::Bytes) -> Result<(), LineError> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let piece = rest.split_to(rest.len().min(PIECE));
            self.send(Message::Binary(piece)).await?;
        }
        Ok(())
    }

    async fn send(&self, message: Message) -> Result<(), LineError> {
        self.0.send(message).await.map_err(|_| LineError::Ended)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Ear<S> {
    pub(super) async fn hear<T: DeserializeOwned>(&mut self) -> Result<Heard<T>, LineError> {
        loop {
            let message = tokio::time::timeout(SILENCE, self.0.next())
                .await
                .map_err(|_| LineError::Silence)?;
            return match message {
                Some(Ok(Message::Text(text))) => serde_json::from_str(&text)
                    .map(Heard::Text)
                    .map_err(|error| LineError::Nonsense(error.to_string())),
                Some(Ok(Message::Binary(bytes))) => Ok(Heard::Bytes(bytes)),
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => continue,
                Some(Ok(Message::Close(_))) | None => Err(LineError::Ended),
                Some(Err(error)) => {
                    tracing::debug!(%error, "a connection between agent and client broke");
                    Err(LineError::Ended)
                }
            };
        }
    }
}
