//! Lines of text: wrapped elsewhere, running out of their box, set in another font.
//!
//! The same words are never quite as wide in two engines, so widths are judged in shares and lines by ratio: that a
//! button's label takes two lines is seen, that a long paragraph takes ten lines for nine is not.

use super::measure::{Role, is_in_sight, is_inner, large_enough, role, shift, shown};
use super::{Excused, hyphenation};
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::{Document, Rect, is_text};
use crate::text;
use std::collections::BTreeSet;
use xcheck_trace::page::{Node, NodeId};

/// Of running text, where its lines are full; labels and headings in a narrow column have fewer.
const LETTERS_IN_A_LINE: usize = 40;

pub(super) fn differences(scene: &Scene<'_>, excused: &mut Excused) -> Vec<Raw> {
    let mut found = Vec::new();
    let holders: BTreeSet<NodeId> = scene
        .focus
        .iter()
        .filter_map(|&id| scene.reference().node(id))
        .map(|node| if is_text(node) { node.parent } else { node.id })
        .collect();
    for id in holders {
        let Some(pair) = scene.pair(id) else { continue };
        if !shown(pair.a) || !shown(pair.b) || text::is_silent(pair.a) {
            continue;
        }
        let is_inner = is_inner(scene.reference(), pair.a);
        if is_inner && !is_in_a_drawing_as_large(scene, pair) {
            continue;
        }
        if text::own(scene.reference(), id) != text::own(scene.other(), pair.b.id) {
            continue;
        }
        let raw = if is_inner {
            other_width(scene, pair)
        } else {
            wraps(scene, pair)
                .or_else(|| hyphenation::difference(scene, pair))
                .or_else(|| other_font(scene, pair))
                .or_else(|| runs_out(scene, pair))
        };
        if let Some(raw) = raw {
            excused.holder(scene, id);
            found.push(raw);
        }
    }
    found
}

/// Words of a drawing have no lines and no box, but a width, which the drawing may set (`textLength`).
fn is_in_a_drawing_as_large(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let mut around = scene.reference().ancestors(pair.a.id);
    let drawing = around.find(|above| above.tag == "svg");
    drawing
        .and_then(|drawing| scene.pair(drawing.id))
        .is_some_and(|drawing| Rect::of(drawing.a).as_large(&Rect::of(drawing.b), scene.tolerances.off))
}

/// How many lines the text of an element takes, with the text of what stands in its lines. Where several pieces make a
/// line, it is told from how high they are together.
pub(super) fn lines(scene: &Scene<'_>, id: NodeId) -> (u32, u32) {
    let pieces = pieces(scene, id);
    if let [only] = pieces.as_slice() {
        return (u32::from(only.a.lines), u32::from(only.b.lines));
    }
    let count = |document: &Document, holder: &Node, pieces: &mut dyn Iterator<Item = &Node>| -> u32 {
        let mut all: Option<Rect> = None;
        let (mut letter, mut least) = (f32::INFINITY, 0);
        for piece in pieces {
            let rect = Rect::of(piece);
            letter = letter.min(rect.height / f32::from(piece.lines.max(1)));
            least = least.max(u32::from(piece.lines));
            all = Some(all.map_or(rect, |all| all.union(&rect)));
        }
        let Some(all) = all else { return 0 };
        let given = document.computed(holder, "line-height").strip_suffix("px");
        let pitch = given.and_then(|px| px.parse().ok()).unwrap_or(1.2 * letter).max(1.0);
        least.max(((all.height - letter) / pitch).round().max(0.0) as u32 + 1)
    };
    let Some(pair) = scene.pair(id) else { return (0, 0) };
    (
        count(scene.reference(), pair.a, &mut pieces.iter().map(|piece| piece.a)),
        count(scene.other(), pair.b, &mut pieces.iter().map(|piece| piece.b)),
    )
}

/// The text nodes that stand in an element's lines, if it has any of its own.
fn pieces<'a>(scene: &Scene<'a>, id: NodeId) -> Vec<Pair<'a>> {
    let mut found = Vec::new();
    let mut open = vec![(id, 0)];
    while let Some((id, depth)) = open.pop() {
        for child in scene
            .reference()
            .children(id)
            .iter()
            .take(64)
            .filter_map(|&id| scene.pair(id))
        {
            if is_text(child.a) {
                if shown(child.a) && shown(child.b) {
                    found.push(child);
                }
            } else if depth < 3 && found.len() < 64 && role(scene.reference(), child.a) == Role::Inline {
                open.push((child.a.id, depth + 1));
            }
        }
    }
    if found.iter().any(|piece| piece.a.parent == id) {
        found
    } else {
        Vec::new()
    }
}

