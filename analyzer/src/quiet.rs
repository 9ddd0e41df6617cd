//! What a page did otherwise without anything coming of it.
//!
//! Engines differ in what they tell pages of: one has a `click` after a drag, one a `selectstart` on a drawing, and libraries
//! listen to all of it, ask each browser by name and mark their elements with the answer. A person sees none of that unless
//! something follows: another page, a request, an exception. Without it, it is told apart from the findings, and not counted.

use crate::behaviour::is_mark;
use crate::findings::{Because, Kind};
use crate::spot::Spot;
use std::collections::BTreeSet;
use xcheck_trace::run::DivergenceKind;

/// Why they are ignored.
pub(crate) const REASON: &str = "nothing came of it: neither the page nor what it does is another one afterwards";

/// Spots of which something came, and those of which nothing did.
pub(crate) fn split(mut spots: Vec<Spot>) -> (Vec<Spot>, Vec<Spot>) {
    let loud = || spots.iter().filter(|spot| !is_quiet(spot));
    let keys: BTreeSet<String> = loud().filter_map(|spot| spot.cause_key.clone()).collect();
    // What is explained otherwise did not come of it.
    let open: BTreeSet<u32> = loud()
        .filter(|spot| is_open(spot))
        .map(|spot| spot.place.number)
        .collect();
    let mut counts = Vec::with_capacity(spots.len());
    for spot in &mut spots {
        let shares_cause = spot.cause_key.as_ref().is_some_and(|key| keys.contains(key));
        let leads_nowhere = spot.cause.as_ref().is_some_and(|cause| cause.because.leads_nowhere());
        let next = open.range(spot.place.number..).next().filter(|_| !leads_nowhere);
        let is_quiet = is_quiet(spot);
        if is_quiet && !shares_cause && spot.load.is_some() {
            spot.leads_to = next.copied().filter(|&number| number > spot.place.number);
        }
        counts.push(!is_quiet || shares_cause || next.is_some());
    }
    let mut counts = counts.into_iter();
    spots.into_iter().partition(|_| counts.next().unwrap_or(true))
}

fn is_quiet(spot: &Spot) -> bool {
    // Whatever led there, a person sees another page or address.
    if spot.raw.kind != Kind::Behaviour || spot.leads_elsewhere() {
        return false;
    }
    match (&spot.load, &spot.cause) {
        (None, Some(cause)) => match &cause.because {
            Because::Diverged {
                divergence,
                expected,
                actual,
            } => {
                let is_unseen = is_font(*divergence, actual) || is_made_good(*divergence, actual);
                (is_of_the_engine(*divergence) || is_unseen) && !is_of_the_focus(expected)
            }
            _ => false,
        },
        (None, None) => false,
        (Some(_), _) => is_mark(&spot.raw),
    }
}

/// Events, and what is registered for them, as against what leaves the page or ends it.
fn is_of_the_engine(kind: DivergenceKind) -> bool {
    use DivergenceKind as D;
    matches!(
        kind,
        D::TargetElsewhere
            | D::EventMissing
            | D::EventExtra
            | D::CallbackMissing
            | D::CallbackExtra
            | D::WrongCallback
            | D::AnswersExhausted
            | D::AnswersUnused
    )
}

/// Which of a page's fonts are asked for, and in which format, is the engine's affair; words in another one are found where
/// they show.
fn is_font(divergence: DivergenceKind, asked: &str) -> bool {
    let path = asked.split(['?', '#']).next().unwrap_or(asked);
    let is_of_a_font = |ending| path.ends_with(ending);
    divergence == DivergenceKind::NotInTrace
        && [".woff2", ".woff", ".ttf", ".otf", ".eot"]
            .into_iter()
            .any(is_of_a_font)
}

/// Another element stands where this one is missing, and took what was typed; a script that called nothing may well have run; a
/// request has been sent, before or after one that was sent with it.
fn is_made_good(divergence: DivergenceKind, actual: &str) -> bool {
    match divergence {
        DivergenceKind::TargetMissing => actual.ends_with(" in its place"),
        DivergenceKind::ScriptMissing => actual == "did not run, or called nothing that is recorded",
        DivergenceKind::RequestDiffers => {
            let is_elsewhere = |parts: [&str; 2]| parts.iter().all(|part| actual.contains(part));
            is_elsewhere([" at ", " instead of "]) || is_elsewhere([" registered in ", " another event than "])
        }
        _ => false,
    }
}

/// Who works with keys sees where the focus is.
fn is_of_the_focus(expected: &str) -> bool {
    ["focus on ", "focusin on "]
        .iter()
        .any(|event| expected.starts_with(event))
}

/// A difference in the page that nothing but another event or mark explains.
fn is_open(spot: &Spot) -> bool {
    match spot.cause.as_ref().map(|cause| &cause.because) {
        None => true,
        Some(Because::Diverged { divergence, .. }) => is_of_the_engine(*divergence),
        Some(because) => !because.says_why(),
    }
}
