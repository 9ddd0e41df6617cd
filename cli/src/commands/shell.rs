//! `xcheck completions` and `xcheck man`: what the command line knows about itself, for shells and for `man`.

use crate::Cli;
use crate::exit::{Exit, Failure};
use crate::terminal;
use clap::CommandFactory;
use std::io::Write;

const COMPLETIONS: &str = "\
Examples:
  xcheck completions bash > ~/.local/share/bash-completion/completions/xcheck
  xcheck completions zsh > ~/.zfunc/_xcheck
  xcheck completions fish > ~/.config/fish/completions/xcheck.fish";

const MAN: &str = "\
Examples:
  xcheck man > ~/.local/share/man/man1/xcheck.1
  xcheck man record | man -l -";

#[derive(Debug, clap::Args)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct Completions {
    shell: clap_complete::Shell,
}

#[derive(Debug, clap::Args)]
#[command(after_help = MAN)]
pub(crate) struct Man {
    /// The page of this command, such as `record` or `trace show` [default: of xcheck itself]
    command: Vec<String>,
}

pub(super) fn completions(args: &Completions) -> Result<Exit, Failure> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "xcheck", &mut text);
    write(&text)
}

pub(super) fn man(args: &Man) -> Result<Exit, Failure> {
    let mut command = Cli::command();
    // Gives each command its full name, `xcheck trace show`.
    command.build();
    for name in &args.command {
        command = match command.find_subcommand(name) {
            Some(found) => found.clone(),
            None => return Err(Failure::usage(anyhow::anyhow!("there is no command `{name}`"))),
        };
    }
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    write(&text)
}

fn write(text: &[u8]) -> Result<Exit, Failure> {
    let mut out = terminal::stdout();
    out.write_all(text)?;
    out.flush()?;
    Ok(Exit::Clean)
}
