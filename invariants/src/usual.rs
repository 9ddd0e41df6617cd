//! What pages of the same event have in common, whatever was learnt of them: tells whether a fault changed a page at all, so
//! that what was learnt can be held against it.
//!
//! Nodes are told apart by their kind: tag, id and classes, and those of all they stand in; order is nothing. Ids and
//! classes that not all pages have are made anew each time, and count as any name. Of a kind with as many nodes in all pages
//! the fields count that said the same in all of them, or had the same shape; of the others only how many there are.

use crate::lists;
use crate::template::Repeats;
use crate::tree::{Tree, TreeNode};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

#[derive(Debug, Default)]
pub struct Usual {
    /// Ids and classes that all pages had.
    names: HashSet<String>,
    /// Kinds with as many nodes in all pages.
    still: BTreeMap<Kind, Still>,
    /// How many there were of the others, at least and at most.
    restless: BTreeMap<Kind, Repeats>,
}

/// Stands for tag, id and classes of a node and of all it stands in.
type Kind = u64;

/// What never changed of a kind's nodes.
#[derive(Debug)]
struct Still {
    /// The readings of their fields that were the same in all pages.
    readings: Vec<Reading>,
    /// Whether a node's readings belong together, or only each by itself was the same.
    together: bool,
    nodes: Count,
}

/// How often there is each of them.
type Count = HashMap<String, usize>;

/// A field as it is, or its shape only.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reading {
    field: String,
    shape: bool,
}

impl Usual {
    pub fn of(pages: &[Tree]) -> Usual {
        let names = common_names(pages);
        let seen: Vec<_> = pages.iter().map(|page| kinds(page, &names)).collect();
        let all: BTreeSet<Kind> = seen.iter().flat_map(BTreeMap::keys).copied().collect();
        let mut usual = Usual::default();
        for kind in all {
            let nodes: Vec<&[&TreeNode]> = seen.iter().map(|kinds| of_kind(kinds, kind)).collect();
            let counts = Repeats::of(nodes.iter().map(|nodes| nodes.len() as u32));
            if counts.least == counts.most {
                usual.still.insert(kind, Still::of(&nodes));
            } else {
                usual.restless.insert(kind, counts);
            }
        }
        usual.names = names;
        usual
    }

    /// Whether the page is another one than those.
    pub fn is_changed_in(&self, page: &Tree) -> bool {
        let seen = kinds(page, &self.names);
        let lost = |(&kind, still): (&Kind, &Still)| !still.is_in(of_kind(&seen, kind));
        let out_of_range = |(&kind, &counts): (&Kind, &Repeats)| {
            !lists::allowed(counts).contains(&(of_kind(&seen, kind).len() as u32))
        };
        let unheard_of = |kind: &Kind| !self.still.contains_key(kind) && !self.restless.contains_key(kind);
        self.still.iter().any(lost) || self.restless.iter().any(out_of_range) || seen.keys().any(unheard_of)
    }
}

impl Still {
    /// `pages` have as many nodes each.
    fn of(pages: &[&[&TreeNode]]) -> Still {
        let fields: BTreeSet<&String> = pages
            .iter()
            .flat_map(|nodes| nodes.iter())
            .flat_map(|node| node.fields.iter().map(|(name, _)| name))
            .collect();
        let first = pages.first().copied().unwrap_or_default();
        let is_still = |still: &Still| pages.iter().all(|nodes| still.count(nodes) == still.count(first));
        let mut still = Still {
            readings: vec![],
            together: true,
            nodes: Count::new(),
        };
        for field in fields {
            let readings = [false, true].map(|shape| Reading {
                field: field.clone(),
                shape,
            });
            let alone = |reading: &Reading| Still {
                readings: vec![reading.clone()],
                together: true,
                nodes: Count::new(),
            };
            still
                .readings
                .extend(readings.into_iter().find(|reading| is_still(&alone(reading))));
        }
        still.together = is_still(&still);
        still.nodes = still.count(first);
        still
    }

    fn is_in(&self, nodes: &[&TreeNode]) -> bool {
        self.count(nodes) == self.nodes
    }

    fn count(&self, nodes: &[&TreeNode]) -> Count {
        let mut count = Count::new();
        for node in nodes {
            let said = self.readings.iter().map(|reading| reading.of(node));
            if self.together {
                *count.entry(said.collect::<Vec<_>>().join("\u{2}")).or_default() += 1;
            } else {
                for said in said {
                    *count.entry(said).or_default() += 1;
                }
            }
        }
        count
    }
}

impl Reading {
    fn of(&self, node: &TreeNode) -> String {
        let value = value(node, &self.field);
        let value = value.map(|value| if self.shape { shape(value) } else { value.to_owned() });
        format!("{}\u{1}{}", self.field, value.as_deref().unwrap_or("\u{3}"))
    }
}

