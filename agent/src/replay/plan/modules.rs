//! Modules run when they and what they import are there. Each is let come before the event in which it ran; where nothing
//! told of that, when it came.

use super::{Class, Graph, Making, Step, class_of, dom, is_window_load};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use url::{Origin, Url};
use xcheck_trace::Trace;
use xcheck_trace::event::{Event, LoadId, PromiseList, Registered, ScriptOrder, What};
use xcheck_trace::exchange::{Exchange, ExchangeId};

/// The key of what runs in no event that is known: a module that a script imported, and what waited for it.
const UNKNOWN_SCRIPT: &str = "#import";

/// A module that a busy page could not run at once has run after so many milliseconds.
const BUSY_MS: f64 = 100.0;

/// A module that is still to come.
#[derive(Debug)]
pub(super) struct Due {
    /// Before the event at this place of the order.
    before: usize,
    /// The document that ran it, where that is known.
    load: Option<LoadId>,
    exchange: ExchangeId,
}

impl Making<'_> {
    /// Lets come what is due before this event, each by itself. What one does that has no event is looked at like what an event does.
    pub(super) fn let_modules_come(&mut self, load: LoadId, index: usize) {
        let (came, later) = std::mem::take(&mut self.modules)
            .into_iter()
            .partition(|due| due.before <= index);
        self.modules = later;
        for Due {
            load: known, exchange, ..
        } in came
        {
            if self.assigned.insert(exchange) {
                self.held.push(exchange);
                let load = known.unwrap_or(load);
                self.steps.push(Step::Module { load, exchange });
                // Otherwise it has an event, and engines differ in which of them are held.
                self.since_checkpoint += usize::from(known.is_none());
            }
        }
    }

    /// A document that waits for its modules ends with those that it has asked for by then.
    pub(super) fn let_late_modules_come(&mut self, event: &Event) {
        if self.completes.contains(&(event.load, event.id)) && !self.modules.is_empty() {
            self.steps.push(Step::LateModules(event.load));
        }
    }
}

/// When each module is due, in the order in which their responses ended.
pub(super) fn due(trace: &Trace, order: &[&Event], imports: Option<&Graph>) -> Vec<Due> {
    let ran = ran(order);
    let place = |at: f64| order.iter().position(|event| at <= event.at).unwrap_or(order.len());
    let mut due: Vec<Due> = came(trace, order)
        .into_iter()
        .map(|(at, exchange)| match ran.get(&exchange) {
            Some(&(before, load)) => Due {
                before,
                load: Some(load),
                exchange,
            },
            None => Due {
                before: place(at),
                load: None,
                exchange,
            },
        })
        .collect();
    let Some(imports) = imports else {
        let_importers_come(trace, &mut due, |_, _| false);
        return due;
    };
    in_the_order_in_which_they_ran(&mut due, order, imports);
    let needed_by: Vec<(usize, &BTreeSet<ExchangeId>, ExchangeId)> = due
        .iter()
        .filter_map(|due| Some((due.before, imports.get(&due.exchange)?, due.exchange)))
        .collect();
    let gates = gates(&due, imports);
    due.retain(|due| gates.contains(&due.exchange));
    let_importers_come(trace, &mut due, |importer, imported| {
        let mut others = needed_by
            .iter()
            .filter(|(_, _, other)| *other != importer && *other != imported.exchange);
        others.any(|(before, needed, _)| *before <= imported.before && needed.contains(&imported.exchange))
    });
    due
}

