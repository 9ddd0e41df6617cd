//! The commands, in the order in which a person meets them.

mod browsers;
mod ca;
mod record;
mod run;
mod trace;

use crate::Everywhere;
use crate::exit::{Exit, Failure};

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Record what a browser, or any other client, does
    Record(record::Args),
    /// Look at a trace, check it, export it, pack it
    #[command(subcommand)]
    Trace(trace::Command),
    /// Look at a run: what replays did
    #[command(subcommand)]
    Run(run::Command),
    /// What browsers are here, what is missing, and how to get it
    Browsers(browsers::Args),
    /// The certificate authority of the proxy, and how to trust it
    Ca(ca::Args),
}

impl Command {
    pub(crate) fn run(self, everywhere: &Everywhere) -> Result<Exit, Failure> {
        match self {
            Command::Record(args) => record::run(args, everywhere),
            Command::Trace(command) => command.run(),
            Command::Run(command) => command.run(),
            Command::Browsers(args) => browsers::run(&args, everywhere),
            Command::Ca(args) => ca::run(&args, everywhere),
        }
    }
}

/// Text for people, or JSON for programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    #[default]
    Text,
    Json,
}
