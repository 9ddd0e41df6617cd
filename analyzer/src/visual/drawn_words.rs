//! Words of a drawing stand where the drawing puts them, not where a line of text does: they are left out of its picture,
//! since each engine draws letters in its own way, and known by their boxes.

use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::Rect;
use crate::structure::shown;

/// A map has a name for each place; the first ones tell.
const MOST: usize = 400;

pub(super) fn elsewhere(scene: &Scene<'_>, drawing: Pair<'_>) -> Option<Raw> {
    let off = scene.tolerances.off;
    let (whole_a, whole_b) = (Rect::of(drawing.a), Rect::of(drawing.b));
    if drawing.a.tag != "svg" || !whole_a.as_large(&whole_b, off) {
        return None;
    }
    let parts = scene.reference().subtree(drawing.a.id).into_iter().take(MOST);
    let words = parts
        .filter_map(|id| scene.pair(id))
        .filter(|part| part.a.tag == "text");
    let mut seen = words.filter(|part| shown(part.a) && shown(part.b));
    seen.find_map(|part| {
        let (a, b) = (Rect::of(part.a), Rect::of(part.b));
        let middle = |of: &Rect, whole: &Rect| (of.x - whole.x + of.width / 2.0, of.y - whole.y + of.height / 2.0);
        let (at, now) = (middle(&a, &whole_a), middle(&b, &whole_b));
        // They may be held at either end, and be a little wider or higher.
        let room = |one: f32, other: f32| a.height.min(a.width) + (one - other).abs() / 2.0 + off;
        let (across, down) = (now.0 - at.0, now.1 - at.1);
        let moved = across.abs() > room(a.width, b.width) || down.abs() > room(a.height, b.height);
        let place = |of: (f32, f32)| format!("{}, {}", px(of.0), px(of.1));
        moved.then(|| {
            Raw::at(part, Kind::Visual, "place", "stands elsewhere in its drawing")
                .sure(0.9)
                .differs("middle", place(at), place(now))
        })
    })
}
