//! What a person reads: own text of elements, and what stands in form fields.
//!
//! Compared in NFC with white space collapsed, and every kind of space is one: engines' time and number formats use
//! U+202F or U+00A0 where others use a plain space, which nobody sees.

use crate::findings::Kind;
use crate::measured;
use crate::scene::{Pair, Raw, Scene};
use crate::state::{Document, GENERATED, is_text};
use crate::structure::{Excused, Role, role, shown};
use std::collections::BTreeSet;
use unicode_normalization::{UnicodeNormalization, is_nfc};
use xcheck_trace::page::{Node, NodeId, SHOWN_TEXT};

/// The property of a finding that the same words are written in other lines.
pub(crate) const LINES: &str = "text-lines";

pub(crate) fn differences(scene: &Scene<'_>, excused: &mut Excused) -> Vec<Raw> {
    let elements: BTreeSet<NodeId> = scene
        .focus
        .iter()
        .filter_map(|&id| scene.reference().node(id))
        .map(|node| if is_text(node) { node.parent } else { node.id })
        .collect();
    let mut found = Vec::new();
    for id in elements {
        let Some(pair) = scene.pair(id).filter(|pair| !is_silent(pair.a)) else {
            continue;
        };
        let raw = own_text(scene, pair)
            .or_else(|| value(scene, pair))
            .or_else(|| generated(scene, pair));
        if let Some(raw) = raw {
            excused.holder(scene, id);
            found.push(raw);
        }
    }
    found
}

fn own_text(scene: &Scene<'_>, pair: Pair<'_>) -> Option<Raw> {
    let (a, b) = (own(scene.reference(), pair.a.id), own(scene.other(), pair.b.id));
    if let Some(raw) = lines(scene, pair).filter(|_| letters(&a) == letters(&b)) {
        return Some(raw);
    }
    if a == b || !(shown(pair.a) || shown(pair.b)) || reads_alike(scene, pair) {
        return None;
    }
    if measured::same_text(scene, pair, (&a, &b)) {
        return None;
    }
    let (property, title) = match (a.is_empty(), b.is_empty()) {
        (_, true) => ("text-missing", "has no text"),
        (true, _) => ("text-extra", "has text where there should be none"),
        _ if letters(&a) == letters(&b) => ("text-format", "has its text formatted differently"),
        _ if is_no_result(&b) && !is_no_result(&a) => ("text-result", "shows a result that is none"),
        _ => ("text", "reads differently"),
    };
    Some(
        Raw::at(pair, Kind::Text, property, title)
            .sure(0.97)
            .differs("text", a, b),
    )
}

/// The same words in other lines, where lines and blanks are shown as they are written.
fn lines(scene: &Scene<'_>, pair: Pair<'_>) -> Option<Raw> {
    let lines = |document: &Document, node: &Node| -> Option<Vec<String>> {
        let mode = document.computed(node, "white-space");
        let is_kept = matches!(mode, "pre" | "pre-wrap" | "pre-line" | "break-spaces");
        let children = || document.children(node.id).iter().filter_map(|&id| document.node(id));
        if !is_kept || !shown(node) || !children().all(is_text) {
            return None;
        }
        let whole: String = children().map(written).collect();
        let line = |line: &str| match mode {
            "pre-line" => collapsed(line),
            _ => line
                .trim_end()
                .nfc()
                .map(|one| if one.is_whitespace() { ' ' } else { one })
                .collect(),
        };
        Some(whole.trim_end().lines().map(line).collect())
    };
    let (a, b) = (lines(scene.reference(), pair.a)?, lines(scene.other(), pair.b)?);
    (a != b).then(|| {
        Raw::at(pair, Kind::Text, LINES, "has its words in other lines")
            .sure(0.95)
            .differs("text", a.join("\n"), b.join("\n"))
    })
}

/// Words that a rule puts before or behind its own, as they stand there: numbers that are counted are not told.
fn generated(scene: &Scene<'_>, pair: Pair<'_>) -> Option<Raw> {
    let is_plain = matches!(role(scene.reference(), pair.a), Role::Block | Role::Inline);
    if !(is_plain && shown(pair.a) && shown(pair.b)) {
        return None;
    }
    GENERATED.into_iter().find_map(|name| {
        let (a, b) = scene.computed(pair, name);
        let (a, b) = (quoted(a)?, quoted(b)?);
        (letters(a) != letters(b)).then(|| {
            Raw::at(pair, Kind::Text, "generated-text", "has other words from a rule")
                .sure(0.9)
                .differs(name, a, b)
        })
    })
}

