//! Which sheet of one browser is which of the other's.
//!
//! A sheet without an address is named by its place among those. One that a page adds in one browser only puts all that follow
//! one place further, so such sheets are known by what stands in them.

use super::dropped::plain;
use std::collections::{BTreeMap, BTreeSet};
use xcheck_trace::page::StyleRule;

/// By the other browser's name of a sheet, the reference's.
pub(super) struct Partners<'a>(BTreeMap<&'a str, &'a str>);

type Selectors<'a> = BTreeMap<&'a str, BTreeSet<String>>;

impl<'a> Partners<'a> {
    pub(super) fn between(reference: &'a [StyleRule], other: &'a [StyleRule]) -> Self {
        let mut mine = unnamed(reference);
        let mut theirs = unnamed(other);
        let mut partners = BTreeMap::new();
        let mut pair = |mine: &mut Selectors<'a>, theirs: &mut Selectors<'a>, my: &'a str, their: &'a str| {
            mine.remove(my);
            theirs.remove(their);
            partners.insert(their, my);
        };
        let at_the_same_place = |mine: &Selectors<'a>, theirs: &Selectors<'a>, is_it: fn(usize, usize) -> bool| {
            let both = mine.iter().filter_map(|(my, selectors)| {
                let (their, others) = theirs.get_key_value(my)?;
                is_it(shared(selectors, others), selectors.len().min(others.len())).then_some((*my, *their))
            });
            both.collect::<Vec<_>>()
        };
        for (my, their) in at_the_same_place(&mine, &theirs, is_alike) {
            pair(&mut mine, &mut theirs, my, their);
        }
        for my in mine.keys().copied().collect::<Vec<_>>() {
            let selectors = &mine[my];
            let alike = theirs.iter().filter_map(|(their, others)| {
                let shared = shared(selectors, others);
                is_alike(shared, selectors.len().min(others.len())).then_some((shared, *their))
            });
            if let Some((_, their)) = alike.max_by_key(|(shared, _)| *shared) {
                pair(&mut mine, &mut theirs, my, their);
            }
        }
        // Where one browser understood next to nothing of it.
        for (my, their) in at_the_same_place(&mine, &theirs, |_, _| true) {
            pair(&mut mine, &mut theirs, my, their);
        }
        // One that is the other browser's alone is nobody's.
        for their in theirs.into_keys() {
            partners.insert(their, "");
        }
        Partners(partners)
    }

    /// The reference's name of the other browser's sheet that this rule stands in.
    pub(super) fn sheet_of(&self, rule: &'a StyleRule) -> &'a str {
        self.0.get(rule.sheet.as_str()).copied().unwrap_or(&rule.sheet)
    }
}

fn unnamed(rules: &[StyleRule]) -> Selectors<'_> {
    let mut sheets: Selectors<'_> = BTreeMap::new();
    for rule in rules.iter().filter(|rule| rule.sheet.starts_with('#')) {
        sheets.entry(&rule.sheet).or_default().insert(plain(&rule.selector));
    }
    sheets
}

fn shared(one: &BTreeSet<String>, other: &BTreeSet<String>) -> usize {
    one.intersection(other).count()
}

fn is_alike(shared: usize, of: usize) -> bool {
    shared > 0 && shared * 2 >= of
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(sheets: &[(&str, &[&str])]) -> Vec<StyleRule> {
        let of = |(sheet, selectors): &(&str, &[&str])| {
            let rule = |selector: &&str| StyleRule {
                sheet: (*sheet).to_owned(),
                selector: (*selector).to_owned(),
                ..StyleRule::default()
            };
            selectors.iter().map(rule).collect::<Vec<_>>()
        };
        sheets.iter().flat_map(of).collect()
    }

    fn check(reference: &[(&str, &[&str])], other: &[(&str, &[&str])], expected: &[&str]) {
        let (reference, other) = (rules(reference), rules(other));
        let partners = Partners::between(&reference, &other);
        let names: Vec<&str> = other.iter().map(|rule| partners.sheet_of(rule)).collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn sheets_are_known_by_what_stands_in_them() {
        let all: &[(&str, &[&str])] = &[
            ("#1", &["body"]),
            ("#2", &["i"]),
            ("#3", &["#x", "::before"]),
            ("a.css", &["p"]),
        ];
        check(all, all, &["#1", "#2", "#3", "#3", "a.css"]);
        // The first is one browser's own.
        check(
            all,
            &[("#1", &["i"]), ("#2", &["#x", ":before"]), ("a.css", &["p"])],
            &["#2", "#3", "#3", "a.css"],
        );
        check(
            &[("#1", &["i"]), ("#2", &["#x"])],
            all,
            &["", "#1", "#2", "#2", "a.css"],
        );
    }

    #[test]
    fn one_that_a_browser_makes_little_of_is_the_one_at_its_place() {
        check(
            &[("#1", &["a:new", "b:new", "i"]), ("#2", &["u"])],
            &[("#1", &["i"]), ("#2", &["u"])],
            &["#1", "#2"],
        );
        check(
            &[("#1", &["a:new"]), ("#2", &["u"])],
            &[("#1", &["@layer"]), ("#2", &["u"])],
            &["#1", "#2"],
        );
    }
}
