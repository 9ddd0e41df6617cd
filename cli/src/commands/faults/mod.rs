//! `xcheck faults`: what an application makes of things that go wrong, one at a time.

mod judge;
mod keeping;
mod output;
mod words;

use super::invariants::learning::{Lessons, Plan, learn};
use super::invariants::model::{Algorithm, ModelFile, identity};
use super::reruns::{Reruns, Session, is_hopeless, left_out};
use crate::Everywhere;
use crate::exit::{Exit, Failure};
use crate::signals::Signals;
use crate::terminal;
use anyhow::anyhow;
use judge::Judge;
use keeping::Keeping;
use output::Output;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use xcheck_agent::rerun::{Action, Finished, Injection, Job, Pool, Runs, Slowness, Wants, Wrong, actions, injections};
use xcheck_trace::page::PageData;

const EXAMPLES: &str = "\
Examples:
  xcheck faults shop.trace                           everything, answered from the trace
  xcheck faults shop.trace --live                    against the application itself
  xcheck faults shop.trace --only error,not-answered --only '*/api/*'
  xcheck faults shop.trace --list                    what would be tried

Faults of a person's events: not-replayed; of messages: not-answered, error, slow, cut, garbled; of timers: not-fired;
of domains: domain-blocked, domain-slow; of scripts: script-failed. What shows is tried a second time before it is
reported. A run that stopped goes on where it was.

Exit codes: 0 no fault shows, 1 some do, 2 usage or bad input, 3 nothing shows but something could not be measured.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A trace, folder or packed
    trace: PathBuf,
    /// Only these: names of faults, or a text of what is disturbed, with `*` for anything (may be repeated)
    #[arg(long, value_name = "FAULT|TEXT", value_delimiter = ',')]
    only: Vec<String>,
    /// Say what would be tried, and try nothing
    #[arg(long)]
    list: bool,
    /// What was learnt of this trace [default: it is learnt first]
    #[arg(long, value_name = "MODEL")]
    against: Option<PathBuf>,
    /// Runs without a fault to learn from at most
    #[arg(long, value_name = "N", default_value_t = 6)]
    runs: usize,
    /// How much longer takes what is slow, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 3_000)]
    slow: u64,
    /// What is answered where the answer is an error
    #[arg(long, value_name = "STATUS", default_value_t = 500, value_parser = clap::value_parser!(u16).range(400..600))]
    status: u16,
    #[command(flatten)]
    reruns: Reruns,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args, everywhere: &Everywhere) -> Result<Exit, Failure> {
    let mut session = args.reruns.session(&args.trace, everywhere)?;
    let all = wanted(args, &session, &Runs::default());
    if all.is_empty() {
        let why = if args.only.is_empty() {
            "there is nothing in it that could go wrong"
        } else {
            "--only fits none of its faults (see --list)"
        };
        return Err(Failure::usage(anyhow!("{}: {why}", args.trace.display())));
    }
    if args.list {
        return output::list(&all);
    }
    // What is slow must not be taken for what stays open.
    session.what.options.open = session.what.options.open.max(Duration::from_millis(args.slow + 1_500));
    session.what.options.patience = session
        .what
        .options
        .patience
        .max(Duration::from_millis(args.slow * 2 + 10_000));
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut signals = Signals::catch()?;
        tokio::select! {
            done = inject(args, &session) => done,
            () = signals.stop() => Err(anyhow!("stopped; the same command goes on from here").into()),
        }
    })
}

fn wanted(args: &Args, session: &Session, runs: &Runs<'_>) -> Vec<Injection> {
    let slow = Slowness { millis: args.slow };
    let all = injections(&session.trace, &actions(&session.trace), slow, args.status, runs);
    all.into_iter()
        .filter(|injection| is_wanted(injection, &args.only))
        .collect()
}

fn is_wanted(injection: &Injection, only: &[String]) -> bool {
    let (names, texts): (Vec<&String>, Vec<&String>) = only
        .iter()
        .partition(|wanted| Wrong::ALL.iter().any(|wrong| wrong.name() == wanted.as_str()));
    let by_name = names.is_empty() || names.iter().any(|name| injection.wrong.name() == name.as_str());
    by_name && (texts.is_empty() || texts.iter().any(|text| fits(text, &injection.target)))
}

