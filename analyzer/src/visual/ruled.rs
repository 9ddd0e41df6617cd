//! Another look, judged by the picture as a whole: of boxes without words, and where only one browser understood a rule.

use super::crops::Shots;
use super::{AROUND, SIDES, own_paint, picture, words};
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, Understood};
use crate::state::Rect;
use crate::structure::shown;

/// Up to this many px in either direction a box is small.
const SMALL: f32 = 24.0;

const A_PIXEL_ASIDE: [(f32, f32); 4] = [(0.0, -1.0), (0.0, 1.0), (-1.0, 0.0), (1.0, 0.0)];

/// Another shape or place of the same ink in the same colours. Words never stand alike in two engines, so that this is
/// asked only of boxes without any, or where a rule is at work that only one browser understood.
pub(super) fn looks(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>, understood: Understood) -> Option<Raw> {
    if let Some(raw) = difference(scene, shots, pair, understood) {
        return Some(raw);
    }
    let children = scene.reference().children(pair.a.id);
    let mut nodes = children.iter().filter_map(|&id| scene.reference().node(id));
    if nodes.any(shown) {
        return None;
    }
    // Without the ring of what has the focus.
    let (at_a, at_b) = words::painted(scene, pair);
    let (a, b) = shots.crops(at_a, at_b, 0.0)?;
    let found = picture::difference(scene, pair, &a, &b)?;
    // A box at a fraction of a pixel is drawn at either side of it, which is much of a small one.
    let small = at_a.width.min(at_a.height) <= SMALL;
    let same = || own_paint::of_pictures(&a, &b).pixels * 3 < a.pixels.len();
    if small && same() {
        return None;
    }
    // What a rule generates, the letters of an icon say, stands a pixel higher or lower, as all words do.
    let is_aside = |&(right, down): &(f32, f32)| {
        let crops = shots.crops(at_a, at_b.moved(right, down), 0.0);
        crops.is_some_and(|(a, b)| picture::difference(scene, pair, &a, &b).is_none())
    };
    (!A_PIXEL_ASIDE.iter().any(is_aside)).then_some(found)
}

/// Another look, within the reach of a rule that only one browser understood.
pub(super) fn difference(
    scene: &Scene<'_>,
    shots: &mut Shots<'_>,
    pair: Pair<'_>,
    understood: Understood,
) -> Option<Raw> {
    // What a rule has to do with paint needs less of a difference.
    let least = match understood {
        Understood::Alike => return None,
        Understood::Otherwise => 2.5 * scene.tolerances.picture,
        Understood::PaintOtherwise => 1.1 * scene.tolerances.picture,
    };
    let (own_a, own_b) = (Rect::of(pair.a), Rect::of(pair.b));
    let mut differ = |a: Rect, b: Rect, margin: f32| {
        let crops = shots.crops(a, b, margin);
        crops.is_some_and(|(a, b)| picture::parts_differ(&a, &b, least))
    };
    // A mirror image is as large as the box, and on any side of it.
    let mirrored = scene.understood_by_one(pair, "-webkit-box-reflect");
    let on_a_side = mirrored
        && SIDES
            .iter()
            .any(|&side| differ(own_a.beside(side), own_b.beside(side), 0.0));
    let differ = on_a_side || differ(own_a, own_b, AROUND);
    differ.then(|| Raw::at(pair, Kind::Visual, "look", "looks different").sure(0.85))
}
