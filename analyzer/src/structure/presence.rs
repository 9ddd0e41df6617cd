//! Boxes that only one browser shows. One finding for the highest, none for what is inside.

use super::measure::{is_inner, large_enough, shown};
use super::{Excused, size};
use crate::findings::{Difference, Kind};
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::{Document, Rect, is_text};
use crate::text;
use xcheck_trace::page::Node;

/// What is said of a box that is not seen.
const NO_BOX: &str = "no box";
const NOT_VISIBLE: &str = "not visible";

pub(super) fn differences(scene: &Scene<'_>, excused: &mut Excused) -> Vec<Raw> {
    let mut found = Vec::new();
    for &id in scene.focus {
        let Some(pair) = scene.pair(id) else { continue };
        if is_text(pair.a) || text::is_silent(pair.a) || is_inner(scene.reference(), pair.a) {
            continue;
        }
        if size::has_no_rows(scene, pair) {
            continue;
        }
        let (property, title) = match (large_enough(scene, pair.a), large_enough(scene, pair.b)) {
            (true, _) if !shown(pair.b) => ("missing", "is not shown"),
            (_, true) if !shown(pair.a) => ("extra", "is shown, and should not be"),
            _ => continue,
        };
        // The holder's boxes follow even where a higher box answers for it; but not where it takes as much room unseen.
        if !takes_as_much_room(scene, pair) {
            excused.holder(scene, pair.a.parent);
        }
        if follows(scene, pair, property)
            || shown_by_children(scene, pair, property)
            || peeps_out(scene, pair, property)
            || is_pushed_out(scene, pair)
            || is_scrolled_past(scene, pair)
            || !is_missed(scene, pair, property)
        {
            continue;
        }
        found.push(Raw::at(pair, Kind::Structure, property, title).sure(0.95).differs(
            "box",
            describe(pair.a),
            describe(pair.b),
        ));
    }
    found
}

fn takes_as_much_room(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let (a, b) = (Rect::of(pair.a), Rect::of(pair.b));
    let same = |one: f32, other: f32| (one - other).abs() <= scene.tolerances.off;
    !a.is_empty() && !b.is_empty() && same(a.width, b.width) && same(a.height, b.height)
}

/// An ancestor with a box of its own has the same fate.
fn follows(scene: &Scene<'_>, pair: Pair<'_>, property: &str) -> bool {
    let parent = scene
        .reference()
        .ancestors(pair.a.id)
        .filter(|above| above.tag != "#shadow" && scene.reference().display(above) != "contents")
        .find_map(|above| scene.pair(above.id));
    parent.is_some_and(|above| match property {
        "missing" => shown(above.a) && !shown(above.b),
        _ => !shown(above.a) && shown(above.b),
    })
}

/// A box may be empty while what it holds is seen: wrappers in a line, `display: contents`, floats inside. A cell of a column
/// that has collapsed cuts off what it holds.
fn shown_by_children(scene: &Scene<'_>, pair: Pair<'_>, property: &str) -> bool {
    if scene.reference().display(pair.a) == "table-cell" {
        return false;
    }
    scene
        .reference()
        .children(pair.a.id)
        .iter()
        .take(64)
        .filter_map(|&id| scene.pair(id))
        .any(|child| {
            if property == "missing" {
                shown(child.b)
            } else {
                shown(child.a)
            }
        })
}

/// At the edge of what scrolls, a few pixels make a box seen or not.
fn peeps_out(scene: &Scene<'_>, pair: Pair<'_>, property: &str) -> bool {
    let (document, node) = if property == "missing" {
        (scene.reference(), pair.a)
    } else {
        (scene.other(), pair.b)
    };
    let (lost, left) = super::clipped(document, node);
    lost > 0.0 && left <= scene.tolerances.off && !Rect::of(pair.a).is_empty()
}

