//! Commands about a trace that is there.

mod export;
mod pack;
mod show;
mod verify;

use crate::exit::{Exit, Failure};
use crate::terminal;
use std::path::Path;
use xcheck_trace::Trace;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Pages, events with what they were answered, and exchanges
    Show(show::Args),
    /// Check that every body is there and unchanged, and that every reference leads somewhere
    Verify(verify::Args),
    /// Write the exchanges as a HAR file that other tools open
    Export(export::Args),
    /// Make one file of a trace, to share it
    Pack(pack::PackArgs),
    /// Make a folder of a packed trace
    Unpack(pack::UnpackArgs),
}

impl Command {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        match self {
            Command::Show(args) => show::run(&args),
            Command::Verify(args) => verify::run(&args),
            Command::Export(args) => export::run(&args),
            Command::Pack(args) => pack::pack(&args),
            Command::Unpack(args) => pack::unpack(&args),
        }
    }
}

/// Opens a trace and says what is odd about it.
fn open(path: &Path) -> Result<Trace, Failure> {
    let (trace, warnings) = Trace::open(path)?;
    for warning in warnings {
        terminal::warn(warning);
    }
    Ok(trace)
}
