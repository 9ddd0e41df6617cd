//! What the page's own rules say of a node, as far as page data tell.

use super::matches::Answer;
use super::selector::{Complex, Simple, parse};
use super::trees::{of_rule, trees};
use super::value::other_colours;
use crate::state::{Document, attribute};
use xcheck_trace::page::{Node, NodeId, StyleRule};

/// Whether a rule of the document that matches the node sets this property, alone or with others, and no later one gives
/// it back to the engine. Whether a rule is in force that hangs on more than the page's data say, the pointer for
/// instance, is known by the colour that it would give.
pub(crate) fn authors<'a>(document: &'a Document, id: NodeId, property: &str) -> bool {
    let Some(node) = document.node(id) else { return false };
    let inline = attribute(node, "style").unwrap_or("");
    let inline = inline.split(';').filter_map(|one| one.split_once(':'));
    // `border` says nothing of corners.
    let is_round = |name: &str| name.ends_with("-radius");
    let says = |name: &str| name == property || (related(name, property) && is_round(name) == is_round(property));
    let says_last = |rule: &'a StyleRule| {
        let about = |(name, _): &&(String, String)| name == "all" || says(name);
        let last = rule.declarations.iter().rfind(about);
        last.map(|(_, value)| (rule, value.as_str()))
    };
    let computed = match (document.computed(node, property), property) {
        ("", "color") => "black",
        ("", _) => "transparent",
        (computed, _) => computed,
    };
    let is_of = |(rule, value): &(&StyleRule, &str)| match of_rule(
        document,
        trees(rule),
        &of_elements(parse(&full_selector(rule))),
        node,
    ) {
        Answer::No => false,
        Answer::May if property.ends_with("color") => !other_colours(value, computed),
        Answer::May | Answer::Yes => true,
    };
    let last = document.rules.iter().rev().filter_map(says_last).find(is_of);
    inline.map(|(name, _)| name.trim()).any(says) || last.is_some_and(|(_, value)| !value.starts_with("revert"))
}

/// Without those about a part: what is said of `button::after` is not said of the button.
fn of_elements(mut selectors: Vec<Complex>) -> Vec<Complex> {
    selectors.retain(|selector| !selector.subject.contains(&Simple::Part));
    selectors
}

/// Whether a rule of the page is about an engine's own part of this node: the knob of a slider, the bar of a progress.
/// Other engines keep such rules without applying them.
pub(crate) fn styles_parts(document: &Document, id: NodeId) -> bool {
    let Some(node) = document.node(id) else { return false };
    document
        .rules
        .iter()
        .any(|rule| is_about_a_part(rule) && may_match(document, rule, &full_selector(rule), node))
}

/// Whether a rule of the page gives this node another look while the pointer is over it, or over something it stands in.
pub(crate) fn styles_below_pointer(document: &Document, id: NodeId) -> bool {
    let Some(node) = document.node(id) else { return false };
    let mut hovered = document.rules.iter().filter(|rule| rule.selector.contains(":hover"));
    hovered.any(|rule| may_match(document, rule, &full_selector(rule), node))
}

/// The rule of the page that draws a ring around this node where it has the focus.
pub(crate) fn ring_rule(document: &Document, id: NodeId) -> Option<String> {
    let node = document.node(id)?;
    let draws = |rule: &&StyleRule| rule.declarations.iter().any(|(name, _)| name.starts_with("outline"));
    let of_focus = document
        .rules
        .iter()
        .rev()
        .filter(|rule| rule.selector.contains(":focus"));
    let mut drawing = of_focus.filter(draws);
    let rule = drawing.find(|rule| may_match(document, rule, &full_selector(rule), node))?;
    Some(full_selector(rule))
}

/// Whether a rule of the page says how a part of this node looks, by one of these names, also where it does not say whose.
pub(crate) fn styles_part(document: &Document, id: NodeId, names: &[&str]) -> bool {
    any_about_part(document, id, names, |_| true)
}

