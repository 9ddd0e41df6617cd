//! `xcheck trace verify`.

use crate::exit::{Exit, Failure};
use crate::terminal::{self, BAD, GOOD, count, styled};
use std::io::Write;
use std::path::PathBuf;
use xcheck_trace::{Trace, verify};

const EXAMPLES: &str = "\
Examples:
  xcheck trace verify shop.trace                hashes, and that everything named is there";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A trace's folder, or a packed trace
    trace: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let (trace, warnings) = Trace::open(&args.trace)?;
    let result = verify(&trace);
    let mut out = terminal::stdout();
    for warning in &warnings {
        writeln!(out, "{} {warning}", styled(terminal::WARNING, "warning"))?;
    }
    for problem in &result.problems {
        writeln!(
            out,
            "{} {}",
            styled(BAD, "problem"),
            terminal::printable(&problem.to_string())
        )?;
    }
    let seen = [
        count(result.loads as u64, "document"),
        count(result.events as u64, "event"),
        count(result.exchanges as u64, "exchange"),
        count(result.frames as u64, "WebSocket message"),
        format!(
            "{} ({})",
            count(result.bodies as u64, "body"),
            terminal::bytes(result.body_bytes)
        ),
    ]
    .join(", ");
    let verdict = match result.problems.len() as u64 {
        0 if warnings.is_empty() => styled(GOOD, "whole"),
        0 => styled(terminal::WARNING, "readable, with warnings"),
        problems => styled(BAD, format!("damaged: {}", count(problems, "problem"))),
    };
    writeln!(out, "{}: {verdict}. Checked {seen}.", args.trace.display())?;
    out.flush()?;
    Ok(match result.problems.is_empty() {
        true => Exit::Clean,
        false => Exit::NotMeasured,
    })
}
