//! Words that a person has selected: in colours of each engine's own, unless the page says otherwise.

use crate::scene::{Pair, Scene};
use crate::state::{Document, is_text};
use std::collections::BTreeSet;
use xcheck_trace::page::{Node, NodeId, SELECTED_TEXT, StyleRule};

/// What the highlight of a selection shows in, by ids of the reference, where it is there in both browsers: all that holds
/// the words. The gaps between lines and blocks are coloured, too, in some engines.
pub(super) fn highlighted(scene: &Scene<'_>) -> BTreeSet<NodeId> {
    if styles_selections(scene.reference()) || styles_selections(scene.other()) {
        return BTreeSet::new();
    }
    let in_both = |&id: &NodeId| {
        scene
            .pair(id)
            .is_some_and(|pair| is_selected(pair.a) && is_selected(pair.b))
    };
    let words = scene.reference().all().into_iter().filter(in_both);
    // A field holds its words itself.
    let holders = |id: NodeId| std::iter::once(id).chain(scene.reference().ancestors(id).map(|above| above.id));
    words.flat_map(holders).collect()
}

/// Whether words of its own are selected in both browsers: how high above and below them the highlight reaches is each engine's
/// own, whatever its colour.
pub(super) fn is_marked(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let marked = |document: &Document, node: &Node| {
        let mut texts = document.children(node.id).iter().filter_map(|&id| document.node(id));
        texts.any(|text| is_text(text) && is_selected(text))
    };
    marked(scene.reference(), pair.a) && marked(scene.other(), pair.b)
}

fn is_selected(node: &Node) -> bool {
    node.properties.iter().any(|(name, _)| name == SELECTED_TEXT)
}

/// The colours of the system, for which a rule may well ask, are each engine's own.
fn styles_selections(document: &Document) -> bool {
    let about = |part: &str| part.starts_with("selection") || part.starts_with("-moz-selection");
    let says_something =
        |(_, value): &(String, String)| !matches!(value.to_lowercase().as_str(), "highlight" | "highlighttext");
    let styles =
        |rule: &StyleRule| rule.selector.split("::").any(about) && rule.declarations.iter().any(says_something);
    document.rules.iter().any(styles)
}
