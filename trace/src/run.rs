//! What replays left behind: one folder for a run, one below it for each browser.
//!
//! `run.json` (this module's [`Run`]) stands beside `<browser>/outcome.json`, `<browser>/events.jsonl`
//! ([`ReplayedEvent`]), `<browser>/checkpoints.jsonl` ([`Checkpoint`]) and one store of page data and screenshots by
//! SHA-256 for all browsers. Everything is appended while the replay goes on.

use crate::event::{EventId, LoadId, PageError};
use crate::hash::Sha256;
use crate::manifest::{BrowserInfo, Format, Viewport};
use serde::{Deserialize, Serialize};

/// Page data is not self-describing: any change to the types in [`crate::page`] is a new major version.
pub const FORMAT: Format = Format { major: 1, minor: 0 };

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub format: Format,
    /// Path of the trace as given, and the SHA-256 of its manifest, events and exchanges.
    pub trace: String,
    pub trace_sha256: Sha256,
    pub viewport: Viewport,
    /// Replays in the order asked for; the reference may be there twice. The names of their folders.
    pub replays: Vec<String>,
    /// The replay the others are compared with, and the second one of the same browser, for noise.
    pub reference: Option<String>,
    pub reference_again: Option<String>,
}

/// Begins an event's note on a checkpoint that could not be taken; the reason follows.
pub const NO_CHECKPOINT: &str = "no checkpoint: ";

/// `outcome.json`: absent while a replay goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplayOutcome {
    pub browser: BrowserInfo,
    pub outcome: Outcome,
    pub wall_ms: u64,
    pub events: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum Outcome {
    Replayed,
    NotMeasured { reason: String },
}

/// The place of an event in a trace: its number in the trace's total order, and in its own document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    pub number: u32,
    pub load: LoadId,
    pub event: EventId,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReplayedEvent {
    pub place: Place,
    /// How a person would name the event: `click on #save`, `timer remind (200 ms)`.
    pub label: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub divergences: Vec<Divergence>,
    /// Things worth knowing that are no divergence: a locator that disagreed, synthetic input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Errors that the page caught and wrote to the console here, and not when it was recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub complaints: Vec<PageError>,
    /// The page had already diverged by not going where the trace went.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after_divergence: bool,
    /// The number of the event that asked for this one: set the timer, sent the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registered_by: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Divergence {
    pub kind: DivergenceKind,
    pub expected: String,
    pub actual: String,
    /// The first uncaught exception that only this browser had, at or before this event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<PageError>,
    /// The callback it is about, which `expected` or `actual` know by its hash: its name, or the beginning of its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callback: Option<String>,
    /// What this browser does not have, of which it would have come: `requestIdleCallback`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lacks: Option<String>,
}

impl Divergence {
    pub fn new(kind: DivergenceKind, expected: impl Into<String>, actual: impl Into<String>) -> Divergence {
        Divergence {
            kind,
            expected: expected.into(),
            actual: actual.into(),
            cause: None,
            callback: None,
            lacks: None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DivergenceKind {
    TargetMissing,
    /// A key comes to another element, which has the focus there.
    TargetElsewhere,
    EventMissing,
    EventExtra,
    WrongCallback,
    CallbackMissing,
    CallbackExtra,
    RequestDiffers,
    RequestMissing,
    RequestExtra,
    /// The page asked for something the trace does not have.
    NotInTrace,
    AnswersExhausted,
    AnswersUnused,
    MessageDiffers,
    SettledOtherwise,
    NavigationMissing,
    NavigationElsewhere,
    ExceptionOnlyHere,
    ExceptionMissing,
    ScriptMissing,
    ScriptExtra,
    DialogDiffers,
    /// The page has more or fewer elements than in the same browser when it was recorded.
    PageDiffers,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The last event that ran before.
    pub place: Place,
    /// Top-level document shown, as the trace numbers loads.
    pub load: LoadId,
    pub url: String,
    /// Postcard-encoded, compressed [`crate::page::PageData`] in the run's store.
    pub page_sha256: Sha256,
    /// PNG of the whole page; absent when it could not be taken, with the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot_sha256: Option<Sha256>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screenshot_missing: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after_divergence: bool,
    /// Modules have run here that come later in the trace: the engine's `load` waits for them. What the page shows is no other
    /// browser's to show yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ahead: bool,
    /// Where on the page the pointer rested, in CSS pixels from its top-left corner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<[f32; 2]>,
}
