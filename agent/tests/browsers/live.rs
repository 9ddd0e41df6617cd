//! A live session: pages that run by themselves, driven from outside, with and without a trace.

use crate::{PATIENCE, options, site::Site};
use std::path::Path;
use std::sync::Arc;
use xcheck_agent::find;
use xcheck_agent::live::{Acted, Action, Candidate, Patience, Session, SessionOptions, Shown, Spot};
use xcheck_proxy::{Authority, Mode};
use xcheck_trace::manifest::{FORMAT, Manifest};
use xcheck_trace::{Trace, TraceWriter, redact::Redaction};

const PAGES: &[(&str, &str)] = &[
    (
        "/",
        r#"<!doctype html><meta charset=utf-8><title>first</title><style>div.card { cursor: pointer; width: 80px; height: 20px }</style>
<p id=clock>0</p><p id=out></p>
<button id=later>Later</button> <button id=ask>Ask</button> <button id=open>Open</button> <button hidden>Hidden</button>
<span id=listens>listens</span> <div class=card>card</div> <form action="/second"><input name=q required maxlength=9><select name=s><option>a<option>b</select><button>Go</button></form>
<a href="/second">next</a> <a href="/file.zip" id=file>file</a> <div style="height:2000px"></div><button id=far>Far</button>
<iframe src="/frame" width=200 height=80></iframe>
<script>
const say = text => { out.textContent += ' ' + text };
let ticks = 0; setInterval(() => { clock.textContent = ++ticks }, 5);
(function spin() { requestAnimationFrame(spin) })();
later.onclick = () => { setTimeout(() => fetch('/data').then(response => response.text()).then(text => setTimeout(() => say(text), 100)), 200) };
ask.onclick = () => say(confirm('Really?') + ' ' + prompt('Name?'));
window.open.name; document.getElementById('open').onclick = () => { window.open('/second', '_blank', 'noopener') };
listens.addEventListener('pointerdown', () => say('listened'));
far.onclick = () => say('far');
document.querySelector('select').onchange = event => say('chose ' + event.target.value);
</script>"#,
    ),
    (
        "/frame",
        "<!doctype html><button id=inner onclick=\"this.textContent = 'done'\">inner</button>",
    ),
    (
        "/second",
        "<!doctype html><title>second</title><p>second<script>setTimeout(() => document.body.append('later'), 50)</script>",
    ),
    (
        "/drawing",
        "<!doctype html><title>drawing</title><p id=one></p><p id=other></p><p id=third></p><script>
function draw() { one.textContent = Math.random(); setTimeout(update, 30) }
function update() { other.textContent = Math.random(); setTimeout(draw, 16) }
update();
setInterval(() => { setTimeout(function mark() { third.textContent = Math.random() }, 10) }, 40);
</script>",
    ),
    ("/data", "data"),
];

fn patience() -> Patience {
    Patience {
        deadline: PATIENCE,
        ..Patience::default()
    }
}

async fn start(browser: &str, folder: &Path, mode: Mode) -> Session {
    let authority = Arc::new(Authority::open(&folder.join("ca")).unwrap());
    let session = SessionOptions {
        launch: options(),
        deadline: PATIENCE,
        last_words: PATIENCE,
        ..SessionOptions::default()
    };
    Session::start(&find(browser, &[]).unwrap(), &authority, mode, session)
        .await
        .unwrap()
}

async fn click(session: &mut Session, selector: &str) {
    let action = Action::Click {
        spot: Spot::selector(selector),
    };
    let acted = session.act(&action).await.unwrap();
    assert!(matches!(acted, Acted::Done(_)), "{selector}: {acted:?}");
}