/// Whether its text is told to take another number of lines.
pub(super) fn is_told(scene: &Scene<'_>, id: NodeId, lines: (u32, u32)) -> bool {
    is_other_count(scene, lines) && !is_running_text(scene, id, lines)
}

/// Whether so many lines are seen as another number of lines.
pub(super) fn is_other_count(scene: &Scene<'_>, (a, b): (u32, u32)) -> bool {
    a != b && a.abs_diff(b) as f32 / a.max(b) as f32 > scene.tolerances.wrap_ratio
}

fn wraps(scene: &Scene<'_>, pair: Pair<'_>) -> Option<Raw> {
    let (a, b) = lines(scene, pair.a.id);
    if a == 0 || b == 0 || role(scene.reference(), pair.a) == Role::Inline || !is_told(scene, pair.a.id, (a, b)) {
        return None;
    }
    let shift = shift(scene, pair.a.id)?;
    let narrower = shift.horizontal.size.abs() > scene.tolerances.off.max(0.1 * shift.horizontal.length);
    let moves = shift.vertical.size.abs() > scene.tolerances.off;
    if narrower || !moves {
        return None;
    }
    let count = |lines: u32| {
        if lines == 1 {
            "1 line".to_owned()
        } else {
            format!("{lines} lines")
        }
    };
    Some(
        Raw::at(
            pair,
            Kind::Structure,
            "lines",
            format!("takes {} instead of {}", count(b), count(a)),
        )
        .sure(0.85)
        .differs("lines", a.to_string(), b.to_string())
        .differs("height", px(pair.a.rect[3]), px(pair.b.rect[3])),
    )
}

/// A paragraph that is read on from line to line, one of them longer or shorter: that its last words stand in a line of
/// their own comes of a letter's width. Where lines end by themselves (`<br>`), each piece between is such a paragraph.
fn is_running_text(scene: &Scene<'_>, id: NodeId, (a, b): (u32, u32)) -> bool {
    let pieces = pieces(scene, id);
    let letters = |piece: &Pair<'_>| text::collapsed(&piece.a.text).chars().count();
    let runs = |letters: usize, a: u32, b: u32| {
        a.min(b) >= 2 && a.abs_diff(b) == 1 && letters >= LETTERS_IN_A_LINE * a.min(b) as usize
    };
    let otherwise: Vec<&Pair<'_>> = pieces.iter().filter(|piece| piece.a.lines != piece.b.lines).collect();
    runs(pieces.iter().map(letters).sum(), a, b)
        || (a.abs_diff(b) as usize <= otherwise.len()
            && otherwise
                .iter()
                .all(|piece| runs(letters(piece), piece.a.lines.into(), piece.b.lines.into())))
}

/// The same words in one line, far wider or narrower than engines disagree, at the same computed size.
fn other_font(scene: &Scene<'_>, pair: Pair<'_>) -> Option<Raw> {
    // What stands above other words is spread over them, or set in their middle.
    if pair.a.tag == "rt" {
        return None;
    }
    let [in_reference, in_other] = [(scene.reference(), pair.a), (scene.other(), pair.b)]
        .map(|(document, node)| document.computed(node, "font-stretch"));
    let condensed_by_one = in_reference != in_other;
    let words = scene
        .reference()
        .children(pair.a.id)
        .iter()
        .take(64)
        .filter_map(|&id| scene.pair(id))
        .filter(|child| is_text(child.a) && child.a.lines == 1 && child.b.lines == 1)
        .filter(|child| text::collapsed(&child.a.text) == text::collapsed(&child.b.text))
        .filter(|child| !is_in_a_font_of_the_engines(scene, &child.a.text) && !is_turned(*child))
        .find(|child| {
            let (a, b) = (child.a.rect[2], child.b.rect[2]);
            let off = (a - b).abs();
            let ratio = scene.tolerances.font_width_ratio
                * if is_made_up(scene, pair, child.a) {
                    2.0
                } else if condensed_by_one {
                    0.5
                } else {
                    1.0
                };
            // Below a few letters, whole-pixel advances alone make such shares.
            large_enough(scene, child.a) && off > scene.tolerances.off && off > ratio * a && is_seen(scene, *child)
        })?;
    Some(
        Raw::at(pair, Kind::Visual, "font", "is set in a font of another width")
            .sure(0.75)
            .differs("text-width", px(words.a.rect[2]), px(words.b.rect[2])),
    )
}

/// Not only by who has the page read out.
fn is_seen(scene: &Scene<'_>, words: Pair<'_>) -> bool {
    is_in_sight(scene.reference(), words.a) || is_in_sight(scene.other(), words.b)
}

