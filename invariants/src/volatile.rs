//! Which nodes and fields of a page are known to vary from run to run, so that nobody takes them for a difference
//! between browsers.

use crate::align::align;
use crate::template::Template;
use crate::tree::Tree;
use crate::value::Value;
use serde::{Deserialize, Serialize};
use xcheck_trace::event::LoadId;
use xcheck_trace::page::NodeId;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Volatile {
    pub load: LoadId,
    pub node: NodeId,
    /// Fields that had more than one value; empty when the node itself comes and goes, with all below it.
    pub fields: Vec<String>,
}

impl Template {
    pub fn volatile(&self, tree: &Tree) -> Vec<Volatile> {
        let mut found = Vec::new();
        node(self, &Template::of(tree), tree, &mut found);
        found
    }
}

fn node(known: &Template, seen: &Template, tree: &Tree, found: &mut Vec<Volatile>) {
    if known.loose {
        say(seen, vec![], tree, found);
        return;
    }
    let varies = |(name, _): &(&String, _)| {
        let field = known.fields.get(*name);
        field.is_some_and(|field| !matches!(field.value, Value::Constant(_)) || field.seen < known.seen)
    };
    let fields: Vec<String> = seen
        .fields
        .iter()
        .filter(varies)
        .map(|(name, _)| name.clone())
        .collect();
    if !fields.is_empty() {
        say(seen, fields, tree, found);
    }
    for list in known.children.iter().filter(|child| child.repeats.is_some()) {
        for entry in seen.children.iter().filter(|entry| list.takes(entry)) {
            // Where the number of entries varies, any of them may be missing elsewhere.
            if list.repeats.is_some_and(|repeats| repeats.least < repeats.most) {
                say(entry, vec![], tree, found);
            } else {
                node(list, entry, tree, found);
            }
        }
    }
    let singles: Vec<&Template> = known.singles().map(|(_, child)| child).collect();
    let rest = seen.apart(known);
    let mut met = vec![false; rest.len()];
    for (mine, other) in align(&singles, &rest).pairs {
        met[other] = true;
        if singles[mine].is_required(known) {
            node(singles[mine], rest[other], tree, found);
        } else {
            say(rest[other], vec![], tree, found);
        }
    }
    for (child, _) in rest.iter().zip(&met).filter(|(_, met)| !**met && !known.is_closed()) {
        say(child, vec![], tree, found);
    }
}

fn say(at: &Template, fields: Vec<String>, tree: &Tree, found: &mut Vec<Volatile>) {
    if let Some((load, node)) = tree.nodes[at.node].source {
        found.push(Volatile { load, node, fields });
    }
}
