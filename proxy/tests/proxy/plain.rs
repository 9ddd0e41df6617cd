//! Plain HTTP, straight and inside tunnels, with curl.

use crate::support::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use xcheck_trace::exchange::End;
use xcheck_trace::notice::NoticeKind;

#[tokio::test]
async fn a_request_passes_and_is_kept_as_it_was() {
    let address =
        answering("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nX-Odd: caf\u{e9}\r\ncontent-length: 5\r\n\r\nhello")
            .await;
    let rig = Rig::start().await;
    let curl = rig
        .curl(&["-H", "X-Mine: 1", &format!("http://{address}/path?query")])
        .await
        .ok();
    assert_eq!(curl.text(), "hello");
    let recorded = rig.stop().await;
    let exchange = recorded.exchange();
    assert_eq!(exchange.id, 1);
    assert_eq!(exchange.request.method, "GET");
    assert_eq!(exchange.request.url, format!("http://{address}/path?query"));
    assert_eq!(header(&exchange.request.headers, "x-mine"), Some("1"));
    let response = exchange.response.as_ref().unwrap();
    assert_eq!((response.status, response.version.as_str()), (200, "HTTP/1.1"));
    assert_eq!(header(&response.headers, "x-odd"), Some("café"));
    assert_eq!(recorded.response_body(exchange), b"hello");
    assert_eq!(exchange.end, End::Complete);
    assert!(exchange.head_ms.is_some() && exchange.end_ms >= exchange.head_ms);
    assert_eq!(recorded.summary.written.exchanges, 1);
}

#[tokio::test]
async fn a_document_gets_the_script_and_the_trace_keeps_the_origins_bytes() {
    let html = "<!doctype html><html><head><title>x</title></head><body>y</body></html>";
    let address = answering(page(html)).await;
    let rig = Rig::start().await;
    let curl = rig.curl(&[&format!("http://{address}/")]).await.ok();
    assert!(curl.text().contains("<script src=\"/__xcheck/"), "{}", curl.text());
    assert_eq!(curl.text().matches("__xcheck").count(), 1);
    let recorded = rig.stop().await;
    assert!(recorded.exchange().injected);
    assert_eq!(recorded.response_body(recorded.exchange()), html.as_bytes());
}

#[tokio::test]
async fn names_below_localhost_lead_to_this_machine() {
    let address = answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi").await;
    let rig = Rig::start().await;
    let url = format!("http://my.app.localhost:{}/", address.port());
    assert_eq!(rig.curl(&[&url]).await.ok().text(), "hi");
    assert_eq!(rig.stop().await.exchange().request.url, url);
}

#[tokio::test]
async fn http_1_0_clients_are_served() {
    let address = answering("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n").await;
    let rig = Rig::start().await;
    let curl = rig.curl(&["--http1.0", "-i", &format!("http://{address}/")]).await.ok();
    assert!(
        curl.text().starts_with("HTTP/1.0 200") && curl.text().ends_with("hello"),
        "{}",
        curl.text()
    );
    assert!(!curl.text().contains("chunked"));
    assert_eq!(rig.stop().await.exchange().request.version, "HTTP/1.0");
}

#[tokio::test]
async fn plain_http_inside_a_tunnel_is_served_and_kept() {
    let address = answering("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi").await;
    let rig = Rig::start().await;
    let curl = rig
        .curl(&["--proxytunnel", &format!("http://{address}/inside")])
        .await
        .ok();
    assert_eq!(curl.text(), "hi");
    assert_eq!(
        rig.stop().await.exchange().request.url,
        format!("http://{address}/inside")
    );
}

