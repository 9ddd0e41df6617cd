//! Serving from a trace: what was recorded by one proxy, answered by another with nothing behind it.

use crate::support::*;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use xcheck_proxy::{Config, Mode, PageNews, Proxy, Serve, ServeEvent, ServeRules, Serving};
use xcheck_trace::Trace;
use xcheck_trace::exchange::End;

struct Replay {
    proxy: Proxy,
    serving: Serving,
    trace: Arc<Trace>,
    _ca: TempDir,
}

impl Replay {
    async fn of(recorded: &Recorded, rules: ServeRules) -> Replay {
        let (trace, _) = Trace::open(&recorded.summary.folder).unwrap();
        Replay::of_trace(trace, rules).await
    }

    async fn of_trace(trace: Trace, rules: ServeRules) -> Replay {
        Replay::at(([127, 0, 0, 1], 0).into(), trace, rules).await
    }

    async fn at(listen: SocketAddr, trace: Trace, rules: ServeRules) -> Replay {
        let trace = Arc::new(trace);
        let (ca, authority) = authority();
        let (serve, serving) = Serve::new(trace.clone(), rules);
        let mut config = Config::new(authority, Mode::Serve(serve));
        config.listen = listen;
        let proxy = Proxy::start(config).await.unwrap();
        Replay {
            proxy,
            serving,
            trace,
            _ca: ca,
        }
    }

    async fn curl(&self, arguments: &[&str]) -> Curl {
        curl_through(self.proxy.address(), self.proxy.ca().certificate_path(), arguments).await
    }
}

/// Records what `origin` answers to `requests`, and gives the trace and the origin's address, which is closed by then.
async fn recorded(answers: &'static [&'static str], requests: &[&[&str]]) -> (Recorded, String) {
    let answers = Arc::new(std::sync::Mutex::new(answers.iter()));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            read_head(&mut socket).await;
            let answer = *answers.lock().unwrap().next().expect("an answer for each request");
            let _ = socket.write_all(answer.as_bytes()).await;
        }
    });
    let rig = Rig::start().await;
    let base = format!("http://{address}");
    for request in requests {
        let arguments: Vec<String> = request.iter().map(|argument| argument.replace("BASE", &base)).collect();
        rig.curl(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
            .await;
    }
    let recorded = rig.stop().await;
    server.abort();
    let _ = server.await;
    (recorded, base)
}

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx-mine: 1\r\nconnection: close\r\n\r\nok";

#[tokio::test]
async fn answers_come_from_the_trace_and_the_origin_is_not_needed() {
    let answers = &[
        "HTTP/1.1 200 OK\r\ncontent-length: 5\r\nx-mine: 1\r\nconnection: close\r\n\r\nfirst",
        "HTTP/1.1 201 Made\r\ncontent-length: 6\r\nconnection: close\r\n\r\nsecond",
    ];
    let (recorded, base) = recorded(answers, &[&["BASE/x"], &["-d", "a=1", "BASE/x"]]).await;
    let mut replay = Replay::of(&recorded, ServeRules::default()).await;
    let url = format!("{base}/x");
    let posted = replay.curl(&["-i", "-d", "a=1", &url]).await.ok().text();
    assert!(
        posted.starts_with("HTTP/1.1 201") && posted.ends_with("second"),
        "{posted}"
    );
    let got = replay.curl(&["-i", &url]).await.ok().text();
    assert!(got.contains("x-mine: 1") && got.ends_with("first"), "{got}");
    let missed = replay.curl(&["-i", &format!("{base}/other")]).await.ok().text();
    assert!(
        missed.starts_with("HTTP/1.1 404") && missed.contains("not in the trace"),
        "{missed}"
    );
    let event = within(replay.serving.events.recv()).await.unwrap();
    assert_eq!(
        event,
        ServeEvent::NotInTrace {
            method: "GET".into(),
            url: format!("{base}/other"),
            referrer: None
        }
    );
    let icon = replay
        .curl(&["-w", "%{http_code}", &format!("{base}/favicon.ico")])
        .await
        .ok()
        .text();
    assert_eq!(icon, "404");
    assert!(replay.serving.events.try_recv().is_err(), "an icon is no difference");
}

/// Free ports are given out again, and what was recorded is no loop then.
#[tokio::test]
async fn an_application_that_listened_where_the_proxy_does_now_is_answered_from_the_trace() {
    let (recorded, base) = recorded(&[OK], &[&["BASE/x"]]).await;
    let (trace, _) = Trace::open(&recorded.summary.folder).unwrap();
    let address = base.trim_start_matches("http://").parse().unwrap();
    let replay = Replay::at(address, trace, ServeRules::default()).await;
    assert_eq!(replay.proxy.address(), address);
    assert_eq!(replay.curl(&[&format!("{base}/x")]).await.ok().text(), "ok");
}

