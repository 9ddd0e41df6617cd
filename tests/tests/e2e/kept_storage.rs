//! What stood in IndexedDB and Cache when a session began is recorded, and there again when it is replayed.
//!
//! The page (`tests/sites/kept/page.html`) reads all of it and sends what it found to its server, in one request: whatever is
//! not as it was makes another request, which is a divergence.

use anyhow::{Context, Result, ensure};
use std::sync::Arc;
use xcheck_agent::Browser;
use xcheck_agent::rerun::{Ended, Job, RerunOptions, Rerunning, Wants, Worker, actions};
use xcheck_proxy::{Authority, UpstreamProxy, UpstreamTrust};
use xcheck_tests::recording::{Recorded, Recording};
use xcheck_tests::side_by_side::{self, Seen};
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, runner};
use xcheck_trace::notice::NoticeKind;

/// In no document of ours: what an earlier session leaves.
const FILL: &str = include_str!("../../sites/kept/fill.js");

/// The second part of a path that adds a header to the file behind it.
const STRICT: &str = "/~/with/content-security-policy:default-src%20'none';script-src%20'unsafe-inline';connect-src%20'none';frame-src%20'self'";
const SANDBOX: &str = "/~/with/content-security-policy:sandbox%20allow-scripts";

#[tokio::test(flavor = "multi_thread")]
async fn of_chromium_is_there_again_in_every_engine() {
    check("chromium", false, &["chromium", "firefox", "webkit"])
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_firefox_is_there_again() {
    check("firefox", true, &["firefox", "chromium"]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_webkit_is_there_again() {
    check("webkit", false, &["webkit"]).await.unwrap();
}

/// It may leave out that one record only, and says so.
#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_stores_no_blobs_has_all_but_those() {
    let recorded = record("chromium", true, &["/kept/page.html"]).await.unwrap();
    let seen = seen(&recorded, &["chromium", "webkit"]).await.unwrap();
    assert!(seen[0].divergences().is_empty(), "{:?}", seen[0].divergences());
    let notes = not_restored(&seen[1]);
    assert!(
        notes.len() == 1 && notes[0].contains("a record of \"settings\""),
        "{notes:?}"
    );
}

async fn check(engine: &str, blobs: bool, others: &[&str]) -> Result<()> {
    let recorded = record(engine, blobs, &["/kept/page.html"]).await?;
    let kept: Vec<&str> = with_databases(&recorded);
    ensure!(kept == ["/kept/page.html"], "told by {kept:?}");
    let notices = notices(&recorded, NoticeKind::NotKept);
    ensure!(
        notices.len() == 1 && notices[0].contains("\"not to be had\"") && notices[0].contains("CryptoKey"),
        "{notices:?}"
    );
    let verification = xcheck_trace::verify(&recorded.trace);
    ensure!(verification.problems.is_empty(), "{:?}", verification.problems);
    replays(&recorded, others).await
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_there_when_the_session_is_played_again() {
    let recorded = record("chromium", false, &["/kept/looking.xhtml"]).await.unwrap();
    let files = tempfile::tempdir().unwrap();
    let mut worker = Worker::new(Rerunning {
        trace: Arc::new(recorded.trace.clone()),
        browser: xcheck_agent::find("chromium", &[]).unwrap(),
        authority: Authority::open(files.path()).unwrap(),
        options: RerunOptions::default(),
        upstream_proxy: UpstreamProxy::Direct,
        upstream_trust: UpstreamTrust::default(),
    });
    let actions = actions(&recorded.trace);
    let ran = worker.run(&actions, &Job::plain(0), &mut |_, _| Wants::Nothing).await;
    worker.close().await.unwrap();
    let ran = ran.unwrap();
    assert_eq!(ran.ended, Ended::Through);
    let look = ran.looks.last().unwrap();
    let nodes = look.page.documents.iter().flat_map(|document| &document.nodes);
    let texts: Vec<&str> = nodes.map(|node| node.text.as_str()).collect();
    assert!(texts.contains(&"189 users"), "{texts:?}, {:?}", look.notes);
}

/// A policy that lets the page connect to nobody, and a document before it that is of no origin.
#[tokio::test(flavor = "multi_thread")]
async fn behind_a_policy_and_after_a_sandbox_it_is_kept_too() {
    let sandboxed = format!("{SANDBOX}/kept/sandboxed.html");
    let strict = format!("{STRICT}/kept/looking.xhtml");
    for engine in ["chromium", "firefox", "webkit"] {
        let recorded = record(engine, false, &[&sandboxed, &strict]).await.unwrap();
        let kept = with_databases(&recorded);
        assert!(
            kept.len() == 1 && kept[0].ends_with("looking.xhtml"),
            "{engine}: {kept:?}"
        );
        replays(&recorded, &[engine]).await.unwrap();
    }
}

/// A browser that xcheck has just made has nothing, and pays nothing.
#[tokio::test(flavor = "multi_thread")]
async fn of_a_new_profile_nothing_is_asked() {
    let site = site().await.unwrap();
    let recording = Recording::start(&site.url("/")).await.unwrap();
    let mut browser = browsers::start("chromium", Some(&recording.proxy)).await.unwrap();
    runner::open(&mut *browser, &site.url("/kept/frame.html"))
        .await
        .unwrap();
    let tags = "performance.getEntriesByType('resource').filter((entry) => entry.name.includes('/__xcheck/') && entry.initiatorType === 'script').length";
    assert_eq!(browser.evaluate(tags).await.unwrap(), 1);
    recording.close(browser).await.unwrap();
    assert!(with_databases(&recording.finish().await.unwrap()).is_empty());
}

/// A database that somebody changes in another window cannot be opened: the page comes all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_whose_databases_cannot_be_read_comes_all_the_same() {
    let site = site().await.unwrap();
    let recording = Recording::of_used_profiles(&site.url("/")).await.unwrap();
    let mut browser = browsers::start("chromium", Some(&recording.proxy)).await.unwrap();
    runner::open(&mut *browser, &site.url("/kept/plain.txt")).await.unwrap();
    let holding = "new Promise((resolve) => {
        const made = indexedDB.open('held', 1);
        made.onsuccess = () => {
            made.result.close();
            const upgrading = indexedDB.open('held', 2);
            upgrading.onupgradeneeded = () => {
                const store = upgrading.result.createObjectStore('s');
                const again = () => (store.get(1).onsuccess = again);
                again();
                resolve(true);
            };
        };
    })";
    assert_eq!(browser.evaluate(holding).await.unwrap(), true);
    let opened = "(window.opened = open('/kept/frame.html', '_blank')) !== null";
    assert_eq!(browser.evaluate(opened).await.unwrap(), true);
    let there = "opened.document.title === 'frame' && opened.document.readyState === 'complete'";
    runner::until(&mut *browser, there).await.unwrap();
    recording.close(browser).await.unwrap();
    let recorded = recording.finish().await.unwrap();
    let notices = notices(&recorded, NoticeKind::NotKept);
    assert!(
        notices.len() == 1 && notices[0].contains("could not be read in time"),
        "{notices:?}"
    );
    assert!(with_databases(&recorded).is_empty());
}

