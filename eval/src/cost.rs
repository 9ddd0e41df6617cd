//! RQ1: what recording costs the session, in pairs of runs through a proxy that records and one that only forwards.

use crate::subjects::{ENGINES, Subject};
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use xcheck_tests::cost;

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pair {
    pub(crate) passed_s: f64,
    pub(crate) recorded_s: f64,
}

pub(crate) fn prefix(subject: &Subject) -> String {
    format!("cost/{}/", subject.slug())
}

pub(crate) fn key(subject: &Subject, number: usize) -> String {
    format!("{}{number}", prefix(subject))
}

/// Who comes first takes turns: what else the machine does falls on both.
pub(crate) async fn pair(subject: &Subject, number: usize) -> Result<Pair> {
    let (passed, recorded) = if number.is_multiple_of(2) {
        let passed = cost::pass(ENGINES[0], &subject.0, Duration::ZERO).await?;
        (passed, cost::record(ENGINES[0], &subject.0, Duration::ZERO).await?.0)
    } else {
        let recorded = cost::record(ENGINES[0], &subject.0, Duration::ZERO).await?.0;
        (cost::pass(ENGINES[0], &subject.0, Duration::ZERO).await?, recorded)
    };
    Ok(Pair {
        passed_s: passed.as_secs_f64(),
        recorded_s: recorded.as_secs_f64(),
    })
}

impl Pair {
    pub(crate) fn ratio(&self) -> f64 {
        self.recorded_s / self.passed_s
    }
}

/// Median, smallest and largest of values, at least one.
pub(crate) fn spread(values: &[f64]) -> (f64, f64, f64) {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    (cost::median(&sorted), sorted[0], sorted[sorted.len() - 1])
}