/// A value of `content` that is one text, or none at all.
fn quoted(content: &str) -> Option<&str> {
    if matches!(content, "" | "none" | "normal") {
        return Some("");
    }
    let text = content.strip_prefix('"')?.strip_suffix('"')?;
    (!text.contains('"')).then_some(text)
}

/// What a page writes whose calculation came to nothing.
fn is_no_result(text: &str) -> bool {
    text.contains("Invalid Date")
        || text
            .split(|letter: char| !letter.is_alphanumeric())
            .any(|word| word == "NaN")
}

/// What a form field shows. A password's value is not shown, and not repeated here.
fn value(scene: &Scene<'_>, pair: Pair<'_>) -> Option<Raw> {
    let value = |node: &Node| property(node, "value").map(collapsed);
    let (a, b) = (value(pair.a)?, value(pair.b)?);
    let secret = pair
        .a
        .attributes
        .iter()
        .any(|(name, value)| name == "type" && value == "password");
    if a == b || is_same_number(&a, &b) || secret || !(shown(pair.a) || shown(pair.b)) {
        return None;
    }
    if measured::same_value(scene, pair, (&a, &b)) {
        return None;
    }
    Some(
        Raw::at(pair, Kind::Text, "value", "holds another value")
            .sure(0.95)
            .differs("value", a, b),
    )
}

/// Two spellings of a number: Firefox writes fewer digits of one that a script gave to a meter.
fn is_same_number(a: &str, b: &str) -> bool {
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    match (number(a), number(b)) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-12 * a.abs().max(b.abs()),
        _ => false,
    }
}

/// A live property, or the attribute it starts from.
pub(crate) fn property<'a>(node: &'a Node, name: &str) -> Option<&'a str> {
    node.properties
        .iter()
        .chain(&node.attributes)
        .find(|(known, _)| known == name)
        .map(|(_, value)| value.as_str())
}

/// Letters and digits alone: the same where only the format differs.
fn letters(text: &str) -> String {
    let mut letters: Vec<char> = text
        .chars()
        .filter(|letter| letter.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    letters.sort_unstable();
    letters.into_iter().collect()
}

/// NFC, with runs of white space as one space, and none at the ends.
pub(crate) fn collapsed(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !result.is_empty() {
            result.push(' ');
        }
        result.push_str(word);
    }
    if is_nfc(&result) {
        result
    } else {
        result.nfc().collect()
    }
}

/// The text of an element's own text nodes, in order. Text that engines split differently reads the same.
pub(crate) fn own(document: &Document, element: NodeId) -> String {
    let mut all = String::new();
    for node in document.children(element).iter().filter_map(|&id| document.node(id)) {
        if is_text(node) {
            all.push_str(written(node));
        } else if !all.ends_with(char::is_whitespace) {
            // What stands between two texts parts them.
            all.push(' ');
        }
    }
    collapsed(&all)
}

/// The letters of a text as they are shown.
fn written(text: &Node) -> &str {
    property(text, SHOWN_TEXT).unwrap_or(&text.text)
}

/// Whether an element reads the same with all that is in it: editors wrap the same words in elements of their own.
pub(crate) fn reads_alike(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let all = |document: &Document, node: &Node| -> String {
        let inside = document.subtree(node.id).into_iter().filter_map(|id| document.node(id));
        let texts = inside.filter(|node| is_text(node)).take(MOST_TEXTS);
        texts
            .flat_map(|node| written(node).chars().filter(|letter| !letter.is_whitespace()))
            .collect()
    };
    let (a, b) = (all(scene.reference(), pair.a), all(scene.other(), pair.b));
    !a.is_empty() && a == b
}

/// Pieces of text looked at in one element.
const MOST_TEXTS: usize = 256;

/// Elements whose text is never shown.
pub(crate) fn is_silent(element: &Node) -> bool {
    matches!(
        element.tag.as_str(),
        "script" | "style" | "template" | "noscript" | "head" | "title" | "meta" | "link" | "option" | "datalist"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_of_every_kind_are_one() {
        assert_eq!(collapsed("  3:05\u{202f}PM \n on\u{a0}Monday "), "3:05 PM on Monday");
    }

    #[test]
    fn what_a_rule_writes_is_one_text_or_unknown() {
        assert_eq!(quoted("\" km\""), Some(" km"));
        assert_eq!(quoted("none"), Some(""));
        assert_eq!(quoted("counter(row) \". \""), None);
        assert_eq!(quoted("\"a\" attr(x) \"b\""), None);
    }

    #[test]
    fn composed_and_decomposed_letters_are_the_same() {
        assert_eq!(collapsed("Cafe\u{301}"), collapsed("Café"));
    }
}
