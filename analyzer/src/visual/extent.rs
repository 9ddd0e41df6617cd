//! How far what an engine writes by itself reaches within its own box: words that are no text of the page, rows that have no
//! boxes.

use super::colour::distance;
use super::crops::{Crop, Shots};
use super::field::FRAME;
use super::ink::Ink;
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::{Document, Rect, attribute};
use crate::text::property;
use xcheck_trace::page::Node;

/// The scroll bar of a list box.
const BAR: f32 = 18.0;

/// By how many pixels, and by what share of the larger, one reaches further than letters of another width or rows of another
/// height would make it.
const FURTHER: f32 = 12.0;
const SHARE: f32 = 0.3;

/// The same of a number that a rule counts, which is set in the page's own font: a digit more or less.
const A_DIGIT: f32 = 5.0;

pub(super) fn difference(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>) -> Option<Raw> {
    let counts = is_counted(scene.reference(), pair.a) && is_counted(scene.other(), pair.b);
    let writes = writes_its_own_words(pair.a) && writes_its_own_words(pair.b);
    let lists = is_list_box(pair.a) && is_list_box(pair.b);
    if !writes && !lists && !counts {
        return None;
    }
    let inside = |node: &Node| {
        let inside = Rect::of(node).inset(FRAME);
        Rect {
            width: inside.width - if lists { BAR } else { 0.0 },
            ..inside
        }
    };
    let (a, b) = shots.crops(inside(pair.a), inside(pair.b), 0.0)?;
    let (a, b) = (reach(&a, !lists), reach(&b, !lists));
    let further = if counts { A_DIGIT } else { FURTHER };
    if (a - b).abs() < further || (a - b).abs() < SHARE * a.max(b) {
        return None;
    }
    let raw = if counts {
        Raw::at(pair, Kind::Text, "counted", "has another number from a rule")
    } else if writes {
        Raw::at(pair, Kind::Text, "own-words", "has other words of the browser's own")
    } else {
        Raw::at(
            pair,
            Kind::Structure,
            "rows",
            if b > a { "shows more rows" } else { "shows fewer rows" },
        )
    };
    Some(raw.sure(0.8).differs("reach", px(a), px(b)))
}

/// It shows nothing but what a rule writes, of which a part is counted.
fn is_counted(document: &Document, node: &Node) -> bool {
    document.children(node.id).is_empty() && document.writes_a_count(node)
}

/// `<input type=submit>` that says nothing itself.
fn writes_its_own_words(node: &Node) -> bool {
    let kind = attribute(node, "type").unwrap_or_default().to_ascii_lowercase();
    node.tag == "input" && matches!(kind.as_str(), "submit" | "reset") && property(node, "value").is_none()
}

fn is_list_box(node: &Node) -> bool {
    let rows = attribute(node, "size")
        .and_then(|size| size.parse::<u32>().ok())
        .unwrap_or(0);
    node.tag == "select" && (rows > 1 || attribute(node, "multiple").is_some())
}

/// From the first pixel of ink to the last one, across or down.
fn reach(crop: &Crop, across: bool) -> f32 {
    span(crop, across).map_or(0.0, |(first, last)| last - first)
}

/// Where the first pixel of ink begins and the last one ends.
pub(super) fn span(crop: &Crop, across: bool) -> Option<(f32, f32)> {
    let ink = Ink::of(crop);
    if ink.is_blank() {
        return None;
    }
    let is_ink = |at: &usize| distance(crop.pixels[*at], ink.background()) > ink.contrast() / 2.0;
    let places = (0..crop.pixels.len())
        .filter(is_ink)
        .map(|at| if across { at % crop.width } else { at / crop.width });
    let (first, last) = places.fold((usize::MAX, 0), |(first, last), at| (first.min(at), last.max(at)));
    let place = |at: usize| at as f32 * crop.step as f32;
    (first <= last).then(|| (place(first), place(last + 1)))
}
