//! What a browser leaves out while it is far from the view: `content-visibility: auto`.
//!
//! How far from the view that begins is each engine's own affair, and so is whether a box still has the size that stands
//! for it, or already its own. Neither the size of such a box nor how it looks inside says anything until it is in view.

use crate::findings::Kind;
use crate::scene::{Raw, Scene};
use crate::state::Document;
use crate::structure::Excused;
use xcheck_trace::page::{Node, NodeId};

/// The sizes of what may be left out, and of what holds it, follow from that.
pub(crate) fn excuse(scene: &Scene<'_>, excused: &mut Excused) {
    for &id in scene.focus {
        if may_be(scene, id) {
            excused.holder(scene, id);
        }
    }
}

/// Whether it is told of the boxes or the look of something that one of the two may have left out.
pub(crate) fn is_of_it(scene: &Scene<'_>, raw: &Raw) -> bool {
    let looks = matches!(raw.kind, Kind::Structure | Kind::Visual);
    let above = |id: NodeId| scene.reference().ancestors(id).map(|node| node.id);
    looks
        && raw
            .reference
            .is_some_and(|id| may_be(scene, id) || above(id).any(|above| may_be(scene, above)))
}

fn may_be(scene: &Scene<'_>, id: NodeId) -> bool {
    let left_out = |document: &Document, node: &Node| {
        document.computed(node, "content-visibility") == "auto" && !document.in_view(node)
    };
    scene
        .pair(id)
        .is_some_and(|pair| left_out(scene.reference(), pair.a) || left_out(scene.other(), pair.b))
}
