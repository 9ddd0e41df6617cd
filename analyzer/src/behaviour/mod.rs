//! What the page did: divergences that the replay noticed, and events that changed the document differently.

mod attributes;
mod keyboard;
mod wrapped;

pub(crate) use attributes::is_mark;

use crate::findings::Kind;
use crate::locator::tag;
use crate::matching::Sides;
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::{Changes, Document, has_live, is_text, longest_increasing};
use crate::structure::{Excused, Role, is_faded, is_in_sight, is_out_of_flow, paints, role, shown};
use crate::text::{is_silent, property, reads_alike};
use std::ops::Range;
use xcheck_trace::page::{Node, NodeId};
use xcheck_trace::run::DivergenceKind;

/// The property of a finding that children stand in another order.
pub(crate) const ORDER: &str = "order";

/// So many of an element's children are named of either order.
const MOST_NAMED: usize = 12;

/// The same events must leave the same nodes in the same places with the same attributes.
/// `other`: what has changed there.
pub(crate) fn differences(scene: &Scene<'_>, other: &Changes, excused: &mut Excused) -> Vec<Raw> {
    let mut found = Vec::new();
    found.extend(only_in_one(scene, other, excused));
    found.extend(keyboard::elsewhere(scene));
    for &id in scene.focus {
        let Some(pair) = scene.pair(id) else { continue };
        if is_text(pair.a) {
            continue;
        }
        found.extend(attributes::differing(scene, pair));
        found.extend(live_properties(scene, pair));
        found.extend(elsewhere(scene, pair));
        if let Some(raw) = order(scene, pair) {
            excused.holder(scene, id);
            found.push(raw);
        }
    }
    found
}

/// Nodes without a partner. The highest of each subtree speaks for it.
fn only_in_one(scene: &Scene<'_>, other: &Changes, excused: &mut Excused) -> Vec<Raw> {
    let mut found = Vec::new();
    let Sides { reference: a, other: b } = scene.sides;
    // What became alone because its partner went is a change of the partner's side.
    for &id in scene.focus.union(scene.matches.bereft_reference()) {
        let Some(node) = a.node(id).filter(|_| scene.matches.other(id).is_none()) else {
            continue;
        };
        if scene.matches.other(node.parent).is_none() {
            continue;
        }
        excused.holder(scene, node.parent);
        if is_text(node) || is_silent(node) || !is_seen(a, id) {
            continue;
        }
        if only_wraps(scene, a, node, node.parent) {
            let around = scene.matches.other(node.parent);
            found.extend(around.and_then(|around| wrapped::of_reference(scene, node, around)));
            continue;
        }
        found.push(Raw {
            reference: Some(id),
            other: None,
            ..alone("node-missing", "is not in the page").differs("element", tag(node), "")
        });
    }
    let mut there = other.touched();
    there.extend(scene.matches.bereft_other());
    if scene.exhaustive {
        there.extend(b.all());
    }
    for id in there {
        let Some(node) = b.node(id).filter(|_| scene.matches.reference(id).is_none()) else {
            continue;
        };
        let Some(parent) = scene.matches.reference(node.parent) else {
            continue;
        };
        excused.holder(scene, parent);
        if is_text(node) || is_silent(node) || !is_seen(b, id) {
            continue;
        }
        if only_wraps(scene, b, node, parent) {
            found.extend(wrapped::of_other(scene, node, parent));
            continue;
        }
        found.push(Raw {
            reference: None,
            other: Some(id),
            ..alone("node-extra", "is in the page, and should not be").differs("element", "", tag(node))
        });
    }
    excuse_neighbours(scene, excused);
    found
}

/// What stands beside something that has been in one browser only for longer still stands elsewhere for that.
fn excuse_neighbours(scene: &Scene<'_>, excused: &mut Excused) {
    for &id in scene.focus {
        let Some(pair) = scene.pair(id) else { continue };
        let is_beside = |document: &Document, node: &Node, is_alone: &dyn Fn(NodeId) -> bool| {
            let (siblings, at) = (document.children(node.parent), node.index as usize);
            let beside = [at.checked_sub(1), at.checked_add(1)];
            let mut beside = beside.into_iter().flatten().filter_map(|at| siblings.get(at));
            beside.any(|&sibling| is_alone(sibling) && is_seen(document, sibling))
        };
        if is_beside(scene.reference(), pair.a, &|id| scene.matches.other(id).is_none())
            || is_beside(scene.other(), pair.b, &|id| scene.matches.reference(id).is_none())
        {
            excused.holder(scene, pair.a.parent);
        }
    }
}

