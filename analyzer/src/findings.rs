//! What the analysis says: the types behind `analyze --format json`, the report, JUnit, SARIF and `diff`.
//!
//! The format is versioned ([`FORMAT`]) and its order is part of it: results stand in the order in which the browsers
//! were given, XBIs by the event they first show at, then kind, then id. The same input gives the same bytes, so there
//! is no clock in here; [`Timings::wall_ms`] is the caller's to fill where bytes need not repeat.

use serde::{Deserialize, Serialize};
use xcheck_trace::event::{EventId, LoadId, PageError};
use xcheck_trace::manifest::{BrowserInfo, Format};
use xcheck_trace::run::{DivergenceKind, Place};

/// The format this build writes. Readers refuse a newer major version.
pub const FORMAT: Format = Format { major: 1, minor: 0 };

/// Everything found about one trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    pub format: Format,
    /// Path of the trace as the run has it, and the hash that tells whether two analyses are of the same trace.
    pub trace: String,
    pub trace_sha256: String,
    pub mode: Mode,
    pub visual: VisualMode,
    pub reference: Subject,
    /// Where the reference's own replay did not do what was recorded. What hangs on that was compared with the wrong page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfaithful: Vec<Unfaithful>,
    pub noise: Noise,
    /// What a model of invariants calls volatile, and was not compared for that reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learnt: Vec<Volatile>,
    pub results: Vec<BrowserResult>,
    pub timings: Timings,
}

/// A browser that was replayed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    pub browser: String,
    pub version: String,
}

/// An event of the recording that its own browser did not replay as recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfaithful {
    pub number: u32,
    pub label: String,
    /// What was other than recorded, as a divergence is called in a title.
    pub what: String,
}

impl Unfaithful {
    /// Divergences of a replay, one for each event that has any.
    pub fn of(events: &[xcheck_trace::run::ReplayedEvent]) -> Vec<Unfaithful> {
        let diverged = events
            .iter()
            .filter_map(|event| Some((event, event.divergences.first()?)));
        diverged
            .map(|(event, first)| Unfaithful {
                number: event.place.number,
                label: event.label.clone(),
                what: crate::behaviour::title(first.kind).to_owned(),
            })
            .collect()
    }

    /// A warning about them; none where there are none.
    pub fn warning(unfaithful: &[Unfaithful]) -> Option<String> {
        let first = unfaithful.first()?;
        let events = match unfaithful.len() {
            1 => "1 event".to_owned(),
            many => format!("{many} events"),
        };
        Some(format!(
            "{events} did not go as recorded in the reference itself, first {} (event {}): {}; what hangs on that was not measured",
            first.label, first.number, first.what
        ))
    }
}

/// How much of each checkpoint is looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Nodes that mutated or moved, and their neighbours (X-Check).
    #[default]
    Incremental,
    /// Every node at every checkpoint, matched afresh each time (X-PERT). For comparison.
    Full,
}

/// How two pictures of the same leaf are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VisualMode {
    /// Background, ink colour, ink mass and contrast, each on its own.
    #[default]
    Ink,
    /// χ² distance of colour histograms, as in the papers.
    Chi2,
    /// A decision tree over what CrossCheck measures and what we do, learnt from labelled pages.
    Tree,
    /// No screenshots are opened; computed styles still count.
    Off,
}

/// What the reference's second replay told about the page's own restlessness.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "noise", rename_all = "kebab-case")]
pub enum Noise {
    /// The reference was replayed twice. What differed between its own replays is masked everywhere.
    Measured { volatile: Vec<Volatile> },
    /// There was no second replay, or it could not be read: random content may show up as findings.
    NotMeasured { reason: String },
}

/// A node that differed between two replays in the same browser, and is therefore not compared.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Volatile {
    pub kind: Kind,
    pub selector: String,
    pub xpath: String,
    pub title: String,
}

/// One browser against the reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BrowserResult {
    pub browser: String,
    pub version: String,
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Events and checkpoints that both browsers have and that were compared.
    pub events: u32,
    pub checkpoints: u32,
    pub xbis: Vec<Xbi>,
    /// XBIs that do not count: by a rule of the person's, or because nothing came of them.
    pub ignored: Vec<Ignored>,
    /// Parts that could not be compared. Never "no difference".
    pub unmeasured: Vec<Unmeasured>,
    /// How much was masked as noise of the page itself.
    pub masked: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    Compared,
    NotMeasured { reason: String },
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unmeasured {
    pub place: Place,
    /// What is missing, as a word: `checkpoint`, `page`, `screenshot`, `nodes`.
    pub what: String,
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Behaviour,
    Structure,
    Text,
    Visual,
}

/// A cross-browser incompatibility: one thing to fix, with everything that follows from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Xbi {
    /// Twelve hexadecimal digits from kind, event label, locator and property: the same in the next run of the same
    /// trace, and in another browser that has the same problem.
    pub id: String,
    pub kind: Kind,
    /// The event after which it first shows.
    pub event: EventRef,
    /// The highest node concerned. Empty for behaviour that has no node.
    pub selector: String,
    pub xpath: String,
    /// Its tag as the page has it: `<div class="menu open">`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub element: String,
    /// One sentence without the browsers' names: "is 42 px narrower".
    pub title: String,
    /// 0…1: how sure that a person would call it a difference.
    pub confidence: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// What differs, most telling first; those of the node itself before those of nodes that follow it.
    pub differences: Vec<Difference>,
    /// Checkpoints at which it was seen, in order: the first, and each time its nodes were looked at again.
    pub occurrences: Vec<Occurrence>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EventRef {
    /// Place in the trace's total order, and within its own document.
    pub number: u32,
    pub load: LoadId,
    pub event: EventId,
    /// `click on #save`, `timer remind (200 ms)`.
    pub label: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Difference {
    /// `width`, `text`, `background-color`, `order`, `lines`, `element`, `request-missing` …
    pub property: String,
    /// As shown to a person, with units. Empty where there is nothing on that side.
    pub reference: String,
    pub other: String,
    /// The node it was measured on, where that is not the XBI's own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub selector: String,
}

/// Where to look, on both sides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Occurrence {
    pub place: Place,
    pub label: String,
    pub reference: Side,
    pub other: Side,
}

