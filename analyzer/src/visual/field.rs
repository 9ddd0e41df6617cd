//! What a field shows that is no node: the hint while it is empty, and what stands at its end, arrows or a calendar. How a
//! field looks is its engine's affair; but where a rule of the page says how these look, by a name that only some engines
//! have for them, a person sees that.

use super::crops::Shots;
use super::{extent, ink, inked};
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, Understood, px};
use crate::state::{Document, Rect, attribute};
use crate::style::styles_part;
use crate::text::property;
use xcheck_trace::page::{Node, NodeId};

/// How far into a field its frame reaches, and the ring that some engines draw within it.
pub(super) const FRAME: f32 = 4.0;

/// By how many pixels letters and frames of another width do not move a hint.
const MOVED: f32 = 16.0;

const HINTS: [&str; 4] = [
    "::-webkit-input-placeholder",
    "::-moz-placeholder",
    ":-ms-input-placeholder",
    "::placeholder",
];

const AT_THE_END: [&str; 5] = [
    "::-webkit-inner-spin-button",
    "::-webkit-outer-spin-button",
    "::-webkit-calendar-picker-indicator",
    "::-webkit-search-cancel-button",
    "::-webkit-clear-button",
];

pub(super) fn difference(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>) -> Option<Raw> {
    if pair.a.tag != "input" && pair.a.tag != "textarea" {
        return None;
    }
    if has_dressed_hint(scene, pair) {
        return hint(scene, shots, pair);
    }
    dresses(scene, pair, &AT_THE_END)
        .then(|| end(scene, shots, pair))
        .flatten()
}

fn hint(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>) -> Option<Raw> {
    let inside = |node: &Node| Rect::of(node).inset(FRAME);
    let (a, b) = shots.crops(inside(pair.a), inside(pair.b), 0.0)?;
    let cues = ink::between(&a, &b, scene.tolerances);
    // Another colour, that is: arrows and looking glasses, which some engines draw in a field, are ink as well.
    let coloured = cues.iter().any(|cue| cue.name == "ink-colour");
    coloured.then(|| inked(pair, cues, Understood::Alike)).flatten()
}

/// A hint begins so far from where it does in the other, in fields that the page dresses too.
pub(super) fn hint_elsewhere(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>) -> Option<Raw> {
    if has_own_parts(pair.a) || !has_dressed_hint(scene, pair) {
        return None;
    }
    let inside = |node: &Node| Rect::of(node).inset(FRAME);
    let (a, b) = shots.crops(inside(pair.a), inside(pair.b), 0.0)?;
    let ((begins_a, ends_a), (begins_b, ends_b)) = (extent::span(&a, true)?, extent::span(&b, true)?);
    // The whole of it: beside a paler hint a line of the field's own may pass for its beginning.
    let moved = (begins_b - begins_a, ends_b - ends_a);
    (moved.0.min(moved.1) > MOVED || moved.0.max(moved.1) < -MOVED).then(|| {
        Raw::at(pair, Kind::Visual, "hint-place", "shows its hint elsewhere")
            .sure(0.8)
            .differs("begins-at", px(begins_a + FRAME), px(begins_b + FRAME))
    })
}

/// Something stands there in one browser alone, or something of another colour.
fn end(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>) -> Option<Raw> {
    let end = |node: &Node| {
        let inside = Rect::of(node).inset(FRAME);
        let width = inside.height.min(inside.width / 2.0);
        Rect {
            x: inside.right() - width,
            width,
            ..inside
        }
    };
    let (a, b) = shots.crops(end(pair.a), end(pair.b), 0.0)?;
    let (ink_a, ink_b) = (ink::Ink::beside(&a)?, ink::Ink::beside(&b)?);
    let cues = ink::cues(&ink_a, &ink_b, scene.tolerances);
    let told = |name: &str| cues.iter().any(|cue| cue.name == name);
    let in_one = ink_a.is_blank() != ink_b.is_blank() && told("ink-mass") && told("contrast");
    let coloured = cues.iter().any(|cue| cue.alone && cue.name == "ink-colour");
    (in_one || coloured).then(|| {
        let title = match (ink_a.is_blank(), ink_b.is_blank()) {
            (false, true) => "lacks what stands at its end",
            (true, false) => "has something at its end that should not be there",
            _ => "has something of another colour at its end",
        };
        let raw = Raw::at(pair, Kind::Visual, "parts", title).sure(0.75);
        cues.into_iter()
            .fold(raw, |raw, cue| raw.differs(cue.name, cue.reference, cue.other))
    })
}

fn has_dressed_hint(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    shows_hint(pair.a) && shows_hint(pair.b) && dresses(scene, pair, &HINTS)
}

/// Whether a rule of the page, in either browser, says how such parts of the field look.
fn dresses(scene: &Scene<'_>, pair: Pair<'_>, parts: &[&str]) -> bool {
    let by = |document: &Document, id: NodeId| styles_part(document, id, parts);
    by(scene.reference(), pair.a.id) || by(scene.other(), pair.b.id)
}

/// It has arrows, a calendar or a cross at its end, which each engine draws in its own way.
pub(super) fn has_own_parts(node: &Node) -> bool {
    let kinds = ["search", "number", "date", "time", "month", "week", "datetime-local"];
    node.tag == "input" && attribute(node, "type").is_some_and(|kind| kinds.contains(&kind))
}

fn shows_hint(node: &Node) -> bool {
    let holds = |name: &str| property(node, name).is_some_and(|value| !value.is_empty());
    attribute(node, "placeholder").is_some_and(|hint| !hint.trim().is_empty()) && !holds("value")
}