/// An element without any look of its own, around words that stand in the other browser too.
fn only_wraps(scene: &Scene<'_>, document: &Document, node: &Node, parent: NodeId) -> bool {
    let inside = || document.subtree(node.id).into_iter().filter_map(|id| document.node(id));
    let words = inside().any(|node| is_text(node) && !node.text.trim().is_empty());
    let plain =
        inside().all(|node| is_text(node) || (role(document, node) != Role::Replaced && !paints(document, node)));
    words && plain && scene.pair(parent).is_some_and(|parent| reads_alike(scene, parent))
}

fn alone(property: &str, title: &str) -> Raw {
    Raw {
        kind: Kind::Behaviour,
        reference: None,
        other: None,
        property: property.to_owned(),
        title: title.to_owned(),
        confidence: 0.9,
        differences: Vec::new(),
    }
}

/// Whether a person would miss it: it or something in it has a box. What lies over a page and shows nothing, as fields do that only
/// take what is typed, is not missed.
fn is_seen(document: &Document, id: NodeId) -> bool {
    let inside = || {
        let subtree = document.subtree(id).into_iter().take(64);
        subtree.filter_map(|id| document.node(id)).filter(|node| shown(node))
    };
    let shows = |node: &Node| {
        is_text(node) || !matches!(role(document, node), Role::Block | Role::Inline) || paints(document, node)
    };
    match document.node(id) {
        Some(node) if is_out_of_flow(document, node) => !is_faded(document, node) && inside().any(shows),
        _ => inside().next().is_some(),
    }
}

fn live_properties(scene: &Scene<'_>, pair: Pair<'_>) -> Option<Raw> {
    for name in ["checked", "selected", "open", "disabled", "selectedIndex"] {
        let (a, b) = (property(pair.a, name), property(pair.b, name));
        if a != b && (has_live(pair.a, name) || has_live(pair.b, name)) {
            let raw = Raw::at(pair, Kind::Behaviour, name, format!("differs in `{name}`")).sure(0.9);
            return Some(raw.differs(name, a.unwrap_or(""), b.unwrap_or("")));
        }
    }
    if crate::structure::is_control(pair.a) {
        return None;
    }
    for name in ["scrollTop", "scrollLeft"] {
        let offset = |node: &Node| -> Option<f32> { property(node, name).map_or(Some(0.0), |text| text.parse().ok()) };
        if let (Some(a), Some(b)) = (offset(pair.a), offset(pair.b))
            && (a - b).abs() > scene.tolerances.scroll.max(0.1 * a.abs())
            && (is_in_sight(scene.reference(), pair.a) || is_in_sight(scene.other(), pair.b))
        {
            // Where a rule says to where, no script has.
            let by_style = !crate::explain::rules_of_scrolling(scene, pair.a.id).is_empty();
            let kind = if by_style { Kind::Structure } else { Kind::Behaviour };
            let raw = Raw::at(pair, kind, name, "is scrolled to another place").sure(0.7);
            return Some(raw.differs(name, px(a), px(b)));
        }
    }
    None
}

/// Matched by what it is, but under another parent.
fn elsewhere(scene: &Scene<'_>, pair: Pair<'_>) -> Option<Raw> {
    let expected = scene.matches.other(pair.a.parent)?;
    if expected == pair.b.parent
        || scene.matches.reference(pair.b.parent).is_none()
        || !(shown(pair.a) || shown(pair.b))
    {
        return None;
    }
    let path = |document, id| crate::locator::xpath(document, id);
    Some(
        Raw::at(pair, Kind::Behaviour, "parent", "hangs elsewhere in the document")
            .sure(0.85)
            .differs(
                "path",
                path(scene.reference(), pair.a.id),
                path(scene.other(), pair.b.id),
            ),
    )
}

