//! Room for the next one. A browser asks for six things at once of an origin that speaks HTTP/1.1, unless it is told to ask for more:
//! where six responses are held back, one that is let go and has not been asked for yet cannot be asked for. Then one of the six is turned away, to ask
//! again behind those that wait in the browser.

use super::AtOnce;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use xcheck_trace::Trace;
use xcheck_trace::exchange::ExchangeId;

/// What browsers allow themselves for an origin.
const CONNECTIONS: usize = 6;

/// Redirections that a browser follows are counted: 20 are an error.
const TURNS: u32 = 12;

#[derive(Debug)]
pub(super) struct Room {
    origins: HashMap<ExchangeId, String>,
    waiting: BTreeSet<ExchangeId>,
    asked_for: HashSet<ExchangeId>,
    /// What was let go last, and has not been asked for.
    next: Vec<ExchangeId>,
    /// Who was turned away for these.
    turned_away: HashSet<ExchangeId>,
    turns: BTreeMap<ExchangeId, u32>,
}

impl Room {
    pub(super) fn of(trace: &Trace, at_once: AtOnce) -> Room {
        let exchanges = trace.exchanges.iter().filter(|_| at_once == AtOnce::Six);
        let plain = exchanges.filter(|exchange| exchange.request.url.starts_with("http://"));
        let origins = plain.map(|exchange| (exchange.id, origin(&exchange.request.url)));
        Room::with(origins.collect())
    }

    fn with(origins: HashMap<ExchangeId, String>) -> Room {
        Room {
            origins,
            waiting: BTreeSet::new(),
            asked_for: HashSet::new(),
            next: Vec::new(),
            turned_away: HashSet::new(),
            turns: BTreeMap::new(),
        }
    }

    pub(super) fn waiting(&self) -> BTreeSet<ExchangeId> {
        self.waiting.clone()
    }

    /// They are let go; gives who has to make room for the first of them that was not asked for.
    pub(super) fn are_next(&mut self, exchanges: impl IntoIterator<Item = ExchangeId>) -> Option<ExchangeId> {
        self.turned_away.clear();
        self.next.clear();
        self.next.extend(exchanges);
        self.in_the_way()
    }

    pub(super) fn is_asked_for(&mut self, exchange: ExchangeId) {
        self.asked_for.insert(exchange);
    }

    pub(super) fn first_not_asked_for(&self, exchanges: &[ExchangeId]) -> Option<ExchangeId> {
        exchanges.iter().find(|id| !self.asked_for.contains(id)).copied()
    }

    pub(super) fn waits(&mut self, exchange: ExchangeId) -> Option<ExchangeId> {
        self.waiting.insert(exchange);
        self.in_the_way()
    }

    pub(super) fn waits_no_more(&mut self, exchange: ExchangeId) {
        self.waiting.remove(&exchange);
    }

    /// Each once, the last one first: it will be the last to be let go.
    fn in_the_way(&mut self) -> Option<ExchangeId> {
        self.next.retain(|next| !self.asked_for.contains(next));
        let origin = self.origins.get(self.next.first()?)?;
        let beside: Vec<ExchangeId> = self
            .waiting
            .iter()
            .copied()
            .filter(|waiting| self.origins.get(waiting) == Some(origin))
            .collect();
        if beside.len() < CONNECTIONS {
            return None;
        }
        let may_be = |exchange: &&ExchangeId| {
            !self.turned_away.contains(*exchange) && self.turns.get(exchange).is_none_or(|turns| *turns < TURNS)
        };
        let found = *beside.iter().rev().find(may_be)?;
        self.turned_away.insert(found);
        self.asked_for.remove(&found);
        *self.turns.entry(found).or_default() += 1;
        Some(found)
    }
}

/// Up to the first slash of the path.
fn origin(url: &str) -> String {
    url.split('/').take(3).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(of: u64) -> Room {
        Room::with((1..=of).map(|id| (id, origin(&format!("http://a/{id}")))).collect())
    }

    #[test]
    fn who_holds_the_connections_makes_room_until_the_next_one_is_asked_for() {
        let mut room = room(9);
        for id in 2..=6 {
            assert_eq!(room.waits(id), None);
        }
        assert_eq!(room.are_next([1]), None, "one connection is left for it");
        assert_eq!(room.waits(7), Some(7), "which another one took");
        room.waits_no_more(7);
        assert_eq!(room.waits(8), Some(8));
        room.waits_no_more(8);
        assert_eq!(room.waits(7), Some(6), "each is turned away once");
        room.waits_no_more(6);
        room.is_asked_for(1);
        assert_eq!(room.waits(6), None);
        assert_eq!(room.are_next([1]), None);
        assert_eq!(
            room.are_next([8]),
            Some(7),
            "it was turned away, and has not come again"
        );
    }

    #[test]
    fn nobody_makes_room_at_another_origin_or_for_ever() {
        let mut room = room(8);
        room.origins.insert(9, "http://b".to_owned());
        for id in 1..=6 {
            room.waits(id);
        }
        assert_eq!(room.are_next([9]), None);
        let turned: Vec<ExchangeId> = (0..100).filter_map(|_| room.are_next([8])).collect();
        assert_eq!(turned.len(), 6 * TURNS as usize);
    }
}
