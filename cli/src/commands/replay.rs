//! `xcheck replay`: a trace, run again in browsers, with no server and no network.

use super::ca;
use crate::Everywhere;
use crate::config::Config;
use crate::exit::{Exit, Failure, OrUsage};
use crate::terminal::{self, BAD, GOOD, WARNING, count, printable, styled};
use anyhow::{Context, anyhow};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use xcheck_agent::replay::{
    Checkpoints, Progress, Reference, ReplayNews, ReplayOptions, ReplayRequest, all_measured, default_folder,
    replay_all,
};
use xcheck_agent::{Installed, find};
use xcheck_proxy::ServeRules;
use xcheck_trace::Trace;
use xcheck_trace::run::{Outcome, ReplayOutcome};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A trace's folder, or the file it was packed into
    trace: PathBuf,
    /// Browsers, by name (see `xcheck browsers`) or path
    #[arg(long, value_name = "BROWSER,…", value_delimiter = ',', required = true)]
    on: Vec<String>,
    /// The one that the others are compared with; it is replayed twice, to tell noise from differences
    #[arg(long, value_name = "BROWSER")]
    reference: Option<String>,
    /// Look at the page after every event, not only where something should have come of it
    #[arg(long, value_enum, default_value_t)]
    checkpoints: When,
    /// The folder to make for the run [default: beside the trace, never one that is there]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// With windows, to look on
    #[arg(long)]
    headed: bool,
    /// How many browsers run at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// What a browser and a page may take for one answer
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    deadline: u64,
    /// Query parameters that do not count when requests are matched, such as cache busters
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    ignore_parameter: Vec<String>,
    /// What a request is answered with that the trace does not have
    #[arg(long, value_name = "STATUS", default_value_t = 404, value_parser = clap::value_parser!(u16).range(200..600))]
    miss_status: u16,
    /// Let such requests go to the network
    #[arg(long)]
    live: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum When {
    #[default]
    WhereItMatters,
    EveryEvent,
}

pub(super) fn run(args: Args, everywhere: &Everywhere) -> Result<Exit, Failure> {
    let config = Config::read(everywhere.config.as_deref())?;
    let (trace, warnings) =
        Trace::open(&args.trace).with_context(|| format!("{} cannot be replayed", args.trace.display()))?;
    for warning in warnings {
        terminal::warn(warning);
    }
    if trace.loads.is_empty() {
        return Err(anyhow!("{} has no page that could be replayed", args.trace.display()).into());
    }
    let names = args.reference.iter().chain(&args.on);
    let mut browsers: Vec<Installed> = Vec::new();
    for name in names {
        let browser = find(name, &config.browsers).or_usage()?;
        if !browsers.iter().any(|known| known.name == browser.name) {
            browsers.push(browser);
        }
    }
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&args.trace));
    let request = ReplayRequest {
        trace: Arc::new(trace),
        trace_path: args.trace.clone(),
        browsers,
        reference: args.reference.clone().map_or(Reference::None, Reference::Twice),
        authority: ca::open(everywhere)?,
        options: ReplayOptions {
            headless: !args.headed,
            checkpoints: match args.checkpoints {
                When::WhereItMatters => Checkpoints::WhereItMatters,
                When::EveryEvent => Checkpoints::EveryEvent,
            },
            rules: ServeRules {
                ignored_parameters: args.ignore_parameter.clone(),
                miss_status: args.miss_status,
                live: args.live,
            },
            deadline: Duration::from_secs(args.deadline.max(1)),
        },
        at_once: args.jobs,
        folder: folder.clone(),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let lines = Arc::new(Lines::default());
    let (run, outcomes) = runtime.block_on(replay_all(
        request,
        Arc::new(move |news: ReplayNews<'_>| lines.tell(news)),
    ))?;
    let mut out = terminal::stdout();
    writeln!(out, "{}", folder.display())?;
    out.flush()?;
    let measured = all_measured(&outcomes) && outcomes.len() == run.replays.len();
    Ok(if measured { Exit::Clean } else { Exit::NotMeasured })
}

/// The live line: how far each browser is.
#[derive(Default)]
struct Lines {
    going: Mutex<BTreeMap<String, Progress>>,
}

impl Lines {
    fn tell(&self, news: ReplayNews<'_>) {
        let mut going = self.going.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match news {
            ReplayNews::Progress(name, progress) => {
                going.insert(name.to_owned(), progress);
            }
            ReplayNews::Ended(name, outcome) => {
                let progress = going.remove(name);
                terminal::say(ended(name, outcome, progress));
            }
        }
        let parts = going
            .iter()
            .map(|(name, progress)| format!("{name} {}/{}", progress.events, progress.of));
        terminal::live_line().set_message(parts.collect::<Vec<_>>().join("   "));
    }
}

fn ended(name: &str, outcome: &ReplayOutcome, progress: Option<Progress>) -> String {
    let divergences = u64::from(progress.map_or(0, |progress| progress.divergences));
    let seconds = Duration::from_millis(outcome.wall_ms).as_secs_f64();
    let version = printable(&outcome.browser.version);
    match &outcome.outcome {
        Outcome::Replayed => {
            let style = if divergences == 0 { GOOD } else { WARNING };
            format!(
                "{} {version}: {} in {seconds:.1} s, {}",
                styled(style, name),
                count(outcome.events.into(), "event"),
                count(divergences, "divergence"),
            )
        }
        Outcome::NotMeasured { reason } => {
            format!("{} {version}: not measured: {}", styled(BAD, name), printable(reason))
        }
    }
}
