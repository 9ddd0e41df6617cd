//! Boxes: there or not, where, how large, in what order.
//!
//! X-PERT builds an alignment graph over all boxes and compares its edges. Here only boxes whose layout changed are
//! looked at, each against its parent and the siblings before it. The rules are made to say each thing once:
//! - a box is *moved* only by what neither its parent's nor an earlier sibling's difference explains;
//! - widths flow down (the highest box that is wider answers for those that fill it), heights flow up (the lowest box
//!   that is taller answers for those that hold it);
//! - what engines are free to do (font metrics, scroll bars, the look of form controls) is no difference.

pub(crate) mod column_break;
mod columns;
mod formula;
pub(crate) mod hyphenation;
mod in_line;
mod letters;
mod measure;
mod overlap;
mod placed;
mod position;
pub(crate) mod presence;
mod size;
mod wrap;

pub(crate) use size::{is_styled, paints, paints_within};

pub(crate) use measure::{Role, clipped, is_control, is_faded, is_in_sight, is_out_of_flow, is_sliver, role, shown};

use crate::scene::{Pair, Raw, Scene};
use crate::state::{Document, Rect};
use std::collections::BTreeSet;
use xcheck_trace::page::{Node, NodeId};

/// Reference ids of nodes whose size or children differ for a reason that is reported already: missing or extra
/// nodes, other text.
#[derive(Default)]
pub(crate) struct Excused {
    /// Their size follows.
    sizes: BTreeSet<NodeId>,
    /// The places of their children follow.
    children: BTreeSet<NodeId>,
    /// Tables whose columns are shared out otherwise for it.
    tables: BTreeSet<NodeId>,
}

pub(crate) fn differences(scene: &Scene<'_>, mut excused: Excused) -> Vec<Raw> {
    let mut found = Vec::new();
    let present = presence::differences(scene, &mut excused);
    found.extend(present);
    found.extend(wrap::differences(scene, &mut excused));
    found.extend(column_break::differences(scene, &mut excused));
    let mut geometric = Vec::new();
    for &id in scene.focus {
        let at = geometric.len();
        geometric.extend(size::difference(scene, id, &excused));
        geometric.extend(position::difference(scene, id, &excused));
        geometric.extend(in_line::difference(scene, id, &excused));
        geometric.extend(formula::difference(scene, id, &excused));
        if geometric.len() > at && scene.pair(id).is_some_and(|pair| is_cut_away(scene, pair)) {
            geometric.truncate(at);
        }
    }
    let blamed: BTreeSet<NodeId> = geometric.iter().filter_map(|raw| raw.reference).collect();
    found.extend(geometric);
    found.extend(overlap::differences(scene, &blamed, &excused));
    found
}

/// Nobody can come to it, or not to that part in which it differs, and nothing is in it.
fn is_cut_away(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let a = measure::reachable(scene.reference(), pair.a);
    let b = measure::reachable(scene.other(), pair.b);
    let is_whole = a == Rect::of(pair.a) && b == Rect::of(pair.b);
    let is_lost = |left: &Rect| left.width.min(left.height) <= 1.0;
    let same = |a: f32, b: f32| (a - b).abs() <= scene.tolerances.off;
    let is_empty = |document: &Document, node: &Node| document.children(node.id).is_empty();
    let empty = || is_empty(scene.reference(), pair.a) && is_empty(scene.other(), pair.b);
    let looks_the_same = || same(a.x, b.x) && same(a.y, b.y) && same(a.width, b.width) && same(a.height, b.height);
    !is_whole && ((is_lost(&a) && is_lost(&b)) || (empty() && looks_the_same()))
}

impl Excused {
    /// `id` has children that only one browser has, or that read differently.
    pub(crate) fn holder(&mut self, scene: &Scene<'_>, id: NodeId) {
        self.children.insert(id);
        self.sizes.insert(id);
        for ancestor in scene.reference().ancestors(id) {
            let Some(shift) = measure::shift(scene, ancestor.id) else {
                continue;
            };
            let off = |by: f32| by.abs() > scene.tolerances.off;
            if !off(shift.horizontal.size) && !off(shift.vertical.size) {
                break;
            }
            self.sizes.insert(ancestor.id);
        }
        self.columns_around(scene, id);
    }

    /// A cell is as wide as the widest of its column, and leaves the others what is left.
    fn columns_around(&mut self, scene: &Scene<'_>, id: NodeId) {
        let reference = scene.reference();
        let within = std::iter::once(id).chain(reference.ancestors(id).map(|node| node.id));
        let Some(cell) = within
            .filter_map(|id| reference.node(id))
            .find(|node| columns::is_cell(reference, node))
        else {
            return;
        };
        let as_wide = |pair: Pair<'_>| (pair.a.rect[2] - pair.b.rect[2]).abs() <= scene.tolerances.off;
        let table = reference
            .ancestors(cell.id)
            .find(|node| columns::is_table(reference, node));
        if let Some(table) = table.filter(|_| !scene.pair(cell.id).is_none_or(as_wide))
            && self.tables.insert(table.id)
        {
            self.sizes.extend(columns::cells(reference, table.id));
            self.children.extend(columns::rows(reference, table.id));
        }
    }
}
