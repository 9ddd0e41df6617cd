//! The law of replay: the same trace in the same browser gives the same page data, screenshots and outcomes, to the byte.

use crate::replays::{self, Stored, TIMES};
use crate::store::Store;
use crate::subjects::Subject;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use xcheck_trace::run::Checkpoint;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Law {
    /// Of the replay that has most.
    pub(crate) checkpoints: usize,
    /// The same in all replays.
    pub(crate) identical: usize,
    /// The same but for the picture.
    pub(crate) same_page_data: usize,
    pub(crate) same_outcomes: bool,
    /// Of the first replay.
    pub(crate) divergences: usize,
    /// The first thing that was not the same, for a person.
    pub(crate) first_difference: Option<String>,
}

pub(crate) fn key(subject: &Subject, engine: &str) -> String {
    format!("law/{}/{engine}", subject.slug())
}

pub(crate) fn hold(subject: &Subject, engine: &str, store: &Store) -> Result<Law> {
    let open = |number| {
        let folder = replays::folder(store, subject, engine, number);
        replays::open(&folder).with_context(|| format!("replay {number} of {TIMES}"))
    };
    let all: Vec<Stored> = (1..=TIMES).map(open).collect::<Result<_>>()?;
    let (first, others) = all.split_first().context("there are replays")?;
    let checkpoints = all.iter().map(|stored| stored.replay.checkpoints.len()).max();
    let numbered = || 0..first.replay.checkpoints.len();
    let alike = |at: usize, same: fn(&Checkpoint, &Checkpoint) -> bool| {
        let wanted = &first.replay.checkpoints[at];
        let found = |stored: &Stored| {
            stored
                .replay
                .checkpoints
                .get(at)
                .is_some_and(|other| same(wanted, other))
        };
        others.iter().all(found)
    };
    let same_page_data = |one: &Checkpoint, other: &Checkpoint| {
        (one.place, one.load, &one.page_sha256) == (other.place, other.load, &other.page_sha256)
    };
    // Two that could not be pictured are not known to look the same.
    let same = |one: &Checkpoint, other: &Checkpoint| one == other && one.screenshot_sha256.is_some();
    let outcomes = others.iter().all(|other| other.replay.events == first.replay.events);
    let differs = numbered().find(|at| !alike(*at, same));
    let first_difference = match differs {
        Some(at) => Some(format!(
            "checkpoint {} after `{}`: {}",
            at + 1,
            label(first, at),
            match &first.replay.checkpoints[at].screenshot_missing {
                Some(why) => why,
                None if alike(at, same_page_data) => "the picture",
                None => "page data",
            }
        )),
        None if !outcomes => Some(first_other_outcome(first, others)),
        None => None,
    };
    Ok(Law {
        checkpoints: checkpoints.context("there are replays")?,
        identical: numbered().filter(|at| alike(*at, same)).count(),
        same_page_data: numbered().filter(|at| alike(*at, same_page_data)).count(),
        same_outcomes: outcomes,
        divergences: first.replay.events.iter().map(|event| event.divergences.len()).sum(),
        first_difference,
    })
}

fn label(stored: &Stored, at: usize) -> String {
    let place = stored.replay.checkpoints[at].place;
    let event = stored.replay.events.iter().find(|event| event.place == place);
    event.map_or_else(String::new, |event| event.label.clone())
}

fn first_other_outcome(first: &Stored, others: &[Stored]) -> String {
    for other in others {
        let pairs = first.replay.events.iter().zip(&other.replay.events);
        if let Some((one, another)) = pairs.into_iter().find(|(one, another)| one != another) {
            return format!(
                "event `{}`: {} divergences, notes {:?}, against {}, {:?}",
                one.label,
                one.divergences.len(),
                one.notes,
                another.divergences.len(),
                another.notes
            );
        }
    }
    "not as many events".into()
}
