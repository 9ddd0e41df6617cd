//! Boxes that are larger or smaller for a reason of their own.

use super::measure::{Along, Role, flows_as_text, is_broken, is_inner, large_enough, role, shift, siblings};
use super::{Excused, columns, letters, wrap};
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::{Document, Rect, is_text};
use crate::style::dresses_parts;
use xcheck_trace::page::{Node, NodeId};

/// Children looked at on each edge to tell how far a box's content reaches.
const EDGE: usize = 16;

/// Neighbours that are looked for in a row.
const ROW: usize = 64;

pub(super) fn difference(scene: &Scene<'_>, id: NodeId, excused: &Excused) -> Option<Raw> {
    let pair = scene.pair(id)?;
    let kind = role(scene.reference(), pair.a);
    if matches!(kind, Role::Text | Role::Inline) || matches!(pair.a.tag.as_str(), "html" | "body") {
        return None;
    }
    if is_plain_row(scene, pair)
        || excused.sizes.contains(&id)
        || is_inner(scene.reference(), pair.a)
        || is_broken(pair)
    {
        return None;
    }
    let shift = shift(scene, id)?;
    if !large_enough(scene, pair.a) && !large_enough(scene, pair.b) {
        return None;
    }
    let wide = width_is_off(scene, pair, kind, shift.horizontal) && !is_set_as_a_formula(scene, pair);
    let high =
        height_is_off(scene, pair, kind, shift.vertical) && !follows_neighbour(scene, pair, shift.vertical, excused);
    let begins_elsewhere = kind == Role::Block && shift.horizontal.is_pushed_in(scene.tolerances.off);
    if wide && !high && !begins_elsewhere && !width_is_seen(scene, pair, 0) {
        return None;
    }
    let title = match (wide, high) {
        (false, false) => return None,
        (true, false) => comparison(shift.horizontal.size, "wider", "narrower"),
        (false, true) => comparison(shift.vertical.size, "taller", "shorter"),
        (true, true) => format!(
            "is {} × {} instead of {} × {}",
            px(pair.b.rect[2]),
            px(pair.b.rect[3]),
            px(pair.a.rect[2]),
            px(pair.a.rect[3])
        ),
    };
    let property = match (wide, high) {
        (true, true) => "size",
        (true, false) => "width",
        _ => "height",
    };
    let mut raw = Raw::at(pair, Kind::Structure, property, title).sure(sureness(&shift.horizontal, &shift.vertical));
    if wide {
        raw = raw.differs("width", px(pair.a.rect[2]), px(pair.b.rect[2]));
    }
    if high {
        raw = raw.differs("height", px(pair.a.rect[3]), px(pair.b.rect[3]));
    }
    Some(raw)
}

/// Rows and groups of rows reach around their cells or between them, as each engine has it: where nothing of their own is
/// seen, the cells answer for them.
fn is_plain_row(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let display = scene.reference().display(pair.a);
    let is_part = display.starts_with("table-") && !matches!(display, "table-cell" | "table-caption");
    is_part && !paints(scene.reference(), pair.a) && !paints(scene.other(), pair.b)
}

/// Rows that are not there yet answer for nothing.
pub(super) fn has_no_rows(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    is_plain_row(scene, pair) && scene.reference().children(pair.a.id).is_empty()
}

/// Where the page names no font, each engine has one of its own for formulas, and its own room around their signs.
fn is_set_as_a_formula(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    scene.reference().computed(pair.a, "font-family") == "math"
}

/// A neighbour in the same row has other children, and both are as high as the row.
fn follows_neighbour(scene: &Scene<'_>, pair: Pair<'_>, along: Along, excused: &Excused) -> bool {
    as_much_higher(scene, pair, along).any(|neighbour| {
        let as_high = (neighbour.a.rect[3] - pair.a.rect[3]).abs() <= scene.tolerances.off;
        as_high && excused.sizes.contains(&neighbour.a.id)
    })
}

/// Neighbours in the same row that differ in height as much as this box.
fn as_much_higher<'a>(scene: &Scene<'a>, pair: Pair<'a>, along: Along) -> impl Iterator<Item = Pair<'a>> {
    let off = scene.tolerances.off;
    let a = Rect::of(pair.a);
    let (before, after) = siblings(scene, pair.a, 8, 8);
    before.into_iter().chain(after).filter(move |neighbour| {
        let same = (neighbour.b.rect[3] - neighbour.a.rect[3] - along.size).abs() <= off;
        same && Rect::of(neighbour.a).same_row(&a)
    })
}

