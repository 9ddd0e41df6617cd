//! `xcheck models`: what one browser's navigation model has and another's has not.

mod crawls;
mod runs;

pub(super) use crawls::{said as said_of_crawls, text as text_of_crawls};
pub(super) use runs::{Compared, compare as compare_runs};

use super::Format;
use crate::exit::{Exit, Failure};
use anyhow::anyhow;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  xcheck models shop-run-1                              of each browser that a run was replayed in
  xcheck models shop-run-1/*                            of several runs together, as check of a crawl leaves them
  xcheck models chromium.crawl firefox.crawl            two crawls of the live application
  xcheck models a.crawl/model.json b.crawl --format json

Exit codes: 0 the models are the same, 1 transitions or states are missing or extra, 2 usage, 3 nothing found but
a replay was not measured.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Runs of the same application, or two crawls' folders or model.json, the reference first
    #[arg(required = true, value_name = "RUN|CRAWL")]
    models: Vec<PathBuf>,
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    if let Some(missing) = args.models.iter().find(|path| !path.exists()) {
        return Err(Failure::usage(anyhow!("{} is not there", missing.display())));
    }
    let is_run = |folder: &PathBuf| folder.join("run.json").exists();
    match args.models.as_slice() {
        runs if runs.iter().all(is_run) => self::runs::run(runs, args.format),
        [reference, other] if !is_run(reference) && !is_run(other) => crawls::run(reference, other, args.format),
        _ => Err(Failure::usage(anyhow!(
            "give runs, as `xcheck replay` leaves them, or two crawls"
        ))),
    }
}
