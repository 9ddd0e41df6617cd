//! One browser against the reference, checkpoint by checkpoint (X-Check, Algorithm 2).
//!
//! Both streams are read once and in step. What is kept between two checkpoints is one state per document and browser,
//! the matches between them, and the differences that stand; so memory follows the pages, not the session.

mod course;
mod divergences;
mod documents;
mod lacking;
mod misplaced;
mod never;
mod refused;
mod unanswered;
mod walk;

use crate::cluster;
use crate::findings::{BrowserResult, Ignored, Mode, Noise, Outcome, Subject, Timings, VisualMode, Volatile};
use crate::ignore::{self, IgnoreRule};
use crate::noise::Mask;
use crate::quiet;
use crate::replay::Replay;
use crate::tolerances::Tolerances;
use crate::visual::tree::Measured;
use walk::Comparison;

/// How to compare.
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub mode: Mode,
    pub visual: VisualMode,
    pub tolerances: Tolerances,
    pub ignore: Vec<IgnoreRule>,
}

/// Compares what two browsers did and showed after the same inputs.
pub fn compare(reference: Replay<'_>, other: Replay<'_>, mask: &Mask, options: &Options) -> (BrowserResult, Timings) {
    let subject = Subject::from(&other.browser);
    let found = Comparison::of(reference, other, mask, options).run();
    if let Some(reason) = found.foreign {
        return (BrowserResult::not_measured(&subject, reason), found.timings);
    }
    if found.checkpoints == 0 && (found.events == 0 || found.spots.is_empty()) {
        let reason = match (found.unmeasured.first(), found.events) {
            (Some(first), _) => format!("no checkpoint could be compared: {}", first.reason),
            (None, 0) => "the two replays have no event and no checkpoint in common".to_owned(),
            (None, _) => "the two replays have no checkpoint in common".to_owned(),
        };
        let mut result = BrowserResult::not_measured(&subject, reason);
        result.unmeasured = found.unmeasured.into_iter().collect();
        return (result, found.timings);
    }
    let (spots, quiet) = quiet::split(found.spots);
    let (xbis, mut ignored) = ignore::split(cluster::xbis(spots), &options.ignore, &subject.browser);
    ignored.extend(cluster::xbis(quiet).into_iter().map(|xbi| Ignored {
        reason: quiet::REASON.to_owned(),
        xbi,
    }));
    let result = BrowserResult {
        browser: subject.browser,
        version: subject.version,
        outcome: Outcome::Compared,
        events: found.events,
        checkpoints: found.checkpoints,
        xbis,
        ignored,
        unmeasured: found.unmeasured.into_iter().collect(),
        masked: found.masked,
    };
    (result, found.timings)
}

/// Compares the reference with itself: what differs is the page's own restlessness, and masked from then on.
pub fn noise(reference: Replay<'_>, again: Replay<'_>, options: &Options) -> (Mask, Noise, Timings) {
    let mask = Mask::default();
    let found = Comparison::of(reference, again, &mask, options).run();
    let nothing = || "the reference's second replay has nothing in common with the first".to_owned();
    if let Some(reason) = found.foreign.or_else(|| (found.checkpoints == 0).then(nothing)) {
        return (Mask::default(), Noise::NotMeasured { reason }, found.timings);
    }
    let mut volatile: Vec<Volatile> = found
        .spots
        .iter()
        .map(|spot| Volatile {
            kind: spot.raw.kind,
            selector: spot.selector.clone(),
            xpath: spot.xpath.clone(),
            title: spot.raw.title.clone(),
        })
        .collect();
    volatile.sort();
    volatile.dedup();
    (Mask::of(&found.spots), Noise::Measured { volatile }, found.timings)
}

/// What the decision tree is told of each pair of boxes that it would be asked about: samples to learn from.
pub fn measured(reference: Replay<'_>, other: Replay<'_>, mask: &Mask, options: &Options) -> Vec<Measured> {
    let mut comparison = Comparison::of(reference, other, mask, options);
    comparison.measures = true;
    comparison.run().measured
}
