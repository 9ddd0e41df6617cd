//! Where one browser's navigation model departs from another's: CrossCheck's comparison of state graphs, over replays.
//!
//! The same actions were done in both, so that the graphs are walked together, step by step. A transition is there when
//! one of the times it was tried it led where it should. It is missing when the page stayed as it was, where in the
//! reference it did not, and wrote nothing. After that the two are in different states, and what comes then tells little:
//! only that the same element does not respond in other states either. What could not be tried is not missing.

use super::{Replays, Taken};
use crate::model::Label;
use serde::Serialize;
use std::collections::BTreeMap;

/// At least so much of two states' contents must be shared for them to be one.
const ALIKE: f64 = 0.5;

/// A state that shares so much with one of the reference's is that one.
const CLEARLY: f64 = 0.98;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Departed {
    /// Only the reference goes anywhere.
    Missing,
    /// Only the other browser does.
    Extra,
    /// Both do, and what is shown then is not the same.
    Elsewhere,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Departure {
    pub kind: Departed,
    pub label: Label,
    /// The reference's state.
    pub from: usize,
    /// The reference's state; it is `from` where only the other one goes anywhere.
    pub to: usize,
    /// The other browser's.
    pub other_to: usize,
    /// When: the number of the run, and of the step in it.
    pub at: Vec<(usize, usize)>,
    /// States of the reference that the other browser never comes to, because of this.
    pub unreached: Vec<usize>,
}

/// In the order in which they come.
pub fn departures(reference: &Replays, other: &Replays) -> Vec<Departure> {
    let near = Nearness::of(reference, other);
    let mut tallies: BTreeMap<(usize, &Label, usize), Tally> = BTreeMap::new();
    let mut extra: BTreeMap<(usize, &Label), Vec<Moment>> = BTreeMap::new();
    for (run, (mine, theirs)) in reference.ways.iter().zip(&other.ways).enumerate() {
        let (Some(mine), Some(theirs)) = (mine, theirs) else {
            continue;
        };
        let again = reference.again.get(run).and_then(Option::as_ref);
        for (step, one) in mine.steps.iter().enumerate() {
            let (Some(from), Some(to)) = (one.from, one.to) else {
                continue;
            };
            let repeats = again.is_none_or(|again| {
                let same = |two: &&Taken| two.first.number == one.first.number;
                again
                    .steps
                    .iter()
                    .find(same)
                    .is_some_and(|two| (two.from, two.to) == (one.from, one.to))
            });
            let Some(two) = theirs.steps.iter().find(|two| two.first.number == one.first.number) else {
                continue;
            };
            let (Some(other_from), Some(other_to)) = (two.from, two.to) else {
                continue;
            };
            if !repeats {
                continue;
            }
            let moment = Moment {
                at: (run, step),
                other_to,
            };
            let (moved, other_moved) = (from != to, other_from != other_to);
            if !moved {
                if other_moved && !two.undone && near.is(other_from, from) && !near.is(other_to, to) {
                    extra.entry((from, &one.label)).or_default().push(moment);
                }
                continue;
            }
            let tally = tallies.entry((from, &one.label, to)).or_default();
            match () {
                () if two.undone => {}
                // Something came of it; a state more or less may hang on what a box that scrolls has room for.
                () if !other_moved && two.wrote => {}
                () if other_moved && near.is(other_to, to) => tally.there = true,
                () if !other_moved && near.is(other_from, from) => tally.missing.push(moment),
                () if !other_moved => tally.astray.push(moment),
                () if near.is(other_from, from) => tally.elsewhere.push(moment),
                () => {}
            }
        }
    }
    let mut found = judged(tallies, &extra);
    found.sort_by_key(|departure| departure.at[0]);
    blame_for_unreached(&mut found, reference, other, &near);
    found
}

#[derive(Debug, Clone, Copy)]
struct Moment {
    at: (usize, usize),
    other_to: usize,
}

/// How a transition of the reference went, each time it was taken.
#[derive(Default)]
struct Tally {
    there: bool,
    missing: Vec<Moment>,
    /// Nothing came of it, from a state that the reference was not in, be it the one that it leads to.
    astray: Vec<Moment>,
    elsewhere: Vec<Moment>,
}

fn judged(
    tallies: BTreeMap<(usize, &Label, usize), Tally>,
    extra: &BTreeMap<(usize, &Label), Vec<Moment>>,
) -> Vec<Departure> {
    let departure = |kind, label: &Label, from, to, moments: &[Moment]| Departure {
        kind,
        label: label.clone(),
        from,
        to,
        other_to: moments[0].other_to,
        at: moments.iter().map(|moment| moment.at).collect(),
        unreached: Vec::new(),
    };
    // It never led anywhere, and it was tried where it should have.
    let is_dead = |wanted: &Label| {
        let mut of_it = tallies
            .iter()
            .filter(|((_, label, _), _)| *label == wanted)
            .map(|(_, tally)| tally);
        of_it.clone().all(|tally| !tally.there) && of_it.any(|tally| !tally.missing.is_empty())
    };
    let mut found = Vec::new();
    for ((from, label, to), tally) in &tallies {
        if tally.there {
            continue;
        }
        let silent = [tally.missing.as_slice(), &tally.astray].concat();
        if !silent.is_empty() && (!tally.missing.is_empty() || is_dead(label)) {
            found.push(departure(Departed::Missing, label, *from, *to, &silent));
        } else if !tally.elsewhere.is_empty() {
            found.push(departure(Departed::Elsewhere, label, *from, *to, &tally.elsewhere));
        }
    }
    for ((from, label), moments) in extra {
        let leads_on = |(known, known_label, _): &(usize, &Label, usize)| known == from && known_label == label;
        if !tallies.keys().any(leads_on) {
            found.push(departure(Departed::Extra, label, *from, *from, moments));
        }
    }
    found
}

/// A state that is never come to is its transition's, or else that of the last departure before it should have been.
fn blame_for_unreached(found: &mut [Departure], reference: &Replays, other: &Replays, near: &Nearness) {
    if other.ways.iter().any(Option::is_none) {
        return;
    }
    for state in 0..reference.places.len() {
        if (0..other.places.len()).any(|known| near.is(known, state)) {
            continue;
        }
        let first = reference.ways.iter().enumerate().find_map(|(run, way)| {
            let steps = &way.as_ref()?.steps;
            steps
                .iter()
                .position(|step| step.to == Some(state))
                .map(|step| (run, step))
        });
        let Some(first) = first else { continue };
        let leads_there = |departure: &Departure| departure.kind != Departed::Extra && departure.to == state;
        let at = found.iter().position(leads_there).or_else(|| {
            let before = |departure: &Departure| departure.at.iter().any(|at| at.0 == first.0 && at.1 <= first.1);
            found.iter().rposition(before)
        });
        // Without any departure what is shown differs, and the comparison of the pages has said how.
        if let Some(at) = at {
            found[at].unreached.push(state);
        }
    }
}

/// How much the other browser's states share with the reference's.
pub(crate) struct Nearness {
    /// By the other's state, then the reference's.
    shared: Vec<Vec<f64>>,
}

impl Nearness {
    pub(crate) fn of(reference: &Replays, other: &Replays) -> Nearness {
        let row = |content: &[u64]| {
            reference
                .places
                .iter()
                .map(|place| shared(content, &place.content))
                .collect()
        };
        Nearness {
            shared: other.places.iter().map(|place| row(&place.content)).collect(),
        }
    }

    fn between(&self, other: usize, reference: usize) -> f64 {
        self.shared[other][reference]
    }

    /// The reference's state that this one of the other browser is, if it is one.
    pub(crate) fn nearest(&self, other: usize) -> Option<usize> {
        let alike = (0..self.shared[other].len()).filter(|reference| self.is(other, *reference));
        // Of two that are as near, the first.
        alike
            .rev()
            .max_by(|one, two| self.between(other, *one).total_cmp(&self.between(other, *two)))
    }

    /// Engines do not show quite the same in the same state: enough is shared, and no other state is clearly meant.
    fn is(&self, other: usize, reference: usize) -> bool {
        let much = self.between(other, reference);
        let clearly_another = |known: &f64| *known > much && *known >= CLEARLY;
        much >= ALIKE && !self.shared[other].iter().any(clearly_another)
    }
}

/// Of two sorted bags: how much of the larger one is in both.
fn shared(one: &[u64], two: &[u64]) -> f64 {
    let longer = one.len().max(two.len());
    if longer == 0 {
        return 1.0;
    }
    let (mut at, mut with, mut both) = (0, 0, 0);
    while at < one.len() && with < two.len() {
        match one[at].cmp(&two[with]) {
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => with += 1,
            std::cmp::Ordering::Equal => {
                both += 1;
                at += 1;
                with += 1;
            }
        }
    }
    both as f64 / longer as f64
}

#[cfg(test)]
pub(crate) mod tests;
