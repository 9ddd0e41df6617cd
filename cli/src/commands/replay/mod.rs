//! `xcheck replay`: runs a trace in each browser.

mod progress;
mod request;

pub(super) use request::{Replaying, open, reference_of};

use crate::Everywhere;
use crate::exit::{Exit, Failure};
use crate::terminal::{self, BAD, GOOD, WARNING, count, styled};
use std::io::Write;
use std::path::PathBuf;
use xcheck_agent::replay::{Reference, all_measured};
use xcheck_trace::run::{Outcome, ReplayOutcome};

const EXAMPLES: &str = "\
Examples:
  xcheck replay shop.trace                          in every browser found here
  xcheck replay shop.trace --on firefox,webkit
  xcheck replay shop.trace --on old-firefox         a browser of your own, from xcheck.toml
  xcheck analyze shop-run-1                         compares what this left behind

Exit codes: 0 replayed everywhere, whatever was found on the way; 2 usage; 3 a browser could not be measured.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A trace, folder or packed
    trace: PathBuf,
    #[command(flatten)]
    replaying: Replaying,
    /// Replay this one first, and twice: what differs between its own replays is the page's noise
    #[arg(long, value_name = "BROWSER")]
    reference: Option<String>,
}

pub(crate) fn run(args: &Args, everywhere: &Everywhere) -> Result<Exit, Failure> {
    let trace = request::open(&args.trace)?;
    let reference = match &args.reference {
        Some(name) => Reference::Twice(name.clone()),
        None => Reference::None,
    };
    let replayed = args.replaying.run(trace, &args.trace, reference, everywhere)?;
    say_outcomes(&replayed.outcomes);
    let mut out = terminal::stdout();
    writeln!(out, "{}", replayed.folder.display())?;
    out.flush()?;
    Ok(match all_measured(&replayed.outcomes) {
        true => Exit::Clean,
        false => Exit::NotMeasured,
    })
}

/// On standard error: the run's path alone goes to standard output, for scripts.
pub(super) fn say_outcomes(outcomes: &[(String, ReplayOutcome)]) {
    for (name, outcome) in outcomes {
        let seconds = outcome.wall_ms as f64 / 1000.0;
        let events = count(outcome.events.into(), "event");
        let what = match &outcome.outcome {
            Outcome::Replayed => styled(GOOD, format!("{events} in {seconds:.1} s")),
            Outcome::NotMeasured { reason } => {
                format!("{} {reason} ({events} in {seconds:.1} s)", styled(BAD, "not measured:"))
            }
        };
        let version = match outcome.browser.version.as_str() {
            "" => styled(WARNING, "?"),
            version => version.to_owned(),
        };
        terminal::say(format!("{name} {version}: {what}"));
    }
}
