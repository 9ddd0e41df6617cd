//! Responses that wait until the replay loop lets them go.

use super::lock;
use std::collections::{BTreeSet, HashSet};
use std::sync::{Arc, Mutex};
use tokio::sync::watch;
use xcheck_trace::exchange::ExchangeId;

/// Which recorded responses are held. Cheap to clone; all clones are one gate.
#[derive(Debug, Clone, Default)]
pub struct Gate {
    held: Arc<watch::Sender<HashSet<ExchangeId>>>,
    /// Those that have been asked for, and wait.
    waiting: Arc<Mutex<BTreeSet<ExchangeId>>>,
    /// Those that clients are told not to keep.
    asked_again: Arc<Mutex<BTreeSet<ExchangeId>>>,
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

    /// From now on clients are told not to keep these, so that they can be held each time.
    pub fn ask_again(&self, exchanges: impl IntoIterator<Item = ExchangeId>) {
        lock(&self.asked_again).extend(exchanges);
    }

    pub(super) fn is_asked_again(&self, exchange: ExchangeId) -> bool {
        lock(&self.asked_again).contains(&exchange)
    }

    pub(super) fn holds(&self, exchange: ExchangeId) -> bool {
        self.held.borrow().contains(&exchange)
    }

    /// What is held back from somebody who asked for it.
    pub fn waiting(&self) -> BTreeSet<ExchangeId> {
        lock(&self.waiting).clone()
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
        lock(&gate.waiting).insert(exchange);
        Waits { gate, exchange }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        lock(&self.gate.waiting).remove(&self.exchange);
    }
}
