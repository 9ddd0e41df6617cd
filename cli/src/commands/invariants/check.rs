//! `xcheck invariants check`.

use super::learn::against;
use super::model::{ModelFile, identity};
use crate::Everywhere;
use crate::commands::reruns::{Reruns, is_hopeless, left_out};
use crate::exit::{Exit, Failure};
use crate::signals::Signals;
use crate::terminal::{self, BAD, BOLD, DIM, GOOD, styled};
use anyhow::{Context, anyhow};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use xcheck_agent::rerun::{Ended, Finished, Job, Pool, Wants};
use xcheck_report::invariants::{self as report, Checked, CheckedEvent, FORMAT};

const EXAMPLES: &str = "\
Examples:
  xcheck invariants check shop.trace --against shop.invariants.json --live
  xcheck invariants check shop.trace --against shop.invariants.json --at http://localhost:3001
  xcheck invariants check shop.trace --against shop.invariants.json --format junit --output invariants.xml

Exit codes: 0 everything is as it was learnt, 1 it deviates, 2 usage or bad input (a model of another trace), 3 it could
not be measured: the application is not there, a login has expired, the browser died.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The trace that the model was learnt from
    trace: PathBuf,
    /// The model, as `xcheck invariants learn` wrote it
    #[arg(long, value_name = "MODEL")]
    against: PathBuf,
    #[command(flatten)]
    reruns: Reruns,
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write the machine's format here rather than to standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where the HTML report goes [default: beside the model]
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write no HTML report
    #[arg(long, conflicts_with = "report")]
    no_report: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
    Junit,
}

pub(crate) fn run(args: &Args, everywhere: &Everywhere) -> Result<Exit, Failure> {
    let session = args.reruns.session(&args.trace, everywhere)?;
    let model = Arc::new(ModelFile::read(&args.against, &identity(&session.trace))?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let known = model.clone();
    // The same deviation stands on every page that follows: one picture each time it is another.
    let last = Mutex::new(Vec::new());
    let watching = move |_: &Job, action: &xcheck_agent::rerun::Action<'_>, page: &xcheck_trace::page::PageData| {
        let found = known.learnt.deviations(action.place.number, page).unwrap_or_default();
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = !found.is_empty() && *last != found;
        *last = found;
        if is_new { Wants::Picture } else { Wants::Nothing }
    };
    let finished = runtime.block_on(async {
        let mut signals = Signals::catch()?;
        let jobs = vec![Job::plain(0)];
        let mut pool = Pool::start(&session.what, 1, jobs, Arc::new(watching));
        terminal::live_line().set_message("plays the session once more");
        let finished = tokio::select! {
            finished = pool.next() => finished.context("the run did not end"),
            () = signals.stop() => Err(anyhow!("stopped; nothing was checked")),
        }?;
        pool.end().await;
        terminal::live_line().finish_and_clear();
        Ok::<_, anyhow::Error>(finished)
    })?;
    if is_hopeless(&finished.ran) || finished.ran.is_err() {
        let why = left_out(&finished.ran).unwrap_or_default();
        return Err(anyhow!("nothing could be checked: {why}").into());
    }
    let checked = checked(args, &model, finished);
    give(args, &checked)
}

fn checked(args: &Args, model: &ModelFile, finished: Finished) -> Checked {
    let browser = format!("{} {}", model.browser.name, model.browser.version);
    let mut checked = Checked {
        format: FORMAT,
        trace: args.trace.display().to_string(),
        model: args.against.display().to_string(),
        browser,
        against: against(args.reruns.is_live()),
        diverged: None,
        events: Vec::new(),
    };
    let Ok(ran) = finished.ran else { return checked };
    if let Ended::Diverged { at, label, why } = &ran.ended {
        checked.diverged = Some(report::Diverged {
            event: at.number,
            label: label.clone(),
            why: why.clone(),
        });
    }
    let mut before = Vec::new();
    for look in ran.looks {
        let found = model.learnt.deviations(look.place.number, &look.page);
        let known = found.is_some();
        let all: Vec<report::Deviation> = found.into_iter().flatten().map(deviation).collect();
        // What went wrong earlier and still stands there is said once.
        let (still, news): (Vec<_>, Vec<_>) = all.iter().cloned().partition(|one| before.contains(one));
        before = all;
        checked.events.push(CheckedEvent {
            event: look.place.number,
            label: look.label,
            known,
            deviations: news,
            still: still.len(),
            picture: look.picture.and_then(Result::ok),
            notes: look.notes,
        });
    }
    checked
}

pub(crate) fn deviation(found: xcheck_invariants::Deviation) -> report::Deviation {
    use xcheck_invariants::Deviates;
    let what = match found.kind {
        Deviates::Field(name) => name,
        Deviates::Missing => "missing".to_owned(),
        Deviates::Extra => "extra".to_owned(),
        Deviates::Count => "count".to_owned(),
        Deviates::Order => "order".to_owned(),
    };
    report::Deviation {
        what,
        at: found.path,
        expected: found.expected,
        actual: found.actual,
    }
}

fn give(args: &Args, checked: &Checked) -> Result<Exit, Failure> {
    let text = match args.format {
        Format::Text => text(checked),
        Format::Json => serde_json::to_string_pretty(checked)? + "\n",
        Format::Junit => report::checked_junit(checked),
    };
    match &args.output {
        Some(path) => std::fs::write(path, text).with_context(|| format!("{} could not be written", path.display()))?,
        None => {
            let mut out = terminal::stdout();
            out.write_all(text.as_bytes())?;
            out.flush()?;
        }
    }
    if !args.no_report {
        let path = args
            .report
            .clone()
            .unwrap_or_else(|| args.against.with_extension("check.html"));
        std::fs::write(&path, report::checked_page(checked))
            .with_context(|| format!("the report could not be written to {}", path.display()))?;
        let path = path.canonicalize().unwrap_or(path);
        terminal::say(format!("{} file://{}", styled(BOLD, "report:"), path.display()));
    }
    Ok(if checked.deviates() { Exit::Found } else { Exit::Clean })
}

fn text(checked: &Checked) -> String {
    let mut lines = Vec::new();
    for event in &checked.events {
        for found in &event.deviations {
            let where_ = format!("after event {} ({})", event.event, terminal::printable(&event.label));
            lines.push(format!(
                "{} {} {where_}",
                styled(BAD, &found.what),
                terminal::printable(&found.at)
            ));
            let values = format!("    learnt: {}\n    here:   {}", found.expected, found.actual);
            lines.push(styled(DIM, terminal_lines(&values)));
        }
        if !event.known {
            lines.push(format!("event {} ({}) is not in the model", event.event, event.label));
        }
    }
    if let Some(diverged) = &checked.diverged {
        let where_ = format!("at event {} ({})", diverged.event, diverged.label);
        lines.push(format!(
            "{} {where_}: {}",
            styled(BAD, "the session cannot go on"),
            diverged.why
        ));
    }
    let events = terminal::count(checked.events.len() as u64, "event");
    lines.push(match checked.deviates() {
        true => styled(
            BAD,
            format!(
                "{} after {events}",
                terminal::count(checked.count() as u64, "deviation")
            ),
        ),
        false => styled(GOOD, format!("as learnt, after each of {events}")),
    });
    lines.join("\n") + "\n"
}

fn terminal_lines(text: &str) -> String {
    text.lines().map(terminal::printable).collect::<Vec<_>>().join("\n")
}
