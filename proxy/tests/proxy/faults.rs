//! Faults on purpose, seen by a client: while an application is relayed, and while a trace is served.

use crate::support::*;
use futures_util::{SinkExt, StreamExt};
use std::net::SocketAddr;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::{accept_async, client_async};
use xcheck_proxy::{Address, At, Config, Fault, Faults, How, Live, Mode, Proxy, Serve, ServeRules, UpstreamProxy};
use xcheck_trace::Trace;

const ANSWER: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 12\r\nconnection: close\r\n\r\n{\"items\":12}";

struct Relay {
    proxy: Proxy,
    faults: Faults,
    _ca: TempDir,
}

impl Relay {
    async fn start(mode: Mode) -> Relay {
        let (ca, authority) = authority();
        let faults = Faults::default();
        let mut config = Config::new(authority, mode);
        config.upstream_proxy = UpstreamProxy::Direct;
        config.faults = faults.clone();
        Relay {
            proxy: Proxy::start(config).await.unwrap(),
            faults,
            _ca: ca,
        }
    }

    async fn curl(&self, arguments: &[&str]) -> Curl {
        curl_through(self.proxy.address(), self.proxy.ca().certificate_path(), arguments).await
    }

    fn set(&self, url: &str, nth: Option<u32>, how: How) {
        let address = Address::Exactly(url.to_owned());
        let method = "GET".to_owned();
        let at = At::Request { method, address, nth };
        self.faults.set([Fault { at, how }]);
    }
}

/// The same faults of the same URL, whoever answers.
async fn faults_of(relay: &Relay, url: &str) {
    let get = |more: &'static [&'static str]| async move {
        let mut arguments = vec!["-i", "-H", "Origin: http://shop.test"];
        arguments.extend(more);
        arguments.push(url);
        relay.curl(&arguments).await
    };
    relay.set(url, Some(1), How::Status(503));
    let first = get(&[]).await.ok().text();
    assert!(first.ends_with("{\"items\":12}"), "{first}");
    let second = get(&[]).await.ok().text();
    assert!(second.starts_with("HTTP/1.1 503"), "{second}");
    assert!(
        second.contains("access-control-allow-origin: http://shop.test"),
        "{second}"
    );
    assert_eq!(relay.faults.met(), 1);
    let third = get(&[]).await.ok().text();
    assert!(third.ends_with("{\"items\":12}"), "{third}");

    relay.set(url, None, How::Garbled);
    let garbled = get(&[]).await.ok().text();
    assert!(
        garbled.starts_with("HTTP/1.1 200") && garbled.contains("application/json"),
        "{garbled}"
    );
    assert!(garbled.contains("garbled") && !garbled.contains("items"), "{garbled}");

    relay.set(url, None, How::Cut);
    let cut = get(&[]).await;
    // 18: fewer bytes came than were announced.
    assert_eq!(cut.status, 18, "{}", cut.err);
    assert!(cut.text().ends_with("\r\n\r\n{\"item"), "{}", cut.text());

    relay.set(url, None, How::Refused);
    // 52: nothing came at all.
    assert_eq!(get(&[]).await.status, 52);

    relay.set(url, None, How::Late { millis: 300 });
    let started = std::time::Instant::now();
    let late = get(&[]).await.ok().text();
    assert!(
        late.ends_with("{\"items\":12}") && started.elapsed().as_millis() >= 300,
        "{late}"
    );

    relay.set(url, None, How::Silence);
    // 28: the client's own patience is over.
    assert_eq!(get(&["--max-time", "1"]).await.status, 28);
    let host = url.split('/').nth(2).unwrap().to_owned();
    relay.faults.set([Fault {
        at: At::Host(host),
        how: How::Refused,
    }]);
    assert_eq!(get(&[]).await.status, 52);
    assert_eq!(relay.faults.asked()[&("GET".to_owned(), url.to_owned())], 1);
}

#[tokio::test]
async fn an_application_that_is_relayed_fails_as_it_was_told_to() {
    let address = answering(ANSWER).await;
    let relay = Relay::start(Mode::Pass).await;
    faults_of(&relay, &format!("http://{address}/api/cart")).await;
    within(relay.proxy.stop()).await;
}