/// The line runs down in one browser and across in the other: as long as it was high, and as high as it was long.
fn is_turned(Pair { a, b }: Pair<'_>) -> bool {
    let [.., a_width, a_height] = a.rect;
    let [.., b_width, b_height] = b.rect;
    let alike = |one: f32, other: f32| (one - other).abs() <= 0.25 * one.max(other);
    (a_width < a_height) != (b_width < b_height) && alike(a_width, b_height) && alike(a_height, b_width)
}

/// Most of its letters are of a script that common fonts do not have, so that each engine takes a font that it finds, or
/// draws boxes. Where the page brings fonts of its own, one of them may be meant for these.
fn is_in_a_font_of_the_engines(scene: &Scene<'_>, text: &str) -> bool {
    let letters = || text.chars().filter(|letter| letter.is_alphabetic());
    let foreign = letters().filter(|letter| is_foreign(*letter)).count();
    let brings_fonts = || {
        let mut rules = scene.reference().rules.iter();
        rules.any(|rule| rule.selector.starts_with("@font-face"))
    };
    2 * foreign > letters().count() && !brings_fonts()
}

/// Beyond Latin, Greek and Cyrillic.
fn is_foreign(letter: char) -> bool {
    letter > '\u{52f}'
}

/// Letters that the font asked for does not have, and small capitals that are made from large ones: each engine takes
/// another font for them, or another size.
fn is_made_up(scene: &Scene<'_>, holder: Pair<'_>, text: &Node) -> bool {
    let capitals = scene.reference().computed(holder.a, "font-variant-caps");
    let mut letters = text.text.chars();
    !matches!(capitals, "" | "normal") || letters.any(|letter| letter.is_alphabetic() && is_foreign(letter))
}

/// Words of a drawing are as wide as their element: of the words Chromium tells how wide they would be without `textLength`.
fn other_width(scene: &Scene<'_>, pair: Pair<'_>) -> Option<Raw> {
    let holds_words_alone = |document: &Document, node: &Node| {
        let mut parts = document.children(node.id).iter().filter_map(|&id| document.node(id));
        parts.all(is_text)
    };
    let words = text::own(scene.reference(), pair.a.id);
    if words.is_empty() || !holds_words_alone(scene.reference(), pair.a) || !holds_words_alone(scene.other(), pair.b) {
        return None;
    }
    // Another font may have been found for letters that the one asked for does not have.
    if words.chars().any(is_foreign) || is_turned(pair) {
        return None;
    }
    let (a, b) = (
        drawn_width(scene.reference(), pair.a),
        drawn_width(scene.other(), pair.b),
    );
    let off = (a - b).abs();
    let is_seen =
        large_enough(scene, pair.a) && off > scene.tolerances.off && off > scene.tolerances.font_width_ratio * a.max(b);
    is_seen.then(|| {
        Raw::at(pair, Kind::Visual, "font", "is set in another width")
            .sure(0.75)
            .differs("text-width", px(a), px(b))
    })
}

/// WebKit tells of each part of a drawing's text (`tspan`) where all of the text is; there its words have to do.
fn drawn_width(document: &Document, node: &Node) -> f32 {
    let is_one_of_many = document.children(node.parent).len() > 1;
    let holder = document.node(node.parent);
    if is_one_of_many && holder.is_some_and(|holder| holder.rect == node.rect) {
        let words = document.children(node.id).iter().find_map(|&id| document.node(id));
        return words.map_or(node.rect[2], |words| words.rect[2]);
    }
    node.rect[2]
}

/// Text that stayed inside its box and now does not.
fn runs_out(scene: &Scene<'_>, pair: Pair<'_>) -> Option<Raw> {
    if role(scene.reference(), pair.a) != Role::Block {
        return None;
    }
    let out = |words: Rect, holder: Rect| (words.right() - holder.right()).max(holder.x - words.x).max(0.0);
    let (a, b) = (Rect::of(pair.a), Rect::of(pair.b));
    scene
        .reference()
        .children(pair.a.id)
        .iter()
        .take(64)
        .filter_map(|&id| scene.pair(id))
        .filter(|child| is_text(child.a) && shown(child.a) && shown(child.b))
        .find_map(|child| {
            let before = out(Rect::of(child.a), a);
            let after = out(Rect::of(child.b), b);
            let noise = scene
                .tolerances
                .off
                .max(scene.tolerances.text_width_ratio * child.a.rect[2]);
            (before <= scene.tolerances.aligned && after > noise).then(|| {
                Raw::at(pair, Kind::Structure, "overflow", "has text that runs out of its box")
                    .sure(0.85)
                    .differs("overflow", px(before), px(after))
            })
        })
}
