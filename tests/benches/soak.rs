//! A long session over several subjects: `cargo bench -p xcheck-tests --bench soak [-- MINUTES ENGINE,…]`.
//!
//! One browser, one trace, the subjects' sessions one after the other, each with a server of its own and with pauses such as
//! people make, until the minutes are over (30 unless said otherwise); then the trace is replayed twice in each engine.
//! Between the rounds a page that asks for time and numbers all the while says how much memory its scripts have, recorder
//! included. The trace stays in `target/soak`.

use anyhow::{Context, Result};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};
use xcheck_agent::{Browser, CustomBrowser};
use xcheck_tests::recording::{Passing, Recorded, Recording};
use xcheck_tests::replaying::twice;
use xcheck_tests::served::Served;
use xcheck_tests::sessions::{self, Case};
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, paced, runner};
use xcheck_trace::manifest::Engine;

/// Those that need no server of their own and end without a popup.
const SESSIONS: [&str; 6] = ["todo list", "drag and dialog", "car", "timeline", "network", "chart"];

/// Rounds that are told, of all.
const LINES: usize = 12;

/// How long the same is done with no recorder, at most: what the browser keeps by itself grows or does not.
const CONTROL: Duration = Duration::from_secs(120);

/// An ordinary collection leaves what the engine has compiled, of pages long gone, too.
const COLLECTED: &str = "gc({ type: 'major', flavor: 'last-resort' }), performance.memory.usedJSHeapSize";

/// What a trace may cost.
const BYTES_PER_EVENT: u64 = 1024;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = xcheck_tests::bench_arguments();
    let minutes: f64 = arguments
        .first()
        .map_or(Ok(30.0), |minutes| minutes.parse())
        .context("MINUTES")?;
    let engines = arguments.get(1).map_or("chromium", String::as_str);
    let folder = xcheck_tests::workspace().join("target/soak");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let length = Duration::from_secs_f64(minutes * 60.0);
    print_memory("as it is", &pass(length.min(CONTROL)).await?);
    let (recorded, rounds) = record(length).await?;
    std::fs::create_dir_all(&folder)?;
    xcheck_tests::traces::copy(&recorded.folder(), &folder.join("trace"))?;
    let trace = &recorded.trace;
    let bytes = size_of(&recorded.folder())?;
    let logs = size_of_logs(&recorded.folder())?;
    let events = trace.events.len() as u64;
    println!(
        "{minutes} minutes, {} rounds, {} pages, {events} events",
        rounds.len(),
        trace.loads.len()
    );
    println!(
        "trace: {bytes} bytes, {} an event; logs alone {} an event, of {BYTES_PER_EVENT}",
        bytes / events,
        logs / events
    );
    print_memory("recorded", &rounds);
    for engine in engines.split(',') {
        let started = Instant::now();
        let replays = twice(trace, engine, &folder.join(engine)).await?;
        let (same, of) = replays.identical();
        println!(
            "{engine}: {same} of {of} checkpoints the same, outcomes {}, {} divergences, {:.0} s for both",
            if replays.same_outcomes() {
                "the same"
            } else {
                "not the same"
            },
            replays.divergences(),
            started.elapsed().as_secs_f64(),
        );
        for problem in replays.first_problems() {
            println!("  {problem}");
        }
    }
    Ok(())
}

/// The rounds by session, each with the memory that the restless page had after it.
type Rounds = Vec<(&'static str, f64)>;

async fn record(length: Duration) -> Result<(Recorded, Rounds)> {
    let restless = restless().await?;
    let recording = Recording::start(&restless.url("/")).await?;
    let mut browser = browsers::start_custom(that_tells(), Some(&recording.proxy)).await?;
    let rounds = rounds(&mut *browser, &restless, length).await?;
    recording.close(browser).await?;
    Ok((recording.finish().await?, rounds))
}

/// The same through a proxy that injects nothing: what the browser keeps by itself.
async fn pass(length: Duration) -> Result<Rounds> {
    let restless = restless().await?;
    let passing = Passing::start().await?;
    let mut browser = browsers::start_custom(that_tells(), Some(&passing.proxy)).await?;
    let rounds = rounds(&mut *browser, &restless, length).await?;
    browser.close().await?;
    Ok(rounds)
}

async fn restless() -> Result<Site> {
    Site::http(xcheck_tests::workspace().join("tests/sites"), Prelude::None).await
}

async fn rounds(browser: &mut dyn Browser, restless: &Site, length: Duration) -> Result<Rounds> {
    let cases = sessions::all();
    let cases: Vec<_> = cases
        .iter()
        .filter(|case| SESSIONS.contains(&case.session.name))
        .collect();
    let began = Instant::now();
    let mut rounds = Vec::new();
    let mut known = HashSet::new();
    for case in cases.iter().cycle() {
        if began.elapsed() >= length {
            break;
        }
        let served = somewhere_new(case, &mut known).await?;
        paced::play(browser, &served.origin(), &case.session, paced::PAUSE).await?;
        let heap = memory(browser, restless).await?;
        rounds.push((case.session.name, heap));
    }
    Ok(rounds)
}

/// A server whose origin the browser has not seen, so that it has nothing stored of a round before. Systems choose ports at
/// random, and within half an hour one twice.
async fn somewhere_new(case: &Case, known: &mut HashSet<String>) -> Result<Served> {
    loop {
        let served = Served::start(case.subject, Prelude::None).await?;
        if known.insert(served.origin()) {
            return Ok(served);
        }
    }
}

/// A browser that says how much memory scripts have, to the byte, and collects what nobody holds when it is asked to.
fn that_tells() -> CustomBrowser {
    CustomBrowser {
        name: "chromium-that-tells".into(),
        engine: Engine::Blink,
        binary: None,
        arguments: vec!["--enable-precise-memory-info".into(), "--js-flags=--expose-gc".into()],
        preferences: BTreeMap::new(),
    }
}

/// Megabytes of a page after two thousand timers, each with a number and a time.
async fn memory(browser: &mut dyn Browser, site: &Site) -> Result<f64> {
    runner::open(browser, &site.url("/bench/restless.html")).await?;
    runner::until(browser, "document.title === 'done'").await?;
    let heap = browser.evaluate(COLLECTED).await?;
    Ok(heap.as_f64().context("a number of bytes")? / 1_000_000.0)
}

fn print_memory(how: &str, rounds: &Rounds) {
    let every = rounds.len().div_ceil(LINES).max(1);
    for (round, (named, heap)) in rounds.iter().enumerate() {
        if round % every == 0 || round + 1 == rounds.len() {
            println!(
                "{how}, after round {} ({named}): {heap:.2} MB of scripts' memory in a page that never rests",
                round + 1
            );
        }
    }
}

fn size_of(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.metadata()?;
        bytes += if kind.is_dir() {
            size_of(&entry.path())?
        } else {
            kind.len()
        };
    }
    Ok(bytes)
}

/// Without the bodies, which are the subjects' own.
fn size_of_logs(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        bytes += if entry.metadata()?.is_file() {
            entry.metadata()?.len()
        } else {
            0
        };
    }
    Ok(bytes)
}
