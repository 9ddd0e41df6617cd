//! Origins and clients that misbehave: each gets a clear answer, and the others go on.

use crate::support::*;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use xcheck_proxy::{Config, Mode, Proxy, StartError, UpstreamProxy};
use xcheck_trace::exchange::End;

/// Asks for `url`, expects a page with `status` that says `says`, and that the next request is served as ever.
async fn check(rig: Rig, url: &str, status: u16, says: &str) -> Recorded {
    let curl = rig.curl(&["-w", "\n%{http_code}", url]).await.ok();
    assert!(curl.text().contains(says), "{says} is not in {}", curl.text());
    assert!(curl.text().ends_with(&status.to_string()), "{}", curl.text());
    assert!(curl.text().starts_with("<!doctype html>"), "{}", curl.text());
    let well = answering("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nwell").await;
    assert_eq!(rig.curl(&[&format!("http://{well}/")]).await.ok().text(), "well");
    rig.stop().await
}

async fn check_failed(url: &str, status: u16, says: &str) {
    let recorded = check(Rig::start().await, url, status, says).await;
    let End::Failed { reason } = &recorded.exchanges[0].end else {
        panic!("{:?}", recorded.exchanges[0].end)
    };
    assert!(reason.contains(says), "{reason}");
    assert!(
        recorded.notices.iter().any(|notice| notice.text.contains(says)),
        "{:?}",
        recorded.notices
    );
}

fn closed_port() -> SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
}

#[tokio::test]
async fn a_server_that_does_not_listen() {
    check_failed(&format!("http://{}/", closed_port()), 502, "refused the connection").await;
}

#[tokio::test]
async fn a_server_that_does_not_listen_over_tls() {
    check_failed(&format!("https://{}/", closed_port()), 502, "refused the connection").await;
}

#[tokio::test]
async fn a_host_that_does_not_exist() {
    check_failed("http://no-such-host.invalid/", 502, "no host of this name").await;
}

#[tokio::test]
async fn a_server_that_speaks_plain_where_tls_was_asked_for() {
    let address = origin(|mut socket| async move {
        socket.read_u8().await.unwrap();
        socket.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
    })
    .await;
    check_failed(&format!("https://{address}/"), 502, "No secure connection").await;
}

#[tokio::test]
async fn a_server_that_does_not_speak_http() {
    let address = answering("SSH-2.0-OpenSSH_9.2\r\n").await;
    check_failed(&format!("http://{address}/"), 502, "not HTTP").await;
}

#[tokio::test]
async fn a_server_that_hangs_up() {
    let address = answering("").await;
    check_failed(&format!("http://{address}/"), 502, "broke off").await;
}

#[tokio::test]
async fn a_header_of_a_mebibyte_from_the_server() {
    let head = format!(
        "HTTP/1.1 200 OK\r\nx: {}\r\ncontent-length: 0\r\n\r\n",
        "y".repeat(1024 * 1024)
    );
    check_failed(&format!("http://{}/", answering(head).await), 502, "too large a head").await;
}

#[tokio::test]
async fn ten_thousand_headers_from_the_server_pass() {
    let lines: String = (0..10_000).map(|i| format!("x-{i}: {i}\r\n")).collect();
    let head = format!("HTTP/1.1 200 OK\r\n{lines}content-length: 2\r\n\r\nok");
    let url = format!("http://{}/", answering(head).await);
    let rig = Rig::start().await;
    assert_eq!(rig.curl(&[&url]).await.ok().text(), "ok");
    let recorded = rig.stop().await;
    assert_eq!(recorded.exchange().response.as_ref().unwrap().headers.len(), 10_001);
}

#[tokio::test]
async fn more_headers_from_the_server_than_can_be_taken() {
    let lines: String = (0..25_000).map(|i| format!("x-{i}: {i}\r\n")).collect();
    let head = format!("HTTP/1.1 200 OK\r\n{lines}content-length: 0\r\n\r\n");
    check_failed(&format!("http://{}/", answering(head).await), 502, "too large a head").await;
}

#[tokio::test]
async fn hundreds_of_long_headers_pass() {
    let lines: String = (0..250).map(|i| format!("x-{i}: {}\r\n", "v".repeat(1000))).collect();
    let head = format!("HTTP/1.1 200 OK\r\n{lines}content-length: 2\r\n\r\nok");
    let address = answering(head).await;
    let rig = Rig::start().await;
    assert_eq!(rig.curl(&[&format!("http://{address}/")]).await.ok().text(), "ok");
    assert_eq!(
        rig.stop().await.exchange().response.as_ref().unwrap().headers.len(),
        251
    );
}

