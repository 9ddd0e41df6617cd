//! A trace replayed in one browser: once, or twice, and how far the two are the same.

use crate::differing;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use xcheck_agent::Installed;
use xcheck_agent::replay::{Reference, ReplayOptions, ReplayRequest, replay_all};
use xcheck_proxy::Authority;
use xcheck_trace::Trace;
use xcheck_trace::run::{Checkpoint, DivergenceKind, Outcome, ReplayOutcome, ReplayedEvent};
use xcheck_trace::runs::{Replay, RunReader};

pub struct Twice {
    reader: RunReader,
    pub first: Replay,
    pub second: Replay,
}

/// One replay, whatever becomes of it. `folder` is where the run is kept; it must not be there yet.
pub async fn once(trace: &Path, browser: Installed, options: ReplayOptions, folder: &Path) -> Result<ReplayOutcome> {
    let (opened, warnings) = Trace::open(trace)?;
    ensure!(warnings.is_empty(), "the trace has warnings: {warnings:?}");
    let files = TempDir::new()?;
    let request = ReplayRequest {
        trace: Arc::new(opened),
        trace_path: trace.to_owned(),
        browsers: vec![browser],
        reference: Reference::None,
        authority: Authority::open(files.path())?,
        options,
        at_once: 1,
        folder: folder.to_owned(),
    };
    let (_, mut outcomes) = replay_all(request, Arc::new(|_| {})).await?;
    let (_, outcome) = outcomes.pop().context("a replay has an outcome")?;
    Ok(outcome)
}

/// `folder` is where the run is kept; it must not be there yet.
pub async fn twice(trace: &Trace, browser: &str, folder: &Path) -> Result<Twice> {
    let installed = xcheck_agent::find(browser, &[]).with_context(|| format!("{browser} is needed for this test"))?;
    let files = TempDir::new()?;
    let request = ReplayRequest {
        trace: Arc::new(trace.clone()),
        trace_path: folder.to_owned(),
        browsers: vec![installed],
        reference: Reference::Twice(browser.to_owned()),
        authority: Authority::open(files.path())?,
        options: ReplayOptions::default(),
        at_once: 1,
        folder: folder.to_owned(),
    };
    let (run, outcomes) = replay_all(request, Arc::new(|_| {})).await?;
    for (name, outcome) in &outcomes {
        ensure!(outcome.outcome == Outcome::Replayed, "{name}: {:?}", outcome.outcome);
    }
    let (reader, warnings) = RunReader::open(folder)?;
    ensure!(warnings.is_empty(), "the run has warnings: {warnings:?}");
    let read = |index: usize| -> Result<Replay> {
        let name = run.replays.get(index).context("there are two replays")?;
        let (replay, warnings) = reader.replay(name)?;
        ensure!(warnings.is_empty(), "{name} has warnings: {warnings:?}");
        Ok(replay)
    };
    let (first, second) = (read(0)?, read(1)?);
    Ok(Twice { reader, first, second })
}

impl Twice {
    /// Checkpoints at which both looked the same, of how many.
    pub fn identical(&self) -> (usize, usize) {
        let (first, second) = (&self.first.checkpoints, &self.second.checkpoints);
        let same = first
            .iter()
            .zip(second)
            .filter(|(one, other)| is_same(one, other))
            .count();
        (same, first.len().max(second.len()))
    }

    pub fn same_outcomes(&self) -> bool {
        self.first.events == self.second.events
    }

    pub fn divergences(&self) -> usize {
        self.first.events.iter().map(|event| event.divergences.len()).sum()
    }

    /// What kinds of divergences there are.
    pub fn kinds(&self) -> BTreeSet<DivergenceKind> {
        let all = self.first.events.iter().flat_map(|event| &event.divergences);
        all.map(|divergence| divergence.kind).collect()
    }

    /// Whether a page was looked at without something that was to come: then the replay took longer than it has to.
    pub fn waited_in_vain(&self) -> bool {
        self.first.events.iter().any(|event| in_vain(event).is_some())
    }

    /// The first things that are not as they should be, for a person.
    pub fn first_problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let diverged = self.first.events.iter().filter(|event| !event.divergences.is_empty());
        problems.extend(diverged.take(3).map(divergences_of));
        problems.extend(self.first.events.iter().find_map(in_vain).cloned());
        let pairs = self.first.events.iter().zip(&self.second.events);
        if let Some((one, other)) = pairs.into_iter().find(|(one, other)| one != other) {
            problems.push(format!(
                "two outcomes: {}\n      and: {}",
                divergences_of(one),
                divergences_of(other)
            ));
        }
        let pairs = self.first.checkpoints.iter().zip(&self.second.checkpoints);
        if let Some((number, (one, other))) = pairs.enumerate().find(|(_, (one, other))| !is_same(one, other)) {
            let told = differing::checkpoints(&self.reader, one, other, &self.first.events);
            problems.push(format!("checkpoint {number}: {told}"));
        }
        problems
    }
}

/// Two that could not be pictured are not known to look the same.
fn is_same(one: &Checkpoint, other: &Checkpoint) -> bool {
    one == other && one.screenshot_sha256.is_some()
}

fn in_vain(event: &ReplayedEvent) -> Option<&String> {
    event
        .notes
        .iter()
        .find(|note| note.starts_with("looked at the page without"))
}

fn divergences_of(event: &ReplayedEvent) -> String {
    let told: Vec<String> = event
        .divergences
        .iter()
        .map(|found| format!("{:?}: expected {}, got {}", found.kind, found.expected, found.actual))
        .collect();
    format!(
        "event {} `{}`: {}; notes {:?}",
        event.place.number,
        event.label,
        told.join("; "),
        event.notes
    )
}