/// Of those that wait for the same module when it comes, the browser runs any one first. So only the one that ran first is there by
/// then, and has it asked for; the others come after it.
fn in_the_order_in_which_they_ran(due: &mut Vec<Due>, order: &[&Event], imports: &Graph) {
    let ran = order.iter().flat_map(|event| &event.local.ran).enumerate();
    let ran: HashMap<ExchangeId, usize> = ran.map(|(at, exchange)| (*exchange, at)).collect();
    let place: HashMap<ExchangeId, usize> = due.iter().enumerate().map(|(at, due)| (due.exchange, at)).collect();
    let mut by_last: BTreeMap<ExchangeId, Vec<ExchangeId>> = BTreeMap::new();
    for module in due.iter().map(|due| due.exchange).filter(|one| ran.contains_key(one)) {
        let needed = imports.get(&module).into_iter().flatten();
        let last = needed.filter_map(|one| Some((*place.get(one)?, *one))).max();
        if let Some((_, last)) = last.filter(|(_, last)| *last != module) {
            by_last.entry(last).or_default().push(module);
        }
    }
    for (last, waiting) in by_last.into_iter().filter(|(_, waiting)| waiting.len() > 1) {
        let first = waiting.iter().copied().min_by_key(|one| ran[one]);
        let comes_after = |due: &Due| waiting.contains(&due.exchange) && Some(due.exchange) != first;
        let (mut moved, rest): (Vec<Due>, Vec<Due>) = std::mem::take(due).into_iter().partition(comes_after);
        moved.sort_by_key(|due| ran[&due.exchange]);
        for due_now in rest {
            let (is_last, before) = (due_now.exchange == last, due_now.before);
            due.push(due_now);
            if is_last {
                moved
                    .iter_mut()
                    .for_each(|moved| moved.before = moved.before.max(before));
                due.append(&mut moved);
            }
        }
    }
}

/// Of the modules that ran in one event those that are held back. A module runs with what it imports, so one of all of them is
/// enough, and each that is held is waited for by itself.
fn gates(due: &[Due], imports: &Graph) -> HashSet<ExchangeId> {
    let mut gates = HashSet::new();
    let mut together: BTreeMap<(usize, Option<LoadId>), Vec<ExchangeId>> = BTreeMap::new();
    for due in due {
        together.entry((due.before, due.load)).or_default().push(due.exchange);
    }
    for ((_, load), modules) in together {
        let needed = |module: &ExchangeId| imports.get(module).filter(|_| load.is_some());
        let others = |module: ExchangeId| needed(&module).into_iter().flatten().filter(move |one| **one != module);
        let imported: HashSet<&ExchangeId> = modules.iter().flat_map(|module| others(*module)).collect();
        let mut covered = HashSet::new();
        for module in modules.iter().filter(|module| !imported.contains(module)) {
            let last = modules
                .iter()
                .rfind(|one| needed(module).is_some_and(|needed| needed.contains(one)));
            gates.insert(*last.unwrap_or(module));
            covered.insert(*module);
            covered.extend(needed(module).into_iter().flatten().copied());
        }
        gates.extend(modules.iter().filter(|module| !covered.contains(module)));
    }
    gates
}

/// In which event each module ran. One that ended in an event of another kind awaited something at its top, or was there
/// already when it was asked for: it began before.
fn ran(order: &[&Event]) -> HashMap<ExchangeId, (usize, LoadId)> {
    let mut ran = HashMap::new();
    for (index, event) in order.iter().enumerate().filter(|(_, event)| is_module_running(event)) {
        for exchange in &event.local.ran {
            ran.entry(*exchange).or_insert((index, event.load));
        }
    }
    ran
}

fn is_module_running(event: &Event) -> bool {
    let order = match &event.what {
        Some(What::Script { order, .. }) => Some(order),
        _ => None,
    };
    order == Some(&ScriptOrder::Module)
}

/// What imports others runs after them and comes before them: a browser asks for them once it has it.
/// Not for what another one brings by then.
fn let_importers_come(trace: &Trace, due: &mut [Due], is_brought: impl Fn(ExchangeId, &Due) -> bool) {
    let exchange = |due: &Due| trace.exchange(due.exchange);
    // Only what came is due.
    let head = |due: &Due| exchange(due).and_then(head_at).unwrap_or(f64::INFINITY);
    let mut latest_first: Vec<usize> = (0..due.len()).collect();
    latest_first.sort_by(|a, b| head(&due[*b]).total_cmp(&head(&due[*a])));
    for at in latest_first {
        let Some(importer) = exchange(&due[at]) else { continue };
        let is_imported =
            |one: &&Due| exchange(one).is_some_and(|one| may_import(importer, one)) && !is_brought(importer.id, one);
        let imported = due.iter().filter(is_imported).map(|one| one.before);
        due[at].before = imported.fold(due[at].before, usize::min);
    }
}

/// A request for a module names who asked for it, another origin is told only whose origin that was, and some pages want
/// nothing said.
fn may_import(importer: &Exchange, module: &Exchange) -> bool {
    let url = |exchange: &Exchange| Url::parse(&exchange.request.url).ok();
    let origins = || Some((url(importer)?.origin(), url(module)?.origin()));
    let named = module.request.header("referer");
    let is_named = named.is_none_or(|named| {
        let is_origin =
            |(of, other): (Origin, Origin)| of != other && named == format!("{}/", of.ascii_serialization());
        named == importer.request.url || origins().is_some_and(is_origin)
    });
    is_named && head_at(importer).is_some_and(|came| module.started_ms >= came)
}

