//! The law of replay, as a table: `cargo bench -p xcheck-tests --bench law [-- SESSION ENGINE,…]`.
//!
//! Each subject's session is recorded in Chromium and replayed twice in each engine. The table says at how many
//! checkpoints the two replays were the same to the byte, page data and screenshots, and how much diverged from the
//! recording. Runs stay in `target/law` to be looked at.

use anyhow::{Context, Result};
use std::path::Path;
use std::time::Instant;
use xcheck_tests::recording::{Recorded, Recording};
use xcheck_tests::replaying::twice;
use xcheck_tests::served::Served;
use xcheck_tests::sessions::{self, Case};
use xcheck_tests::site::Prelude;
use xcheck_tests::{browsers, runner};

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = xcheck_tests::bench_arguments();
    let wanted = arguments.first().map_or("", String::as_str);
    let engines = arguments.get(1).map_or("chromium,firefox,webkit", String::as_str);
    let folder = xcheck_tests::workspace().join("target/law");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    println!("| session | events | recorded | engine | same checkpoints | same outcomes | divergences | replayed |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut problems = Vec::new();
    for case in sessions::all().iter().filter(|case| case.session.name.contains(wanted)) {
        let started = Instant::now();
        let recorded = match record(case).await {
            Ok(recorded) => recorded,
            Err(error) => {
                println!("| {} | not recorded | | | | | | |", case.session.name);
                problems.push(format!("{}: {error:#}", case.session.name));
                continue;
            }
        };
        let recording = started.elapsed();
        keep(&recorded, &folder.join(case.session.name))?;
        let all = format!("{} | {:.1} s", recorded.trace.events.len(), recording.as_secs_f64());
        for engine in engines.split(',') {
            let told = row(case, &recorded, engine, &folder, &mut problems).await;
            let cells = told.unwrap_or_else(|error| {
                problems.push(format!("{} in {engine}: {error:#}", case.session.name));
                "not measured | | |".into()
            });
            println!("| {} | {all} | {engine} | {cells} |", case.session.name);
        }
    }
    println!("\n{}", problems.join("\n"));
    Ok(())
}

async fn row(
    case: &Case,
    recorded: &Recorded,
    engine: &str,
    folder: &Path,
    problems: &mut Vec<String>,
) -> Result<String> {
    let run = folder.join(format!("{} in {engine}", case.session.name));
    let replays = twice(&recorded.trace, engine, &run).await?;
    let (same, of) = replays.identical();
    let outcome = replays.first.outcome.as_ref().context("both have ended")?;
    for problem in replays.first_problems() {
        problems.push(format!("{} in {engine}: {problem}", case.session.name));
    }
    let outcomes = if replays.same_outcomes() { "yes" } else { "no" };
    Ok(format!(
        "{same} of {of} | {outcomes} | {} | {:.1} s",
        replays.divergences(),
        outcome.wall_ms as f64 / 1000.0
    ))
}

async fn record(case: &Case) -> Result<Recorded> {
    // As it is: what the page is given is the recorder's to keep, not the server's to hold still.
    let served = Served::start(case.subject, Prelude::None).await?;
    let recording = Recording::start(&served.origin()).await?;
    let mut browser = browsers::start("chromium", Some(&recording.proxy)).await?;
    runner::play(&mut *browser, &served.origin(), &case.session).await?;
    recording.close(browser).await?;
    recording.finish().await
}

fn keep(recorded: &Recorded, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder.parent().context("it has a parent")?)?;
    let copied = std::process::Command::new("cp")
        .arg("-r")
        .arg(recorded.folder())
        .arg(folder)
        .status()?;
    anyhow::ensure!(copied.success(), "the trace could not be kept in {}", folder.display());
    Ok(())
}
