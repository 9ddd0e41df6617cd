//! Commands about a run that is there.

mod show;

use crate::exit::{Exit, Failure};

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// What each browser did, and where it diverged
    Show(show::Args),
}

impl Command {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        match self {
            Command::Show(args) => show::run(&args),
        }
    }
}