/// The parts between the stars, in order, anywhere.
fn fits(pattern: &str, text: &str) -> bool {
    let mut rest = text;
    pattern.split('*').all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

async fn inject(args: &Args, session: &Session) -> Result<Exit, Failure> {
    let plan = Plan {
        runs: args.runs.max(2),
        algorithm: Algorithm::Default,
        // Hundreds of runs are held against these: what varies seldom has to be seen first.
        all: true,
    };
    terminal::live_line().set_message("plays the session without a fault first");
    let mut lessons = learn(session, &args.trace, &plan)
        .await
        .map_err(|error| anyhow!(error))?;
    if let Some(path) = &args.against {
        lessons.model = ModelFile::read(path, &identity(&session.trace))?;
    }
    let Lessons {
        model,
        pictures,
        seen,
        asked,
        ..
    } = lessons;
    let runs = Runs {
        asked: &asked,
        at: session.what.options.at.as_deref(),
    };
    let all = wanted(args, session, &runs);
    let judge = Arc::new(Judge::new(model, seen));
    let mut keeping = Keeping::open(
        &args.output.folder(&args.trace),
        session,
        args,
        &judge,
        pictures,
        all.len(),
    )?;
    let left: Vec<usize> = (0..all.len()).filter(|number| !keeping.has(&all[*number])).collect();
    if left.len() < all.len() {
        terminal::say(format!(
            "goes on: {} of {} faults were tried before",
            all.len() - left.len(),
            all.len()
        ));
    }
    play(
        session,
        &judge,
        &all,
        left,
        "faults",
        &mut keeping,
        |keeping, finished| {
            let injection = &all[finished.job.number];
            if is_hopeless(&finished.ran) && !matches!(injection.wrong, Wrong::DomainBlocked | Wrong::DomainSlow) {
                tracing::debug!(why = left_out(&finished.ran), "a fault kept the first page from coming");
            }
            keeping.add(judge.judge(injection, finished))
        },
    )
    .await?;
    // What one run shows may be chance.
    let again = keeping.to_confirm(&all);
    play(
        session,
        &judge,
        &all,
        again,
        "that showed, once more",
        &mut keeping,
        |keeping, finished| keeping.confirm(&judge, &all[finished.job.number], finished),
    )
    .await?;
    terminal::live_line().finish_and_clear();
    let report = keeping.write_report()?;
    let report = report.canonicalize().unwrap_or(report);
    let exit = args.output.give(&keeping)?;
    terminal::say(format!(
        "{} file://{}",
        terminal::styled(terminal::BOLD, "report:"),
        report.display()
    ));
    Ok(exit)
}

/// One run for each of these faults, given to `done` as they end.
async fn play(
    session: &Session,
    judge: &Arc<Judge>,
    all: &[Injection],
    numbers: Vec<usize>,
    what: &str,
    keeping: &mut Keeping,
    mut done: impl FnMut(&mut Keeping, Finished) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let jobs: Vec<Job> = numbers
        .into_iter()
        .map(|number| Job::wrong(number, all[number].done.clone()))
        .collect();
    if jobs.is_empty() {
        return Ok(());
    }
    let (of, started) = (jobs.len(), Instant::now());
    let watcher = judge.clone();
    let since: Vec<u32> = all.iter().map(|injection| judge.first_look(injection)).collect();
    let watching = move |job: &Job, action: &Action<'_>, page: &PageData| {
        let is_late_enough = action.place.number >= since[job.number];
        match is_late_enough && watcher.is_first_deviation(job.number, action, page) {
            true => Wants::Picture,
            false => Wants::Nothing,
        }
    };
    let mut pool = Pool::start(&session.what, session.at_once, jobs, Arc::new(watching));
    let mut ended = 0;
    while let Some(finished) = pool.next().await {
        ended += 1;
        done(keeping, finished)?;
        let left = started.elapsed().as_secs_f64() / f64::from(ended) * (of as f64 - f64::from(ended));
        let found = keeping.faults.runs.iter().filter(|run| run.detected).count();
        terminal::live_line().set_message(format!("{ended} of {of} {what}, {found} show, about {left:.0} s left"));
    }
    pool.end().await;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_names_its_parts_in_order() {
        assert!(fits("*/api/*", "fetch GET http://a/api/cart"));
        assert!(fits("cart", "fetch GET http://a/api/cart"));
        assert!(!fits("cart*api", "fetch GET http://a/api/cart"));
    }
}
