//! What a node is, as numbers to align by: from "the same subtree" down to "the same tag".

use super::Which;
use crate::state::{ById, Document, attribute, is_text};
use crate::text::collapsed;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use xcheck_trace::page::{Node, NodeId};

/// Hashes of subtrees, made once per update.
#[derive(Default)]
pub(super) struct Signatures {
    reference: ById<u64>,
    other: ById<u64>,
}

impl Signatures {
    /// From the strongest key to the weakest: same subtree; same anchor; same tag and class; same tag.
    pub(super) fn keys(&mut self, which: Which, document: &Document, id: NodeId) -> [u64; 4] {
        let subtree = self.subtree(which, document, id);
        let Some(node) = document.node(id) else {
            return [subtree; 4];
        };
        let class = attribute(node, "class").unwrap_or("");
        [
            subtree,
            anchor(node).unwrap_or(subtree),
            hash(&(&node.tag, class)),
            hash(&node.tag),
        ]
    }

    fn subtree(&mut self, which: Which, document: &Document, id: NodeId) -> u64 {
        let known = match which {
            Which::Reference => &mut self.reference,
            Which::Other => &mut self.other,
        };
        if let Some(&hash) = known.get(&id) {
            return hash;
        }
        for id in document.subtree(id).into_iter().rev() {
            if known.contains_key(&id) {
                continue;
            }
            let Some(node) = document.node(id) else { continue };
            let mut hasher = DefaultHasher::new();
            (&node.tag, &node.attributes, collapsed(&node.text)).hash(&mut hasher);
            for child in document.children(id) {
                known.get(child).copied().unwrap_or(0).hash(&mut hasher);
            }
            known.insert(id, hasher.finish());
        }
        known.get(&id).copied().unwrap_or(0)
    }
}

/// What authors give a node so that it can be found: an id, a test id, a name, or a role with a label.
pub(super) fn anchor(node: &Node) -> Option<u64> {
    if let Some(text) = Some(&node.text).filter(|_| is_text(node)) {
        return Some(hash(&("#text", collapsed(text))));
    }
    let own = [
        "id",
        "data-testid",
        "data-test",
        "data-cy",
        "data-id",
        "data-key",
        "name",
    ]
    .iter()
    .find_map(|name| Some((*name, attribute(node, name)?)));
    if let Some(own) = own {
        return Some(hash(&(&node.tag, own)));
    }
    let label = ["aria-label", "title", "alt", "href", "src"]
        .iter()
        .find_map(|name| attribute(node, name))?;
    Some(hash(&(&node.tag, attribute(node, "role"), label)))
}

/// Text says too little about itself to be looked for far from where it was.
pub(super) fn looks(node: &Node) -> bool {
    !is_text(node)
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
