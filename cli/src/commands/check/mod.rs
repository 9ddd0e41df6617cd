//! `xcheck check`: replay and analyze in one go, for CI.

mod crawl;
mod together;

pub(super) use together::Together;

use super::analyze::{Output, Settings, analyze};
use super::invariants::model::{ModelFile, identity};
use super::replay::{Replaying, open, reference_of, say_outcomes};
use crate::Everywhere;
use crate::config::Config;
use crate::exit::{Exit, Failure};
use std::path::PathBuf;
use xcheck_agent::replay::Reference;

const EXAMPLES: &str = "\
Examples:
  xcheck check shop.trace --on firefox,webkit
  xcheck check shop.trace --format junit --output xcheck.xml
  xcheck check shop.trace --on old-firefox --reference firefox
  xcheck check shop.crawl --on firefox               each trace of a crawl, and its navigation model
  xcheck check shop.crawl --format junit --output xcheck.xml

The browser the trace was recorded in is the reference: it is replayed too, and twice, so that what changes by
itself is not taken for a difference.

Exit codes: 0 no incompatibility and everything measured, 1 incompatibilities found, 2 usage, 3 nothing found but
something could not be measured.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A trace, folder or packed; or a crawl's folder, for all its traces
    trace: PathBuf,
    #[command(flatten)]
    replaying: Replaying,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args, everywhere: &Everywhere) -> Result<Exit, Failure> {
    // Before minutes of replaying: a bad rule or tolerance is told at once.
    let options = args.settings.options(&Config::read(everywhere.config.as_deref())?)?;
    if crawl::is_crawl(&args.trace) {
        return crawl::check(args, everywhere, &options);
    }
    let trace = open(&args.trace)?;
    if let Some(model) = &args.settings.invariants {
        ModelFile::read(model, &identity(&trace))?;
    }
    let reference = reference_of(args.settings.reference.as_deref(), &trace, &args.replaying);
    let replayed = args
        .replaying
        .run(trace, &args.trace, Reference::Twice(reference), everywhere)?;
    say_outcomes(&replayed.outcomes);
    let analysis = analyze(&replayed.folder, None, args.settings.invariants.as_deref(), &options)?;
    args.output.give(&replayed.folder, &analysis)
}
