//! The ring of a control that has the focus is drawn around it, and over what stands close beside it. Each engine has a
//! ring of its own, which is no look of its neighbours.

use super::covered;
use crate::scene::{Pair, Scene};
use crate::state::{Document, Rect};
use crate::structure::{is_control, shown};
use xcheck_trace::page::Node;

/// How far a ring reaches around its control.
const REACH: f32 = 5.0;

/// More than this of a neighbour behind the control itself, and they overlap for another reason.
const TOUCH: f32 = 1.0;

/// Left, top, right and bottom, to be cut off.
type Strips = [f32; 4];

/// What is left of a box's words where no ring of a control beside it can reach, the same in both browsers; nothing where
/// no control is that close.
pub(super) fn out_of_reach(scene: &Scene<'_>, pair: Pair<'_>, painted: (Rect, Rect)) -> Option<(Rect, Rect)> {
    let mine = strips(scene.reference(), pair.a, painted.0);
    let theirs = strips(scene.other(), pair.b, painted.1);
    let strips = [0, 1, 2, 3].map(|side| mine[side].max(theirs[side]));
    let left = |rect: Rect| Rect {
        x: rect.x + strips[0],
        y: rect.y + strips[1],
        width: rect.width - strips[0] - strips[2],
        height: rect.height - strips[1] - strips[3],
    };
    let rests = (left(painted.0), left(painted.1));
    (strips != [0.0; 4] && !rests.0.is_empty() && !rests.1.is_empty()).then_some(rests)
}

/// How far into its control a ring and the border below it reach.
const INTO: f32 = 3.0;

/// Parts of a picture through which rings of controls run, from its own corner, in either browser.
pub(super) fn on_picture(scene: &Scene<'_>, pair: Pair<'_>) -> Vec<Rect> {
    covered::in_either(scene, pair, |document, node| {
        let (picture, kin) = (Rect::of(node), document.kin(node.id));
        let controls = document.all().into_iter().filter_map(|id| document.node(id));
        let ringed = controls.filter(|control| has_ring(document, control) && shown(control));
        ringed
            .filter(|control| !kin.contains(&control.id))
            .flat_map(|control| edges(Rect::of(control)))
            .filter(|edge| edge.overlap(&picture) != (0.0, 0.0))
            .collect()
    })
}

/// Where a box's ring is drawn: left, right, above and below.
fn edges(of: Rect) -> [Rect; 4] {
    let (outer, thick) = (of.inset(-REACH), REACH + INTO);
    let upright = |x: f32| Rect {
        x,
        width: thick,
        ..outer
    };
    let level = |y: f32| Rect {
        y,
        height: thick,
        ..outer
    };
    [
        upright(outer.x),
        upright(outer.right() - thick),
        level(outer.y),
        level(outer.bottom() - thick),
    ]
}

/// The ring of what has the focus, in the engine's own look.
pub(super) fn has_ring(document: &Document, node: &Node) -> bool {
    document.computed(node, "outline-style") == "auto"
}

fn strips(document: &Document, node: &Node, words: Rect) -> Strips {
    let mut strips = [0.0; 4];
    for control in document.all().into_iter().filter_map(|id| document.node(id)) {
        let may_have_one = is_control(control) || has_ring(document, control);
        if !may_have_one || !shown(control) || control.id == node.id {
            continue;
        }
        let rect = Rect::of(control);
        let (wide, high) = words.overlap(&rect.inset(-REACH));
        let (behind_wide, behind_high) = words.overlap(&rect);
        if wide <= 0.0 || high <= 0.0 || (behind_wide > TOUCH && behind_high > TOUCH) {
            continue;
        }
        // The side on which the least is lost.
        let lost = if high <= wide {
            (if rect.y > words.y { 3 } else { 1 }, high)
        } else {
            (if rect.x > words.x { 2 } else { 0 }, wide)
        };
        strips[lost.0] = lost.1.max(strips[lost.0]);
    }
    strips
}
