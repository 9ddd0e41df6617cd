//! Rules and what stood in databases and caches.
//!
//! Values are structured clones, written as JSON: objects that JSON has not stand in it with their kind in `$`. A rule that
//! names a path in JSON cannot say where that is within a `Map`, say, and what is in a Blob nobody knows.

use super::json_path::JsonPath;
use super::pattern::any_matches;
use super::{RedactedBody, Redaction, json};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

/// What became of a record.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum StoredValue {
    Unchanged,
    /// Its whole line.
    Changed(Vec<u8>),
    /// A rule may apply, or the record would no longer be what it was: keeping it could keep a secret.
    Uncertain,
}

impl Redaction {
    /// Of a database, a store, a cache, a key.
    pub(crate) fn hides_stored(&self, name: &str) -> bool {
        any_matches(&self.rules.storage, name)
    }

    /// `line` is `{"record": {"value": …, …}}`. Properties that keys are taken from cannot be replaced.
    pub(crate) fn stored(&self, line: &[u8], value: &Value, in_keys: &[&str]) -> StoredValue {
        let has_json = !self.rules.json.is_empty();
        if has_json && (is_opaque(value) || self.has_json_text(value)) {
            return StoredValue::Uncertain;
        }
        let by_path = self
            .rules
            .json
            .iter()
            .map(|path| JsonPath::below(&["record", "value"], Some(path)));
        let properties = value.as_object().into_iter().flat_map(|object| object.keys());
        let hidden: Vec<&String> = properties
            .filter(|name| self.hides_stored(name) && *name != "$")
            .collect();
        let by_name = hidden
            .iter()
            .map(|name| JsonPath::below(&["record", "value", name], None));
        let Some(paths) = by_path.chain(by_name).collect::<Option<Vec<JsonPath>>>() else {
            return StoredValue::Uncertain;
        };
        let Ok(redacted) = json::redact(line, &paths, &self.rules.replacement) else {
            return StoredValue::Uncertain;
        };
        let Some(redacted) = redacted else {
            return StoredValue::Unchanged;
        };
        // Objects that are met again are known by their number, which is another one when some are gone.
        let in_key = |name: &&str| value.get(*name).is_some() && !is_the_same(&redacted, value, name);
        if has_references(value) || in_keys.iter().any(in_key) || in_keys.contains(&"") {
            return StoredValue::Uncertain;
        }
        StoredValue::Changed(redacted)
    }

    /// The body of an answer in a cache, in base64. `None` where a rule applies to what cannot be read.
    pub(crate) fn stored_body(&self, headers: &[(String, String)], body: Option<String>) -> Option<Option<String>> {
        let Some(text) = body else { return Some(None) };
        // It is kept without its coding, whatever its headers still say.
        let headers: Vec<_> = headers
            .iter()
            .filter(|(name, _)| !name.eq_ignore_ascii_case("content-encoding"))
            .cloned()
            .collect();
        if !self.may_change_body(&headers) {
            return Some(Some(text));
        }
        let bytes = BASE64_STANDARD.decode(&text).ok()?;
        match self.body(&headers, &bytes) {
            RedactedBody::Unchanged => Some(Some(text)),
            RedactedBody::Changed(bytes) => Some(Some(BASE64_STANDARD.encode(bytes))),
            RedactedBody::Unreadable(_) => None,
        }
    }

    fn has_json_text(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.json_in_text(text).is_some(),
            Value::Array(values) => values.iter().any(|value| self.has_json_text(value)),
            Value::Object(values) => values.values().any(|value| self.has_json_text(value)),
            _ => false,
        }
    }
}

fn is_the_same(line: &[u8], value: &Value, name: &str) -> bool {
    let redacted: Result<Value, _> = serde_json::from_slice(line);
    redacted.is_ok_and(|line| line["record"]["value"].get(name) == value.get(name))
}

/// Something that a path does not lead into.
fn is_opaque(value: &Value) -> bool {
    const PLAIN: [&str; 6] = ["undefined", "number", "bigint", "date", "regexp", "same"];
    match value {
        Value::Array(values) => values.iter().any(is_opaque),
        Value::Object(values) => match values.get("$") {
            Some(kind) => !kind.as_str().is_some_and(|kind| PLAIN.contains(&kind)),
            None => values.values().any(is_opaque),
        },
        _ => false,
    }
}

fn has_references(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().any(has_references),
        Value::Object(values) => {
            values.get("$").and_then(Value::as_str) == Some("same") || values.values().any(has_references)
        }
        _ => false,
    }
}
