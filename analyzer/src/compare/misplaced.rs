//! A hand that meant one child of a list meets another where the list is in another order: what that leads to follows from the order.

use super::documents::Standing;
use crate::behaviour::ORDER;
use crate::hand::is_of_a_hand;
use crate::scene::Scene;
use crate::spot::Spot;
use crate::state::Document;
use xcheck_trace::page::NodeId;

/// By which what a hand led to there is put together with the order that it follows from. `standing`: what is found so far.
pub(super) fn key(scene: &Scene<'_>, spot: &Spot, standing: &Standing) -> Option<String> {
    let key = |list: NodeId| format!("order within {list} of {}", scene.reference().load);
    if spot.raw.property == ORDER {
        return spot.raw.reference.map(key);
    }
    let lists = standing
        .iter()
        .filter(|(_, known)| known.contains_key(ORDER))
        .filter_map(|((list, _), _)| *list);
    let mut met = lists.filter(|&list| is_of_a_hand(&spot.event.label) && meets(scene, list));
    met.next().map(key)
}

/// Whether the pointer is over another child in one browser than in the other.
fn meets(scene: &Scene<'_>, list: NodeId) -> bool {
    let Some(pair) = scene.pair(list) else { return false };
    let here = below_pointer(scene.reference(), pair.a.id);
    let there = below_pointer(scene.other(), pair.b.id);
    here.is_some() && there.is_some() && here.and_then(|id| scene.matches.other(id)) != there
}

fn below_pointer(document: &Document, list: NodeId) -> Option<NodeId> {
    let pointer = document.pointer?;
    let is_below = |id: &&NodeId| {
        document.node(**id).is_some_and(|node| {
            let starts = |axis: usize| pointer[axis] >= node.rect[axis];
            let ends = |axis: usize| pointer[axis] < node.rect[axis] + node.rect[axis + 2];
            (0..2).all(|axis| starts(axis) && ends(axis))
        })
    };
    document.children(list).iter().find(is_below).copied()
}
