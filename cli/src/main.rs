//! The `xcheck` command: reads the command line, lets the other crates do the work, and says how it went.
//!
//! The only place that prints. Results go to standard output, everything about the way there to standard error.

mod commands;
mod config;
#[cfg(test)]
mod documents;
mod exit;
mod nearest;
mod signals;
mod terminal;

use clap::Parser;
use commands::Command;
use exit::Failure;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  xcheck demo --install-browsers               see it work, in the engines that are here
  xcheck browsers                              what is installed here, and how to get the rest
  xcheck record https://shop.example           browse; close the browser when you are done
  xcheck record -- npx playwright test         record what any client does
  xcheck trace show shop.example.trace         what was recorded
  xcheck trace show TRACE --kind click --format json
  xcheck check TRACE --on firefox,webkit       replay there and in the recorded browser, and compare
  xcheck replay TRACE --on chromium,firefox    only replay
  xcheck analyze RUN                           compare what was replayed
  xcheck trace pack TRACE                      one file, to share it

Exit codes: 0 no incompatibility, 1 incompatibilities found, 2 usage or bad input, 3 could not be measured.
See `xcheck COMMAND --help` for more about a command.";

/// Records what a web application does in one browser, replays it in others, and reports what differs.
#[derive(Debug, Parser)]
#[command(name = "xcheck", version, after_help = EXAMPLES, max_term_width = 110)]
struct Cli {
    #[command(flatten)]
    everywhere: Everywhere,
    #[command(subcommand)]
    command: Command,
}

/// What every command may be told.
#[derive(Debug, clap::Args)]
pub(crate) struct Everywhere {
    /// Browsers of your own and other settings [default: xcheck.toml, where there is one]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where the certificate authority is kept [default: your data folder]
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

fn main() -> ExitCode {
    terminal::log_to_stderr();
    // Several crates speak TLS; whoever asks for "the default" gets the one that all are built with.
    if rustls::crypto::ring::default_provider().install_default().is_err() {
        tracing::debug!("TLS was set up before");
    }
    let Cli { everywhere, command } = Cli::parse();
    match command.run(&everywhere) {
        Ok(exit) => exit.into(),
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(Failure { exit, error }) => {
            terminal::error(&error);
            exit.into()
        }
    }
}
