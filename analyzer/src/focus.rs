//! Which nodes a change makes worth looking at: those that changed in either browser, and those whose place is told
//! from them.

use crate::matching::{Matches, Sides};
use crate::state::{ABOVE_ROOT, Changes};
use std::collections::BTreeSet;
use xcheck_trace::page::NodeId;

/// Reference ids. The nodes themselves, their parents, and the sibling after each.
pub(crate) fn nodes(sides: Sides<'_>, matches: &Matches, [mine, theirs]: [&Changes; 2]) -> BTreeSet<NodeId> {
    let mut changed = mine.touched();
    changed.extend(theirs.touched().into_iter().filter_map(|id| matches.reference(id)));
    // A node whose partner went is alone now.
    changed.extend(matches.bereft_reference());
    let mut focus = BTreeSet::new();
    for id in changed {
        let Some(node) = sides.reference.node(id) else { continue };
        focus.insert(id);
        if node.parent != ABOVE_ROOT {
            focus.insert(node.parent);
        }
        let siblings = sides.reference.children(node.parent);
        let at = node.index as usize;
        let next = if siblings.get(at) == Some(&id) {
            siblings.get(at + 1)
        } else {
            let at = siblings.iter().position(|&sibling| sibling == id);
            at.and_then(|at| siblings.get(at + 1))
        };
        focus.extend(next);
    }
    // Where something left, its neighbours and its holder are told anew.
    let left = |id: &NodeId| sides.reference.node(*id).is_some();
    focus.extend(mine.text_parents.iter().filter(|id| left(id)));
    focus
}
