//! Columns of a table: each engine shares out in its own way what room their words leave.

use super::measure::{Role, role};
use super::shown;
use super::size::{is_styled, paints};
use crate::scene::{Pair, Scene};
use crate::state::{Document, is_text};
use xcheck_trace::page::{Node, NodeId};

/// Parts of a row that are looked at.
const PARTS: usize = 64;

/// Cells of a row that are looked at.
const CELLS: usize = 64;

/// Whether nobody sees how wide a cell is: its neighbours go on as it does, and what its row holds, which it may push aside,
/// has moved in it by no more than `room`.
pub(super) fn are_unseen(scene: &Scene<'_>, cell: Pair<'_>, room: f32) -> bool {
    let Some(row) = scene.pair(cell.a.parent) else {
        return false;
    };
    let stands = |part: Pair<'_>| {
        let left = (part.b.rect[0] - row.b.rect[0]) - (part.a.rect[0] - row.a.rect[0]);
        let right = left + part.b.rect[2] - part.a.rect[2];
        let higher = (part.b.rect[3] - part.a.rect[3]).abs();
        left.abs().min(right.abs()) <= room && higher <= scene.tolerances.off
    };
    let parts = scene.reference().subtree(row.a.id).into_iter().skip(1).take(PARTS);
    goes_on(scene.reference(), cell.a)
        && goes_on(scene.other(), cell.b)
        && parts
            .filter_map(|id| scene.pair(id))
            .filter(|part| part.a.parent != row.a.id && is_seen(scene, *part))
            .all(stands)
}

pub(super) fn is_table(document: &Document, node: &Node) -> bool {
    matches!(document.display(node), "table" | "inline-table")
}

pub(super) fn is_cell(document: &Document, node: &Node) -> bool {
    document.display(node) == "table-cell"
}

/// Boxes of a table that are looked at.
const BOXES: usize = 2000;

pub(super) fn cells(document: &Document, table: NodeId) -> impl Iterator<Item = NodeId> {
    boxes(document, table)
        .filter(|node| is_cell(document, node))
        .map(|node| node.id)
}

pub(super) fn rows(document: &Document, table: NodeId) -> impl Iterator<Item = NodeId> {
    let is_row = |node: &&Node| document.display(node) == "table-row";
    boxes(document, table).filter(is_row).map(|node| node.id)
}

fn boxes(document: &Document, table: NodeId) -> impl Iterator<Item = &Node> {
    let inside = document.subtree(table).into_iter().skip(1).take(BOXES);
    inside.filter_map(|id| document.node(id))
}

fn is_seen(scene: &Scene<'_>, part: Pair<'_>) -> bool {
    let shows = is_text(part.a)
        || matches!(role(scene.reference(), part.a), Role::Replaced | Role::Control)
        || paints(scene.reference(), part.a)
        || paints(scene.other(), part.b);
    shows && shown(part.a) && shown(part.b)
}

/// Where it ends is not seen: no line or shadow of its own says so, and all cells of its row have the same ground and the same
/// lines above and below.
fn goes_on(document: &Document, cell: &Node) -> bool {
    let has_no_end = is_cell(document, cell)
        && !is_styled(document, cell, "border-left-width", &["0px"])
        && !is_styled(document, cell, "border-right-width", &["0px"])
        && !is_styled(document, cell, "background-image", &["none"])
        && !is_styled(document, cell, "box-shadow", &["none"])
        && !is_styled(document, cell, "outline-style", &["none"]);
    let is_alike = |other: &Node| {
        ["background-color", "border-top-width", "border-bottom-width"]
            .iter()
            .all(|property| document.computed(other, property) == document.computed(cell, property))
    };
    let row = document.children(cell.parent).iter().take(CELLS);
    has_no_end
        && row
            .filter_map(|&id| document.node(id))
            .filter(|node| is_cell(document, node))
            .all(is_alike)
}
