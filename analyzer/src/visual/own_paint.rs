//! What a box paints itself, beside its words and what it holds: backgrounds, borders, lines between its columns,
//! generated pictures.
//!
//! Engines disagree by a pixel about where an edge is, and smooth it in their own way. So a pixel counts only where
//! nothing like it is found within two pixels in the other picture; and, unless the page's rules give a reason to look
//! closer, only where a whole square of such pixels stands together, which no edge and no stroke of a letter makes.

use super::colour::{Lab, distance};
use super::covered::GLOW;
use super::crops::{Crop, Shots};
use crate::scene::{Pair, Scene};
use crate::state::{Document, Rect, is_text};
use crate::structure::{Role, paints, role, shown};
use std::collections::HashMap;
use xcheck_trace::page::Node;

/// How far an edge may be moved or smoothed, in pixels.
const EDGE: isize = 2;

/// Side of the squares in which every pixel differs.
const SQUARE: usize = 5;

/// Colour difference (CIE76) that counts.
pub(super) const SEEN: f32 = 20.0;

/// Around words and boxes: what their anti-aliasing and small shifts reach.
const FRINGE: f32 = 3.0;

/// Bullets and numbers stand before their item.
const MARKER: f32 = 48.0;

/// How much of two pictures differs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Apart {
    /// Pixels with nothing like them in the other picture.
    pub(super) pixels: usize,
    /// Squares of such pixels.
    pub(super) squares: usize,
    /// The most of such pixels that stand together where an icon would.
    pub(super) together: usize,
}

/// Side of a small icon.
const ICON: usize = 24;

/// How far beside a box that is looked for which a rule about it may generate there.
const BESIDE: f32 = 96.0;

/// Of what the box paints itself. Nothing where there is no picture, or where its size says that it is laid out otherwise.
pub(super) fn apart(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>) -> Option<Apart> {
    let (rect_a, rect_b) = (Rect::of(pair.a), Rect::of(pair.b));
    let (a, b) = if are_as_large(rect_a, rect_b) {
        (rect_a, rect_b)
    } else {
        // What both have in common, short of the border at the far ends.
        let common = |rect: Rect| Rect {
            width: rect_a.width.min(rect_b.width) - 8.0,
            height: rect_a.height.min(rect_b.height) - 8.0,
            ..rect
        };
        (common(rect_a), common(rect_b))
    };
    let mut theirs = [held(scene.reference(), pair.a), held(scene.other(), pair.b)];
    theirs[0].extend(mirrored(scene, pair));
    theirs[0].extend(bars(scene, pair));
    without(shots, [a, b], theirs)
}

/// Two places in the pictures, without what is hidden of each.
fn without(shots: &mut Shots<'_>, places: [Rect; 2], hidden: [Vec<Rect>; 2]) -> Option<Apart> {
    let (a, b) = shots.crops(places[0], places[1], 0.0)?;
    let mut all = vec![false; a.width * a.height];
    for (whole, parts) in places.into_iter().zip(hidden) {
        hide(&mut all, &a, whole, parts);
    }
    Some(compare(&a, &b, &all))
}

/// Of what is painted beside the box in what holds it, and by nobody else of those who stand there.
pub(super) fn beside(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>, holder: Pair<'_>) -> Option<Apart> {
    let (rect_a, rect_b) = (Rect::of(pair.a), Rect::of(pair.b));
    if !are_as_large(rect_a, rect_b) {
        return None;
    }
    let (within_a, within_b) = (Rect::of(holder.a), Rect::of(holder.b));
    let reach = |room_a: f32, room_b: f32| room_a.min(room_b).clamp(0.0, BESIDE);
    let left = reach(rect_a.x - within_a.x, rect_b.x - within_b.x);
    let above = reach(rect_a.y - within_a.y, rect_b.y - within_b.y);
    let right = reach(within_a.right() - rect_a.right(), within_b.right() - rect_b.right());
    let below = reach(within_a.bottom() - rect_a.bottom(), within_b.bottom() - rect_b.bottom());
    let around = |rect: Rect| Rect {
        x: rect.x - left,
        y: rect.y - above,
        width: rect.width + left + right,
        height: rect.height + above + below,
    };
    let others = |document: &Document, outer: &Node, rect: Rect| {
        let mut parts = held(document, outer);
        parts.push(grown(rect, FRINGE));
        parts
    };
    let hidden = [
        others(scene.reference(), holder.a, rect_a),
        others(scene.other(), holder.b, rect_b),
    ];
    without(shots, [around(rect_a), around(rect_b)], hidden)
}

fn are_as_large(a: Rect, b: Rect) -> bool {
    (a.width - b.width).abs() <= EDGE as f32 && (a.height - b.height).abs() <= EDGE as f32
}

