//! Mutated and layout-changed nodes between two checkpoints of a document (X-Check, Algorithm 1).
//!
//! As in the paper, text is apart: a text node that comes, goes or changes is a text change, and never among `added`
//! or `removed`. "Reordered" are the fewest nodes that, taken out, leave their siblings in the old order.

use std::collections::BTreeSet;
use xcheck_trace::page::NodeId;

/// By reference id. One node may be in several sets, but not in `added` and another of the mutations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    pub(crate) added: BTreeSet<NodeId>,
    pub(crate) removed: BTreeSet<NodeId>,
    pub(crate) reparented: BTreeSet<NodeId>,
    pub(crate) reordered: BTreeSet<NodeId>,
    pub(crate) attributes: BTreeSet<NodeId>,
    pub(crate) properties: BTreeSet<NodeId>,
    /// Text nodes that came, went or changed.
    pub(crate) text: BTreeSet<NodeId>,
    /// Elements that had text nodes among the above, before or after.
    pub(crate) text_parents: BTreeSet<NodeId>,
    pub(crate) style: BTreeSet<NodeId>,
    /// Box, visibility, number of lines, place in the painting order, loaded picture.
    pub(crate) layout: BTreeSet<NodeId>,
}

impl Changes {
    /// Everything that is there and was touched.
    pub(crate) fn touched(&self) -> BTreeSet<NodeId> {
        [
            &self.added,
            &self.reparented,
            &self.reordered,
            &self.attributes,
            &self.properties,
            &self.text,
            &self.text_parents,
            &self.style,
            &self.layout,
        ]
        .into_iter()
        .flatten()
        .copied()
        .collect()
    }

    /// The document stayed as it was, whatever happened to its boxes.
    pub(crate) fn is_nothing_but_looks(&self) -> bool {
        let mutations = [
            &self.added,
            &self.removed,
            &self.reparented,
            &self.reordered,
            &self.attributes,
            &self.text,
        ];
        mutations.iter().all(|set| set.is_empty())
    }

    /// Adds what came later. What was added and is gone again never was.
    pub(crate) fn then(&mut self, later: Changes) {
        let gone: Vec<NodeId> = later.removed.iter().copied().collect();
        for set in self.sets() {
            for id in &gone {
                set.remove(id);
            }
        }
        let Changes {
            added,
            removed,
            reparented,
            reordered,
            attributes,
            properties,
            text,
            text_parents,
            style,
            layout,
        } = later;
        for id in &added {
            self.removed.remove(id);
        }
        self.added.extend(added);
        self.removed.extend(removed);
        self.reparented.extend(reparented);
        self.reordered.extend(reordered);
        self.attributes.extend(attributes);
        self.properties.extend(properties);
        self.text.extend(text);
        self.text_parents.extend(text_parents);
        self.style.extend(style);
        self.layout.extend(layout);
        for id in self.added.clone() {
            self.reparented.remove(&id);
            self.reordered.remove(&id);
            self.attributes.remove(&id);
            self.properties.remove(&id);
        }
    }

    fn sets(&mut self) -> [&mut BTreeSet<NodeId>; 9] {
        [
            &mut self.added,
            &mut self.reparented,
            &mut self.reordered,
            &mut self.attributes,
            &mut self.properties,
            &mut self.text,
            &mut self.text_parents,
            &mut self.style,
            &mut self.layout,
        ]
    }
}

/// The members of `after` that must move to get there from `before`, both holding the same ids once each.
/// Of several smallest answers the one that keeps a longest run starting earliest is taken, so that both browsers
/// get the same.
pub(super) fn moved(before: &[NodeId], after: &[NodeId]) -> Vec<NodeId> {
    if before == after {
        return Vec::new();
    }
    let place: super::ById<usize> = before.iter().enumerate().map(|(at, &id)| (id, at)).collect();
    let places: Vec<usize> = after.iter().filter_map(|id| place.get(id).copied()).collect();
    let kept = longest_increasing(&places);
    let mut stays = vec![false; places.len()];
    for at in kept {
        stays[at] = true;
    }
    after
        .iter()
        .filter(|id| place.contains_key(id))
        .zip(stays)
        .filter(|(_, stays)| !stays)
        .map(|(&id, _)| id)
        .collect()
}

/// Positions of a longest strictly increasing subsequence, by patience sorting.
pub(crate) fn longest_increasing(numbers: &[usize]) -> Vec<usize> {
    let mut tails: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = vec![None; numbers.len()];
    for (at, number) in numbers.iter().enumerate() {
        let pile = tails.partition_point(|&tail| numbers[tail] < *number);
        previous[at] = pile.checked_sub(1).map(|below| tails[below]);
        match tails.get_mut(pile) {
            Some(tail) => *tail = at,
            None => tails.push(at),
        }
    }
    let mut next = tails.last().copied();
    let mut found: Vec<usize> = std::iter::from_fn(|| {
        let at = next?;
        next = previous[at];
        Some(at)
    })
    .collect();
    found.reverse();
    found
}
