//! Pages that are left for a document that is no page of the trace: a text, a picture, an address at which nobody answers.
//!
//! Nothing runs there that was recorded, so that nothing is opened. But its answer waits, as that of a page does, until the
//! page that is left has done what it did; and that it was asked for at all is what a link does.

use super::{Making, Step, asked_first, look_before_leaving};
use crate::replay::classify::{Class, class_of};
use std::collections::HashSet;
use url::Url;
use xcheck_trace::Trace;
use xcheck_trace::event::{Event, Load, LoadId};
use xcheck_trace::exchange::{End, Exchange, ExchangeId, ResponseHead};

/// How long a page may go on once the answer is there. One that does so for longer stayed: what came was kept in a file, or
/// shown in another window.
const LAST_MS: f64 = 500.0;

/// What browsers show of the kinds that are neither text nor pictures, sound or films.
const SHOWN: [&str; 4] = ["json", "xml", "pdf", "javascript"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Due {
    exchange: ExchangeId,
    /// The page that is left.
    load: LoadId,
    /// Where its last event is in the trace's order.
    last: usize,
}

impl Making<'_> {
    /// Those whose page has nothing left to do.
    pub(super) fn let_pages_depart(&mut self, index: usize) {
        let (due, rest): (Vec<Due>, Vec<Due>) = self.departing.iter().partition(|due| due.last < index);
        self.departing = rest;
        due.into_iter().for_each(|due| self.depart(due));
    }

    fn depart(&mut self, due: Due) {
        let (Some(load), Some(exchange)) = (self.trace.load(due.load), self.trace.exchange(due.exchange)) else {
            return;
        };
        let asked = asked_first(self.trace, exchange).started_ms;
        if look_before_leaving(&mut self.steps, load.load, load.window, asked) {
            self.since_checkpoint = 0;
        }
        self.departed.insert(load.load);
        self.held.push(due.exchange);
        self.steps.push(Step::Depart {
            window: load.window,
            exchange: due.exchange,
        });
    }
}

pub(super) fn due(trace: &Trace, order: &[&Event]) -> Vec<Due> {
    let pages: HashSet<ExchangeId> = trace.loads.iter().filter_map(|load| load.exchange).collect();
    let others = trace.exchanges.iter().filter(|exchange| !pages.contains(&exchange.id));
    let mut left = HashSet::new();
    let due = others.filter(|exchange| is_shown(exchange)).filter_map(|exchange| {
        let load = left_for(trace, exchange)?;
        let last = order.iter().rposition(|event| event.load == load.load)?;
        left.insert(load.load).then_some(Due {
            exchange: exchange.id,
            load: load.load,
            last,
        })
    });
    due.collect()
}

/// Whether a page asked for it, to be shown in its place.
fn is_shown(exchange: &Exchange) -> bool {
    let header = |name| exchange.request.header(name);
    let is_document = match header("sec-fetch-dest") {
        Some(destination) => destination == "document",
        // Only over a secure connection is it said.
        None => {
            header("upgrade-insecure-requests").is_some()
                && header("accept").is_some_and(|accept| accept.starts_with("text/html"))
        }
    };
    let is_of_page = header("sec-fetch-site") != Some("none") && !exchange.request.is_ahead_of_time();
    let answered = match (&exchange.response, &exchange.end) {
        (None, end) => matches!(end, End::Failed { .. }),
        (Some(response), end) => {
            let leads_on = (300..400).contains(&response.status) && response.header("location").is_some();
            !matches!(end, End::Aborted) && !is_kept(response) && !leads_on && ![204, 205].contains(&response.status)
        }
    };
    is_document && is_of_page && answered
}

/// In a file, while the page stays.
fn is_kept(response: &ResponseHead) -> bool {
    let says = |name: &str| {
        response
            .header(name)
            .unwrap_or_default()
            .trim_start()
            .to_ascii_lowercase()
    };
    let kind = says("content-type");
    let is_shown = |name: &str| kind.contains(name);
    says("content-disposition").starts_with("attachment")
        || (kind.starts_with("application/") && !SHOWN.into_iter().any(is_shown))
}

/// The page that had asked for it, and was over when it came.
fn left_for<'t>(trace: &'t Trace, exchange: &Exchange) -> Option<&'t Load> {
    let first = asked_first(trace, exchange);
    let tops = || {
        trace
            .loads
            .iter()
            .filter(|load| load.path.is_empty() && load.at <= first.started_ms)
    };
    let is_current = |load: &&Load| !tops().any(|later| later.window == load.window && later.sequence > load.sequence);
    let asked_from = first.request.header("referer").and_then(|from| Url::parse(from).ok());
    let may_ask = |load: &&Load| {
        asked_from
            .as_ref()
            .is_none_or(|from| Url::parse(&load.url).is_ok_and(|url| url.origin() == from.origin()))
    };
    let mut may_ask = tops().filter(is_current).filter(may_ask);
    let page = may_ask.next().filter(|_| may_ask.next().is_none())?;
    let there = exchange.started_ms + exchange.head_ms.or(exchange.end_ms).unwrap_or(0.0);
    let is_over = |event: &Event| event.at <= there + LAST_MS || class_of(event) == Class::Leaving;
    trace.events_of(page.load).iter().all(is_over).then_some(page)
}
