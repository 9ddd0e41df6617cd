//! Whose elements a rule is about: a style sheet of a shadow tree says nothing of other trees.

use super::matches::{Answer, any};
use super::selector::{Complex, Simple};
use crate::state::Document;
use xcheck_trace::page::{Node, StyleRule};

/// How page data name the trees of a sheet, by the tags of their hosts.
const TREES: &str = "@shadow ";

/// The document's own tree among them.
const DOCUMENT: &str = ":root";

/// The trees of a rule's sheet; none where it is the document's alone.
pub(super) fn trees(rule: &StyleRule) -> Option<&str> {
    rule.within.iter().find_map(|condition| condition.strip_prefix(TREES))
}

/// Whether a rule with these selectors, of these trees, matches.
pub(super) fn of_rule(document: &Document, trees: Option<&str>, selectors: &[Complex], node: &Node) -> Answer {
    let mut trees = trees.unwrap_or(DOCUMENT).split(' ');
    let own = host(document, node);
    let is_inside = trees.clone().any(|tree| own.map_or(DOCUMENT, |host| &host.tag) == tree);
    let is_host = trees.any(|tree| node.tag == tree);
    let reached: Vec<Complex> = selectors
        .iter()
        .filter(|selector| is_inside || reaches_out(selector, is_host))
        .cloned()
        .collect();
    any(document, &reached, node)
}

/// What holds the shadow tree that a node stands in.
fn host<'a>(document: &'a Document, node: &Node) -> Option<&'a Node> {
    let root = document.ancestors(node.id).find(|above| above.tag == "#shadow")?;
    document.node(root.parent)
}

/// `:host` is the host, which stands outside.
fn reaches_out(selector: &Complex, is_host: bool) -> bool {
    is_host && selector.subject.iter().any(|simple| matches!(simple, Simple::Host(_)))
}
