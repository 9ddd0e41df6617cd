//! Which node of one browser is which of the other.
//!
//! X-PERT matches every node against every other. Here a match once made is kept for the node's life, and only nodes
//! that came since are matched: under parents that are matched already, in order, by what they are; what is left over
//! is looked for elsewhere. So the cost follows the number of new nodes.

mod align;
mod global;
mod index;
mod signature;

pub(crate) use global::afresh;

use crate::state::{ABOVE_ROOT, ById, Changes, Document};
use crate::tolerances::Tolerances;
use signature::{Signatures, anchor, looks};
use std::collections::{BTreeMap, BTreeSet};
use xcheck_trace::page::NodeId;

#[derive(Debug, Default)]
pub(crate) struct Matches {
    to_other: ById<NodeId>,
    to_reference: ById<NodeId>,
    /// Nodes without a partner so far; tried again whenever something comes.
    alone_reference: BTreeSet<NodeId>,
    alone_other: BTreeSet<NodeId>,
    /// Those whose partner has gone since they were last compared.
    bereft_reference: BTreeSet<NodeId>,
    bereft_other: BTreeSet<NodeId>,
}

impl Matches {
    pub(crate) fn other(&self, reference: NodeId) -> Option<NodeId> {
        match reference {
            ABOVE_ROOT => Some(ABOVE_ROOT),
            _ => self.to_other.get(&reference).copied(),
        }
    }

    pub(crate) fn reference(&self, other: NodeId) -> Option<NodeId> {
        match other {
            ABOVE_ROOT => Some(ABOVE_ROOT),
            _ => self.to_reference.get(&other).copied(),
        }
    }

    /// Nodes of the reference whose partner went with the last changes. Another one may have been found.
    pub(crate) fn bereft_reference(&self) -> &BTreeSet<NodeId> {
        &self.bereft_reference
    }

    /// The same of the other browser.
    pub(crate) fn bereft_other(&self) -> &BTreeSet<NodeId> {
        &self.bereft_other
    }

    fn insert(&mut self, reference: NodeId, other: NodeId) {
        self.to_other.insert(reference, other);
        self.to_reference.insert(other, reference);
        self.alone_reference.remove(&reference);
        self.alone_other.remove(&other);
    }

    /// Takes the changes of both sides in: partners of what is gone are alone again, what came is matched.
    pub(crate) fn update(&mut self, sides: Sides<'_>, changes: (&Changes, &Changes), tolerances: &Tolerances) {
        self.forget(sides, changes);
        if self.alone_reference.is_empty() || self.alone_other.is_empty() {
            return;
        }
        let mut signatures = Signatures::default();
        self.match_under_matched_parents(sides, &mut signatures);
        self.match_by_unique_anchor(sides, &mut signatures);
        self.match_leftovers(sides, &mut signatures, tolerances);
    }

    fn forget(&mut self, sides: Sides<'_>, (reference, other): (&Changes, &Changes)) {
        let gone = |document: &Document, changes: &Changes| -> Vec<NodeId> {
            let texts = changes.text.iter().filter(|id| document.node(**id).is_none());
            changes.removed.iter().chain(texts).copied().collect()
        };
        self.bereft_reference.clear();
        self.bereft_other.clear();
        for id in gone(sides.reference, reference) {
            self.alone_reference.remove(&id);
            if let Some(partner) = self.to_other.remove(&id) {
                self.to_reference.remove(&partner);
                if sides.other.node(partner).is_some() {
                    self.alone_other.insert(partner);
                    self.bereft_other.insert(partner);
                }
            }
        }
        for id in gone(sides.other, other) {
            self.alone_other.remove(&id);
            if let Some(partner) = self.to_reference.remove(&id) {
                self.to_other.remove(&partner);
                if sides.reference.node(partner).is_some() {
                    self.alone_reference.insert(partner);
                    self.bereft_reference.insert(partner);
                }
            }
        }
        let came = |changes: &Changes| -> Vec<NodeId> { changes.added.union(&changes.text).copied().collect() };
        for id in came(reference) {
            if sides.reference.node(id).is_some() && !self.to_other.contains_key(&id) {
                self.alone_reference.insert(id);
            }
        }
        for id in came(other) {
            if sides.other.node(id).is_some() && !self.to_reference.contains_key(&id) {
                self.alone_other.insert(id);
            }
        }
    }

