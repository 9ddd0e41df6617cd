//! Whose doing a navigation was, as far as the trace can tell.
//!
//! A page that the person opened by the address bar, a bookmark or a script of a test has to be opened by us; one that
//! the page opened has to come by itself, and when it does not, that is a finding.

use crate::browser::History;
use std::collections::HashMap;
use xcheck_trace::Trace;
use xcheck_trace::event::Load;
use xcheck_trace::exchange::ExchangeId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// The page's script, or a link, button or form.
    Page,
    /// The person, past the page.
    Person,
    /// Nothing says so.
    Unknown,
}

pub(super) fn cause_of(trace: &Trace, load: &Load, first_of: &HashMap<ExchangeId, u32>) -> Cause {
    if !load.path.is_empty() || (load.window > 0 && load.sequence == 0) {
        return Cause::Page;
    }
    if load.sequence == 0 {
        return Cause::Person;
    }
    let Some(exchange) = load.exchange.and_then(|exchange| trace.exchange(exchange)) else {
        return Cause::Unknown;
    };
    if first_of.get(&exchange.id).is_some_and(|first| *first != load.load) {
        // It came from the browser's cache, as the way back in the history does.
        return Cause::Unknown;
    }
    let header = |name: &str| {
        let mut headers = exchange.request.headers.iter();
        headers
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    };
    match (header("sec-fetch-site"), header("referer")) {
        (Some("none"), _) => Cause::Person,
        (Some(_), _) | (None, Some(_)) => Cause::Page,
        (None, None) => Cause::Unknown,
    }
}

/// The history of each window, as far as our own doing needs it.
#[derive(Debug, Default)]
pub(super) struct Histories {
    of_window: HashMap<u32, (Vec<String>, usize)>,
}

impl Histories {
    /// The step that leads to this document, where it stands next to the present one.
    pub(super) fn step_to(&self, load: &Load) -> Option<History> {
        let (entries, at) = self.of_window.get(&load.window)?;
        let is = |index: Option<usize>| index.and_then(|index| entries.get(index)) == Some(&load.url);
        if is(Some(*at)) {
            Some(History::Reload)
        } else if is(at.checked_sub(1)) {
            Some(History::Back)
        } else if is(Some(at + 1)) {
            Some(History::Forward)
        } else {
            None
        }
    }

    pub(super) fn went(&mut self, load: &Load, step: Option<History>) {
        let (entries, at) = self.of_window.entry(load.window).or_default();
        match step {
            Some(History::Back) => *at = at.saturating_sub(1),
            Some(History::Forward) => *at += 1,
            Some(History::Reload) => {}
            None if entries.is_empty() => entries.push(load.url.clone()),
            None => {
                entries.truncate(*at + 1);
                entries.push(load.url.clone());
                *at += 1;
            }
        }
    }
}