#[tokio::test]
async fn heads_of_clients_that_are_too_large_are_refused_and_others_go_on() {
    let rig = Rig::start().await;
    let long = "y".repeat(1024 * 1024);
    let long_path = format!("/{}", &long[..100_000]);
    let many: String = (0..10_000).map(|i| format!("x-{i}: {i}\r\n")).collect();
    for (path, head, status, says) in [
        ("/", format!("x: {long}\r\n"), 431, "too large a head"),
        ("/", many, 431, "up to 100 headers"),
        (long_path.as_str(), String::new(), 414, "address is too long"),
        ("/", "no header\r\n".to_owned(), 400, "is not HTTP"),
    ] {
        let mut client = TcpStream::connect(rig.address()).await.unwrap();
        let (mut read, mut write) = client.split();
        let request = format!("GET http://a.test{path} HTTP/1.1\r\nhost: a.test\r\n{head}\r\n");
        let mut answer = Vec::new();
        let (sent, received) = tokio::join!(write.write_all(request.as_bytes()), read.read_to_end(&mut answer));
        sent.unwrap();
        received.unwrap();
        let answer = String::from_utf8(answer).unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
        assert!(answer.contains(says) && answer.ends_with("</html>\n"), "{answer}");
    }
    let well = answering("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nwell").await;
    assert_eq!(rig.curl(&[&format!("http://{well}/")]).await.ok().text(), "well");
    assert_eq!(rig.stop().await.exchanges.len(), 1);
}

/// What a client sees of a body that was not what its head promised, and what the trace keeps.
async fn check_broken(answer: &'static [u8], curl_status: i32, kept: &[u8]) {
    let address = answering(answer).await;
    let rig = Rig::start().await;
    let curl = rig.curl(&[&format!("http://{address}/")]).await;
    assert_eq!((curl.status, &curl.out[..]), (curl_status, kept), "{}", curl.err);
    let recorded = rig.stop().await;
    assert!(
        matches!(recorded.exchange().end, End::Failed { .. }),
        "{:?}",
        recorded.exchange().end
    );
    assert_eq!(recorded.response_body(recorded.exchange()), kept);
    assert!(
        recorded
            .exchange()
            .response
            .as_ref()
            .unwrap()
            .body
            .as_ref()
            .unwrap()
            .partial
    );
}

#[tokio::test]
async fn a_body_shorter_than_its_length() {
    check_broken(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort", 18, b"short").await;
}

#[tokio::test]
async fn a_chunked_body_that_ends_in_the_middle() {
    check_broken(
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nshort\r\n20\r\nx",
        18,
        b"shortx",
    )
    .await;
}

#[tokio::test]
async fn a_chunk_that_is_none() {
    check_broken(
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nshort\r\nNO\r\n",
        18,
        b"short",
    )
    .await;
}

#[tokio::test]
async fn a_body_longer_than_its_length_is_cut() {
    let address = answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok and more").await;
    let rig = Rig::start().await;
    assert_eq!(rig.curl(&[&format!("http://{address}/")]).await.ok().text(), "ok");
    let recorded = rig.stop().await;
    assert_eq!(recorded.response_body(recorded.exchange()), b"ok");
}

#[tokio::test]
async fn a_reset_in_the_middle_of_a_body() {
    let address = origin(|mut socket| async move {
        read_head(&mut socket).await;
        socket
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")
            .await
            .unwrap();
        socket.set_zero_linger().unwrap();
    })
    .await;
    let rig = Rig::start().await;
    let curl = rig.curl(&[&format!("http://{address}/")]).await;
    assert!(matches!(curl.status, 18 | 52 | 56), "{curl:?}");
    assert!(matches!(rig.stop().await.exchange().end, End::Failed { .. }));
}

#[tokio::test]
async fn a_gzip_document_that_is_cut_off_shows_what_came_of_it() {
    let html = format!(
        "<!doctype html><html><head></head><body>{}</body></html>",
        (0..5000).map(|i| format!("{} ", i * i)).collect::<String>()
    );
    let whole = gzip(html.as_bytes());
    let cut = &whole[..whole.len() / 2];
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-encoding: gzip\r\ncontent-length: {}\r\n\r\n",
        cut.len()
    );
    let address = answering([head.as_bytes(), cut].concat()).await;
    let rig = Rig::start().await;
    let curl = rig.curl(&["--compressed", &format!("http://{address}/")]).await;
    // Browsers show what can be decoded, and so must we.
    let text = curl.ok().text();
    assert!(text.contains("/__xcheck/") && text.contains("<body>0 1 4 9"), "{text}");
    let recorded = rig.stop().await;
    assert_eq!(recorded.response_body(recorded.exchange()), cut);
    assert!(
        recorded.notices[0].text.contains("incomplete"),
        "{:?}",
        recorded.notices
    );
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::{Read, Write};
    let mut child = std::process::Command::new("gzip")
        .arg("-c")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("gzip is installed");
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let mut out = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut out).unwrap();
    child.wait().unwrap();
    out
}

