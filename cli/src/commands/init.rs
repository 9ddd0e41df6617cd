//! `xcheck init`: an `xcheck.toml` that says what can stand in it.

use crate::config::USUAL;
use crate::exit::{Exit, Failure, OrUsage};
use crate::terminal::{self, BOLD, styled};
use anyhow::{Context, anyhow};
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;
use xcheck_analyzer::tolerances::Tolerances;

const EXAMPLES: &str = "\
Examples:
  xcheck init                      writes xcheck.toml here
  xcheck init --out ci/xcheck.toml
  xcheck check shop.trace --config ci/xcheck.toml

A file that is there already is left alone.";

/// Sentences begin with `# `, what can be switched on with `#` alone.
const TEMPLATE: &str = include_str!("init/xcheck.toml");

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file to write
    #[arg(long, short, value_name = "FILE", default_value = USUAL)]
    out: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let path = &args.out;
    let mut file = match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let text = format!("{} is there already, and is left as it is", path.display());
            return Err(Failure::usage(anyhow!(text)));
        }
        Err(error) => {
            return Err(error)
                .with_context(|| format!("{} could not be written", path.display()))
                .or_usage();
        }
    };
    file.write_all(text().as_bytes())
        .with_context(|| format!("{} could not be written", path.display()))?;
    terminal::say(format!(
        "wrote {}: everything in it is commented out, take what you need",
        styled(BOLD, path.display())
    ));
    Ok(Exit::Clean)
}

fn text() -> String {
    let mut text = TEMPLATE.to_owned();
    for line in Tolerances::TABLE {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n# {}\n#{} = {}\n", line.doc.trim(), line.key, line.default);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn everything_that_is_commented_out_can_be_switched_on() {
        let switched_on = |line: &str| match line.strip_prefix('#') {
            Some(setting) if !setting.starts_with(' ') => setting.to_owned(),
            _ => line.to_owned(),
        };
        let text: Vec<String> = text().lines().map(switched_on).collect();
        let config = Config::parse(&text.join("\n")).unwrap();
        assert_eq!(config.browsers.len(), 2);
        assert_eq!(config.agents.len(), 1);
        assert_eq!(config.ignore.len(), 1);
        let tolerances = Tolerances::with(&config.tolerances).unwrap();
        assert_eq!(tolerances, Tolerances::default());
    }
}