async fn out(session: &mut Session) -> String {
    let quiet = session.quiet(&patience()).await.unwrap();
    assert!(quiet.busy.is_empty(), "{quiet:?}");
    let text = session.browser().evaluate("out.textContent").await.unwrap();
    text.as_str().unwrap().trim().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_driven_and_says_when_it_has_come_to_rest() {
    let site = Site::serve(PAGES).await;
    let folder = tempfile::tempdir().unwrap();
    let mut session = start("chromium", folder.path(), Mode::Pass).await;
    let opened = session.open(&site.url("/"), &patience()).await.unwrap();
    assert!(
        opened.busy.is_empty() && matches!(opened.shown, Shown::Document { .. }),
        "{opened:?}"
    );

    click(&mut session, "#later").await;
    assert_eq!(out(&mut session).await, "data");
    click(&mut session, "#far").await;
    assert_eq!(out(&mut session).await, "data far");
    click(&mut session, "#ask").await;
    let quiet = session.quiet(&patience()).await.unwrap();
    assert_eq!(quiet.dialogs, ["confirm: Really?", "prompt: Name?"]);

    let found = session.candidates(&[], &["#ask".to_owned()]).await.unwrap();
    let named = |one: &Candidate| match (&one.target.id, one.text.as_str()) {
        (Some(id), _) => format!("#{id}"),
        (None, "") => one.tag.clone(),
        (None, text) => text.to_owned(),
    };
    let names: Vec<String> = found.iter().map(named).collect();
    let expected = [
        "#later", "#open", "#listens", "card", "input", "select", "Go", "next", "#file", "#far", "#inner",
    ];
    assert_eq!(names, expected);
    assert_eq!(found[2].heard, ["pointerdown"]);
    assert!(found[4].required && found[4].max_length == Some(9) && found[5].options.len() == 2);

    let inner = found.last().unwrap();
    let action = Action::Click {
        spot: Spot::target(&inner.frame, &inner.target),
    };
    assert!(matches!(session.act(&action).await.unwrap(), Acted::Done(_)));
    session.quiet(&patience()).await.unwrap();
    let look = session.look(true).await.unwrap();
    let texts: Vec<&str> = look.page.documents[1]
        .nodes
        .iter()
        .map(|node| node.text.as_str())
        .collect();
    assert!(texts.contains(&"done"), "{texts:?}");
    assert!(look.picture.is_some());

    click(&mut session, "#open").await;
    let stays = session.quiet(&patience()).await.unwrap();
    assert!(matches!(stays.shown, Shown::Document { url, .. } if url == site.url("/")));
    let popups = session.popups();
    assert_eq!(popups.len(), 1);
    assert_eq!(popups[0].url, site.url("/second"));

    click(&mut session, "a[href='/second']").await;
    let quiet = session.quiet(&patience()).await.unwrap();
    assert_eq!(quiet.navigations, 1);
    assert!(matches!(quiet.shown, Shown::Document { url, .. } if url == site.url("/second")));
    let text = session.browser().evaluate("document.body.innerText").await.unwrap();
    assert_eq!(text.as_str().unwrap().replace(char::is_whitespace, ""), "secondlater");
    session.finish().await.unwrap();
}

fn trace(folder: &Path) -> TraceWriter {
    let manifest = Manifest {
        format: FORMAT,
        recorder: "test".to_owned(),
        browser: None,
        viewport: None,
        start_url: None,
        time_zone: None,
        languages: Vec::new(),
        started_at_ms: 0,
        finished_at_ms: None,
        service_workers: false,
        redactions: Vec::new(),
    };
    TraceWriter::create(folder, manifest, Redaction::none()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_session_follows_another_with_a_trace_each() {
    let site = Site::serve(PAGES).await;
    let folder = tempfile::tempdir().unwrap();
    let first = folder.path().join("first");
    let mut session = start("chromium", folder.path(), Mode::Record(trace(&first))).await;
    for next in ["second", "third"] {
        session.open(&site.url("/"), &patience()).await.unwrap();
        let before = session
            .browser()
            .evaluate("localStorage.getItem('been')")
            .await
            .unwrap();
        assert!(before.is_null(), "{before}");
        session
            .browser()
            .evaluate("localStorage.setItem('been', 'here')")
            .await
            .unwrap();
        click(&mut session, "#later").await;
        assert_eq!(out(&mut session).await, "data");
        let choose = Action::Choose {
            spot: Spot::selector("select"),
            selected: Some(1),
            value: None,
        };
        session.act(&choose).await.unwrap();
        assert_eq!(out(&mut session).await, "data chose b");
        let mode = Mode::Record(trace(&folder.path().join(next)));
        let summary = session.start_over(mode).await.unwrap().unwrap();
        assert!(summary.not_written.is_empty());
        let (written, warnings) = Trace::open(&summary.folder).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        let labels: Vec<String> = written.events.iter().map(|event| written.label(event)).collect();
        assert!(labels.iter().any(|label| label.contains("change")), "{labels:?}");
        assert!(
            written
                .exchanges
                .iter()
                .any(|exchange| exchange.request.url.ends_with("/data"))
        );
    }
    session.finish().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn callbacks_that_take_turns_for_ever_keep_no_page_from_coming_to_rest() {
    let site = Site::serve(PAGES).await;
    let folder = tempfile::tempdir().unwrap();
    let mut session = start("chromium", folder.path(), Mode::Pass).await;
    let opened = session.open(&site.url("/drawing"), &patience()).await.unwrap();
    assert!(opened.busy.is_empty(), "{opened:?}");
    session.finish().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timer_is_kept_from_firing() {
    let site = Site::serve(PAGES).await;
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("trace");
    let mut session = start("chromium", folder.path(), Mode::Record(trace(&kept))).await;
    session.open(&site.url("/"), &patience()).await.unwrap();
    click(&mut session, "#later").await;
    out(&mut session).await;
    session.start_over(Mode::Pass).await.unwrap();
    let (written, _) = Trace::open(&kept).unwrap();
    let mut timers = written.events.iter().flat_map(|event| &event.local.timer);
    let last = timers.rfind(|timer| timer.delay == 100.0).unwrap();
    session.set("not_fired", serde_json::json!([{"callback": last.callback}]));
    session.open(&site.url("/"), &patience()).await.unwrap();
    click(&mut session, "#later").await;
    assert_eq!(out(&mut session).await, "");
    session.finish().await.unwrap();
}
