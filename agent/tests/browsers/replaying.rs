//! Recorded here in one browser, replayed in all of them.

use crate::{PATIENCE, open, options, site::Site, start, until};
use std::path::Path;
use std::sync::Arc;
use xcheck_agent::replay::{Reference, ReplayNews, ReplayOptions, ReplayRequest, replay_all};
use xcheck_agent::{Browser, Input, LaunchOptions, PointerButton, TrustedAuthority, find};
use xcheck_proxy::{Authority, Config, Mode, Proxy};
use xcheck_trace::manifest::{FORMAT, Manifest, Viewport};
use xcheck_trace::run::Outcome;
use xcheck_trace::runs::{Replay, RunReader};
use xcheck_trace::{Trace, TraceWriter, redact::Redaction};

const PAGES: &[(&str, &str)] = &[
    (
        "/",
        r#"<!doctype html><meta charset=utf-8><title>first</title><style>body{margin:0;font:16px sans-serif}
button,input,a{position:absolute;left:10px;height:30px} iframe{position:absolute;left:400px;top:50px;width:300px;height:200px}</style>
<button id=roll style="top:10px">Roll</button><input id=name style="top:60px;width:200px"><a id=next href="/second" style="top:110px">next</a>
<ul id=list style="margin-top:200px"></ul><iframe src="/frame"></iframe>
<script>
const add = text => { const item = document.createElement('li'); item.textContent = text; list.append(item) };
add('start ' + Math.random());
roll.onclick = () => { add('rolled ' + Math.random() + ' at ' + Date.now()); setTimeout(() => add('later ' + Math.random()), 300) };
name.oninput = () => {};
document.getElementById('name').addEventListener('input', event => add('typed ' + event.target.value));
let ticks = 0; const ticking = setInterval(() => { add('tick ' + performance.now()); if (++ticks === 3) clearInterval(ticking) }, 50);
requestAnimationFrame(time => add('frame ' + time));
fetch('/data').then(response => response.text()).then(text => add('fetched ' + text));
</script>"#,
    ),
    (
        "/frame",
        r#"<!doctype html><title>frame</title><body style="margin:0"><button id=inner style="position:absolute;left:20px;top:20px;width:100px;height:30px">Inner</button>
<p id=out style="margin-top:100px"></p><script>inner.onclick = () => out.textContent = 'inner ' + Math.random()</script>"#,
    ),
    ("/data", "some data"),
    (
        "/second",
        r#"<!doctype html><title>second</title><p id=text></p><script>text.textContent = 'second ' + crypto.randomUUID()</script>"#,
    ),
];

fn click(x: f64, y: f64) -> Vec<Input> {
    vec![
        Input::PointerMove { x, y },
        Input::PointerDown {
            button: PointerButton::Left,
            clicks: 1,
        },
        Input::PointerUp {
            button: PointerButton::Left,
        },
    ]
}

/// Events that come in every recording of it, those of the last page included.
const LOGGED: u64 = 40;

async fn session(browser: &mut dyn Browser, site: &Site) {
    open(browser, site, "/").await;
    until(
        browser,
        "document.body.textContent.includes('fetched some data') && document.body.textContent.includes('start 0') && list.children.length >= 6",
    )
    .await;
    browser.perform(&click(30.0, 25.0)).await.unwrap();
    until(browser, "document.body.textContent.includes('later 0')").await;
    browser.perform(&click(50.0, 75.0)).await.unwrap();
    for letter in ["h", "i"] {
        let (key, code) = (letter.to_owned(), format!("Key{}", letter.to_uppercase()));
        let press = [
            Input::KeyDown {
                key: key.clone(),
                code: code.clone(),
            },
            Input::KeyUp { key, code },
        ];
        browser.perform(&press).await.unwrap();
    }
    until(browser, "document.body.textContent.includes('typed hi')").await;
    browser.perform(&click(460.0, 85.0)).await.unwrap();
    until(browser, "frames[0].document.body.textContent.includes('inner 0')").await;
    browser.perform(&click(20.0, 125.0)).await.unwrap();
    until(
        browser,
        "document.title === 'second' && document.readyState === 'complete'",
    )
    .await;
}

