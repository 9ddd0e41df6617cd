//! Names for nodes that a person can paste into developer tools, and that repeat in the next run.

use crate::state::{ABOVE_ROOT, Document, attribute, is_text};
use xcheck_trace::page::{Node, NodeId};

/// Shortest CSS path from the nearest ancestor with an id of its own: `#cart > li:nth-of-type(2)`.
/// Text is named by its element. Nodes in frames and shadow roots are prefixed by the way there.
pub(crate) fn selector(document: &Document, id: NodeId) -> String {
    let mut steps = Vec::new();
    for node in upwards(document, id) {
        match node.tag.as_str() {
            "#text" => {}
            "#shadow" => steps.push("::shadow".to_owned()),
            _ => {
                if let Some(own) = attribute(node, "id").filter(|own| is_plain(own) && steps.len() < 64) {
                    steps.push(format!("#{own}"));
                    break;
                }
                steps.push(nth(document, node, |place| format!(":nth-of-type({place})")));
            }
        }
    }
    steps.reverse();
    prefixed(document, &steps.join(" > "))
}

/// Structural path, as the papers have it: `/html/body/div[2]/button`.
pub(crate) fn xpath(document: &Document, id: NodeId) -> String {
    let mut steps = Vec::new();
    for node in upwards(document, id) {
        let step = nth(document, node, |place| format!("[{place}]"));
        steps.push(if is_text(node) {
            step.replace("#text", "text()")
        } else {
            step
        });
    }
    steps.reverse();
    prefixed(document, &format!("/{}", steps.join("/")))
}

/// An element's tag, with the attributes that name it.
pub(crate) fn tag(node: &Node) -> String {
    let attributes: String = node
        .attributes
        .iter()
        .filter(|(name, _)| matches!(name.as_str(), "id" | "class" | "name" | "type" | "role"))
        .map(|(name, value)| format!(" {name}=\"{value}\""))
        .collect();
    format!("<{}{attributes}>", node.tag)
}

/// The node and what is above it, not for ever where the data goes in circles.
fn upwards(document: &Document, id: NodeId) -> impl Iterator<Item = &Node> {
    document.node(id).into_iter().chain(document.ancestors(id))
}

/// The element a person would point at: the node itself, or a text's parent.
pub(crate) fn element(document: &Document, id: NodeId) -> NodeId {
    match document.node(id) {
        Some(node) if is_text(node) && node.parent != ABOVE_ROOT => node.parent,
        _ => id,
    }
}

/// The tag, with its place among siblings of that tag where there are several.
fn nth(document: &Document, node: &Node, place: impl Fn(usize) -> String) -> String {
    let alike = |id: &&NodeId| document.node(**id).is_some_and(|sibling| sibling.tag == node.tag);
    let siblings = document.children(node.parent);
    if siblings.iter().filter(alike).take(2).count() < 2 {
        return node.tag.clone();
    }
    let before = siblings.iter().filter(alike).take_while(|id| **id != node.id).count();
    format!("{}{}", node.tag, place(before + 1))
}

/// Ids that need no escaping and do not look made up by a machine for this one visit.
fn is_plain(id: &str) -> bool {
    let mut letters = id.chars();
    letters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-')
}

fn prefixed(document: &Document, path: &str) -> String {
    let frames: String = document.path.iter().map(|index| format!("frame {index} > ")).collect();
    format!("{frames}{path}")
}
