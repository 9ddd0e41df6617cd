//! Words of a drawing stand where the drawing puts them, not where a line of text does: they are left out of its picture,
//! since each engine draws letters in its own way, and known by their boxes.

use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::{Document, Rect, is_text};
use crate::structure::shown;
use crate::text::collapsed;
use xcheck_trace::page::Node;

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
    let mut seen = words.filter(|part| shown(part.a) || shown(part.b));
    seen.find_map(|part| {
        if let Some(raw) = missing(scene, part) {
            return Some(raw);
        }
        let (a, b) = (Rect::of(part.a), Rect::of(part.b));
        let middle = |of: &Rect, whole: &Rect| (of.middle().0 - whole.x, of.middle().1 - whole.y);
        let (at, now) = (middle(&a, &whole_a), middle(&b, &whole_b));
        // They may be held at either end, and be a little wider or higher.
        let room = |one: f32, other: f32| a.height.min(a.width) + (one - other).abs() / 2.0 + off;
        let (across, down) = (now.0 - at.0, now.1 - at.1);
        let both = shown(part.a) && shown(part.b);
        let moved = across.abs() > room(a.width, b.width) || down.abs() > room(a.height, b.height);
        let place = |of: (f32, f32)| format!("{}, {}", px(of.0), px(of.1));
        (both && moved).then(|| {
            Raw::at(part, Kind::Visual, "place", "stands elsewhere in its drawing")
                .sure(0.9)
                .differs("middle", place(at), place(now))
        })
    })
}

/// Words that one browser alone draws: along a path that the other knows nothing of, say.
fn missing(scene: &Scene<'_>, words: Pair<'_>) -> Option<Raw> {
    let is_drawn = |node: &Node| shown(node) && node.rect[2] >= 1.0 && node.rect[3] >= 1.0;
    let said = |document: &Document, node: &Node| {
        let within = document.subtree(node.id).into_iter().filter_map(|id| document.node(id));
        let all: String = within
            .filter(|node| is_text(node))
            .map(|node| node.text.as_str())
            .collect();
        collapsed(&all)
    };
    let (a, b) = (said(scene.reference(), words.a), said(scene.other(), words.b));
    let title = match (is_drawn(words.a), is_drawn(words.b)) {
        _ if a != b || a.is_empty() => return None,
        (true, false) => "has its words not drawn",
        (false, true) => "has its words drawn, and should not",
        _ => return None,
    };
    let seen = |node: &Node, text: &str| if is_drawn(node) { text.to_owned() } else { String::new() };
    Some(Raw::at(words, Kind::Text, "text-missing", title).sure(0.9).differs(
        "text",
        seen(words.a, &a),
        seen(words.b, &b),
    ))
}
