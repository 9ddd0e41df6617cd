//! What is known of a node and all below it. A single run is a template too, with everything in it seen once; learning
//! is nothing but merging templates: of runs with each other, and of the entries of a list with each other.

use crate::align::{Alignment, align};
use crate::lists;
use crate::tree::{Tree, TreeNode};
use crate::value::{Value, shape};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    pub tag: String,
    /// The tag with role, type and classes as they were first seen: what a person would call the same kind of thing.
    pub kind: String,
    /// How often it was there. It is always there when that is as often as its parent.
    pub seen: u32,
    pub fields: BTreeMap<String, Field>,
    /// Entries of a list that are held as one: how many there were. `seen` counts all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<Repeats>,
    /// Children came in more than one order.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unordered: bool,
    /// Nothing is asked of it but to be there: what was learnt of it does not even hold for the runs it was learnt from,
    /// because nobody could tell which of its children was which.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loose: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Template>,
    /// Index in the tree, while this is a single run.
    #[serde(skip)]
    pub(crate) node: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    pub value: Value,
    pub seen: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeats {
    pub least: u32,
    pub most: u32,
}

impl Repeats {
    pub(crate) fn of(counts: impl Iterator<Item = u32> + Clone) -> Repeats {
        Repeats {
            least: counts.clone().min().unwrap_or(0),
            most: counts.max().unwrap_or(0),
        }
    }

    fn or(self, other: Repeats) -> Repeats {
        Repeats {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
        }
    }
}

impl Template {
    pub(crate) fn of(tree: &Tree) -> Template {
        from(tree, 0)
    }

    /// Takes in what was seen in other runs, or in another entry of the same list. Returns how many of its constraints
    /// had to be given up: none says that there was nothing to learn.
    pub(crate) fn merge(&mut self, other: Template) -> u64 {
        let mut given_up = 0;
        for (name, field) in other.fields {
            given_up += self.merge_field(name, field);
        }
        given_up += u64::from(other.unordered && !self.unordered);
        self.unordered |= other.unordered;
        given_up += self.merge_children(other.children, other.seen);
        self.seen += other.seen;
        given_up
    }

    pub(crate) fn merge_field(&mut self, name: String, field: Field) -> u64 {
        let Some(known) = self.fields.get_mut(&name) else {
            self.fields.insert(name, field);
            return 1;
        };
        let before = narrowness(&known.value);
        let value = std::mem::replace(&mut known.value, Value::Volatile);
        known.value = value.merge(known.seen, field.value, field.seen);
        known.seen += field.seen;
        u64::from(before != narrowness(&known.value))
    }

    pub(crate) fn merge_children(&mut self, mut others: Vec<Template>, other_seen: u32) -> u64 {
        let mut given_up = 0;
        for kind in lists::to_gather(&self.children, self.seen, &others) {
            given_up += lists::gather(&mut self.children, &kind, self.seen);
            lists::gather(&mut others, &kind, other_seen);
        }
        let Alignment { pairs, crossed } = align(
            &self.children.iter().collect::<Vec<_>>(),
            &others.iter().collect::<Vec<_>>(),
        );
        given_up += u64::from(crossed && !self.unordered);
        self.unordered |= crossed;

        let mut taken: Vec<Option<Template>> = others.into_iter().map(Some).collect();
        let mut met = vec![false; self.children.len()];
        // After which child of ours each of theirs stands.
        let mut after: Vec<Option<usize>> = vec![None; taken.len()];
        for &(mine, theirs) in &pairs {
            met[mine] = true;
            after[theirs] = Some(mine);
            if let Some(other) = taken[theirs].take() {
                given_up += self.children[mine].meet(other);
            }
        }
        for (child, _) in self.children.iter_mut().zip(&met).filter(|(_, met)| !**met) {
            given_up += child.miss(self.seen);
        }
        let mut last = None;
        let mut added = Vec::new();
        for (position, other) in taken.into_iter().enumerate() {
            last = after[position].or(last);
            if let Some(mut other) = other {
                given_up += 1;
                other.miss(0);
                added.push((last.map_or(0, |place| place + 1), other));
            }
        }
        // From the end, so that earlier places stay what they are.
        for (place, other) in added.into_iter().rev() {
            self.children.insert(place, other);
        }
        given_up
    }

    fn meet(&mut self, other: Template) -> u64 {
        let repeats = match (self.repeats, other.repeats) {
            (Some(a), Some(b)) => Some(a.or(b)),
            (a, b) => a.or(b),
        };
        let more = u64::from(repeats != self.repeats);
        self.repeats = repeats;
        more + self.merge(other)
    }

    /// It was not there this time. `parent`: how often the parent had been there before.
    fn miss(&mut self, parent: u32) -> u64 {
        if let Some(repeats) = &mut self.repeats {
            return u64::from(std::mem::take(&mut repeats.least) > 0);
        }
        u64::from(self.seen == parent)
    }

    /// Whether it is there whenever its parent is.
    pub(crate) fn is_required(&self, parent: &Template) -> bool {
        match self.repeats {
            Some(repeats) => repeats.least > 0,
            None => self.seen == parent.seen,
        }
    }

    /// Whether the children were the same in all runs, lists aside.
    pub(crate) fn is_closed(&self) -> bool {
        self.children
            .iter()
            .all(|child| child.repeats.is_some() || child.seen == self.seen)
    }

    /// Whether anything is asked of its content: a text that may be anything is not held.
    pub(crate) fn is_held(&self) -> bool {
        self.tag != "#text" || self.fields.get("text").is_none_or(|text| !text.value.is_open())
    }
}

fn narrowness(value: &Value) -> u8 {
    match value {
        Value::Constant(_) => 0,
        Value::Shape(_) => 1,
        // A value of a few that is seen again is nothing new.
        Value::OneOf(values) => 10 + values.len() as u8,
        Value::Volatile => 100,
    }
}

impl Field {
    pub(crate) fn once(value: &str) -> Field {
        let value = Value::Constant(value.to_owned());
        Field { value, seen: 1 }
    }
}

pub(crate) fn from(tree: &Tree, index: usize) -> Template {
    let node = &tree.nodes[index];
    Template {
        tag: node.tag.clone(),
        kind: kind_of(node),
        seen: 1,
        fields: node
            .fields
            .iter()
            .map(|(name, value)| (name.clone(), Field::once(value)))
            .collect(),
        repeats: None,
        unordered: false,
        loose: false,
        children: node.children.iter().map(|&child| from(tree, child)).collect(),
        node: index,
    }
}

/// `li[role=option].entry.0`
pub(crate) fn kind_of(node: &TreeNode) -> String {
    let mut kind = node.tag.clone();
    for name in ["@role", "@type"] {
        if let Some(value) = node.field(name) {
            kind.push_str(&format!("[{}={value}]", &name[1..]));
        }
    }
    let mut classes: Vec<String> = node
        .field("@class")
        .unwrap_or_default()
        .split_whitespace()
        .map(shape)
        .collect();
    classes.sort();
    classes.dedup();
    for class in classes {
        kind.push('.');
        kind.push_str(&class);
    }
    kind
}
