//! Algorithm 1 against an independent, slower account of the same changes, on random documents.

use crate::state::{Changes, Document, is_text};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use xcheck_trace::page::{DocumentData, Node, NodeId};

/// One thing that happens to a document: which node, and what.
#[derive(Debug, Clone)]
enum Step {
    Add { parent: usize, at: usize, text: bool },
    Remove { node: usize },
    Move { node: usize, parent: usize, at: usize },
    Attribute { node: usize, value: u8 },
    Text { node: usize, value: u8 },
    Shift { node: usize, by: u8 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let place = 0_usize..64;
    let step = prop_oneof![
        4 => (place.clone(), place.clone(), any::<bool>()).prop_map(|(parent, at, text)| Step::Add { parent, at, text }),
        1 => place.clone().prop_map(|node| Step::Remove { node }),
        2 => (place.clone(), place.clone(), place.clone()).prop_map(|(node, parent, at)| Step::Move { node, parent, at }),
        1 => (place.clone(), any::<u8>()).prop_map(|(node, value)| Step::Attribute { node, value }),
        1 => (place.clone(), any::<u8>()).prop_map(|(node, value)| Step::Text { node, value }),
        1 => (place.clone(), any::<u8>()).prop_map(|(node, by)| Step::Shift { node, by }),
    ];
    prop::collection::vec(step, 0..24)
}

/// A document as a person would hold it: nodes, and children in order.
#[derive(Clone, Default)]
struct Model {
    nodes: BTreeMap<NodeId, Node>,
    children: BTreeMap<NodeId, Vec<NodeId>>,
    next: NodeId,
}

impl Model {
    fn new() -> Self {
        let mut model = Model::default();
        model.add(0, 0, false);
        model
    }

    fn add(&mut self, parent: NodeId, at: usize, text: bool) {
        self.next += 1;
        let node = Node {
            id: self.next,
            parent,
            tag: if text { "#text" } else { "div" }.to_owned(),
            text: if text { format!("t{}", self.next) } else { String::new() },
            ..Node::default()
        };
        let siblings = self.children.entry(parent).or_default();
        siblings.insert(at.min(siblings.len()), self.next);
        self.nodes.insert(self.next, node);
    }

    fn pick(&self, number: usize) -> NodeId {
        *self.nodes.keys().nth(number % self.nodes.len()).unwrap()
    }

    fn holder(&self, number: usize) -> NodeId {
        let elements: Vec<NodeId> = self
            .nodes
            .values()
            .filter(|node| !is_text(node))
            .map(|node| node.id)
            .collect();
        elements[number % elements.len()]
    }

    fn is_below(&self, id: NodeId, above: NodeId) -> bool {
        let mut next = Some(id);
        while let Some(id) = next {
            if id == above {
                return true;
            }
            next = self.nodes.get(&id).map(|node| node.parent);
        }
        false
    }

    fn remove(&mut self, id: NodeId) {
        for child in self.children.remove(&id).unwrap_or_default() {
            self.remove(child);
        }
        if let Some(node) = self.nodes.remove(&id) {
            self.children
                .get_mut(&node.parent)
                .into_iter()
                .for_each(|list| list.retain(|other| *other != id));
        }
    }

    fn apply(&mut self, step: &Step) {
        match *step {
            Step::Add { parent, at, text } => {
                let parent = self.holder(parent);
                let room = self.children.get(&parent).map_or(0, Vec::len) + 1;
                self.add(parent, at % room, text);
            }
            Step::Remove { node } => {
                let id = self.pick(node);
                if self.nodes[&id].parent != 0 {
                    self.remove(id);
                }
            }
            Step::Move { node, parent, at } => {
                let (id, parent) = (self.pick(node), self.holder(parent));
                if self.nodes[&id].parent == 0 || self.is_below(parent, id) {
                    return;
                }
                let old = self.nodes[&id].parent;
                self.children.get_mut(&old).unwrap().retain(|other| *other != id);
                let siblings = self.children.entry(parent).or_default();
                siblings.insert(at % (siblings.len() + 1), id);
                self.nodes.get_mut(&id).unwrap().parent = parent;
            }
            Step::Attribute { node, value } => {
                let id = self.pick(node);
                let node = self.nodes.get_mut(&id).unwrap();
                if !is_text(node) {
                    node.attributes = vec![("class".to_owned(), format!("c{}", value % 3))];
                }
            }
            Step::Text { node, value } => {
                let id = self.pick(node);
                let node = self.nodes.get_mut(&id).unwrap();
                if is_text(node) {
                    node.text = format!("v{}", value % 3);
                }
            }
            Step::Shift { node, by } => {
                let id = self.pick(node);
                self.nodes.get_mut(&id).unwrap().rect[0] = f32::from(by % 4);
            }
        }
    }

