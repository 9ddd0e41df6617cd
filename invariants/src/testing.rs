//! Pages for tests, written as an outline: `li.entry [href=/a]` and `"text"`, two spaces for each level.

use crate::tree::{Tree, TreeNode};
use crate::{Deviates, Learner, Template};
use xcheck_trace::page::{DocumentData, Node, PageData};
use xcheck_trace::run::Place;

pub(crate) fn page(outline: &str) -> PageData {
    let mut nodes: Vec<Node> = Vec::new();
    // Last node of each level, and how many children it has.
    let mut above: Vec<(u32, u32)> = vec![(0, 0)];
    let lines = outline.lines().filter(|line| !line.trim().is_empty());
    let least = lines
        .clone()
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    for (number, line) in (1..).zip(lines) {
        let level = (line.len() - line.trim_start().len() - least) / 2;
        above.truncate(level + 1);
        let (parent, index) = above[level];
        above[level].1 += 1;
        let mut node = node(line.trim());
        (node.id, node.parent, node.index) = (number, parent, index);
        above.push((number, 0));
        nodes.push(node);
    }
    let document = DocumentData {
        load: 1,
        whole: true,
        nodes,
        ..DocumentData::default()
    };
    PageData {
        documents: vec![document],
    }
}

fn node(line: &str) -> Node {
    let mut node = Node {
        visible: true,
        ..Node::default()
    };
    if let Some(text) = line.strip_prefix('"') {
        node.tag = "#text".into();
        node.text = text.trim_end_matches('"').into();
        return node;
    }
    let mut words = line.split(" [");
    let name = words.next().unwrap_or_default();
    let mut classes = name.split('.');
    let tag = classes.next().unwrap_or_default();
    let classes: Vec<&str> = classes.collect();
    let (tag, id) = tag.split_once('#').unwrap_or((tag, ""));
    node.tag = tag.into();
    for (name, value) in [("id", id.to_owned()), ("class", classes.join(" "))] {
        if !value.is_empty() {
            node.attributes.push((name.into(), value));
        }
    }
    for word in words {
        let (name, value) = word.trim_end_matches(']').split_once('=').unwrap_or((word, ""));
        node.attributes.push((name.into(), value.into()));
    }
    node.attributes.sort();
    node
}

pub(crate) fn tree(outline: &str) -> Tree {
    Tree::of(&page(outline))
}

/// What is learnt from pages that were seen after the same event, one for each run.
pub(crate) fn learnt(runs: &[String]) -> Template {
    let mut learner = Learner::default();
    for run in runs {
        learner.run([(
            Place {
                number: 1,
                load: 1,
                event: 1,
            },
            "load",
            &page(run),
        )]);
    }
    learner.model().events.remove(0).page
}

/// `li.entry text: Bread -> Butter`, one line for each deviation.
pub(crate) fn deviations(known: &Template, outline: &str) -> Vec<String> {
    let lines = known.deviations(&tree(outline)).into_iter().map(|found| {
        let last = found.path.rsplit(" > ").next().unwrap_or_default().to_owned();
        let what = match found.kind {
            Deviates::Field(name) => name,
            other => format!("{other:?}").to_lowercase(),
        };
        format!("{last} {what}: {} -> {}", found.expected, found.actual)
    });
    lines.collect()
}

/// Every node of a tree, each said to be at its place.
pub(crate) fn node_count(tree: &Tree) -> u64 {
    let is_node = |node: &&TreeNode| node.source.is_some();
    tree.nodes.iter().filter(is_node).count() as u64
}
