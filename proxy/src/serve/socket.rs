//! A WebSocket that is in the trace: accepted as the origin did, with nobody behind it.
//!
//! A replayer is told at once all that the origin said ([`super::said`]). Pages that run by themselves are told here: each
//! message when the page has said as much as it had before it.

use super::said::{Said, say};
use super::{Serve, ServeEvent};
use crate::body::{self, Body};
use crate::faults::{Faults, How};
use crate::session::Session;
use futures_util::{SinkExt, StreamExt};
use hyper::header::{
    CONNECTION, HeaderMap, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, UPGRADE,
};
use hyper::upgrade::OnUpgrade;
use hyper::{Response, StatusCode};
use hyper_util::rt::TokioIo;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role};
use xcheck_trace::Bodies;
use xcheck_trace::exchange::{ExchangeId, Frame, Payload, Peer};

/// As large as what is kept of a message.
const LARGEST: u64 = 64 * 1024 * 1024;

/// `None` when the exchange was no WebSocket that was accepted.
pub(crate) fn accept(
    session: &Session,
    serve: &Serve,
    exchange: ExchangeId,
    headers: &HeaderMap,
    upgrade: OnUpgrade,
) -> Option<Response<Body>> {
    let head = serve
        .trace
        .exchange(exchange)?
        .response
        .as_ref()
        .filter(|head| head.status == 101)?;
    let mut response = switching(headers)?;
    let protocol = head
        .headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("sec-websocket-protocol"));
    if let Some(protocol) = protocol.and_then(|(_, value)| HeaderValue::try_from(value).ok()) {
        response.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, protocol);
    }
    let script = session
        .live
        .is_some()
        .then(|| Script::of(serve, exchange, session.faults.clone()));
    let said = Said::of(&serve.trace, exchange);
    let events = serve.events.clone();
    session.tasks.spawn_endless(async move {
        let Ok(upgraded) = upgrade.await else { return };
        let mut socket = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, None).await;
        match (script, said) {
            (Some(script), _) => {
                if script.play(&mut socket).await {
                    // Reading answers pings and a close.
                    while let Some(Ok(_)) = socket.next().await {}
                }
            }
            (None, Ok(said)) => say(socket, said).await,
            (None, Err(reason)) => {
                if events.send(ServeEvent::Damaged { exchange, reason }).is_err() {
                    tracing::debug!("nobody listens to what happens while serving");
                }
            }
        }
    });
    Some(response)
}

/// Between two messages no more time goes by than this, whatever the recording did.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// What was said over a socket.
struct Script {
    url: String,
    frames: Vec<Frame>,
    bodies: Bodies,
    faults: Faults,
}

impl Script {
    fn of(serve: &Serve, exchange: ExchangeId, faults: Faults) -> Script {
        let of_it = |frame: &&Frame| frame.exchange == exchange;
        let url = serve
            .trace
            .exchange(exchange)
            .map(|exchange| exchange.request.url.clone());
        Script {
            url: url.unwrap_or_default(),
            frames: serve.trace.frames.iter().filter(of_it).cloned().collect(),
            bodies: serve.trace.bodies().clone(),
            faults,
        }
    }

    /// False when the connection is to end here.
    async fn play<S>(self, socket: &mut WebSocketStream<S>) -> bool
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let (mut last_us, mut said) = (None, 0);
        for frame in self.frames {
            let pause = last_us.map_or(0, |last| frame.at_us.saturating_sub(last));
            last_us = Some(frame.at_us);
            if frame.from == Peer::Client {
                // Reading answers pings, too.
                while let Some(Ok(message)) = socket.next().await {
                    if message.is_close() {
                        return true;
                    }
                    if message.is_text() || message.is_binary() {
                        break;
                    }
                }
                continue;
            }
            tokio::time::sleep(Duration::from_micros(pause).min(LONGEST_PAUSE)).await;
            let message = match frame.payload {
                Payload::Text { text } => Message::text(text),
                Payload::Binary { body } => match self.bodies.bytes(&body.sha256, LARGEST) {
                    Ok(bytes) => Message::binary(bytes),
                    Err(error) => {
                        tracing::warn!(%error, "a message of a WebSocket cannot be read from the trace");
                        return false;
                    }
                },
                // 1005 stands for a close without a code.
                Payload::Close { code: 1005, .. } => Message::Close(None),
                Payload::Close { code, reason } => Message::Close(Some(CloseFrame {
                    code: code.into(),
                    reason: reason.into(),
                })),
            };
            match self.faults.of_message(&self.url, said) {
                None => {}
                Some(How::Cut) => return false,
                Some(_) => {
                    said += 1;
                    continue;
                }
            }
            said += 1;
            if socket.send(message).await.is_err() {
                return false;
            }
        }
        true
    }
}

/// The 101 for a request that wants a WebSocket.
pub(crate) fn switching(headers: &HeaderMap) -> Option<Response<Body>> {
    let key = headers.get(SEC_WEBSOCKET_KEY)?;
    let mut response = Response::new(body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let answer = response.headers_mut();
    answer.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    answer.insert(UPGRADE, HeaderValue::from_static("websocket"));
    answer.insert(
        SEC_WEBSOCKET_ACCEPT,
        HeaderValue::try_from(derive_accept_key(key.as_bytes())).ok()?,
    );
    Some(response)
}
