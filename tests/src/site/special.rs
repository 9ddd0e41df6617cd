//! Answers that no folder can give, for pages that exercise what a network does.
//!
//! | path below `/~/` | answer |
//! |---|---|
//! | `count` | how often it was asked for, on this site |
//! | `errors` | takes what a prelude reports |
//! | `slow/MS/PATH` | the file PATH, after MS milliseconds |
//! | `echo` | the request as JSON: method, query, a few headers, body |
//! | `status/CODE` | a text with that status |
//! | `redirect?URL` | 302 to URL |
//! | `stream?N,MS` | N pieces of text, MS milliseconds apart |
//! | `sse?N,MS` | N server-sent events, and then silence |
//! | `noise/N` | N bytes that do not compress |
//! | `never` | headers, and a body that never ends |
//! | `broken` | promises more bytes than it sends |
//! | `with/NAME:VALUE/PATH` | the file PATH with one more header; both parts percent-encoded |
//! | `socket` | a WebSocket that says what it hears |

use super::files::{self, full, percent_decoded, plain};
use super::{Body, Content};
use anyhow::{Context, Result};
use bytes::Bytes;
use futures_util::{SinkExt, StreamExt, stream};
use http_body_util::{BodyExt, Limited, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::header::{self, CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;

const LARGEST_REQUEST: usize = 1 << 20;

pub(super) async fn answer(content: &Content, request: Request<Incoming>) -> Result<Response<Body>> {
    let path = request.uri().path().trim_start_matches("/~/").to_owned();
    let query = percent_decoded(request.uri().query().unwrap_or_default());
    let (name, rest) = path.split_once('/').unwrap_or((&path, ""));
    match name {
        "errors" => {
            let text = String::from_utf8_lossy(&body_of(request).await?).into_owned();
            content.errors.lock().expect("no panic while held").push(text);
            Ok(plain(200, ""))
        }
        "count" => Ok(plain(
            200,
            (content.counted.fetch_add(1, Ordering::Relaxed) + 1).to_string(),
        )),
        "slow" => {
            let (milliseconds, file) = rest.split_once('/').context("slow/MS/PATH")?;
            tokio::time::sleep(Duration::from_millis(milliseconds.parse()?)).await;
            files::answer(content, &get(file)?).await
        }
        "with" => {
            let (added, file) = rest.split_once('/').context("with/NAME:VALUE/PATH")?;
            let added = percent_decoded(added);
            let (name, value) = added.split_once(':').context("NAME:VALUE")?;
            let mut response = files::answer(content, &get(file)?).await?;
            let name = hyper::header::HeaderName::from_bytes(name.as_bytes())?;
            response.headers_mut().insert(name, value.trim().parse()?);
            Ok(response)
        }
        "echo" => echo(request, &query).await,
        "status" => Ok(plain(rest.parse()?, format!("status {rest}"))),
        "redirect" => Ok(Response::builder().status(302).header(LOCATION, query).body(full(""))?),
        "stream" => pieces("text/plain", &query, |n| format!("piece {n}\n"), false),
        "sse" => pieces(
            "text/event-stream",
            &query,
            |n| format!("id: {n}\ndata: event {n}\n\n"),
            true,
        ),
        "never" => pieces("text/plain", "1,0", |_| "begun\n".into(), true),
        "noise" => noise(rest.parse()?),
        "broken" => broken(),
        "socket" => socket(request),
        _ => Ok(plain(404, format!("no /~/{path} here"))),
    }
}

fn get(path: &str) -> Result<Request<()>> {
    Ok(Request::builder().uri(format!("/{path}")).body(())?)
}

async fn body_of(request: Request<Incoming>) -> Result<Bytes> {
    let collected = Limited::new(request.into_body(), LARGEST_REQUEST).collect().await;
    Ok(collected
        .map_err(|error| anyhow::anyhow!("reading a request's body: {error}"))?
        .to_bytes())
}

async fn echo(request: Request<Incoming>, query: &str) -> Result<Response<Body>> {
    let method = request.method().to_string();
    let kind = request
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    let cookie = request
        .headers()
        .get(header::COOKIE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    let body = String::from_utf8_lossy(&body_of(request).await?).into_owned();
    let told =
        serde_json::json!({"method": method, "query": query, "type": kind, "cookie": cookie, "body": body}).to_string();
    Ok(Response::builder()
        .header(CONTENT_TYPE, "application/json")
        .header("Access-Control-Allow-Origin", "*")
        .body(full(told))?)
}

/// `query` is the number of pieces and the milliseconds between two.
fn pieces(kind: &str, query: &str, text: fn(u32) -> String, stay_open: bool) -> Result<Response<Body>> {
    let (count, pause) = query.split_once(',').context("N,MS")?;
    let (count, pause): (u32, u64) = (count.parse()?, pause.parse()?);
    let sent = stream::iter(1..=count).then(move |n| async move {
        if n > 1 {
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
        Ok(Frame::data(Bytes::from(text(n))))
    });
    let rest = if stay_open {
        stream::pending().left_stream()
    } else {
        stream::empty().right_stream()
    };
    let body = BodyExt::boxed_unsync(StreamBody::new(sent.chain(rest)));
    Ok(Response::builder()
        .header(CONTENT_TYPE, kind)
        .header("Cache-Control", "no-store")
        .body(body)?)
}

fn noise(length: u64) -> Result<Response<Body>> {
    let mixed = (1..=length).map(|n| {
        let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (n ^ (n >> 31)) as u8
    });
    let kind = "application/octet-stream";
    Ok(Response::builder()
        .header(CONTENT_TYPE, kind)
        .body(full(mixed.collect::<Vec<u8>>()))?)
}

fn broken() -> Result<Response<Body>> {
    let begun = stream::once(async { Ok(Frame::data(Bytes::from_static(b"only the begin"))) });
    // Later, or head and begin would never leave.
    let broken = stream::once(async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        Err(std::io::Error::other("broken on purpose"))
    });
    Ok(Response::builder()
        .header(CONTENT_TYPE, "text/plain")
        .header(CONTENT_LENGTH, 1000)
        .body(BodyExt::boxed_unsync(StreamBody::new(begun.chain(broken))))?)
}

fn socket(mut request: Request<Incoming>) -> Result<Response<Body>> {
    let key = request
        .headers()
        .get(header::SEC_WEBSOCKET_KEY)
        .context("not a WebSocket request")?
        .clone();
    tokio::spawn(async move {
        let Ok(upgraded) = hyper::upgrade::on(&mut request).await else {
            return;
        };
        let mut socket = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, None).await;
        while let Some(Ok(message)) = socket.next().await {
            if (message.is_text() || message.is_binary()) && socket.send(message).await.is_err() {
                return;
            }
        }
    });
    Ok(Response::builder()
        .status(101)
        .header(header::CONNECTION, "Upgrade")
        .header(header::UPGRADE, "websocket")
        .header(header::SEC_WEBSOCKET_ACCEPT, derive_accept_key(key.as_bytes()))
        .body(full(""))?)
}
