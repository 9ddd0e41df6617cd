//! A pointer that rests on the very edge of something.
//!
//! Engines round an edge at another fraction of a pixel, or lay a line out that much higher, so that the pointer is over a
//! button here and beside it there. Neither is a fault of the page, and a person moves on.

use crate::findings::Kind;
use crate::scene::{Raw, Scene};
use crate::state::Document;
use crate::style::styles_below_pointer;
use xcheck_trace::page::{Node, NodeId};

/// What the rounding of an edge and of a pointer's place come to, in CSS pixels.
const ROUNDING: f32 = 1.0;

/// Whether it is told of a look that hangs on the pointer, which is on the edge of what has that look.
pub(crate) fn is_of_it(scene: &Scene<'_>, raw: &Raw) -> bool {
    let (Kind::Visual, Some(id)) = (raw.kind, raw.reference) else {
        return false;
    };
    let above = scene.reference().ancestors(id).map(|node| node.id);
    let chain: Vec<NodeId> = std::iter::once(id).chain(above).collect();
    chain.iter().any(|&id| is_at_edge(scene, id)) && chain.iter().any(|&id| styles_below_pointer(scene.reference(), id))
}

fn is_at_edge(scene: &Scene<'_>, id: NodeId) -> bool {
    scene
        .pair(id)
        .is_some_and(|pair| is_near(scene.reference(), pair.a) || is_near(scene.other(), pair.b))
}

fn is_near(document: &Document, node: &Node) -> bool {
    let Some(pointer) = document.pointer else { return false };
    // How far inside of the two edges of each axis: all of it is inside where none is negative.
    let inside = [0, 1].map(|axis| {
        let from_start = pointer[axis] - node.rect[axis];
        from_start.min(node.rect[axis + 2] - from_start)
    });
    let deepest = inside[0].min(inside[1]);
    deepest.abs() <= ROUNDING + shift(document, node)
}

/// How far it is moved from its place, as what rises below a pointer is: it is still the place where it would stand that counts.
fn shift(document: &Document, node: &Node) -> f32 {
    let Some(matrix) = document.computed(node, "transform").strip_prefix("matrix(1, 0, 0, 1, ") else {
        return 0.0;
    };
    let moved = matrix.trim_end_matches(')').split(", ").map(str::parse::<f32>);
    moved.flatten().fold(0.0, |most, by| most.max(by.abs()))
}
