//! Responses that wait until the replay loop lets them go.

use super::room::Room;
use super::{AtOnce, lock};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex};
use tokio::sync::watch;
use xcheck_trace::Trace;
use xcheck_trace::exchange::ExchangeId;

/// Which recorded responses are held. Cheap to clone; all clones are one gate.
#[derive(Debug, Clone)]
pub struct Gate {
    held: Arc<watch::Sender<Held>>,
    room: Arc<Mutex<Room>>,
    /// What was recorded at an address, in its order.
    at: Arc<HashMap<String, Vec<ExchangeId>>>,
    /// Those that clients are told not to keep.
    asked_again: Arc<Mutex<BTreeSet<ExchangeId>>>,
    /// Text that is put behind some.
    endings: Arc<Mutex<HashMap<ExchangeId, String>>>,
}

#[derive(Debug, Default)]
struct Held {
    back: HashSet<ExchangeId>,
    /// Whose clients are to ask once more.
    turned_away: HashSet<ExchangeId>,
}

/// What became of a request that waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waited {
    ItsTurn,
    /// It held a connection that the next one needs.
    TurnedAway,
}

impl Gate {
    pub(super) fn of(trace: &Trace, at_once: AtOnce) -> Gate {
        let mut at: HashMap<String, Vec<ExchangeId>> = HashMap::new();
        for exchange in &trace.exchanges {
            at.entry(exchange.request.url.clone()).or_default().push(exchange.id);
        }
        Gate {
            held: Arc::default(),
            at: Arc::new(at),
            room: Arc::new(Mutex::new(Room::of(trace, at_once))),
            asked_again: Arc::default(),
            endings: Arc::default(),
        }
    }

    /// From now on these wait, also when they were asked for before they were held but not answered yet.
    pub fn hold(&self, exchanges: impl IntoIterator<Item = ExchangeId>) {
        self.held.send_modify(|held| held.back.extend(exchanges));
    }

    /// Lets one go, now or when it is asked for.
    pub fn release(&self, exchange: ExchangeId) {
        self.held.send_modify(|held| {
            held.back.remove(&exchange);
        });
        self.make_room([exchange]);
    }

    /// For what is not held, or no longer.
    pub fn make_room(&self, exchanges: impl IntoIterator<Item = ExchangeId>) {
        let in_their_way = lock(&self.room).are_next(exchanges);
        self.turn_away(in_their_way);
    }

    pub fn release_all(&self) {
        self.held.send_modify(|held| held.back.clear());
    }

    /// From now on clients are told not to keep these, so that they can be held each time.
    pub fn ask_again(&self, exchanges: impl IntoIterator<Item = ExchangeId>) {
        lock(&self.asked_again).extend(exchanges);
    }

    pub(super) fn is_asked_again(&self, exchange: ExchangeId) -> bool {
        lock(&self.asked_again).contains(&exchange)
    }

    /// From now on these have a text behind their own.
    pub fn end_with(&self, endings: impl IntoIterator<Item = (ExchangeId, String)>) {
        lock(&self.endings).extend(endings);
    }

    pub(super) fn ending_of(&self, exchange: ExchangeId) -> Option<String> {
        lock(&self.endings).get(&exchange).cloned()
    }

    pub(super) fn is_asked_for(&self, exchange: ExchangeId) {
        lock(&self.room).is_asked_for(exchange);
    }

    pub fn holds(&self, exchange: ExchangeId) -> bool {
        self.held.borrow().back.contains(&exchange)
    }

    /// For a browser that can keep its own requests waiting: resolves when the next answer from this address would not be held here. It
    /// need not be waited for, as what comes earlier waits here, and keeps a connection.
    pub async fn may_ask(&self, url: &str) {
        let Some(exchanges) = self.at.get(url) else {
            return;
        };
        let Some(next) = lock(&self.room).first_not_asked_for(exchanges) else {
            return;
        };
        let mut held = self.held.subscribe();
        let _ = held.wait_for(|held| !held.back.contains(&next)).await;
    }

    /// What is held back from somebody who asked for it.
    pub fn waiting(&self) -> BTreeSet<ExchangeId> {
        lock(&self.room).waiting()
    }

    pub(super) async fn passed(&self, exchange: ExchangeId) -> Waited {
        let _waits = Waits::new(self, exchange);
        let mut held = self.held.subscribe();
        let is_over = |held: &Held| !held.back.contains(&exchange) || held.turned_away.contains(&exchange);
        // The sender lives in `self`, so the channel cannot be closed here.
        let _ = held.wait_for(is_over).await;
        let mut waited = Waited::ItsTurn;
        self.held.send_modify(|held| {
            if held.turned_away.remove(&exchange) && held.back.contains(&exchange) {
                waited = Waited::TurnedAway;
            }
        });
        waited
    }

    fn turn_away(&self, exchange: Option<ExchangeId>) {
        if let Some(exchange) = exchange {
            self.held.send_modify(|held| {
                held.turned_away.insert(exchange);
            });
        }
    }
}

/// Notes that a request waits, until it does no more: whoever asked may also have gone.
struct Waits<'a> {
    gate: &'a Gate,
    exchange: ExchangeId,
}

impl<'a> Waits<'a> {
    fn new(gate: &'a Gate, exchange: ExchangeId) -> Self {
        let in_the_way = lock(&gate.room).waits(exchange);
        gate.turn_away(in_the_way);
        Waits { gate, exchange }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        lock(&self.gate.room).waits_no_more(self.exchange);
    }
}
