//! Where a browser's picture is another than at the last look, and what stands there.
//!
//! What a rule changes far below is not always among what is read of a node: the path of a drawing, the words that stand in
//! an empty field, a bullet, a frame of a film. No node has changed then, and its picture says that it is to be looked at.

use super::AROUND;
use super::crops::Shots;
use super::marker;
use crate::matching::{Matches, Sides};
use crate::state::{Changes, Document, Rect, is_text};
use crate::structure::{Role, clipped, role, shown};
use image::RgbaImage;
use std::collections::BTreeSet;
use xcheck_trace::page::{Node, NodeId};

/// Of a pixel.
const BYTES: usize = 4;

/// Pictures are held against each other by squares of so many pixels.
const SQUARE: u32 = 8;

/// What a channel of a pixel may be off and still be the same.
const SAME: u8 = 16;

/// The squares in which two pictures differ.
pub(super) struct Repainted {
    grid: Grid,
    squares: Vec<bool>,
}

/// The squares of a picture, row by row.
#[derive(Clone, Copy)]
struct Grid {
    columns: usize,
    rows: usize,
}

/// How many of some squares there are in a rectangle, for the price of three additions.
struct Count {
    grid: Grid,
    /// For each corner of a square, how many are to the left of it and above.
    sums: Vec<i32>,
}

/// Reference ids of what shows something by itself, is not looked at for another reason, and is painted otherwise than before.
pub(crate) fn nodes(
    sides: Sides<'_>,
    matches: &Matches,
    changes: [&Changes; 2],
    before: &[Option<String>; 2],
    shots: &mut Shots<'_>,
) -> BTreeSet<NodeId> {
    let mut found = BTreeSet::new();
    for (side, document) in [sides.reference, sides.other].into_iter().enumerate() {
        let Some(repainted) = before[side].as_deref().and_then(|before| shots.repainted(side, before)) else {
            continue;
        };
        let touched = changes[side].touched();
        let Some(squares) = repainted.unexplained(document, &touched) else {
            continue;
        };
        let there = shown_there(document, &touched, &squares);
        found.extend(
            there
                .into_iter()
                .filter_map(|id| if side == 0 { Some(id) } else { matches.reference(id) }),
        );
    }
    found
}

fn shown_there(document: &Document, touched: &BTreeSet<NodeId>, squares: &Count) -> Vec<NodeId> {
    let is_there = |id: &NodeId| {
        let Some(node) = document.node(*id) else { return false };
        !is_text(node)
            && !touched.contains(id)
            && shown(node)
            && (own_squares(document, node, squares) || before_it(document, node, squares))
            && (document.path.is_empty() || document.in_view(node))
            && !super::is_drawn_in(document, *id)
            && clipped(document, node).1 > 0.0
    };
    document.all().into_iter().filter(is_there).collect()
}

/// Whether some are where it shows something itself: words, a picture, the ground of a box with nothing in it.
fn own_squares(document: &Document, node: &Node, squares: &Count) -> bool {
    let of_box = squares.within(&Rect::of(node));
    if of_box == 0 || matches!(role(document, node), Role::Replaced | Role::Control) {
        return of_box > 0;
    }
    let children = document.children(node.id).iter().filter_map(|&id| document.node(id));
    let (words, elements): (Vec<&Node>, Vec<&Node>) = children.partition(|child| is_text(child));
    let of_elements: i32 = elements.iter().map(|child| squares.within(&Rect::of(child))).sum();
    of_box > of_elements && (elements.is_empty() || words.iter().any(|words| squares.within(&Rect::of(words)) > 0))
}

/// Whether some are where the bullet of a list's item stands.
fn before_it(document: &Document, node: &Node, squares: &Count) -> bool {
    marker::room(document, node).is_some_and(|room| squares.within(&room) > 0)
}

