//! `xcheck.toml`: browsers of one's own, agents, and what the analysis is to think of.

use crate::commands::agents::KnownAgent;
use crate::exit::{Failure, OrUsage};
use crate::nearest::{hint, nearest};
use anyhow::{Context, anyhow, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use xcheck_agent::CustomBrowser;
use xcheck_analyzer::IgnoreRule;
use xcheck_analyzer::tolerances::Tolerances;

pub(crate) const USUAL: &str = "xcheck.toml";

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    #[serde(default, rename = "browser")]
    pub(crate) browsers: Vec<CustomBrowser>,
    #[serde(default, rename = "agent")]
    pub(crate) agents: Vec<KnownAgent>,
    /// Findings that are no fault.
    #[serde(default)]
    pub(crate) ignore: Vec<IgnoreRule>,
    /// What `xcheck crawl` types into fields.
    #[serde(default, rename = "value")]
    pub(crate) values: Vec<xcheck_crawler::Value>,
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
        let mut config = Config::parse(&text)
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

    /// A key that is not known is an error wherever it stands, and the error names the one that was probably meant.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Config> {
        let config: Config = toml::from_str(text).map_err(|error| match hint(&error.to_string()) {
            Some(hint) => anyhow!("{error}{hint}"),
            None => error.into(),
        })?;
        let known = || Tolerances::TABLE.iter().map(|line| line.key);
        for key in config.tolerances.keys() {
            if !known().any(|known| known == key) {
                let meant = nearest(key, known()).map_or_else(
                    || format!("; there are {}", known().collect::<Vec<_>>().join(", ")),
                    |near| format!("; did you mean `{near}`?"),
                );
                bail!("there is no tolerance `{key}`{meant}");
            }
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_key_is_an_error_that_names_the_nearest_known_one() {
        let check = |text: &str, expected: &str| {
            let error = Config::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        };
        check("[[browsers]]\nname = 'a'", "did you mean `browser`?");
        check(
            "[[browser]]\nname = 'a'\nengine = 'gecko'\npreference = {}",
            "did you mean `preferences`?",
        );
        check("[[browser]]\nname = 'a'\nengine = 'geko'", "did you mean `gecko`?");
        check("[[ignore]]\nreasons = 'a'", "did you mean `reason`?");
        check("[[ignore]]\nreason = 'a'\nkind = 'visaul'", "did you mean `visual`?");
        check("[tolerances]\nbackgruond = 1", "did you mean `background`?");
        check("[tolerances]\nzzzzzzzzzz = 1", "there are ");
        check("colour = 1", "unknown field `colour`");
    }
}
