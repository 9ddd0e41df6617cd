//! Parts of a formula stand where each engine's rules and fonts put them, a little otherwise in each: what is told is
//! a sign that has another place than that beside it, by more than its own size.

use super::Excused;
use super::measure::shown;
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::Rect;
use xcheck_trace::page::NodeId;

/// A long formula has been told by then.
const MOST: usize = 200;

pub(super) fn difference(scene: &Scene<'_>, id: NodeId, excused: &Excused) -> Option<Raw> {
    let formula = scene.pair(id).filter(|pair| pair.a.tag == "math")?;
    let within = scene.reference().subtree(id);
    if within.iter().any(|id| excused.children.contains(id)) {
        return None;
    }
    let signs: Vec<Pair<'_>> = within
        .into_iter()
        .filter_map(|id| scene.pair(id))
        .filter(|pair| matches!(pair.a.tag.as_str(), "mn" | "mi" | "mo" | "mtext"))
        .filter(|pair| shown(pair.a) && shown(pair.b))
        .take(MOST)
        .collect();
    let (direction, reference, other) = signs.windows(2).find_map(|two| apart(scene, two[0], two[1]))?;
    let raw = Raw::at(formula, Kind::Structure, "place", "has its signs elsewhere").sure(0.9);
    Some(raw.differs(direction, px(reference), px(other)))
}

/// How far the second is from the first, along the direction in which that differs.
fn apart(scene: &Scene<'_>, first: Pair<'_>, second: Pair<'_>) -> Option<(&'static str, f32, f32)> {
    let [(a, b), (next_a, next_b)] = [first, second].map(|pair| (Rect::of(pair.a), Rect::of(pair.b)));
    let from = |one: &Rect, next: &Rect| {
        let ((x, y), (next_x, next_y)) = (one.middle(), next.middle());
        (next_x - x, next_y - y)
    };
    let (reference, other) = (from(&a, &next_a), from(&b, &next_b));
    // What grows with what it stands around is higher in one browser.
    let room = |one: f32, other: f32| (one - other).abs() / 2.0;
    let size = next_a.height.min(a.height) + scene.tolerances.off;
    let across = size + room(a.width, b.width) + room(next_a.width, next_b.width);
    let down = size + room(a.height, b.height) + room(next_a.height, next_b.height);
    if (reference.0 - other.0).abs() > across {
        return Some(("left", reference.0, other.0));
    }
    ((reference.1 - other.1).abs() > down).then_some(("top", reference.1, other.1))
}
