//! What the page did: divergences that the replay noticed, and events that changed the document differently.

use crate::findings::Kind;
use crate::locator::tag;
use crate::matching::Sides;
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::{Changes, Document, is_text, longest_increasing};
use crate::structure::{Excused, Role, paints, role, shown};
use crate::style::properties::is_invisible;
use crate::text::{is_silent, property, reads_alike};
use std::collections::BTreeSet;
use xcheck_trace::page::{Node, NodeId};
use xcheck_trace::run::DivergenceKind;

/// The same events must leave the same nodes in the same places with the same attributes.
pub(crate) fn differences(scene: &Scene<'_>, changes: (&Changes, &Changes), excused: &mut Excused) -> Vec<Raw> {
    let mut found = Vec::new();
    found.extend(only_in_one(scene, changes, excused));
    for &id in scene.focus {
        let Some(pair) = scene.pair(id) else { continue };
        if is_text(pair.a) {
            continue;
        }
        found.extend(attributes(pair));
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
fn only_in_one(scene: &Scene<'_>, (reference, other): (&Changes, &Changes), excused: &mut Excused) -> Vec<Raw> {
    let mut found = Vec::new();
    let Sides { reference: a, other: b } = scene.sides;
    // What became alone because its partner went is a change of the partner's side.
    let here = scene
        .focus
        .iter()
        .copied()
        .chain(other.removed.iter().filter_map(|&id| scene.matches.reference(id)));
    for id in here.collect::<BTreeSet<_>>() {
        let Some(node) = a.node(id).filter(|_| scene.matches.other(id).is_none()) else {
            continue;
        };
        if scene.matches.other(node.parent).is_none() {
            continue;
        }
        excused.holder(scene, node.parent);
        if is_text(node) || is_silent(node) || !is_seen(a, id) || only_wraps(scene, a, node, node.parent) {
            continue;
        }
        found.push(Raw {
            reference: Some(id),
            other: None,
            ..alone("node-missing", "is not in the page").differs("element", tag(node), "")
        });
    }
    let there = other
        .touched()
        .into_iter()
        .chain(reference.removed.iter().filter_map(|&id| scene.matches.other(id)));
    for id in there.collect::<BTreeSet<_>>() {
        let Some(node) = b.node(id).filter(|_| scene.matches.reference(id).is_none()) else {
            continue;
        };
        let Some(parent) = scene.matches.reference(node.parent) else {
            continue;
        };
        excused.holder(scene, parent);
        if is_text(node) || is_silent(node) || !is_seen(b, id) || only_wraps(scene, b, node, parent) {
            continue;
        }
        found.push(Raw {
            reference: None,
            other: Some(id),
            ..alone("node-extra", "is in the page, and should not be").differs("element", "", tag(node))
        });
    }
    found
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

/// Whether a person would miss it: it or something in it has a box.
fn is_seen(document: &Document, id: NodeId) -> bool {
    document
        .subtree(id)
        .into_iter()
        .take(64)
        .filter_map(|id| document.node(id))
        .any(shown)
}

fn attributes(pair: Pair<'_>) -> Option<Raw> {
    // Scripts mark the root with what a browser is or can do; what follows from it is found where it shows.
    if matches!(pair.a.tag.as_str(), "html" | "body") || pair.a.attributes == pair.b.attributes {
        return None;
    }
    let names: BTreeSet<&str> = [pair.a, pair.b]
        .iter()
        .flat_map(|node| node.attributes.iter().map(|(name, _)| name.as_str()))
        .collect();
    let mut raw = Raw::at(pair, Kind::Behaviour, "attributes", "has other attributes").sure(0.75);
    for name in names {
        let value = |node: &Node| crate::state::attribute(node, name).map(str::to_owned);
        let (a, b) = (value(pair.a), value(pair.b));
        if !is_hint(name) && !alike(name, a.as_deref(), b.as_deref()) {
            raw.property = format!("attribute {name}");
            raw.title = match (&a, &b) {
                (Some(_), None) => format!("has no attribute `{name}`"),
                (None, Some(_)) => format!("has an attribute `{name}`, and should not"),
                _ => format!("has another value of the attribute `{name}`"),
            };
            raw = raw.differs(name, a.unwrap_or_default(), b.unwrap_or_default());
        }
    }
    (!raw.differences.is_empty()).then_some(raw)
}

/// Says how a control would like to be used: scripts set it where a browser knows it, and nobody sees it.
fn is_hint(name: &str) -> bool {
    matches!(
        name,
        "autocomplete"
            | "autocorrect"
            | "autocapitalize"
            | "spellcheck"
            | "inputmode"
            | "enterkeyhint"
            | "tabindex"
            | "unselectable"
            | "loading"
            | "decoding"
            | "fetchpriority"
            | "crossorigin"
            | "nonce"
            | "translate"
            | "xmlns"
    )
}

/// Inline styles are written by each engine in its own way: only which properties are set counts. Numbers that come
/// from measuring the page may differ a little.
fn alike(name: &str, a: Option<&str>, b: Option<&str>) -> bool {
    if a == b {
        return true;
    }
    let (a, b) = (a.unwrap_or(""), b.unwrap_or(""));
    if name == "class" {
        let words = |text: &'_ str| text.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
        return words(a) == words(b);
    }
    if name == "style" {
        let set = |style: &str| -> BTreeSet<String> {
            style
                .split(';')
                .filter_map(|declaration| declaration.split_once(':'))
                .map(|(property, _)| property.trim())
                // Libraries set each engine's own prefixed properties.
                .filter(|property| !property.starts_with('-') && !is_invisible(property))
                .filter_map(|property| property.split('-').next().map(str::to_owned))
                .collect()
        };
        return set(a) == set(b);
    }
    // Numbers, and what stands between them: commas and blanks are each engine's own.
    let shape = |text: &str| -> String {
        text.chars()
            .map(|letter| {
                if letter.is_ascii_digit() || matches!(letter, '.' | '-' | ',' | ' ') {
                    '0'
                } else {
                    letter
                }
            })
            .collect::<String>()
            .split('0')
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("0")
    };
    let numbers = |text: &str| -> Vec<f32> {
        text.split(|letter: char| !letter.is_ascii_digit() && letter != '.')
            .filter_map(|number| number.parse().ok())
            .collect()
    };
    let measured = matches!(
        name,
        "width"
            | "height"
            | "d"
            | "points"
            | "transform"
            | "x"
            | "y"
            | "x1"
            | "x2"
            | "y1"
            | "y2"
            | "cx"
            | "cy"
            | "r"
            | "rx"
            | "ry"
            | "viewBox"
    ) || name.starts_with("data-");
    let (numbers_a, numbers_b) = (numbers(a), numbers(b));
    measured
        && shape(a) == shape(b)
        && numbers_a.len() == numbers_b.len()
        && numbers_a
            .iter()
            .zip(&numbers_b)
            .all(|(a, b)| (a - b).abs() <= 2.0_f32.max(0.1 * a.abs().max(b.abs())))
}

fn live_properties(scene: &Scene<'_>, pair: Pair<'_>) -> Option<Raw> {
    for name in ["checked", "selected", "open", "disabled", "selectedIndex"] {
        let (a, b) = (property(pair.a, name), property(pair.b, name));
        let live = |node: &Node| node.properties.iter().any(|(known, _)| known == name);
        if a != b && (live(pair.a) || live(pair.b)) {
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
        {
            let raw = Raw::at(pair, Kind::Behaviour, name, "is scrolled to another place").sure(0.7);
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
    let names = |mut list: Vec<(NodeId, usize)>, sorted: bool| -> String {
        if sorted {
            list.sort_by_key(|&(_, place)| place);
        }
        list.iter()
            .take(12)
            .map(|&(id, _)| name(scene.reference(), id))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let moved = places.len() - kept;
    Some(
        Raw::at(
            pair,
            Kind::Behaviour,
            "order",
            format!("has {moved} of its {} children in another place", places.len()),
        )
        .sure(0.9)
        .differs("order", names(places.clone(), false), names(places, true)),
    )
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
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_that_a_script_measured_may_differ_by_a_hair_and_be_written_otherwise() {
        let check = |name: &str, a: &str, b: &str, expected: bool| {
            assert_eq!(alike(name, Some(a), Some(b)), expected, "{name}: {a} / {b}");
        };
        check("cx", "406.671875", "406.67498779296875", true);
        check("y2", "254", "253", true);
        check("cx", "40", "60", false);
        check("transform", "matrix(1 0 0 1 60 40)", "matrix(1, 0, 0, 1, 60, 40)", true);
        check(
            "transform",
            "matrix(1 0 0 1 60 40)",
            "matrix(1, 0, 0, 1, 90, 40)",
            false,
        );
        check("transform", "rotate(40)", "scale(40)", false);
        check("class", "a1", "a2", false);
        check("class", "open top", "top  open", true);
    }
}
