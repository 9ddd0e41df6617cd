//! `xcheck analyze`: compares the replays of a run and says what differs.

mod inputs;
mod learnt;
mod navigation;
mod output;
mod settings;

pub(super) use navigation::named;
pub(super) use output::{Format, Output, REPORT, exit};
pub(super) use settings::Settings;

use crate::Everywhere;
use crate::config::Config;
use crate::exit::{Exit, Failure, OrUsage};
use crate::terminal;
use anyhow::{Context, anyhow};
use std::path::{Path, PathBuf};
use std::time::Instant;
use xcheck_analyzer::findings::{Analysis, BrowserResult, FORMAT, Noise, Subject, Timings, Unfaithful};
use xcheck_analyzer::{Mask, Options, compare, noise};
use xcheck_trace::run::Outcome;
use xcheck_trace::runs::{Replay, RunReader};

/// The stored result, beside the run's other files: what `report`, `diff` and `accept` read.
pub(super) const RESULT: &str = "analysis.json";

const EXAMPLES: &str = "\
Examples:
  xcheck analyze shop.run                          findings, and the report's path
  xcheck analyze shop.run --format json > found.json
  xcheck analyze shop.run --mode full              check every node, as X-PERT does

Exit codes: 0 nothing found and everything measured, 1 incompatibilities found, 2 usage, 3 nothing found but
something could not be measured.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A run's folder, as `xcheck replay` prints it
    run: PathBuf,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args, everywhere: &Everywhere) -> Result<Exit, Failure> {
    let config = Config::read(everywhere.config.as_deref())?;
    let options = args.settings.options(&config)?;
    let analysis = analyze(
        &args.run,
        args.settings.reference.as_deref(),
        args.settings.invariants.as_deref(),
        &options,
    )?;
    args.output.give(&args.run, &analysis)
}

/// Opens the run, compares, and keeps the result in it.
pub(super) fn analyze(
    folder: &Path,
    reference: Option<&str>,
    invariants: Option<&Path>,
    options: &Options,
) -> Result<Analysis, Failure> {
    let (run, warnings) = RunReader::open(folder)?;
    warnings.iter().for_each(terminal::warn);
    let started = Instant::now();
    let mut analysis = compare_all(&run, reference, invariants, options)?;
    // The clock stays out of the stored bytes: the same run analyzed twice gives the same file.
    write_result(folder, &analysis)?;
    analysis.timings.wall_ms = u64::try_from(started.elapsed().as_millis()).ok();
    Ok(analysis)
}

fn compare_all(
    run: &RunReader,
    reference: Option<&str>,
    invariants: Option<&Path>,
    options: &Options,
) -> Result<Analysis, Failure> {
    let replays = read_replays(run)?;
    let of_name = |name: &str| replays.iter().find(|replay| replay.name == name);
    let name = reference
        .or(run.run.reference.as_deref())
        .or(run.run.replays.first().map(String::as_str))
        .ok_or_else(|| anyhow!("{} holds no replay at all", run.folder().display()))?;
    let known = || {
        format!(
            "there is no replay `{name}` in this run; it has {}",
            run.run.replays.join(", ")
        )
    };
    let reference = of_name(name).with_context(known).or_usage()?;
    let again = run.run.reference_again.as_deref().and_then(of_name);
    let again = again.filter(|replay| replay.name != reference.name && same_browser(reference, replay));
    let others: Vec<&Replay> = replays
        .iter()
        .filter(|replay| replay.name != reference.name && again.is_none_or(|again| again.name != replay.name))
        .collect();

    let mut timings = Timings::default();
    let (mut mask, restlessness) = match (unmeasured(reference), again) {
        (Some(_), _) => (Mask::default(), not_measured("the reference itself was not measured")),
        (None, None) => (Mask::default(), not_measured("the reference was replayed only once")),
        (None, Some(again)) => match unmeasured(again) {
            Some(reason) => (
                Mask::default(),
                not_measured(&format!("the reference's second replay: {reason}")),
            ),
            None => {
                let (mask, found, cost) = inputs::with(run, reference, |first| {
                    inputs::with(run, again, |second| noise(first, second, options))
                });
                timings.add(&cost);
                (mask, found)
            }
        },
    };
    let learnt = match invariants {
        Some(model) => learnt::mask(model, run, reference, &mut mask)?,
        None => Vec::new(),
    };
    let navigation = navigation::Navigation::of(run, reference, again.filter(|again| unmeasured(again).is_none()));
    let compared = in_parallel(&others, |other| {
        let (mut result, cost) = one(run, reference, other, &mask, options);
        navigation.compare(&mut result, other, options);
        (result, cost)
    });
    let mut results = Vec::new();
    for (result, cost) in compared {
        timings.add(&cost);
        results.push(result);
    }
    Ok(Analysis {
        format: FORMAT,
        trace: run.run.trace.clone(),
        trace_sha256: run.run.trace_sha256.to_string(),
        mode: options.mode,
        visual: options.visual,
        reference: subject(reference),
        unfaithful: Unfaithful::of(&reference.events),
        noise: restlessness,
        learnt,
        results,
        timings,
    })
}

