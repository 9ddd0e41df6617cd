//! Which part of the page the window shows, and what keeps to the window.
//!
//! The page's boxes have their places on the page, so that scrolling moves none of them, and a picture of the whole page
//! is the same wherever it is scrolled to.

use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::{ABOVE_ROOT, Document};

/// Left and top.
const AXES: [(usize, &str); 2] = [(0, "scrollLeft"), (1, "scrollTop")];

/// The page is scrolled to another place. Engines bring what gets the focus into view at the window's edge or in its
/// middle: half a window is their own affair, and so is as much as the page is longer in one of them.
pub(crate) fn scrolled(scene: &Scene<'_>) -> Option<Raw> {
    let (reference, other) = (scene.reference(), scene.other());
    if !reference.path.is_empty() {
        return None;
    }
    let root = reference.children(ABOVE_ROOT).iter().find_map(|&id| scene.pair(id))?;
    AXES.into_iter().find_map(|(axis, name)| {
        let (a, b) = (reference.view[axis], other.view[axis]);
        let longer = (reference.page[axis] - other.page[axis]).abs();
        let reaches =
            |document: &Document, to: f32| to <= document.page[axis] - document.viewport[axis] + scene.tolerances.off;
        let elsewhere = (a - b).abs() > reference.viewport[axis] / 2.0 + longer;
        (elsewhere && reaches(reference, b) && reaches(other, a)).then(|| {
            Raw::at(root, Kind::Behaviour, name, "is scrolled to another place")
                .sure(0.8)
                .differs(name, px(a), px(b))
        })
    })
}

/// How much further right and down the other browser's window is, for a box that keeps to the window; else nowhere.
pub(crate) fn taken_along(scene: &Scene<'_>, pair: Pair<'_>) -> [f32; 2] {
    let keeps = matches!(scene.reference().computed(pair.a, "position"), "fixed" | "sticky");
    if !keeps || !scene.reference().path.is_empty() {
        return [0.0; 2];
    }
    let (here, there) = (scene.reference().view, scene.other().view);
    [there[0] - here[0], there[1] - here[1]]
}
