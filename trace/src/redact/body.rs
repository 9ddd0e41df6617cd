//! Which rules apply to a body, by what its headers say it is.

use super::json::Trouble;
use super::{Redaction, form, json};
use crate::content::Content;

const LARGEST: u64 = 64 * 1024 * 1024;

/// What became of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RedactedBody {
    Unchanged,
    Changed(Vec<u8>),
    /// Rules apply, but what they look for could not be found out: keeping it could keep a secret.
    Unreadable(String),
}

/// What a body is to the rules.
enum Kind {
    Json,
    JsonLines,
    /// Not called JSON, but often is: `navigator.sendBeacon` and `fetch` send strings as `text/plain`.
    MaybeJson,
    UrlEncoded,
    Multipart,
    Other,
}

impl Redaction {
    /// Whether a body of a message with these headers has to be held until its end.
    pub fn may_change_body(&self, headers: &[(String, String)]) -> bool {
        !self.is_none() && !matches!(self.kind(&Content::of(headers)), Kind::Other)
    }

    pub fn body(&self, headers: &[(String, String)], bytes: &[u8]) -> RedactedBody {
        let content = Content::of(headers);
        let kind = self.kind(&content);
        if bytes.is_empty() || matches!(kind, Kind::Other) {
            return RedactedBody::Unchanged;
        }
        let result = content
            .decoded(bytes, LARGEST)
            .map_err(|error| error.to_string())
            .and_then(|decoded| self.plain_body(&content, &kind, &decoded))
            .and_then(|redacted| match redacted {
                Some(plain) => content.coded(plain).map(Some).map_err(|error| error.to_string()),
                None => Ok(None),
            });
        match result {
            Ok(Some(changed)) => RedactedBody::Changed(changed),
            Ok(None) => RedactedBody::Unchanged,
            Err(reason) => RedactedBody::Unreadable(reason),
        }
    }

    fn kind(&self, content: &Content) -> Kind {
        let (json, form) = (!self.rules.json.is_empty(), !self.rules.form.is_empty());
        match content.media_type.as_str() {
            _ if json && content.is_json() => Kind::Json,
            _ if json && content.is_json_lines() => Kind::JsonLines,
            "" | "text/plain" if json => Kind::MaybeJson,
            "application/x-www-form-urlencoded" if form => Kind::UrlEncoded,
            "multipart/form-data" if form => Kind::Multipart,
            _ => Kind::Other,
        }
    }

    fn plain_body(&self, content: &Content, kind: &Kind, bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
        let (rules, replacement) = (&self.rules, self.rules.replacement.as_str());
        let json = |text: &[u8]| json::redact(text, &rules.json, replacement);
        match kind {
            Kind::Json => redact_guarded(bytes, json).map_err(|trouble| trouble.to_string()),
            Kind::MaybeJson => redact_maybe(bytes, json).map_err(|trouble| trouble.to_string()),
            Kind::JsonLines => redact_lines(bytes, json).map_err(|trouble| trouble.to_string()),
            Kind::UrlEncoded => Ok(form::redact_urlencoded(bytes, &rules.form, replacement)),
            Kind::Multipart => {
                let boundary = content.boundary.as_deref().ok_or("its form names no boundary")?;
                form::redact_multipart(bytes, boundary, &rules.form, replacement)
            }
            Kind::Other => Ok(None),
        }
    }
}

