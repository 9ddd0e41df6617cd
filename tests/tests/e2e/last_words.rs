//! A browser that ends right after the last thing that happened takes none of it along.

use anyhow::{Context, Result, ensure};
use xcheck_tests::program::World;
use xcheck_tests::recording::Recording;
use xcheck_tests::session::{Step, click};
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, runner};
use xcheck_trace::Trace;

/// Would rather not be left, as an editor with something unsaved in it.
const PAGE: &str = "<!doctype html><title>page</title><button>button</button><script>
document.querySelector('button').addEventListener('click', () => fetch('clicked'));
addEventListener('beforeunload', (event) => event.preventDefault());
addEventListener('pagehide', () => {});
addEventListener('load', () => setTimeout(() => fetch('loaded')));
</script><iframe src=frame.html></iframe>";
const FRAME: &str = "<!doctype html><title>frame</title><script>addEventListener('pagehide', () => {})</script>";

#[tokio::test(flavor = "multi_thread")]
async fn are_heard_from_chromium() {
    check("chromium", "pagehide").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn are_heard_from_firefox() {
    // Its `pagehide` is told in most runs only; see docs/known-gaps.md.
    check("firefox", "beforeunload").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn are_heard_from_webkit() {
    check("webkit", "pagehide").await.unwrap();
}

async fn check(browser: &str, last: &str) -> Result<()> {
    let (_folder, site) = site().await?;
    let recording = Recording::start(&site.url("/")).await?;
    let mut browser = browsers::start(browser, Some(&recording.proxy)).await?;
    for step in [Step::Open("/page.html"), click("button")] {
        runner::take(&mut *browser, &site.url(""), &step).await?;
    }
    recording.close(browser).await?;
    let trace = recording.finish().await?.trace;
    must_tell(&trace, "page.html", "click on button")?;
    must_tell(&trace, "page.html", &format!("{last} on window"))
}

/// The next page may have asked for its script, and never runs.
#[tokio::test(flavor = "multi_thread")]
async fn are_heard_of_a_page_that_is_on_its_way_to_another_one() {
    const LEAVING: &str = "<!doctype html><title>page</title><button>button</button><script>
document.querySelector('button').onclick = () => { location.href = 'frame.html'; };
</script>";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("page.html"), LEAVING).unwrap();
    std::fs::write(folder.path().join("frame.html"), FRAME).unwrap();
    let site = Site::http(folder.path().to_owned(), Prelude::None).await.unwrap();
    let recording = Recording::start(&site.url("/")).await.unwrap();
    let mut browser = browsers::start("chromium", Some(&recording.proxy)).await.unwrap();
    for step in [Step::Open("/page.html"), click("button")] {
        runner::take(&mut *browser, &site.url(""), &step).await.unwrap();
    }
    recording.close(browser).await.unwrap();
    let trace = recording.finish().await.unwrap().trace;
    must_tell(&trace, "page.html", "click on button").unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn are_heard_when_the_program_is_interrupted() {
    let (_folder, site) = site().await.unwrap();
    let world = World::new().unwrap();
    let url = site.url("/page.html");
    let mut running = world.start(&["record", &url, "--headless", "--out", "trace"]).unwrap();
    let asked = || Ok(site.asked_for("/loaded"));
    running.until("the page is there", asked).await.unwrap();
    running.signal("INT").unwrap();
    let status = running.ended().await.unwrap();
    assert!(status.success(), "{status}: {}", world.stderr().unwrap());
    let (trace, warnings) = Trace::open(&world.path("trace")).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    must_tell(&trace, "page.html", "pagehide on window").unwrap();
    world.must_be_empty().await.unwrap();
}

async fn site() -> Result<(tempfile::TempDir, Site)> {
    let folder = tempfile::tempdir()?;
    for (name, text) in [
        ("page.html", PAGE),
        ("frame.html", FRAME),
        ("clicked", ""),
        ("loaded", ""),
    ] {
        std::fs::write(folder.path().join(name), text)?;
    }
    let site = Site::http(folder.path(), Prelude::None).await?;
    Ok((folder, site))
}

fn must_tell(trace: &Trace, page: &str, label: &str) -> Result<()> {
    let load = trace.loads.iter().find(|load| load.url.ends_with(page));
    let load = load.with_context(|| format!("{page} was not recorded; notices: {:#?}", trace.notices))?;
    let labels: Vec<String> = trace
        .events_of(load.load)
        .iter()
        .map(|event| trace.label(event))
        .collect();
    ensure!(
        labels.iter().any(|known| known.starts_with(label)),
        "no `{label}` in {page}, only {labels:?}; all: {:?}",
        trace
            .events
            .iter()
            .map(|event| (event.load, event.id, trace.label(event)))
            .collect::<Vec<_>>()
    );
    Ok(())
}