/// A box that paints nothing may be as wide as it likes, as long as nothing in it or beside it moves.
fn width_is_seen(scene: &Scene<'_>, pair: Pair<'_>, depth: u8) -> bool {
    let kind = role(scene.reference(), pair.a);
    if matches!(kind, Role::Replaced | Role::Control)
        || paints(scene.reference(), pair.a)
        || paints(scene.other(), pair.b)
    {
        return true;
    }
    let off = scene.tolerances.off;
    let (_, after) = siblings(scene, pair.a, 0, 4);
    let a = Rect::of(pair.a);
    let pushes = |sibling: &Pair<'_>| {
        let moved = sibling.b.rect[0] - sibling.a.rect[0] - (pair.b.rect[0] - pair.a.rect[0]);
        Rect::of(sibling.a).same_row(&a) && moved.abs() > off
    };
    if after.iter().any(pushes) {
        return true;
    }
    let children = scene.reference().children(pair.a.id);
    children
        .iter()
        .take(EDGE)
        .filter_map(|&id| scene.pair(id))
        .any(|child| {
            if !super::shown(child.a) || !super::shown(child.b) {
                return false;
            }
            let moved = (child.b.rect[0] - pair.b.rect[0]) - (child.a.rect[0] - pair.a.rect[0]);
            let noise = off.max(scene.tolerances.text_width_ratio * child.a.rect[2]);
            let wider = child.b.rect[2] - child.a.rect[2];
            let resized = if is_text(child.a) {
                wider.abs() > noise
            } else {
                wider.abs() > noise && depth < 5 && width_is_seen(scene, child, depth + 1)
            };
            moved.abs() > off || resized
        })
}

/// Whether the box itself has anything to show.
pub(crate) fn paints(document: &Document, node: &Node) -> bool {
    paints_within(document, node)
        || is_styled(document, node, "box-shadow", &["none"])
        || is_styled(document, node, "outline-style", &["none"])
}

/// The same, but for what stands around it: where it has nothing else, what is behind it is seen in its place.
pub(crate) fn paints_within(document: &Document, node: &Node) -> bool {
    const BORDERS: [&str; 4] = [
        "border-top-width",
        "border-right-width",
        "border-bottom-width",
        "border-left-width",
    ];
    // Without a style nothing is known, and it may.
    document.style(node).is_none()
        || is_styled(document, node, "background-color", &["rgba(0, 0, 0, 0)", "transparent"])
        || is_styled(document, node, "background-image", &["none"])
        || document.computed(node, "box-shadow").contains("inset")
        || BORDERS.iter().any(|border| is_styled(document, node, border, &["0px"]))
}

/// Whether a property says something else than one of these, which show nothing.
pub(crate) fn is_styled(document: &Document, node: &Node, property: &str, plain: &[&str]) -> bool {
    let value = document.computed(node, property);
    !value.is_empty() && !plain.contains(&value)
}

fn comparison(by: f32, more: &str, less: &str) -> String {
    format!("is {} {}", px(by.abs()), if by > 0.0 { more } else { less })
}

fn sureness(horizontal: &Along, vertical: &Along) -> f64 {
    let share = |along: &Along| along.size.abs() / along.length.max(1.0);
    if share(horizontal).max(share(vertical)) > 0.15 {
        0.95
    } else {
        0.8
    }
}

fn width_is_off(scene: &Scene<'_>, pair: Pair<'_>, kind: Role, along: Along) -> bool {
    let tolerances = scene.tolerances;
    if !tolerances.is_off(along.size, along.length) {
        return false;
    }
    if kind == Role::Control && along.size.abs() <= tolerances.control.max(tolerances.control_ratio * along.length) {
        return scene.drops_something(pair.a.id)
            || dresses_parts(scene.reference(), pair.a.id)
            || along.fills_no_more(tolerances.off);
    }
    // A scroll bar takes room in one engine and none in the other.
    let bar = if scrolls(scene, pair) {
        tolerances.scrollbar
    } else {
        0.0
    };
    // It is as much wider as its parent, or a share of that.
    let (low, high) = (
        along.room_size.min(0.0) - tolerances.off - bar,
        along.room_size.max(0.0) + tolerances.off + bar,
    );
    if along.room_size.abs() > tolerances.aligned && (low..=high).contains(&along.size) {
        return false;
    }
    if along.size.abs() <= bar + tolerances.aligned && bar > 0.0 {
        return false;
    }
    if along.size.abs() <= by_controls(scene, pair) || letters::are_its_width(scene, pair) {
        return false;
    }
    let shared = (0.04 * along.room).min(0.15 * along.length).max(tolerances.off);
    if is_cell(scene, pair) && along.size.abs() <= shared && holds_words(scene, pair.a.parent) {
        return false;
    }
    if columns::are_unseen(scene, pair, (0.04 * along.room).max(tolerances.off)) {
        return false;
    }
    let by_words = tolerances.off.max(tolerances.text_width_ratio * along.length);
    let fills = along.fills_alike(tolerances.aligned) || (kind == Role::Block && along.is_pushed_in(tolerances.off));
    !(along.size.abs() <= by_words && !fills && holds_words(scene, pair.a.id))
}