pub(super) fn looks_like_json(text: &[u8]) -> bool {
    matches!(text.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// Some servers put something before their JSON that keeps it from being run as a script. A byte order mark, too.
fn redact_guarded(
    text: &[u8],
    redact: impl Fn(&[u8]) -> Result<Option<Vec<u8>>, Trouble>,
) -> Result<Option<Vec<u8>>, Trouble> {
    let guards: [&[u8]; 5] = [b"\xef\xbb\xbf", b")]}',", b")]}'", b"while(1);", b"for(;;);"];
    let guard = guards
        .iter()
        .find(|guard| text.starts_with(guard))
        .map_or(0, |guard| guard.len());
    let (guard, rest) = text.split_at(guard);
    Ok(redact(rest)?.map(|redacted| [guard, &redacted].concat()))
}

/// Called plain text, so that it may well not be JSON after all, unless it only breaks off.
fn redact_maybe(
    text: &[u8],
    redact: impl Fn(&[u8]) -> Result<Option<Vec<u8>>, Trouble>,
) -> Result<Option<Vec<u8>>, Trouble> {
    if !looks_like_json(text) {
        return Ok(None);
    }
    match redact(text) {
        Err(Trouble::NotJson(_)) => Ok(None),
        result => result,
    }
}

/// One JSON document a line, in a stream of events after `data:`. Lines that are not JSON stay.
fn redact_lines(
    text: &[u8],
    redact: impl Fn(&[u8]) -> Result<Option<Vec<u8>>, Trouble>,
) -> Result<Option<Vec<u8>>, Trouble> {
    let mut result = Vec::with_capacity(text.len());
    let mut changed = false;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let label = if line.starts_with(b"data:") { 5 } else { 0 };
        let (label, rest) = line.split_at(label);
        result.extend_from_slice(label);
        let redacted = redact_maybe(rest, &redact)?;
        changed |= redacted.is_some();
        result.extend_from_slice(redacted.as_deref().unwrap_or(rest));
    }
    Ok(changed.then_some(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(headers: &[(&str, &str)], body: &[u8]) -> RedactedBody {
        let rules = "json = ['$..pin']\nform = ['pin']\nreplacement = 'X'";
        let headers: Vec<_> = headers
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect();
        Redaction::parse(rules).unwrap().body(&headers, body)
    }

    fn changed(text: &str) -> RedactedBody {
        RedactedBody::Changed(text.as_bytes().to_vec())
    }

    #[test]
    fn json_is_found_under_its_many_names() {
        for kind in [
            "application/json",
            "application/problem+json; charset=utf-8",
            "text/plain;charset=UTF-8",
        ] {
            assert_eq!(
                check(&[("Content-Type", kind)], b"{\"pin\":1}"),
                changed("{\"pin\":\"X\"}"),
                "{kind}"
            );
        }
        assert_eq!(check(&[], b" [{\"pin\":1}]"), changed(" [{\"pin\":\"X\"}]"));
        let json = [("content-type", "application/json")];
        assert_eq!(check(&json, b")]}',\n{\"pin\":1}"), changed(")]}',\n{\"pin\":\"X\"}"));
        let events = [("content-type", "text/event-stream")];
        let stream = "event: a\ndata: {\"pin\":1}\n\ndata: [DONE]\n";
        assert_eq!(
            check(&events, stream.as_bytes()),
            changed(&stream.replace("1}", "\"X\"}"))
        );
    }

    #[test]
    fn what_cannot_be_read_is_not_kept() {
        let json = [("content-type", "application/json")];
        assert!(matches!(check(&json, b"{\"pin\":1"), RedactedBody::Unreadable(_)));
        let coded = [("content-type", "application/json"), ("content-encoding", "secret")];
        assert!(matches!(check(&coded, b"{}"), RedactedBody::Unreadable(_)));
        assert!(matches!(check(&[], b"{\"pin\":1"), RedactedBody::Unreadable(_)));
        assert_eq!(check(&[], b"{ not json"), RedactedBody::Unchanged);
        assert_eq!(check(&json, b""), RedactedBody::Unchanged);
    }

    #[test]
    fn a_compressed_body_stays_compressed() {
        let headers = [
            ("content-type".to_owned(), "application/json".to_owned()),
            ("content-encoding".into(), "br".into()),
        ];
        let content = Content::of(&headers);
        let sent = content.coded(b"{\"pin\":1}".to_vec()).unwrap();
        let headers = [("content-type", "application/json"), ("content-encoding", "br")];
        let RedactedBody::Changed(kept) = check(&headers, &sent) else {
            panic!()
        };
        assert_eq!(content.decoded(&kept, 100).unwrap(), b"{\"pin\":\"X\"}");
    }

    #[test]
    fn other_bodies_are_not_held() {
        let rules = Redaction::parse("json = ['$.a']").unwrap();
        let of = |kind: &str| rules.may_change_body(&[("content-type".to_owned(), kind.to_owned())]);
        assert!(of("application/json") && of("text/plain"));
        assert!(!of("image/png") && !of("text/html") && !of("application/x-www-form-urlencoded"));
        assert!(!Redaction::none().may_change_body(&[]));
    }
}