/// A session in a browser that was used before, on these pages one after the other.
async fn record(engine: &str, blobs: bool, paths: &[&str]) -> Result<Recorded> {
    let site = site().await?;
    let recording = Recording::of_used_profiles(&site.url("/")).await?;
    let mut browser = browsers::start(engine, Some(&recording.proxy)).await?;
    let played = play(&mut *browser, &site, blobs, paths).await;
    recording.close(browser).await?;
    let recorded = recording.finish().await?;
    played.with_context(|| format!("{engine}; notices: {:?}", recorded.trace.notices))?;
    Ok(recorded)
}

async fn play(browser: &mut dyn Browser, site: &Site, blobs: bool, paths: &[&str]) -> Result<()> {
    runner::open(browser, &site.url("/kept/plain.txt")).await?;
    let fill = match blobs {
        true => FILL.to_owned(),
        false => FILL.replace("BLOBS = true", "BLOBS = false"),
    };
    let script =
        format!("void ({fill}).then(() => 'filled', String).then((outcome) => {{ document.title = outcome; }})");
    browser.evaluate(&script).await?;
    runner::until(browser, "document.title").await?;
    let filled = browser.evaluate("document.title").await?;
    ensure!(filled == "filled", "the storage was not filled: {filled}");
    for path in paths {
        runner::open(browser, &site.url(path)).await?;
        runner::until(
            browser,
            "document.title === 'read' || document.title.startsWith('failed')",
        )
        .await?;
        let title = browser.evaluate("document.title").await?;
        ensure!(title == "read", "{path}: {title}");
    }
    Ok(())
}

