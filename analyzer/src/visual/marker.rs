//! Bullets and numbers before list items. They are no nodes, and stand outside their item's box.

use super::colour::distance;
use super::crops::{Crop, Shots};
use super::ink::Ink;
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene};
use crate::state::{Document, Rect, is_text};
use crate::structure::{is_styled, paints, shown};
use xcheck_trace::page::Node;

/// How far before the item a marker may begin.
const REACH: f32 = 120.0;

/// As much of the item's height as its first line may have.
const LINE: f32 = 32.0;

/// Nodes near a list that are looked at.
const MOST: usize = 4_000;

/// Colour difference (CIE76) that is ink and no smoothing: at most; as a share of the strongest there where all is faint, as behind
/// the veil of a dialog; and at least.
const INK: f32 = 25.0;
const SHARE: f32 = 0.5;
const FAINT: f32 = 6.0;

/// By how many pixels another marker is wider: each engine draws its bullets in a size of its own.
const WIDER: f32 = 14.0;

/// And another one made of letters, which all engines take from the same fonts.
const WIDER_LETTERS: f32 = 3.0;

pub(super) fn difference(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>) -> Option<Raw> {
    let (room_a, room_b) = (room(scene.reference(), pair.a)?, room(scene.other(), pair.b)?);
    if !may_have_one(scene.reference(), pair.a) && !may_have_one(scene.other(), pair.b) {
        return None;
    }
    if (room_a.width - room_b.width).abs() > 2.0 {
        return None;
    }
    let (a, b) = shots.crops(room_a, room_b, 0.0)?;
    let (inked_a, inked_b) = (inked_columns(&a), inked_columns(&b));
    let (a, b) = (inked_a.width, inked_b.width);
    let none = a.min(b) == 0.0 && a.max(b) > 0.0;
    let taken = || is_taken(scene.reference(), pair.a, &room_a) || is_taken(scene.other(), pair.b, &room_b);
    let letters = is_of_letters(scene.reference(), pair.a) && is_of_letters(scene.other(), pair.b);
    if letters && a.min(b) > 0.0 && place(scene.reference(), pair.a) != place(scene.other(), pair.b) {
        return None;
    }
    let is_cut = letters && (inked_a.is_cut || inked_b.is_cut);
    let wider = if letters { WIDER_LETTERS } else { WIDER };
    ((none || (!is_cut && (a - b).abs() > wider)) && !taken()).then(|| {
        let title = if b == 0.0 {
            "has no marker"
        } else if a == 0.0 {
            "has a marker, and should not"
        } else {
            "has another marker"
        };
        let width = |width: f32| {
            if width == 0.0 {
                "none".to_owned()
            } else {
                crate::scene::px(width)
            }
        };
        Raw::at(pair, Kind::Visual, "marker", title)
            .sure(0.8)
            .differs("marker-width", width(a), width(b))
    })
}

/// What stands before an item is none of its own where nothing is asked for; `::marker` may say something all the same.
fn may_have_one(document: &Document, item: &Node) -> bool {
    document.computed(item, "list-style-type") != "none"
        || is_styled(document, item, "list-style-image", &["none"])
        || document.rules.iter().any(|rule| rule.selector.contains("::marker"))
}

/// A number, or a word.
fn is_of_letters(document: &Document, item: &Node) -> bool {
    let bullets = [
        "none",
        "disc",
        "circle",
        "square",
        "disclosure-open",
        "disclosure-closed",
    ];
    is_styled(document, item, "list-style-type", &bullets) && !is_styled(document, item, "list-style-image", &["none"])
}

/// How many items of its list come before one: with more or fewer of them its number is another, which is no difference of its own.
fn place(document: &Document, item: &Node) -> usize {
    let siblings = document.children(item.parent).iter();
    let before = siblings
        .take_while(|id| **id != item.id)
        .filter_map(|id| document.node(*id));
    before.filter(|node| document.display(node) == "list-item").count()
}

/// Where an item's marker stands: before its first line, within the list. Nothing where there is no such place.
pub(super) fn room(document: &Document, item: &Node) -> Option<Rect> {
    let inside = document.computed(item, "list-style-position") == "inside";
    if document.display(item) != "list-item" || inside || item.tag == "summary" {
        return None;
    }
    let list = document.node(item.parent)?;
    let (own, around) = (Rect::of(item), Rect::of(list));
    let height = own.height.min(LINE);
    let rect = if document.computed(item, "direction") == "rtl" {
        let x = own.right() + 1.0;
        Rect {
            x,
            y: own.y,
            width: (around.right() - x).min(REACH),
            height,
        }
    } else {
        let x = around.x.max(own.x - REACH);
        Rect {
            x,
            y: own.y,
            width: own.x - 1.0 - x,
            height,
        }
    };
    // The ring of an editor that has the focus is none of its lists'.
    let rect = super::words::ringed(document, item).fold(rect, |rect, ring| rect.common(&ring));
    (rect.width >= 12.0 && rect.height >= 8.0).then_some(rect)
}

/// Whether something else stands there. Asked last: it takes a look at all that is near the list.
fn is_taken(document: &Document, item: &Node, room: &Rect) -> bool {
    let Some(list) = document.node(item.parent) else {
        return true;
    };
    let near = document.subtree(list.parent).into_iter().take(MOST);
    near.filter_map(|id| document.node(id)).any(|node| {
        let (wide, high) = Rect::of(node).overlap(room);
        let shows = shown(node) && (is_text(node) || (!Rect::of(node).holds(room) && paints(document, node)));
        wide > 1.0 && high > 1.0 && shows
    })
}

/// Columns with ink, from the first to the last.
struct Inked {
    /// In pixels.
    width: f32,
    /// At the edge of what was looked at: it may go on beyond.
    is_cut: bool,
}

fn inked_columns(crop: &Crop) -> Inked {
    let background = Ink::of(crop).background();
    let inks: Vec<f32> = crop.pixels.iter().map(|pixel| distance(*pixel, background)).collect();
    let strongest = inks.iter().copied().fold(0.0, f32::max);
    let ink = (SHARE * strongest).clamp(FAINT, INK);
    let mut reach: Option<(usize, usize)> = None;
    for (at, found) in inks.into_iter().enumerate() {
        if found > ink {
            let x = at % crop.width;
            reach = Some(reach.map_or((x, x), |(first, last)| (first.min(x), last.max(x))));
        }
    }
    let width = reach.map_or(0, |(first, last)| (last - first + 1) * crop.step as usize);
    Inked {
        width: width as f32,
        is_cut: reach.is_some_and(|(first, last)| first == 0 || last + 1 == crop.width),
    }
}
