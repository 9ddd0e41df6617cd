//! RQ1, second part: the others.

use super::{Section, reason};
use crate::contestants::{self, Played, Round, WAYS};
use crate::cost::spread;
use crate::figures::{Figure, number};
use crate::store::{Outcome, Store};
use crate::subjects::{Subject, all};
use anyhow::Result;
use std::fmt::Write;

pub(super) fn section(store: &Store) -> Result<Section> {
    let mut text = String::from(
        "### Beside it: what a person would otherwise take\n\n\
        The same sessions by one script over Playwright in the system's Chromium, with nothing, through our recording proxy, through\n\
        mitmproxy (which records exchanges, and no event), with Playwright's trace and HAR, and with rrweb (which records the DOM, and\n\
        no exchange). Time of the session against nothing in the same round, median of the rounds; what each writes when the session\n\
        is over is not in it. None of the three can be replayed in another engine.\n\n| subject | rounds |",
    );
    for way in &WAYS[1..] {
        let _infallible = write!(text, " {way} | kept |");
    }
    text += "\n|---|---|";
    text += &"---|---|".repeat(WAYS.len() - 1);
    text.push('\n');
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); WAYS.len()];
    for subject in all() {
        let rounds = rounds(store, &subject)?;
        let _infallible = write!(text, "| {} | {} |", subject.name(), rounds.len());
        for (index, way) in WAYS.iter().enumerate().skip(1) {
            let cell = match against_nothing(&rounds, way) {
                Ok((ratio, bytes)) => {
                    ratios[index].push(ratio);
                    format!("{} | {:.0} KB", number(ratio), bytes as f64 / 1024.0)
                }
                Err(why) => format!("{} | ", reason(&why)),
            };
            let _infallible = write!(text, " {cell} |");
        }
        text.push('\n');
    }
    let figure = |(index, way): (usize, &&str)| {
        let values = &ratios[index];
        let median = (!values.is_empty()).then(|| spread(values).0);
        let name = format!("session by Playwright with {way} / with nothing, median of the subjects");
        Figure::at_most(name, median, 0.0, values.len(), all().len()).without_bar()
    };
    let figures = WAYS.iter().enumerate().skip(1).map(figure).collect();
    text.push('\n');
    Ok(Section {
        text,
        figures,
        plots: Vec::new(),
    })
}

fn rounds(store: &Store, subject: &Subject) -> Result<Vec<Round>> {
    let pieces = store.all::<Round>(&contestants::prefix(subject))?;
    let measured = |outcome| match outcome {
        Outcome::Measured(round) => Some(round),
        Outcome::NotMeasured(_) => None,
    };
    Ok(pieces
        .into_values()
        .filter_map(|piece| measured(piece.outcome))
        .collect())
}

/// Median ratio of the rounds in which both were measured, and what was kept in the last one; else the first reason why not.
fn against_nothing(rounds: &[Round], way: &str) -> std::result::Result<(f64, u64), String> {
    let played = |round: &Round, way: &str| -> std::result::Result<Played, String> {
        round
            .ways
            .get(way)
            .cloned()
            .unwrap_or_else(|| Err("not measured yet".into()))
    };
    let (mut ratios, mut bytes, mut first_reason) = (Vec::new(), 0, None);
    for round in rounds {
        match (played(round, WAYS[0]), played(round, way)) {
            (Ok(nothing), Ok(with)) => {
                ratios.push(with.milliseconds / nothing.milliseconds);
                bytes = with.bytes;
            }
            (Err(why), _) | (_, Err(why)) => first_reason = first_reason.or(Some(why)),
        }
    }
    if ratios.is_empty() {
        return Err(first_reason.unwrap_or_else(|| "not measured yet".into()));
    }
    Ok((spread(&ratios).0, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_that_failed_is_told_with_its_reason_and_never_as_a_number() {
        let played = |milliseconds| Ok(Played { milliseconds, bytes: 7 });
        let round = |with: std::result::Result<Played, String>| Round {
            ways: [("nothing".to_owned(), played(100.0)), ("rrweb".to_owned(), with)].into(),
        };
        let failed = [round(Err("installing rrweb".into()))];
        assert_eq!(against_nothing(&failed, "rrweb"), Err("installing rrweb".into()));
        let half = [round(Err("once".into())), round(played(150.0))];
        assert_eq!(against_nothing(&half, "rrweb"), Ok((1.5, 7)));
        assert_eq!(against_nothing(&half, "mitmproxy"), Err("not measured yet".into()));
    }
}
