//! Replays of the recorded sessions, each in a run of its own: what the other questions look at.

use crate::recorded;
use crate::store::Store;
use crate::subjects::Subject;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;
use xcheck_agent::Installed;
use xcheck_agent::replay::ReplayOptions;
use xcheck_tests::{old_builds, replaying};
use xcheck_trace::run::Outcome;
use xcheck_trace::runs::{Replay, RunReader};

/// The law of replay is held against so many.
pub(crate) const TIMES: usize = 3;

/// For one answer of a browser, on a machine that does other things as well.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Replayed {
    /// With the browser's start and end, page data and screenshots.
    pub(crate) wall_s: f64,
    pub(crate) events: u32,
    pub(crate) checkpoints: usize,
    pub(crate) divergences: usize,
    pub(crate) version: String,
}

/// A stored replay, open for reading.
pub(crate) struct Stored {
    pub(crate) run: RunReader,
    pub(crate) replay: Replay,
}

pub(crate) fn key(subject: &Subject, engine: &str, number: usize) -> String {
    format!("replayed/{}/{engine}-{number}", subject.slug())
}

pub(crate) fn folder(store: &Store, subject: &Subject, engine: &str, number: usize) -> PathBuf {
    store
        .path("replays")
        .join(subject.slug())
        .join(format!("{engine}-{number}"))
}

pub(crate) async fn replay(subject: &Subject, engine: &str, number: usize, store: &Store) -> Result<Replayed> {
    let installed = old_builds::installed(engine)?;
    let into = folder(store, subject, engine, number);
    of_trace(
        &recorded::trace(store, subject),
        installed,
        ReplayOptions::default(),
        &into,
    )
    .await
}

/// Any trace in any browser. `into` is made anew.
pub(crate) async fn of_trace(
    trace: &Path,
    browser: Installed,
    options: ReplayOptions,
    into: &Path,
) -> Result<Replayed> {
    if into.exists() {
        std::fs::remove_dir_all(into)?;
    }
    std::fs::create_dir_all(into.parent().context("replays have a folder")?)?;
    let options = ReplayOptions {
        deadline: PATIENCE,
        ..options
    };
    let outcome = replaying::once(trace, browser, options, into).await?;
    if let Outcome::NotMeasured { reason } = outcome.outcome {
        bail!("{reason}");
    }
    let stored = open(into)?;
    Ok(Replayed {
        wall_s: Duration::from_millis(outcome.wall_ms).as_secs_f64(),
        events: outcome.events,
        checkpoints: stored.replay.checkpoints.len(),
        divergences: stored.replay.events.iter().map(|event| event.divergences.len()).sum(),
        version: outcome.browser.version,
    })
}

/// The only replay of a run, which must be whole.
pub(crate) fn open(folder: &Path) -> Result<Stored> {
    let (run, _) = RunReader::open(folder)?;
    let name = run.run.replays.first().context("a run has a replay")?.clone();
    let (replay, warnings) = run.replay(&name)?;
    if let Some(warning) = warnings.first() {
        bail!("{}: {warning}", folder.display());
    }
    if !matches!(
        replay.outcome.as_ref().map(|outcome| &outcome.outcome),
        Some(Outcome::Replayed)
    ) {
        bail!("the replay in {} was not measured", folder.display());
    }
    Ok(Stored { run, replay })
}
