//! What pages of the same event have in common, whatever was learnt of them: tells whether a fault changed a page at all, so
//! that what was learnt can be held against it.
//!
//! Nodes are told apart by their kind: tag, id and classes, and those of their parent; order and depth are nothing. Of a
//! kind whose nodes were the same in all pages any other node counts. Of the others only how many there are.

use crate::tree::{Tree, TreeNode};
use std::collections::{BTreeMap, HashMap};

/// By kind, the fields of its nodes, with how many have them.
type Kinds = BTreeMap<String, HashMap<String, u32>>;

#[derive(Debug, Default)]
pub struct Usual {
    /// Kinds whose nodes never changed.
    still: Kinds,
    /// How many there were of the others, at least and at most.
    restless: BTreeMap<String, (u32, u32)>,
}

impl Usual {
    pub fn of(pages: &[Tree]) -> Usual {
        let mut usual = Usual::default();
        let seen: Vec<Kinds> = pages.iter().map(kinds).collect();
        let all: std::collections::BTreeSet<&String> = seen.iter().flat_map(BTreeMap::keys).collect();
        for kind in all {
            let of_kind: Vec<Option<&HashMap<String, u32>>> = seen.iter().map(|kinds| kinds.get(kind)).collect();
            match of_kind[0] {
                Some(first) if of_kind.iter().all(|other| *other == Some(first)) => {
                    usual.still.insert(kind.clone(), first.clone());
                }
                _ => {
                    let counts = of_kind.iter().map(|nodes| nodes.map_or(0, total));
                    let least = counts.clone().min().unwrap_or(0);
                    usual.restless.insert(kind.clone(), (least, counts.max().unwrap_or(0)));
                }
            }
        }
        usual
    }

    /// Whether the page is another one than those.
    pub fn is_changed_in(&self, page: &Tree) -> bool {
        let seen = kinds(page);
        let lost = self.still.iter().any(|(kind, nodes)| seen.get(kind) != Some(nodes));
        let count = |kind: &String| seen.get(kind).map_or(0, total);
        let out_of_range = self.restless.iter().any(|(kind, &(least, most))| {
            // As much again as it varied, but what was always there does not go.
            let slack = most - least;
            let least = least.saturating_sub(slack).max(least.min(1));
            !(least..=most + slack).contains(&count(kind))
        });
        let unheard_of = |kind: &String| !self.still.contains_key(kind) && !self.restless.contains_key(kind);
        lost || out_of_range || seen.keys().any(unheard_of)
    }
}

/// Whether two pages show the same, in whatever order.
pub fn same(one: &Tree, other: &Tree) -> bool {
    kinds(one) == kinds(other)
}

fn total(nodes: &HashMap<String, u32>) -> u32 {
    nodes.values().sum()
}

fn kinds(page: &Tree) -> Kinds {
    let mut kinds = Kinds::new();
    for parent in &page.nodes {
        for node in page.children(parent) {
            let fields: Vec<String> = node
                .fields
                .iter()
                .map(|(name, value)| format!("{name}\u{1}{value}"))
                .collect();
            let of_kind = kinds.entry(format!("{} > {}", kind(parent), kind(node))).or_default();
            *of_kind.entry(fields.join("\u{2}")).or_default() += 1;
        }
    }
    kinds
}

fn kind(node: &TreeNode) -> String {
    let field = |name: &str| {
        let found = node.fields.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.as_str())
    };
    format!("{}#{}.{}", node.tag, field("@id"), field("@class"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::tree;

    fn page(titles: &[&str], total: &str) -> Tree {
        let entries: String = titles
            .iter()
            .map(|title| format!("    li.entry\n      \"{title}\"\n"))
            .collect();
        tree(&format!("body\n  ul\n{entries}  output#total\n    \"{total}\"\n"))
    }

    #[test]
    fn what_never_changed_may_not_and_of_what_did_only_the_number_counts() {
        let usual = Usual::of(&[
            page(&["a", "b"], "12"),
            page(&["c", "a", "d"], "12"),
            page(&["d", "e"], "12"),
        ]);
        assert!(!usual.is_changed_in(&page(&["x", "y"], "12")));
        assert!(usual.is_changed_in(&page(&["a", "b"], "13")));
        assert!(usual.is_changed_in(&page(&[], "12")));
        assert!(usual.is_changed_in(&tree("body\n  ul\n    li.entry\n      \"a\"\n")));
    }

    #[test]
    fn order_is_no_difference() {
        assert!(same(&page(&["a", "b"], "1"), &page(&["b", "a"], "1")));
        assert!(!same(&page(&["a", "b"], "1"), &page(&["b"], "1")));
    }
}
