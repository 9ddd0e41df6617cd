//! Replays on another machine: the real daemon, a client, and what stands between them.

use anyhow::{Context, Result, ensure};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use xcheck_tests::program::{Running, World};
use xcheck_tests::traces;
use xcheck_trace::run::Outcome;
use xcheck_trace::runs::{Replay, RunReader};

const PATIENCE: Duration = Duration::from_secs(60);
const TOKEN: &str = "dGhpcyBpcyBhIHRva2Vu";

/// Done when its text says so. `BEHAVIOUR` is there to be replaced in the trace.
const PAGE: (&str, &str) = (
    "page.html",
    r#"<!doctype html><title>page</title><p>text</p><img src="picture.svg"><script src="behaviour.js"></script>"#,
);
const BEHAVIOUR: (&str, &str) = (
    "behaviour.js",
    "/*BEHAVIOUR*/ setTimeout(() => { document.querySelector('p').textContent = 'done ' + Math.random() }, 20)",
);
const DONE: &str = "document.querySelector('p').textContent.startsWith('done')";

pub(crate) async fn recorded(folder: &Path) -> Result<()> {
    // What compresses badly tells whether bodies travel twice.
    let noise: String = (0..40_000_u32)
        .map(|n| format!("{:08x}", n.wrapping_mul(2_654_435_761)))
        .collect();
    let picture = format!("<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><!--{noise}--></svg>");
    traces::record(&[PAGE, BEHAVIOUR, ("picture.svg", &picture)], DONE, folder).await
}

pub(crate) struct Daemon {
    pub(crate) world: World,
    pub(crate) running: Running,
    address: String,
}

async fn daemon(arguments: &[&str]) -> Result<Daemon> {
    let mut command = Command::new(xcheck_tests::xcheck()?);
    command.arg("agent").args(arguments);
    daemon_by(command).await
}

/// By a command that becomes the daemon. Its token is in its folder.
pub(crate) async fn daemon_by(command: Command) -> Result<Daemon> {
    let world = World::new()?;
    std::fs::write(world.path("token"), TOKEN)?;
    let mut running = world.start_command(command)?;
    let mut address = String::new();
    running
        .until("it listens", || {
            let said = std::fs::read_to_string(world.path("stdout"))?;
            let line = said.lines().find_map(|line| line.strip_prefix("listening on "));
            address = line.unwrap_or_default().to_owned();
            Ok(said.ends_with('\n') && !address.is_empty())
        })
        .await?;
    Ok(Daemon {
        world,
        running,
        address,
    })
}

impl Daemon {
    pub(crate) fn browser(&self, name: &str) -> String {
        format!("agent://{}/{name}", self.address)
    }

    /// Told to stop, it does, and nothing of it is left.
    pub(crate) async fn must_end(mut self) -> Result<()> {
        self.running.signal("TERM")?;
        let status = self.running.ended().await?;
        ensure!(status.code() == Some(0), "{status}: {}", self.world.stderr()?);
        self.world.must_be_empty().await
    }
}

pub(crate) fn replays(world: &World) -> Result<Vec<Replay>> {
    let (reader, _) = RunReader::open(&world.path("run"))?;
    let read = |name: &String| Ok(reader.replay(name)?.0);
    reader.run.replays.iter().map(read).collect()
}

fn reason(replay: &Replay) -> Result<&str> {
    match &replay.outcome.as_ref().context("it has an outcome")?.outcome {
        Outcome::NotMeasured { reason } => Ok(reason),
        Outcome::Replayed => anyhow::bail!("{} was replayed", replay.name),
    }
}