/// What stands before it is larger there, so that one has to scroll to it: that is said of what is larger.
fn is_pushed_out(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let (document, node) = if shown(pair.a) {
        (scene.other(), pair.b)
    } else {
        (scene.reference(), pair.a)
    };
    let out_of_reach = |(lost, left): (f32, f32)| lost <= 0.0 || left > 0.0;
    if Rect::of(node).is_empty() || out_of_reach(super::clipped(document, node)) {
        return false;
    }
    let siblings = scene.reference().children(pair.a.parent);
    let earlier = siblings
        .iter()
        .take_while(|sibling| **sibling != pair.a.id)
        .filter_map(|&id| scene.pair(id))
        .filter(|before| !is_text(before.a) && !Rect::of(before.a).is_empty() && !Rect::of(before.b).is_empty());
    let Some(before) = earlier.last() else { return false };
    let (a, b) = (Rect::of(pair.a), Rect::of(pair.b));
    let (before_a, before_b) = (Rect::of(before.a), Rect::of(before.b));
    let same = |one: f32, other: f32| (one - other).abs() <= scene.tolerances.off;
    let below = same(b.y - a.y, before_b.bottom() - before_a.bottom()) && same(b.x - a.x, before_b.x - before_a.x);
    let beside = same(b.x - a.x, before_b.right() - before_a.right()) && same(b.y - a.y, before_b.y - before_a.y);
    below || beside
}

/// Four lines: so much more or less stands above it where text breaks elsewhere.
const LINES: f32 = 96.0;

/// In what scrolls it lies a few lines beyond the edge in one browser, and a few lines within in the other.
fn is_scrolled_past(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let scrolls = |node: &&Node| matches!(scene.reference().computed(node, "overflow-y"), "auto" | "scroll");
    let mut above = scene.reference().ancestors(pair.a.id);
    let Some(room) = above.find(scrolls).and_then(|node| scene.pair(node.id)) else {
        return false;
    };
    let places = [
        (Rect::of(pair.a), Rect::of(room.a)),
        (Rect::of(pair.b), Rect::of(room.b)),
    ];
    let [seen, hidden] = if shown(pair.a) { places } else { [places[1], places[0]] };
    let is_out = hidden.0.bottom() <= hidden.1.y || hidden.0.y >= hidden.1.bottom();
    let of_room = |(own, room): (Rect, Rect)| [own.y - room.y, room.bottom() - own.bottom()];
    let mut moved = of_room(seen)
        .into_iter()
        .zip(of_room(hidden))
        .map(|(one, other)| (one - other).abs());
    !hidden.0.is_empty() && is_out && moved.any(|by| by <= LINES)
}

/// Whether anybody would miss it: boxes that hold nothing and paint nothing are no loss.
fn is_missed(scene: &Scene<'_>, pair: Pair<'_>, property: &str) -> bool {
    let (document, node) = if property == "missing" {
        (scene.reference(), pair.a)
    } else {
        (scene.other(), pair.b)
    };
    let faded = |node: &Node| super::is_faded(document, node);
    !faded(node) && !document.ancestors(node.id).take(8).any(faded) && shows_something(document, node, 0)
}

/// Whether all that it says is that boxes are seen in one browser only.
pub(crate) fn is_all_of(differences: &[Difference]) -> bool {
    let is_unseen = |side: &String| [NO_BOX, NOT_VISIBLE].contains(&side.as_str());
    let tells = |one: &Difference| one.property == "box" && (is_unseen(&one.reference) || is_unseen(&one.other));
    !differences.is_empty() && differences.iter().all(tells)
}

/// What stands very deep is taken for something.
fn shows_something(document: &Document, node: &Node, depth: u8) -> bool {
    let is_box = matches!(super::role(document, node), super::Role::Block | super::Role::Inline);
    let paints = || document.style(node).is_some() && size::paints(document, node);
    let children = document.children(node.id).iter().take(64);
    let mut shown = children
        .filter_map(|&id| document.node(id))
        .filter(|child| shown(child));
    !is_box || paints() || shown.any(|child| depth > 8 || shows_something(document, child, depth + 1))
}
fn describe(node: &Node) -> String {
    if shown(node) {
        format!("{} × {}", px(node.rect[2]), px(node.rect[3]))
    } else if node.visible {
        NO_BOX.to_owned()
    } else {
        NOT_VISIBLE.to_owned()
    }
}
