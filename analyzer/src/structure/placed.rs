//! Boxes that a script has placed at a control or at words.
//!
//! How wide a field or a word is, is its engine's affair. What is put beside one, a calendar, a hint, the mark around a
//! bracket, keeps its place to that, and so has another one on the page.

use super::measure::{Role, is_out_of_flow, role, shown};
use super::position::{Axis, edges};
use crate::scene::{Pair, Scene};
use crate::state::{Document, Rect};

/// How far apart the two are at most.
const NEAR: f32 = 24.0;

/// How exactly it keeps its place, as what scripts compute is rounded.
const KEPT: f32 = 1.5;

/// Whether a box out of the flow stands to a control or to words near it as it does in the other browser.
pub(super) fn follows(scene: &Scene<'_>, pair: Pair<'_>, axis: Axis) -> bool {
    if !is_out_of_flow(scene.reference(), pair.a) || !is_out_of_flow(scene.other(), pair.b) {
        return false;
    }
    let document = scene.reference();
    let kin = document.kin(pair.a.id);
    let others = document.all().into_iter().filter(|id| !kin.contains(id));
    let mut others = others.filter_map(|id| scene.pair(id));
    others.any(|other| is_of_the_engine(document, other) && keeps_to(pair, other, axis))
}

fn is_of_the_engine(document: &Document, pair: Pair<'_>) -> bool {
    let its_own = matches!(role(document, pair.a), Role::Control | Role::Inline | Role::Text);
    its_own && shown(pair.a) && shown(pair.b)
}

/// One of its edges, or its middle, is as far from one of the other's in both browsers.
fn keeps_to(pair: Pair<'_>, other: Pair<'_>, axis: Axis) -> bool {
    let (own_a, own_b) = (Rect::of(pair.a), Rect::of(pair.b));
    let (their_a, their_b) = (Rect::of(other.a), Rect::of(other.b));
    let near = |own: &Rect, their: &Rect| {
        let (wide, high) = own.inset(-NEAR).overlap(their);
        wide > 0.0 && high > 0.0
    };
    if !near(&own_a, &their_a) || !near(&own_b, &their_b) {
        return false;
    }
    let marks = |rect: &Rect| {
        let (start, end) = edges(rect, axis);
        [start, (start + end) / 2.0, end]
    };
    let moved = |a: &Rect, b: &Rect| {
        let (a, b) = (marks(a), marks(b));
        [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
    };
    let theirs = moved(&their_a, &their_b);
    moved(&own_a, &own_b)
        .iter()
        .any(|own| theirs.iter().any(|their| (own - their).abs() <= KEPT))
}