#[tokio::test]
async fn a_trace_that_is_served_fails_as_it_was_told_to() {
    let address = answering(ANSWER).await;
    let url = format!("http://{address}/api/cart");
    let rig = Rig::start().await;
    rig.curl(&[&url]).await.ok();
    let recorded = rig.stop().await;
    let (trace, _) = Trace::open(&recorded.summary.folder).unwrap();
    let (serve, _serving) = Serve::new(Arc::new(trace), ServeRules::default());
    let relay = Relay::start(Mode::Serve(serve)).await;
    faults_of(&relay, &url).await;
}

async fn counting() -> SocketAddr {
    origin(|socket| async move {
        let mut socket = accept_async(socket).await.unwrap();
        for number in 0..3 {
            // A client that was cut off may be gone.
            let _ = socket.send(Message::text(format!("message {number}"))).await;
        }
        let _ = socket.close(None).await;
        while let Some(Ok(_)) = socket.next().await {}
    })
    .await
}

/// The messages that come, and whether the server's close came behind them.
async fn listen(relay: &Relay, url: &str) -> (Vec<String>, bool) {
    listen_through(relay.proxy.address(), url).await
}

async fn listen_through(proxy: SocketAddr, url: &str) -> (Vec<String>, bool) {
    let host = url.split('/').nth(2).unwrap();
    let request = hyper::Request::builder()
        .uri(url)
        .header("host", host)
        .header("connection", "Upgrade")
        .header("upgrade", "websocket")
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", generate_key())
        .body(())
        .unwrap();
    let mut tcp = TcpStream::connect(proxy).await.unwrap();
    let tunnel = format!("CONNECT {host} HTTP/1.1\r\nhost: {host}\r\n\r\n");
    tcp.write_all(tunnel.as_bytes()).await.unwrap();
    assert!(read_head(&mut tcp).await.starts_with("HTTP/1.1 200"));
    let (mut socket, _) = client_async(request, tcp).await.unwrap();
    let (mut came, mut closed) = (Vec::new(), false);
    while let Some(Ok(message)) = within(socket.next()).await {
        match message {
            Message::Text(text) => came.push(text.to_string()),
            Message::Close(_) => closed = true,
            _ => {}
        }
    }
    (came, closed)
}

#[tokio::test]
async fn one_message_of_a_websocket_is_lost_or_the_connection_ends_before_it() {
    let address = counting().await;
    let relay = Relay::start(Mode::Pass).await;
    let url = format!("ws://{address}/feed");
    let lose = |how| {
        let address = Address::Exactly(url.replace("ws:", "http:"));
        relay.faults.set([Fault {
            at: At::Message { address, nth: 1 },
            how,
        }]);
    };
    lose(How::Silence);
    let expected = ["message 0", "message 2"].map(str::to_owned).to_vec();
    assert_eq!(listen(&relay, &url).await, (expected, true));
    assert_eq!(relay.faults.met(), 1);
    assert_eq!(listen(&relay, &url).await.0.len(), 3, "only once");
    lose(How::Cut);
    assert_eq!(listen(&relay, &url).await, (vec!["message 0".to_owned()], false));
}

#[tokio::test]
async fn a_socket_of_a_trace_says_to_a_live_page_what_it_said_but_for_what_is_lost() {
    let address = counting().await;
    let url = format!("ws://{address}/feed");
    let rig = Rig::start().await;
    let came = listen_through(rig.address(), &url).await;
    assert_eq!(came.0.len(), 3);
    let recorded = rig.stop().await;
    let (trace, _) = Trace::open(&recorded.summary.folder).unwrap();
    let (serve, _serving) = Serve::new(Arc::new(trace), ServeRules::default());
    let (_ca, authority) = authority();
    let faults = Faults::default();
    let mut config = Config::new(authority, Mode::Serve(serve));
    let (live, _pages) = Live::new();
    (config.live, config.faults) = (Some(live), faults.clone());
    let proxy = Proxy::start(config).await.unwrap();
    faults.set([Fault {
        at: At::Message {
            address: Address::Exactly(url.replace("ws:", "http:")),
            nth: 1,
        },
        how: How::Cut,
    }]);
    assert_eq!(listen_through(proxy.address(), &url).await.0, ["message 0"]);
    assert_eq!(faults.met(), 1);
}
