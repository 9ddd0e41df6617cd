//! Boxes so thin that where they stand between two pixels decides whether they are one dark line or two pale ones, and dashes.

use super::crops::{Crop, Shots};
use super::ink;
use crate::scene::{Pair, Scene};
use crate::state::{Document, Rect, is_text};
use crate::structure::shown;
use xcheck_trace::page::Node;

/// How far beyond its box a line is smoothed.
const REACH: f32 = 2.0;

/// By what share the ink of a line may differ, and that of a dash, whose thickness each engine rounds.
const SHARE: f32 = 0.2;
const SHARE_OF_DASH: f32 = 0.35;

/// It is such a line in both browsers, with as much ink.
pub(super) fn alike(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>, (a, b): (&Crop, &Crop)) -> bool {
    let is_a_dash = || shows_dashes(scene.reference(), pair.a) && shows_dashes(scene.other(), pair.b);
    let is_as_much = |share: f32| ink::as_much(a, b, scene.tolerances, share);
    (is_a_stroke(pair) && (is_as_much(SHARE) || is_as_strong(scene, shots, pair)))
        || (is_a_dash() && is_as_much(SHARE_OF_DASH))
}

/// Nothing but dashes.
fn shows_dashes(document: &Document, node: &Node) -> bool {
    let children = document.children(node.id).iter().filter_map(|&id| document.node(id));
    let mut words = children.filter(|child| shown(child)).peekable();
    let is_dashes = |child: &Node| {
        is_text(child)
            && child
                .text
                .chars()
                .all(|letter| " -_\u{2010}\u{2011}\u{2012}–—−".contains(letter))
    };
    words.peek().is_some() && words.all(is_dashes)
}

fn is_a_stroke(pair: Pair<'_>) -> bool {
    let thin = |node: &Node| node.rect[2].min(node.rect[3]) <= 4.0;
    thin(pair.a) && thin(pair.b)
}

/// With the pixels around it that it reaches into: a box that begins or ends between two is smoothed there, or is not.
fn is_as_strong(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>) -> bool {
    let crops = shots.crops(Rect::of(pair.a), Rect::of(pair.b), REACH);
    crops.is_some_and(|(a, b)| ink::as_much(&a, &b, scene.tolerances, SHARE))
}
