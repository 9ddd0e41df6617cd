//! The head of an instrumented response.
//!
//! What goes: everything that describes the bytes that were replaced (length, digests, coding, ranges). The body is not
//! coded again: it goes over loopback, and coding it would cost time and hold the first bytes back.
//!
//! What keeps copies apart in the browser's cache: `ETag` goes, so that no conditional request can revive a copy for
//! another use, and `Vary` comes, since the same address asked for by `fetch` is not instrumented. `Last-Modified` stays,
//! pages read it as `document.lastModified`. `Cache-Control` stays: a document from the cache fetches its script anew.

use super::Script;
use super::csp::{self, Limits, Needs, Relaxed};
use encoding_rs::Encoding;
use hyper::header::{
    ACCEPT_RANGES, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY,
    CONTENT_SECURITY_POLICY_REPORT_ONLY, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, VARY,
};

/// What answers to one address differ by that are for different uses.
pub(crate) const KEPT_APART: &str = "Accept, Sec-Fetch-Dest";

/// Changes to a response's head.
#[derive(Debug, Default, Clone)]
pub(crate) struct HeaderEdits {
    remove: Vec<HeaderName>,
    /// All values of a header, in place of those it had.
    replace: Vec<(HeaderName, Vec<HeaderValue>)>,
    /// Answers to other uses of the same address differ.
    vary: bool,
}

/// What was done to a head's policies.
#[derive(Debug, Default)]
pub(super) struct Policies {
    pub(super) changes: Vec<String>,
    pub(super) uses_nonce: bool,
    /// One of them may refuse a WebSocket.
    pub(super) limits_sockets: bool,
    /// One of them may refuse a script that stands in the document.
    pub(super) inline: Limits,
}

impl HeaderEdits {
    pub(crate) fn apply(&self, headers: &mut HeaderMap) {
        for name in &self.remove {
            headers.remove(name);
        }
        for (name, values) in &self.replace {
            headers.remove(name);
            for value in values {
                headers.append(name, value.clone());
            }
        }
        if self.vary && !headers.get_all(VARY).iter().any(|value| value == "*") {
            headers.append(VARY, HeaderValue::from_static(KEPT_APART));
        }
    }

    /// For a document that stays as it is because of what it is used for.
    pub(super) fn keep_apart() -> HeaderEdits {
        HeaderEdits {
            vary: true,
            ..HeaderEdits::default()
        }
    }

    pub(super) fn instrument(headers: &HeaderMap, needs: &Needs) -> (HeaderEdits, Policies) {
        let digests = [
            "content-md5",
            "digest",
            "content-digest",
            "repr-digest",
            "unencoded-digest",
        ];
        let mut edits = HeaderEdits {
            remove: vec![CONTENT_LENGTH, CONTENT_ENCODING, CONTENT_RANGE, ACCEPT_RANGES, ETAG],
            replace: Vec::new(),
            vary: true,
        };
        edits.remove.extend(digests.map(HeaderName::from_static));
        let mut policies = Policies::default();
        for (name, what) in [
            (CONTENT_SECURITY_POLICY, "Content-Security-Policy"),
            (
                CONTENT_SECURITY_POLICY_REPORT_ONLY,
                "Content-Security-Policy-Report-Only",
            ),
        ] {
            edits.rewrite(headers, name, &mut |as_it_came| {
                let Relaxed {
                    policy,
                    changes,
                    uses_nonce,
                } = csp::relax(as_it_came, needs);
                policies.uses_nonce |= uses_nonce;
                policies.limits_sockets |= !csp::lets_sockets(as_it_came);
                policies.inline = policies.inline.and(Limits::of(as_it_came));
                policies
                    .changes
                    .extend(changes.into_iter().map(|change| format!("{what}: {change}")));
                policy
            });
        }
        for name in ["integrity-policy", "integrity-policy-report-only"] {
            edits.rewrite_lines(headers, HeaderName::from_static(name), &mut |line| {
                let relaxed = csp::relax_integrity_policy(line)?;
                policies
                    .changes
                    .push(format!("{name}: scripts without a hash are no longer blocked"));
                Some(relaxed)
            });
        }
        (edits, policies)
    }

    /// For the script of a service worker, which has no document's policy but its own, and speaks to us by requests. Also what was
    /// changed, for people.
    pub(crate) fn let_worker_speak(headers: &HeaderMap, script: &Script) -> (HeaderEdits, Vec<String>) {
        let (mut edits, mut changes) = (HeaderEdits::default(), Vec::new());
        let needs = Needs::new(script);
        edits.rewrite(headers, CONTENT_SECURITY_POLICY, &mut |policy| {
            let relaxed = csp::relax_connections(policy, &needs);
            changes.extend(relaxed.changes);
            relaxed.policy
        });
        (edits, changes)
    }

    /// Says the encoding of a document whose content type does not.
    pub(super) fn declare(&mut self, headers: &HeaderMap, encoding: &'static Encoding) {
        self.rewrite_lines(headers, CONTENT_TYPE, &mut |line| {
            Some(format!("{line}; charset={}", encoding.name()))
        });
    }

    /// Each policy of a header that may hold several, separated by commas, on several lines.
    fn rewrite(&mut self, headers: &HeaderMap, name: HeaderName, edit: &mut dyn FnMut(&str) -> String) {
        self.rewrite_lines(headers, name, &mut |line| {
            Some(line.split(',').map(&mut *edit).collect::<Vec<_>>().join(","))
        });
    }

    fn rewrite_lines(&mut self, headers: &HeaderMap, name: HeaderName, edit: &mut dyn FnMut(&str) -> Option<String>) {
        let mut changed = false;
        let lines: Vec<HeaderValue> = headers
            .get_all(&name)
            .iter()
            .map(|old| {
                let text = latin1(old);
                let new = edit(&text).filter(|new| *new != text);
                let new = new.and_then(|new| HeaderValue::from_bytes(&to_latin1(&new)).ok());
                changed |= new.is_some();
                new.unwrap_or_else(|| old.clone())
            })
            .collect();
        if changed {
            self.replace.push((name, lines));
        }
    }
}

/// A header's bytes, each as the character of that number: nothing is lost on the way back.
pub(super) fn latin1(value: &HeaderValue) -> String {
    value.as_bytes().iter().map(|byte| char::from(*byte)).collect()
}

fn to_latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect()
}