/// Where what it holds is mirrored by one browser alone, on whichever side: said of what is mirrored. Few boxes are, and
/// asking costs a look at all rules, so only pictures and drawings are asked.
fn mirrored(scene: &Scene<'_>, holder: Pair<'_>) -> Vec<Rect> {
    let inside = scene.reference().subtree(holder.a.id).into_iter();
    let pairs = inside.filter(|&id| id != holder.a.id).filter_map(|id| scene.pair(id));
    pairs
        .filter(|held| role(scene.reference(), held.a) == Role::Replaced)
        .filter(|held| scene.understood_by_one(*held, "-webkit-box-reflect"))
        .flat_map(|held| super::SIDES.map(|side| grown(Rect::of(held.a).beside(side), FRINGE)))
        .collect()
}

/// Where scroll bars lie, if it has any: they are their engine's, also where a page dresses those of one.
fn bars(scene: &Scene<'_>, pair: Pair<'_>) -> Vec<Rect> {
    let scrolls = |axis: &str| matches!(scene.reference().computed(pair.a, axis), "auto" | "scroll");
    let whole = Rect::of(pair.a);
    let wide = scene.tolerances.scrollbar.min(whole.width).min(whole.height);
    let mut found = Vec::new();
    if scrolls("overflow-y") {
        let left = Rect { width: wide, ..whole };
        let right = Rect {
            x: whole.right() - wide,
            ..left
        };
        let is_mirrored = scene.reference().computed(pair.a, "direction") == "rtl";
        found.push(if is_mirrored { left } else { right });
    }
    if scrolls("overflow-x") {
        found.push(Rect {
            y: whole.bottom() - wide,
            height: wide,
            ..whole
        });
    }
    found
}

/// Of two pictures as they are, words and all.
pub(super) fn of_pictures(a: &Crop, b: &Crop) -> Apart {
    compare(a, b, &vec![false; a.width * a.height])
}

/// Of two drawings without their words, which drift apart from letter to letter.
pub(super) fn of_drawings(scene: &Scene<'_>, pair: Pair<'_>, a: &Crop, b: &Crop) -> Apart {
    let mut hidden = vec![false; a.width * a.height];
    hide(&mut hidden, a, Rect::of(pair.a), words(scene.reference(), pair.a));
    hide(&mut hidden, a, Rect::of(pair.b), words(scene.other(), pair.b));
    compare(a, b, &hidden)
}

fn words(document: &Document, holder: &Node) -> Vec<Rect> {
    let inside = document.subtree(holder.id).into_iter();
    let texts = inside.filter_map(|id| document.node(id)).filter(|node| is_text(node));
    texts.map(|text| grown(Rect::of(text), FRINGE)).collect()
}

/// What a box holds that is looked at by itself.
fn held(document: &Document, holder: &Node) -> Vec<Rect> {
    let inside = document.subtree(holder.id).into_iter().filter(|&id| id != holder.id);
    let nodes = inside.filter_map(|id| document.node(id)).filter(|node| shown(node));
    let mut found = Vec::new();
    for node in nodes {
        let rect = Rect::of(node);
        if is_text(node) {
            found.push(grown(rect, FRINGE));
            continue;
        }
        if document.display(node) == "list-item" {
            found.push(Rect {
                x: rect.x - MARKER,
                width: rect.width + 2.0 * MARKER,
                ..rect
            });
        }
        let special = matches!(role(document, node), Role::Replaced | Role::Control)
            || matches!(node.tag.as_str(), "hr" | "fieldset" | "legend" | "summary");
        if special || paints(document, node) || is_turned(document, node) {
            found.push(grown(rect, if glows(document, node) { GLOW } else { FRINGE }));
        }
    }
    found
}

fn glows(document: &Document, node: &Node) -> bool {
    let some = |property: &str| !matches!(document.computed(node, property), "" | "none");
    // The ring of the focus, too.
    crate::structure::is_control(node)
        || ["box-shadow", "outline-style", "filter", "text-shadow"]
            .into_iter()
            .any(some)
}

/// Some engine may paint it apart, and then move or scale what it has painted.
pub(super) fn is_moved_as_picture(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    [(scene.reference(), pair.a), (scene.other(), pair.b)]
        .into_iter()
        .any(|(document, node)| {
            is_turned(document, node) || document.ancestors(node.id).any(|outer| is_turned(document, outer))
        })
}

fn is_turned(document: &Document, node: &Node) -> bool {
    !matches!(document.computed(node, "transform"), "" | "none")
}

fn grown(rect: Rect, by: f32) -> Rect {
    Rect {
        x: rect.x - by,
        y: rect.y - by,
        width: rect.width + 2.0 * by,
        height: rect.height + 2.0 * by,
    }
}

