//! `xcheck report`: a stored result in another format, with no new comparison.

use super::analyze::{Output, read_result};
use crate::exit::{Exit, Failure};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  xcheck report shop-run-1 --report shop.html
  xcheck report shop-run-1 --format sarif --output shop.sarif --no-report";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A run's folder that was analyzed
    run: PathBuf,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let analysis = read_result(&args.run)?;
    args.output.give(&args.run, &analysis)
}
