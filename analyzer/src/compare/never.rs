//! Kinds of events that a browser does not have: however often one does not come, it is one thing that it lacks. What all browsers
//! have had for long does not come for some other reason, each time for its own.

use std::collections::BTreeSet;
use xcheck_trace::run::{Divergence, DivergenceKind, ReplayedEvent};

const EVERYWHERE: [&str; 24] = [
    "auxclick",
    "blur",
    "change",
    "click",
    "close",
    "contextmenu",
    "copy",
    "cut",
    "dblclick",
    "error",
    "focus",
    "focusin",
    "focusout",
    "hashchange",
    "input",
    "load",
    "message",
    "paste",
    "popstate",
    "reset",
    "resize",
    "scroll",
    "submit",
    "wheel",
];

const EVERYWHERE_BEGIN: [&str; 8] = [
    "animation",
    "composition",
    "drag",
    "key",
    "mouse",
    "pointer",
    "touch",
    "transition",
];

/// Those of which some were to come, and none did.
pub(super) struct Never(BTreeSet<String>);

impl Never {
    pub(super) fn of(events: &[ReplayedEvent]) -> Never {
        let all = events.iter().flat_map(|event| &event.divergences);
        let mut kinds: BTreeSet<String> = all.filter_map(kind_missing).map(str::to_owned).collect();
        let came = |event: &&ReplayedEvent| !event.divergences.iter().any(|one| kind_missing(one).is_some());
        for event in events.iter().filter(came) {
            kinds.remove(first_word(&event.label));
        }
        kinds.retain(|kind| {
            !EVERYWHERE.contains(&kind.as_str()) && !EVERYWHERE_BEGIN.iter().any(|one| kind.starts_with(one))
        });
        Never(kinds)
    }

    pub(super) fn key(&self, divergence: &Divergence) -> Option<String> {
        let kind = kind_missing(divergence)?;
        self.0.contains(kind).then(|| format!("events {kind}"))
    }
}

fn kind_missing(divergence: &Divergence) -> Option<&str> {
    (divergence.kind == DivergenceKind::EventMissing).then(|| first_word(&divergence.expected))
}

/// `click on #buy` and `click` are told of one kind.
fn first_word(text: &str) -> &str {
    text.split_once(' ').map_or(text, |(first, _)| first)
}
