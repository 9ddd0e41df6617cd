//! What a box paints by itself, beside what it holds.

use super::crops::Shots;
use super::{covered, field, own_paint, words};
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, Understood};
use crate::state::GENERATED;
use crate::structure::{Role, paints, paints_within, shown};

/// Where only one browser understood a rule about it, thin lines count too, and what stands beside it.
pub(super) fn difference(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>, kind: Role) -> Option<Raw> {
    if !shots.are_there() {
        return None;
    }
    let understood = scene.understood(pair);
    let paints = paints(scene.reference(), pair.a) || paints(scene.other(), pair.b);
    let plain = kind == Role::Block && !matches!(pair.a.tag.as_str(), "html" | "body" | "table" | "dialog" | "details");
    let asked = match understood {
        Understood::Alike => plain && paints && !writes_by_itself(scene, pair) && !field::has_own_parts(pair.a),
        _ => kind == Role::Block,
    };
    if !asked {
        return None;
    }
    let is_under_others = |pair| covered::elsewhere(scene, pair) || covered::before_what_stays(scene, pair);
    let apart = own_paint::apart(scene, shots, pair)?;
    let lines = understood == Understood::PaintOtherwise && apart.pixels > 40;
    let icon = has_icon(scene, pair) && apart.together > OF_ICON;
    if apart.squares > 0 || lines || icon {
        return (!is_under_others(pair)).then(|| {
            let raw = Raw::at(pair, Kind::Visual, "own-paint", "looks different around what it holds").sure(0.75);
            raw.differs("differing-area", "0 px", area(apart))
        });
    }
    let holder = scene.pair(pair.a.parent).filter(|_| understood != Understood::Alike)?;
    let beside = own_paint::beside(scene, shots, pair, holder).filter(|beside| beside.squares > 0)?;
    (!is_under_others(holder)).then(|| {
        let raw = Raw::at(pair, Kind::Visual, "beside", "has something else beside it").sure(0.7);
        raw.differs("differing-area", "0 px", area(beside))
    })
}

fn area(apart: own_paint::Apart) -> String {
    format!("{} px", apart.pixels)
}

/// How many pixels of an icon, drawn in thin lines, have to be others: no edge that is smoothed otherwise has so many.
const OF_ICON: usize = 72;

/// A picture of the page's own stands behind what it holds, once.
fn has_icon(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let is_picture = |value: &str| value.starts_with("url(");
    let (a, b) = scene.computed(pair, "background-image");
    let (repeat, _) = scene.computed(pair, "background-repeat");
    is_picture(a) && is_picture(b) && repeat == "no-repeat"
}

/// No words, nothing painted within it, nothing generated, and no glass, in either browser.
pub(super) fn shows_nothing(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    [(scene.reference(), pair.a), (scene.other(), pair.b)]
        .into_iter()
        .all(|(document, node)| {
            let words = document
                .children(node.id)
                .iter()
                .any(|&id| document.node(id).is_some_and(shown));
            let generated = |name: &str| matches!(document.computed(node, name), "" | "none" | "normal");
            let bare = GENERATED.into_iter().all(generated);
            !words
                && bare
                && !covered::is_glass(document, node)
                && document.display(node) != "list-item"
                && !paints_within(document, node)
        })
}

fn writes_by_itself(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    words::writes_by_itself(scene.reference(), pair.a) || words::writes_by_itself(scene.other(), pair.b)
}
