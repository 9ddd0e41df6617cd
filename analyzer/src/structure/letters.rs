//! Fields that are as wide as so many letters (`size`, 20 where none is given), each engine having its own idea of how wide a letter is.
//! Where the page draws a field itself (`appearance: none`), that is all that is left of its engine's.

use super::measure::{Role, role, shown};
use crate::scene::{Pair, Scene};
use crate::state::Document;
use xcheck_trace::page::Node;

const WIDTHS: [&str; 12] = [
    "width",
    "min-width",
    "max-width",
    "inline-size",
    "field-sizing",
    "appearance",
    "box-sizing",
    "display",
    "flex-basis",
    "flex-grow",
    "grid-template-columns",
    "justify-items",
];

/// Boxes around a field that are looked through for one that is as wide as what it holds.
const AROUND: usize = 16;

/// Whether this is such a field, and its letters alone are why it, and what is as wide as what it holds, is of another width.
pub(super) fn are_its_width(scene: &Scene<'_>, field: Pair<'_>) -> bool {
    let is_drawn =
        matches!(field.a.tag.as_str(), "input" | "textarea") && role(scene.reference(), field.a) == Role::Block;
    if !is_drawn || !shown(field.a) || !shown(field.b) || is_said_to_one(scene, field) {
        return false;
    }
    let by = wider(field);
    if by.abs() > scene.tolerances.control_ratio / 2.0 * field.a.rect[2] {
        return false;
    }
    let above = scene.reference().ancestors(field.a.id).map(|node| node.id);
    let around = above.take(AROUND).map_while(|id| scene.pair(id));
    let as_much =
        |pair: &Pair<'_>| (wider(*pair) - by).abs() <= scene.tolerances.aligned && !is_said_to_one(scene, *pair);
    std::iter::once(field)
        .chain(around.take_while(as_much))
        .any(|pair| fits_its_content(scene.reference(), pair.a))
}

/// Whether a rule that only one of the two understood has something to do with how wide it is.
fn is_said_to_one(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    WIDTHS.iter().any(|property| scene.understood_by_one(pair, property))
}

fn wider(pair: Pair<'_>) -> f32 {
    pair.b.rect[2] - pair.a.rect[2]
}

/// A box in a line, out of the flow, or among others in a row is as wide as what it holds, if nothing else is said.
fn fits_its_content(document: &Document, node: &Node) -> bool {
    let stands_free = document.display(node).starts_with("inline")
        || !matches!(document.computed(node, "float"), "" | "none")
        || super::is_out_of_flow(document, node);
    let in_a_row = || {
        let parent = document.node(node.parent);
        parent.is_some_and(|parent| document.display(parent).ends_with("flex"))
    };
    stands_free || in_a_row()
}
