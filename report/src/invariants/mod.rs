//! What was learnt of a session, where another run does not keep it, and what happens when something goes wrong: as pages
//! that need nothing else, and for machines.

mod chart;
mod confirmed;
mod faults;
mod junit;
mod pages;

pub use confirmed::{are_enough, confirmed};
pub use faults::{FaultRun, Faults, Shows, faults_page};
pub use junit::checked_junit;
pub use pages::{checked_page, learnt_page};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xcheck_trace::manifest::Format;

/// Of the JSON that `invariants check` and `faults` write.
pub const FORMAT: Format = Format { major: 1, minor: 1 };

/// What there is to say of learning.
pub struct Learnt {
    pub trace: String,
    pub browser: String,
    /// What answered: the application, or the trace.
    pub against: String,
    pub algorithm: String,
    pub converged_after: Option<u32>,
    /// Milliseconds, and why it was left out.
    pub runs: Vec<(u64, Option<String>)>,
    /// Number and label.
    pub events: Vec<(u32, String)>,
    /// After each run that was learnt from, by event: nodes, and average children, levels and descendants of a node.
    pub curve: Vec<BTreeMap<u32, [f64; 4]>>,
    /// By event, PNG.
    pub pictures: BTreeMap<u32, Vec<u8>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    pub format: Format,
    pub trace: String,
    pub model: String,
    pub browser: String,
    pub against: String,
    /// How often the session was played for this: what deviates has done so in two of them where there were more than one.
    #[serde(default = "one")]
    pub runs: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diverged: Option<Diverged>,
    /// Where it could not go on in one run, and could in another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diverged_once: Option<Diverged>,
    pub events: Vec<CheckedEvent>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

fn one() -> u32 {
    1
}

/// Where the session could not go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diverged {
    pub event: u32,
    pub label: String,
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedEvent {
    pub event: u32,
    pub label: String,
    /// Something was learnt of it.
    pub known: bool,
    /// Those that the page did not have before.
    pub deviations: Vec<Deviation>,
    /// Those that only one of two runs shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub once: Vec<Deviation>,
    /// Those that it had, and has still.
    pub still: usize,
    #[serde(skip)]
    pub picture: Option<Vec<u8>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deviation {
    /// `missing`, `extra`, `count`, `order`, or a field: `text`, `@href`, `.value`, `visible`.
    pub what: String,
    /// `html > body > ul#news > li.entry`
    pub at: String,
    pub expected: String,
    pub actual: String,
}

impl Checked {
    pub fn count(&self) -> usize {
        self.events.iter().map(|event| event.deviations.len()).sum::<usize>() + usize::from(self.diverged.is_some())
    }

    pub fn deviates(&self) -> bool {
        self.count() > 0
    }

    /// What only one of two runs shows, said in a few words.
    pub fn seen_once(&self) -> Option<String> {
        let count =
            self.events.iter().map(|event| event.once.len()).sum::<usize>() + usize::from(self.diverged_once.is_some());
        match count {
            0 => None,
            1 => Some("one deviation in one of two runs only, which does not count".to_owned()),
            count => Some(format!(
                "{count} deviations in one of two runs only, which do not count"
            )),
        }
    }
}
