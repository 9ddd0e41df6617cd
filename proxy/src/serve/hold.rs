//! Responses that wait until the replay loop lets them go.

use std::collections::HashSet;
use std::sync::Arc;
use tokio::sync::watch;
use xcheck_trace::exchange::ExchangeId;

/// Which recorded responses are held. Cheap to clone; all clones are one gate.
#[derive(Debug, Clone, Default)]
pub struct Gate {
    held: Arc<watch::Sender<HashSet<ExchangeId>>>,
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

    pub(super) async fn passed(&self, exchange: ExchangeId) {
        let mut held = self.held.subscribe();
        // The sender lives in `self`, so the channel cannot be closed here.
        let _ = held.wait_for(|held| !held.contains(&exchange)).await;
    }
}
