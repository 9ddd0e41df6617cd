//! What becomes of a recording when something dies, fills up or is refused: the real program, with a real browser.

use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;
use xcheck_tests::program::{Running, World, signal};
use xcheck_tests::site::{Prelude, Site};
use xcheck_trace::{Trace, Warning};

async fn site() -> Result<Site> {
    Site::http(xcheck_tests::workspace().join("tests/sites"), Prelude::None).await
}

/// A headless recording of a page that is never quiet, with so many of its events on disk.
async fn ticking(world: &World, site: &Site, browser: &str, events: usize) -> Result<Running> {
    let url = site.url("/ticking.html");
    let mut running = world.start(&["record", &url, "--headless", "--browser", browser, "--out", "trace"])?;
    let log = world.path("trace/events.jsonl");
    running
        .until("its events are on disk", || Ok(lines(&log)? >= events))
        .await?;
    Ok(running)
}

fn lines(file: &Path) -> Result<usize> {
    match std::fs::read(file) {
        Ok(bytes) => Ok(bytes.iter().filter(|byte| **byte == b'\n').count()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(error.into()),
    }
}

/// The trace opens with nothing worse than that it was not finished, and holds each event from the first to the last.
fn must_hold(world: &World, events: usize, unfinished: bool) -> Result<Trace> {
    let (trace, warnings) = Trace::open(&world.path("trace"))?;
    let said_unfinished = warnings.contains(&Warning::Unfinished);
    ensure!(
        said_unfinished == unfinished,
        "unfinished: {unfinished}, warnings: {warnings:?}"
    );
    let of_page = trace.events_of(1);
    ensure!(of_page.len() >= events, "{} events of {events} are left", of_page.len());
    for (number, event) in of_page.iter().enumerate() {
        ensure!(
            event.id as usize == number,
            "event {number} is missing; warnings: {warnings:?}"
        );
        ensure!(event.what.is_some(), "event {number} lost what it was");
    }
    Ok(trace)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_recorder_leaves_all_that_was_flushed() {
    let site = site().await.unwrap();
    for events in [1, 3, 20, 60] {
        let world = World::new().unwrap();
        let mut running = ticking(&world, &site, "chromium", events).await.unwrap();
        let flushed = lines(&world.path("trace/events.jsonl")).unwrap();
        running.signal("KILL").unwrap();
        running.ended().await.unwrap();
        must_hold(&world, flushed.min(events), true).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_chromium_ends_the_recording_in_order() {
    browser_killed("chromium", "chromium").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_firefox_ends_the_recording_in_order() {
    browser_killed("firefox", "firefox").await.unwrap();
}

async fn browser_killed(browser: &str, word: &str) -> Result<()> {
    let site = site().await?;
    let world = World::new()?;
    let mut running = ticking(&world, &site, browser, 20).await?;
    let processes = running.processes(word)?;
    ensure!(!processes.is_empty(), "no {word} runs");
    for pid in processes {
        // Helpers end by themselves once the browser is gone.
        let _may_be_gone = signal("KILL", &pid.to_string());
    }
    running.ended().await?;
    must_hold(&world, 20, false).with_context(|| world.stderr().unwrap_or_default())?;
    world.must_be_empty().await
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_finishes_a_recording_in_chromium() {
    interrupted("chromium").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_finishes_a_recording_in_firefox() {
    interrupted("firefox").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_finishes_a_recording_in_webkit() {
    interrupted("webkit").await.unwrap();
}

async fn interrupted(browser: &str) -> Result<()> {
    let site = site().await?;
    let world = World::new()?;
    let mut running = ticking(&world, &site, browser, 20).await?;
    running.interrupt_group()?;
    let status = running.ended().await?;
    ensure!(status.code() == Some(0), "{status}: {}", world.stderr()?);
    must_hold(&world, 20, false)?;
    world.must_be_empty().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_said_and_the_page_goes_on() {
    let site = site().await.unwrap();
    let world = World::new().unwrap();
    // A file may grow to 1 MiB here; what would be written beyond is refused, as on a full disk.
    let script = r#"trap '' XFSZ; ulimit -f 1024; exec "$0" "$@""#;
    let mut command = Command::new("bash");
    let fetching = "for n in 1 2 3 4 5 6 7 8 9 10; do curl -sf -o /dev/null -w '%{size_download}\n' $XCHECK_URL?$n || exit 9; done";
    command.args(["-c", script]).arg(xcheck_tests::xcheck().unwrap());
    command.args([
        "record",
        &site.url("/~/noise/3000000"),
        "--out",
        "trace",
        "--",
        "sh",
        "-c",
        fetching,
    ]);
    let mut running = world.start_command(command).unwrap();
    let status = running.ended().await.unwrap();
    let said = world.stderr().unwrap();
    let fetched = std::fs::read_to_string(world.path("stdout")).unwrap();
    assert_eq!(fetched, "3000000\n".repeat(10), "{status}: {said}");
    assert_ne!(status.code(), Some(0), "it ended as if all had been kept: {said}");
    assert!(said.contains("File too large"), "{said}");
    let (trace, _) = Trace::open(&world.path("trace")).unwrap();
    assert_eq!(trace.exchanges.len(), 10);
    world.must_be_empty().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_that_is_taken_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    refused(&["record", "--listen", &address, "--out", "trace"], &address)
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_cannot_be_written_is_named_before_anything_starts() {
    let url = "http://127.0.0.1:9/";
    refused(
        &["record", url, "--headless", "--out", "/proc/xcheck/trace"],
        "/proc/xcheck/trace",
    )
    .await
    .unwrap();
    refused(
        &["record", url, "--headless", "--out", "/dev/null/trace"],
        "/dev/null/trace",
    )
    .await
    .unwrap();
}

async fn refused(arguments: &[&str], names: &str) -> Result<()> {
    let world = World::new()?;
    let status = world.start(arguments)?.ended().await?;
    let said = world.stderr()?;
    ensure!(status.code() == Some(2), "{status}: {said}");
    ensure!(said.contains(names), "it does not name {names}: {said}");
    world.must_be_empty().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_passes_its_status_on_and_its_requests_are_kept() {
    let site = site().await.unwrap();
    let world = World::new().unwrap();
    let url = site.url("/second-page.html");
    let fetching = "curl -sf -o page.html $XCHECK_URL; exit 7";
    let mut running = world
        .start(&["record", &url, "--out", "trace", "--", "sh", "-c", fetching])
        .unwrap();
    assert_eq!(
        running.ended().await.unwrap().code(),
        Some(7),
        "{}",
        world.stderr().unwrap()
    );
    let page = std::fs::read_to_string(world.path("page.html")).unwrap();
    assert!(page.contains("/__xcheck/"), "the recorder is not in {page}");
    let (trace, warnings) = Trace::open(&world.path("trace")).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(trace.exchanges.len(), 1);
    world.must_be_empty().await.unwrap();
}
