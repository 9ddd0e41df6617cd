//! Keeps secrets out of a trace, by rules that apply while it is recorded.
//!
//! Everything is replaced in place, byte by byte: keys keep their order, numbers their spelling, bodies their content
//! coding. What is typed into a redacted input becomes as many `*`, and so does each key, so that a replay types
//! something of the same length. Where a rule applies but its subject cannot be read, nothing is kept of it: a gap
//! that is said is better than a secret.
//!
//! What this cannot know: a secret that the server writes into a page's HTML or script, or that the page's own script
//! computes from one. The rules name places, not values.

mod body;
mod form;
mod input;
mod json;
mod json_path;
mod pattern;
mod rules;
mod stored;

pub use body::RedactedBody;
pub use rules::RulesError;
pub(crate) use stored::StoredValue;

use crate::event::{Event, Load, What};
use crate::exchange::{Exchange, Frame, Payload};
use crate::notice::Notice;
use pattern::any_matches;
use rules::Rules;
use std::borrow::Cow;
use std::sync::Arc;

/// The rules in force. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Redaction {
    rules: Arc<Rules>,
}

impl Default for Redaction {
    fn default() -> Self {
        Redaction::none()
    }
}

impl Redaction {
    /// Nothing is redacted.
    pub fn none() -> Redaction {
        Redaction {
            rules: Arc::new(Rules::none()),
        }
    }

    /// Reads rules written in TOML.
    pub fn parse(text: &str) -> Result<Redaction, RulesError> {
        let rules = Arc::new(Rules::parse(text)?);
        Ok(Redaction { rules })
    }

    /// Names of the rules, for the manifest.
    pub fn names(&self) -> Vec<String> {
        self.rules.names.clone()
    }

    pub(crate) fn is_none(&self) -> bool {
        self.rules.names.is_empty()
    }

    pub fn load<'a>(&self, load: &'a Load) -> Cow<'a, Load> {
        if self.is_none() {
            return Cow::Borrowed(load);
        }
        let mut load = load.clone();
        self.url(&mut load.url);
        if let Some(storage) = &mut load.storage {
            for values in [&mut storage.local, &mut storage.session] {
                for (key, value) in values {
                    if any_matches(&self.rules.storage, key) {
                        value.clone_from(&self.rules.replacement);
                    }
                }
            }
            storage.cookies = self.cookies(&storage.cookies);
        }
        Cow::Owned(load)
    }

    /// `a=1; b=2`, as a page sees its cookies.
    fn cookies(&self, cookies: &str) -> String {
        let all = any_matches(&self.rules.headers, "cookie");
        let pairs = cookies.split("; ").map(|pair| match pair.split_once('=') {
            Some((name, _)) if all || any_matches(&self.rules.storage, name) => {
                format!("{name}={}", self.rules.replacement)
            }
            _ => pair.to_owned(),
        });
        pairs.collect::<Vec<_>>().join("; ")
    }

    pub fn event<'a>(&self, event: &'a Event) -> Cow<'a, Event> {
        if self.is_none() {
            return Cow::Borrowed(event);
        }
        let mut event = event.clone();
        match &mut event.what {
            Some(What::Dom(dom)) if self.rules.inputs.iter().any(|rule| rule.matches(&dom.target)) => input::mask(dom),
            Some(What::Script { key, .. }) => self.url(key),
            Some(What::Host { data, .. }) => self.value(data),
            Some(What::Settle { value, .. }) => self.value(value),
            Some(What::Error(error)) => self.url(&mut error.source),
            _ => {}
        }
        for request in event.local.xhr.iter_mut().chain(&mut event.local.fetch) {
            self.url(&mut request.url);
        }
        for (_, answer) in &mut event.local.answer {
            self.value(answer);
        }
        Cow::Owned(event)
    }

    pub fn exchange(&self, mut exchange: Exchange) -> Exchange {
        self.url(&mut exchange.request.url);
        self.headers(&mut exchange.request.headers);
        if let Some(response) = &mut exchange.response {
            self.headers(&mut response.headers);
            self.headers(&mut response.trailers);
        }
        exchange
    }

    pub fn headers(&self, headers: &mut [(String, String)]) {
        for (name, value) in headers {
            if any_matches(&self.rules.headers, name) {
                value.clone_from(&self.rules.replacement);
            } else if ["referer", "location", "content-location"]
                .iter()
                .any(|url| name.eq_ignore_ascii_case(url))
            {
                self.url(value);
            }
        }
    }

    pub fn frame<'a>(&self, frame: &'a Frame) -> Cow<'a, Frame> {
        let Payload::Text { text } = &frame.payload else {
            return Cow::Borrowed(frame);
        };
        match self.json_in_text(text) {
            None => Cow::Borrowed(frame),
            Some(text) => Cow::Owned(Frame {
                payload: Payload::Text { text },
                ..frame.clone()
            }),
        }
    }

    pub fn notice<'a>(&self, notice: &'a Notice) -> Cow<'a, Notice> {
        let redacted = notice.url.as_deref().and_then(|url| self.redacted_url(url));
        match (redacted, &notice.url) {
            (Some(redacted), Some(url)) => Cow::Owned(Notice {
                text: notice.text.replace(url, &redacted),
                url: Some(redacted),
                ..notice.clone()
            }),
            _ => Cow::Borrowed(notice),
        }
    }

    pub(crate) fn url(&self, url: &mut String) {
        if let Some(redacted) = self.redacted_url(url) {
            *url = redacted;
        }
    }

    fn redacted_url(&self, url: &str) -> Option<String> {
        form::redact_url(url, &self.rules.query, &self.rules.replacement)
    }

    /// Messages that pass between documents, sockets and workers: their text, when it is JSON, and they themselves.
    fn value(&self, value: &mut serde_json::Value) {
        if self.rules.json.is_empty() || value.is_null() {
            return;
        }
        let text = value.to_string();
        let redacted = json::redact(text.as_bytes(), &self.rules.json, &self.rules.replacement);
        if let Ok(Some(redacted)) = redacted
            && let Ok(redacted) = serde_json::from_slice(&redacted)
        {
            *value = redacted;
        }
        self.texts_in(value);
    }

    fn texts_in(&self, value: &mut serde_json::Value) {
        match value {
            serde_json::Value::String(text) => {
                if let Some(redacted) = self.json_in_text(text) {
                    *text = redacted;
                }
            }
            serde_json::Value::Array(values) => values.iter_mut().for_each(|value| self.texts_in(value)),
            serde_json::Value::Object(values) => values.values_mut().for_each(|value| self.texts_in(value)),
            _ => {}
        }
    }

    fn json_in_text(&self, text: &str) -> Option<String> {
        if self.rules.json.is_empty() || !body::looks_like_json(text.as_bytes()) {
            return None;
        }
        // Text that only looks like JSON has no paths, and so nothing that a rule could mean.
        let redacted = json::redact(text.as_bytes(), &self.rules.json, &self.rules.replacement).ok()??;
        String::from_utf8(redacted).ok()
    }
}
