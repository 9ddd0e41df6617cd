//! C4.5 for two classes and numbers: the split with the best gain ratio among those of at least average gain, then
//! pruning by a pessimistic estimate of each leaf's errors.
//!
//! Ties go to the first feature and the smallest threshold, so that the same samples give the same tree.

use super::features::{FEATURES, Features};
use super::model::Tree;

/// A pair of boxes, and whether a person sees a difference there.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    pub features: Features,
    pub differs: bool,
}

/// Least samples on either side of a split.
const LEAST: usize = 5;

/// z for the upper limit of an error rate at C4.5's confidence of 0.25.
const Z: f64 = 0.674_49;

/// Deeper trees only learn their samples by heart.
const DEEPEST: usize = 6;

pub fn learn(samples: &[Sample]) -> Tree {
    let all: Vec<&Sample> = samples.iter().collect();
    prune(grow(&all, 0)).0
}

struct Split {
    feature: usize,
    threshold: f32,
    gain: f64,
    ratio: f64,
}

fn grow(samples: &[&Sample], depth: usize) -> Tree {
    let differing = samples.iter().filter(|sample| sample.differs).count();
    if differing == 0 || differing == samples.len() || depth == DEEPEST {
        return leaf(samples);
    }
    let splits: Vec<Split> = (0..FEATURES.len())
        .filter_map(|feature| best_split(samples, feature))
        .collect();
    let average = splits.iter().map(|split| split.gain).sum::<f64>() / splits.len().max(1) as f64;
    let mut best: Option<&Split> = None;
    for split in splits.iter().filter(|split| split.gain >= average - 1e-9) {
        if best.is_none_or(|best| split.ratio > best.ratio + 1e-12) {
            best = Some(split);
        }
    }
    let Some(best) = best else { return leaf(samples) };
    let (low, high): (Vec<&Sample>, Vec<&Sample>) = samples
        .iter()
        .partition(|sample| sample.features.0[best.feature] <= best.threshold);
    Tree::Split {
        feature: best.feature,
        threshold: best.threshold,
        low: Box::new(grow(&low, depth + 1)),
        high: Box::new(grow(&high, depth + 1)),
    }
}

fn leaf(samples: &[&Sample]) -> Tree {
    let differing = samples.iter().filter(|sample| sample.differs).count();
    let differs = 2 * differing > samples.len();
    let wrong = if differs { samples.len() - differing } else { differing };
    Tree::Leaf {
        differs,
        samples: samples.len() as u32,
        wrong: wrong as u32,
    }
}

/// The threshold of most gain, half way between two values that occur.
fn best_split(samples: &[&Sample], feature: usize) -> Option<Split> {
    let mut sorted: Vec<(f32, bool)> = samples
        .iter()
        .map(|sample| (sample.features.0[feature], sample.differs))
        .collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let all = sorted.len();
    let differing = sorted.iter().filter(|(_, differs)| *differs).count();
    let whole = entropy(differing, all);
    let mut best: Option<Split> = None;
    let mut differing_below = 0;
    for at in 1..all {
        differing_below += usize::from(sorted[at - 1].1);
        let (below, above) = (sorted[at - 1].0, sorted[at].0);
        if below == above || at < LEAST || all - at < LEAST {
            continue;
        }
        let share = at as f64 / all as f64;
        let rest = (1.0 - share) * entropy(differing - differing_below, all - at);
        let gain = whole - share * entropy(differing_below, at) - rest;
        if gain > 1e-9 && best.as_ref().is_none_or(|best| gain > best.gain + 1e-12) {
            best = Some(Split {
                feature,
                threshold: rounded(below, above),
                gain,
                ratio: gain / entropy(at, all),
            });
        }
    }
    best
}

/// A short number between two, for people to read.
fn rounded(below: f32, above: f32) -> f32 {
    let middle = below + (above - below) / 2.0;
    for digits in 0..6 {
        let scale = 10_f32.powi(digits);
        let short = (middle * scale).round() / scale;
        if short >= below && short < above {
            return short;
        }
    }
    below
}

/// Of two classes, in bits.
fn entropy(part: usize, all: usize) -> f64 {
    if part == 0 || part == all {
        return 0.0;
    }
    let share = part as f64 / all as f64;
    -share * share.log2() - (1.0 - share) * (1.0 - share).log2()
}

/// Subtrees that promise no fewer errors than a leaf in their place become one. With them: samples, how many differ, and
/// the errors to be expected.
fn prune(tree: Tree) -> (Tree, u32, u32, f64) {
    let (feature, threshold, low, high) = match tree {
        Tree::Leaf {
            differs,
            samples,
            wrong,
        } => {
            let differing = if differs { samples - wrong } else { wrong };
            let expected = expected_errors(samples, wrong);
            return (tree, samples, differing, expected);
        }
        Tree::Split {
            feature,
            threshold,
            low,
            high,
        } => (feature, threshold, low, high),
    };
    let (low, low_samples, low_differing, low_errors) = prune(*low);
    let (high, high_samples, high_differing, high_errors) = prune(*high);
    let (samples, differing) = (low_samples + high_samples, low_differing + high_differing);
    let differs = 2 * differing > samples;
    let wrong = if differs { samples - differing } else { differing };
    let as_leaf = expected_errors(samples, wrong);
    if as_leaf <= low_errors + high_errors + 0.1 {
        let leaf = Tree::Leaf {
            differs,
            samples,
            wrong,
        };
        return (leaf, samples, differing, as_leaf);
    }
    let split = Tree::Split {
        feature,
        threshold,
        low: Box::new(low),
        high: Box::new(high),
    };
    (split, samples, differing, low_errors + high_errors)
}

/// Samples times the upper limit of the error rate (Wilson's).
fn expected_errors(samples: u32, wrong: u32) -> f64 {
    let (n, f) = (f64::from(samples.max(1)), f64::from(wrong) / f64::from(samples.max(1)));
    let z2 = Z * Z;
    let limit = (f + z2 / (2.0 * n) + Z * (f / n - f * f / n + z2 / (4.0 * n * n)).sqrt()) / (1.0 + z2 / n);
    n * limit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(first: f32, second: f32, differs: bool) -> Sample {
        let mut features = [0.0; FEATURES.len()];
        (features[0], features[1]) = (first, second);
        Sample {
            features: Features(features),
            differs,
        }
    }

    #[test]
    fn the_feature_that_decides_is_found() {
        let samples: Vec<Sample> = (0..40)
            .map(|at| sample((at * 7 % 11) as f32, at as f32, at >= 25))
            .collect();
        let tree = learn(&samples);
        assert_eq!(tree.leaves(), 2, "{tree}");
        assert!(
            samples
                .iter()
                .all(|sample| tree.judge(&sample.features).0 == sample.differs)
        );
    }

    #[test]
    fn two_questions_are_asked_where_one_is_not_enough() {
        let samples: Vec<Sample> = (0..64)
            .map(|at| sample((at % 8) as f32, (at / 8) as f32, at % 8 > 4 && at / 8 > 3))
            .collect();
        let tree = learn(&samples);
        assert_eq!(tree.leaves(), 3, "{tree}");
    }

    #[test]
    fn a_single_odd_one_is_not_learnt() {
        let samples: Vec<Sample> = (0..60)
            .map(|at| sample((at * 37 % 60) as f32, (at * 23 % 60) as f32, at == 30))
            .collect();
        assert_eq!(learn(&samples).leaves(), 1);
    }
}