#[tokio::test]
async fn a_page_that_a_form_led_to_can_be_asked_for_plainly() {
    let (recorded, base) = recorded(&[OK], &[&["-d", "name=x", "BASE/done"]]).await;
    let replay = Replay::of(&recorded, ServeRules::default()).await;
    let document = [
        "-A",
        "Mozilla/5.0",
        "-H",
        "Sec-Fetch-Dest: document",
        &format!("{base}/done"),
    ];
    assert_eq!(replay.curl(&document).await.ok().text(), "ok");
    let script = [
        "-w",
        "%{http_code}",
        "-A",
        "Mozilla/5.0",
        "-H",
        "Sec-Fetch-Dest: empty",
        &format!("{base}/done"),
    ];
    assert!(replay.curl(&script).await.ok().text().ends_with("404"));
}

#[tokio::test]
async fn what_failed_fails_and_what_broke_off_breaks_off() {
    let answers = &["HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbroken", ""];
    let (recorded, base) = recorded(answers, &[&["BASE/broken"], &["BASE/none"]]).await;
    assert!(
        matches!(recorded.exchanges[0].end, End::Failed { .. }),
        "{recorded:?}",
        recorded = recorded.exchanges
    );
    let replay = Replay::of(&recorded, ServeRules::default()).await;
    let broken = replay.curl(&[&format!("{base}/broken")]).await;
    assert_eq!((broken.status, broken.text().as_str()), (18, "broken"), "{broken:?}");
    let none = replay
        .curl(&["-w", "%{http_code}", &format!("{base}/none")])
        .await
        .ok()
        .text();
    assert!(none.ends_with("502") && none.contains("broke off"), "{none}");
    let script = [
        "-A",
        "Mozilla/5.0",
        "-H",
        "Sec-Fetch-Dest: empty",
        &format!("{base}/none"),
    ];
    assert_eq!(
        replay.curl(&script).await.status,
        52,
        "a fetch gets no answer, as it would without a proxy"
    );
}

#[tokio::test]
async fn a_response_that_is_held_waits_until_it_is_released() {
    let (recorded, base) = recorded(&[OK], &[&["BASE/async.js"]]).await;
    let Replay { proxy, serving, .. } = Replay::of(&recorded, ServeRules::default()).await;
    let Serving { mut events, gate, .. } = serving;
    gate.hold([1]);
    let url = format!("{base}/async.js");
    let arguments = [url.as_str()];
    let mut request = Box::pin(curl_through(proxy.address(), proxy.ca().certificate_path(), &arguments));
    tokio::select! {
        _ = &mut request => panic!("it was held"),
        event = events.recv() => assert_eq!(event, Some(ServeEvent::Held { exchange: 1 })),
    }
    gate.release(1);
    assert_eq!(within(request).await.ok().text(), "ok");
    assert_eq!(within(events.recv()).await, Some(ServeEvent::Released { exchange: 1 }));
}

/// Browsers ask for six things at once, so that those six would keep the seventh away for ever.
#[tokio::test]
async fn who_is_held_makes_room_for_what_is_let_go_and_comes_again() {
    let paths = ["/1", "/2", "/3", "/4", "/5", "/6", "/7"].map(|path| [format!("BASE{path}")]);
    let requests: Vec<[&str; 1]> = paths.iter().map(|[path]| [path.as_str()]).collect();
    let requests: Vec<&[&str]> = requests.iter().map(|request| &request[..]).collect();
    let (recorded, base) = recorded(&[OK; 7], &requests).await;
    let Replay { proxy, serving, .. } = Replay::of(&recorded, ServeRules::default()).await;
    let Serving { mut events, gate, .. } = serving;
    gate.hold(1..=7);
    let ask = |number: u64| {
        let (address, ca, url) = (
            proxy.address(),
            proxy.ca().certificate_path().to_owned(),
            format!("{base}/{number}"),
        );
        tokio::spawn(async move { curl_through(address, &ca, &["--location", &url]).await })
    };
    let mut asked = Vec::new();
    for number in 1..=6 {
        asked.push(ask(number));
        assert_eq!(within(events.recv()).await, Some(ServeEvent::Held { exchange: number }));
    }
    gate.release(7);
    assert_eq!(within(events.recv()).await, Some(ServeEvent::Held { exchange: 6 }));
    assert_eq!(within(ask(7)).await.unwrap().ok().text(), "ok");
    for (number, asked) in (1..).zip(asked) {
        gate.release(number);
        assert_eq!(within(asked).await.unwrap().ok().text(), "ok");
    }
}