    fn match_under_matched_parents(&mut self, sides: Sides<'_>, signatures: &mut Signatures) {
        let by_parent = |document: &Document, alone: &BTreeSet<NodeId>| {
            let mut groups: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
            for &id in alone {
                if let Some(node) = document.node(id) {
                    groups.entry(node.parent).or_default().push(id);
                }
            }
            groups
        };
        let references = by_parent(sides.reference, &self.alone_reference);
        let mut others = by_parent(sides.other, &self.alone_other);
        for (parent, mut news) in references {
            let Some(partner) = self.other(parent) else { continue };
            let Some(mut candidates) = others.remove(&partner) else {
                continue;
            };
            let place = |document: &Document, id: &NodeId| document.node(*id).map_or((0, 0), |n| (n.index, n.id));
            news.sort_by_key(|id| place(sides.reference, id));
            candidates.sort_by_key(|id| place(sides.other, id));
            self.match_children(sides, &news, &candidates, signatures);
        }
    }

    /// Matches two lists of siblings, then everything below what was matched.
    fn match_children(
        &mut self,
        sides: Sides<'_>,
        news: &[NodeId],
        candidates: &[NodeId],
        signatures: &mut Signatures,
    ) {
        let mut open = vec![(news.to_vec(), candidates.to_vec())];
        while let Some((news, candidates)) = open.pop() {
            let keys: Vec<[u64; 4]> = news
                .iter()
                .map(|&id| signatures.keys(Which::Reference, sides.reference, id))
                .collect();
            let candidate_keys: Vec<[u64; 4]> = candidates
                .iter()
                .map(|&id| signatures.keys(Which::Other, sides.other, id))
                .collect();
            for (mine, theirs) in align::by_strongest(&keys, &candidate_keys) {
                let (a, b) = (news[mine], candidates[theirs]);
                if self.to_other.contains_key(&a) || self.to_reference.contains_key(&b) {
                    continue;
                }
                self.insert(a, b);
                let below = self.unmatched_children(sides, a, b);
                if !below.0.is_empty() && !below.1.is_empty() {
                    open.push(below);
                }
            }
        }
    }

    fn unmatched_children(&self, sides: Sides<'_>, a: NodeId, b: NodeId) -> (Vec<NodeId>, Vec<NodeId>) {
        let mine = sides.reference.children(a).iter().copied();
        let theirs = sides.other.children(b).iter().copied();
        (
            mine.filter(|id| !self.to_other.contains_key(id)).collect(),
            theirs.filter(|id| !self.to_reference.contains_key(id)).collect(),
        )
    }

    /// An id, test id, or role with a name that each side has once among what is left.
    fn match_by_unique_anchor(&mut self, sides: Sides<'_>, signatures: &mut Signatures) {
        if self.alone_reference.is_empty() || self.alone_other.is_empty() {
            return;
        }
        let unique = |document: &Document, alone: &BTreeSet<NodeId>| {
            let mut found: BTreeMap<u64, Option<NodeId>> = BTreeMap::new();
            for &id in alone {
                if let Some(anchor) = document.node(id).and_then(anchor) {
                    found
                        .entry(anchor)
                        .and_modify(|known| *known = None)
                        .or_insert(Some(id));
                }
            }
            found
        };
        let theirs = unique(sides.other, &self.alone_other);
        for (anchor, mine) in unique(sides.reference, &self.alone_reference) {
            if let (Some(a), Some(&Some(b))) = (mine, theirs.get(&anchor)) {
                self.match_pair(sides, a, b, signatures);
            }
        }
    }

    /// What is left, by the papers' index, among nodes of the same tag and depth.
    fn match_leftovers(&mut self, sides: Sides<'_>, signatures: &mut Signatures, tolerances: &Tolerances) {
        if self.alone_reference.is_empty() || self.alone_other.is_empty() {
            return;
        }
        let buckets = |document: &Document, alone: &BTreeSet<NodeId>| {
            let mut buckets: BTreeMap<(String, usize), Vec<NodeId>> = BTreeMap::new();
            for &id in alone {
                if let Some(node) = document.node(id).filter(|node| looks(node)) {
                    let depth = document.depth(id);
                    buckets.entry((node.tag.clone(), depth)).or_default().push(id);
                }
            }
            buckets
        };
        let mut theirs = buckets(sides.other, &self.alone_other);
        for (bucket, mine) in buckets(sides.reference, &self.alone_reference) {
            let Some(theirs) = theirs.remove(&bucket) else { continue };
            for (a, b) in index::best_pairs(sides, &mine, &theirs, tolerances.match_index) {
                self.match_pair(sides, a, b, signatures);
            }
        }
    }

    fn match_pair(&mut self, sides: Sides<'_>, a: NodeId, b: NodeId, signatures: &mut Signatures) {
        if self.to_other.contains_key(&a) || self.to_reference.contains_key(&b) {
            return;
        }
        self.insert(a, b);
        let (mine, theirs) = self.unmatched_children(sides, a, b);
        self.match_children(sides, &mine, &theirs, signatures);
    }
}

/// The two states that are matched.
#[derive(Clone, Copy)]
pub(crate) struct Sides<'a> {
    pub(crate) reference: &'a Document,
    pub(crate) other: &'a Document,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Which {
    Reference,
    Other,
}
