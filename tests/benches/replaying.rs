//! What replaying costs, as tables: `cargo bench -p xcheck-tests --bench replaying [-- SESSION ENGINE KEEP]`.
//! With a folder to KEEP them in, the sessions' traces stay, to look closer at.
//!
//! Sessions are recorded with pauses such as people make, and replayed with page data and screenshots. A page of so many
//! nodes tells what one checkpoint costs, with a picture and without one, and what collecting it again without a change
//! sends. Two engines at once are held against the slower one alone. The numbers are printed and never asserted.

use anyhow::{Context, Result};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use xcheck_agent::replay::{Checkpoints, Reference, ReplayOptions, ReplayRequest, replay_all};
use xcheck_proxy::Authority;
use xcheck_tests::recording::{Recorded, Recording};
use xcheck_tests::served::Served;
use xcheck_tests::sessions::{self, Case};
use xcheck_tests::site::Prelude;
use xcheck_tests::{browsers, paced, traces};
use xcheck_trace::Trace;
use xcheck_trace::run::Outcome;
use xcheck_trace::runs::RunReader;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = xcheck_tests::bench_arguments();
    let wanted = arguments.first().map_or("", String::as_str);
    let engine = arguments.get(1).map_or("chromium", String::as_str);
    sessions(wanted, engine, arguments.get(2).map(Path::new)).await?;
    checkpoints(engine).await
}

async fn sessions(wanted: &str, engine: &str, keep: Option<&Path>) -> Result<()> {
    println!("| session | recorded | replayed in {engine} | ratio | checkpoints |\n|---|---|---|---|---|");
    for case in sessions::all().iter().filter(|case| case.session.name.contains(wanted)) {
        let name = case.session.name;
        match session(case, engine, keep).await {
            Ok((recorded, replayed)) => println!(
                "| {name} | {:.1} s | {:.1} s | {:.2} | {} |",
                recorded.as_secs_f64(),
                replayed.took.as_secs_f64(),
                replayed.took.as_secs_f64() / recorded.as_secs_f64(),
                replayed.checkpoints
            ),
            Err(error) => println!("| {name} | not measured: {error:#} | | | |"),
        }
    }
    println!();
    Ok(())
}

async fn session(case: &Case, engine: &str, keep: Option<&Path>) -> Result<(Duration, Replayed)> {
    let started = Instant::now();
    let recorded = record(case).await?;
    let recording = started.elapsed();
    if let Some(folder) = keep {
        traces::copy(&recorded.folder(), &folder.join(case.session.name.replace(' ', "-")))?;
    }
    let replayed = replay(&recorded.trace, &[engine], Checkpoints::default()).await?;
    Ok((recording, replayed))
}

async fn record(case: &Case) -> Result<Recorded> {
    let served = Served::start(case.subject, Prelude::None).await?;
    let recording = Recording::start(&served.origin()).await?;
    let mut browser = browsers::start("chromium", Some(&recording.proxy)).await?;
    paced::play(&mut *browser, &served.origin(), &case.session, paced::PAUSE).await?;
    recording.close(browser).await?;
    recording.finish().await
}

struct Replayed {
    took: Duration,
    checkpoints: usize,
    /// Of page data, of each checkpoint.
    page_bytes: Vec<usize>,
}

async fn replay(trace: &Trace, engines: &[&str], checkpoints: Checkpoints) -> Result<Replayed> {
    let files = tempfile::tempdir()?;
    let browsers: Result<Vec<_>, _> = engines.iter().map(|engine| xcheck_agent::find(engine, &[])).collect();
    let request = ReplayRequest {
        trace: Arc::new(trace.clone()),
        trace_path: files.path().to_owned(),
        browsers: browsers?,
        reference: Reference::None,
        authority: Authority::open(&files.path().join("ca"))?,
        options: ReplayOptions {
            checkpoints,
            ..ReplayOptions::default()
        },
        at_once: engines.len(),
        folder: files.path().join("run"),
    };
    let started = Instant::now();
    let (_, outcomes) = replay_all(request, Arc::new(|_| {})).await?;
    let took = started.elapsed();
    for (name, outcome) in &outcomes {
        anyhow::ensure!(outcome.outcome == Outcome::Replayed, "{name}: {:?}", outcome.outcome);
    }
    let (reader, _) = RunReader::open(&files.path().join("run"))?;
    let (first, _) = reader.replay(reader.run.replays.first().context("there is a replay")?)?;
    let mut page_bytes = Vec::new();
    for checkpoint in &first.checkpoints {
        page_bytes.push(reader.page(&checkpoint.page_sha256)?.to_bytes()?.len());
    }
    Ok(Replayed {
        took,
        checkpoints: first.checkpoints.len(),
        page_bytes,
    })
}

/// A page of so many elements, with timers that change one of them, or nothing, each followed by a checkpoint.
async fn page(nodes: usize, change: &str, ticks: usize, folder: &Path) -> Result<Trace> {
    let items: String = (0..nodes / 2).map(|n| format!("<li><b>item {n}</b>")).collect();
    let page = format!(
        "<!doctype html><title>page</title><style>li{{float:left;width:60px}}</style><p id=out>0</p><ul>{items}</ul><script>
        let ticks = 0; const ticking = setInterval(() => {{ {change}; if (++ticks === {ticks}) {{ clearInterval(ticking); document.title = 'done' }} }}, 5)
        </script>"
    );
    traces::record(&[("page.html", &page)], "document.title === 'done'", folder).await?;
    Ok(Trace::open(folder)?.0)
}

const TICKS: usize = 40;

async fn checkpoints(engine: &str) -> Result<()> {
    let files = tempfile::tempdir()?;
    println!("| in {engine} | per checkpoint | page data, first | page data, later |\n|---|---|---|---|");
    let changing = "document.getElementById('out').textContent = ticks";
    for (what, nodes, change) in [
        ("1,000 nodes, one changes: with a picture", 1_000, changing),
        ("1,000 nodes, none changes: without one", 1_000, ""),
        ("5,000 nodes, none changes", 5_000, ""),
    ] {
        let trace = page(nodes, change, TICKS, &files.path().join(what)).await?;
        // What starting the browser and running the events takes is in both.
        let few = replay(&trace, &[engine], Checkpoints::default()).await?;
        let all = replay(&trace, &[engine], Checkpoints::EveryEvent).await?;
        let more = all.checkpoints.saturating_sub(few.checkpoints).max(1);
        let each = all.took.saturating_sub(few.took).as_secs_f64() * 1000.0 / more as f64;
        let (first, later) = all.page_bytes.split_first().context("there are checkpoints")?;
        let most = later.iter().max().copied().unwrap_or_default();
        println!(
            "| {what} | {each:.1} ms | {first} bytes | at most {most} bytes ({:.2} %) |",
            most as f64 * 100.0 / *first as f64
        );
    }
    let trace = page(1_000, changing, TICKS, &files.path().join("both")).await?;
    let one = replay(&trace, &["chromium"], Checkpoints::EveryEvent).await?.took;
    let other = replay(&trace, &["firefox"], Checkpoints::EveryEvent).await?.took;
    let both = replay(&trace, &["chromium", "firefox"], Checkpoints::EveryEvent)
        .await?
        .took;
    let slower = one.max(other);
    println!(
        "\nchromium alone {:.1} s, firefox alone {:.1} s, both at once {:.1} s: {:.2} of the slower",
        one.as_secs_f64(),
        other.as_secs_f64(),
        both.as_secs_f64(),
        both.as_secs_f64() / slower.as_secs_f64()
    );
    Ok(())
}
