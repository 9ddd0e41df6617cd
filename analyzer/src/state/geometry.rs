//! Boxes, with arithmetic that stays finite whatever a page reports.

use xcheck_trace::page::Node;

/// CSS px from the top-left corner of the top-level page.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Rect {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
}

/// No page is larger, and sums of such numbers are still exact enough to compare.
const FARTHEST: f32 = 1.0e6;

/// Less than this of a pixel is none.
const NO_PART: f32 = 0.05;

impl Rect {
    pub(crate) fn of(node: &Node) -> Rect {
        let [x, y, width, height] = node.rect;
        Rect { x, y, width, height }
    }

    pub(crate) fn middle(&self) -> (f32, f32) {
        (self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    pub(crate) fn right(&self) -> f32 {
        self.x + self.width
    }

    pub(crate) fn bottom(&self) -> f32 {
        self.y + self.height
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.width <= 0.0 || self.height <= 0.0
    }

    /// Smaller by so much on each side.
    pub(crate) fn inset(&self, by: f32) -> Rect {
        Rect {
            x: self.x + by,
            y: self.y + by,
            width: (self.width - 2.0 * by).max(0.0),
            height: (self.height - 2.0 * by).max(0.0),
        }
    }

    /// What is left without the pixels at its edges that it covers only in part.
    pub(crate) fn whole_pixels(&self) -> Rect {
        let (x, y) = ((self.x - NO_PART).ceil(), (self.y - NO_PART).ceil());
        Rect {
            x,
            y,
            width: ((self.right() + NO_PART).floor() - x).max(0.0),
            height: ((self.bottom() + NO_PART).floor() - y).max(0.0),
        }
    }

    /// As large, so many px further right and down.
    pub(crate) fn moved(&self, x: f32, y: f32) -> Rect {
        Rect {
            x: self.x + x,
            y: self.y + y,
            ..*self
        }
    }

    /// As large, so many widths further right and heights further down.
    pub(crate) fn beside(&self, (across, down): (f32, f32)) -> Rect {
        Rect {
            x: self.x + across * self.width,
            y: self.y + down * self.height,
            ..*self
        }
    }

    pub(crate) fn union(&self, other: &Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        Rect {
            x,
            y,
            width: self.right().max(other.right()) - x,
            height: self.bottom().max(other.bottom()) - y,
        }
    }

    /// What both cover; of no size where they are apart.
    pub(crate) fn common(&self, other: &Rect) -> Rect {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let (width, height) = self.overlap(other);
        Rect { x, y, width, height }
    }

    /// Whether the other one lies within it.
    pub(crate) fn holds(&self, other: &Rect) -> bool {
        self.x <= other.x && self.y <= other.y && self.right() >= other.right() && self.bottom() >= other.bottom()
    }

    /// How far two boxes reach into each other, as width and height; zero when they are apart.
    pub(crate) fn overlap(&self, other: &Rect) -> (f32, f32) {
        let width = self.right().min(other.right()) - self.x.max(other.x);
        let height = self.bottom().min(other.bottom()) - self.y.max(other.y);
        if width <= 0.0 || height <= 0.0 {
            return (0.0, 0.0);
        }
        (width, height)
    }

    /// Where this one lies in the other, from that one's corner: left, top, right and bottom of what is within it.
    pub(crate) fn within(&self, whole: &Rect) -> [f32; 4] {
        let across = |at: f32| (at - whole.x).clamp(0.0, whole.width);
        let down = |at: f32| (at - whole.y).clamp(0.0, whole.height);
        [across(self.x), down(self.y), across(self.right()), down(self.bottom())]
    }

    pub(crate) fn as_large(&self, other: &Rect, off: f32) -> bool {
        (self.width - other.width).abs() <= off && (self.height - other.height).abs() <= off
    }

    /// Whether the two stand side by side: their vertical extents share at least half of the smaller.
    pub(crate) fn same_row(&self, other: &Rect) -> bool {
        let shared = self.bottom().min(other.bottom()) - self.y.max(other.y);
        shared > 0.0 && shared >= 0.5 * self.height.min(other.height)
    }
}

/// NaN is zero, infinities end at [`FARTHEST`], sizes are not negative.
pub(super) fn sanitize(node: &mut Node) {
    let number = |value: f32| {
        if value.is_nan() {
            0.0
        } else {
            value.clamp(-FARTHEST, FARTHEST)
        }
    };
    node.rect = node.rect.map(number);
    node.rect[2] = node.rect[2].max(0.0);
    node.rect[3] = node.rect[3].max(0.0);
    node.natural = node.natural.map(|natural| natural.map(number));
}