pub(crate) async fn replay(world: &World, trace: &Path, on: &[String], more: &[&str]) -> Result<i32> {
    let (trace, on) = (trace.to_string_lossy().into_owned(), on.join(","));
    let arguments = ["replay", &trace, "--on", &on, "--out", "run", "--deadline", "60"];
    let all: Vec<&str> = arguments.iter().chain(more).copied().collect();
    let status = world.start(&all)?.ended().await?;
    status.code().with_context(|| format!("{status}: {:?}", world.stderr()))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_finds_what_a_replay_on_this_machine_finds() {
    let files = tempfile::tempdir().unwrap();
    let trace = files.path().join("trace");
    recorded(&trace).await.unwrap();
    // One at a time: the others are told to wait.
    let daemon = daemon(&["--listen", "127.0.0.1:0", "--jobs", "1"]).await.unwrap();
    for engine in ["chromium", "firefox", "webkit"] {
        let world = World::new().unwrap();
        let on = [engine.to_owned(), daemon.browser(engine)];
        let code = replay(&world, &trace, &on, &[]).await.unwrap();
        assert_eq!(code, 0, "{}", world.stderr().unwrap());
        let both = replays(&world).unwrap();
        assert_eq!(both[0].events, both[1].events, "{engine}");
        assert_eq!(both[0].checkpoints, both[1].checkpoints, "{engine}");
        assert!(!both[0].checkpoints.is_empty(), "{engine}");
        world.must_be_empty().await.unwrap();
    }
    daemon.must_end().await.unwrap();
}

/// Counts what passes from client to agent.
struct Relay {
    address: String,
    sent: Arc<AtomicU64>,
}

async fn relay(to: String) -> Result<Relay> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?.to_string();
    let sent = Arc::new(AtomicU64::new(0));
    let counting = sent.clone();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let (to, counting) = (to.clone(), counting.clone());
            tokio::spawn(async move {
                let mut agent = TcpStream::connect(to).await.expect("the agent listens");
                let (mut from_client, mut to_client) = client.split();
                let (mut from_agent, mut to_agent) = agent.split();
                let there = async {
                    let mut piece = vec![0; 64 * 1024];
                    loop {
                        // Counted before it is passed on: what the agent has answered is in the sum.
                        let count = from_client.read(&mut piece).await?;
                        counting.fetch_add(count as u64, Ordering::SeqCst);
                        if count == 0 {
                            return to_agent.shutdown().await;
                        }
                        to_agent.write_all(&piece[..count]).await?;
                    }
                };
                let back = tokio::io::copy(&mut from_agent, &mut to_client);
                // However a connection ends is the two sides' affair.
                let _ = tokio::join!(there, back);
            });
        }
    });
    Ok(Relay { address, sent })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_travels_once() {
    let files = tempfile::tempdir().unwrap();
    let trace = files.path().join("trace");
    recorded(&trace).await.unwrap();
    let daemon = daemon(&["--listen", "127.0.0.1:0"]).await.unwrap();
    let relay = relay(daemon.address.clone()).await.unwrap();
    let mut sent = Vec::new();
    for _ in 0..2 {
        let world = World::new().unwrap();
        let before = relay.sent.load(Ordering::SeqCst);
        let on = [format!("agent://{}/chromium", relay.address)];
        assert_eq!(
            replay(&world, &trace, &on, &[]).await.unwrap(),
            0,
            "{}",
            world.stderr().unwrap()
        );
        sent.push(relay.sent.load(Ordering::SeqCst) - before);
    }
    assert!(sent[0] > 300_000 && sent[1] < 60_000, "{sent:?}");
    daemon.must_end().await.unwrap();
}