#[tokio::test]
async fn ranges_of_what_was_recorded_whole_are_cut() {
    let (recorded, base) = recorded(
        &["HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n0123456789"],
        &[&["BASE/m.mp4"]],
    )
    .await;
    let replay = Replay::of(&recorded, ServeRules::default()).await;
    let part = replay
        .curl(&["-i", "-r", "2-4", &format!("{base}/m.mp4")])
        .await
        .ok()
        .text();
    assert!(
        part.starts_with("HTTP/1.1 206")
            && part.contains("content-range: bytes 2-4/10")
            && part.ends_with("\r\n\r\n234"),
        "{part}"
    );
}

/// One browser asks for a film from its first byte on, and another for the film.
#[tokio::test]
async fn a_range_that_is_the_whole_is_an_answer_to_who_asks_for_the_whole() {
    let (recorded, base) = recorded(
        &["HTTP/1.1 206 Partial Content\r\ncontent-length: 10\r\ncontent-range: bytes 0-9/10\r\n\r\n0123456789"],
        &[&["-r", "0-", "BASE/m.mp4"]],
    )
    .await;
    let replay = Replay::of(&recorded, ServeRules::default()).await;
    let url = format!("{base}/m.mp4");
    let ask = async |range: &[&str]| {
        let answer = replay.curl(&[&["-i"], range, &[&url]].concat()).await;
        answer.ok().text()
    };
    let whole = ask(&[]).await;
    assert!(
        whole.starts_with("HTTP/1.1 200") && !whole.contains("content-range") && whole.ends_with("\r\n\r\n0123456789"),
        "{whole}"
    );
    for (range, told) in [("0-", "0-9/10"), ("7-", "7-9/10")] {
        let part = ask(&["-r", range]).await;
        assert!(
            part.starts_with("HTTP/1.1 206") && part.contains(&format!("content-range: bytes {told}\r\n")),
            "{part}"
        );
    }
}

#[tokio::test]
async fn parameters_that_do_not_count_are_declared() {
    let (recorded, base) = recorded(&[OK], &[&["BASE/x?cb=1&q=2"]]).await;
    let rules = ServeRules {
        ignored_parameters: vec!["cb".into()],
        miss_status: 410,
        ..ServeRules::default()
    };
    let replay = Replay::of(&recorded, rules).await;
    assert_eq!(replay.curl(&[&format!("{base}/x?cb=77&q=2")]).await.ok().text(), "ok");
    let missed = replay
        .curl(&["-w", "%{http_code}", &format!("{base}/x?q=3")])
        .await
        .ok()
        .text();
    assert!(missed.ends_with("410"), "{missed}");
}

#[tokio::test]
async fn live_requests_go_to_the_network_and_are_told_of() {
    let (recorded, _) = recorded(&[OK], &[&["BASE/x"]]).await;
    let mut replay = Replay::of(
        &recorded,
        ServeRules {
            live: true,
            ..ServeRules::default()
        },
    )
    .await;
    let live = answering(page("<!doctype html><title>live</title>")).await;
    let url = format!("http://{live}/live");
    let got = replay.curl(&["-d", "body", &url]).await.ok().text();
    assert!(got.contains("<title>live</title>"), "{got}");
    assert_eq!(
        within(replay.serving.events.recv()).await,
        Some(ServeEvent::WentLive {
            method: "POST".into(),
            url
        })
    );
}

