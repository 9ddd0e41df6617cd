//! RQ1 as a table and two plots.

use super::plot::{Row, bars};
use super::{Section, reason};
use crate::cost::{self, Pace, Pair, spread};
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
        Recording: the session through a proxy that records against one that only forwards, in pairs of runs one after the other;\n\
        the median of the pairs' ratios, with the smallest and the largest: with a quarter of a second's pause after each thing that\n\
        is done, as a quick person takes it, and as fast as a script can. Replaying: three replays in Chromium with page data,\n\
        screenshots and the browser's start, against the same session recorded with a second's pause after each thing the person\n\
        does. The trace is everything on disk, the application's own files included.\n\n\
        | subject | events | gestures | trace | log per event | recording, a person's pace | a script's | pairs | replaying | recorded in | replayed in |\n\
        |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let (mut paced, mut recordings, mut replayings, mut per_event, mut traces) = (vec![], vec![], vec![], vec![], 0);
    for subject in all() {
        let recorded = store.measured::<Recorded>(&recorded::key(&subject))?;
        let (_, by_person) = recording_ratio(store, &subject, Pace::Person)?;
        let (pairs, recording) = recording_ratio(store, &subject, Pace::Script)?;
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
            "| {} | {first} | {} | {} | {pairs} | {} | {} | {} |",
            subject.name(),
            shown(by_person),
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
        paced.extend(by_person.map(row));
        recordings.extend(recording.map(row));
        replayings.extend(replaying.map(row));
    }
    text += "\n![Recording ratio at a person's pace](evaluation/recording-paced.svg)\n\n![Recording ratio at a script's pace](evaluation/recording.svg)\n\n![Replaying ratio](evaluation/replaying.svg)\n\n";
    let log = (!per_event.is_empty()).then(|| per_event.iter().sum::<f64>() / per_event.len() as f64);
    let mut figures = vec![];
    figures.extend(ratios("recording ratio at a person's pace", &paced, [1.05, 1.15]));
    figures.extend(ratios("recording ratio at a script's pace", &recordings, [1.05, 1.15]));
    figures.push(Figure::at_most(
        "log bytes per event, compressed, mean",
        log,
        1024.0,
        traces,
        all().len(),
    ));
    figures.extend(ratios("replaying ratio", &replayings, [0.5, 0.5]));
    Ok(Section {
        text,
        figures,
        plots: vec![
            bars(
                "recording-paced.svg",
                "Recorded / as it is, with a person's pauses",
                &paced,
                Some(1.05),
            ),
            bars(
                "recording.svg",
                "Recorded / as it is, as fast as a script can",
                &recordings,
                Some(1.05),
            ),
            bars(
                "replaying.svg",
                "Replayed / recorded with a person's pauses",
                &replayings,
                Some(0.5),
            ),
        ],
    })
}

/// The median of the subjects, and the worst of them, with their bars.
fn ratios(what: &str, rows: &[Row], bars: [f64; 2]) -> [Figure; 2] {
    let values: Vec<f64> = rows.iter().map(|row| row.value).collect();
    let known = (!values.is_empty()).then(|| spread(&values));
    let measured = [known.map(|(median, ..)| median), known.map(|(.., worst)| worst)];
    let figure = |n: usize, which: &str| {
        let name = format!("{what}, {which}");
        Figure::at_most(&name, measured[n], bars[n], rows.len(), all().len())
    };
    [figure(0, "median of the subjects"), figure(1, "worst subject")]
}

fn shown(ratio: Option<Spread>) -> String {
    ratio.map_or("–".into(), |(median, least, most)| {
        format!("{median:.3} ({} to {})", number(least), number(most))
    })
}

/// How many pairs, and what they say.
fn recording_ratio(store: &Store, subject: &Subject, pace: Pace) -> Result<(usize, Option<Spread>)> {
    let pairs = store.all::<Pair>(&cost::prefix(subject, pace))?;
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