#[tokio::test]
async fn addresses_that_are_none() {
    let rig = Rig::start().await;
    for (line, says) in [
        ("GET / HTTP/1.1", "not a web site"),
        ("GET ftp://a.test/ HTTP/1.1", "http and https"),
        ("GET http://a.test:99999/ HTTP/1.1", "99999"),
        ("GET http://[::bad/ HTTP/1.1", "400"),
        ("GET http:// HTTP/1.1", "400"),
        ("GET ht!tp://a HTTP/1.1", "400"),
        ("CONNECT a.test HTTP/1.1", "host:port"),
        ("CONNECT a.test:0 HTTP/1.1", "host:port"),
        ("CONNECT a.test:123456 HTTP/1.1", "123456"),
        ("\0\0\0", "400"),
    ] {
        let mut client = TcpStream::connect(rig.address()).await.unwrap();
        client
            .write_all(format!("{line}\r\nhost: a.test\r\nconnection: close\r\n\r\n").as_bytes())
            .await
            .unwrap();
        let mut answer = String::new();
        within(client.read_to_string(&mut answer)).await.unwrap();
        assert!(
            answer.starts_with("HTTP/1.1 400") && answer.contains(says),
            "{line}: {answer}"
        );
    }
    assert_eq!(rig.stop().await.exchanges.len(), 0);
}

#[tokio::test]
async fn a_request_to_the_proxy_itself_ends_there() {
    let rig = Rig::start().await;
    let own = rig.address();
    for url in [
        format!("http://{own}/"),
        format!("http://localhost:{}/", own.port()),
        format!("http://127.1.2.3.invalid:{}/", own.port()),
    ] {
        let curl = rig.curl(&["-w", "\n%{http_code}", &url]).await.ok();
        assert!(
            curl.text().ends_with("508") || curl.text().ends_with("502"),
            "{url}: {}",
            curl.text()
        );
    }
    let curl = rig
        .curl(&["--proxytunnel", "-w", "\n%{http_code}", &format!("http://{own}/")])
        .await
        .ok();
    assert!(curl.text().ends_with("508"), "{}", curl.text());
    rig.stop().await;
}

#[tokio::test]
async fn a_loop_through_the_upstream_proxy_is_noticed() {
    let first = Rig::start().await;
    let url = format!("http://{}", first.address());
    let second = Rig::with(|config| {
        config.upstream_proxy = UpstreamProxy::Fixed {
            url,
            no_proxy: String::new(),
        }
    })
    .await;
    // The first goes on to the second by asking for it as if it were a site; the second comes back by its upstream proxy.
    let curl = first
        .curl(&["-w", "\n%{http_code}", &format!("http://{}/", second.address())])
        .await
        .ok();
    assert!(curl.text().ends_with("400"), "{}", curl.text());
    let own = second.address();
    let again = Rig::with(|config| {
        config.upstream_proxy = UpstreamProxy::Fixed {
            url: format!("http://{own}"),
            no_proxy: String::new(),
        };
    })
    .await;
    let well = answering("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nwell").await;
    let curl = again.curl(&[&format!("http://{well}/")]).await.ok();
    assert_eq!(curl.text(), "well", "a chain without a loop works");
    for rig in [first, second, again] {
        rig.stop().await;
    }
}

#[tokio::test]
async fn https_goes_through_the_upstream_proxy_by_a_tunnel() {
    let upstream = Rig::start().await;
    let url = format!("http://user:secret@{}", upstream.address());
    let rig = Rig::with(|config| {
        config.upstream_proxy = UpstreamProxy::Fixed {
            url,
            no_proxy: "127.0.0.2".into(),
        }
    })
    .await;
    let curl = rig
        .curl(&["-w", "\n%{http_code}", &format!("https://{}/", closed_port())])
        .await
        .ok();
    assert!(
        curl.text().contains("certificate is not trusted"),
        "the upstream proxy stands in for the origin: {}",
        curl.text()
    );
    assert!(!curl.text().contains("secret"));
    let around = rig
        .curl(&[
            "-w",
            "\n%{http_code}",
            &format!("http://127.0.0.2:{}/", closed_port().port()),
        ])
        .await
        .ok();
    assert!(around.text().contains("refused the connection"), "{}", around.text());
    let recorded = upstream.stop().await;
    assert!(recorded.exchanges.is_empty(), "{:?}", recorded.exchanges);
    rig.stop().await;
}

#[tokio::test]
async fn what_browsers_ask_for_by_themselves_is_answered_here_and_not_kept() {
    let rig = Rig::start().await;
    let curl = rig.curl(&["http://detectportal.firefox.com/success.txt"]).await.ok();
    assert_eq!(curl.text(), "success\n");
    let curl = rig
        .curl(&["-w", "%{http_code}", "https://safebrowsing.googleapis.com/v4/x"])
        .await
        .ok();
    assert_eq!(curl.text(), "404");
    let recorded = rig.stop().await;
    assert!(recorded.exchanges.is_empty() && recorded.notices.is_empty());
}

#[tokio::test]
async fn a_port_that_is_taken_is_said() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let (_folder, authority) = authority();
    let mut config = Config::new(authority, Mode::Pass);
    config.listen = taken.local_addr().unwrap();
    let error = Proxy::start(config).await.map(drop).unwrap_err();
    assert!(matches!(error, StartError::PortTaken(_)), "{error}");
    assert!(error.to_string().contains("choose another port"));
}
