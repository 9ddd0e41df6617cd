//! What each of two browsers understood of the page's style sheets and the other did not.

use super::DroppedRules;
use super::properties::is_invisible;
use crate::matching::Sides;
use std::cell::OnceCell;
use std::sync::Arc;
use xcheck_trace::page::{NodeId, StyleRule};

/// Worked out when first asked for, and for as long as both keep their rules.
#[derive(Default)]
pub(crate) struct Support {
    rules: Option<[Arc<Vec<StyleRule>>; 2]>,
    lost: OnceCell<DroppedRules>,
    gained: OnceCell<DroppedRules>,
}

impl Support {
    /// Forgets what it knows when the rules of a side are others now.
    pub(crate) fn turn_to(&mut self, sides: Sides<'_>) {
        let rules = [sides.reference, sides.other].map(|document| Arc::clone(&document.rules));
        let same =
            |known: &[Arc<Vec<StyleRule>>; 2]| known.iter().zip(&rules).all(|(known, now)| Arc::ptr_eq(known, now));
        if !self.rules.as_ref().is_some_and(same) {
            *self = Support {
                rules: Some(rules),
                ..Support::default()
            };
        }
    }

    /// Declarations of the reference that the other browser dropped.
    pub(crate) fn lost(&self, sides: Sides<'_>) -> &DroppedRules {
        self.lost
            .get_or_init(|| DroppedRules::between(sides.reference, sides.other))
    }

    /// Declarations of the other browser that the reference dropped.
    pub(crate) fn gained(&self, sides: Sides<'_>) -> &DroppedRules {
        self.gained
            .get_or_init(|| DroppedRules::between(sides.other, sides.reference))
    }

    /// Properties that apply to a node and can be seen: lost by the other browser, or known to it alone.
    pub(crate) fn of_node(&self, sides: Sides<'_>, a: NodeId, b: NodeId) -> Vec<String> {
        let lost = self.lost(sides).on(sides.reference, a);
        let gained = self.gained(sides).on(sides.other, b);
        lost.chain(gained)
            .filter(|(property, _)| !is_invisible(property))
            .map(|(property, _)| property.to_owned())
            .collect()
    }
}
