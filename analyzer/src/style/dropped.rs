//! Declarations that the reference kept and the other browser dropped.
//!
//! A browser leaves out of the CSSOM what it does not understand, so the reference's parsed rules hold the author's
//! text of what is missing from the other's. Engines also write the same rule differently: a shorthand falls into
//! different longhands. So a declaration counts as dropped only where it says something (not its initial value) and the
//! other browser has nothing of that name in that rule.

use super::authored::{full_selector, related};
use super::forgiving::remembered;
use super::matches::Answer;
use super::properties::is_initial;
use super::selector::{Complex, parse, split_top};
use super::sheets::Partners;
use super::trees::{of_rule, trees};
use crate::findings::Dropped;
use crate::state::Document;
use std::collections::{BTreeMap, BTreeSet};
use xcheck_trace::page::{NodeId, StyleRule};

pub(crate) struct DroppedRules {
    rules: Vec<Lost>,
}

struct Lost {
    selectors: Vec<Complex>,
    selector: String,
    trees: Option<String>,
    sheet: String,
    what: Vec<LostDeclaration>,
}

struct LostDeclaration {
    property: String,
    text: String,
}

impl DroppedRules {
    pub(crate) fn between(reference: &Document, other: &Document) -> Self {
        let mut theirs: BTreeMap<String, Vec<&StyleRule>> = BTreeMap::new();
        let mut sheets: BTreeMap<&str, bool> = BTreeMap::new();
        let mut known: BTreeSet<&str> = BTreeSet::new();
        let partners = Partners::between(&reference.rules, &other.rules);
        for rule in other.rules.iter() {
            let sheet = partners.sheet_of(rule);
            theirs.entry(key(rule, sheet)).or_default().push(rule);
            // A sheet that could not be read or did not load says nothing about support.
            let readable = !rule.within.iter().any(|condition| condition == "unreadable");
            *sheets.entry(sheet).or_insert(true) &= readable;
            known.extend(rule.declarations.iter().map(|(property, _)| property.as_str()));
        }
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut rules = Vec::new();
        for rule in reference.rules.iter() {
            let of_nodes = !rule.selector.starts_with('@')
                && !rule.within.iter().any(|condition| condition.starts_with("@keyframes"));
            if !of_nodes || sheets.get(rule.sheet.as_str()) == Some(&false) {
                continue;
            }
            let key = key(rule, &rule.sheet);
            let nth = seen.entry(key.clone()).or_insert(0);
            let partner = theirs.get(&key).and_then(|rules| rules.get(*nth));
            *nth += 1;
            let what = match partner {
                Some(partner) => lost_declarations(rule, partner),
                // A rule that nothing is left of is not sent. Where it says things the other browser knows well, it
                // was the selector or a condition that was not understood.
                None if is_lost_as_a_whole(rule, &known) => {
                    let sheet_is_there = sheets.contains_key(rule.sheet.as_str());
                    let whole = LostDeclaration {
                        property: String::new(),
                        text: rule.selector.clone(),
                    };
                    sheet_is_there.then_some(whole).into_iter().collect()
                }
                None => lost_declarations(rule, &StyleRule::default()),
            };
            if !what.is_empty() {
                let selector = full_selector(rule);
                rules.push(Lost {
                    selectors: parse(&selector),
                    trees: trees(rule).map(str::to_owned),
                    selector,
                    sheet: rule.sheet.clone(),
                    what,
                });
            }
        }
        DroppedRules { rules }
    }

    /// What was dropped from rules that match this node: the property (empty for a whole rule), and how to say it.
    pub(crate) fn on<'a>(
        &'a self,
        document: &'a Document,
        id: NodeId,
    ) -> impl Iterator<Item = (&'a str, Dropped)> + 'a {
        self.rules.iter().flat_map(move |lost| {
            let answer = document.node(id).map_or(Answer::No, |node| {
                of_rule(document, lost.trees.as_deref(), &lost.selectors, node)
            });
            lost.what
                .iter()
                .filter(move |_| answer != Answer::No)
                .map(move |declaration| {
                    (
                        declaration.property.as_str(),
                        Dropped {
                            declaration: declaration.text.clone(),
                            selector: lost.selector.clone(),
                            sheet: lost.sheet.clone(),
                            may_not_match: answer == Answer::May,
                        },
                    )
                })
        })
    }
}

/// Which rule of a sheet it is, as far as engines write it alike.
fn key(rule: &StyleRule, sheet: &str) -> String {
    // Conditions are written too differently to compare; their number is not.
    let kinds: Vec<&str> = rule
        .within
        .iter()
        .map(|condition| condition.split([' ', '(']).next().unwrap_or(""))
        .collect();
    format!("{}\n{}\n{}", sheet, kinds.join(" "), plain(&rule.selector))
}

pub(super) fn plain(selector: &str) -> String {
    remembered(&selector.to_ascii_lowercase())
        .chars()
        .filter(|letter| !letter.is_whitespace() && *letter != '"' && *letter != '\'')
        .collect::<String>()
        .replace("::", ":")
}

/// Properties that every browser has had for decades.
const OLD: [&str; 16] = [
    "color",
    "display",
    "width",
    "height",
    "margin",
    "padding",
    "border",
    "background",
    "background-color",
    "font-size",
    "font-weight",
    "position",
    "float",
    "text-align",
    "opacity",
    "overflow",
];

fn is_lost_as_a_whole(rule: &StyleRule, known: &BTreeSet<&str>) -> bool {
    rule.declarations.iter().any(|(property, value)| {
        (OLD.contains(&property.as_str()) || known.contains(property.as_str())) && is_plain(value)
    })
}

