//! Declarations that the reference kept and the other browser dropped.
//!
//! A browser leaves out of the CSSOM what it does not understand, so the reference's parsed rules hold the author's
//! text of what is missing from the other's. Engines also write the same rule differently: a shorthand falls into
//! different longhands. So a declaration counts as dropped only where it says something (not its initial value) and the
//! other browser has nothing of that name in that rule.

use super::matches::{Answer, any};
use super::properties::is_initial;
use super::selector::{Complex, parse, split_top};
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
        let mut sheets: BTreeSet<&str> = BTreeSet::new();
        for rule in other.rules.iter() {
            theirs.entry(key(rule)).or_default().push(rule);
            sheets.insert(&rule.sheet);
        }
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut rules = Vec::new();
        for rule in reference.rules.iter() {
            // A sheet that could not be read or did not load says nothing about support.
            if !sheets.contains(rule.sheet.as_str()) {
                continue;
            }
            let key = key(rule);
            let nth = seen.entry(key.clone()).or_insert(0);
            let partner = theirs.get(&key).and_then(|rules| rules.get(*nth));
            *nth += 1;
            let what = match partner {
                Some(partner) => lost_declarations(rule, partner),
                None => vec![LostDeclaration {
                    property: String::new(),
                    text: rule.selector.clone(),
                }],
            };
            if !what.is_empty() {
                rules.push(Lost {
                    selectors: parse(&rule.selector),
                    selector: rule.selector.clone(),
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
            let answer = document
                .node(id)
                .map_or(Answer::No, |node| any(document, &lost.selectors, node));
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

/// Which rule it is, as far as engines write it alike.
fn key(rule: &StyleRule) -> String {
    let plain = |text: &str| -> String {
        text.chars()
            .filter(|letter| !letter.is_whitespace() && *letter != '"' && *letter != '\'')
            .collect::<String>()
            .to_ascii_lowercase()
            .replace("::", ":")
    };
    // Conditions are written too differently to compare; their number is not.
    let kinds: Vec<&str> = rule
        .within
        .iter()
        .map(|condition| condition.split([' ', '(']).next().unwrap_or(""))
        .collect();
    format!("{}\n{}\n{}", rule.sheet, kinds.join(" "), plain(&rule.selector))
}

fn lost_declarations(reference: &StyleRule, other: &StyleRule) -> Vec<LostDeclaration> {
    let family = |property: &str| {
        let bare = property.trim_start_matches("-webkit-").trim_start_matches("-moz-");
        bare.split('-').next().unwrap_or(bare).to_owned()
    };
    let known: BTreeMap<&str, &str> = other
        .declarations
        .iter()
        .map(|(property, value)| (property.as_str(), value.as_str()))
        .collect();
    let families: BTreeSet<String> = known.keys().map(|property| family(property)).collect();
    let mut lost = Vec::new();
    for (property, value) in &reference.declarations {
        let text = || format!("{property}: {value}");
        match known.get(property.as_str()) {
            Some(theirs) if !other_words(value, theirs) => {}
            Some(_) => lost.push(LostDeclaration {
                property: property.clone(),
                text: text(),
            }),
            // Where they have others of the family, this one may just be written another way.
            None if is_initial(value) && families.contains(&family(property)) => {}
            None if property.starts_with("--") || is_initial(value) => {}
            None if unprefixed(property).is_some_and(|bare| known.contains_key(bare)) => {}
            None => lost.push(LostDeclaration {
                property: property.clone(),
                text: text(),
            }),
        }
    }
    lost
}

fn unprefixed(property: &str) -> Option<&str> {
    property
        .strip_prefix("-webkit-")
        .or_else(|| property.strip_prefix("-moz-"))
        .or_else(|| property.strip_prefix("-ms-"))
}

/// Whether two values use other keywords, units or functions, rather than other ways of writing the same.
fn other_words(a: &str, b: &str) -> bool {
    let words = |value: &str| -> BTreeSet<String> {
        let plain: String = value.to_ascii_lowercase().replace(['"', '\''], "");
        split_top(&plain, ' ')
            .iter()
            .flat_map(|part| part.split(|letter: char| !letter.is_ascii_alphabetic() && letter != '-'))
            .map(|word| word.trim_matches('-').to_owned())
            .filter(|word| !word.is_empty() && !is_initial(word) && word != "px" && word != "important")
            .collect()
    };
    let (a, b) = (words(a), words(b));
    // Only what the reference has more: a browser that writes more words dropped nothing.
    const LENGTHS: [&str; 14] = [
        "dvh", "svh", "lvh", "dvw", "svw", "lvw", "cqw", "cqh", "cqi", "cqb", "lh", "rlh", "cap", "ic",
    ];
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
