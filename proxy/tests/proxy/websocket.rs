//! WebSockets: plain, over TLS, and inside a plain tunnel as browsers open them.

use crate::support::*;
use futures_util::{SinkExt, StreamExt};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::{TlsAcceptor, TlsConnector};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::{accept_hdr_async, client_async};
use xcheck_trace::exchange::{End, Payload, Peer};

#[allow(clippy::result_large_err, reason = "tungstenite's type for refusing a handshake")]
async fn echo(socket: impl AsyncRead + AsyncWrite + Unpin) {
    use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
    let headers = |request: &Request, mut response: Response| {
        assert!(
            !request.headers().contains_key("sec-websocket-extensions"),
            "compression must not be offered"
        );
        response.headers_mut().insert("x-real", "1".parse().unwrap());
        Ok(response)
    };
    let mut socket = accept_hdr_async(socket, headers).await.unwrap();
    while let Some(Ok(message)) = socket.next().await {
        if message.is_text() || message.is_binary() {
            socket.send(message).await.unwrap();
        }
    }
}

async fn echo_origin() -> SocketAddr {
    origin(|socket| async move { echo(socket).await }).await
}

async fn talk(tcp: impl AsyncRead + AsyncWrite + Unpin, url: &str, host: &str) {
    let request = hyper::Request::builder()
        .uri(url)
        .header("host", host)
        .header("connection", "Upgrade")
        .header("upgrade", "websocket")
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", generate_key())
        .header("sec-websocket-extensions", "permessage-deflate")
        .body(())
        .unwrap();
    let (mut socket, response) = client_async(request, tcp).await.unwrap();
    assert_eq!(
        response.headers()["x-real"],
        "1",
        "the origin's own answer comes through"
    );
    socket.send(Message::text("grüße")).await.unwrap();
    assert_eq!(socket.next().await.unwrap().unwrap(), Message::text("grüße"));
    socket.send(Message::binary(vec![7; 100_000])).await.unwrap();
    assert_eq!(socket.next().await.unwrap().unwrap(), Message::binary(vec![7; 100_000]));
    socket
        .close(Some(CloseFrame {
            code: CloseCode::Normal,
            reason: "bye".into(),
        }))
        .await
        .unwrap();
    while let Some(Ok(_)) = socket.next().await {}
}

fn check(recorded: &Recorded, url: &str) {
    let exchange = recorded.exchange();
    assert_eq!(exchange.request.url, url);
    assert_eq!(exchange.end, End::Upgraded);
    assert_eq!(exchange.response.as_ref().unwrap().status, 101);
    let from = |peer| {
        let frames = recorded.frames.iter().filter(move |frame| frame.from == peer);
        frames.map(|frame| &frame.payload).collect::<Vec<_>>()
    };
    for peer in [Peer::Client, Peer::Server] {
        let payloads = from(peer);
        assert_eq!(payloads[0], &Payload::Text { text: "grüße".into() });
        assert!(matches!(payloads[1], Payload::Binary { body } if body.bytes == 100_000));
        assert!(matches!(payloads[2], Payload::Close { code: 1000, .. }), "{payloads:?}");
        assert_eq!(payloads.len(), 3);
    }
    assert!(recorded.frames.iter().all(|frame| frame.exchange == exchange.id));
}

async fn tunnel(proxy: SocketAddr, to: SocketAddr) -> TcpStream {
    let mut tcp = TcpStream::connect(proxy).await.unwrap();
    tcp.write_all(format!("CONNECT {to} HTTP/1.1\r\nhost: {to}\r\n\r\n").as_bytes())
        .await
        .unwrap();
    assert!(read_head(&mut tcp).await.starts_with("HTTP/1.1 200"));
    tcp
}

#[tokio::test]
async fn a_websocket_inside_a_plain_tunnel_is_relayed_and_kept() {
    let origin = echo_origin().await;
    let rig = Rig::start().await;
    let tcp = tunnel(rig.address(), origin).await;
    within(talk(tcp, &format!("ws://{origin}/chat"), &origin.to_string())).await;
    let mut counts = rig.proxy.counts();
    within(counts.wait_for(|counts| counts.requests == 1)).await.unwrap();
    check(&rig.stop().await, &format!("http://{origin}/chat"));
}

#[tokio::test]
async fn a_websocket_over_tls_is_relayed_and_kept() {
    let (_ca, own) = authority();
    let mut config = own.server_config("127.0.0.1").unwrap().as_ref().clone();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let origin = origin(move |socket| {
        let acceptor = acceptor.clone();
        async move {
            let tls = acceptor.accept(socket).await.unwrap();
            assert_ne!(
                tls.get_ref().1.alpn_protocol(),
                Some(&b"h2"[..]),
                "HTTP/2 cannot be upgraded"
            );
            echo(tls).await;
        }
    })
    .await;
    let rig = Rig::trusting().await;
    let mut roots = rustls::RootCertStore::empty();
    roots.add(rig.proxy.ca().certificate_der().clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let tcp = tunnel(rig.address(), origin).await;
    let name = origin.ip().to_string().try_into().unwrap();
    let tls = TlsConnector::from(Arc::new(config)).connect(name, tcp).await.unwrap();
    within(talk(tls, &format!("wss://{origin}/chat"), &origin.to_string())).await;
    let mut counts = rig.proxy.counts();
    within(counts.wait_for(|counts| counts.requests == 1)).await.unwrap();
    check(&rig.stop().await, &format!("https://{origin}/chat"));
}

#[tokio::test]
async fn a_refused_upgrade_is_an_ordinary_response() {
    let origin = answering("HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno").await;
    let rig = Rig::start().await;
    let url = format!("http://{origin}/");
    let curl = rig
        .curl(&["-i", "-H", "Connection: Upgrade", "-H", "Upgrade: websocket", &url])
        .await
        .ok();
    assert!(
        curl.text().starts_with("HTTP/1.1 403") && curl.text().ends_with("no"),
        "{}",
        curl.text()
    );
    assert_eq!(rig.stop().await.exchange().end, End::Complete);
}
