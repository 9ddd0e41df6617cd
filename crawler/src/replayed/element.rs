//! What something was done to, found again in a page by the name that the trace's events have for it.

use crate::model::Label;
use std::collections::{BTreeMap, HashMap};
use xcheck_trace::page::{DocumentData, Node, NodeId, PageData};

#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// `html>body>div:2>img:1`, as locators write it.
    pub path: String,
    /// x, y, width, height on the whole page.
    pub rect: [f32; 4],
}

/// Nothing where it is not there, or where several could be meant.
pub(super) fn find(label: &Label, page: &PageData) -> Option<Element> {
    let mut found = page.documents.iter().flat_map(|document| {
        let paths = Paths::of(document);
        let is_meant = move |node: &&Node| is_named(node, label) && node.visible;
        let named = document.nodes.iter().filter(is_meant);
        let named: Vec<Element> = named
            .map(|node| Element {
                path: paths.to(node),
                rect: node.rect,
            })
            .collect();
        let by_path = document.nodes.iter().filter(|node| {
            label.locator.ends_with(|last: char| last.is_ascii_digit())
                && label.locator.contains('>')
                && paths.to(node) == label.locator
        });
        let by_path: Vec<Element> = by_path
            .map(|node| Element {
                path: label.locator.clone(),
                rect: node.rect,
            })
            .collect();
        named.into_iter().chain(by_path)
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

fn is_named(node: &Node, label: &Label) -> bool {
    let attribute = |name: &str| {
        let found = node.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    };
    if let Some(id) = label.locator.strip_prefix('#') {
        return attribute("id") == Some(id);
    }
    if let Some((name, value)) = label.locator.strip_prefix('[').and_then(|rest| rest.split_once('=')) {
        return attribute(name) == Some(value.trim_end_matches(']').trim_matches('"'));
    }
    !label.text.is_empty()
        && ["alt", "aria-label", "title", "value"]
            .iter()
            .any(|name| attribute(name) == Some(label.text.as_str()))
}

struct Paths<'a> {
    nodes: HashMap<NodeId, &'a Node>,
    /// Among the siblings of its tag, from 1.
    numbers: HashMap<NodeId, u32>,
}

impl<'a> Paths<'a> {
    fn of(document: &'a DocumentData) -> Paths<'a> {
        let mut nodes: Vec<&Node> = document.nodes.iter().collect();
        nodes.sort_by_key(|node| (node.parent, node.index, node.id));
        let mut counts: BTreeMap<(NodeId, &str), u32> = BTreeMap::new();
        let numbers = nodes
            .iter()
            .map(|node| {
                let count = counts.entry((node.parent, node.tag.as_str())).or_default();
                *count += 1;
                (node.id, *count)
            })
            .collect();
        Paths {
            nodes: document.nodes.iter().map(|node| (node.id, node)).collect(),
            numbers,
        }
    }

    fn to(&self, node: &Node) -> String {
        let mut steps = Vec::new();
        let mut at = Some(node);
        while let Some(node) = at
            && steps.len() < 256
        {
            steps.push(match node.tag.as_str() {
                "html" | "head" | "body" | "#shadow" => node.tag.clone(),
                tag => format!("{tag}:{}", self.numbers.get(&node.id).copied().unwrap_or(1)),
            });
            at = self.nodes.get(&node.parent).copied();
        }
        steps.reverse();
        steps.join(">")
    }
}
