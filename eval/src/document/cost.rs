//! RQ1 as a table and two plots.

use super::plot::{Row, bars};
use super::{Section, reason};
use crate::cost::{self, Pair, spread};
use crate::figures::{Figure, number};
use crate::recorded::{self, Recorded};
use crate::replays::{self, Replayed, TIMES};
use crate::store::{Outcome, Store};
use crate::subjects::{ENGINES, Subject, all};
use anyhow::Result;
use std::fmt::Write;

/// Median, least and most.
type Spread = (f64, f64, f64);

pub(super) fn section(store: &Store) -> Result<Section> {
    let mut text = String::from(
        "## RQ1: what recording and replaying cost\n\n\
        Recording: the session, as fast as the script can, through a proxy that records against one that only forwards, in pairs of\n\
        runs one after the other; the median of the pairs' ratios, with the smallest and the largest. Replaying: three replays in\n\
        Chromium with page data, screenshots and the browser's start, against the same session recorded with a second's pause after\n\
        each thing the person does. The trace is everything on disk, the application's own files included.\n\n\
        | subject | events | gestures | trace | log per event | recording | pairs | replaying | recorded in | replayed in |\n\
        |---|---|---|---|---|---|---|---|---|---|\n",
    );
    let (mut recordings, mut replayings, mut per_event, mut traces) = (vec![], vec![], vec![], 0);
    for subject in all() {
        let recorded = store.measured::<Recorded>(&recorded::key(&subject))?;
        let (pairs, recording) = recording_ratio(store, &subject)?;
        let replaying = recorded
            .as_ref()
            .ok()
            .map(|recorded| replaying_ratio(store, &subject, recorded));
        let replaying = replaying.transpose()?.flatten();
        let first = match &recorded {
            Ok(recorded) => {
                per_event.push(recorded.log_bytes as f64 / recorded.events.max(1) as f64);
                traces += 1;
                format!(
                    "{} | {} | {:.0} KB | {} bytes",
                    recorded.events,
                    recorded.gestures,
                    recorded.trace_bytes as f64 / 1024.0,
                    recorded.log_bytes / recorded.events.max(1)
                )
            }
            Err(why) => format!("{} | | |", reason(why)),
        };
        let seconds = |value: Option<f64>| value.map_or("–".into(), |value| format!("{value:.1} s"));
        let recorded_s = recorded.as_ref().ok().map(|recorded| recorded.wall_s);
        let replayed_s = recorded_s.zip(replaying).map(|(wall, (ratio, ..))| wall * ratio);
        let _infallible = writeln!(
            text,
            "| {} | {first} | {} | {pairs} | {} | {} | {} |",
            subject.name(),
            shown(recording),
            shown(replaying),
            seconds(recorded_s),
            seconds(replayed_s),
        );
        let row = |(value, least, most): Spread| Row {
            label: subject.name().into(),
            value,
            spread: Some((least, most)),
        };
        recordings.extend(recording.map(row));
        replayings.extend(replaying.map(row));
    }
    text += "\n![Recording ratio](evaluation/recording.svg)\n\n![Replaying ratio](evaluation/replaying.svg)\n\n";
    let of = all().len();
    let values = |rows: &[Row]| -> Vec<f64> { rows.iter().map(|row| row.value).collect() };
    let (recorded, replayed) = (values(&recordings), values(&replayings));
    let median = |values: &[f64]| (!values.is_empty()).then(|| spread(values).0);
    let worst = |values: &[f64]| (!values.is_empty()).then(|| spread(values).2);
    let log = (!per_event.is_empty()).then(|| per_event.iter().sum::<f64>() / per_event.len() as f64);
    let figures = vec![
        Figure::at_most(
            "recording ratio, median of the subjects",
            median(&recorded),
            1.05,
            recorded.len(),
            of,
        ),
        Figure::at_most(
            "recording ratio, worst subject",
            worst(&recorded),
            1.15,
            recorded.len(),
            of,
        ),
        Figure::at_most("log bytes per event, compressed, mean", log, 1024.0, traces, of),
        Figure::at_most(
            "replaying ratio, median of the subjects",
            median(&replayed),
            0.5,
            replayed.len(),
            of,
        ),
        Figure::at_most(
            "replaying ratio, worst subject",
            worst(&replayed),
            0.5,
            replayed.len(),
            of,
        ),
    ];
    Ok(Section {
        text,
        figures,
        plots: vec![
            bars("recording.svg", "Recorded / as it is", &recordings, Some(1.05)),
            bars(
                "replaying.svg",
                "Replayed / recorded with a person's pauses",
                &replayings,
                Some(0.5),
            ),
        ],
    })
}

fn shown(ratio: Option<Spread>) -> String {
    ratio.map_or("–".into(), |(median, least, most)| {
        format!("{median:.3} ({} to {})", number(least), number(most))
    })
}

/// How many pairs, and what they say.
fn recording_ratio(store: &Store, subject: &Subject) -> Result<(usize, Option<Spread>)> {
    let pairs = store.all::<Pair>(&cost::prefix(subject))?;
    let ratios: Vec<f64> = pairs
        .values()
        .filter_map(|piece| match &piece.outcome {
            Outcome::Measured(pair) => Some(pair.ratio()),
            Outcome::NotMeasured(_) => None,
        })
        .collect();
    Ok((ratios.len(), (!ratios.is_empty()).then(|| spread(&ratios))))
}

fn replaying_ratio(store: &Store, subject: &Subject, recorded: &Recorded) -> Result<Option<Spread>> {
    let mut ratios = Vec::new();
    for number in 1..=TIMES {
        if let Ok(replayed) = store.measured::<Replayed>(&replays::key(subject, ENGINES[0], number))? {
            ratios.push(replayed.wall_s / recorded.wall_s);
        }
    }
    Ok((!ratios.is_empty()).then(|| spread(&ratios)))
}