#[tokio::test]
async fn something_else_inside_a_tunnel_passes_and_is_told_of() {
    let address = origin(|mut socket| async move {
        let mut line = [0; 8];
        socket.read_exact(&mut line).await.unwrap();
        socket.write_all(b"and hello back").await.unwrap();
    })
    .await;
    let rig = Rig::start().await;
    let mut client = TcpStream::connect(rig.address()).await.unwrap();
    client
        .write_all(format!("CONNECT {address} HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes())
        .await
        .unwrap();
    assert!(read_head(&mut client).await.starts_with("HTTP/1.1 200"));
    client.write_all(b"\x00strange").await.unwrap();
    let mut answer = String::new();
    within(client.read_to_string(&mut answer)).await.unwrap();
    assert_eq!(answer, "and hello back");
    let recorded = rig.stop().await;
    assert!(
        recorded.notices[0].text.contains("neither TLS nor HTTP"),
        "{:?}",
        recorded.notices
    );
}

#[tokio::test]
async fn a_server_that_speaks_first_is_heard() {
    let address = origin(|mut socket| async move {
        socket.write_all(b"220 mail.test ready\r\n").await.unwrap();
    })
    .await;
    let rig = Rig::start().await;
    let mut client = TcpStream::connect(rig.address()).await.unwrap();
    client
        .write_all(format!("CONNECT {address} HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes())
        .await
        .unwrap();
    assert!(read_head(&mut client).await.starts_with("HTTP/1.1 200"));
    let mut answer = String::new();
    within(client.read_to_string(&mut answer)).await.unwrap();
    assert_eq!(answer, "220 mail.test ready\r\n");
    assert_eq!(rig.stop().await.notices.len(), 1);
}

#[tokio::test]
async fn heads_have_no_body_and_keep_their_length() {
    let address = answering("HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 1234\r\n\r\n").await;
    let rig = Rig::start().await;
    let curl = rig.curl(&["--head", &format!("http://{address}/")]).await.ok();
    assert!(curl.text().contains("content-length: 1234"), "{}", curl.text());
    let recorded = rig.stop().await;
    assert_eq!(recorded.exchange().end, End::Complete);
    assert_eq!(recorded.exchange().response.as_ref().unwrap().body, None);
}

#[tokio::test]
async fn trailers_pass_and_are_kept() {
    let address = answering(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: x-sum\r\n\r\n2\r\nok\r\n0\r\nx-sum: 42\r\n\r\n",
    )
    .await;
    let rig = Rig::start().await;
    let mut client = TcpStream::connect(rig.address()).await.unwrap();
    let request =
        format!("GET http://{address}/ HTTP/1.1\r\nhost: {address}\r\nte: trailers\r\nconnection: te, close\r\n\r\n");
    client.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    within(client.read_to_string(&mut answer)).await.unwrap();
    assert!(answer.ends_with("0\r\nx-sum: 42\r\n\r\n"), "{answer}");
    let recorded = rig.stop().await;
    let trailers = &recorded.exchange().response.as_ref().unwrap().trailers;
    assert_eq!(trailers, &[("x-sum".to_owned(), "42".to_owned())]);
}

#[tokio::test]
async fn an_upload_waits_until_the_origin_wants_it() {
    let address = origin(|mut socket| async move {
        let head = read_head(&mut socket).await;
        assert!(head.to_lowercase().contains("expect: 100-continue"), "{head}");
        assert!(head.ends_with("\r\n\r\n"), "the body came before it was asked for");
        socket.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await.unwrap();
        let mut body = vec![0; 100_000];
        socket.read_exact(&mut body).await.unwrap();
        socket
            .write_all(b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n")
            .await
            .unwrap();
    })
    .await;
    let rig = Rig::start().await;
    let body = rig.folder.path().join("upload");
    std::fs::write(&body, vec![b'x'; 100_000]).unwrap();
    let data = format!("@{}", body.display());
    let url = format!("http://{address}/");
    let curl = rig
        .curl(&["-i", "-H", "Expect: 100-continue", "--data-binary", &data, &url])
        .await
        .ok();
    assert!(
        curl.text().starts_with("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201"),
        "{}",
        curl.text()
    );
    let recorded = rig.stop().await;
    let request = &recorded.exchange().request;
    assert_eq!(recorded.body(&request.body).len(), 100_000);
    assert!(!request.body.as_ref().unwrap().partial);
}

#[tokio::test]
async fn an_upload_that_is_refused_by_its_head_is_never_sent() {
    let address = origin(|mut socket| async move {
        read_head(&mut socket).await;
        socket
            .write_all(b"HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
            .await
            .unwrap();
        let mut rest = Vec::new();
        socket.read_to_end(&mut rest).await.unwrap();
        assert!(rest.is_empty(), "{} bytes came uninvited", rest.len());
    })
    .await;
    let rig = Rig::start().await;
    let url = format!("http://{address}/");
    let data = "x".repeat(5_000);
    let curl = rig
        .curl(&["-i", "-H", "Expect: 100-continue", "--data-binary", &data, &url])
        .await;
    assert!(curl.text().contains("413"), "{curl:?}");
    assert!(!curl.text().contains("100 Continue"), "{}", curl.text());
    assert_eq!(rig.stop().await.exchange().response.as_ref().unwrap().status, 413);
}

#[tokio::test]
async fn endless_bodies_stream_and_are_open_at_the_end() {
    let address = origin(|mut socket| async move {
        read_head(&mut socket).await;
        socket
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: 1\n\n")
            .await
            .unwrap();
        std::future::pending::<()>().await;
    })
    .await;
    let rig = Rig::start().await;
    let mut client = TcpStream::connect(rig.address()).await.unwrap();
    client
        .write_all(format!("GET http://{address}/ HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes())
        .await
        .unwrap();
    let mut seen = Vec::new();
    while !seen.windows(9).any(|window| window == b"data: 1\n\n") {
        within(client.read_buf(&mut seen)).await.unwrap();
    }
    let recorded = rig.stop().await;
    let exchange = recorded.exchange();
    assert_eq!(exchange.end, End::Open);
    assert_eq!(recorded.response_body(exchange), b"data: 1\n\n");
    assert!(exchange.response.as_ref().unwrap().body.as_ref().unwrap().partial);
}

#[tokio::test]
async fn a_client_that_goes_away_has_aborted() {
    let address = origin(|mut socket| async move {
        read_head(&mut socket).await;
        socket
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nbegin")
            .await
            .unwrap();
        // Ends when the proxy gives up on us.
        let _ = socket.read(&mut [0; 1]).await;
    })
    .await;
    let rig = Rig::start().await;
    let mut client = TcpStream::connect(rig.address()).await.unwrap();
    client
        .write_all(format!("GET http://{address}/ HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes())
        .await
        .unwrap();
    let mut seen = Vec::new();
    while !seen.ends_with(b"begin") {
        within(client.read_buf(&mut seen)).await.unwrap();
    }
    drop(client);
    let mut counts = rig.proxy.counts();
    within(counts.wait_for(|counts| counts.requests == 1)).await.unwrap();
    assert_eq!(rig.stop().await.exchange().end, End::Aborted);
}

#[tokio::test]
async fn first_bytes_of_a_document_leave_before_its_last_arrive() {
    let (go_on, wait) = tokio::sync::oneshot::channel::<()>();
    let wait = std::sync::Arc::new(tokio::sync::Mutex::new(Some(wait)));
    let address = origin(move |mut socket| {
        let wait = wait.clone();
        async move {
            read_head(&mut socket).await;
            let first = "HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\n\r\n<!doctype html><html><head><title>t</title></head><body><p>first</p>";
            socket.write_all(first.as_bytes()).await.unwrap();
            wait.lock().await.take().unwrap().await.unwrap();
            socket.write_all(b"<p>last</p>").await.unwrap();
        }
    })
    .await;
    let rig = Rig::start().await;
    let mut client = TcpStream::connect(rig.address()).await.unwrap();
    let request = format!("GET http://{address}/ HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    client.write_all(request.as_bytes()).await.unwrap();
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("first</p>") {
        within(client.read_buf(&mut seen)).await.unwrap();
    }
    assert!(String::from_utf8_lossy(&seen).contains("__xcheck"));
    go_on.send(()).unwrap();
    within(client.read_to_end(&mut seen)).await.unwrap();
    assert!(String::from_utf8_lossy(&seen).contains("last</p>"));
}

#[tokio::test]
async fn a_trace_that_cannot_be_written_is_told_of_and_the_page_goes_on() {
    let address = answering(format!(
        "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n{}",
        "x".repeat(100_000)
    ))
    .await;
    let rig = Rig::start().await;
    let bodies = rig.trace_folder().join("bodies");
    std::fs::remove_dir_all(&bodies).unwrap();
    std::fs::write(&bodies, "in the way").unwrap();
    let curl = rig.curl(&[&format!("http://{address}/")]).await.ok();
    assert_eq!(curl.out.len(), 100_000);
    let summary = within(rig.proxy.stop()).await.unwrap();
    assert!(summary.not_written[0].contains("bodies"), "{:?}", summary.not_written);
    assert!(
        summary
            .notices
            .iter()
            .any(|notice| notice.kind == NoticeKind::NotKept && notice.exchange == Some(1))
    );
    assert_eq!(summary.written.exchanges, 1, "the rest of the exchange is there");
}
