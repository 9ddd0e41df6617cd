//! What differs between two replays in the same browser differs for no browser's sake, and is masked.

use crate::findings::Kind;
use crate::scene::Raw;
use crate::spot::Spot;
use std::collections::{BTreeMap, BTreeSet};
use xcheck_trace::event::LoadId;
use xcheck_trace::page::NodeId;
use xcheck_trace::run::Place;

/// Nodes of the reference that do not keep still, and events that do not repeat.
#[derive(Debug, Clone, Default)]
pub struct Mask {
    nodes: BTreeMap<LoadId, BTreeMap<NodeId, BTreeSet<Kind>>>,
    events: BTreeSet<u32>,
}

impl Mask {
    pub(crate) fn of(spots: &[Spot]) -> Mask {
        let mut mask = Mask::default();
        for spot in spots {
            match (spot.load, spot.raw.reference, spot.above.first()) {
                (Some(load), Some(node), _) | (Some(load), None, Some(&node)) => {
                    let nodes = mask.nodes.entry(load).or_default();
                    nodes.entry(node).or_default().insert(spot.raw.kind);
                }
                _ => {
                    mask.events.insert(spot.place.number);
                }
            }
        }
        mask
    }

    /// Known to vary from elsewhere.
    pub fn learnt(&mut self, load: LoadId, node: NodeId) {
        self.nodes
            .entry(load)
            .or_default()
            .entry(node)
            .or_default()
            .insert(Kind::Text);
    }

    /// A restless text or element hides everything that is said of it; a restless box its box and looks; a restless
    /// picture its looks.
    pub(crate) fn hides(&self, load: LoadId, raw: &Raw) -> bool {
        let Some(kinds) = self.nodes.get(&load).and_then(|nodes| nodes.get(&raw.reference?)) else {
            return false;
        };
        kinds.iter().any(|kind| match kind {
            Kind::Behaviour | Kind::Text => true,
            Kind::Structure => matches!(raw.kind, Kind::Structure | Kind::Visual),
            Kind::Visual => raw.kind == Kind::Visual,
        })
    }

    /// Whatever is said of what happened here, and of no node.
    pub(crate) fn hides_event(&self, place: Place) -> bool {
        self.events.contains(&place.number)
    }

    /// Nodes whose size and children's places depend on something that does not keep still.
    pub(crate) fn restless(&self, load: LoadId) -> Vec<NodeId> {
        let nodes = self.nodes.get(&load).into_iter().flatten();
        nodes
            .filter(|(_, kinds)| kinds.iter().any(|kind| *kind != Kind::Visual))
            .map(|(&node, _)| node)
            .collect()
    }
}
