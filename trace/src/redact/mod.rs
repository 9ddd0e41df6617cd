//! Keeps secrets out of a trace, by rules that apply while it is recorded.

use crate::event::{Event, Load};
use crate::exchange::{Exchange, Frame};
use crate::notice::Notice;
use std::borrow::Cow;
use std::sync::Arc;

/// The rules in force. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Redaction {
    rules: Arc<Rules>,
}

#[derive(Debug, Default)]
struct Rules {}

/// What became of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedactedBody {
    Unchanged,
    Changed(Vec<u8>),
    /// Rules apply, but what they look for could not be found out: keeping it could keep a secret.
    Unreadable(String),
}

impl Redaction {
    /// Nothing is redacted.
    pub fn none() -> Redaction {
        Redaction::default()
    }

    /// Names of the rules, for the manifest.
    pub fn names(&self) -> Vec<String> {
        let Rules {} = *self.rules;
        Vec::new()
    }

    pub fn load<'a>(&self, load: &'a Load) -> Cow<'a, Load> {
        Cow::Borrowed(load)
    }

    pub fn event<'a>(&self, event: &'a Event) -> Cow<'a, Event> {
        Cow::Borrowed(event)
    }

    pub fn exchange<'a>(&self, exchange: &'a Exchange) -> Cow<'a, Exchange> {
        Cow::Borrowed(exchange)
    }

    pub fn frame<'a>(&self, frame: &'a Frame) -> Cow<'a, Frame> {
        Cow::Borrowed(frame)
    }

    pub fn notice<'a>(&self, notice: &'a Notice) -> Cow<'a, Notice> {
        Cow::Borrowed(notice)
    }

    /// Whether a body of a message with these headers has to be held until its end.
    pub fn may_change_body(&self, _headers: &[(String, String)]) -> bool {
        false
    }

    pub fn body(&self, _headers: &[(String, String)], _bytes: &[u8]) -> RedactedBody {
        RedactedBody::Unchanged
    }
}
