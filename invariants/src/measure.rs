//! How much of a page is held, in DoDOM's four measures.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    pub nodes: u64,
    /// Sums over these nodes: children, levels below, nodes below.
    pub children: u64,
    pub levels: u64,
    pub descendants: u64,
}

impl Measure {
    /// `nodes` that have so much below each of them.
    pub(crate) fn add(&mut self, nodes: u64, children: u64, levels: u64, descendants: u64) {
        self.nodes += nodes;
        self.children += nodes * children;
        self.levels += nodes * levels;
        self.descendants += nodes * descendants;
    }

    /// Average number of children, levels and descendants of a node.
    pub fn averages(&self) -> [f64; 3] {
        let nodes = self.nodes.max(1) as f64;
        [self.children, self.levels, self.descendants].map(|sum| sum as f64 / nodes)
    }
}
