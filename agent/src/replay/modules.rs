//! Modules come one by one, in the order in which they came, and each is waited for. Which of them have run by then is
//! known from what they import.

mod imports;

use super::plan::Step;
use super::walk::{Stop, Walk};
use crate::pages::Page;
pub(super) use imports::Graph;
use imports::Imports;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use xcheck_trace::Trace;
use xcheck_trace::event::LoadId;
use xcheck_trace::exchange::ExchangeId;

pub(super) struct Modules {
    /// Responses that come at a step of their own.
    own_step: HashSet<ExchangeId>,
    /// Those of them that came before it, with their document's end.
    came_late: HashSet<ExchangeId>,
    /// By document, those whose step is still to come although they came, or may have come, by themselves.
    early: HashMap<LoadId, HashSet<ExchangeId>>,
    imports: Imports,
    /// Those that told when they had run.
    ran: HashSet<ExchangeId>,
    /// And what they import.
    pub(super) graph: Graph,
}

impl Modules {
    pub(super) fn of(trace: &Trace) -> Modules {
        let ran = trace
            .events
            .iter()
            .flat_map(|event| &event.local.ran)
            .copied()
            .collect();
        Modules {
            graph: imports::graph(trace, &ran),
            own_step: HashSet::new(),
            came_late: HashSet::new(),
            early: HashMap::new(),
            imports: Imports::of(trace),
            ran,
        }
    }

    /// `held` are the responses that wait for their step; modules that do not come as they like.
    pub(super) fn note_steps(&mut self, steps: &[Step<'_>], held: &[ExchangeId]) {
        for step in steps {
            if let Step::Module { load, exchange } = step {
                self.own_step.insert(*exchange);
                if !held.contains(exchange) {
                    self.early.entry(*load).or_default().insert(*exchange);
                }
            }
        }
        let Modules {
            imports, ran, own_step, ..
        } = self;
        imports.forget(|module| ran.contains(&module) && !own_step.contains(&module));
    }

    /// What comes as it likes of the modules that ran in the same event, and before this one.
    fn free_beside(&self, trace: &Trace, exchange: ExchangeId) -> Vec<ExchangeId> {
        let lists = trace.events.iter().map(|event| &event.local.ran);
        let beside = lists.filter(|ran| ran.contains(&exchange)).flatten();
        let mut free: Vec<ExchangeId> = beside
            .filter(|module| !self.own_step.contains(module))
            .copied()
            .collect();
        leave_out_what_it_brings(trace, exchange, &mut free);
        free
    }

    /// Whether a document may show what it shows later in the recording.
    pub(super) fn are_ahead(&self, load: LoadId) -> bool {
        self.early.get(&load).is_some_and(|early| !early.is_empty())
    }

    /// Those that told it when they were recorded and those that code asked for, and what is put behind each so that it
    /// says that it has run.
    pub(super) fn endings(&self) -> impl Iterator<Item = (ExchangeId, String)> {
        let tell = |id| (id, xcheck_replay_js::module_has_run(id));
        self.imports.asked_for().chain(self.ran.iter().copied()).map(tell)
    }
}

/// What a module asks for, and what that asks for, is not there before it.
fn leave_out_what_it_brings(trace: &Trace, module: ExchangeId, others: &mut Vec<ExchangeId>) {
    let mut brings = vec![module];
    while let Some(importer) = brings.pop().and_then(|id| trace.exchange(id)) {
        let url = Some(importer.request.url.as_str());
        let asked_by_it = |id: &mut ExchangeId| {
            let asked = trace.exchange(*id);
            asked.is_some_and(|asked| asked.request.header("referer") == url)
        };
        brings.extend(others.extract_if(.., asked_by_it));
    }
}

impl Walk<'_> {
    /// Lets the modules come that the document has asked for, one by one, and what these ask for.
    pub(super) async fn late_modules(&mut self, load: LoadId) -> Result<(), Stop> {
        let finished = |exchange: &ExchangeId| self.trace.exchange(*exchange).map(|exchange| exchange.finished_order);
        loop {
            let waiting = self.gate.waiting().into_iter();
            let Modules {
                own_step, came_late, ..
            } = &self.modules;
            let due = waiting.filter(|exchange| own_step.contains(exchange) && !came_late.contains(exchange));
            let Some(exchange) = due.min_by_key(finished) else {
                return Ok(());
            };
            self.let_module_come(load, exchange, &[]).await?;
            self.modules.came_late.insert(exchange);
            self.modules.early.entry(load).or_default().insert(exchange);
        }
    }

    /// Lets a module come, and waits until those have run that waited for nothing else.
    pub(super) async fn module(&mut self, load: LoadId, exchange: ExchangeId) -> Result<(), Stop> {
        self.modules.early.values_mut().for_each(|early| {
            early.remove(&exchange);
        });
        if self.modules.came_late.remove(&exchange) {
            return Ok(());
        }
        let with = self.modules.free_beside(self.trace, exchange);
        self.let_module_come(load, exchange, &with).await
    }

    /// What runs with it is there before it comes, so that nothing is left to the network.
    async fn let_module_come(&mut self, load: LoadId, exchange: ExchangeId, with: &[ExchangeId]) -> Result<(), Stop> {
        self.say_that_it_comes(load, exchange, with).await?;
        self.gate.release(exchange);
        self.documents.look_around();
        let ran = self.modules.imports.came(exchange);
        let recorded = self.trace.exchange(exchange);
        let (Some(page), Some(recorded)) = (self.documents.page(load).cloned(), recorded) else {
            return Ok(());
        };
        let there = json!({"url": recorded.request.url, "ran": ran});
        self.ask(load, &page, "arrived", there).await
    }

    /// Until then, what runs in no event is not this module's.
    async fn say_that_it_comes(&mut self, load: LoadId, exchange: ExchangeId, with: &[ExchangeId]) -> Result<(), Stop> {
        let page = self.documents.page(load).cloned();
        let Some(page) = page.filter(|_| self.modules.ran.contains(&exchange)) else {
            return Ok(());
        };
        self.gate.make_room(with.iter().copied());
        let with = with.iter().filter_map(|id| self.trace.exchange(*id));
        let urls: Vec<&str> = with.map(|module| module.request.url.as_str()).collect();
        let told = json!({"exchange": exchange, "urls": urls});
        self.ask(load, &page, "comes", told).await
    }

    async fn ask(&mut self, load: LoadId, page: &Page, command: &'static str, data: Value) -> Result<(), Stop> {
        let asked = page.command(command, data, self.options.deadline);
        match self.patiently(asked).await? {
            Ok(answer) => self.outcomes(load, &[], &answer),
            Err(error) => self.failed(load, &[], error).await?,
        }
        Ok(())
    }
}
