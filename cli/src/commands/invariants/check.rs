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
use xcheck_agent::rerun::{Ended, Finished, Job, Pool, Rerunning, Wants};
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
    /// Play the session once: otherwise it is played again where it deviates, and counts what both runs show
    #[arg(long)]
    single_run: bool,
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
    let result = runtime.block_on(async {
        let mut player = Player {
            what: &session.what,
            model: model.clone(),
            signals: Signals::catch()?,
            runs: 0,
        };
        check(args, &model, &mut player).await
    });
    terminal::live_line().finish_and_clear();
    give(args, &result?)
}

/// Once, and where it deviates again: what only one run shows may be rare, and learnt from too few runs.
async fn check(args: &Args, model: &ModelFile, player: &mut Player<'_>) -> anyhow::Result<Checked> {
    let mut runs = Vec::new();
    let mut missed = None;
    while !report::are_enough(&runs) {
        let says = match runs.len() {
            0 => "plays the session once more",
            _ => "it deviates: plays it again, to see whether it always does",
        };
        let finished = player.play(says).await?;
        match not_measured(&finished) {
            None => runs.push(checked(args, model, finished)),
            Some(why) if runs.is_empty() => anyhow::bail!("nothing could be checked: {why}"),
            Some(why) => missed = Some(format!("could not be played again: {why}")),
        }
        if args.single_run || missed.is_some() {
            break;
        }
    }
    let mut result = report::confirmed(runs).context("a session that was not played was checked")?;
    result.notes.extend(missed);
    Ok(result)
}

fn not_measured(finished: &Finished) -> Option<String> {
    let hopeless = is_hopeless(&finished.ran) || finished.ran.is_err();
    hopeless.then(|| left_out(&finished.ran).unwrap_or_default())
}

struct Player<'a> {
    what: &'a Rerunning,
    model: Arc<ModelFile>,
    signals: Signals,
    runs: usize,
}

impl Player<'_> {
    async fn play(&mut self, says: &'static str) -> anyhow::Result<Finished> {
        let known = self.model.clone();
        // The same deviation stands on every page that follows: one picture each time it is another.
        let last = Mutex::new(Vec::new());
        let watching = move |_: &Job, action: &xcheck_agent::rerun::Action<'_>, page: &xcheck_trace::page::PageData| {
            let found = known.learnt.deviations(action.place.number, page).unwrap_or_default();
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            let is_new = !found.is_empty() && *last != found;
            *last = found;
            if is_new { Wants::Picture } else { Wants::Nothing }
        };
        let jobs = vec![Job::plain(self.runs)];
        self.runs += 1;
        let mut pool = Pool::start(self.what, 1, jobs, Arc::new(watching));
        terminal::live_line().set_message(says);
        let finished = tokio::select! {
            finished = pool.next() => finished.context("the run did not end"),
            () = self.signals.stop() => Err(anyhow!("stopped; nothing was checked")),
        };
        pool.end().await;
        finished
    }
}

fn checked(args: &Args, model: &ModelFile, finished: Finished) -> Checked {
    let browser = format!("{} {}", model.browser.name, model.browser.version);
    let mut checked = Checked {
        format: FORMAT,
        trace: args.trace.display().to_string(),
        model: args.against.display().to_string(),
        browser,
        against: against(args.reruns.is_live()),
        runs: 1,
        diverged: None,
        diverged_once: None,
        events: Vec::new(),
        notes: Vec::new(),
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
            once: Vec::new(),
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
        for found in &event.once {
            let said = format!(
                "in one of two runs, after event {}: {} {}",
                event.event,
                found.what,
                terminal::printable(&found.at)
            );
            let values = format!("    learnt: {}\n    here:   {}", found.expected, found.actual);
            lines.push(styled(DIM, said));
            lines.push(styled(DIM, terminal_lines(&values)));
        }
        if !event.known {
            lines.push(format!("event {} ({}) is not in the model", event.event, event.label));
        }
    }
    if let Some(diverged) = &checked.diverged_once {
        let said = format!(
            "in one of two runs the session could not go on at event {}: {}",
            diverged.event, diverged.why
        );
        lines.push(styled(DIM, said));
    }
    lines.extend(checked.notes.iter().cloned());
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
    lines.extend(checked.seen_once().map(|once| format!("and {once}")));
    lines.join("\n") + "\n"
}

fn terminal_lines(text: &str) -> String {
    text.lines().map(terminal::printable).collect::<Vec<_>>().join("\n")
}