async fn replays(recorded: &Recorded, engines: &[&str]) -> Result<()> {
    for (engine, seen) in engines.iter().zip(seen(recorded, engines).await?) {
        let divergences = seen.divergences();
        let notes = not_restored(&seen);
        ensure!(notes.is_empty(), "{engine}: {notes:?}");
        ensure!(
            divergences.is_empty(),
            "{engine}: {divergences:?}; in place of what was said: {:?}",
            otherwise(recorded, &seen)
        );
    }
    Ok(())
}

/// The lines that the page said to its server when it was recorded, and not now.
fn otherwise(recorded: &Recorded, seen: &Seen) -> Vec<(String, String)> {
    let exchange = recorded
        .trace
        .exchanges
        .iter()
        .find(|exchange| exchange.request.method == "POST");
    let body = exchange.and_then(|exchange| exchange.request.body.as_ref());
    let said = body.map(|body| {
        recorded
            .trace
            .bodies()
            .read(&body.sha256)
            .and_then(|reader| reader.bytes(1 << 20))
    });
    let said = said.transpose().ok().flatten().unwrap_or_default();
    let now = seen.texts("said").pop().unwrap_or_default();
    let pairs = String::from_utf8_lossy(&said)
        .lines()
        .map(str::to_owned)
        .zip(now.lines().map(str::to_owned))
        .collect::<Vec<_>>();
    pairs.into_iter().filter(|(one, other)| one != other).collect()
}

async fn seen(recorded: &Recorded, engines: &[&str]) -> Result<Vec<Seen>> {
    let folder = tempfile::tempdir()?;
    let installed: Result<Vec<_>> = engines
        .iter()
        .map(|name| xcheck_agent::find(name, &[]).with_context(|| format!("{name} is needed for this test")))
        .collect();
    side_by_side::replay(recorded, installed?, &folder.path().join("run")).await
}

fn not_restored(seen: &Seen) -> Vec<&str> {
    let notes = seen.replay.events.iter().flat_map(|event| &event.notes);
    notes
        .map(String::as_str)
        .filter(|note| note.contains("not restored"))
        .collect()
}

/// Paths of the loads that have databases.
fn with_databases(recorded: &Recorded) -> Vec<&str> {
    let loads = recorded.trace.loads.iter();
    let told = loads.filter(|load| load.storage.as_ref().is_some_and(|storage| storage.databases.is_some()));
    told.map(|load| path_of(&load.url)).collect()
}

fn path_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    url[host..].find('/').map_or("", |at| &url[host + at..])
}

fn notices(recorded: &Recorded, kind: NoticeKind) -> Vec<&str> {
    let of_kind = recorded.trace.notices.iter().filter(|notice| notice.kind == kind);
    of_kind.map(|notice| notice.text.as_str()).collect()
}

async fn site() -> Result<Site> {
    Site::http(xcheck_tests::workspace().join("tests/sites"), Prelude::None).await
}
