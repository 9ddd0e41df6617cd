//! The models that the replays of one or more runs give, one for each browser.

use crate::commands::Format;
use crate::commands::analyze::{named, unmeasured};
use crate::exit::{Exit, Failure};
use crate::terminal::{self, BOLD, count, printable, styled};
use anyhow::anyhow;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use xcheck_crawler::{Departed, Departure, Model, Replays, departures};
use xcheck_trace::runs::{Replay, RunReader};

#[derive(Serialize)]
struct Compared {
    browser: String,
    /// Runs in which its replay cannot be compared, with the reason.
    not_measured: Vec<String>,
    departures: Vec<Departure>,
    model: Model,
}

pub(in crate::commands) fn compare(folders: &[PathBuf], format: Format) -> Result<Exit, Failure> {
    let mut runs = Vec::new();
    for folder in folders {
        let (run, warnings) = RunReader::open(folder)?;
        warnings.iter().for_each(terminal::warn);
        runs.push(run);
    }
    let first = &runs[0].run;
    let Some(reference) = first.reference.clone().or_else(|| first.replays.first().cloned()) else {
        return Err(anyhow!("{} holds no replay at all", folders[0].display()).into());
    };
    let mut names: Vec<String> = Vec::new();
    for run in runs.iter().map(|run| &run.run) {
        let others = run
            .replays
            .iter()
            .filter(|name| **name != reference && run.reference_again.as_ref() != Some(name));
        names.extend(others.cloned());
    }
    names.sort();
    names.dedup();
    let (mine, _) = model_of(&runs, &reference)?;
    let traces: Vec<String> = runs.iter().map(|run| run.run.trace.clone()).collect();
    let mut compared = Vec::new();
    let mut said = Vec::new();
    for browser in names {
        let (theirs, not_measured) = model_of(&runs, &browser)?;
        let found = departures(&mine, &theirs);
        said.push(
            found
                .iter()
                .map(|departure| sentences(departure, &mine, &theirs))
                .collect::<Vec<_>>(),
        );
        compared.push(Compared {
            model: theirs.model(&browser, &traces),
            browser,
            not_measured,
            departures: found,
        });
    }
    let model = mine.model(&reference, &traces);
    let mut out = terminal::stdout();
    if format == Format::Json {
        let document = serde_json::json!({"reference": model, "others": compared});
        serde_json::to_writer_pretty(&mut out, &document)?;
        writeln!(out)?;
    } else {
        writeln!(
            out,
            "{reference}: {} and {}",
            count(model.states.len() as u64, "state"),
            count(model.edges.len() as u64, "transition")
        )?;
        for (one, said) in compared.iter().zip(&said) {
            writeln!(
                out,
                "{}: {} and {}, {}",
                styled(BOLD, &one.browser),
                count(one.model.states.len() as u64, "state"),
                count(one.model.edges.len() as u64, "transition"),
                match one.departures.len() as u64 {
                    0 => "no difference".to_owned(),
                    number => count(number, "difference"),
                }
            )?;
            for reason in &one.not_measured {
                writeln!(out, "  not measured: {}", printable(reason))?;
            }
            for sentence in said.iter().flatten() {
                writeln!(out, "  {}", printable(sentence))?;
            }
        }
    }
    out.flush()?;
    Ok(match () {
        () if compared.iter().any(|one| !one.departures.is_empty()) => Exit::Found,
        () if compared.iter().any(|one| !one.not_measured.is_empty()) => Exit::NotMeasured,
        () => Exit::Clean,
    })
}

/// Runs in which this browser was not replayed, or not to the end, are left out, and said.
fn model_of(runs: &[RunReader], browser: &str) -> Result<(Replays, Vec<String>), Failure> {
    let mut model = Replays::default();
    let mut not_measured = Vec::new();
    for run in runs {
        let read = |name: &str| -> Result<Option<Replay>, Failure> {
            if !run.run.replays.iter().any(|known| known == name) {
                return Ok(None);
            }
            let (replay, warnings) = run.replay(name)?;
            warnings.iter().for_each(terminal::warn);
            Ok(Some(replay))
        };
        let replay = read(browser)?;
        let reason = match &replay {
            None => Some(format!("not replayed in {browser}")),
            Some(replay) => unmeasured(replay),
        };
        let is_reference = run.run.reference.as_deref() == Some(browser);
        let again = match &run.run.reference_again {
            Some(again) if is_reference => read(again)?.filter(|again| unmeasured(again).is_none()),
            _ => None,
        };
        model.add(run, replay.as_ref().filter(|_| reason.is_none()), again.as_ref());
        not_measured.extend(reason.map(|reason| format!("{}: {reason}", run.folder().display())));
    }
    Ok((model, not_measured))
}

fn sentences(departure: &Departure, reference: &Replays, other: &Replays) -> Vec<String> {
    let Departure {
        label,
        from,
        to,
        other_to,
        ..
    } = departure;
    let (from, to, other_to) = (named(reference, *from), named(reference, *to), named(other, *other_to));
    let transition = match departure.kind {
        Departed::Missing => format!("missing transition: {label}, from {from} to {to}"),
        Departed::Extra => format!("extra transition: {label}, from {from} to {other_to}"),
        Departed::Elsewhere => {
            format!("another state: {label}, from {from}, leads to {to} in the reference and to {other_to}")
        }
    };
    let states = departure
        .unreached
        .iter()
        .map(|state| format!("  missing state: {}", named(reference, *state)));
    std::iter::once(transition).chain(states).collect()
}
