//! `xcheck trace show`: what is in a trace, for people and for programs.

mod filter;
mod json;
mod local;
mod text;

use crate::commands::Format;
use crate::exit::{Exit, Failure};
use crate::terminal;
use filter::Selection;
use std::io::Write;
use std::path::PathBuf;
use xcheck_trace::Trace;
use xcheck_trace::event::LoadId;
use xcheck_trace::exchange::ExchangeId;

const EXAMPLES: &str = "\
Examples:
  xcheck trace show shop.trace
  xcheck trace show shop.trace --kind click,timer --full
  xcheck trace show shop.trace --url /api/ --format json
  xcheck trace show shop.trace --exchange 7     one request and its response, with their bodies";

/// Each filter leaves what it can speak of: `--kind` shows events alone, `--load` a document with its events.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A trace's folder, or a packed trace
    trace: PathBuf,
    /// Only events of these kinds or DOM types: `click`, `timer`, `xhr`, `script` …
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,
    /// Only this document, by its number
    #[arg(long, value_name = "NUMBER")]
    load: Option<LoadId>,
    /// Only documents and exchanges whose URL contains this
    #[arg(long, value_name = "TEXT")]
    url: Option<String>,
    /// Only this exchange, by its number, with headers and body
    #[arg(long, value_name = "NUMBER")]
    exchange: Option<ExchangeId>,
    /// Long texts, lists and bodies to their end
    #[arg(long)]
    full: bool,
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let (trace, warnings) = Trace::open(&args.trace)?;
    let selection = Selection::of(&trace, args);
    let mut out = terminal::stdout();
    match args.format {
        Format::Json => json::write(&mut out, args, &trace, &selection, &warnings)?,
        Format::Text => {
            for warning in &warnings {
                terminal::warn(warning);
            }
            text::write(&mut out, args, &trace, &selection)?;
        }
    }
    out.flush()?;
    Ok(Exit::Clean)
}