/// How much wider or narrower controls leave it, whose widths are their engines': those beside it, and those in it, which
/// no box is narrower than.
fn by_controls(scene: &Scene<'_>, pair: Pair<'_>) -> f32 {
    let own = Rect::of(pair.a);
    let within = native_controls(scene, scene.reference().subtree(pair.a.id).into_iter().skip(1).take(64));
    // Of several rows the widest counts.
    let in_row = |row: Rect| {
        within
            .iter()
            .filter(move |(at, _)| at.same_row(&row))
            .map(|(_, pushes)| pushes)
    };
    let inner = within
        .iter()
        .map(|(row, _)| in_row(*row).sum::<f32>())
        .fold(0.0, f32::max);
    let outer: f32 = if is_cell(scene, pair) {
        let (before, after) = siblings(scene, pair.a, 8, 8);
        let beside = before.into_iter().chain(after);
        let beside = beside.filter(|sibling| Rect::of(sibling.a).same_row(&own));
        let controls = beside
            .flat_map(|sibling| native_controls(scene, scene.reference().subtree(sibling.a.id).into_iter().take(16)));
        controls.map(|(_, pushes)| pushes).sum()
    } else {
        0.0
    };
    let pushed = inner.max(outer);
    if pushed > 0.0 {
        pushed + scene.tolerances.off
    } else {
        0.0
    }
}

/// Where they are in the reference, and how much wider or narrower they are in the other browser.
fn native_controls(scene: &Scene<'_>, among: impl Iterator<Item = NodeId>) -> Vec<(Rect, f32)> {
    let controls = among.filter_map(|id| scene.pair(id));
    let native = controls.filter(|control| {
        let is_native = role(scene.reference(), control.a) == Role::Control;
        (is_native && super::shown(control.a) && super::shown(control.b)) || letters::are_its_width(scene, *control)
    });
    native
        .map(|control| (Rect::of(control.a), (control.b.rect[2] - control.a.rect[2]).abs()))
        .collect()
}

fn height_is_off(scene: &Scene<'_>, pair: Pair<'_>, kind: Role, along: Along) -> bool {
    let tolerances = scene.tolerances;
    if !tolerances.is_off(along.size, along.length) {
        return false;
    }
    if kind == Role::Control && along.size.abs() <= tolerances.control.max(tolerances.control_ratio * along.length) {
        return scene.drops_something(pair.a.id) || dresses_parts(scene.reference(), pair.a.id);
    }
    if by_lines(scene, pair, along) || by_content(scene, pair, along) {
        return false;
    }
    !stretched(scene, pair, along)
}

/// Its lines are a little higher, or one more in many.
fn by_lines(scene: &Scene<'_>, pair: Pair<'_>, along: Along) -> bool {
    let (a, b) = wrap::lines(scene, pair.a.id);
    let (a, b) = match (a, b) {
        (0, 0) if flows_as_text(scene, pair.a.id) => (1, 1),
        lines => lines,
    };
    if a == 0 || wrap::is_told(scene, pair.a.id, (a, b)) {
        return false;
    }
    let line = along.length / a as f32;
    let noise = a.max(b) as f32 * scene.tolerances.line_height + a.abs_diff(b) as f32 * 1.3 * line;
    along.size.abs() <= noise.max(scene.tolerances.off)
}

/// What it holds reaches as much further: the children answer for it.
fn by_content(scene: &Scene<'_>, pair: Pair<'_>, along: Along) -> bool {
    content_reach(scene, pair).is_some_and(|reach| (reach - along.size).abs() <= scene.tolerances.off)
}

