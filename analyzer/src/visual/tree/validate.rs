//! How well a tree does on samples it has not seen: stratified cross-validation.

use super::learn::{Sample, learn};

/// What was said of samples, against what is so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Confusion {
    pub found: u32,
    pub missed: u32,
    pub false_alarms: u32,
    pub quiet: u32,
}

impl Confusion {
    pub fn count(&mut self, said: bool, is_so: bool) {
        *match (said, is_so) {
            (true, true) => &mut self.found,
            (false, true) => &mut self.missed,
            (true, false) => &mut self.false_alarms,
            (false, false) => &mut self.quiet,
        } += 1;
    }

    pub fn precision(&self) -> f64 {
        share(self.found, self.false_alarms)
    }

    pub fn recall(&self) -> f64 {
        share(self.found, self.missed)
    }
}

fn share(good: u32, bad: u32) -> f64 {
    match good + bad {
        0 => 1.0,
        all => f64::from(good) / f64::from(all),
    }
}

/// Each part is judged by a tree learnt from the others. `groups` says which samples belong together (those of one page),
/// for a page's neighbours would give it away; each part gets as many groups with a difference as the next.
pub fn cross_validate(samples: &[Sample], groups: &[usize], parts: usize) -> Confusion {
    let part_of = stratified(samples, groups, parts);
    let mut confusion = Confusion::default();
    for part in 0..parts {
        let learnt_from: Vec<Sample> = samples
            .iter()
            .zip(groups)
            .filter(|(_, group)| part_of[**group] != part)
            .map(|(sample, _)| sample.clone())
            .collect();
        let tree = learn(&learnt_from);
        for (sample, group) in samples.iter().zip(groups) {
            if part_of[*group] == part {
                confusion.count(tree.judge(&sample.features).0, sample.differs);
            }
        }
    }
    confusion
}

/// Groups with a difference are dealt out in turn, then the others.
fn stratified(samples: &[Sample], groups: &[usize], parts: usize) -> Vec<usize> {
    let count = groups.iter().max().map_or(0, |last| last + 1);
    let mut differs = vec![false; count];
    for (sample, &group) in samples.iter().zip(groups) {
        differs[group] |= sample.differs;
    }
    let mut part_of = vec![0; count];
    for (turn, wanted) in [true, false].into_iter().enumerate() {
        let alike = (0..count).filter(|&group| differs[group] == wanted);
        for (place, group) in (turn..).zip(alike) {
            part_of[group] = place % parts.max(1);
        }
    }
    part_of
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visual::tree::features::{FEATURES, Features};

    #[test]
    fn every_sample_is_judged_once_by_a_tree_that_has_not_seen_its_group() {
        let samples: Vec<Sample> = (0..90)
            .map(|at| Sample {
                features: Features([at as f32; FEATURES.len()]),
                differs: at % 9 >= 6,
            })
            .collect();
        let groups: Vec<usize> = (0..90).map(|at| at / 3).collect();
        let confusion = cross_validate(&samples, &groups, 10);
        let Confusion {
            found,
            missed,
            false_alarms,
            quiet,
        } = confusion;
        assert_eq!((found + missed, false_alarms + quiet), (30, 60));
    }
}
