//! Attributes that one browser alone has, or with another value.

use crate::findings::Kind;
use crate::measured;
use crate::numbers::numbers_and_words;
use crate::scene::{Pair, Raw, Scene};
use crate::style::properties::is_invisible;
use std::collections::BTreeSet;
use xcheck_trace::page::Node;

pub(super) fn differing(scene: &Scene<'_>, pair: Pair<'_>) -> Option<Raw> {
    // Scripts mark the root with what a browser is or can do; what follows from it is found where it shows.
    if matches!(pair.a.tag.as_str(), "html" | "body") || pair.a.attributes == pair.b.attributes {
        return None;
    }
    let names: BTreeSet<&str> = [pair.a, pair.b]
        .iter()
        .flat_map(|node| node.attributes.iter().map(|(name, _)| without_prefix(name)))
        .collect();
    let mut raw = Raw::at(pair, Kind::Behaviour, "attributes", "has other attributes").sure(0.75);
    for name in names {
        let value = |node: &Node| {
            let is_it = |(known, _): &&(String, String)| without_prefix(known) == name;
            let mut all = node.attributes.iter().filter(is_it);
            // Without its prefix it comes before one that has it.
            all.next().map(|(_, value)| value.clone())
        };
        let (a, b) = (value(pair.a), value(pair.b));
        let is_measured =
            is_read_out(name) && matches!((&a, &b), (Some(a), Some(b)) if measured::same_value(scene, pair, (a, b)));
        let (written_a, written_b) = (a.as_deref(), b.as_deref());
        let has_no_effect = || name == "style" && comes_to_the_same(scene, pair, (written_a, written_b));
        if !is_hint(name) && !is_measured && !alike(name, written_a, written_b) && !has_no_effect() {
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

/// Whether what one browser's inline style sets beyond the other's is so there too: `filter: none`, where no filter is.
fn comes_to_the_same(scene: &Scene<'_>, pair: Pair<'_>, (a, b): (Option<&str>, Option<&str>)) -> bool {
    let (a, b) = (declared(a.unwrap_or_default()), declared(b.unwrap_or_default()));
    let mut beyond = a.symmetric_difference(&b).peekable();
    beyond.peek().is_some()
        && beyond.all(|property| {
            let (a, b) = scene.computed(pair, property);
            !a.is_empty() && a == b
        })
}

/// The properties that an inline style sets and that show.
fn declared(style: &str) -> BTreeSet<&str> {
    let declarations = style.split(';').filter_map(|one| one.split_once(':'));
    let properties = declarations.map(|(property, _)| property.trim());
    // Libraries set each engine's own prefixed properties.
    let shows = |property: &&str| !property.starts_with('-') && !is_invisible(property);
    properties.filter(shows).collect()
}

/// Attributes that only scripts and style sheets read: what a sheet makes of them is found where it shows.
pub(crate) fn is_mark(raw: &Raw) -> bool {
    let is_unseen = |name: &str| matches!(name, "class" | "style" | "id" | "draggable") || name.starts_with("data-");
    let mut names = raw.differences.iter().map(|difference| difference.property.as_str());
    raw.property.starts_with("attribute ") && names.all(is_unseen)
}

/// What a script has set as `href` and as `xlink:href` is one attribute, which each engine calls by another of the two names.
fn without_prefix(name: &str) -> &str {
    name.strip_prefix("xlink:").unwrap_or(name)
}

/// What a page tells of by an attribute, and the collector marks where it may have been measured (`collect/written.js`).
fn is_read_out(name: &str) -> bool {
    matches!(
        name,
        "value" | "title" | "aria-valuenow" | "aria-valuetext" | "aria-label"
    )
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
            | "wrap"
            | "xmlns"
            // What a press leads to is found where it leads: those who know no commands are given what they know.
            | "command"
            | "commandfor"
            | "popovertarget"
            | "popovertargetaction"
    )
}

/// By how many px what a script measured may differ: words are as wide as each engine sets them.
const MEASURED: f32 = 3.0;

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
        let families = |style| -> BTreeSet<&str> {
            let first = |property: &'_ str| property.len().min(property.find('-').unwrap_or(usize::MAX));
            declared(style)
                .into_iter()
                .map(|property| &property[..first(property)])
                .collect()
        };
        return families(a) == families(b);
    }
    // What a page draws and keeps as a picture is other bytes in each browser; how it looks is compared where it is shown.
    let is_drawn = |text: &str| {
        let kinds = ["png", "jpeg", "webp"];
        kinds.iter().any(|kind| {
            text.strip_prefix("data:image/")
                .is_some_and(|rest| rest.starts_with(kind))
        })
    };
    if matches!(name, "src" | "href" | "srcset") && is_drawn(a) && is_drawn(b) {
        return true;
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
    ) || name.starts_with("data-")
        || name.starts_with("stroke-dash");
    let share = if name.starts_with("stroke-dash") { 0.01 } else { 0.1 };
    let (numbers_a, numbers_b) = (numbers(a), numbers(b));
    // A path is one by whatever name: libraries keep where theirs came from and go to.
    let is_path = numbers_a.len() >= 4 && a.contains('.') && b.contains('.');
    let near = (measured || is_path)
        && shape(a) == shape(b)
        && numbers_a.len() == numbers_b.len()
        && numbers_a
            .iter()
            .zip(&numbers_b)
            .all(|(a, b)| (a - b).abs() <= MEASURED.max(share * a.abs().max(b.abs())));
    near || is_computed_alike(a, b)
}

