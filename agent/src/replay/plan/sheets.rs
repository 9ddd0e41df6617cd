//! Style sheets that a page asks for once it is loaded come when they came.
//!
//! A browser takes the old style sheet away before it has the new one, or all that this imports: what is painted meanwhile
//! moves from there, and whether anything is painted meanwhile would be up to the network. So each waits for its step.
//!
//! When that is, two clocks say, the page's and the proxy's. That something is loaded can be the end of a style sheet which came
//! later by the proxy's, and would never come while that one is held: there the page says what was awaited.

use super::{Making, Step, dom, is_window_load};
use crate::replay::classify::{is_in_frame, tag};
use std::collections::VecDeque;
use xcheck_trace::Trace;
use xcheck_trace::event::{DomEvent, Event, Load, LoadId};
use xcheck_trace::exchange::{End, Exchange, ExchangeId};

/// By how many milliseconds the page's clock and the proxy's may differ. What began later than this is another request.
const CLOCKS_DIFFER: f64 = 1000.0;

/// A style sheet that is due, and the document that asked for it.
pub(super) struct Due {
    started_at: f64,
    ended_at: f64,
    load: LoadId,
    exchange: ExchangeId,
}

impl<'t> Making<'t> {
    /// Lets come what had come before this event, each by itself.
    pub(super) fn let_sheets_come_before(&mut self, event: &'t Event) {
        self.let_sheets_come(|due| due.ended_at <= event.at);
        if !dom(event).is_some_and(may_wait_for_sheets) {
            return;
        }
        let may_be_its = |due: &&Due| due.load == event.load && due.started_at <= event.at + CLOCKS_DIFFER;
        let sheets: Vec<ExchangeId> = self.sheets.iter().filter(may_be_its).map(|due| due.exchange).collect();
        if !sheets.is_empty() {
            self.steps.push(Step::Awaited { event, sheets });
        }
    }

    pub(super) fn let_all_sheets_come(&mut self) {
        self.let_sheets_come(|_| true);
    }

    fn let_sheets_come(&mut self, had_come: impl Fn(&mut Due) -> bool) {
        while let Some(Due { load, exchange, .. }) = self.sheets.pop_front_if(&had_come) {
            self.held.push(exchange);
            self.steps.push(Step::Sheet { load, exchange });
            self.since_checkpoint += 1;
        }
    }
}

/// That a style sheet is loaded, or a frame with what is in it.
fn may_wait_for_sheets(event: &DomEvent) -> bool {
    let tells = event.name == "load" || event.name == "error";
    tells && (is_in_frame(&event.target) || tag(&event.target).is_some_and(|tag| tag == "link" || tag == "iframe"))
}

/// In the order in which they ended.
pub(super) fn due(trace: &Trace) -> VecDeque<Due> {
    let mut sheets: Vec<&Exchange> = trace.exchanges.iter().filter(|exchange| is_sheet(exchange)).collect();
    sheets.sort_by_key(|exchange| exchange.finished_order);
    let due = |exchange: &Exchange| {
        let load = asked_by(trace, exchange)?;
        Some(Due {
            started_at: exchange.started_ms,
            ended_at: exchange.started_ms + exchange.end_ms?,
            load: was_loaded(trace, load, exchange.started_ms).then_some(load.load)?,
            exchange: exchange.id,
        })
    };
    sheets.into_iter().filter_map(due).collect()
}

fn is_sheet(exchange: &Exchange) -> bool {
    let ended = matches!(exchange.end, End::Complete | End::Failed { .. });
    ended && exchange.request.header("sec-fetch-dest") == Some("style")
}

/// The document that names itself with the request, or the page: what a style sheet imports is asked for in that one's name.
fn asked_by<'t>(trace: &'t Trace, sheet: &Exchange) -> Option<&'t Load> {
    let began = |load: &Load| {
        let exchange = load.exchange.and_then(|exchange| trace.exchange(exchange));
        exchange.map_or(load.at, |exchange| exchange.started_ms)
    };
    let mut before: Vec<&Load> = trace.loads.iter().collect();
    before.retain(|load| began(load) <= sheet.started_ms);
    before.sort_by(|a, b| began(a).total_cmp(&began(b)));
    let referrer = sheet.request.header("referer");
    let named = before
        .iter()
        .rfind(|load| Some(without_fragment(&load.url)) == referrer);
    named
        .or_else(|| before.iter().rfind(|load| load.path.is_empty()))
        .copied()
}

fn was_loaded(trace: &Trace, load: &Load, at: f64) -> bool {
    let is_it = |event: &Event| is_window_load(event) && event.at <= at;
    trace.events_of(load.load).iter().any(is_it)
}

fn without_fragment(url: &str) -> &str {
    url.split('#').next().unwrap_or_default()
}