/// A value that no browser could fail to understand.
fn is_plain(value: &str) -> bool {
    !value.contains('(') || value.starts_with("rgb")
}

fn lost_declarations(reference: &StyleRule, other: &StyleRule) -> Vec<LostDeclaration> {
    let known: BTreeMap<&str, &str> = other
        .declarations
        .iter()
        .map(|(property, value)| (property.as_str(), value.as_str()))
        .collect();
    let mut lost = Vec::new();
    for (property, value) in &reference.declarations {
        let relatives: Vec<&str> = known
            .iter()
            .filter(|(other, _)| related(bare(property), bare(other)))
            .map(|(_, value)| *value)
            .collect();
        let dropped = match known.get(property.as_str()) {
            Some(theirs) => other_words(value, theirs),
            None if property.starts_with("--") || (is_initial(value) && !is_of_selection(property)) => false,
            // Engines write some by another prefix than they read.
            None if known.keys().any(|other| bare(other) == bare(property)) => false,
            // A shorthand here may be longhands there, and the other way round.
            None if !relatives.is_empty() => {
                let theirs = relatives.join(" ");
                other_words(value, &theirs) || has_other_lengths(value, &theirs)
            }
            None => true,
        };
        if dropped {
            lost.push(LostDeclaration {
                property: property.clone(),
                text: format!("{property}: {value}"),
            });
        }
    }
    lost
}

/// What may be selected: with `none`, nothing.
fn is_of_selection(property: &str) -> bool {
    bare(property) == "user-select"
}

/// Without the prefix of an engine.
fn bare(property: &str) -> &str {
    ["-webkit-", "-moz-", "-ms-"]
        .iter()
        .find_map(|prefix| property.strip_prefix(prefix))
        .unwrap_or(property)
}

/// Whether a longhand has lengths that nothing related has: then it is no part of them.
fn has_other_lengths(value: &str, relatives: &str) -> bool {
    let lengths = |text: &str| -> BTreeSet<String> {
        let parts = text.split(|letter: char| letter.is_whitespace() || "(),/".contains(letter));
        parts
            .filter(|part| part.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)))
            .filter(|part| part.ends_with(|last: char| last.is_ascii_alphabetic() || last == '%'))
            .map(str::to_owned)
            .collect()
    };
    let own = lengths(value);
    !own.is_empty() && own.is_disjoint(&lengths(relatives))
}

/// Whether two values use other keywords, units or functions, rather than other ways of writing the same.
fn other_words(original_a: &str, original_b: &str) -> bool {
    let words = |value: &str| -> BTreeSet<String> {
        let plain: String = value.to_ascii_lowercase().replace(['"', '\''], "");
        split_top(&plain, ' ')
            .iter()
            .flat_map(|part| part.split(|letter: char| !letter.is_ascii_alphabetic() && letter != '-'))
            .map(|word| word.trim_matches('-').to_owned())
            .filter(|word| !word.is_empty() && !is_initial(word) && word != "px" && word != "important")
            .collect()
    };
    let (a, b) = (words(original_a), words(original_b));
    // Only what the reference has more: a browser that writes more words dropped nothing.
    const LENGTHS: [&str; 14] = [
        "dvh", "svh", "lvh", "dvw", "svw", "lvw", "cqw", "cqh", "cqi", "cqb", "lh", "rlh", "cap", "ic",
    ];
    let functions = |value: &str| -> BTreeSet<String> {
        let value = value.to_ascii_lowercase();
        let names = value.split('(').rev().skip(1);
        names
            .map(|before| {
                let name = before
                    .rsplit(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
                    .next();
                name.unwrap_or("").to_owned()
            })
            .filter(|name| !name.is_empty())
            // Colours and sums are written in many ways.
            .filter(|name| !["rgb", "rgba", "hsl", "hsla", "color", "url", "calc", "var"].contains(&name.as_str()))
            .collect()
    };
    if functions(original_a)
        .difference(&functions(original_b))
        .next()
        .is_some()
    {
        return true;
    }
    a.difference(&b).any(|word| {
        LENGTHS.contains(&word.as_str())
            || [
                "min-content",
                "max-content",
                "fit-content",
                "stretch",
                "color-mix",
                "anchor",
                "balance",
                "pretty",
            ]
            .contains(&word.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(declarations: &[(&str, &str)]) -> StyleRule {
        let owned = declarations
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        StyleRule {
            declarations: owned.collect(),
            ..StyleRule::default()
        }
    }

    #[test]
    fn what_an_engine_writes_by_another_prefix_is_not_lost() {
        let lost = |a: &[(&str, &str)], b: &[(&str, &str)]| -> Vec<String> {
            let lost = lost_declarations(&rule(a), &rule(b));
            lost.into_iter().map(|lost| lost.property).collect()
        };
        let none: [&str; 0] = [];
        assert_eq!(
            lost(&[("-webkit-box-pack", "center")], &[("-moz-box-pack", "center")]),
            none
        );
        assert_eq!(
            lost(
                &[("mask-position", "center center")],
                &[
                    ("-webkit-mask-position-x", "center"),
                    ("-webkit-mask-position-y", "center")
                ],
            ),
            none
        );
        assert_eq!(
            lost(
                &[("field-sizing", "content"), ("-webkit-box-pack", "center")],
                &[("box-shadow", "none")]
            ),
            ["field-sizing", "-webkit-box-pack"]
        );
    }
}