/// The children that both have must come in the same order.
fn order(scene: &Scene<'_>, pair: Pair<'_>) -> Option<Raw> {
    let children = scene.reference().children(pair.a.id);
    let places: Vec<(NodeId, usize)> = children
        .iter()
        .filter_map(|&id| scene.pair(id))
        .filter(|child| !is_text(child.a) && child.b.parent == pair.b.id)
        .map(|child| (child.a.id, child.b.index as usize))
        .collect();
    if places.is_sorted_by_key(|&(_, place)| place) {
        return None;
    }
    let numbers: Vec<usize> = places.iter().map(|&(_, place)| place).collect();
    let kept = longest_increasing(&numbers).len();
    let ids: Vec<NodeId> = places.iter().map(|&(id, _)| id).collect();
    let mut other = places.clone();
    other.sort_by_key(|&(_, place)| place);
    let other: Vec<NodeId> = other.into_iter().map(|(id, _)| id).collect();
    let part = where_they_differ(&ids, &other);
    let names = |list: &[NodeId]| {
        let names: Vec<String> = list[part.clone()]
            .iter()
            .map(|&id| name(scene.reference(), id))
            .collect();
        let before = if part.start > 0 { "…, " } else { "" };
        let after = if part.end < list.len() { ", …" } else { "" };
        format!("{before}{}{after}", names.join(", "))
    };
    let moved = places.len() - kept;
    Some(
        Raw::at(
            pair,
            Kind::Behaviour,
            ORDER,
            format!("has {moved} of its {} children in another place", places.len()),
        )
        .sure(0.9)
        .differs("order", names(&ids), names(&other)),
    )
}

/// As much of two orders of the same as a person reads: where they differ, and what stands before it and after it.
fn where_they_differ(one: &[NodeId], other: &[NodeId]) -> Range<usize> {
    let differs = |at: &usize| one[*at] != other[*at];
    let first = (0..one.len()).find(differs).unwrap_or(0);
    let last = (0..one.len()).rfind(differs).unwrap_or(0);
    let start = first.saturating_sub(1);
    start..(last + 2).min(start + MOST_NAMED).min(one.len())
}

fn name(document: &Document, id: NodeId) -> String {
    let words = crate::text::own(document, id);
    match document.node(id) {
        Some(node) if words.is_empty() => tag(node),
        _ => words.chars().take(24).collect(),
    }
}

/// How a divergence reads as a title.
pub(crate) fn title(kind: DivergenceKind) -> &'static str {
    use DivergenceKind as D;
    match kind {
        D::TargetMissing => "the target of the input is not there",
        D::TargetElsewhere => "a key comes to another element",
        D::EventMissing => "an event never comes",
        D::EventExtra => "an event comes that should not",
        D::WrongCallback => "another callback is registered",
        D::CallbackMissing => "a callback is never registered",
        D::CallbackExtra => "a callback is registered that should not be",
        D::RequestDiffers => "a request differs",
        D::RequestMissing => "a request is never sent",
        D::RequestExtra => "a request is sent that should not be",
        D::NotInTrace => "something is asked for that the recording does not have",
        D::AnswersExhausted => "more random numbers or times are asked for",
        D::AnswersUnused => "fewer random numbers or times are asked for",
        D::MessageDiffers => "a message differs",
        D::SettledOtherwise => "a promise settles otherwise",
        D::NavigationMissing => "a navigation never happens",
        D::NavigationElsewhere => "a navigation leads elsewhere",
        D::ExceptionOnlyHere => "an exception is thrown",
        D::ExceptionMissing => "an exception is not thrown",
        D::ScriptMissing => "a script never runs",
        D::ScriptExtra => "a script runs that should not",
        D::DialogDiffers => "a dialog differs",
        D::PageDiffers => "the page has more or fewer elements",
    }
}

#[cfg(test)]
mod tests {
    use super::where_they_differ;

    #[test]
    fn of_two_orders_that_is_named_in_which_they_differ() {
        assert_eq!(where_they_differ(&[1, 2, 3, 4, 5, 6], &[1, 2, 4, 3, 5, 6]), 1..5);
        assert_eq!(where_they_differ(&[1, 2], &[2, 1]), 0..2);
        let (one, mut other): (Vec<u32>, Vec<u32>) = ((0..40).collect(), (0..40).collect());
        other.swap(20, 39);
        assert_eq!(where_they_differ(&one, &other), 19..31);
    }
}
