//! Who is let in, and where to.

use super::errand;
use super::server::Shared;
use super::wire::{BROWSERS, REPLAY, configuration};
use crate::find::find_all;
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{
    AUTHORIZATION, CONNECTION, CONTENT_TYPE, HOST, HeaderMap, HeaderValue, ORIGIN, SEC_WEBSOCKET_ACCEPT,
    SEC_WEBSOCKET_KEY, UPGRADE, WWW_AUTHENTICATE,
};
use hyper::service::service_fn;
use hyper::upgrade::OnUpgrade;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::json;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;

/// For the head of a request, and between two of them.
const HEAD: Duration = Duration::from_secs(10);
const LARGEST_HEAD: usize = 16 * 1024;

/// One connection, and the replay that it may become.
pub(super) async fn serve<S>(shared: Arc<Shared>, stream: S)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut stopping = shared.stopping.subscribe();
    let (into_replay, replay) = oneshot::channel();
    let into_replay: Arc<Upgrading> = Arc::new(Mutex::new(Some(into_replay)));
    let within = shared.clone();
    let service = service_fn(move |request| {
        let (shared, into_replay) = (within.clone(), into_replay.clone());
        async move { Ok::<_, Infallible>(answer(&shared, request, &into_replay).await) }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::select! {
        ended = connection => if let Err(error) = ended {
            tracing::debug!(%error, "a client's connection broke");
        },
        _ = stopping.wait_for(|stopping| *stopping) => return,
    }
    let Ok(upgrade) = replay.await else { return };
    match upgrade.await {
        Ok(upgraded) => {
            let io = TokioIo::new(upgraded);
            let socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(configuration())).await;
            errand::run(shared, socket).await;
        }
        Err(error) => tracing::debug!(%error, "a client asked for a replay and went away"),
    }
}

/// Taken by the request that becomes a replay.
type Upgrading = Mutex<Option<oneshot::Sender<OnUpgrade>>>;

async fn answer(shared: &Arc<Shared>, request: Request<Incoming>, upgrading: &Upgrading) -> Response<Full<Bytes>> {
    if let Some(status) = turned_away(shared, request.headers()) {
        let mut response = plain(status, "");
        if status == StatusCode::UNAUTHORIZED {
            let challenge = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
        return response;
    }
    match (request.method(), request.uri().path()) {
        (&Method::GET, BROWSERS) => browsers(shared).await,
        (&Method::GET, REPLAY) => match (switching(request.headers()), taken(upgrading)) {
            (Some(response), Some(upgrading)) => {
                // The connection itself waits for it.
                let _ = upgrading.send(hyper::upgrade::on(request));
                response
            }
            _ => plain(StatusCode::UPGRADE_REQUIRED, "a WebSocket is expected here\n"),
        },
        _ => plain(StatusCode::NOT_FOUND, ""),
    }
}

fn taken(upgrading: &Upgrading) -> Option<oneshot::Sender<OnUpgrade>> {
    upgrading.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Whoever has no token learns nothing, not even which paths there are. And no page in a browser of this machine may
/// talk to a daemon that needs no token, neither from another origin nor under a name that leads here.
fn turned_away(shared: &Shared, headers: &HeaderMap) -> Option<StatusCode> {
    match &shared.config.token {
        Some(token) if !token.is_in(headers.get(AUTHORIZATION).map(HeaderValue::as_bytes)) => {
            Some(StatusCode::UNAUTHORIZED)
        }
        None if !is_for_loopback(headers) => Some(StatusCode::FORBIDDEN),
        _ => headers.contains_key(ORIGIN).then_some(StatusCode::FORBIDDEN),
    }
}

fn is_for_loopback(headers: &HeaderMap) -> bool {
    let host = headers
        .get(HOST)
        .and_then(|host| host.to_str().ok())
        .unwrap_or_default();
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

async fn browsers(shared: &Arc<Shared>) -> Response<Full<Bytes>> {
    let within = shared.clone();
    // Programs are asked for their versions.
    let found = tokio::task::spawn_blocking(move || find_all(&within.config.browsers)).await;
    let Ok(found) = found else {
        return plain(StatusCode::INTERNAL_SERVER_ERROR, "");
    };
    let installed = found
        .into_iter()
        .filter_map(Result::ok)
        .map(|browser| json!({"name": browser.name, "engine": browser.engine, "version": browser.version}));
    let body = json!({
        "xcheck": env!("CARGO_PKG_VERSION"),
        "at_once": shared.config.at_once,
        "browsers": installed.collect::<Vec<_>>(),
    });
    let mut response = Response::new(Full::new(Bytes::from(body.to_string())));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

fn switching(headers: &HeaderMap) -> Option<Response<Full<Bytes>>> {
    let key = headers.get(SEC_WEBSOCKET_KEY)?;
    let accept = HeaderValue::try_from(derive_accept_key(key.as_bytes())).ok()?;
    let mut response = plain(StatusCode::SWITCHING_PROTOCOLS, "");
    let headers = response.headers_mut();
    headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(SEC_WEBSOCKET_ACCEPT, accept);
    Some(response)
}

fn plain(status: StatusCode, text: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
    *response.status_mut() = status;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_leads_here_is_not_loopback() {
        let check = |host: &'static str, expected| {
            let headers = HeaderMap::from_iter([(HOST, HeaderValue::from_static(host))]);
            assert_eq!(is_for_loopback(&headers), expected, "{host}");
        };
        check("127.0.0.1:7000", true);
        check("[::1]:7000", true);
        check("localhost", true);
        check("evil.example:7000", false);
        check("127.0.0.1.evil.example", false);
        check("", false);
    }
}
