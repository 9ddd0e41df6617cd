//! How to compare: the command line over `xcheck.toml` over the defaults.

use crate::config::Config;
use crate::exit::{Failure, OrUsage};
use anyhow::anyhow;
use std::path::PathBuf;
use xcheck_analyzer::findings::{Mode, VisualMode};
use xcheck_analyzer::tolerances::Tolerances;
use xcheck_analyzer::{IgnoreRule, Options};

#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Settings {
    /// The replay the others are compared with [default: the browser the trace was recorded in]
    #[arg(long, value_name = "BROWSER")]
    pub(crate) reference: Option<String>,
    /// `incremental` looks at what changed, `full` at every node of every checkpoint
    #[arg(long, value_enum, default_value_t)]
    pub(crate) mode: ModeArg,
    /// How pictures are compared: by ink and background, by histograms or a learnt decision tree as in the papers, or not at all
    #[arg(long, value_enum, default_value_t)]
    pub(crate) visual: VisualArg,
    /// Overrides one number of the tolerance table, such as `off=12`
    #[arg(long, value_name = "NAME=NUMBER", value_parser = tolerance)]
    pub(crate) tolerance: Vec<(String, f32)>,
    /// Leave out what varies by itself, as `xcheck invariants learn` found
    #[arg(long, value_name = "MODEL")]
    pub(crate) invariants: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub(crate) enum ModeArg {
    #[default]
    Incremental,
    Full,
}

#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub(crate) enum VisualArg {
    #[default]
    Ink,
    Chi2,
    Tree,
    Off,
}

impl Settings {
    pub(crate) fn options(&self, config: &Config) -> Result<Options, Failure> {
        let mut overrides = config.tolerances.clone();
        overrides.extend(self.tolerance.iter().cloned());
        IgnoreRule::check(&config.ignore).or_usage()?;
        Ok(Options {
            mode: match self.mode {
                ModeArg::Incremental => Mode::Incremental,
                ModeArg::Full => Mode::Full,
            },
            visual: match self.visual {
                VisualArg::Ink => VisualMode::Ink,
                VisualArg::Chi2 => VisualMode::Chi2,
                VisualArg::Tree => VisualMode::Tree,
                VisualArg::Off => VisualMode::Off,
            },
            tolerances: Tolerances::with(&overrides).or_usage()?,
            ignore: config.ignore.clone(),
        })
    }
}

fn tolerance(text: &str) -> Result<(String, f32), anyhow::Error> {
    let (name, number) = text.split_once('=').ok_or_else(|| anyhow!("write NAME=NUMBER"))?;
    Ok((name.to_owned(), number.parse()?))
}
