//! Words that a person has selected: in colours of each engine's own, unless the page says otherwise.

use crate::scene::{Pair, Scene};
use crate::state::{Document, is_text};
use crate::style::styles_selection;
use std::collections::BTreeSet;
use xcheck_trace::page::{Node, NodeId, SELECTED_TEXT};

/// What the highlight of a selection shows in, by ids of the reference, where it is there in both browsers and no rule of the page says how
/// it looks there: all that holds the words. The gaps between lines and blocks are coloured, too, in some engines.
pub(super) fn highlighted(scene: &Scene<'_>) -> BTreeSet<NodeId> {
    let is_of_the_engine = |&id: &NodeId| {
        scene.pair(id).is_some_and(|pair| {
            is_selected(pair.a)
                && is_selected(pair.b)
                && !has_look(scene.reference(), pair.a)
                && !has_look(scene.other(), pair.b)
        })
    };
    let words = scene.reference().all().into_iter().filter(is_of_the_engine);
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

/// Whether a rule of the page says how these words look while they are selected: of what they stand in, for it goes down from there.
fn has_look(document: &Document, words: &Node) -> bool {
    let holders = document.ancestors(words.id).map(|above| above.id);
    std::iter::once(words.id)
        .chain(holders)
        .any(|id| styles_selection(document, id))
}