/// When each module is due that does not tell when it ran: what had come before an event comes before it.
///
/// A page that was busy when a module came ran what had been waiting before it, too. That it was so is known where code
/// without an event runs soon after: of what had come by then, the last one is that code's, unless it says itself whose it is.
fn came(trace: &Trace, order: &[&Event]) -> Vec<(f64, ExchangeId)> {
    let mut due = modules(trace);
    let mut nothing_before = f64::NEG_INFINITY;
    for event in order {
        let is_unknown = is_unknown(event);
        if is_unknown && event.local.ran.is_empty() {
            let earliest = nothing_before.max(event.at - BUSY_MS);
            let waited = |(came, exchange): &&mut (f64, ExchangeId)| {
                *came > earliest && *came <= event.at && trace.exchange(*exchange).is_some_and(may_run)
            };
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

/// What was not found runs nothing; whoever waits for it is told at once.
fn may_run(module: &Exchange) -> bool {
    module.response.as_ref().is_none_or(|response| response.status < 400)
}

fn is_unknown(event: &Event) -> bool {
    matches!(&event.what, Some(What::Script { key, .. }) if key == UNKNOWN_SCRIPT)
}

/// When each module's response began, in the order in which they ended.
fn modules(trace: &Trace) -> Vec<(f64, ExchangeId)> {
    let mut modules: Vec<&Exchange> = trace.exchanges.iter().filter(|exchange| is_module(exchange)).collect();
    modules.sort_by_key(|exchange| exchange.finished_order);
    let began = |exchange: &Exchange| Some((head_at(exchange)?, exchange.id));
    modules.into_iter().filter_map(began).collect()
}

fn head_at(exchange: &Exchange) -> Option<f64> {
    Some(exchange.started_ms + exchange.head_ms?)
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

/// Modules that a document asked for before it was loaded, and that are due after. In WebKit a document is not loaded
/// before they are there, so that holding one would hold everything. A request arrives a little later than its `import()` was
/// called, and says nothing of who called: it may be any of those that came before the last call of then was settled.
pub(super) fn over_load(trace: &Trace, order: &[&Event], due: &[Due]) -> HashSet<ExchangeId> {
    let loads: Vec<(usize, f64)> = order
        .iter()
        .enumerate()
        .filter(|(_, event)| is_window_load(event))
        .map(|(index, load)| (index, imports_settled_at(order, index).unwrap_or(load.at).max(load.at)))
        .collect();
    let over = |due: &&Due| {
        let asked_at = trace
            .exchange(due.exchange)
            .map_or(f64::INFINITY, |exchange| exchange.started_ms);
        loads
            .iter()
            .any(|(index, until)| asked_at < *until && *index < due.before)
    };
    due.iter().filter(over).map(|due| due.exchange).collect()
}

/// When the last `import()` came to anything that a document had called before it was loaded by the event at this place.
fn imports_settled_at(order: &[&Event], load: usize) -> Option<f64> {
    const API: &str = "import";
    let own = |event: &&&Event| event.load == order[load].load;
    let called: HashSet<Registered> = order[..load]
        .iter()
        .filter(own)
        .flat_map(|event| {
            (0..)
                .zip(&event.local.promise)
                .map(|(at, api)| (Registered(event.id, at), api))
        })
        .filter(|(_, api)| *api == API)
        .map(|(call, _)| call)
        .collect();
    let settles = |event: &&&Event| match &event.what {
        Some(What::Settle {
            list: PromiseList::Promise,
            of,
            ..
        }) => called.contains(of),
        _ => false,
    };
    let last = order[load..].iter().filter(own).rfind(settles);
    last.map(|event| event.at)
}

/// Modules are asked for in another way than classic scripts.
pub(in crate::replay) fn is_module(exchange: &Exchange) -> bool {
    let is = |name: &str, wanted: &str| {
        let mut headers = exchange.request.headers.iter();
        headers.any(|(header, value)| header.eq_ignore_ascii_case(name) && value == wanted)
    };
    is("sec-fetch-dest", "script") && is("sec-fetch-mode", "cors")
}
