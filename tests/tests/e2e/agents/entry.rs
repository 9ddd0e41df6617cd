//! Who is let in, and how far.

use super::{TOKEN, daemon, left_in, recorded, replay};
use anyhow::Result;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use xcheck_tests::program::World;

const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn off_loopback_an_agent_without_token_or_tls_is_refused_at_the_start() {
    let token = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(token.path(), TOKEN).unwrap();
    let token = token.path().to_str().unwrap();
    for (arguments, says) in [
        (&["--listen", "0.0.0.0:0"][..], "without a token"),
        (&["--listen", "0.0.0.0:0", "--tls"], "without a token"),
        (&["--listen", "[::]:0", "--token-file", token], "without TLS"),
        (&["--listen", "127.0.0.1:0", "--token-file", "/nowhere"], "/nowhere"),
    ] {
        let world = World::new().unwrap();
        let all: Vec<&str> = ["agent"].iter().chain(arguments).copied().collect();
        let status = world.start(&all).unwrap().ended().await.unwrap();
        let said = world.stderr().unwrap();
        assert_eq!(status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(says), "{arguments:?}: {said}");
        world.must_be_empty().await.unwrap();
    }
}

/// The whole answer to a request, as it stands on the wire, without its date.
async fn ask(address: &str, request: &str) -> Result<String> {
    let asked = async {
        let mut socket = TcpStream::connect(address).await?;
        socket
            .write_all(format!("{request}\r\nConnection: close\r\n\r\n").as_bytes())
            .await?;
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await?;
        let lines = answer.lines().filter(|line| !line.starts_with("date:"));
        Ok(lines.collect::<Vec<_>>().join("\n"))
    };
    tokio::time::timeout(PATIENCE, asked).await?
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_no_token_is_told_nothing() {
    let daemon = daemon(&["--listen", "127.0.0.1:0", "--token-file", "token"])
        .await
        .unwrap();
    let get = |path: &str, header: &str| format!("GET {path} HTTP/1.1\r\nHost: agent{header}");
    let mut answers = Vec::new();
    for path in ["/v1/browsers", "/v1/replay", "/", "/nowhere"] {
        for header in [
            "",
            "\r\nAuthorization: Bearer wrong",
            "\r\nAuthorization: Basic eDp5",
            "\r\nOrigin: http://evil.example",
        ] {
            answers.push(ask(&daemon.address, &get(path, header)).await.unwrap());
        }
    }
    // One answer for all: it says neither which paths there are nor what is wrong with the token.
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert!(answers[0].starts_with("HTTP/1.1 401 "), "{answers:?}");
    assert!(!answers[0].contains("chromium"), "{answers:?}");
    let right = format!("\r\nAuthorization: Bearer {TOKEN}");
    let listed = ask(&daemon.address, &get("/v1/browsers", &right)).await.unwrap();
    assert!(listed.contains("chromium"), "{listed}");
    let of_page = format!("{right}\r\nOrigin: http://evil.example");
    let refused = ask(&daemon.address, &get("/v1/browsers", &of_page)).await.unwrap();
    assert!(refused.starts_with("HTTP/1.1 403 "), "{refused}");
    daemon.must_end().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_cannot_reach_an_agent_that_needs_no_token() {
    let daemon = daemon(&["--listen", "127.0.0.1:0"]).await.unwrap();
    let own = format!("GET /v1/browsers HTTP/1.1\r\nHost: {}", daemon.address);
    let strangers = [
        "GET /v1/browsers HTTP/1.1\r\nHost: rebound.example".to_owned(),
        format!("{own}\r\nOrigin: http://evil.example"),
    ];
    for request in strangers {
        let answer = ask(&daemon.address, &request).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 403 "), "{request}: {answer}");
    }
    let answer = ask(&daemon.address, &own).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    daemon.must_end().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_goes_only_to_an_agent_with_the_right_certificate() {
    let files = tempfile::tempdir().unwrap();
    let trace = files.path().join("trace");
    recorded(&trace).await.unwrap();
    let daemon = daemon(&["--listen", "127.0.0.1:0", "--token-file", "token", "--tls"])
        .await
        .unwrap();
    let said = daemon.world.stderr().unwrap();
    let fingerprint = said.split_whitespace().last().unwrap();
    let token = daemon.world.path("token").to_string_lossy().into_owned();
    let authority = daemon
        .world
        .path("data/xcheck/xcheck-ca.pem")
        .to_string_lossy()
        .into_owned();
    let wrong = "00".repeat(32);
    let on = [daemon.browser("chromium")];
    for (more, code, says) in [
        (&["--agent-fingerprint", fingerprint, "--token-file", &token][..], 0, ""),
        (&["--agent-ca", &authority, "--token-file", &token], 0, ""),
        (
            &["--agent-fingerprint", &wrong, "--token-file", &token],
            2,
            "not one that is trusted",
        ),
        (
            &["--agent-fingerprint", fingerprint],
            2,
            "does not accept anybody without a token",
        ),
    ] {
        let world = World::new().unwrap();
        assert_eq!(
            replay(&world, &trace, &on, more).await.unwrap(),
            code,
            "{}",
            world.stderr().unwrap()
        );
        assert!(world.stderr().unwrap().contains(says), "{}", world.stderr().unwrap());
    }
    daemon.must_end().await.unwrap();
}

/// What a client of the protocol, but not of good will, may say, and what it hears.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_hostile_client_sends_stays_without_effect() {
    let daemon = daemon(&["--listen", "127.0.0.1:0", "--largest", "1"]).await.unwrap();
    let wanted = |browser: &str, bodies: Value| {
        Message::text(
            json!({"replay": {
                "protocol": 1, "browser": browser, "every_event": false, "deadline_ms": 1000,
                "ignored_parameters": [], "miss_status": 404, "bodies": bodies,
            }})
            .to_string(),
        )
    };
    let text = |value: Value| Message::text(value.to_string());
    let nothing = json!([]);
    let hash = "0".repeat(64);
    let body = text(json!({"body": {"sha256": hash}}));
    let cases = [
        (vec![wanted("/bin/sh", nothing.clone())], "called by its name"),
        (vec![wanted("../chromium", nothing.clone())], "called by its name"),
        (vec![wanted("netscape", nothing.clone())], "no browser is called that"),
        (vec![text(json!("go"))], "has to be asked for first"),
        (
            vec![
                wanted("chromium", nothing.clone()),
                text(json!({"file": {"name": "../../escaped"}})),
            ],
            "no part of a trace",
        ),
        (
            vec![
                wanted("chromium", nothing.clone()),
                text(json!({"file": {"name": "/tmp/escaped"}})),
            ],
            "no part of a trace",
        ),
        (
            vec![wanted("chromium", nothing.clone()), body.clone()],
            "nobody asked for body",
        ),
        (
            vec![
                wanted("chromium", json!([hash])),
                body.clone(),
                Message::binary(b"x".to_vec()),
                text(json!("go")),
            ],
            "arrived with the hash",
        ),
        (
            vec![
                wanted("chromium", json!([hash])),
                body,
                Message::binary(vec![0; 2_000_000]),
            ],
            "up to 1000000 bytes",
        ),
        (
            vec![wanted("chromium", nothing.clone()), Message::binary(b"x".to_vec())],
            "bytes came for nothing",
        ),
        (
            vec![wanted("chromium", nothing.clone()), text(json!("go"))],
            "manifest.json",
        ),
        (
            vec![
                wanted("chromium", nothing),
                text(json!({"file": {"name": "manifest.json"}})),
                Message::binary(br#"{"format":"99.0"}"#.to_vec()),
                text(json!("go")),
            ],
            "format 99.0",
        ),
    ];
    for (messages, says) in cases {
        let heard = tokio::time::timeout(PATIENCE, conversation(&daemon.address, messages)).await;
        let heard = heard.unwrap().unwrap();
        assert!(heard.contains("refused") && heard.contains(says), "{says}: {heard}");
    }
    assert_eq!(left_in(&daemon.world.path("tmp")).unwrap(), ["stock"]);
    daemon.must_end().await.unwrap();
}

/// Everything that is heard until the connection ends.
async fn conversation(address: &str, messages: Vec<Message>) -> Result<String> {
    let (mut socket, _) =
        tokio_tungstenite::client_async(format!("ws://{address}/v1/replay"), TcpStream::connect(address).await?)
            .await?;
    for message in messages {
        socket.send(message).await?;
    }
    let mut heard = String::new();
    while let Some(Ok(message)) = socket.next().await {
        if let Message::Text(text) = message {
            heard += &text;
            if text.contains("refused") {
                break;
            }
        }
    }
    Ok(heard)
}
