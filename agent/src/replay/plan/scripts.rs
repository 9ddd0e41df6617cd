//! Scripts whose turn is told by their responses: they are held at the proxy's gate until then.
//!
//! A script that ran whenever it arrived comes at its place. The parser waits for its next script, and meanwhile timers
//! and answers run: so that script is held until they have run, and so is one with a place that another one came before. Modules run when they and what they import are there,
//! and tell nobody which of them they are: they come in the order in which they came.

use super::{Class, Making, Step, class_of, dom, is_window_load};
use std::collections::{HashMap, HashSet};
use xcheck_trace::Trace;
use xcheck_trace::event::{Event, LoadId, ScriptOrder, What};
use xcheck_trace::exchange::{Exchange, ExchangeId};

/// The key of what runs in no event that is known: a module that a script imported, and what waited for it.
const UNKNOWN_SCRIPT: &str = "#import";

/// A module that a busy page could not run at once has run after so many milliseconds.
const BUSY_MS: f64 = 100.0;

impl<'t> Making<'t> {
    /// Lets come what had come before this event, each by itself. What a module does is looked at like what an event does.
    pub(super) fn let_modules_come(&mut self, load: LoadId, at: f64) {
        let (came, later) = std::mem::take(&mut self.modules)
            .into_iter()
            .partition(|(head_at, _)| *head_at <= at);
        self.modules = later;
        for (_, exchange) in came {
            if self.assigned.insert(exchange) {
                self.held.push(exchange);
                self.steps.push(Step::Module { load, exchange });
                self.since_checkpoint += 1;
            }
        }
    }

    /// A document that waits for its modules ends with those that it has asked for by then.
    pub(super) fn let_late_modules_come(&mut self, event: &Event) {
        if self.completes.contains(&(event.load, event.id)) && !self.modules.is_empty() {
            self.steps.push(Step::LateModules(event.load));
        }
    }

    /// The response that this script has to wait for, if it has to. There is none when the browser had it already, unless
    /// it is made to ask for it again.
    pub(super) fn awaited_response(&mut self, event: &Event) -> Option<ExchangeId> {
        let Some(What::Script { key, order }) = &event.what else {
            // An exception is something that runs: the next script, if it is the first that this one does.
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

/// When each module is due, in the order in which their responses ended: what had come before an event comes before it.
///
/// A page that was busy when a module came ran what had been waiting before it, too. That it was so is known where code
/// without an event runs soon after: of what had come by then, the last one is that code's.
pub(super) fn due_modules(trace: &Trace) -> Vec<(f64, ExchangeId)> {
    let mut due = modules(trace);
    let mut nothing_before = f64::NEG_INFINITY;
    for event in trace.order() {
        let is_unknown = is_unknown(event);
        if is_unknown {
            let earliest = nothing_before.max(event.at - BUSY_MS);
            let waited = |(came, _): &&mut (f64, ExchangeId)| *came > earliest && *came <= event.at;
            if let Some((came, _)) = due.iter_mut().rfind(waited) {
                *came = event.at;
            }
        }
        if is_unknown || class_of(event) == Class::Gesture {
            nothing_before = event.at;
        }
    }
    due
}

fn is_unknown(event: &Event) -> bool {
    matches!(&event.what, Some(What::Script { key, .. }) if key == UNKNOWN_SCRIPT)
}

/// When each module's response began, in the order in which they ended.
fn modules(trace: &Trace) -> Vec<(f64, ExchangeId)> {
    let mut modules: Vec<&Exchange> = trace.exchanges.iter().filter(|exchange| is_module(exchange)).collect();
    modules.sort_by_key(|exchange| exchange.finished_order);
    let began = |exchange: &Exchange| Some((exchange.started_ms + exchange.head_ms?, exchange.id));
    modules.into_iter().filter_map(began).collect()
}

/// The events by which documents became complete: the last before their `load`.
pub(super) fn completions(trace: &Trace) -> HashSet<(LoadId, u32)> {
    let completion = |load: &Event| {
        let is_one =
            |event: &&Event| event.id < load.id && dom(event).is_some_and(|dom| dom.name == "readystatechange");
        let last = trace.events_of(load.load).iter().rfind(is_one);
        (load.load, last.map_or(load.id, |event| event.id))
    };
    let loads = trace.events.iter().filter(|event| is_window_load(event));
    loads.map(completion).collect()
}

/// Modules that a document asked for before it was loaded, and that came after. In WebKit a document is not loaded before
/// they are there, so that holding one would hold everything.
pub(super) fn over_load(trace: &Trace) -> Vec<ExchangeId> {
    let loaded: Vec<f64> = trace
        .events
        .iter()
        .filter(|event| is_window_load(event))
        .map(|event| event.at)
        .collect();
    let over = |(head_at, id): &(f64, ExchangeId)| {
        let asked = trace.exchange(*id).map_or(*head_at, |exchange| exchange.started_ms);
        loaded.iter().any(|at| asked < *at && *at < *head_at)
    };
    modules(trace).into_iter().filter(over).map(|(_, id)| id).collect()
}

/// Modules are asked for in another way than classic scripts.
pub(in crate::replay) fn is_module(exchange: &Exchange) -> bool {
    let is = |name: &str, wanted: &str| {
        let mut headers = exchange.request.headers.iter();
        headers.any(|(header, value)| header.eq_ignore_ascii_case(name) && value == wanted)
    };
    is("sec-fetch-dest", "script") && is("sec-fetch-mode", "cors")
}