/// Other minus reference of how far below the box's top its content ends.
pub(super) fn content_reach(scene: &Scene<'_>, pair: Pair<'_>) -> Option<f32> {
    let children = scene.reference().children(pair.a.id);
    let edges = children.iter().take(EDGE).chain(children.iter().rev().take(EDGE));
    let mut reach: Option<(f32, f32)> = None;
    for child in edges.filter_map(|&id| scene.pair(id)) {
        let flows = !super::is_out_of_flow(scene.reference(), child.a);
        if is_text(child.a) || !flows || !super::shown(child.a) || !super::shown(child.b) {
            continue;
        }
        if has_no_rows(scene, child) {
            continue;
        }
        let end = |inner: Rect, outer: Rect| inner.bottom() - outer.y;
        let (a, b) = (
            end(Rect::of(child.a), Rect::of(pair.a)),
            end(Rect::of(child.b), Rect::of(pair.b)),
        );
        reach = Some(reach.map_or((a, b), |(most_a, most_b)| (a.max(most_a), b.max(most_b))));
    }
    reach.map(|(a, b)| b - a)
}

/// A neighbour in the same row is as much higher, and this box is stretched to it; or its parent is, from outside.
fn stretched(scene: &Scene<'_>, pair: Pair<'_>, along: Along) -> bool {
    let off = scene.tolerances.off;
    let by_neighbour = as_much_higher(scene, pair, along).any(|neighbour| {
        by_content(scene, neighbour, along) || wrap::is_other_count(scene, wrap::lines(scene, neighbour.a.id))
    });
    if by_neighbour || by_lonely_neighbour(scene, pair) {
        return true;
    }
    let Some(parent) = super::measure::layout_parent(scene, pair) else {
        return false;
    };
    let from_outside = content_reach(scene, parent).is_none_or(|reach| (reach - along.room_size).abs() > off);
    from_outside && along.room_size.abs() > off && along.fills_alike(off)
}

/// The row ends where a neighbour does that only one of the browsers shows.
fn by_lonely_neighbour(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let seen = |document: &Document, node: &Node| super::shown(node) && !super::is_out_of_flow(document, node);
    let ends_row = |document: &Document, node: &Node, own: Rect| {
        let rect = Rect::of(node);
        seen(document, node) && rect.same_row(&own) && (rect.bottom() - own.bottom()).abs() <= scene.tolerances.off
    };
    let (reference, other) = (scene.reference(), scene.other());
    let in_reference = reference.children(pair.a.parent).iter().take(ROW).any(|&id| {
        let twin = scene.matches.other(id).and_then(|id| other.node(id));
        let node = reference.node(id).filter(|node| !is_text(node));
        node.is_some_and(|node| ends_row(reference, node, Rect::of(pair.a)))
            && !twin.is_some_and(|twin| seen(other, twin))
    });
    in_reference
        || other.children(pair.b.parent).iter().take(ROW).any(|&id| {
            let twin = scene.matches.reference(id).and_then(|id| reference.node(id));
            let node = other.node(id).filter(|node| !is_text(node));
            node.is_some_and(|node| ends_row(other, node, Rect::of(pair.b)))
                && !twin.is_some_and(|twin| seen(reference, twin))
        })
}

fn scrolls(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    std::iter::once(pair.a)
        .chain(scene.reference().ancestors(pair.a.id).take(3))
        .any(|node| {
            node.tag == "html"
                || ["overflow", "overflow-x", "overflow-y"]
                    .iter()
                    .any(|property| matches!(scene.reference().computed(node, property), "auto" | "scroll"))
        })
}

/// Columns share a width by what stands in them, so that other columns' words count here too.
fn is_cell(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let parent = scene.reference().node(pair.a.parent);
    matches!(pair.a.tag.as_str(), "td" | "th" | "col")
        || parent.is_some_and(|parent| {
            matches!(
                scene.reference().display(parent),
                "flex" | "inline-flex" | "grid" | "inline-grid" | "table-row"
            )
        })
}

/// Whether words decide how wide it is, at whatever depth.
fn holds_words(scene: &Scene<'_>, id: NodeId) -> bool {
    let mut open = vec![id];
    let mut budget = 64;
    while let Some(id) = open.pop() {
        for child in scene
            .reference()
            .children(id)
            .iter()
            .filter_map(|&id| scene.reference().node(id))
        {
            if is_text(child) && super::shown(child) {
                return true;
            }
            budget -= 1;
            if budget == 0 {
                return false;
            }
            open.push(child.id);
        }
    }
    false
}
