//! Boxes that stand elsewhere for a reason of their own.
//!
//! A box is where its parent, the siblings before it and its own size put it. Each of those may differ too, and is
//! judged where it stands; what is left over here is this box's own.

use super::measure::{
    Along, Role, Shift, flows_as_text, holder_of_columns, is_broken, is_inner, large_enough, layout_parent, role,
    shift, shift_within, shown, siblings,
};
use super::size::content_reach;
use super::{Excused, placed};
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::{Rect, is_text};
use crate::text::property;
use crate::view;
use xcheck_trace::page::{Node, NodeId};

/// Earlier and later siblings that may explain a place.
const BEFORE: usize = 12;
const AFTER: usize = 4;

/// The widest gap between two neighbours in a row.
const GAP: f32 = 48.0;

pub(super) fn difference(scene: &Scene<'_>, id: NodeId, excused: &Excused) -> Option<Raw> {
    let pair = scene.pair(id)?;
    let kind = role(scene.reference(), pair.a);
    if kind == Role::Text || matches!(pair.a.tag.as_str(), "html" | "body") {
        return None;
    }
    if excused.children.contains(&pair.a.parent) || is_inner(scene.reference(), pair.a) || is_broken(pair) {
        return None;
    }
    if !large_enough(scene, pair.a) || !large_enough(scene, pair.b) {
        return None;
    }
    if flows_as_text(scene, pair.a.parent) {
        return None;
    }
    let shift = shift(scene, id)?;
    // The box of words in several lines begins where a line does.
    let tall = |node: &Node| kind == Role::Inline && node.rect[3] > 40.0;
    if tall(pair.a) || tall(pair.b) {
        return None;
    }
    let around = Around::of(scene, pair);
    let mut across = own(scene, pair, &shift, &around, Axis::Horizontal);
    let mut along = own(scene, pair, &shift, &around, Axis::Vertical);
    let far = along.abs();
    if far > 0.0 && (far <= in_its_line(scene, pair) || (across == 0.0 && far <= in_its_column(scene, pair))) {
        along = 0.0;
    }
    if across != 0.0 && placed::follows(scene, pair, Axis::Horizontal) {
        across = 0.0;
    }
    if along != 0.0 && placed::follows(scene, pair, Axis::Vertical) {
        along = 0.0;
    }
    if across == 0.0 && along == 0.0 {
        return None;
    }
    let (property, title) = name(scene, pair, across, along, &around);
    let mut raw = Raw::at(pair, Kind::Structure, property, title).sure(if across.abs().max(along.abs()) > 16.0 {
        0.95
    } else {
        0.8
    });
    if across != 0.0 {
        raw = raw.differs(
            "left",
            px(shift.horizontal.at),
            px(shift.horizontal.at + shift.horizontal.start),
        );
    }
    if along != 0.0 {
        raw = raw.differs(
            "top",
            px(shift.vertical.at),
            px(shift.vertical.at + shift.vertical.start),
        );
    }
    Some(raw)
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Axis {
    Horizontal,
    Vertical,
}

/// What else differs nearby.
struct Around<'a> {
    before: Vec<(Pair<'a>, Shift)>,
    after: Vec<(Pair<'a>, Shift)>,
    box_a: Rect,
    /// The parent's height is not its content's doing.
    parent_from_outside: bool,
}

impl<'a> Around<'a> {
    fn of(scene: &Scene<'a>, pair: Pair<'a>) -> Self {
        let (before, after) = if scene.exhaustive {
            siblings(scene, pair.a, usize::MAX, usize::MAX)
        } else {
            siblings(scene, pair.a, BEFORE, AFTER)
        };
        let room = layout_parent(scene, pair);
        // Siblings of a positioned box hang on another box than it does.
        let measured = |list: Vec<Pair<'a>>| -> Vec<(Pair<'a>, Shift)> {
            list.into_iter()
                .filter_map(|sibling| Some((sibling, shift_within(scene, sibling.a.id, room?)?)))
                .collect()
        };
        let parent_from_outside = room.is_none_or(|parent| {
            let grown = parent.b.rect[3] - parent.a.rect[3];
            content_reach(scene, parent).is_none_or(|reach| (reach - grown).abs() > scene.tolerances.off)
        });
        Around {
            before: measured(before),
            after: measured(after),
            box_a: Rect::of(pair.a),
            parent_from_outside,
        }
    }
}

/// By how much it is off on its own account; zero where something else explains it.
fn own(scene: &Scene<'_>, pair: Pair<'_>, shift: &Shift, around: &Around<'_>, axis: Axis) -> f32 {
    let tolerances = scene.tolerances;
    let me = pick(shift, axis);
    if me.start.abs() <= tolerances.off {
        return 0.0;
    }
    let along = view::taken_along(scene, pair)[if axis == Axis::Horizontal { 0 } else { 1 }];
    if (along.min(0.0) - tolerances.off..=along.max(0.0) + tolerances.off).contains(&me.start) {
        return 0.0;
    }
    let explained = |by: f32, distance: f32| !tolerances.is_off(me.start - by, distance);
    // Its own size, held at the middle or at the far end.
    if me.size.abs() > 0.5 && (me.middle().abs() <= tolerances.off || me.end().abs() <= tolerances.off) {
        return 0.0;
    }
    let room = me.room_size;
    let from_outside = axis == Axis::Horizontal || around.parent_from_outside;
    if from_outside && room.abs() > tolerances.aligned {
        // Held at the far end or the middle of a parent of another size, or at a share of it.
        let (low, high) = (room.min(0.0) - tolerances.off, room.max(0.0) + tolerances.off);
        if (low..=high).contains(&me.start) {
            return 0.0;
        }
        let centred = (me.middle() - room / 2.0).abs() <= tolerances.off;
        if centred || (me.end() - room).abs() <= tolerances.off {
            return 0.0;
        }
    }
    if axis == Axis::Vertical && is_scrolled_to_the_end(scene, pair) {
        return 0.0;
    }
    // How far the pane is scrolled around it is told of the pane.
    if (me.start + scrolled_further(scene, pair, axis)).abs() <= tolerances.off {
        return 0.0;
    }
    let mut least = me.start;
    for (sibling, theirs) in &around.before {
        let theirs = pick(theirs, axis);
        let rect = Rect::of(sibling.a);
        let (near, far) = edges(&around.box_a, axis);
        let (their_near, their_far) = edges(&rect, axis);
        let beside = overlaps_along(&around.box_a, &rect, axis);
        let mut candidates = Vec::new();
        if their_far <= near + tolerances.off {
            candidates.push((theirs.end(), near - their_far));
        } else if their_near >= far - tolerances.off {
            // It stands before an earlier sibling: rows that run backwards.
            candidates.push((theirs.start, their_near - far));
        }
        if beside {
            candidates.extend([(theirs.start, 0.0), (theirs.middle(), 0.0), (theirs.end(), 0.0)]);
        }
        for (by, distance) in candidates {
            if explained(by, distance) || (me.middle() - by).abs() <= tolerances.off {
                return 0.0;
            }
            if (me.start - by).abs() < least.abs() {
                least = me.start - by;
            }
        }
    }
    if reach_of_those_before(scene, around, axis).is_some_and(|(by, distance)| explained(by, distance)) {
        return 0.0;
    }
    if axis == Axis::Horizontal && closes_ranks(scene, me, around) {
        return 0.0;
    }
    // Neighbours of another size push: to the middle, to the end, or share what is left between them.
    let mut push = 0.0;
    for (sibling, theirs) in around.before.iter().chain(&around.after) {
        let beside = match axis {
            Axis::Horizontal => Rect::of(sibling.a).same_row(&around.box_a),
            Axis::Vertical => overlaps_along(&around.box_a, &Rect::of(sibling.a), axis),
        };
        if beside {
            push += pick(theirs, axis).size.abs();
        }
    }
    if push > tolerances.aligned && me.start.abs() <= push + tolerances.off {
        return 0.0;
    }
    least
}

/// By how much what stands before it reaches further, all together, and how far from it that ends: a row is as high as its highest box,
/// which may be another one in each browser.
fn reach_of_those_before(scene: &Scene<'_>, around: &Around<'_>, axis: Axis) -> Option<(f32, f32)> {
    let (near, _) = edges(&around.box_a, axis);
    let ends = around.before.iter().filter_map(|(sibling, theirs)| {
        let (_, end) = edges(&Rect::of(sibling.a), axis);
        (end <= near + scene.tolerances.off).then(|| (end, end + pick(theirs, axis).end()))
    });
    let (here, there) = ends.reduce(|(a, b), (c, d)| (a.max(c), b.max(d)))?;
    Some((there - here, near - here))
}

/// A neighbour has gone to its other side, further than it has come itself: it stands where that leaves it.
fn closes_ranks(scene: &Scene<'_>, me: Along, around: &Around<'_>) -> bool {
    let own = around.box_a;
    around.before.iter().chain(&around.after).any(|(sibling, theirs)| {
        let theirs = theirs.horizontal;
        let rect = Rect::of(sibling.a);
        let was_before = rect.right() <= own.x + scene.tolerances.off;
        let passed = if was_before {
            rect.x + theirs.start >= own.right() + me.end() - scene.tolerances.off
        } else {
            own.right() <= rect.x + scene.tolerances.off
                && rect.right() + theirs.end() <= own.x + me.start + scene.tolerances.off
        };
        let back = if was_before { -me.start } else { me.start };
        let left = rect.width - scene.tolerances.off..=rect.width + GAP;
        passed && rect.same_row(&own) && theirs.start.abs() > me.start.abs() && left.contains(&back)
    })
}

/// By how much what it stands in is scrolled further in the other browser.
fn scrolled_further(scene: &Scene<'_>, pair: Pair<'_>, axis: Axis) -> f32 {
    let name = if axis == Axis::Horizontal {
        "scrollLeft"
    } else {
        "scrollTop"
    };
    let offset = |node: &Node| property(node, name).and_then(|text| text.parse().ok()).unwrap_or(0.0);
    let pane = scene.pair(pair.a.parent);
    pane.map_or(0.0, |pane| offset(pane.b) - offset(pane.a))
}

/// In both browsers what scrolls is scrolled down to its end, so that what is higher there reaches up further.
fn is_scrolled_to_the_end(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let Some(room) = scene.pair(pair.a.parent) else {
        return false;
    };
    if !matches!(scene.reference().computed(room.a, "overflow-y"), "auto" | "scroll") {
        return false;
    }
    let children = scene.reference().children(room.a.id).iter();
    let boxes = children
        .filter_map(|&id| scene.pair(id))
        .filter(|child| !is_text(child.a));
    let boxes: Vec<(Rect, Rect)> = boxes
        .map(|child| (Rect::of(child.a), Rect::of(child.b)))
        .filter(|(a, b)| !a.is_empty() && !b.is_empty())
        .collect();
    let (room_a, room_b) = (Rect::of(room.a), Rect::of(room.b));
    let scrolled = boxes.iter().any(|(a, b)| a.y < room_a.y || b.y < room_b.y);
    let lowest = |room: Rect, of: fn(&(Rect, Rect)) -> Rect| {
        let bottoms = boxes.iter().map(|both| of(both).bottom());
        room.bottom() - bottoms.fold(f32::NEG_INFINITY, f32::max)
    };
    let (left_a, left_b) = (lowest(room_a, |both| both.0), lowest(room_b, |both| both.1));
    scrolled && left_a >= 0.0 && (left_a - left_b).abs() <= scene.tolerances.off
}

/// How far what stands in a line is moved by controls in it, whose heights are their engines'.
fn in_its_line(scene: &Scene<'_>, pair: Pair<'_>) -> f32 {
    let in_line = |node: &Node| {
        let display = scene.reference().display(node);
        display.starts_with("inline") || display.is_empty()
    };
    if !in_line(pair.a) {
        return 0.0;
    }
    let line = scene.reference().subtree(pair.a.parent).into_iter().take(64);
    let controls = line
        .filter_map(|id| scene.pair(id))
        .filter(|control| role(scene.reference(), control.a) == Role::Control && shown(control.a) && shown(control.b));
    let most = controls
        .map(|control| (control.b.rect[3] - control.a.rect[3]).abs())
        .fold(0.0, f32::max);
    if most > 0.0 {
        most + scene.tolerances.aligned
    } else {
        0.0
    }
}

/// How far a box in a column may be moved by the lines before it: where a column breaks is an engine's affair.
fn in_its_column(scene: &Scene<'_>, pair: Pair<'_>) -> f32 {
    if holder_of_columns(scene, pair).is_none() {
        return 0.0;
    }
    let size = scene.reference().computed(pair.a, "font-size").strip_suffix("px");
    4.5 * size.and_then(|px| px.parse().ok()).unwrap_or(16.0)
}

fn pick(shift: &Shift, axis: Axis) -> Along {
    match axis {
        Axis::Horizontal => shift.horizontal,
        Axis::Vertical => shift.vertical,
    }
}

pub(super) fn edges(rect: &Rect, axis: Axis) -> (f32, f32) {
    match axis {
        Axis::Horizontal => (rect.x, rect.right()),
        Axis::Vertical => (rect.y, rect.bottom()),
    }
}

/// Whether both have a stretch of the axis in common.
fn overlaps_along(a: &Rect, b: &Rect, axis: Axis) -> bool {
    let ((near_a, far_a), (near_b, far_b)) = (edges(a, axis), edges(b, axis));
    far_a.min(far_b) - near_a.max(near_b) > 0.5 * (far_a - near_a).min(far_b - near_b)
}

/// How a person would say it.
fn name(scene: &Scene<'_>, pair: Pair<'_>, across: f32, along: f32, around: &Around<'_>) -> (&'static str, String) {
    if let Some((previous, _)) = around.before.first() {
        let (a, b) = (Rect::of(pair.a), Rect::of(pair.b));
        let (before_a, before_b) = (Rect::of(previous.a), Rect::of(previous.b));
        let slack = scene.tolerances.aligned;
        let shared = |one: Rect, other: Rect| {
            let (wide, high) = one.overlap(&other);
            wide.min(high)
        };
        if shared(a, before_a) <= 1.0 && shared(b, before_b) > scene.tolerances.overlap {
            return ("overlap", "covers its neighbour".to_owned());
        }
        if a.same_row(&before_a) && b.y >= before_b.bottom() - slack {
            return ("row", "stands below its neighbour instead of beside it".to_owned());
        }
        if a.y >= before_a.bottom() - slack && b.same_row(&before_b) {
            return ("row", "stands beside its neighbour instead of below it".to_owned());
        }
        if (a.x - before_a.x) * (b.x - before_b.x) < 0.0 && a.same_row(&before_a) && b.same_row(&before_b) {
            return ("order", "stands on the other side of its neighbour".to_owned());
        }
        if (a.y - before_a.y) * (b.y - before_b.y) < 0.0 && !a.same_row(&before_a) && !b.same_row(&before_b) {
            return ("order", "has changed places with its neighbour".to_owned());
        }
    }
    let part = |by: f32, more: &str, less: &str| {
        (by != 0.0).then(|| format!("{} {}", px(by.abs()), if by > 0.0 { more } else { less }))
    };
    let parts: Vec<String> = [
        part(across, "further right", "further left"),
        part(along, "further down", "further up"),
    ]
    .into_iter()
    .flatten()
    .collect();
    ("position", format!("stands {}", parts.join(" and ")))
}
