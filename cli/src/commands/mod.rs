//! The commands, in the order in which a person meets them.

mod accept;
mod agent;
pub(crate) mod agents;
mod analyze;
mod browsers;
mod ca;
mod check;
mod crawl;
mod demo;
mod diff;
mod faults;
mod init;
mod invariants;
mod models;
mod record;
mod replay;
mod report;
mod reruns;
mod run;
mod shell;
mod trace;

use crate::Everywhere;
use crate::exit::{Exit, Failure};

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// See it work: two small applications, recorded, replayed in every engine found, and compared
    Demo(demo::Args),
    /// Record what a browser, or any other client, does
    Record(record::Args),
    /// Explore an application by itself, and leave a trace for each way through it
    Crawl(crawl::Args),
    /// Compare navigation models: of a run's browsers, or of two crawls
    Models(models::Args),
    /// Look at a trace, check it, export it, pack it
    #[command(subcommand)]
    Trace(trace::Command),
    /// Run a trace in other browsers, with no server and no network
    Replay(replay::Args),
    /// Replay a trace and compare, in one go: for CI
    Check(check::Args),
    /// Look at a run: what replays did
    #[command(subcommand)]
    Run(run::Command),
    /// Compare the replays of a run and report what differs
    Analyze(analyze::Args),
    /// Write a stored analysis as a report or in a machine's format
    Report(report::Args),
    /// Take findings out of the count, with a reason
    Accept(accept::Args),
    /// What is new, gone and persisting between two analyses of one trace
    Diff(diff::Args),
    /// Learn what stays the same when a session is played again and again, and check that it does
    #[command(subcommand)]
    Invariants(invariants::Command),
    /// Let one thing after the other go wrong in a session, and say what a person would see
    Faults(faults::Args),
    /// Offer the browsers of this machine to others, for replays
    Agent(agent::Args),
    /// What browsers are here, what is missing, and how to get it
    Browsers(browsers::Args),
    /// The certificate authority of the proxy, and how to trust it
    Ca(ca::Args),
    /// Write an xcheck.toml with everything that can stand in it
    Init(init::Args),
    /// What a shell needs to complete xcheck's commands
    Completions(shell::Completions),
    /// The manual page, for `man`
    Man(shell::Man),
}

impl Command {
    pub(crate) fn run(self, everywhere: &Everywhere) -> Result<Exit, Failure> {
        match self {
            Command::Demo(args) => demo::run(&args, everywhere),
            Command::Record(args) => record::run(args, everywhere),
            Command::Crawl(args) => crawl::run(&args, everywhere),
            Command::Models(args) => models::run(&args),
            Command::Trace(command) => command.run(),
            Command::Replay(args) => replay::run(&args, everywhere),
            Command::Check(args) => check::run(&args, everywhere),
            Command::Run(command) => command.run(),
            Command::Analyze(args) => analyze::run(&args, everywhere),
            Command::Report(args) => report::run(&args),
            Command::Accept(args) => accept::run(&args, everywhere),
            Command::Diff(args) => diff::run(&args),
            Command::Invariants(command) => command.run(everywhere),
            Command::Faults(args) => faults::run(&args, everywhere),
            Command::Agent(args) => agent::run(&args, everywhere),
            Command::Browsers(args) => browsers::run(&args, everywhere),
            Command::Ca(args) => ca::run(&args, everywhere),
            Command::Init(args) => init::run(&args),
            Command::Completions(args) => shell::completions(&args),
            Command::Man(args) => shell::man(&args),
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
