//! `xcheck report`: a stored result in another format, with no new comparison.

use super::analyze::{Output, read_result};
use super::check::Together;
use crate::exit::{Exit, Failure};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  xcheck report shop-run-1 --report shop.html
  xcheck report shop-run-1 --format sarif --output shop.sarif --no-report

Also of a folder that `xcheck check` of a crawl left behind.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A run's folder that was analyzed, or that of a crawl's check
    run: PathBuf,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    if let Some(together) = Together::read(&args.run)? {
        return together.give(&args.run, &args.output);
    }
    let analysis = read_result(&args.run)?;
    args.output.give(&args.run, &analysis)
}