/// One browser's view of an occurrence.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// Absent when none was taken; the reason stands in [`BrowserResult::unmeasured`].
    pub screenshot_sha256: Option<String>,
    /// URL of the top-level page.
    pub url: String,
    /// Size of the whole page in CSS pixels, which is what the screenshot shows.
    pub page: [f32; 2],
    /// x, y, width, height on the whole page: the XBI's node first, then others it concerns. Empty where absent.
    pub boxes: Vec<[f32; 4]>,
}

/// Why, as far as it can be told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cause {
    /// A sentence for people: "`field-sizing: content` is not supported by Firefox 153".
    pub text: String,
    #[serde(flatten)]
    pub because: Because,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "kebab-case")]
pub enum Because {
    /// An uncaught exception that only the other browser had.
    Exception { error: PageError },
    /// Declarations (or whole rules) that the reference kept and the other browser dropped.
    Unsupported { dropped: Vec<Dropped> },
    /// Declarations (or whole rules) that the other browser kept and the reference dropped.
    OnlyHere { kept: Vec<Dropped> },
    /// Computed properties that differ on the node, or on the ancestor named.
    ComputedStyle {
        selector: String,
        properties: Vec<Difference>,
    },
    /// A request, timer, event … that never came in the other browser, or only came there.
    Diverged {
        divergence: DivergenceKind,
        expected: String,
        actual: String,
    },
    /// An image, font or other file did not load.
    NotLoaded { url: String },
    /// Words are selected in the other browser alone, or in the reference alone.
    Selected { only_there: bool },
    /// Words are broken with hyphens in the other browser alone, or in the reference alone, for want of a dictionary.
    Hyphenated { only_there: bool, language: String },
}

impl Because {
    /// Why it differs; that the two compute differently says but what does.
    pub(crate) fn says_why(&self) -> bool {
        !matches!(self, Because::ComputedStyle { .. })
    }

    /// How often the clock is looked at: each engine has other times, and other frames to look at it in.
    pub(crate) fn is_of_the_clock(&self) -> bool {
        use DivergenceKind as D;
        matches!(self, Because::Diverged { divergence: D::AnswersExhausted | D::AnswersUnused, expected, .. }
            if expected.ends_with(" date") || expected.ends_with(" now"))
    }

    /// What leads nowhere by itself, so that it has nothing to do with what differs later: looks at the clock, and what tells of a
    /// movement that begins or is cut off, which each engine does in its own way within a frame. What is registered there is told by itself.
    pub(crate) fn leads_nowhere(&self) -> bool {
        const BEGINS: [&str; 3] = ["transitionrun", "transitionstart", "transitioncancel"];
        let is_of_a_beginning = matches!(self, Because::Diverged { divergence: DivergenceKind::EventMissing, expected, .. }
            if BEGINS.iter().any(|event| expected.starts_with(event)));
        is_of_a_beginning || self.is_of_the_clock()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Dropped {
    /// `field-sizing: content`; the whole rule's selector when the rule was dropped as a whole.
    pub declaration: String,
    pub selector: String,
    /// URL of the sheet, or `#n` for the n-th `<style>`.
    pub sheet: String,
    /// A pseudo-class of the selector is not understood here, so that it may not apply at all.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_not_match: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ignored {
    /// The rule's own words, or what is to be said of it.
    pub reason: String,
    #[serde(flatten)]
    pub xbi: Xbi,
}

/// What it cost. Counts repeat exactly; wall time is added by whoever has a clock.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Timings {
    /// Checkpoint pairs that were looked at, and those skipped because the same pair had been compared.
    pub pairs: u64,
    pub repeated_pairs: u64,
    /// Nodes that mutated or moved in either browser, and nodes on which something was compared.
    pub changed_nodes: u64,
    pub checked_nodes: u64,
    /// Crops of screenshots that were compared.
    pub crops: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wall_ms: Option<u64>,
}

impl Timings {
    pub fn add(&mut self, more: &Timings) {
        self.pairs += more.pairs;
        self.repeated_pairs += more.repeated_pairs;
        self.changed_nodes += more.changed_nodes;
        self.checked_nodes += more.checked_nodes;
        self.crops += more.crops;
    }
}

impl From<&BrowserInfo> for Subject {
    fn from(browser: &BrowserInfo) -> Self {
        Subject {
            browser: browser.name.clone(),
            version: browser.version.clone(),
        }
    }
}

impl BrowserResult {
    /// A replay that could not be compared at all.
    pub fn not_measured(browser: &Subject, reason: impl Into<String>) -> Self {
        BrowserResult {
            browser: browser.browser.clone(),
            version: browser.version.clone(),
            outcome: Outcome::NotMeasured { reason: reason.into() },
            events: 0,
            checkpoints: 0,
            xbis: Vec::new(),
            ignored: Vec::new(),
            unmeasured: Vec::new(),
            masked: 0,
        }
    }
}