fn hide(hidden: &mut [bool], crop: &Crop, whole: Rect, parts: Vec<Rect>) {
    // A picture has nothing left of its edge, so that the crop begins there at the earliest.
    let (x, y) = (whole.x.round().max(0.0), whole.y.round().max(0.0));
    let at = |length: f32, most: usize| ((length / crop.step as f32).round().max(0.0) as usize).min(most);
    for part in parts {
        let (left, right) = (at(part.x - x, crop.width), at(part.right() - x, crop.width));
        let (top, bottom) = (at(part.y - y, crop.height), at(part.bottom() - y, crop.height));
        for row in top..bottom {
            hidden[row * crop.width + left..row * crop.width + right.max(left)].fill(true);
        }
    }
}

fn compare(a: &Crop, b: &Crop, hidden: &[bool]) -> Apart {
    let (width, height) = (a.width.min(b.width), a.height.min(b.height));
    let mut off = vec![false; width * height];
    let mut found = Apart::default();
    for y in 0..height {
        for x in 0..width {
            if hidden[y * a.width + x] {
                continue;
            }
            let (mine, theirs) = (a.pixels[y * a.width + x], b.pixels[y * b.width + x]);
            if distance(mine, theirs) > SEEN && (is_alone(mine, b, x, y) || is_alone(theirs, a, x, y)) {
                off[y * width + x] = true;
                found.pixels += 1;
            }
        }
    }
    if found.pixels >= SQUARE * SQUARE {
        found.squares = squares(&off, width);
        found.together = together(&off, width);
    }
    found
}

/// Nothing like this colour is near the place.
fn is_alone(colour: Lab, picture: &Crop, x: usize, y: usize) -> bool {
    for dy in -EDGE..=EDGE {
        for dx in -EDGE..=EDGE {
            let (Some(x), Some(y)) = (x.checked_add_signed(dx), y.checked_add_signed(dy)) else {
                continue;
            };
            if x < picture.width
                && y < picture.height
                && distance(colour, picture.pixels[y * picture.width + x]) <= SEEN
            {
                return false;
            }
        }
    }
    true
}

/// The most marks in a tile as large as an icon; tiles overlap by half.
fn together(off: &[bool], width: usize) -> usize {
    let mut tiles: HashMap<(usize, usize), usize> = HashMap::new();
    for at in off.iter().enumerate().filter_map(|(at, is_off)| is_off.then_some(at)) {
        let (x, y) = (at % width * 2 / ICON, at / width * 2 / ICON);
        for tile in [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)] {
            *tiles.entry(tile).or_default() += 1;
        }
    }
    tiles.into_values().max().unwrap_or_default()
}

/// Places at which a square full of marks ends.
fn squares(off: &[bool], width: usize) -> usize {
    // The largest full square that ends at each place is one larger than the least of its three neighbours'.
    let mut sizes = vec![0_usize; off.len()];
    let mut count = 0;
    for at in 0..off.len() {
        if !off[at] {
            continue;
        }
        let (x, y) = (at % width, at / width);
        let before = if x == 0 || y == 0 {
            0
        } else {
            sizes[at - 1].min(sizes[at - width]).min(sizes[at - width - 1])
        };
        sizes[at] = before + 1;
        count += usize::from(sizes[at] >= SQUARE);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// White, with a black rectangle.
    fn drawn(x: u32, y: u32, width: u32, height: u32) -> Crop {
        let inside = |px, py| (x..x + width).contains(&px) && (y..y + height).contains(&py);
        Crop::whole(&image::RgbaImage::from_fn(60, 60, |px, py| {
            let shade = if inside(px, py) { 0 } else { 255 };
            image::Rgba([shade, shade, shade, 255])
        }))
    }

    #[test]
    fn what_is_moved_by_two_pixels_is_the_same() {
        let apart = of_pictures(&drawn(20, 20, 12, 12), &drawn(22, 18, 12, 12));
        assert_eq!(apart, Apart::default());
    }

    #[test]
    fn a_thin_line_has_pixels_but_no_square() {
        let apart = of_pictures(&drawn(0, 30, 60, 2), &drawn(0, 30, 0, 0));
        assert_eq!((apart.pixels, apart.squares), (120, 0));
    }

    #[test]
    fn what_is_there_in_one_only_has_squares() {
        assert!(of_pictures(&drawn(20, 20, 12, 12), &drawn(0, 0, 0, 0)).squares > 0);
    }

    #[test]
    fn squares_are_found_and_strokes_are_not() {
        let width = 12;
        let mut off = vec![false; width * 12];
        (0..12).for_each(|x| off[4 * width + x] = true);
        (0..12).for_each(|y| off[y * width + 3] = true);
        assert_eq!(squares(&off, width), 0);
        for y in 5..10 {
            for x in 6..11 {
                off[y * width + x] = true;
            }
        }
        assert_eq!(squares(&off, width), 2);
    }
}
