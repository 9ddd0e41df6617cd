//! Headers, cookies, parameters and bodies as HAR has them.

use crate::content::Content;
use crate::exchange::Body;
use crate::form_text::decode;
use crate::trace::Trace;
use base64::Engine;
use serde_json::{Value, json};

/// Larger bodies are left out, and it is said.
pub(super) const LARGEST: u64 = 64 * 1024 * 1024;

pub(super) fn headers(headers: &[(String, String)]) -> Value {
    headers.iter().map(|(name, value)| pair(name, value)).collect()
}

pub(super) fn cookies(headers: &[(String, String)]) -> Value {
    values(headers, "cookie")
        .flat_map(|value| value.split(';'))
        .filter(|cookie| !cookie.trim().is_empty())
        .map(|cookie| {
            let (name, value) = cookie.trim().split_once('=').unwrap_or((cookie.trim(), ""));
            pair(name, value)
        })
        .collect()
}

pub(super) fn set_cookies(headers: &[(String, String)]) -> Value {
    values(headers, "set-cookie").map(set_cookie).collect()
}

fn set_cookie(text: &str) -> Value {
    let mut parts = text.split(';');
    let first = parts.next().unwrap_or_default().trim();
    let (name, value) = first.split_once('=').unwrap_or((first, ""));
    let mut cookie = json!({"name": name, "value": value, "httpOnly": false, "secure": false});
    for part in parts {
        let (name, value) = part.trim().split_once('=').unwrap_or((part.trim(), ""));
        match name.to_ascii_lowercase().as_str() {
            "path" => cookie["path"] = value.into(),
            "domain" => cookie["domain"] = value.into(),
            "httponly" => cookie["httpOnly"] = true.into(),
            "secure" => cookie["secure"] = true.into(),
            _ => {}
        }
    }
    cookie
}

/// Parameters of a query or a form.
pub(super) fn query(text: &str) -> Value {
    text.split('&')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            pair(&decode(name.as_bytes()), &decode(value.as_bytes()))
        })
        .collect()
}

/// A body as HAR has it.
#[derive(Default)]
pub(super) struct BodyText {
    pub(super) text: String,
    /// `base64` where the body is no text.
    pub(super) encoding: Option<&'static str>,
    /// Bytes without content coding.
    pub(super) bytes: u64,
}

pub(super) fn body_text(trace: &Trace, body: &Body, content: &Content, missing: &mut Vec<String>) -> BodyText {
    let stored = match trace.bodies().bytes(&body.sha256, LARGEST) {
        Ok(stored) => stored,
        Err(error) => {
            missing.push(format!("The body is left out: {error}."));
            return BodyText::default();
        }
    };
    if body.partial {
        missing.push("The body is not complete.".into());
    }
    let decoded = content.decoded(&stored, LARGEST).unwrap_or_else(|error| {
        missing.push(format!(
            "The body is as it was sent, its content coding could not be taken off: {error}."
        ));
        stored
    });
    let bytes = decoded.len() as u64;
    let (text, encoding) = match String::from_utf8(decoded) {
        Ok(text) if is_text(content) => (text, None),
        Ok(text) => (base64(text.as_bytes()), Some("base64")),
        Err(error) => (base64(error.as_bytes()), Some("base64")),
    };
    BodyText { text, encoding, bytes }
}

pub(super) fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// Without a content type, what is UTF-8 is taken for text.
fn is_text(content: &Content) -> bool {
    let kind = content.media_type.as_str();
    let utf8 = content
        .charset
        .as_deref()
        .is_none_or(|charset| ["utf-8", "utf8", "us-ascii"].contains(&charset));
    let textual = kind.is_empty()
        || kind.starts_with("text/")
        || [
            "json",
            "xml",
            "javascript",
            "ecmascript",
            "x-www-form-urlencoded",
            "form-data",
            "graphql",
        ]
        .iter()
        .any(|word| kind.contains(word));
    utf8 && textual
}

fn values<'a>(headers: &'a [(String, String)], wanted: &'a str) -> impl Iterator<Item = &'a str> {
    headers
        .iter()
        .filter(move |(name, _)| name.eq_ignore_ascii_case(wanted))
        .map(|(_, value)| value.as_str())
}

fn pair(name: &str, value: &str) -> Value {
    json!({"name": name, "value": value})
}
