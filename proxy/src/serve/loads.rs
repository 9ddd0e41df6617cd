//! Which recorded load a document is when it comes to life again.

use std::collections::{HashMap, VecDeque};
use xcheck_trace::event::{Load, LoadId};
use xcheck_trace::exchange::ExchangeId;

#[derive(Debug)]
pub(super) struct Loads {
    of_exchange: HashMap<ExchangeId, VecDeque<LoadId>>,
    next_unknown: LoadId,
}

impl Loads {
    pub(super) fn new(loads: &[Load]) -> Self {
        let mut of_exchange: HashMap<ExchangeId, VecDeque<LoadId>> = HashMap::new();
        for load in loads {
            if let Some(exchange) = load.exchange {
                of_exchange.entry(exchange).or_default().push_back(load.load);
            }
        }
        let last = loads.iter().map(|load| load.load).max().unwrap_or(0);
        Loads {
            of_exchange,
            next_unknown: last.saturating_add(1),
        }
    }

    pub(super) fn peek(&self, exchange: ExchangeId) -> Option<LoadId> {
        self.of_exchange.get(&exchange)?.front().copied()
    }

    /// A document that came to life more often than it did when recorded gets a number that no recorded load has.
    pub(super) fn next(&mut self, exchange: Option<ExchangeId>) -> LoadId {
        let known = exchange
            .and_then(|exchange| self.of_exchange.get_mut(&exchange))
            .and_then(VecDeque::pop_front);
        known.unwrap_or_else(|| {
            let unknown = self.next_unknown;
            self.next_unknown = unknown.saturating_add(1);
            unknown
        })
    }
}
