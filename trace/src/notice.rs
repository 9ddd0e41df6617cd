//! What a recording wants a person to know: pages without a recorder, relaxed policies, things not supported.

use crate::event::LoadId;
use crate::exchange::ExchangeId;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    pub kind: NoticeKind,
    /// One sentence: what happened and what follows from it.
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchange: Option<ExchangeId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<LoadId>,
}

impl Notice {
    /// Of nothing in particular that could be pointed at.
    pub fn new(kind: NoticeKind, text: String) -> Notice {
        Notice {
            kind,
            text,
            url: None,
            exchange: None,
            load: None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoticeKind {
    /// A document passed without the recorder in it: replay will not control it.
    NotInstrumented,
    /// A Content-Security-Policy was widened so that the recorder may run.
    PolicyRelaxed,
    /// The page used something that is seen but neither recorded nor replayed.
    Unsupported,
    /// Upstream could not be reached, or broke off.
    Upstream,
    /// What a page sent as its log was refused (not its session, malformed, over the limit).
    LogRefused,
    /// Something could not be kept (disk full, body over the limit).
    NotKept,
    /// Anything the recorder itself went wrong with.
    Recorder,
}