/// By what share of itself a number may differ that engines compute: the length of a path, an angle.
const COMPUTED: f64 = 1e-5;

/// The same but for the last places of numbers with a fraction, which nobody has written.
fn is_computed_alike(a: &str, b: &str) -> bool {
    let near = |(a, b): (&&str, &&str)| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) if a.contains('.') || b.contains('.') => (x - y).abs() <= COMPUTED * x.abs().max(y.abs()),
        _ => a == b,
    };
    let (a, b) = (numbers_and_words(a), numbers_and_words(b));
    !a.is_empty() && a.len() == b.len() && a.iter().zip(&b).all(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_nobody_has_written_may_differ_in_their_last_places() {
        let alike = |a, b| alike("title", Some(a), Some(b));
        assert!(alike("282.010498046875", "282.01141357421875"));
        assert!(alike("rotate(33.333332deg) 4", "rotate(33.33333deg) 4"));
        assert!(!alike("282.01", "282.1"));
        assert!(!alike("1.0.1", "1.0.2"));
        assert!(!alike("1711111111", "1711111112"));
        assert!(!alike("item 7.5", "row 7.5"));
        assert!(!alike("4", "4 5.0"));
        assert!(!alike("1.5 a", "a 1.5"));
    }

    #[test]
    fn none_is_not_an_empty_one() {
        assert!(!alike("hidden", Some(""), None));
        assert!(!alike("hidden", None, Some("")));
    }

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
        check("stroke-dasharray", "0px 602.66528px", "0px 601.16553px", true);
        check("stroke-dasharray", "4 4", "4 12", false);
        check("pathTo", "M 0 132.4C 50.6 132.4", "M 0 132.4C 50.4 132.4", true);
        check("pathTo", "M 0 132.4C 50.6 132.4", "M 0 132.4C 80.4 132.4", false);
        check("class", "a1", "a2", false);
        check("class", "open top", "top  open", true);
    }

    #[test]
    fn an_address_is_the_same_by_either_of_its_names() {
        assert_eq!(without_prefix("xlink:href"), "href");
        assert_eq!(without_prefix("xml:lang"), "xml:lang");
    }

    #[test]
    fn pictures_that_a_page_has_drawn_are_looked_at_where_they_are_shown() {
        let drawn = |bytes: &str| Some(format!("data:image/png;base64,{bytes}"));
        assert!(alike("src", drawn("iVBOR").as_deref(), drawn("iVBPS").as_deref()));
        assert!(!alike("src", drawn("iVBOR").as_deref(), Some("empty.png")));
        assert!(!alike("src", drawn("iVBOR").as_deref(), None));
    }
}
