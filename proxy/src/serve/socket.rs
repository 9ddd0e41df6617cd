//! A WebSocket that is in the trace: accepted as the origin did, with nobody behind it.
//!
//! What the origin said is delivered to the page by the replayer, in the order of the log; what the page says is compared
//! there. So here is only a connection that stays open.

use super::Serve;
use crate::body::{self, Body};
use crate::session::Session;
use futures_util::StreamExt;
use hyper::header::{
    CONNECTION, HeaderMap, HeaderValue, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_PROTOCOL, UPGRADE,
};
use hyper::upgrade::OnUpgrade;
use hyper::{Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;
use xcheck_trace::exchange::ExchangeId;

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
    session.tasks.spawn_endless(async move {
        let Ok(upgraded) = upgrade.await else { return };
        let mut socket = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, None).await;
        // Reading answers pings and a close.
        while let Some(Ok(_)) = socket.next().await {}
    });
    Some(response)
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
