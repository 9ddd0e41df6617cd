//! `xcheck invariants learn`.

use super::learning::{Lessons, Plan, learn};
use super::model::Algorithm;
use crate::Everywhere;
use crate::commands::reruns::Reruns;
use crate::exit::{Exit, Failure};
use crate::signals::Signals;
use crate::terminal::{self, BOLD, GOOD, WARNING, count, styled};
use anyhow::{Context, anyhow};
use std::io::Write;
use std::path::{Path, PathBuf};
use xcheck_report::invariants as report;

const EXAMPLES: &str = "\
Examples:
  xcheck invariants learn shop.trace --out shop.invariants.json
  xcheck invariants learn shop.trace --out shop.invariants.json --live --runs 10
  xcheck invariants learn shop.trace --out dodom.json --algorithm dodom

A run that goes another way than the trace (a target that is not there, a page that does not come) is kept out of
learning, and said. Two runs in a row that teach nothing end it.

Exit codes: 0 learnt, 2 usage or bad input, 3 no run could be learnt from: the application is not there, a login has
expired, the browser died.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A trace, folder or packed
    trace: PathBuf,
    /// Where the model goes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many runs at most
    #[arg(long, value_name = "N", default_value_t = 6)]
    runs: usize,
    /// Make all the runs, although nothing is learnt any more
    #[arg(long)]
    all_runs: bool,
    #[arg(long, value_enum, default_value_t)]
    algorithm: Algorithm,
    /// Where the HTML report goes [default: beside the model]
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    reruns: Reruns,
}

pub(crate) fn run(args: &Args, everywhere: &Everywhere) -> Result<Exit, Failure> {
    if args.runs < 2 {
        return Err(Failure::usage(anyhow!(
            "one run shows nothing that varies: --runs 2 at least"
        )));
    }
    let session = args.reruns.session(&args.trace, everywhere)?;
    // Minutes of runs must not end in a model that cannot be kept.
    if let Some(folder) = args
        .out
        .parent()
        .filter(|folder| *folder != Path::new("") && !folder.is_dir())
    {
        return Err(Failure::usage(anyhow!(
            "{} cannot be written: there is no folder {}",
            args.out.display(),
            folder.display()
        )));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let plan = Plan {
        runs: args.runs,
        algorithm: args.algorithm,
        all: args.all_runs,
    };
    let lessons = runtime.block_on(async {
        let mut signals = Signals::catch()?;
        tokio::select! {
            learnt = learn(&session, &args.trace, &plan) => learnt.map_err(|error| anyhow!(error)),
            () = signals.stop() => Err(anyhow!("stopped; nothing was learnt")),
        }
    })?;
    lessons.model.write(&args.out)?;
    let path = args.report.clone().unwrap_or_else(|| args.out.with_extension("html"));
    write_report(&lessons, &path)?;
    say(&lessons)?;
    terminal::say(format!("{} {}", styled(BOLD, "model:"), args.out.display()));
    let shown = path.canonicalize().unwrap_or(path);
    terminal::say(format!("{} file://{}", styled(BOLD, "report:"), shown.display()));
    Ok(Exit::Clean)
}

fn say(lessons: &Lessons) -> Result<(), Failure> {
    let model = &lessons.model;
    let mut out = terminal::stdout();
    let used = model.curve.len();
    let left_out = model.runs.len() - used;
    let mut line = format!("learnt from {}", count(used as u64, "run"));
    if left_out > 0 {
        line += &styled(WARNING, format!(" ({left_out} left out)"));
    }
    writeln!(
        out,
        "{line}, in {:.0} ms beside the runs",
        lessons.learning.as_secs_f64() * 1e3
    )?;
    match model.converged_after {
        Some(after) => writeln!(
            out,
            "{}",
            styled(GOOD, format!("converged after {}", count(after.into(), "run")))
        )?,
        None => writeln!(
            out,
            "{}",
            styled(
                WARNING,
                "not converged: the last runs still taught something; more --runs will tell"
            )
        )?,
    }
    let (first, last) = (model.curve.first(), model.curve.last());
    writeln!(out, "{:>6}  {:>7}  {:>7}  {:>5}  event", "event", "nodes", "held", "%")?;
    for (place, label) in model.learnt.events() {
        let nodes = |lesson: Option<&xcheck_invariants::Lesson>| {
            lesson
                .and_then(|lesson| lesson.held.get(&place.number))
                .map_or(0, |measure| measure.nodes)
        };
        let (all, held) = (nodes(first), nodes(last));
        let share = held as f64 * 100.0 / all.max(1) as f64;
        let label = terminal::printable(label);
        writeln!(out, "{:>6}  {all:>7}  {held:>7}  {share:>5.1}  {label}", place.number)?;
    }
    out.flush()?;
    Ok(())
}

fn write_report(lessons: &Lessons, path: &std::path::Path) -> Result<(), Failure> {
    let model = &lessons.model;
    let learnt = report::Learnt {
        trace: model.trace.clone(),
        browser: format!("{} {}", model.browser.name, model.browser.version),
        against: against(model.live),
        algorithm: format!("{:?}", model.algorithm).to_lowercase(),
        converged_after: model.converged_after,
        runs: model
            .runs
            .iter()
            .map(|run| (run.took_ms, run.left_out.clone()))
            .collect(),
        events: model
            .learnt
            .events()
            .iter()
            .map(|(place, label)| (place.number, (*label).to_owned()))
            .collect(),
        curve: model
            .curve
            .iter()
            .map(|lesson| {
                let point = |(event, measure): (&u32, &xcheck_invariants::Measure)| {
                    let [children, levels, descendants] = measure.averages();
                    (*event, [measure.nodes as f64, children, levels, descendants])
                };
                lesson.held.iter().map(point).collect()
            })
            .collect(),
        pictures: lessons.pictures.clone(),
    };
    std::fs::write(path, report::learnt_page(&learnt))
        .with_context(|| format!("the report could not be written to {}", path.display()))?;
    Ok(())
}

pub(crate) fn against(live: bool) -> String {
    if live {
        "the application itself"
    } else {
        "the answers of the trace"
    }
    .to_owned()
}
