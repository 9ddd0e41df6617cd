//! Boxes so thin that where they stand between two pixels decides whether they are one dark line or two pale ones.

use super::crops::{Crop, Shots};
use super::ink;
use crate::scene::{Pair, Scene};
use crate::state::Rect;
use xcheck_trace::page::Node;

/// How far beyond its box a line is smoothed.
const REACH: f32 = 2.0;

/// It is such a line in both browsers, with as much ink.
pub(super) fn alike(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>, (a, b): (&Crop, &Crop)) -> bool {
    is_a_stroke(pair) && (ink::as_much(a, b, scene.tolerances) || is_as_strong(scene, shots, pair))
}

fn is_a_stroke(pair: Pair<'_>) -> bool {
    let thin = |node: &Node| node.rect[2].min(node.rect[3]) <= 4.0;
    thin(pair.a) && thin(pair.b)
}

/// With the pixels around it that it reaches into: a box that begins or ends between two is smoothed there, or is not.
fn is_as_strong(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>) -> bool {
    let crops = shots.crops(Rect::of(pair.a), Rect::of(pair.b), REACH);
    crops.is_some_and(|(a, b)| ink::as_much(&a, &b, scene.tolerances))
}