fn read_replays(run: &RunReader) -> Result<Vec<Replay>, Failure> {
    let mut replays = Vec::new();
    for name in &run.run.replays {
        let (replay, warnings) = run.replay(name)?;
        warnings.iter().for_each(terminal::warn);
        replays.push(replay);
    }
    Ok(replays)
}

fn one(
    run: &RunReader,
    reference: &Replay,
    other: &Replay,
    mask: &Mask,
    options: &Options,
) -> (BrowserResult, Timings) {
    let reason = unmeasured(reference)
        .map(|reason| format!("the reference was not measured: {reason}"))
        .or_else(|| unmeasured(other));
    match reason {
        Some(reason) => (BrowserResult::not_measured(&subject(other), reason), Timings::default()),
        None => inputs::with(run, reference, |first| {
            inputs::with(run, other, |second| compare(first, second, mask, options))
        }),
    }
}

/// One browser a thread: they share nothing but what they read.
fn in_parallel<T: Send>(others: &[&Replay], work: impl Fn(&Replay) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = others.iter().map(|other| scope.spawn(move || work(other))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, T>| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        running.into_iter().map(join).collect()
    })
}

/// Why a replay as a whole tells nothing.
pub(super) fn unmeasured(replay: &Replay) -> Option<String> {
    match replay.outcome.as_ref().map(|outcome| &outcome.outcome) {
        Some(Outcome::Replayed) => None,
        Some(Outcome::NotMeasured { reason }) => Some(reason.clone()),
        None => Some("its replay did not finish; run `xcheck replay` again".to_owned()),
    }
}

fn not_measured(reason: &str) -> Noise {
    Noise::NotMeasured {
        reason: reason.to_owned(),
    }
}

fn same_browser(one: &Replay, other: &Replay) -> bool {
    let name = |replay: &Replay| replay.outcome.as_ref().map(|outcome| outcome.browser.name.clone());
    name(other).is_none_or(|_| name(one) == name(other))
}

fn subject(replay: &Replay) -> Subject {
    match &replay.outcome {
        Some(outcome) => Subject::from(&outcome.browser),
        None => Subject {
            browser: replay.name.clone(),
            version: "of unknown version".to_owned(),
        },
    }
}

fn write_result(folder: &Path, analysis: &Analysis) -> Result<(), Failure> {
    let path = folder.join(RESULT);
    let mut bytes = Vec::new();
    xcheck_report::json::write(analysis, &mut bytes)?;
    std::fs::write(&path, bytes).with_context(|| format!("the result could not be kept in {}", path.display()))?;
    Ok(())
}

/// A stored result: of a run's folder, or a file that `--format json` wrote.
pub(super) fn read_result(path: &Path) -> Result<Analysis, Failure> {
    let file = if path.is_dir() {
        path.join(RESULT)
    } else {
        path.to_owned()
    };
    let text = std::fs::read(&file)
        .with_context(|| format!("{} could not be read; `xcheck analyze` writes it", file.display()))
        .or_usage()?;
    let analysis: Analysis = serde_json::from_slice(&text)
        .with_context(|| format!("{} is no analysis of xcheck's", file.display()))
        .or_usage()?;
    if analysis.format.major > FORMAT.major {
        let error = anyhow!(
            "{} has format {}; this build reads up to {FORMAT}",
            file.display(),
            analysis.format
        );
        return Err(Failure::usage(error));
    }
    Ok(analysis)
}
