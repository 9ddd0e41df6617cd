//! Pages that have asked for their successor, whose document we hold until it is due.
//!
//! Until then Chromium keeps questions about the page back, and WebKit's driver waits: nobody would ever answer. The plan
//! looks at pages before they ask; this is for those that ask earlier than they did in the recording.

use super::plan::Step;
use std::collections::{HashMap, HashSet, VecDeque};
use tokio::sync::mpsc::UnboundedReceiver;
use xcheck_proxy::ServeEvent;
use xcheck_trace::Trace;
use xcheck_trace::exchange::ExchangeId;

#[derive(Default)]
pub(super) struct Departures {
    /// Documents for which a page is left that no load stands for, and in which window.
    beyond: HashMap<ExchangeId, u32>,
    /// Asked for, and held.
    held: HashSet<ExchangeId>,
    /// Heard while waiting here, and not yet told to who else wants to know.
    heard: VecDeque<ServeEvent>,
}

impl Departures {
    /// What the server has to tell, if anything.
    pub(super) fn next(&mut self, served: &mut UnboundedReceiver<ServeEvent>) -> Option<ServeEvent> {
        self.heard.pop_front().or_else(|| {
            let event = served.try_recv().ok()?;
            self.notice(&event);
            Some(event)
        })
    }

    pub(super) fn note_steps(&mut self, steps: &[Step<'_>]) {
        for step in steps {
            if let Step::Depart { window, exchange } = step {
                self.beyond.insert(*exchange, *window);
            }
        }
    }

    /// Comes back once the page of this window has asked for another document.
    pub(super) async fn of(&mut self, trace: &Trace, window: u32, served: &mut UnboundedReceiver<ServeEvent>) {
        while !self.has(trace, window, served) {
            self.hear(served).await;
        }
    }

    /// Whether it has by now.
    pub(super) fn has(&mut self, trace: &Trace, window: u32, served: &mut UnboundedReceiver<ServeEvent>) -> bool {
        while let Ok(event) = served.try_recv() {
            self.keep(event);
        }
        self.held
            .iter()
            .any(|&exchange| self.leads_away(trace, window, exchange))
    }

    /// Comes back once this has been asked for, if it is held.
    pub(super) async fn to(&mut self, exchange: ExchangeId, served: &mut UnboundedReceiver<ServeEvent>) {
        while !self.held.contains(&exchange) {
            self.hear(served).await;
        }
    }

    /// Comes back once a response turned out not to be in the trace as it says: nobody need wait for what asked for it.
    pub(super) async fn damage(&mut self, served: &mut UnboundedReceiver<ServeEvent>) {
        while !self
            .heard
            .iter()
            .any(|event| matches!(event, ServeEvent::Damaged { .. }))
        {
            self.hear(served).await;
        }
    }

    fn leads_away(&self, trace: &Trace, window: u32, exchange: ExchangeId) -> bool {
        self.beyond.get(&exchange) == Some(&window) || replaces(trace, window, exchange)
    }

    async fn hear(&mut self, served: &mut UnboundedReceiver<ServeEvent>) {
        let Some(event) = served.recv().await else {
            return std::future::pending().await;
        };
        self.keep(event);
    }

    fn keep(&mut self, event: ServeEvent) {
        self.notice(&event);
        self.heard.push_back(event);
    }

    fn notice(&mut self, event: &ServeEvent) {
        match event {
            ServeEvent::Held { exchange } => drop(self.held.insert(*exchange)),
            ServeEvent::Released { exchange } => drop(self.held.remove(exchange)),
            ServeEvent::NotInTrace { .. }
            | ServeEvent::Damaged { .. }
            | ServeEvent::WentLive { .. }
            | ServeEvent::NotRestored { .. } => {}
        }
    }
}

fn replaces(trace: &Trace, window: u32, exchange: ExchangeId) -> bool {
    let is_document = trace
        .loads
        .iter()
        .any(|load| load.exchange == Some(exchange) && load.window == window && load.path.is_empty());
    let is_ahead = || {
        trace
            .exchange(exchange)
            .is_some_and(|exchange| exchange.request.is_ahead_of_time())
    };
    is_document && !is_ahead()
}
