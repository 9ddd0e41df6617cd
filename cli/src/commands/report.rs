//! `xcheck report`: a stored result in another format, with no new comparison.

use super::analyze::{Output, read_result};
use crate::exit::{Exit, Failure};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
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
