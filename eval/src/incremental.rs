//! RQ2: what looking only at what changed saves, state by state, against every node at every state.
//!
//! As in the paper, structure and text alone are compared: opening pictures costs both ways the same. Page data are read
//! before the clock starts. Times are those between two requests for the next state; the median of three runs.

use crate::replays::{self, Stored};
use crate::store::Store;
use crate::subjects::{ENGINES, Subject};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::time::Instant;
use xcheck_analyzer::findings::{Mode, VisualMode};
use xcheck_analyzer::replay::{NoScreenshots, Replay, Shown};
use xcheck_analyzer::{Mask, Options, compare};

const RUNS: usize = 3;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Incremental {
    pub(crate) states: Vec<State>,
    /// Findings of each, which should be the same.
    pub(crate) findings: (usize, usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    /// On the reference's page.
    pub(crate) nodes: usize,
    /// The first of its document: there is nothing yet to be incremental to.
    pub(crate) first: bool,
    pub(crate) incremental_ms: f64,
    pub(crate) full_ms: f64,
    pub(crate) incremental_checked: u64,
    pub(crate) full_checked: u64,
}

/// One comparison of everything.
struct Timed {
    milliseconds: Vec<f64>,
    findings: usize,
}

pub(crate) fn key(subject: &Subject, engine: &str) -> String {
    format!("incremental/{}/{engine}", subject.slug())
}

pub(crate) fn measure(subject: &Subject, engine: &str, store: &Store) -> Result<Incremental> {
    let open = |engine: &str| replays::open(&replays::folder(store, subject, engine, 1)).context(engine.to_owned());
    let (reference, other) = (open(ENGINES[0])?, open(engine)?);
    let (shown, also_shown): (Vec<Shown>, Vec<Shown>) = (reference.shown().collect(), other.shown().collect());
    let runs = |mode: Mode| -> Vec<Timed> {
        (0..RUNS)
            .map(|_| timed(&reference, &shown, &other, &also_shown, mode))
            .collect()
    };
    let (incremental, full) = (runs(Mode::Incremental), runs(Mode::Full));
    let checked = |mode| checked(&reference, &shown, &other, &also_shown, mode);
    let (incremental_checked, full_checked) = (checked(Mode::Incremental), checked(Mode::Full));
    let sizes = sizes(&reference)?;
    let states = (0..shown.len())
        .map(|at| State {
            nodes: sizes[at].0,
            first: sizes[at].1,
            incremental_ms: median_at(&incremental, at),
            full_ms: median_at(&full, at),
            incremental_checked: incremental_checked[at],
            full_checked: full_checked[at],
        })
        .collect();
    Ok(Incremental {
        states,
        findings: (incremental[0].findings, full[0].findings),
    })
}

fn timed(reference: &Stored, shown: &[Shown], other: &Stored, also_shown: &[Shown], mode: Mode) -> Timed {
    let marks = RefCell::new(Vec::with_capacity(shown.len() + 1));
    // Copies are made before the clock starts, too.
    let (copies, other_copies): (Vec<Shown>, Vec<Shown>) = (shown.to_vec(), also_shown.to_vec());
    let marked = copies.into_iter().inspect(|_| marks.borrow_mut().push(Instant::now()));
    let (result, _) = compare(
        replay(reference, marked),
        replay(other, other_copies.into_iter()),
        &Mask::default(),
        &options(mode),
    );
    marks.borrow_mut().push(Instant::now());
    let marks = marks.into_inner();
    Timed {
        milliseconds: marks
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).as_secs_f64() * 1000.0)
            .collect(),
        findings: result.xbis.len(),
    }
}

/// Nodes checked at each state. The analysis counts for all of a session: what one state adds is what a session that ends
/// there has more than the one before.
fn checked(reference: &Stored, shown: &[Shown], other: &Stored, also_shown: &[Shown], mode: Mode) -> Vec<u64> {
    let mut before = 0;
    (1..=shown.len())
        .map(|length| {
            let (_, timings) = compare(
                replay(reference, shown[..length].iter().cloned()),
                replay(other, also_shown.iter().cloned()),
                &Mask::default(),
                &options(mode),
            );
            let more = timings.checked_nodes.saturating_sub(before);
            before = timings.checked_nodes;
            more
        })
        .collect()
}

fn replay<'a>(stored: &'a Stored, checkpoints: impl Iterator<Item = Shown> + 'a) -> Replay<'a> {
    Replay {
        browser: stored.browser(),
        events: &stored.replay.events,
        checkpoints: Box::new(checkpoints),
        screenshots: &NoScreenshots,
    }
}

fn options(mode: Mode) -> Options {
    Options {
        mode,
        visual: VisualMode::Off,
        ..Options::default()
    }
}

/// Nodes on the page, and whether its document is seen for the first time.
fn sizes(stored: &Stored) -> Result<Vec<(usize, bool)>> {
    let mut seen = Vec::new();
    stored
        .run
        .whole_pages(&stored.replay)
        .map(|whole| {
            let whole = whole?;
            let nodes = whole.page.documents.iter().map(|document| document.nodes.len()).sum();
            let first = !seen.contains(&whole.checkpoint.load);
            seen.push(whole.checkpoint.load);
            Ok((nodes, first))
        })
        .collect()
}

/// A state that the other browser does not have may be missing from all runs alike.
fn median_at(runs: &[Timed], at: usize) -> f64 {
    let values: Vec<f64> = runs
        .iter()
        .filter_map(|run| run.milliseconds.get(at).copied())
        .collect();
    if values.is_empty() {
        return 0.0;
    }
    crate::cost::spread(&values).0
}