#[tokio::test]
async fn a_document_is_the_load_it_was_and_its_channel_reaches_the_loop() {
    let html = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<!doctype html><html><head></head><body></body></html>";
    let (recorded, base) = {
        let html: &'static [&'static str] = Box::leak(Box::new([html]));
        recorded(html, &[&["BASE/"]]).await
    };
    let mut replay = Replay::of(&recorded, ServeRules::default()).await;
    assert_eq!(replay.trace.exchanges.len(), 1);
    let html = replay.curl(&[&format!("{base}/")]).await.ok().text();
    let path = script_path(&html);
    let script = replay.curl(&[&format!("{base}{path}")]).await.ok().text();
    let secret = secret_in(&script);
    let host = base.strip_prefix("http://").unwrap();
    let mut socket = channel(&replay, host, &secret).await.expect("the channel opens");
    socket
        .send(Message::text(json!({"hello": {"url": "here"}}).to_string()))
        .await
        .unwrap();
    let Some(PageNews::Opened(mut page)) = within(replay.serving.pages.recv()).await else {
        panic!("the document was not heard of");
    };
    assert_eq!(
        (page.load, page.exchange),
        (1, Some(1)),
        "no load was recorded of it, so it is the first unknown one"
    );
    assert_eq!(page.hello, json!({"url": "here"}));
    page.sender.send(json!({"n": 1, "do": "settle"})).await.unwrap();
    let command: Value =
        serde_json::from_str(within(socket.next()).await.unwrap().unwrap().to_text().unwrap()).unwrap();
    assert_eq!(command["n"], 1);
    socket
        .send(Message::text(json!({"n": 1, "ok": {}}).to_string()))
        .await
        .unwrap();
    assert_eq!(within(page.receiver.receive()).await, Some(json!({"n": 1, "ok": {}})));
    let goodbye = ["-X", "POST", &format!("{base}/__xcheck/{secret}/bye")];
    replay.curl(&goodbye).await.ok();
    let left = within(replay.serving.pages.recv()).await;
    assert!(matches!(left, Some(PageNews::Leaves(1))), "{left:?}");
    drop(socket);
    assert_eq!(within(page.receiver.receive()).await, None);
    assert!(
        channel(&replay, host, "0123").await.is_err(),
        "a secret that nobody was given"
    );
    assert!(channel(&replay, "other.test", &secret).await.is_err(), "another host");
}

#[tokio::test]
async fn who_is_in_the_place_of_a_request_that_was_given_up_is_answered_when_a_document_waits_for_it() {
    const HTML: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<!doctype html><html><head></head><body></body></html>";
    let (recorded, base) = recorded(&[HTML, OK, OK], &[&["BASE/"], &["BASE/x"], &["BASE/x"]]).await;
    let (mut trace, _) = Trace::open(&recorded.summary.folder).unwrap();
    let given_up = &mut trace.exchanges[1];
    (given_up.response, given_up.end) = (None, End::Aborted);
    let replay = Arc::new(Replay::of_trace(trace, ServeRules::default()).await);
    let url = format!("{base}/x");
    let html = replay.curl(&[&format!("{base}/")]).await.ok().text();
    let script = replay
        .curl(&[&format!("{base}{}", script_path(&html))])
        .await
        .ok()
        .text();
    let host = base.strip_prefix("http://").unwrap();
    let mut socket = channel(&replay, host, &secret_in(&script)).await.unwrap();
    let mut say = async |message: Value| socket.send(Message::text(message.to_string())).await.unwrap();
    say(json!({"hello": {}})).await;
    let ask = || {
        let (replay, url) = (replay.clone(), url.clone());
        tokio::spawn(async move { replay.curl(&[&url]).await.ok().text() })
    };
    let (mut one, mut other) = (ask(), ask());
    let left = tokio::select! {
        answer = &mut one => { assert_eq!(answer.unwrap(), "ok"); other }
        answer = &mut other => { assert_eq!(answer.unwrap(), "ok"); one }
    };
    assert!(!left.is_finished());
    say(json!({"awaits": {"method": "GET", "url": url.clone() + "#part"}})).await;
    assert_eq!(within(left).await.unwrap(), "ok");
}

async fn channel(replay: &Replay, host: &str, secret: &str) -> Result<Socket, String> {
    open_socket(replay.proxy.address(), host, &format!("/__xcheck/{secret}/channel")).await
}

#[tokio::test]
async fn nothing_leaves_the_machine_by_a_tunnel_either() {
    let (recorded, _) = recorded(&[OK], &[&["BASE/x"]]).await;
    let replay = Replay::of(&recorded, ServeRules::default()).await;
    let (seen, mut connected) = tokio::sync::mpsc::unbounded_channel();
    let origin = origin(move |_| {
        let seen = seen.clone();
        async move { seen.send(()).unwrap() }
    })
    .await;
    let mut tcp = TcpStream::connect(replay.proxy.address()).await.unwrap();
    tcp.write_all(format!("CONNECT {origin} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes())
        .await
        .unwrap();
    read_head(&mut tcp).await;
    tcp.write_all(b"\x00strange").await.unwrap();
    let mut rest = Vec::new();
    within(tcp.read_to_end(&mut rest)).await.unwrap();
    assert!(rest.is_empty() && connected.try_recv().is_err());
}
