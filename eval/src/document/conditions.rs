//! On what machine, when and in what time everything was measured.

use super::line;
use crate::figures::Figure;
use crate::machine::{Conditions, Machine};
use crate::store::Piece;
use serde_json::Value;
use std::collections::BTreeMap;
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};

const MOST_MINUTES: f64 = 60.0;

/// How often each condition occurs says more about a long evaluation than its last minute.
pub(super) fn section(machine: &Machine, pieces: &BTreeMap<String, Piece<Value>>) -> String {
    let mut text = String::from("## Conditions\n\n");
    let browsers: Vec<String> = machine
        .browsers
        .iter()
        .map(|(name, version)| format!("{name} {version}"))
        .collect();
    line(
        &mut text,
        &format!("{}, {} cores; {}.", machine.system, machine.cores, browsers.join(", ")),
    );
    let all = || pieces.values().map(|piece| &piece.conditions);
    let mut days: Vec<&str> = all().filter_map(|conditions| conditions.at.get(..16)).collect();
    days.sort_unstable();
    if let (Some(first), Some(last)) = (days.first(), days.last()) {
        let unoptimised = all().filter(|conditions| !conditions.optimised).count();
        let loads: Vec<f64> = all()
            .map(|conditions| conditions.load)
            .filter(|load| load.is_finite())
            .collect();
        let mut commits: Vec<&str> = all().map(|conditions| conditions.commit.as_str()).collect();
        commits.sort_unstable();
        commits.dedup();
        line(
            &mut text,
            &format!(
                "{} parts, measured between {first} and {last} UTC in {:.0} minutes, those side by side counted once; {unoptimised} of them by an unoptimised build. Checked out meanwhile: {} (`+` with changes).",
                pieces.len(),
                minutes(all()),
                commits.join(", ")
            ),
        );
        if !loads.is_empty() {
            let (median, least, most) = crate::cost::spread(&loads);
            line(
                &mut text,
                &format!(
                    "Load average: median {median:.1}, between {least:.1} and {most:.1}, on {} cores. Above {0}, other work took part, \
                     and times are to be read with that in mind; ratios are of runs that followed each other.",
                    machine.cores
                ),
            );
        }
    }
    text + "\n"
}

/// How long all of it takes: known once nothing of the `planned` parts is left.
pub(super) fn figure(pieces: &BTreeMap<String, Piece<Value>>, planned: usize) -> Figure {
    let is_whole = pieces.len() >= planned;
    let taken = is_whole.then(|| minutes(pieces.values().map(|piece| &piece.conditions)));
    let name = "minutes that the whole evaluation takes";
    Figure::at_most(name, taken, MOST_MINUTES, pieces.len().min(planned), planned)
}

/// In which anything was measured: what went on side by side took its time once, and a pause between two calls took none.
fn minutes<'a>(all: impl Iterator<Item = &'a Conditions>) -> f64 {
    let span = |conditions: &Conditions| {
        let end = OffsetDateTime::parse(&conditions.at, &Rfc3339).ok()?;
        Some((end - Duration::seconds_f64(conditions.took_s), end))
    };
    let mut spans: Vec<_> = all.filter_map(span).collect();
    spans.sort_unstable();
    let mut taken = Duration::ZERO;
    let mut until = OffsetDateTime::UNIX_EPOCH;
    for (begin, end) in spans {
        taken += (end - begin.max(until)).max(Duration::ZERO);
        until = until.max(end);
    }
    taken.as_seconds_f64() / 60.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Outcome;

    fn pieces(spans: &[(&str, f64)]) -> BTreeMap<String, Piece<Value>> {
        let piece = |(number, &(at, took_s)): (usize, &(&str, f64))| {
            let conditions = Conditions {
                at: at.to_owned(),
                commit: String::new(),
                optimised: true,
                load: 1.0,
                took_s,
            };
            let outcome = Outcome::Measured(Value::Null);
            (number.to_string(), Piece { conditions, outcome })
        };
        spans.iter().enumerate().map(piece).collect()
    }

    #[test]
    fn parts_side_by_side_take_their_time_once_and_pauses_take_none() {
        let all = pieces(&[
            ("2026-11-29T10:01:00Z", 60.0),
            ("2026-11-29T10:02:00Z", 90.0),
            ("2026-11-29T10:01:50Z", 5.0),
            ("2026-11-29T20:01:00Z", 60.0),
        ]);
        assert_eq!(minutes(all.values().map(|piece| &piece.conditions)), 3.0);
        assert_eq!(figure(&all, 4).value, Some(3.0));
    }

    #[test]
    fn a_part_of_the_evaluation_does_not_say_how_long_all_of_it_takes() {
        let some = figure(&pieces(&[("2026-11-29T10:01:00Z", 60.0)]), 2);
        assert_eq!((some.value, some.measured, some.of), (None, 1, 2));
    }
}