/// Whether two pages show the same, in whatever order.
pub fn same(one: &Tree, other: &Tree) -> bool {
    let whole = |page: &Tree| {
        let mut count = HashMap::<String, usize>::new();
        for parent in &page.nodes {
            for node in page.children(parent) {
                *count
                    .entry(format!("{} {:?} {:?}", parent.tag, node.tag, node.fields))
                    .or_default() += 1;
            }
        }
        count
    };
    whole(one) == whole(other)
}

fn of_kind<'a, 'b>(kinds: &'b BTreeMap<Kind, Vec<&'a TreeNode>>, kind: Kind) -> &'b [&'a TreeNode] {
    kinds.get(&kind).map_or(&[], Vec::as_slice)
}

fn common_names(pages: &[Tree]) -> HashSet<String> {
    let names = |page: &Tree| -> HashSet<String> {
        let named = page.nodes.iter().flat_map(names);
        named.map(str::to_owned).collect()
    };
    let mut pages = pages.iter();
    let first = pages.next().map(names).unwrap_or_default();
    pages.fold(first, |common, page| {
        common.intersection(&names(page)).cloned().collect()
    })
}

fn kinds<'a>(page: &'a Tree, known: &HashSet<String>) -> BTreeMap<Kind, Vec<&'a TreeNode>> {
    let mut kinds = BTreeMap::<Kind, Vec<&TreeNode>>::new();
    let mut open = vec![(page.root(), Kind::default())];
    while let Some((parent, above)) = open.pop() {
        for node in page.children(parent) {
            let kind = kind(node, above, known);
            kinds.entry(kind).or_default().push(node);
            open.push((node, kind));
        }
    }
    kinds
}

fn kind(node: &TreeNode, above: Kind, known: &HashSet<String>) -> Kind {
    let named: BTreeSet<&str> = names(node)
        .map(|name| if known.contains(name) { name } else { "*" })
        .collect();
    let mut hasher = DefaultHasher::new();
    (above, &node.tag, named).hash(&mut hasher);
    hasher.finish()
}

/// Its id and classes.
fn names(node: &TreeNode) -> impl Iterator<Item = &str> {
    let words = |field| value(node, field).unwrap_or_default().split_whitespace();
    words("@id").chain(words("@class"))
}

fn value<'a>(node: &'a TreeNode, field: &str) -> Option<&'a str> {
    let found = node.fields.iter().find(|(known, _)| known == field);
    found.map(|(_, value)| value.as_str())
}

/// Digits and letters are alike, however many follow each other.
fn shape(value: &str) -> String {
    let mut shape = String::new();
    for letter in value.chars() {
        let like = match letter {
            _ if letter.is_numeric() => '0',
            _ if letter.is_alphabetic() => 'a',
            _ => letter,
        };
        if !(matches!(like, '0' | 'a') && shape.ends_with(like)) {
            shape.push(like);
        }
    }
    shape
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
    fn ids_that_are_made_anew_tell_nothing_apart() {
        let page = |id: &str, text: &str| {
            tree(&format!(
                "body\n  label [for={id}]\n    \"Name\"\n  input#{id}\n  p#result.{id}\n    \"{text}\"\n"
            ))
        };
        let usual = Usual::of(&[page("x1a", "done"), page("x2b", "done"), page("x3c", "done")]);
        assert!(!usual.is_changed_in(&page("x9z", "done")));
        assert!(usual.is_changed_in(&page("x9z", "failed")));
        assert!(usual.is_changed_in(&tree("body\n  label [for=x9]\n    \"Name\"\n  input#x9\n")));
    }

    #[test]
    fn what_stands_in_something_else_is_of_another_kind() {
        let page = |first: &str, second: &str| {
            tree(&format!(
                "ul\n  li\n    div\n      \"{first}\"\n  li.done\n    div\n      \"{second}\"\n"
            ))
        };
        let usual = Usual::of(&[page("here", ""), page("here", "")]);
        assert!(usual.is_changed_in(&page("", "here")));
    }

    #[test]
    fn what_changes_each_time_keeps_its_shape() {
        let page = |time: &str| tree(&format!("body\n  p#clock\n    \"{time}\"\n"));
        let usual = Usual::of(&[page("at 10:59"), page("at 11:00"), page("at 9:01")]);
        assert!(!usual.is_changed_in(&page("at 12:13")));
        assert!(usual.is_changed_in(&page("no clock")));
    }

    #[test]
    fn order_is_no_difference() {
        assert!(same(&page(&["a", "b"], "1"), &page(&["b", "a"], "1")));
        assert!(!same(&page(&["a", "b"], "1"), &page(&["b"], "1")));
    }
}
