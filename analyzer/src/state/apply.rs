//! Brings a document up to date with one checkpoint's data and says what that changed.

use super::changes::{Changes, moved};
use super::geometry::sanitize;
use super::{ABOVE_ROOT, ById, Document, Style, has_live, is_text};
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use xcheck_trace::page::{DocumentData, FOCUSED, Node, NodeId};

impl Document {
    /// Changes since the data applied before, whether this one is whole or an increment.
    pub(crate) fn apply(&mut self, data: DocumentData) -> Changes {
        self.load = data.load;
        self.url = data.url;
        self.path = data.path;
        self.viewport = data.viewport;
        self.view = [data.origin[0] + data.scroll[0], data.origin[1] + data.scroll[1]];
        self.page = data.page;
        self.title = data.title;
        for (digest, properties) in data.styles {
            self.styles.insert(digest, Arc::new(Style::new(properties)));
        }
        if let Some(rules) = data.rules {
            self.rules = Arc::new(rules);
        }

        let news = without_doubles(data.nodes);
        let mut gone: BTreeSet<NodeId> = data.removed.into_iter().collect();
        if data.whole {
            gone.extend(self.nodes.keys().filter(|id| !news.contains_key(id)));
        }
        let mut changes = Changes::default();
        let mut regrouped = Regrouped::default();
        for (id, node) in news {
            gone.remove(&id);
            self.take(id, node, &mut changes, &mut regrouped);
        }
        self.drop_subtrees(gone, &mut changes, &mut regrouped);
        self.find_focus(&changes);
        self.regroup(regrouped, &mut changes);
        changes
    }

    fn take(&mut self, id: NodeId, node: Node, changes: &mut Changes, regrouped: &mut Regrouped) {
        self.sum = self.sum.wrapping_add(hash(&node));
        let parent = node.parent;
        let Some(old) = self.nodes.get(&id) else {
            if is_text(&node) {
                changes.text.insert(id);
                changes.text_parents.insert(parent);
            } else {
                changes.added.insert(id);
            }
            changes.layout.insert(id);
            regrouped.joined.entry(parent).or_default().push(id);
            self.nodes.insert(id, node);
            return;
        };
        self.sum = self.sum.wrapping_sub(hash(old));
        if old.parent != parent {
            regrouped.left.entry(old.parent).or_default().push(id);
            regrouped.joined.entry(parent).or_default().push(id);
            if is_text(&node) {
                changes.text.insert(id);
                changes.text_parents.extend([old.parent, parent]);
            } else {
                changes.reparented.insert(id);
            }
        } else if old.index != node.index {
            regrouped.joined.entry(parent).or_default();
        }
        if old.attributes != node.attributes {
            changes.attributes.insert(id);
        }
        if old.properties != node.properties {
            changes.properties.insert(id);
        }
        if old.text != node.text {
            changes.text.insert(id);
            changes.text_parents.insert(parent);
        }
        if old.style != node.style {
            changes.style.insert(id);
        }
        let shown = |node: &Node| (node.rect, node.lines, node.visible, node.z, node.natural);
        if shown(old) != shown(&node) {
            changes.layout.insert(id);
        }
        self.nodes.insert(id, node);
    }

    /// Where the focus is now: on what it has come to, else where it was if it is still there.
    fn find_focus(&mut self, changes: &Changes) {
        let has_it = |id: &NodeId| self.nodes.get(id).is_some_and(|node| has_live(node, FOCUSED));
        let mut come_to = changes.properties.iter().chain(&changes.added);
        self.focused = come_to.find(|id| has_it(id)).copied().or(self.focused.filter(has_it));
    }

    /// The ids named and whatever still hangs below them.
    fn drop_subtrees(&mut self, gone: BTreeSet<NodeId>, changes: &mut Changes, regrouped: &mut Regrouped) {
        let mut open: Vec<NodeId> = gone.into_iter().collect();
        while let Some(id) = open.pop() {
            let Some(node) = self.nodes.remove(&id) else {
                continue;
            };
            self.sum = self.sum.wrapping_sub(hash(&node));
            if is_text(&node) {
                changes.text.insert(id);
                changes.text_parents.insert(node.parent);
            } else {
                changes.removed.insert(id);
            }
            regrouped.left.entry(node.parent).or_default().push(id);
            for child in self.children.remove(&id).unwrap_or_default() {
                if self.nodes.get(&child).is_some_and(|node| node.parent == id) {
                    open.push(child);
                }
            }
            regrouped.left.remove(&id);
        }
        changes.text_parents.retain(|id| self.nodes.contains_key(id));
    }

    /// Puts the children of every parent concerned in order again.
    fn regroup(&mut self, regrouped: Regrouped, changes: &mut Changes) {
        let Regrouped { left, joined } = regrouped;
        let parents: BTreeSet<NodeId> = left.keys().chain(joined.keys()).copied().collect();
        for parent in parents {
            let before = self.children.remove(&parent).unwrap_or_default();
            let arrived: ById<()> = joined.get(&parent).into_iter().flatten().map(|&id| (id, ())).collect();
            let mut after: Vec<NodeId> = before
                .iter()
                .filter(|id| !arrived.contains_key(id))
                .chain(joined.get(&parent).into_iter().flatten())
                .copied()
                .filter(|id| {
                    self.nodes
                        .get(id)
                        .is_some_and(|node| node.parent == parent && *id != parent)
                })
                .collect();
            // Where two claim the same place, the one that just came stands before the one it pushed on.
            after.sort_by_key(|id| (self.nodes[id].index, !arrived.contains_key(id), *id));
            after.dedup();

            let still: ById<()> = after
                .iter()
                .filter(|id| !arrived.contains_key(id) && !is_text(&self.nodes[id]))
                .map(|&id| (id, ()))
                .collect();
            let kept =
                |ids: &[NodeId]| -> Vec<NodeId> { ids.iter().copied().filter(|id| still.contains_key(id)).collect() };
            changes.reordered.extend(moved(&kept(&before), &kept(&after)));
            if !after.is_empty() {
                self.children.insert(parent, after);
            }
        }
    }
}

/// Which parents lost and gained which children. An empty list still asks for a new order.
#[derive(Default)]
struct Regrouped {
    left: BTreeMap<NodeId, Vec<NodeId>>,
    joined: BTreeMap<NodeId, Vec<NodeId>>,
}

/// One node per id. Of two that claim the same id the smaller by content is taken, whatever their order.
fn without_doubles(nodes: Vec<Node>) -> BTreeMap<NodeId, Node> {
    let mut by_id: BTreeMap<NodeId, Node> = BTreeMap::new();
    for mut node in nodes {
        if node.id == ABOVE_ROOT {
            continue;
        }
        sanitize(&mut node);
        let rank = |node: &Node| (node.parent, node.index, hash(node));
        match by_id.get(&node.id) {
            Some(known) if rank(known) <= rank(&node) => {}
            _ => {
                by_id.insert(node.id, node);
            }
        }
    }
    by_id
}

fn hash(node: &Node) -> u64 {
    let mut hasher = DefaultHasher::new();
    (node.id, node.parent, node.index, &node.tag, &node.text).hash(&mut hasher);
    (&node.attributes, &node.properties).hash(&mut hasher);
    (
        node.rect.map(f32::to_bits),
        node.lines,
        node.visible,
        node.z,
        node.style,
    )
        .hash(&mut hasher);
    node.natural.map(|natural| natural.map(f32::to_bits)).hash(&mut hasher);
    hasher.finish()
}