impl Repainted {
    /// What is in one of the pictures only is of boxes that have another size.
    pub(super) fn between(before: &RgbaImage, after: &RgbaImage) -> Self {
        let (width, height) = (before.width().min(after.width()), before.height().min(after.height()));
        let grid = Grid {
            columns: width.div_ceil(SQUARE) as usize,
            rows: height.div_ceil(SQUARE) as usize,
        };
        let mut squares = vec![false; grid.columns * grid.rows];
        for y in 0..height {
            let (a, b) = (row(before, y, width), row(after, y, width));
            if a == b {
                continue;
            }
            let squares = &mut squares[(y / SQUARE) as usize * grid.columns..];
            let part = BYTES * SQUARE as usize;
            for (square, (a, b)) in squares.iter_mut().zip(a.chunks(part).zip(b.chunks(part))) {
                *square |= a != b && a.chunks(BYTES).zip(b.chunks(BYTES)).any(is_other);
            }
        }
        Repainted { grid, squares }
    }

    /// Those that are left where nothing is that is looked at anyhow: around what has changed, and in it unless it holds
    /// something that has not. Nothing where none is left.
    fn unexplained(&self, document: &Document, touched: &BTreeSet<NodeId>) -> Option<Count> {
        if !self.squares.contains(&true) {
            return None;
        }
        let mut explained = Count::none(self.grid);
        for node in touched
            .iter()
            .filter_map(|&id| document.node(id))
            .filter(|node| shown(node))
        {
            let place = Rect::of(node);
            explained.change(&place.inset(-AROUND), 1);
            let mut children = document.children(node.id).iter().filter_map(|&id| document.node(id));
            if children.any(|child| !is_text(child) && !touched.contains(&child.id)) {
                explained.change(&place, -1);
            }
        }
        let explained = explained.summed();
        let mut left = Count::none(self.grid);
        for (at, _) in self.squares.iter().enumerate().filter(|(_, is_other)| **is_other) {
            let (x, y) = (at % self.grid.columns, at / self.grid.columns);
            if explained.sums[self.grid.corner(x, y)] <= 0 {
                left.sums[self.grid.corner(x + 1, y + 1)] = 1;
            }
        }
        let left = left.summed();
        (*left.sums.last()? > 0).then_some(left)
    }
}

/// Whether a pixel that both pictures have is another. What is transparent has not been seen.
fn is_other((a, b): (&[u8], &[u8])) -> bool {
    a[3] == b[3] && a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > SAME)
}

fn row(image: &RgbaImage, y: u32, width: u32) -> &[u8] {
    let start = BYTES * (y as usize * image.width() as usize);
    &image.as_raw()[start..start + BYTES * width as usize]
}

impl Grid {
    fn corner(self, x: usize, y: usize) -> usize {
        y * (self.columns + 1) + x
    }

    /// The corners of the squares that a rectangle reaches into: left, top, right, bottom.
    fn span(self, rect: &Rect) -> [usize; 4] {
        let square = SQUARE as f32;
        let first = |at: f32, most: usize| ((at / square).floor().max(0.0) as usize).min(most);
        let last = |at: f32, most: usize| ((at / square).ceil().max(0.0) as usize).min(most);
        [
            first(rect.x, self.columns),
            first(rect.y, self.rows),
            last(rect.right(), self.columns),
            last(rect.bottom(), self.rows),
        ]
    }
}

impl Count {
    fn none(grid: Grid) -> Self {
        let sums = vec![0; (grid.columns + 1) * (grid.rows + 1)];
        Count { grid, sums }
    }

    /// To be summed later: adds to each square of a rectangle.
    fn change(&mut self, rect: &Rect, by: i32) {
        let [left, top, right, bottom] = self.grid.span(rect);
        for (x, y, by) in [
            (left, top, by),
            (right, top, -by),
            (left, bottom, -by),
            (right, bottom, by),
        ] {
            self.sums[self.grid.corner(x, y)] += by;
        }
    }

    fn summed(mut self) -> Self {
        for y in 0..=self.grid.rows {
            let mut of_row = 0;
            for x in 0..=self.grid.columns {
                of_row += self.sums[self.grid.corner(x, y)];
                let above = if y > 0 {
                    self.sums[self.grid.corner(x, y - 1)]
                } else {
                    0
                };
                self.sums[self.grid.corner(x, y)] = of_row + above;
            }
        }
        self
    }

    fn within(&self, rect: &Rect) -> i32 {
        let [left, top, right, bottom] = self.grid.span(rect);
        let upto = |x: usize, y: usize| self.sums[self.grid.corner(x, y)];
        upto(right, bottom) - upto(left, bottom) - upto(right, top) + upto(left, top)
    }
}
