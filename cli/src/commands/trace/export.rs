//! `xcheck trace export`.

use crate::exit::{Exit, Failure, OrUsage};
use crate::terminal::{self, count};
use anyhow::Context;
use std::fs::OpenOptions;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use xcheck_trace::export_har;

const EXAMPLES: &str = "\
Examples:
  xcheck trace export --har shop.trace --out shop.har";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A trace's folder, or a packed trace
    trace: PathBuf,
    /// Write HAR 1.2, the only format so far
    #[arg(long, required = true)]
    har: bool,
    /// The file to write; one that is there is not overwritten [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let trace = super::open(&args.trace)?;
    let incomplete = match &args.out {
        None => export_har(&trace, &mut BufWriter::new(std::io::stdout().lock()))?,
        Some(path) => {
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            // It holds what the trace holds, passwords included.
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = options
                .open(path)
                .with_context(|| format!("{} could not be made", path.display()))
                .or_usage()?;
            let mut file = BufWriter::new(file);
            let incomplete = export_har(&trace, &mut file)
                .and_then(|incomplete| file.flush().map(|()| incomplete))
                .with_context(|| format!("{} could not be written", path.display()))?;
            terminal::say(format!("Wrote {}.", path.display()));
            incomplete
        }
    };
    if incomplete > 0 {
        let bodies = count(incomplete, "body");
        terminal::warn(format!(
            "{bodies} missing or incomplete: the entries' comments say which and why"
        ));
    }
    Ok(Exit::Clean)
}