/// A trace whose page never lets go of the browser.
pub(crate) async fn hanging(folder: &Path) -> Result<()> {
    recorded(folder).await?;
    traces::doctor(folder, "/*BEHAVIOUR*/", "while (true);")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_goes_away_takes_its_browser_and_its_trace_with_it() {
    let files = tempfile::tempdir().unwrap();
    let trace = files.path().join("trace");
    hanging(&trace).await.unwrap();
    let mut daemon = daemon(&["--listen", "127.0.0.1:0"]).await.unwrap();
    let world = World::new().unwrap();
    let (path, on) = (trace.to_string_lossy().into_owned(), daemon.browser("chromium"));
    let mut client = world.start(&["replay", &path, "--on", &on, "--out", "run"]).unwrap();
    let agent = daemon.running.pid();
    let chromium = || processes(&daemon.world, agent);
    let there = || Ok(chromium()?.len() > 1);
    client.until("the agent has a browser", there).await.unwrap();
    client.signal("KILL").unwrap();
    client.ended().await.unwrap();
    let tmp = daemon.world.path("tmp");
    let gone = || Ok(chromium()?.is_empty() && left_in(&tmp)? == ["stock"]);
    daemon.running.until("all of it is gone", gone).await.unwrap();
    daemon.must_end().await.unwrap();
}

/// Those in the agent's world that are not the agent.
fn processes(world: &World, agent: u32) -> Result<Vec<u32>> {
    let all = world.processes("chromium")?;
    Ok(all.into_iter().filter(|pid| *pid != agent).collect())
}

/// What is in the agent's own folder, browsers' homes beside it included.
fn left_in(tmp: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(tmp)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        match name.starts_with("xcheck-agent-") {
            true => names.extend(
                std::fs::read_dir(entry.path())?
                    .flatten()
                    .map(|entry| entry.file_name().to_string_lossy().into_owned()),
            ),
            false => names.push(name),
        }
    }
    Ok(names)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_is_killed_is_said_and_other_replays_go_on() {
    let files = tempfile::tempdir().unwrap();
    let (trace, fine) = (files.path().join("trace"), files.path().join("fine"));
    hanging(&trace).await.unwrap();
    recorded(&fine).await.unwrap();
    let mut daemon = daemon(&["--listen", "127.0.0.1:0"]).await.unwrap();
    let world = World::new().unwrap();
    let (path, on) = (trace.to_string_lossy().into_owned(), daemon.browser("chromium"));
    let mut client = world.start(&["replay", &path, "--on", &on, "--out", "run"]).unwrap();
    let agent = daemon.running.pid();
    let there = || Ok(processes(&daemon.world, agent)?.len() > 1);
    client.until("the agent has a browser", there).await.unwrap();
    daemon.running.signal("KILL").unwrap();
    daemon.running.ended().await.unwrap();
    assert_eq!(client.ended().await.unwrap().code(), Some(3));
    let of_client = replays(&world).unwrap();
    let told = reason(&of_client[0]).unwrap();
    assert!(told.contains("the agent went away"), "{told}");
    world.must_be_empty().await.unwrap();
    daemon.world.must_be_empty().await.unwrap();

    // Nobody is there any more; what else was asked for is replayed all the same.
    let world = World::new().unwrap();
    let on = [on, "chromium".to_owned()];
    assert_eq!(replay(&world, &fine, &on, &[]).await.unwrap(), 3);
    let both = replays(&world).unwrap();
    let told = reason(&both[0]).unwrap();
    assert!(told.contains("cannot be reached"), "{told}");
    assert_eq!(both[1].outcome.as_ref().unwrap().outcome, Outcome::Replayed);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_stops_tells_its_clients() {
    let files = tempfile::tempdir().unwrap();
    let trace = files.path().join("trace");
    hanging(&trace).await.unwrap();
    let daemon = daemon(&["--listen", "127.0.0.1:0"]).await.unwrap();
    let world = World::new().unwrap();
    let (path, on) = (trace.to_string_lossy().into_owned(), daemon.browser("chromium"));
    let mut client = world.start(&["replay", &path, "--on", &on, "--out", "run"]).unwrap();
    let agent = daemon.running.pid();
    let there = || Ok(processes(&daemon.world, agent)?.len() > 1);
    client.until("the agent has a browser", there).await.unwrap();
    daemon.must_end().await.unwrap();
    assert_eq!(client.ended().await.unwrap().code(), Some(3));
    let told = reason(&replays(&world).unwrap()[0]).unwrap().to_owned();
    assert!(told.contains("the agent is being stopped"), "{told}");
}

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
