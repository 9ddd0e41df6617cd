//! `xcheck.toml`: browsers of one's own, agents, and what the analysis is to think of.

use crate::commands::agents::KnownAgent;
use crate::exit::{Failure, OrUsage};
use anyhow::Context;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use xcheck_agent::CustomBrowser;
use xcheck_analyzer::IgnoreRule;

pub(crate) const USUAL: &str = "xcheck.toml";

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Config {
    #[serde(default, rename = "browser")]
    pub(crate) browsers: Vec<CustomBrowser>,
    #[serde(default, rename = "agent")]
    pub(crate) agents: Vec<KnownAgent>,
    /// Findings that are no fault.
    #[serde(default)]
    pub(crate) ignore: Vec<IgnoreRule>,
    /// Numbers of the analyzer's table, by name.
    #[serde(default)]
    pub(crate) tolerances: BTreeMap<String, f32>,
}

impl Config {
    /// `given` has to be there; the usual file need not.
    pub(crate) fn read(given: Option<&Path>) -> Result<Config, Failure> {
        let path = given.unwrap_or(Path::new(USUAL));
        if given.is_none() && !path.exists() {
            return Ok(Config::default());
        }
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("{} could not be read", path.display()))
            .or_usage()?;
        let mut config: Config = toml::from_str(&text)
            .with_context(|| format!("{} could not be understood", path.display()))
            .or_usage()?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for agent in &mut config.agents {
            for file in [&mut agent.token_file, &mut agent.ca].into_iter().flatten() {
                *file = folder.join(&file);
            }
        }
        Ok(config)
    }
}
