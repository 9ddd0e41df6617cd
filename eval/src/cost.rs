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

/// How a session is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// As fast as a script can: what a test suite feels.
    Script,
    /// With a short pause after each thing that is done: what a quick person feels.
    Person,
}

impl Pace {
    pub(crate) const ALL: [Pace; 2] = [Pace::Script, Pace::Person];

    fn pause(self) -> Duration {
        match self {
            Pace::Script => Duration::ZERO,
            Pace::Person => Duration::from_millis(250),
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Pace::Script => "cost",
            Pace::Person => "paced-cost",
        }
    }
}

pub(crate) fn prefix(subject: &Subject, pace: Pace) -> String {
    format!("{}/{}/", pace.folder(), subject.slug())
}

pub(crate) fn key(subject: &Subject, pace: Pace, number: usize) -> String {
    format!("{}{number}", prefix(subject, pace))
}

/// Who comes first takes turns: what else the machine does falls on both.
pub(crate) async fn pair(subject: &Subject, pace: Pace, number: usize) -> Result<Pair> {
    let (case, pause) = (&subject.0, pace.pause());
    let (passed, recorded) = if number.is_multiple_of(2) {
        let passed = cost::pass(ENGINES[0], case, pause).await?;
        (passed, cost::record(ENGINES[0], case, pause).await?.0)
    } else {
        let recorded = cost::record(ENGINES[0], case, pause).await?.0;
        (cost::pass(ENGINES[0], case, pause).await?, recorded)
    };
    Ok(Pair {
        passed_s: passed.whole.as_secs_f64(),
        recorded_s: recorded.whole.as_secs_f64(),
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
