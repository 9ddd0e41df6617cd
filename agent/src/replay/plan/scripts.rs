//! Scripts whose turn is told by their responses: they are held at the proxy's gate until then.
//!
//! A script that ran whenever it arrived comes at its place. The parser waits for its next script, and meanwhile timers
//! and answers run: so that script is held until they have run, and so is one with a place that another one came before.

use super::modules::is_module;
use super::{Making, Step};
use std::collections::{HashMap, HashSet};
use xcheck_trace::Trace;
use xcheck_trace::event::{Event, Load, LoadId, ScriptOrder, What};
use xcheck_trace::exchange::{Exchange, ExchangeId};

impl<'t> Making<'t> {
    /// The response that this script has to wait for, if it has to. There is none when the browser had it already, unless
    /// it is made to ask for it again.
    pub(super) fn awaited_response(&mut self, event: &Event) -> Option<ExchangeId> {
        let event = self.script_that_threw(event).unwrap_or(event);
        let Some(What::Script { key, order }) = &event.what else {
            if !matches!(event.what, Some(What::Error(_))) {
                self.interrupted.insert(event.load);
            }
            return None;
        };
        let brought = brought(self.trace, key, event.at, &self.assigned);
        self.assigned.extend(brought);
        let has_place = matches!(order, ScriptOrder::Parser | ScriptOrder::Defer);
        let overtaken = has_place && self.overtaken.remove(&event.load);
        let interrupted = *order == ScriptOrder::Parser && self.interrupted.remove(&event.load);
        let comes_when_it_likes = *order == ScriptOrder::Arrival;
        if comes_when_it_likes {
            self.overtaken.insert(event.load);
        }
        let awaited = brought.filter(|_| comes_when_it_likes || interrupted || overtaken);
        self.held.extend(awaited);
        let again = || self.again.get(&event.load)?.get(key).copied();
        awaited.or_else(|| again().filter(|_| comes_when_it_likes && brought.is_none()))
    }

    /// An exception that is the first that a script does stands before it.
    fn script_that_threw(&self, error: &Event) -> Option<&'t Event> {
        let Some(What::Error(thrown)) = &error.what else {
            return None;
        };
        let is_it = |event: &&Event| matches!(&event.what, Some(What::Script { key, .. }) if *key == thrown.source);
        let first = self.trace.events_of(error.load).iter().find(is_it);
        first.filter(|script| script.id > error.id)
    }

    /// Holds what this document asks for again, from before it is asked for: a document that the browser has, too, is there
    /// as soon as a gesture leads to it.
    pub(super) fn hold_again(&mut self, load: LoadId) {
        let leads_there = |step: &Step<'_>| {
            matches!(
                step,
                Step::Gesture { .. } | Step::Pass { .. } | Step::Leave { .. } | Step::Checkpoint { .. }
            )
        };
        let before = self
            .steps
            .iter()
            .rposition(|step| !leads_there(step))
            .map_or(0, |at| at + 1);
        let again = self.again.get(&load).into_iter().flat_map(HashMap::values);
        let mut again: Vec<ExchangeId> = again.copied().collect();
        again.sort_unstable();
        self.steps.splice(before..before, again.into_iter().map(Step::Hold));
    }

    /// A page that the browser would take from its cache is asked for again: from when it has come until it is due once more, it waits.
    pub(super) fn hold_page_again(&mut self, load: &Load) {
        let again = load.exchange.filter(|exchange| self.again_pages.contains_key(exchange));
        let comes_again =
            |other: &Load| other.path.is_empty() && other.exchange == again && !self.opened.contains(&other.load);
        if let Some(exchange) = again
            && load.path.is_empty()
            && self.trace.loads.iter().any(comes_again)
        {
            self.steps.push(Step::Hold(exchange));
        }
    }

    /// The parser is waiting, and the page cannot be painted.
    pub(super) fn is_parsing(&self, event: &Event) -> bool {
        let is_parser_script = |event: &Event| {
            matches!(
                &event.what,
                Some(What::Script {
                    order: ScriptOrder::Parser,
                    ..
                })
            )
        };
        let events = self.trace.events_of(event.load);
        events
            .iter()
            .any(|later| later.id > event.id && is_parser_script(later))
    }
}

/// The response that brought the script which runs now: the last one of its address that had been asked for by then.
/// One that has brought a script before is not held for a later one, on another page say, which the browser took from
/// its cache: the first would wait for it in vain.
fn brought(trace: &Trace, key: &str, at: f64, assigned: &HashSet<ExchangeId>) -> Option<ExchangeId> {
    let brought = |exchange: &&Exchange| {
        exchange.request.url == key && exchange.started_ms <= at && !assigned.contains(&exchange.id)
    };
    Some(trace.exchanges.iter().rev().find(brought)?.id)
}

/// By document and address, the responses of scripts that come when they like and that the browser had already: it ran
/// them in an order that cannot be had again, unless it asks for them again.
pub(super) fn asked_again(trace: &Trace) -> HashMap<LoadId, HashMap<String, ExchangeId>> {
    let mut again: HashMap<LoadId, HashMap<String, ExchangeId>> = HashMap::new();
    let mut assigned = HashSet::new();
    let mut brought_in = HashMap::new();
    for event in trace.order() {
        let Some(What::Script { key, order }) = &event.what else {
            continue;
        };
        if let Some(exchange) = brought(trace, key, event.at, &assigned) {
            assigned.insert(exchange);
            brought_in.insert(exchange, event.load);
            continue;
        }
        // Who asks once more is given the last answer of all.
        let last = trace
            .exchanges
            .iter()
            .rev()
            .find(|exchange| exchange.request.url == *key);
        let had = last.filter(|last| {
            let is_whole = last.response.as_ref().is_some_and(|response| response.status == 200);
            let elsewhere = brought_in.get(&last.id).is_some_and(|load| *load != event.load);
            is_whole && elsewhere && !is_module(last)
        });
        if let Some(exchange) = had.filter(|_| *order == ScriptOrder::Arrival) {
            again.entry(event.load).or_default().insert(key.clone(), exchange.id);
        }
    }
    again
}
