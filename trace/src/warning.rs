//! What a person should know about a trace or a run that can be read all the same.

use crate::event::{EventId, LoadId};
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// The recorder was killed, or is still at it.
    Unfinished,
    TornLine {
        file: &'static str,
    },
    BadLine {
        file: &'static str,
        number: u64,
        reason: String,
    },
    MoreBadLines {
        file: &'static str,
        more: usize,
    },
    LogTooLarge {
        file: &'static str,
    },
    LogMissing {
        file: &'static str,
    },
    /// A compressed log ends too early.
    LogDamaged {
        file: &'static str,
        reason: String,
    },
    /// Two lines claim the same number; the first one counts.
    Twice {
        file: &'static str,
        what: String,
    },
    /// A continuation line of an event that is not there.
    NoSuchEvent {
        load: LoadId,
        event: EventId,
    },
    NewerMinor {
        found: crate::manifest::Format,
    },
    /// A replay in a run has no outcome: it goes on, or was killed.
    ReplayUnfinished {
        replay: String,
    },
    ReplayMissing {
        replay: String,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Unfinished => write!(
                f,
                "the recording was not finished: what follows its last flush is missing"
            ),
            Warning::TornLine { file } => write!(f, "{file}: the last line is torn and was skipped"),
            Warning::BadLine { file, number, reason } => {
                write!(f, "{file}: line {number} could not be read and was skipped ({reason})")
            }
            Warning::MoreBadLines { file, more } => write!(f, "{file}: {more} more lines could not be read"),
            Warning::LogTooLarge { file } => write!(f, "{file}: too large, only its beginning was read"),
            Warning::LogMissing { file } => write!(f, "{file}: the file is missing"),
            Warning::LogDamaged { file, reason } => {
                write!(f, "{file}: damaged, only its beginning could be read ({reason})")
            }
            Warning::Twice { file, what } => write!(f, "{file}: {what} is there twice, the first one counts"),
            Warning::NoSuchEvent { load, event } => {
                write!(
                    f,
                    "events.jsonl: more about event {event} of load {load}, which is not there"
                )
            }
            Warning::NewerMinor { found } => write!(
                f,
                "the format {found} is newer than this xcheck: what it added is not shown"
            ),
            Warning::ReplayUnfinished { replay } => {
                write!(f, "{replay}: the replay was not finished, or still goes on")
            }
            Warning::ReplayMissing { replay } => write!(f, "{replay}: nothing of this replay is there"),
        }
    }
}
