//! What a document looks like now: increments applied, nodes by id, children in order.
//!
//! Everything here costs by the number of nodes an increment names, never by the size of the document: that is what
//! keeps the time per event flat. Page data comes from a browser that runs somebody's page, so nothing about it is
//! trusted: parents may dangle or form rings, numbers may be NaN, ids may come twice.

mod apply;
mod changes;
mod geometry;

pub(crate) use changes::{Changes, longest_increasing};
pub(crate) use geometry::Rect;

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;
use xcheck_trace::event::LoadId;
use xcheck_trace::page::{Node, NodeId, StyleRule};

/// The parent of the root element.
pub(crate) const ABOVE_ROOT: NodeId = 0;

/// As deep as engines let a parser go. Walks towards the root end here, also in a ring of parents.
const DEEPEST: usize = 512;

pub(crate) type ById<T> = HashMap<NodeId, T, BuildHasherDefault<IdHasher>>;

/// Node ids are small counters: one multiplication spreads them well enough.
#[derive(Default)]
pub(crate) struct IdHasher(u64);

/// What rules write before and behind an element's own.
pub(crate) const GENERATED: [&str; 2] = ["::before content", "::after content"];

#[derive(Default)]
pub(crate) struct Document {
    pub(crate) load: LoadId,
    pub(crate) url: String,
    /// Index of each frame within its parent; empty at the top.
    pub(crate) path: Vec<u32>,
    pub(crate) viewport: [f32; 2],
    /// Where its viewport begins on the page.
    pub(crate) view: [f32; 2],
    pub(crate) page: [f32; 2],
    /// Where on the page the pointer rests.
    pub(crate) pointer: Option<[f32; 2]>,
    pub(crate) title: String,
    pub(crate) rules: Arc<Vec<StyleRule>>,
    /// The element that has the focus.
    pub(crate) focused: Option<NodeId>,
    nodes: ById<Node>,
    children: ById<Vec<NodeId>>,
    styles: ById<Arc<Style>>,
    /// Sum of the hashes of all nodes: equal states have equal sums, and a change costs only its own nodes.
    sum: u64,
}

/// Computed properties, sorted by name.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Style(Vec<(String, String)>);

impl Document {
    /// Whether any of a box is in the viewport now.
    pub(crate) fn in_view(&self, node: &Node) -> bool {
        (0..2).all(|axis| {
            let (near, far) = (node.rect[axis], node.rect[axis] + node.rect[axis + 2]);
            near < self.view[axis] + self.viewport[axis] && far > self.view[axis]
        })
    }

    pub(crate) fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(&id)
    }

    /// In document order. `ABOVE_ROOT` has the root element.
    pub(crate) fn children(&self, id: NodeId) -> &[NodeId] {
        self.children.get(&id).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn style(&self, node: &Node) -> Option<&Arc<Style>> {
        self.styles.get(&node.style)
    }

    /// A computed property, empty where it has its initial value.
    pub(crate) fn computed(&self, node: &Node, property: &str) -> &str {
        self.styles.get(&node.style).map_or("", |style| style.get(property))
    }

    /// Whether a rule has it write what is counted: a number, which no browser tells.
    pub(crate) fn writes_a_count(&self, node: &Node) -> bool {
        let counts = |name: &&str| self.computed(node, name).contains("counter");
        GENERATED.iter().any(counts)
    }

    /// Computed `display`. Initial values are not sent, and `inline` is one; without a style nothing is known.
    pub(crate) fn display(&self, node: &Node) -> &str {
        match self.style(node).map(|style| style.get("display")) {
            Some("") => "inline",
            Some(display) => display,
            None => "",
        }
    }

    /// The fingerprint of the whole state, layout and what is in view included.
    pub(crate) fn fingerprint(&self) -> u64 {
        let [left, top] = self.view.map(f32::to_bits).map(u64::from);
        self.sum
            .wrapping_add((top << 32 | left).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// From the parent to the root element.
    pub(crate) fn ancestors(&self, id: NodeId) -> impl Iterator<Item = &Node> {
        let mut next = self.node(id).map_or(ABOVE_ROOT, |node| node.parent);
        std::iter::from_fn(move || {
            let node = self.node(next)?;
            next = node.parent;
            Some(node)
        })
        .take(DEEPEST)
    }

    pub(crate) fn depth(&self, id: NodeId) -> usize {
        self.ancestors(id).count()
    }

    /// The nodes at and below `id`, parents first. A node is visited once even if the data has it twice.
    pub(crate) fn subtree(&self, id: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut seen: ById<()> = ById::default();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if seen.insert(id, ()).is_none() && self.nodes.contains_key(&id) {
                found.push(id);
                open.extend(self.children(id).iter().rev());
            }
        }
        found
    }

    /// The texts within `id`, of its first `most` nodes, each with what it stands in.
    pub(crate) fn texts_within(&self, id: NodeId, most: usize) -> impl Iterator<Item = (&Node, &Node)> {
        let nodes = self.subtree(id).into_iter().take(most);
        let texts = nodes.filter_map(|id| self.node(id)).filter(|node| is_text(node));
        texts.filter_map(|text| Some((text, self.node(text.parent)?)))
    }

    /// The nodes above `id`, itself, and those below it: all that its place has to do with.
    pub(crate) fn kin(&self, id: NodeId) -> BTreeSet<NodeId> {
        let above = self.ancestors(id).map(|node| node.id);
        above.chain(self.subtree(id)).collect()
    }

    /// Every node that can be reached from the root, in document order.
    pub(crate) fn all(&self) -> Vec<NodeId> {
        self.children(ABOVE_ROOT)
            .iter()
            .flat_map(|&root| self.subtree(root))
            .collect()
    }
}

impl Style {
    pub(crate) fn new(mut properties: Vec<(String, String)>) -> Self {
        properties.sort();
        Style(properties)
    }

    pub(crate) fn get(&self, property: &str) -> &str {
        match self.0.binary_search_by(|(name, _)| name.as_str().cmp(property)) {
            Ok(at) => &self.0[at].1,
            Err(_) => "",
        }
    }

    pub(crate) fn properties(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl Hasher for IdHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 29;
    }
}

/// Own text is a `#text` child's; these never show theirs.
pub(crate) fn is_text(node: &Node) -> bool {
    node.tag == "#text"
}

/// Whether the page data have this of a node that no attribute says.
pub(crate) fn has_live(node: &Node, name: &str) -> bool {
    node.properties.iter().any(|(known, _)| known == name)
}

pub(crate) fn attribute<'a>(node: &'a Node, name: &str) -> Option<&'a str> {
    node.attributes
        .iter()
        .find(|(known, _)| known == name)
        .map(|(_, value)| value.as_str())
}
