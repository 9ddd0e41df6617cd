//! Matching from nothing over whole documents, as WebDiff and X-PERT do: the baseline of `--mode full`.
//!
//! A node with the same path and attributes is taken at once (index 1); every other one is held against all that are
//! left of its tag. Nothing is kept from the checkpoint before.

use super::{Matches, Sides, index};
use crate::locator::xpath;
use crate::state::Document;
use crate::tolerances::Tolerances;
use std::collections::BTreeMap;
use xcheck_trace::page::NodeId;

pub(crate) fn afresh(sides: Sides<'_>, tolerances: &Tolerances) -> Matches {
    let mut matches = Matches::default();
    let mut by_path: BTreeMap<String, NodeId> = BTreeMap::new();
    for id in sides.other.all() {
        by_path.insert(xpath(sides.other, id), id);
        matches.alone_other.insert(id);
    }
    let all = sides.reference.all();
    matches.alone_reference.extend(&all);
    for &a in &all {
        let Some(&b) = by_path.get(&xpath(sides.reference, a)) else {
            continue;
        };
        let alike = match (sides.reference.node(a), sides.other.node(b)) {
            (Some(a), Some(b)) => a.tag == b.tag && a.attributes == b.attributes,
            _ => false,
        };
        if alike {
            matches.insert(a, b);
        }
    }
    let mut theirs = by_tag(sides.other, matches.alone_other.iter().copied());
    for (tag, mine) in by_tag(sides.reference, matches.alone_reference.iter().copied()) {
        let Some(theirs) = theirs.remove(&tag) else { continue };
        for (a, b) in index::best_pairs(sides, &mine, &theirs, tolerances.match_index) {
            matches.insert(a, b);
        }
    }
    matches
}

fn by_tag(document: &Document, ids: impl Iterator<Item = NodeId>) -> BTreeMap<String, Vec<NodeId>> {
    let mut buckets: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
    for id in ids {
        if let Some(node) = document.node(id) {
            buckets.entry(node.tag.clone()).or_default().push(id);
        }
    }
    buckets
}