fn manifest(viewport: Viewport) -> Manifest {
    Manifest {
        format: FORMAT,
        recorder: "test".to_owned(),
        browser: None,
        viewport: Some(viewport),
        start_url: None,
        time_zone: None,
        languages: Vec::new(),
        started_at_ms: 0,
        finished_at_ms: None,
        service_workers: false,
        redactions: Vec::new(),
    }
}

async fn record(name: &str, folder: &Path, authority: &Arc<Authority>) -> Arc<Trace> {
    let site = Site::serve(PAGES).await;
    let writer = TraceWriter::create(folder, manifest(options().viewport), Redaction::none()).unwrap();
    let proxy = Proxy::start(Config::new(authority.clone(), Mode::Record(writer)))
        .await
        .unwrap();
    let options = LaunchOptions {
        proxy: Some(proxy.address()),
        authority: Some(TrustedAuthority {
            spki_sha256: authority.spki_sha256(),
            pem: authority.certificate_path().to_owned(),
        }),
        ..options()
    };
    let mut browser = start(name, &options).await;
    session(browser.as_mut(), &site).await;
    let mut counts = proxy.counts();
    let logged = counts.wait_for(|counts| counts.pages >= 2 && counts.events >= LOGGED);
    match tokio::time::timeout(PATIENCE, logged).await {
        Ok(logged) => drop(logged.unwrap()),
        Err(_) => panic!("not all events are in the log: {:?}", *proxy.counts().borrow()),
    }
    browser.close().await.unwrap();
    proxy.stop().await;
    let (trace, warnings) = Trace::open(folder).unwrap();
    println!("{} warnings about the trace", warnings.len());
    Arc::new(trace)
}

fn show(replay: &Replay) -> String {
    let mut text = String::new();
    for event in &replay.events {
        if !event.divergences.is_empty() || !event.notes.is_empty() {
            text += &format!(
                "  {:?} {}: {:?} {:?}\n",
                event.place, event.label, event.divergences, event.notes
            );
        }
    }
    text + &format!(
        "  {} events, {} checkpoints\n",
        replay.events.len(),
        replay.checkpoints.len()
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_replays_without_its_server_in_every_engine_and_twice_to_the_byte() {
    tracing_subscriber::fmt()
        .with_test_writer()
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .init();
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::open(&folder.path().join("ca")).unwrap();
    let trace = record("chromium", &folder.path().join("trace"), &authority).await;
    for event in trace.order() {
        println!("{} {} {}", event.load, event.id, trace.label(event));
    }
    let names = ["chromium", "chromium", "firefox", "firefox", "webkit", "webkit"];
    let request = ReplayRequest {
        trace: trace.clone(),
        trace_path: folder.path().join("trace"),
        browsers: names.map(|name| find(name, &[]).unwrap()).to_vec(),
        reference: Reference::None,
        authority,
        options: ReplayOptions {
            deadline: PATIENCE,
            ..ReplayOptions::default()
        },
        at_once: 1,
        folder: folder.path().join("run"),
    };
    let news = Arc::new(|news: ReplayNews<'_>| {
        if let ReplayNews::Ended(name, outcome) = news {
            println!("{name}: {:?} in {} ms", outcome.outcome, outcome.wall_ms);
        }
    });
    let (run, outcomes) = replay_all(request, news).await.unwrap();
    let (reader, warnings) = RunReader::open(&folder.path().join("run")).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    for (name, outcome) in &outcomes {
        let (replay, _) = reader.replay(name).unwrap();
        println!("{name}\n{}", show(&replay));
        assert_eq!(outcome.outcome, Outcome::Replayed, "{name}");
    }
    if let Ok(target) = std::env::var("XCHECK_KEEP") {
        std::process::Command::new("cp")
            .arg("-r")
            .arg(folder.path())
            .arg(target)
            .status()
            .unwrap();
    }
    for pair in run.replays.chunks(2) {
        let [once, again] = [0, 1].map(|index| reader.replay(&pair[index]).unwrap().0);
        assert_eq!(once.events, again.events, "{pair:?}");
        assert_eq!(once.checkpoints, again.checkpoints, "{pair:?}");
        assert!(once.events.iter().all(|event| event.divergences.is_empty()), "{pair:?}");
    }
}
