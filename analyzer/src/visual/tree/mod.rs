//! CrossCheck's way of judging looks: a decision tree that was learnt from labelled pairs (`--visual tree`).
//!
//! The tree that comes with the program is `default.txt`, which a person can read; `cargo bench -p xcheck-tests --bench
//! tree` learns it again from the labelled pages. Measuring, learning and judging are here; which pairs differ for a
//! person is the labels' to say.

mod features;
mod learn;
mod model;
mod validate;

pub use features::{FEATURES, Features};
pub use learn::{Sample, learn};
pub use model::{BadTree, Tree};
pub use validate::{Confusion, cross_validate};

use super::{StylePairs, answered, crops::Shots, is_leaf, words::painted};
use crate::scene::{Pair, Raw, Scene};
use crate::state::is_text;
use crate::structure::{role, shown};
use crate::text::is_silent;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use xcheck_trace::page::NodeId;

/// Learnt from the labelled pages; a test holds that it can be read.
const DEFAULT: &str = include_str!("default.txt");

static TREE: LazyLock<Tree> = LazyLock::new(|| match Tree::parse(DEFAULT) {
    Ok(tree) => tree,
    Err(error) => unreachable!("default.txt: {error}"),
});

/// A pair of boxes that was measured, and where it stands in the reference.
#[derive(Debug, Clone)]
pub struct Measured {
    pub xpath: String,
    pub selector: String,
    pub features: Features,
}

pub(crate) fn differences(
    scene: &Scene<'_>,
    shots: &mut Shots<'_>,
    styles: &mut StylePairs,
    said: &BTreeSet<NodeId>,
) -> Vec<Raw> {
    let mut found = Vec::new();
    for &id in scene.focus {
        if answered(scene, said, id) {
            continue;
        }
        let Some(pair) = scene.pair(id) else { continue };
        let Some(features) = measure(scene, shots, styles, pair) else {
            continue;
        };
        if let (true, confidence) = TREE.judge(&features) {
            found.push(features.tell(pair, confidence));
        }
    }
    found
}

/// All pairs of this checkpoint, as samples to learn from.
pub(crate) fn all(
    scene: &Scene<'_>,
    shots: &mut Shots<'_>,
    styles: &mut StylePairs,
    said: &BTreeSet<NodeId>,
) -> Vec<Measured> {
    let unsaid = scene.focus.iter().filter(|id| !answered(scene, said, **id));
    unsaid
        .filter_map(|&id| {
            Some(Measured {
                features: measure(scene, shots, styles, scene.pair(id)?)?,
                xpath: crate::locator::xpath(scene.reference(), id),
                selector: crate::locator::selector(scene.reference(), id),
            })
        })
        .collect()
}

/// Leaves, and boxes whose styles differ: what the other way of judging looks at too.
fn measure(scene: &Scene<'_>, shots: &mut Shots<'_>, styles: &mut StylePairs, pair: Pair<'_>) -> Option<Features> {
    if is_text(pair.a) || is_silent(pair.a) || !shown(pair.a) || !shown(pair.b) {
        return None;
    }
    let kind = role(scene.reference(), pair.a);
    let told = styles.differences(scene, pair);
    if told.is_empty() && !is_leaf(scene, pair, kind) {
        return None;
    }
    let (a, b) = painted(scene, pair);
    let (a, b) = shots.crops(a, b, 0.0)?;
    Some(Features::of(scene, pair, (&a, &b), told.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_that_comes_with_the_program_can_be_read() {
        assert_eq!(Tree::parse(DEFAULT).map(|tree| tree.leaves() > 1), Ok(true));
    }
}
