//! One order over the events of all documents.
//!
//! Within a document the order is the recorder's numbering, whatever its clock says: clocks jump back. Between documents
//! it is the clock, then the counter that documents of one thread and origin share, then the number of the load. So this is
//! a merge of sorted lists rather than a sort.

use crate::event::{Event, What};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// `events` are sorted by load and id.
pub(crate) fn order(events: &[Event]) -> Vec<&Event> {
    let mut heads: BinaryHeap<Reverse<Head<'_>>> = events
        .chunk_by(|a, b| a.load == b.load)
        .filter(|events| !is_worker(events))
        .filter_map(|events| Head::new(events, f64::NEG_INFINITY))
        .map(Reverse)
        .collect();
    let mut ordered = Vec::with_capacity(events.len());
    while let Some(Reverse(head)) = heads.pop() {
        ordered.push(head.event);
        heads.extend(Head::new(head.rest, head.at).map(Reverse));
    }
    ordered
}

/// What a worker is answered is given to it as it starts, and is nothing that a replay walks through.
pub(crate) fn is_worker(events: &[Event]) -> bool {
    matches!(
        events,
        [Event {
            what: Some(What::Worker { .. }),
            ..
        }]
    )
}

struct Head<'a> {
    /// Never earlier than the event before it in the same document.
    at: f64,
    event: &'a Event,
    rest: &'a [Event],
}

impl<'a> Head<'a> {
    fn new(events: &'a [Event], not_before: f64) -> Option<Head<'a>> {
        let (event, rest) = events.split_first()?;
        let at = event.at.max(not_before);
        Some(Head { at, event, rest })
    }
}

impl Ord for Head<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |head: &Head<'_>| (head.event.order, head.event.load, head.event.id);
        self.at.total_cmp(&other.at).then_with(|| key(self).cmp(&key(other)))
    }
}

impl PartialOrd for Head<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Head<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(load, id, at, order)` in, `(load, id)` out.
    fn check(events: &[(u32, u32, f64, u64)], expected: &[(u32, u32)]) {
        let event = |&(load, id, at, order): &(u32, u32, f64, u64)| Event {
            load,
            id,
            at,
            order,
            what: None,
            local: Default::default(),
        };
        let events: Vec<Event> = events.iter().map(event).collect();
        let ordered: Vec<_> = order(&events).iter().map(|event| (event.load, event.id)).collect();
        assert_eq!(ordered, expected);
    }

    #[test]
    fn documents_are_interleaved_by_the_clock() {
        check(
            &[(1, 0, 10.0, 1), (1, 1, 30.0, 2), (2, 0, 20.0, 1), (2, 1, 40.0, 2)],
            &[(1, 0), (2, 0), (1, 1), (2, 1)],
        );
    }

    #[test]
    fn the_shared_counter_settles_a_tie() {
        check(&[(1, 0, 10.0, 8), (2, 0, 10.0, 7)], &[(2, 0), (1, 0)]);
    }

    #[test]
    fn the_load_settles_what_the_counter_leaves_open() {
        check(&[(1, 0, 10.0, 3), (2, 0, 10.0, 3)], &[(1, 0), (2, 0)]);
    }

    #[test]
    fn a_clock_that_jumps_back_does_not_reorder_a_document() {
        check(
            &[
                (1, 0, 100.0, 1),
                (1, 1, 5.0, 2),
                (1, 2, 101.0, 3),
                (2, 0, 50.0, 1),
                (2, 1, 100.5, 2),
            ],
            &[(2, 0), (1, 0), (1, 1), (2, 1), (1, 2)],
        );
    }
}