/// Whether a rule of the page says how what is selected of this node looks. The colours of the system, for which it may well ask, are each
/// engine's own.
pub(crate) fn styles_selection(document: &Document, id: NodeId) -> bool {
    let says_something = |rule: &StyleRule| {
        let mut values = rule.declarations.iter().map(|(_, value)| value.to_lowercase());
        values.any(|value| !matches!(value.as_str(), "highlight" | "highlighttext"))
    };
    any_about_part(document, id, &["::selection", "::-moz-selection"], says_something)
}

fn any_about_part(document: &Document, id: NodeId, names: &[&str], is_one: impl Fn(&StyleRule) -> bool) -> bool {
    let Some(node) = document.node(id) else { return false };
    let about = |rule: &&StyleRule| names.iter().any(|name| rule.selector.contains(name)) && is_one(rule);
    document.rules.iter().filter(about).any(|rule| {
        let of_whole = names
            .iter()
            .fold(full_selector(rule), |whole, name| whole.replace(name, ":is(*)"));
        may_match(document, rule, &of_whole, node)
    })
}

/// Whether a rule about a part gives it a size or a look, rather than take an engine's away as every page's reset does.
pub(crate) fn dresses_parts(document: &Document, id: NodeId) -> bool {
    const PLAIN: [&str; 9] = [
        "",
        "0",
        "0px",
        "auto",
        "none",
        "medium",
        "transparent",
        "inherit",
        "initial",
    ];
    let dresses = |property: &str, value: &str| {
        let seen = ["background", "border", "padding", "width", "height"];
        seen.iter().any(|name| property.starts_with(name)) && value.split(' ').all(|word| !PLAIN.contains(&word))
    };
    let Some(node) = document.node(id) else { return false };
    document.rules.iter().any(|rule| {
        is_about_a_part(rule)
            && rule
                .declarations
                .iter()
                .any(|(property, value)| dresses(property, value))
            && may_match(document, rule, &full_selector(rule), node)
    })
}

fn may_match(document: &Document, rule: &StyleRule, selector: &str, node: &Node) -> bool {
    of_rule(document, trees(rule), &parse(selector), node) != Answer::No
}

fn is_about_a_part(rule: &StyleRule) -> bool {
    rule.selector.contains("::-webkit-") || rule.selector.contains("::-moz-")
}

/// Nested rules are told from the rules around them.
pub(super) fn full_selector(rule: &StyleRule) -> String {
    let outer = rule.within.iter().filter(|condition| !condition.starts_with('@'));
    let mut full = String::new();
    for selector in outer.chain([&rule.selector]) {
        full = match (full.is_empty(), selector.contains('&')) {
            (true, _) => selector.clone(),
            (false, true) => selector.replace('&', &format!(":is({full})")),
            (false, false) if *selector == full => full,
            (false, false) => format!(":is({full}) {selector}"),
        };
    }
    full
}

/// Whether one may be written as the other: shorthands and their longhands.
pub(super) fn related(a: &str, b: &str) -> bool {
    const GROUPS: [&[&str]; 9] = [
        &[
            "gap",
            "row-gap",
            "column-gap",
            "grid-gap",
            "grid-row-gap",
            "grid-column-gap",
        ],
        &["inset", "top", "right", "bottom", "left", "inset-block", "inset-inline"],
        &["place-items", "align-items", "justify-items"],
        &["place-content", "align-content", "justify-content"],
        &["place-self", "align-self", "justify-self"],
        &["white-space", "white-space-collapse", "text-wrap", "text-wrap-mode"],
        &["flex-flow", "flex-direction", "flex-wrap"],
        &["font", "line-height"],
        &["columns", "column-width", "column-count"],
    ];
    let longer = |long: &str, short: &str| long.strip_prefix(short).is_some_and(|rest| rest.starts_with('-'));
    // `border` and what begins with it fall apart in many ways.
    let both = |start: &str| a.starts_with(start) && b.starts_with(start);
    longer(a, b)
        || longer(b, a)
        || both("border")
        || both("background")
        || both("mask")
        || both("-webkit-mask")
        || GROUPS.iter().any(|group| group.contains(&a) && group.contains(&b))
}
