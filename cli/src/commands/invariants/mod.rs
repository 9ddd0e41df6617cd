//! `xcheck invariants`: what stays the same when a session is played again and again, and where another run does not keep it.

pub(super) mod check;
pub(super) mod learn;
pub(super) mod learning;
pub(super) mod model;

use crate::Everywhere;
use crate::exit::{Exit, Failure};

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Play a session several times and learn what stays the same after each of its events
    Learn(learn::Args),
    /// Play it once more and say where it deviates from what was learnt
    Check(check::Args),
}

impl Command {
    pub(crate) fn run(self, everywhere: &Everywhere) -> Result<Exit, Failure> {
        match self {
            Command::Learn(args) => learn::run(&args, everywhere),
            Command::Check(args) => check::run(&args, everywhere),
        }
    }
}
