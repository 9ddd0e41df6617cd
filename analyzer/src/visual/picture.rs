//! Pictures: whether they loaded, and whether they show the same thing.

use super::blank;
use super::colour::distance;
use super::crops::Crop;
use super::drawn_mass;
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::Document;
use xcheck_trace::page::Node;

/// A picture that is loaded when the view comes near it, which each engine takes for another distance.
pub(super) fn waits_for_the_view(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let waits = |document: &Document, node: &Node| {
        node.natural.is_some_and(|[_, _, loaded]| loaded < 0.0)
            && crate::state::attribute(node, "loading").is_some_and(|when| when.eq_ignore_ascii_case("lazy"))
            && !document.in_view(node)
    };
    waits(scene.reference(), pair.a) || waits(scene.other(), pair.b)
}

/// Loaded here and not there, or another file than there.
pub(super) fn loading(pair: Pair<'_>) -> Option<Raw> {
    let ([width_a, height_a, loaded_a], [width_b, height_b, loaded_b]) = (pair.a.natural?, pair.b.natural?);
    let size = |width: f32, height: f32| format!("{} × {}", px(width), px(height));
    let state = |loaded: f32| if loaded > 0.0 { "loaded" } else { "not loaded" };
    if (loaded_a > 0.0) != (loaded_b > 0.0) {
        let title = if loaded_a > 0.0 {
            "is not loaded"
        } else {
            "is loaded, and should not be"
        };
        let raw = Raw::at(pair, Kind::Visual, "loading", title).sure(0.97);
        return Some(raw.differs("picture", state(loaded_a), state(loaded_b)));
    }
    let other_size = (width_a - width_b).abs() > 1.0 || (height_a - height_b).abs() > 1.0;
    // Drawings without a size of their own are given one by each engine.
    let real = [width_a, height_a, width_b, height_b].iter().all(|side| *side > 0.0);
    // WebKit tells the size that a drawing is shown at.
    let as_shown = |node: &Node, width: f32, height: f32| {
        let source = crate::state::attribute(node, "src").unwrap_or("");
        let path = source.split(['?', '#']).next().unwrap_or("");
        let drawing = path.ends_with(".svg") || source.starts_with("data:image/svg");
        drawing && (node.rect[2] - width).abs() <= 2.0 && (node.rect[3] - height).abs() <= 2.0
    };
    let told_as_shown = as_shown(pair.a, width_a, height_a) || as_shown(pair.b, width_b, height_b);
    // Another resolution of the same picture.
    let same_shape = (width_a * height_b - width_b * height_a).abs() <= 0.03 * width_a * height_b;
    (pair.a.tag == "img" && loaded_a > 0.0 && other_size && real && !same_shape && !told_as_shown).then(|| {
        Raw::at(pair, Kind::Visual, "natural-size", "shows another picture")
            .sure(0.7)
            .differs("natural-size", size(width_a, height_a), size(width_b, height_b))
    })
}

/// What share of a drawing is lines that stand elsewhere: none fills a square, as parts do that have another colour.
const LINES: f32 = 0.02;

const COLUMNS: usize = 12;
const ROWS: usize = 12;

/// The same grid over both boxes, so that scaling and smoothing do not count.
pub(super) fn difference(scene: &Scene<'_>, pair: Pair<'_>, a: &Crop, b: &Crop) -> Option<Raw> {
    if waits_for_the_view(scene, pair) {
        return None;
    }
    let broken = |node: &Node| node.natural.is_some_and(|[_, _, loaded]| loaded <= 0.0);
    if broken(pair.a) && broken(pair.b) {
        // What stands for a picture that is not there is each engine's own.
        return None;
    }
    let off: Vec<f32> = apart(a, b);
    let mean = off.iter().sum::<f32>() / off.len() as f32;
    let far = off.iter().filter(|off| **off > 2.5 * scene.tolerances.picture).count() as f32 / off.len() as f32;
    (mean > scene.tolerances.picture || far > 0.12).then(|| {
        Raw::at(pair, Kind::Visual, "picture", "shows something else")
            .sure(0.85)
            .differs("mean-colour-difference", "0", format!("{mean:.0}"))
    })
}

/// Some parts of the box are quite another colour.
pub(super) fn parts_differ(a: &Crop, b: &Crop, least: f32) -> bool {
    let off = apart(a, b);
    let far = off.iter().filter(|off| **off > least).count();
    far as f32 > 0.03 * off.len() as f32
}

/// A weaker test, for a second opinion: some part of the box looks different.
pub(super) fn blocks_differ(a: &Crop, b: &Crop) -> bool {
    apart(a, b).into_iter().any(|off| off > 2.0)
}

/// Colour differences of the cells of a grid laid over both.
pub(super) fn apart(a: &Crop, b: &Crop) -> Vec<f32> {
    let columns = COLUMNS.min(a.width).min(b.width);
    let rows = ROWS.min(a.height).min(b.height);
    a.grid(columns, rows)
        .into_iter()
        .zip(b.grid(columns, rows))
        .map(|(a, b)| distance(a, b))
        .collect()
}

/// A part of a picture or a drawing is another, too small to count for the whole.
pub(super) fn in_a_part(scene: &Scene<'_>, pair: Pair<'_>, widget: bool, a: &Crop, b: &Crop) -> Option<Raw> {
    let broken = |node: &Node| node.natural.is_some_and(|[_, _, loaded]| loaded <= 0.0);
    if widget || pair.a.tag == "iframe" || broken(pair.a) || broken(pair.b) {
        return None;
    }
    let apart = super::own_paint::of_pictures(a, b);
    let lines_differ = || {
        let lines = super::own_paint::of_drawings(scene, pair, a, b);
        lines.pixels as f32 > LINES * a.pixels.len() as f32
    };
    // What is seen on a blank part has nothing like it in the other picture.
    let may_be_blank = apart.pixels > 0 && matches!(pair.a.tag.as_str(), "canvas" | "img");
    let blank = may_be_blank.then(|| blank::in_one(a, b)).flatten();
    let mass = || drawn_mass::difference(a, b, scene.tolerances);
    let area = blank.or_else(|| (pair.a.tag == "canvas").then(mass).flatten());
    (apart.squares > 8 || area.is_some() || (pair.a.tag == "svg" && lines_differ())).then(|| {
        Raw::at(pair, Kind::Visual, "picture", "shows something else in a part")
            .sure(0.75)
            .differs(
                "differing-area",
                "0 px",
                format!("{} px", apart.pixels.max(area.unwrap_or(0))),
            )
    })
}
