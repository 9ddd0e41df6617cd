//! Pages that are on their way out are not looked at.
//!
//! From the moment a page asks for its successor, Chromium keeps questions about the page back and WebKit's driver
//! waits for the new one, while we hold that one's response: nobody would ever answer. What the page was is therefore
//! looked at before the event that asks.

use super::Step;
use super::dom;
use xcheck_trace::event::{Event, LoadId};

/// How long before its request reaches us a page may have asked for its successor, in milliseconds. What runs meanwhile
/// did not ask, but comes too late to be looked at.
const ASKING_MS: f64 = 50.0;

/// The same for what a person did: of what comes soon after, that is the likelier cause, and browsers that are busy take their time.
pub(super) const ASKING_BY_HAND_MS: f64 = 300.0;

/// Puts the last look at a page before the event that asked for the next one, at `asked` of its clock. Says whether it
/// found that event; if not, the page was not what asked.
pub(super) fn look_before_leaving(steps: &mut Vec<Step<'_>>, load: LoadId, window: u32, asked: f64) -> bool {
    let asks = |step: &Step<'_>| {
        let first = first_of(step).filter(|first| first.load == load && first.at <= asked);
        first.is_some() && !only_lets_go(step)
    };
    let Some(last) = steps.iter().rposition(asks) else {
        return false;
    };
    let mut at = began_to_leave(steps, last, asks, asked - ASKING_MS);
    let mut index = 0;
    steps.retain(|step| {
        index += 1;
        index <= at || !matches!(step, Step::Checkpoint { .. })
    });
    at += split_run(steps, at, asked);
    at = before_the_press(steps, at);
    let since = steps[..at]
        .iter()
        .rev()
        .take_while(|step| !matches!(step, Step::Checkpoint { .. }));
    if since.filter(|step| first_of(step).is_some()).count() > 0 {
        steps.insert(at, Step::Checkpoint { window });
    }
    true
}

/// The step that may have asked: the last one, or, of what ran by itself just before, the first, or the gesture before
/// that.
fn began_to_leave(steps: &[Step<'_>], last: usize, asks: impl Fn(&Step<'_>) -> bool, since: f64) -> usize {
    let by_hand = since + ASKING_MS - ASKING_BY_HAND_MS;
    let is_recent = |step: &Step<'_>| {
        let since = if matches!(step, Step::Gesture { .. }) {
            by_hand
        } else {
            since
        };
        first_of(step).is_some_and(|first| first.at > since)
    };
    let mut at = last;
    while matches!(steps[at], Step::Run { .. }) && is_recent(&steps[at]) {
        match steps[..at]
            .iter()
            .rposition(&asks)
            .filter(|&before| is_recent(&steps[before]))
        {
            Some(before) => at = before,
            None => break,
        }
    }
    at
}

/// A click that leads away is not looked at half-way: a link that is held down has a colour of its own in each browser.
fn before_the_press(steps: &[Step<'_>], at: usize) -> usize {
    let name = |step: &Step<'_>| match step {
        Step::Gesture { gesture, .. } => dom(gesture).map(|dom| dom.name.clone()),
        _ => None,
    };
    if name(&steps[at]).as_deref() != Some("pointerup") {
        return at;
    }
    let between = steps[..at].iter().rev();
    let moves = between
        .take_while(|step| name(step).as_deref() == Some("pointermove"))
        .count();
    let press = at.checked_sub(moves + 1);
    press
        .filter(|&press| name(&steps[press]).as_deref() == Some("pointerdown"))
        .unwrap_or(at)
}

/// The event that asked begins a run of its own. Says by how many steps it moved.
fn split_run(steps: &mut Vec<Step<'_>>, at: usize, asked: f64) -> usize {
    let Step::Run { load, events } = &mut steps[at] else {
        return 0;
    };
    let before = events.iter().filter(|event| event.at <= asked - ASKING_MS).count();
    let last = events
        .iter()
        .rposition(|event| event.at <= asked)
        .unwrap_or(0)
        .min(before);
    if last == 0 {
        return 0;
    }
    let rest = Step::Run {
        load: *load,
        events: events.split_off(last),
    };
    steps.insert(at + 1, rest);
    1
}

/// A key goes up, or the pointer moves on, while the request is on its way already.
fn only_lets_go(step: &Step<'_>) -> bool {
    let Step::Gesture { gesture, derived, .. } = step else {
        return false;
    };
    derived.is_empty() && dom(gesture).is_some_and(|dom| ["keyup", "pointermove"].contains(&dom.name.as_str()))
}

fn first_of<'t>(step: &Step<'t>) -> Option<&'t Event> {
    match step {
        Step::Run { events, .. } | Step::Pass { events, .. } => events.first().copied(),
        Step::Gesture { gesture, .. } => Some(gesture),
        _ => None,
    }
}
