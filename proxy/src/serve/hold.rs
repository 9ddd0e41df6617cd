//! Responses that wait until the replay loop lets them go.

use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use xcheck_trace::exchange::ExchangeId;

/// Which recorded responses are held. Cheap to clone; all clones are one gate.
#[derive(Debug, Clone, Default)]
pub struct Gate {
    held: Arc<watch::Sender<HashSet<ExchangeId>>>,
    /// Those that have been asked for, and wait.
    waiting: Arc<Mutex<BTreeSet<ExchangeId>>>,
}

impl Gate {
    /// From now on these wait, also when they were asked for before they were held but not answered yet.
    pub fn hold(&self, exchanges: impl IntoIterator<Item = ExchangeId>) {
        self.held.send_modify(|held| held.extend(exchanges));
    }

    /// Lets one go, now or when it is asked for.
    pub fn release(&self, exchange: ExchangeId) {
        self.held.send_modify(|held| {
            held.remove(&exchange);
        });
    }

    pub fn release_all(&self) {
        self.held.send_modify(HashSet::clear);
    }

    pub(super) fn holds(&self, exchange: ExchangeId) -> bool {
        self.held.borrow().contains(&exchange)
    }

    /// What is held back from somebody who asked for it.
    pub fn waiting(&self) -> BTreeSet<ExchangeId> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<ExchangeId>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn passed(&self, exchange: ExchangeId) {
        let _waits = Waits::new(self, exchange);
        let mut held = self.held.subscribe();
        // The sender lives in `self`, so the channel cannot be closed here.
        let _ = held.wait_for(|held| !held.contains(&exchange)).await;
    }
}

/// Notes that a request waits, until it does no more: whoever asked may also have gone.
struct Waits<'a> {
    gate: &'a Gate,
    exchange: ExchangeId,
}

impl<'a> Waits<'a> {
    fn new(gate: &'a Gate, exchange: ExchangeId) -> Self {
        gate.lock().insert(exchange);
        Waits { gate, exchange }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.gate.lock().remove(&self.exchange);
    }
}