    /// Nodes with their places filled in.
    fn nodes(&self) -> BTreeMap<NodeId, Node> {
        let mut nodes = self.nodes.clone();
        for list in self.children.values() {
            for (index, id) in list.iter().enumerate() {
                nodes.get_mut(id).unwrap().index = index as u32;
            }
        }
        nodes
    }
}

/// The paper's definitions, by comparing two whole documents.
fn expected(before: &Model, after: &Model) -> Changes {
    let (old, new) = (before.nodes(), after.nodes());
    let mut changes = Changes::default();
    for (id, node) in &new {
        let Some(was) = old.get(id) else {
            if is_text(node) {
                changes.text.insert(*id);
                changes.text_parents.insert(node.parent);
            } else {
                changes.added.insert(*id);
            }
            changes.layout.insert(*id);
            continue;
        };
        if was.parent != node.parent {
            if is_text(node) {
                changes.text.insert(*id);
                changes.text_parents.extend([was.parent, node.parent]);
            } else {
                changes.reparented.insert(*id);
            }
        }
        if was.attributes != node.attributes {
            changes.attributes.insert(*id);
        }
        if was.text != node.text {
            changes.text.insert(*id);
            changes.text_parents.insert(node.parent);
        }
        if was.rect != node.rect {
            changes.layout.insert(*id);
        }
    }
    for (id, was) in &old {
        if !new.contains_key(id) {
            if is_text(was) {
                changes.text.insert(*id);
                changes.text_parents.insert(was.parent);
            } else {
                changes.removed.insert(*id);
            }
        }
    }
    changes.text_parents.retain(|id| new.contains_key(id));
    changes
}

/// Elements that stayed under their parent, in order.
fn stayers(
    list: Option<&Vec<NodeId>>,
    parent: NodeId,
    old: &BTreeMap<NodeId, Node>,
    new: &BTreeMap<NodeId, Node>,
) -> Vec<NodeId> {
    let stays = |id: &&NodeId| {
        let here = |nodes: &BTreeMap<NodeId, Node>| {
            nodes
                .get(*id)
                .is_some_and(|node| node.parent == parent && !is_text(node))
        };
        here(old) && here(new)
    };
    list.into_iter().flatten().filter(stays).copied().collect()
}

/// Taking the reordered ones out leaves the same order, and no smaller set would do (checked by trying all when few).
fn check_reordered(before: &Model, after: &Model, reordered: &BTreeSet<NodeId>) {
    let (old, new) = (before.nodes(), after.nodes());
    let mut accounted = BTreeSet::new();
    for parent in after.children.keys() {
        let was = stayers(before.children.get(parent), *parent, &old, &new);
        let is = stayers(after.children.get(parent), *parent, &old, &new);
        let without = |list: &[NodeId], out: &BTreeSet<NodeId>| -> Vec<NodeId> {
            list.iter().copied().filter(|id| !out.contains(id)).collect()
        };
        assert_eq!(without(&was, reordered), without(&is, reordered));
        let here: BTreeSet<NodeId> = is.iter().copied().filter(|id| reordered.contains(id)).collect();
        if is.len() <= 10 {
            for mask in 0_u32..1 << is.len() {
                let out: BTreeSet<NodeId> = is
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| mask & (1 << at) != 0)
                    .map(|(_, id)| *id)
                    .collect();
                assert!(out.len() >= here.len() || without(&was, &out) != without(&is, &out));
            }
        }
        accounted.extend(here);
    }
    assert_eq!(&accounted, reordered);
}

fn whole(model: &Model) -> DocumentData {
    DocumentData {
        load: 1,
        whole: true,
        nodes: model.nodes().into_values().collect(),
        ..DocumentData::default()
    }
}

/// What a collector would send: nodes that differ, and the roots of what is gone.
fn increment(before: &Model, after: &Model) -> DocumentData {
    let (old, new) = (before.nodes(), after.nodes());
    DocumentData {
        load: 1,
        nodes: new
            .iter()
            .filter(|(id, node)| old.get(id) != Some(node))
            .map(|(_, node)| node.clone())
            .collect(),
        removed: old
            .values()
            .filter(|node| !new.contains_key(&node.id) && new.contains_key(&node.parent))
            .map(|node| node.id)
            .collect(),
        ..DocumentData::default()
    }
}

proptest! {
    #[test]
    fn mutations_are_those_of_the_definition(before in steps(), after in steps(), shuffle in any::<u64>()) {
        let mut model = Model::new();
        before.iter().for_each(|step| model.apply(step));
        let old = model.clone();
        after.iter().for_each(|step| model.apply(step));

        for data in [increment(&old, &model), whole(&model)] {
            let mut document = Document::default();
            document.apply(whole(&old));
            let mut data = data;
            let turn = shuffle as usize % data.nodes.len().max(1);
            data.nodes.rotate_left(turn);
            let mut found = document.apply(data);
            let reordered = std::mem::take(&mut found.reordered);
            prop_assert_eq!(found, expected(&old, &model));
            check_reordered(&old, &model, &reordered);

            let mut fresh = Document::default();
            fresh.apply(whole(&model));
            prop_assert_eq!(document.fingerprint(), fresh.fingerprint());
            prop_assert_eq!(document.all(), fresh.all());
        }
    }
}
