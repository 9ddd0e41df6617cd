//! Small pages of our own, one for each source of non-determinism: what the page was given stands in the trace, with
//! the event that was given it, in order. Each page says in its file what that is.

use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use xcheck_tests::recording::{Recorded, Recording};
use xcheck_tests::replaying::twice;
use xcheck_tests::session::{Step, Step::*, click, off, on};
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, expected, runner};
use xcheck_trace::runs::RunReader;

const DONE: Step = Until("document.title === 'done'");

/// `webkit:` says why a page is not replayed the same there yet; that replay is run by `cargo test -- --ignored`.
macro_rules! pages {
    ($($name:ident $(, webkit: $reason:literal)?: $steps:expr;)*) => {
        $(mod $name {
            #[tokio::test(flavor = "multi_thread")]
            async fn is_recorded_in_chromium() {
                super::check("chromium", stringify!($name), super::$name()).await.unwrap();
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn is_recorded_in_firefox() {
                super::check("firefox", stringify!($name), super::$name()).await.unwrap();
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn is_replayed_the_same_each_time() {
                super::replay(stringify!($name), super::$name(), engines!($($reason)?)).await.unwrap();
            }

            $(#[tokio::test(flavor = "multi_thread")]
            #[ignore = $reason]
            async fn is_replayed_the_same_each_time_in_webkit() {
                super::replay(stringify!($name), super::$name(), &["webkit"]).await.unwrap();
            })?
        }

        fn $name() -> Vec<Step> {
            $steps.to_vec()
        })*
    };
}

macro_rules! engines {
    () => {
        &["chromium", "firefox", "webkit"]
    };
    ($but_webkit:literal) => {
        &["chromium", "firefox"]
    };
}

pages! {
    timers: [Open("/timers.html"), DONE];
    animation_frames: [Open("/animation-frames.html"), DONE];
    idle: [Open("/idle.html"), DONE];
    random: [Open("/random.html"), DONE];
    dates: [Open("/dates.html"), DONE];
    xhr: [Open("/xhr.html"), DONE];
    fetch: [Open("/fetch.html"), DONE];
    errors: [Open("/errors.html"), DONE];
    hovering: [Open("/hovering.html"), click("li"), DONE];
    popup: [
        Open("/popup.html"),
        click("button"),
        DONE,
        click("a"),
        Until("document.title === 'done true'"),
    ];
    embedding: [Open("/embedding.html"), DONE];
    gestures, webkit: "whether the text that appears in mid-drag is selected differs from replay to replay": [
        Open("/gestures.html"),
        click("#name"),
        Type("Ada"),
        Until("document.title === 'typed Ada'"),
        click("button"),
        Until("document.title === 'saved'"),
        click("#agree"),
        Until("document.title === 'agreed'"),
        Drag(on("#drag"), off("#drag", 40.0, 5.0)),
        Until("document.title === 'dropped'"),
    ];
    between: [Open("/between.html"), DONE];
    imports: [Open("/imports.html"), DONE];
    awaiting: [Open("/awaiting.html"), DONE];
    opened: [Open("/opened.html"), Until("document.title === 'shown'")];
    shadows: [
        Open("/shadows.html"),
        click("x-made >> button"),
        Until("document.title === 'x-made'"),
        click("x-parsed >> button"),
        Until("document.title === 'x-parsed'"),
    ];
    moving: [
        Open("/moving.html"),
        Until("document.title === 'ended'"),
        click("#first"),
        Until("document.title === 'over'"),
    ];
    older_names: [
        Open("/older-names.html"),
        click("button"),
        Until("document.title === 'moved 1'"),
    ];
    cached: [
        Open("/cached.html"),
        DONE,
        click("a"),
        Until("document.title === 'done?again'"),
    ];
    inherited: [
        Open("/inherited.html"),
        click("button"),
        Until("document.title === 'on'"),
        click("button"),
        Until("document.title === 'off'"),
    ];
    scrolling: [Open("/scrolling.html"), click("button"), DONE];
    first_page: [
        Open("/first-page.html"),
        click("button"),
        Until("document.title === 'pushed'"),
        Back,
        Until("document.title === 'popped null'"),
        click("#part"),
        Until("location.hash === '#part'"),
        click("a"),
        Until("document.title === 'arrived'"),
        click("a"),
        Until("document.title === 'first page'"),
    ];
}

/// Firefox and WebKit begin a native drag and never end it, so that it can be recorded in Chromium only.
#[tokio::test(flavor = "multi_thread")]
async fn a_native_drag_is_replayed_to_its_end_in_every_engine() {
    let steps = vec![Open("/dropping.html"), Drag(on("#card"), on("#box")), DONE];
    let recorded = record("chromium", &steps).await.unwrap();
    let runs = tempfile::tempdir().unwrap();
    for engine in ["chromium", "firefox", "webkit"] {
        let replays = twice(&recorded.trace, engine, &runs.path().join(engine)).await.unwrap();
        let problems = replays.first_problems().join("\n");
        assert_eq!(replays.divergences(), 0, "{engine}: {problems}");
        let (same, of) = replays.identical();
        assert!(same == of && of > 0 && replays.same_outcomes(), "{engine}: {problems}");
        let last = replays.first.checkpoints.last().expect("it was looked at");
        let (reader, _) = RunReader::open(&runs.path().join(engine)).unwrap();
        assert_eq!(
            reader.page(&last.page_sha256).unwrap().documents[0].title,
            "done",
            "{engine}"
        );
    }
}

fn sites() -> PathBuf {
    xcheck_tests::workspace().join("tests/sites")
}

/// Records the steps, and holds each document's events against what its file expects.
async fn check(browser: &str, page: &str, steps: Vec<Step>) -> Result<()> {
    let recorded = record(browser, &steps).await?;
    let trace = &recorded.trace;
    ensure!(!trace.loads.is_empty(), "no document was recorded: {:?}", trace.notices);
    for load in &trace.loads {
        let Some(path) = load.url.split(['?', '#']).next().and_then(|url| url.rsplit('/').next()) else {
            continue;
        };
        let file = sites().join(path);
        if file.is_file() {
            expected::must_hold(trace, load.load, &file).with_context(|| format!("{page} in {browser}"))?;
        }
    }
    Ok(())
}

/// What an engine does otherwise than Chromium on these pages, by itself or because of a gap of ours.
const OTHERWISE: [(&str, &str); 3] = [
    // It has no `cancelIdleCallback`.
    ("idle", "webkit"),
    // Scripts of a `srcdoc` frame run without our sources.
    ("embedding", "webkit"),
    // Whether it tells of what has come below the pointer without moving.
    ("moving", "firefox"),
];

/// Recorded in Chromium, it is replayed twice in each engine: both times the same, to the byte, and just as it was
/// recorded.
async fn replay(page: &str, steps: Vec<Step>, engines: &[&str]) -> Result<()> {
    let recorded = record("chromium", &steps).await?;
    let runs = tempfile::tempdir()?;
    for engine in engines {
        let replays = twice(&recorded.trace, engine, &runs.path().join(engine)).await;
        let replays = replays.with_context(|| format!("{page} in {engine}"))?;
        let (same, of) = replays.identical();
        let diverged = replays.divergences() > 0 && !OTHERWISE.contains(&(page, engine));
        ensure!(
            same == of && of > 0 && replays.same_outcomes() && !diverged,
            "{page} in {engine}: {same} of {of} checkpoints are the same\n  {}",
            replays.first_problems().join("\n  ")
        );
    }
    Ok(())
}

async fn record(browser: &str, steps: &[Step]) -> Result<Recorded> {
    let site = Site::http(sites(), Prelude::None).await?;
    let recording = Recording::start(&site.url("/")).await?;
    let mut browser = browsers::start(browser, Some(&recording.proxy)).await?;
    let mut played = Ok(());
    for step in steps {
        if played.is_ok() {
            played = runner::take(&mut *browser, &site.url(""), step).await;
        }
    }
    let left = recording.close(browser).await;
    let recorded = recording.finish().await?;
    played.with_context(|| format!("notices: {:?}", recorded.trace.notices))?;
    left?;
    Ok(recorded)
}
