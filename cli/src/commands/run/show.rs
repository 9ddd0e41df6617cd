//! `xcheck run show`: what replays did, finished or not.

use crate::commands::Format;
use crate::exit::{Exit, Failure};
use crate::terminal::{self, BAD, BOLD, DIM, GOOD, WARNING, count, printable, styled};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;
use xcheck_trace::run::Outcome;
use xcheck_trace::runs::{Replay, RunReader};

const EXAMPLES: &str = "\
Examples:
  xcheck run show shop-run-1                    outcomes, and where each browser diverged
  xcheck run show shop-run-1 --format json";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A run's folder
    run: PathBuf,
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let (run, mut warnings) = RunReader::open(&args.run)?;
    let mut replays = Vec::new();
    for name in &run.run.replays {
        let (replay, more) = run.replay(name)?;
        warnings.extend(more);
        replays.push(replay);
    }
    let mut out = terminal::stdout();
    match args.format {
        Format::Json => {
            let document = json!({
                "format": run.run.format,
                "trace": run.run.trace,
                "trace_sha256": run.run.trace_sha256,
                "viewport": run.run.viewport,
                "reference": run.run.reference,
                "reference_again": run.run.reference_again,
                "warnings": warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "browsers": replays.iter().map(as_json).collect::<Vec<_>>(),
            });
            serde_json::to_writer_pretty(&mut out, &document)?;
            writeln!(out)?;
        }
        Format::Text => {
            for warning in warnings {
                terminal::warn(warning);
            }
            writeln!(out, "{}: {}", styled(BOLD, args.run.display()), run.run.trace)?;
            for replay in &replays {
                as_text(&mut out, &run, replay)?;
            }
        }
    }
    out.flush()?;
    Ok(Exit::Clean)
}

fn as_json(replay: &Replay) -> Value {
    let (browser, version) = match &replay.outcome {
        Some(outcome) => (outcome.browser.name.as_str(), outcome.browser.version.as_str()),
        None => (replay.name.as_str(), ""),
    };
    let (outcome, reason) = match replay.outcome.as_ref().map(|outcome| &outcome.outcome) {
        Some(Outcome::Replayed) => ("replayed", None),
        Some(Outcome::NotMeasured { reason }) => ("not-measured", Some(reason.as_str())),
        None => ("unfinished", None),
    };
    let divergences = replay.events.iter().flat_map(|event| {
        event.divergences.iter().map(|divergence| {
            let mut value = json!(divergence);
            value["event"] = json!(event.place.number);
            value["label"] = json!(event.label);
            value["after_divergence"] = json!(event.after_divergence);
            value
        })
    });
    let checkpoints = replay.checkpoints.iter().map(|checkpoint| {
        json!({
            "event": checkpoint.place.number,
            "load": checkpoint.load,
            "url": checkpoint.url,
            "page_sha256": checkpoint.page_sha256,
            "screenshot_sha256": checkpoint.screenshot_sha256,
            "screenshot_missing": checkpoint.screenshot_missing,
        })
    });
    let mut value = json!({
        "replay": replay.name,
        "browser": browser,
        "version": version,
        "outcome": outcome,
        "wall_ms": replay.outcome.as_ref().map(|outcome| outcome.wall_ms),
        "events": replay.events.len(),
        "divergences": divergences.collect::<Vec<_>>(),
        "checkpoints": checkpoints.collect::<Vec<_>>(),
    });
    if let Some(reason) = reason {
        value["reason"] = json!(reason);
    }
    value
}

fn as_text(out: &mut impl Write, run: &RunReader, replay: &Replay) -> io::Result<()> {
    let role = match replay.name.as_str() {
        name if run.run.reference.as_deref() == Some(name) => " (reference)",
        name if run.run.reference_again.as_deref() == Some(name) => " (reference, again)",
        _ => "",
    };
    let (version, took) = match &replay.outcome {
        Some(outcome) => (
            format!(" {}", outcome.browser.version),
            format!(" in {:.1} s", outcome.wall_ms as f64 / 1e3),
        ),
        None => Default::default(),
    };
    let outcome = match replay.outcome.as_ref().map(|outcome| &outcome.outcome) {
        Some(Outcome::Replayed) => styled(GOOD, "replayed"),
        Some(Outcome::NotMeasured { reason }) => styled(BAD, format!("not measured: {reason}")),
        None => styled(WARNING, "not finished"),
    };
    let divergences: usize = replay.events.iter().map(|event| event.divergences.len()).sum();
    let numbers = [
        count(replay.events.len() as u64, "event"),
        count(replay.checkpoints.len() as u64, "checkpoint"),
        count(divergences as u64, "divergence"),
    ];
    let name = styled(BOLD, &replay.name);
    writeln!(out, "\n{name}{version}{role}: {outcome}{took}, {}", numbers.join(", "))?;
    for event in &replay.events {
        if event.divergences.is_empty() && event.notes.is_empty() && event.complaints.is_empty() {
            continue;
        }
        let after = if event.after_divergence {
            " (after a missing navigation)"
        } else {
            ""
        };
        writeln!(
            out,
            "  {:>5}  {}{}",
            event.place.number,
            printable(&event.label),
            styled(DIM, after)
        )?;
        for divergence in &event.divergences {
            let kind = json!(divergence.kind);
            let kind = styled(BAD, kind.as_str().unwrap_or_default());
            writeln!(
                out,
                "         {kind}: expected {}, got {}",
                printable(&divergence.expected),
                printable(&divergence.actual)
            )?;
            if let Some(cause) = &divergence.cause {
                let place = format!("{}:{}:{}", cause.source, cause.line, cause.column);
                writeln!(
                    out,
                    "           cause: {} {}",
                    printable(&cause.message),
                    styled(DIM, printable(&place))
                )?;
            }
        }
        for complaint in &event.complaints {
            let said = format!("caught, and written to the console: {}", complaint.message);
            writeln!(out, "         {}", printable(&said))?;
        }
        for note in &event.notes {
            writeln!(out, "         {}", styled(DIM, printable(note)))?;
        }
    }
    Ok(())
}
