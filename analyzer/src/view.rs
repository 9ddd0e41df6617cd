//! Which part of the page the window shows, and what keeps to the window.
//!
//! The page's boxes have their places on the page, so that scrolling moves none of them, and a picture of the whole page
//! is the same wherever it is scrolled to.

use crate::findings::Kind;
use crate::matching::Sides;
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::{ABOVE_ROOT, Document};
use crate::tolerances::Tolerances;

/// Left and top.
const AXES: [(usize, &str); 2] = [(0, "scrollLeft"), (1, "scrollTop")];

/// Whether it may be the engines' own affair that their windows show different places.
pub(crate) struct Views {
    before: [[f32; 2]; 2],
    /// They bring what has the focus into view at the window's edge or in its middle, and scroll by keys and wheels as far as they
    /// like. So it stays until they show the same place again. A document that has just come may be shown where it was left.
    by_engine: bool,
}

impl Default for Views {
    fn default() -> Views {
        Views {
            before: [[0.0; 2]; 2],
            by_engine: true,
        }
    }
}

impl Views {
    /// `by_hand`: a key or a wheel may have scrolled them since the last time.
    pub(crate) fn turn_to(&mut self, sides: Sides<'_>, by_hand: bool, tolerances: &Tolerances) {
        let documents = [sides.reference, sides.other];
        let scrolls_itself = |(document, before): (&&Document, [f32; 2])| {
            let is_scrolled = document.view != before;
            is_scrolled && (by_hand || has_focus_out_of(document, before))
        };
        let [a, b] = documents.map(|document| document.view);
        self.by_engine =
            (self.by_engine && !is_near(a, b, tolerances)) || documents.iter().zip(self.before).any(scrolls_itself);
        self.before = [a, b];
    }

    /// By how many px one window may be further than the other.
    fn tolerated(&self, viewport: f32, tolerances: &Tolerances) -> f32 {
        if self.by_engine {
            viewport * tolerances.own_scroll
        } else {
            tolerances.scroll.max(viewport * tolerances.page_scroll)
        }
    }
}

fn is_near(a: [f32; 2], b: [f32; 2], tolerances: &Tolerances) -> bool {
    AXES.iter()
        .all(|&(axis, _)| (a[axis] - b[axis]).abs() <= tolerances.off)
}

/// Whether what has the focus was not wholly in a window that began there.
fn has_focus_out_of(document: &Document, view: [f32; 2]) -> bool {
    let focused = document.focused.and_then(|id| document.node(id));
    focused.is_some_and(|node| {
        AXES.iter().any(|&(axis, _)| {
            let (near, far) = (node.rect[axis], node.rect[axis] + node.rect[axis + 2]);
            near < view[axis] || far > view[axis] + document.viewport[axis]
        })
    })
}

/// The page is scrolled to another place, by more than it is longer in one of the browsers.
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
        let tolerated = scene.views.tolerated(reference.viewport[axis], scene.tolerances);
        let elsewhere = (a - b).abs() > tolerated + longer;
        (elsewhere && reaches(reference, b) && reaches(other, a)).then(|| {
            Raw::at(root, Kind::Behaviour, name, "is scrolled to another place")
                .sure(0.8)
                .differs(name, px(a), px(b))
        })
    })
}

/// A page of the top, wider than its window, whose lines or columns follow each other from right to left.
pub(crate) fn goes_on_to_the_left(document: &Document) -> bool {
    let root = document.children(ABOVE_ROOT).iter().find_map(|&id| document.node(id));
    let is_leftwards = root.is_some_and(|root| {
        let writing = document.computed(root, "writing-mode");
        matches!(writing, "vertical-rl" | "sideways-rl") || document.computed(root, "direction") == "rtl"
    });
    document.path.is_empty() && is_leftwards && document.page[0] > document.viewport[0] + 1.0
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
