//! What a hand does takes its course, of which a replay may miss several events for one reason.
//!
//! Transitions and animations end because the page's code has begun them, of which the log has no word: where some of that code
//! did not run, an end that never comes follows from it. And a focus that does not move is missed up to four times.

use std::collections::BTreeMap;
use xcheck_trace::run::{Divergence, DivergenceKind, ReplayedEvent};

/// Keys of what else of the same kind follows from, since a hand last did something.
#[derive(Default)]
pub(super) struct Course {
    /// Of code that ran when it was recorded and did not now.
    idle: Option<String>,
    unmoved_focus: Option<String>,
    /// Of a click that never came: as the one that a form gives itself for Enter, before it is submitted.
    unclicked: Option<String>,
    /// Of the first key that came to another element: so do the next ones, until one comes to its own.
    astray: Option<String>,
    /// Of focus that never came, by the element: keys that were to come there go elsewhere for that.
    unfocused: BTreeMap<String, String>,
    /// Of events that came to an element and should not have, by the element: others that it misses came to nothing for that.
    instead: BTreeMap<String, String>,
    /// A key was pressed last, or a wheel turned: by these browsers scroll, as far as they like.
    scrolls: bool,
}

impl Course {
    pub(super) fn reach(&mut self, event: &ReplayedEvent) {
        let mut missing = event.divergences.iter().map(|one| &one.expected);
        if let Some(target) = focused(&event.label)
            && missing.all(|expected| focused(expected) != Some(target))
        {
            self.unfocused.remove(target);
        }
        if BEGINNINGS.iter().any(|name| event.label.starts_with(name)) {
            let mut divergences = event.divergences.iter();
            let is_astray = divergences.any(|one| one.kind == DivergenceKind::TargetElsewhere);
            let still = self.astray.take().filter(|_| is_astray);
            *self = Course {
                astray: still,
                unfocused: std::mem::take(&mut self.unfocused),
                scrolls: SCROLLING.iter().any(|name| event.label.starts_with(name)),
                ..Course::default()
            };
        }
    }

    pub(super) fn scrolls(&self) -> bool {
        self.scrolls
    }

    pub(super) fn note(&mut self, divergence: &Divergence, key: &str) {
        use DivergenceKind as D;
        if let (D::EventExtra, Some((_, target))) = (divergence.kind, divergence.actual.split_once(" on ")) {
            let first = self.instead.entry(target.to_owned());
            first.or_insert_with(|| key.to_owned());
        }
        if let (true, Some(target)) = (divergence.kind == D::EventMissing, focused(&divergence.expected)) {
            self.unfocused.insert(target.to_owned(), key.to_owned());
        }
        let first = match divergence.kind {
            D::CallbackMissing | D::WrongCallback => &mut self.idle,
            D::EventMissing if is_of_focus(divergence) => &mut self.unmoved_focus,
            D::EventMissing if divergence.expected.starts_with("click ") => &mut self.unclicked,
            D::TargetElsewhere => &mut self.astray,
            _ => return,
        };
        first.get_or_insert_with(|| key.to_owned());
    }

    pub(super) fn behind(&self, divergence: &Divergence) -> Option<&String> {
        if divergence.kind == DivergenceKind::TargetElsewhere {
            self.unfocused.get(&divergence.expected).or(self.astray.as_ref())
        } else if divergence.kind != DivergenceKind::EventMissing {
            None
        } else if is_of_focus(divergence) {
            self.unmoved_focus.as_ref()
        } else if divergence.expected.starts_with("submit ") && self.unclicked.is_some() {
            self.unclicked.as_ref()
        } else if is_of_motion(divergence) {
            self.idle.as_ref()
        } else {
            let (_, target) = divergence.expected.split_once(" on ")?;
            self.instead.get(target)
        }
    }
}

const BEGINNINGS: [&str; 5] = ["pointerdown ", "click ", "keydown ", "wheel ", "touchstart "];

const SCROLLING: [&str; 3] = ["keydown ", "wheel ", "touchstart "];

/// What gets the focus by this event.
fn focused(event: &str) -> Option<&str> {
    let (name, target) = event.split_once(" on ")?;
    matches!(name, "focus" | "focusin").then_some(target)
}

fn is_of_focus(divergence: &Divergence) -> bool {
    let name = divergence.expected.split(' ').next();
    name.is_some_and(|name| matches!(name, "focus" | "focusin" | "blur" | "focusout"))
}

fn is_of_motion(divergence: &Divergence) -> bool {
    ["transition", "animation"]
        .iter()
        .any(|name| divergence.expected.starts_with(name))
}
