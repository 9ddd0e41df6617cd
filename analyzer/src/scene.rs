//! Two states of one document side by side, and what the checks say about them.

use crate::findings::{Difference, Kind};
use crate::matching::{Matches, Sides};
use crate::state::Document;
use crate::tolerances::Tolerances;
use crate::view::Views;
use std::collections::BTreeSet;
use xcheck_trace::page::{Node, NodeId};

use crate::style::properties::{is_invisible, is_paint};
use crate::style::{DroppedRules, Support, authors};

pub(crate) struct Scene<'a> {
    pub(crate) sides: Sides<'a>,
    pub(crate) matches: &'a Matches,
    pub(crate) tolerances: &'a Tolerances,
    /// Reference ids of the nodes to look at.
    pub(crate) focus: &'a BTreeSet<NodeId>,
    /// Compare every pair of siblings, not neighbours only.
    pub(crate) exhaustive: bool,
    /// Rules that only one of the two understood.
    pub(crate) support: &'a Support,
    pub(crate) glass_is_pictured: bool,
    pub(crate) views: &'a Views,
}

/// One difference on one node, before it is located, explained and grouped.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Raw {
    pub(crate) kind: Kind,
    pub(crate) reference: Option<NodeId>,
    pub(crate) other: Option<NodeId>,
    /// What the id is made from besides the place: stands for a class of difference, never a measured number.
    pub(crate) property: String,
    pub(crate) title: String,
    pub(crate) confidence: f64,
    pub(crate) differences: Vec<Difference>,
}

/// How two browsers take what the page's rules say of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Understood {
    Alike,
    Otherwise,
    PaintOtherwise,
}

/// A node and its partner.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) a: &'a Node,
    pub(crate) b: &'a Node,
}

impl<'a> Scene<'a> {
    pub(crate) fn reference(&self) -> &'a Document {
        self.sides.reference
    }

    pub(crate) fn other(&self) -> &'a Document {
        self.sides.other
    }

    pub(crate) fn pair(&self, id: NodeId) -> Option<Pair<'a>> {
        Some(Pair {
            a: self.sides.reference.node(id)?,
            b: self.sides.other.node(self.matches.other(id)?)?,
        })
    }

    /// The computed property on both sides.
    pub(crate) fn computed(&self, pair: Pair<'a>, property: &str) -> (&'a str, &'a str) {
        (
            self.sides.reference.computed(pair.a, property),
            self.sides.other.computed(pair.b, property),
        )
    }

    pub(crate) fn dropped_rules(&self) -> &DroppedRules {
        self.support.lost(self.sides)
    }

    pub(crate) fn gained_rules(&self) -> &DroppedRules {
        self.support.gained(self.sides)
    }

    /// Whether something that can be seen is said of this node that only one of the two understood, and whether that is
    /// about paint.
    pub(crate) fn understood(&self, pair: Pair<'_>) -> Understood {
        let properties = self.support.of_node(self.sides, pair.a.id, pair.b.id);
        if self.counts_otherwise(pair) || self.is_enclosed(pair) {
            return Understood::PaintOtherwise;
        }
        match (
            properties.is_empty(),
            properties.iter().any(|property| is_paint(property)),
        ) {
            (true, _) => Understood::Alike,
            (_, true) => Understood::PaintOtherwise,
            (_, false) => Understood::Otherwise,
        }
    }

    /// Whether a formula asks for lines through it or around it, which are not in MathML Core: Chromium draws none.
    fn is_enclosed(&self, pair: Pair<'_>) -> bool {
        self.reference()
            .ancestors(pair.a.id)
            .any(|above| above.tag == "menclose")
    }

    /// Whether it writes a number that is counted by a rule above it which only one of the two understood.
    fn counts_otherwise(&self, pair: Pair<'_>) -> bool {
        if !self.reference().writes_a_count(pair.a) {
            return false;
        }
        let above = self.reference().ancestors(pair.a.id).map(|node| node.id);
        std::iter::once(pair.a.id)
            .chain(above)
            .filter_map(|id| self.pair(id))
            .any(|pair| {
                let properties = self.support.of_node(self.sides, pair.a.id, pair.b.id);
                properties.iter().any(|property| property.starts_with("counter-"))
            })
    }

    /// Whether a rule gives the node this property in one browser only, the other having no idea of it.
    pub(crate) fn understood_by_one(&self, pair: Pair<'_>, property: &str) -> bool {
        let properties = self.support.of_node(self.sides, pair.a.id, pair.b.id);
        properties.iter().any(|known| known.as_str() == property)
    }

    /// Whether a rule of the page says something about this property of the node, in either browser.
    pub(crate) fn authors(&self, pair: Pair<'_>, property: &str) -> bool {
        authors(self.sides.reference, pair.a.id, property) || authors(self.sides.other, pair.b.id, property)
    }

    /// Whether the other browser dropped a declaration that the reference applies to this node, and that can be seen.
    pub(crate) fn drops_something(&self, id: NodeId) -> bool {
        let mut dropped = self.dropped_rules().on(self.sides.reference, id);
        dropped.any(|(property, _)| !is_invisible(property))
    }
}

impl Raw {
    pub(crate) fn at(pair: Pair<'_>, kind: Kind, property: impl Into<String>, title: impl Into<String>) -> Self {
        Raw {
            kind,
            reference: Some(pair.a.id),
            other: Some(pair.b.id),
            property: property.into(),
            title: title.into(),
            confidence: 0.9,
            differences: Vec::new(),
        }
    }

    pub(crate) fn differs(mut self, property: &str, reference: impl Into<String>, other: impl Into<String>) -> Self {
        self.differences.push(Difference {
            property: property.to_owned(),
            reference: reference.into(),
            other: other.into(),
            selector: String::new(),
        });
        self
    }

    pub(crate) fn sure(mut self, confidence: f64) -> Self {
        self.confidence = confidence;
        self
    }
}

/// Whole pixels, as people speak of them.
pub(crate) fn px(length: f32) -> String {
    format!("{} px", length.round() as i64)
}
