//! Invariants as DoDOM was published: the tree of the first run, pruned by every other.
//!
//! A node goes, and a dummy takes its place to hold the tree together, when too few of its fields match the node at the
//! same place, when it has more children than that node, or when there is no such node. Children are told apart by their
//! position alone, which is why one more entry at the head of a list costs the whole list.

use crate::measure::Measure;
use crate::tree::{Tree, TreeNode};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invariant {
    pub tag: String,
    pub fields: Vec<(String, String)>,
    /// It only holds the tree together.
    pub dummy: bool,
    pub children: Vec<Invariant>,
}

/// A place at which a tree does not have what the invariants ask for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    /// `#page > #document > html[0] > body[1]`
    pub path: String,
    pub why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    Contents,
    FewerChildren,
    Missing,
}

impl Invariant {
    /// What the first run leaves: everything.
    pub fn first(tree: &Tree) -> Invariant {
        from(tree, tree.root())
    }

    /// `threshold`: the share of a node's fields that must match, 0.95 in the paper.
    pub fn prune(&mut self, tree: &Tree, threshold: f64) {
        prune(self, tree, Some(tree.root()), threshold);
    }

    pub fn mismatches(&self, tree: &Tree, threshold: f64) -> Vec<Mismatch> {
        let mut found = Vec::new();
        mismatches(self, tree, Some(tree.root()), threshold, &self.tag, &mut found);
        found
    }

    pub fn measure(&self) -> Measure {
        let mut measure = Measure::default();
        count(self, &mut measure);
        measure
    }
}

fn from(tree: &Tree, node: &TreeNode) -> Invariant {
    Invariant {
        tag: node.tag.clone(),
        fields: node.fields.clone(),
        dummy: false,
        children: tree.children(node).map(|child| from(tree, child)).collect(),
    }
}

fn prune(invariant: &mut Invariant, tree: &Tree, node: Option<&TreeNode>, threshold: f64) {
    for (position, child) in invariant.children.iter_mut().enumerate() {
        prune(child, tree, child_at(tree, node, position), threshold);
    }
    if differs(invariant, node, threshold).is_some() {
        invariant.dummy = true;
        invariant.fields.clear();
    }
    // A dummy with nothing below it holds nothing together.
    while invariant
        .children
        .last()
        .is_some_and(|child| child.dummy && child.children.is_empty())
    {
        invariant.children.pop();
    }
}

fn mismatches(
    invariant: &Invariant,
    tree: &Tree,
    node: Option<&TreeNode>,
    threshold: f64,
    path: &str,
    found: &mut Vec<Mismatch>,
) {
    if let Some(why) = differs(invariant, node, threshold).filter(|_| !invariant.dummy) {
        found.push(Mismatch {
            path: path.to_owned(),
            why,
        });
    }
    for (position, child) in invariant.children.iter().enumerate() {
        let path = format!("{path} > {}[{position}]", child.tag);
        mismatches(child, tree, child_at(tree, node, position), threshold, &path, found);
    }
}

fn child_at<'a>(tree: &'a Tree, node: Option<&'a TreeNode>, position: usize) -> Option<&'a TreeNode> {
    node?.children.get(position).map(|&child| &tree.nodes[child])
}

fn differs(invariant: &Invariant, node: Option<&TreeNode>, threshold: f64) -> Option<Why> {
    let Some(node) = node else {
        return Some(Why::Missing);
    };
    if invariant.dummy {
        return None;
    }
    // The tag is a field as the others are.
    let matching = invariant
        .fields
        .iter()
        .filter(|field| node.fields.binary_search(field).is_ok())
        .count()
        + usize::from(invariant.tag == node.tag);
    let share = matching as f64 / (invariant.fields.len() + 1) as f64;
    if share < threshold {
        Some(Why::Contents)
    } else if invariant.children.len() > node.children.len() {
        Some(Why::FewerChildren)
    } else {
        None
    }
}

/// Returns the height of the subtree and the number of its nodes that are held.
fn count(invariant: &Invariant, measure: &mut Measure) -> (u64, u64) {
    let below: Vec<(u64, u64)> = invariant.children.iter().map(|child| count(child, measure)).collect();
    let height = below.iter().map(|(height, _)| height + 1).max().unwrap_or(0);
    let descendants = below.iter().map(|(_, nodes)| nodes).sum();
    if invariant.dummy {
        return (height, descendants);
    }
    measure.add(1, invariant.children.len() as u64, height, descendants);
    (height, descendants + 1)
}
