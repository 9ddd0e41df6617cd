//! Words that a person has selected: in colours of each engine's own, unless the page says otherwise.

use crate::scene::{Pair, Scene};
use crate::state::{Document, has_live, is_text};
use crate::style::styles_selection;
use std::collections::{BTreeSet, HashMap};
use xcheck_trace::page::{Node, NodeId, SELECTED_TEXT};

/// What the highlight of a selection shows in, by ids of the reference, where it is there in both browsers and no rule of the page says how
/// it looks there: all that holds the words. The gaps between lines and blocks are coloured, too, in some engines.
pub(super) fn highlighted(scene: &Scene<'_>) -> BTreeSet<NodeId> {
    let (mut here, mut there) = (Looks::of(scene.reference()), Looks::of(scene.other()));
    let is_of_the_engine = |&id: &NodeId| {
        scene.pair(id).is_some_and(|pair| {
            is_selected(pair.a) && is_selected(pair.b) && !here.has(pair.a.id) && !there.has(pair.b.id)
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
    has_marked(scene.reference(), pair.a) && has_marked(scene.other(), pair.b)
}

/// Whether words of its own are selected in the other browser alone, or in the reference alone.
pub(crate) fn only_there(scene: &Scene<'_>, pair: Pair<'_>) -> Option<bool> {
    let selects = |document, node| has_marked(document, node) || is_selected(node);
    let (here, there) = (selects(scene.reference(), pair.a), selects(scene.other(), pair.b));
    (here != there).then_some(there)
}

/// Texts that are selected in one of the browsers, by ids of the reference.
pub(crate) fn all_only_in_one(scene: &Scene<'_>) -> Vec<NodeId> {
    let differs = |&id: &NodeId| {
        let pair = scene.pair(id);
        pair.is_some_and(|pair| is_selected(pair.a) != is_selected(pair.b))
    };
    scene.reference().all().into_iter().filter(differs).collect()
}

fn has_marked(document: &Document, node: &Node) -> bool {
    let mut texts = document.children(node.id).iter().filter_map(|&id| document.node(id));
    texts.any(|text| is_text(text) && is_selected(text))
}

fn is_selected(node: &Node) -> bool {
    has_live(node, SELECTED_TEXT)
}

/// Whether rules of the page say how words look while they are selected: of what these stand in, for it goes down from there. Kept by node,
/// since what is selected stands in the same.
struct Looks<'a> {
    document: &'a Document,
    known: HashMap<NodeId, bool>,
}

impl<'a> Looks<'a> {
    fn of(document: &'a Document) -> Looks<'a> {
        Looks {
            document,
            known: HashMap::new(),
        }
    }

    fn has(&mut self, id: NodeId) -> bool {
        let holders = self.document.ancestors(id).map(|above| above.id);
        let mut has = false;
        let mut asked = Vec::new();
        for id in std::iter::once(id).chain(holders) {
            let known = self.known.get(&id).copied();
            has = known.unwrap_or_else(|| styles_selection(self.document, id));
            if known.is_some() {
                break;
            }
            asked.push(id);
            if has {
                break;
            }
        }
        self.known.extend(asked.into_iter().map(|id| (id, has)));
        has
    }
}
