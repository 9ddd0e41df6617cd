//! What it takes to speak to agents: told on the command line, by the environment, or in `xcheck.toml`.

use crate::config::Config;
use crate::exit::{Failure, OrUsage};
use serde::Deserialize;
use std::path::PathBuf;
use xcheck_agent::Installed;
use xcheck_agent::remote::{Agent, AgentAddress, Token, Trust};

/// For pipelines that keep secrets in the environment.
const TOKEN: &str = "XCHECK_AGENT_TOKEN";

#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Access {
    /// File with the token of agents [default: $XCHECK_AGENT_TOKEN, or xcheck.toml]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Authority that vouches for agents, as PEM [default: the system's]
    #[arg(long, value_name = "FILE", conflicts_with = "agent_fingerprint")]
    agent_ca: Option<PathBuf>,
    /// SHA-256 of an agent's certificate or its authority, as `xcheck agent --tls` shows it
    #[arg(long, value_name = "SHA256")]
    agent_fingerprint: Option<String>,
}

/// `[[agent]]` of `xcheck.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct KnownAgent {
    /// `HOST:PORT`.
    address: String,
    /// Paths count from the folder of `xcheck.toml`.
    #[serde(default)]
    pub(crate) token_file: Option<PathBuf>,
    #[serde(default)]
    pub(crate) ca: Option<PathBuf>,
    #[serde(default)]
    fingerprint: Option<String>,
}

impl Access {
    /// An agent and the browser that an address names.
    pub(crate) fn agent(&self, address: &str, config: &Config) -> Result<(Agent, String), Failure> {
        let (address, browser) = AgentAddress::parse(address).or_usage()?;
        let known = config.agents.iter().find(|known| known.address == address.to_string());
        let tls = match self.trust(known)? {
            None if address.is_loopback() => None,
            trust => Some(trust.unwrap_or(Trust::System)),
        };
        let token = self.token(known)?;
        Ok((Agent { address, token, tls }, browser))
    }

    pub(crate) async fn browser(&self, name: &str, config: &Config) -> Result<Installed, Failure> {
        let (agent, browser) = self.agent(name, config)?;
        xcheck_agent::find_remote(name, agent, &browser).await.or_usage()
    }

    fn trust(&self, known: Option<&KnownAgent>) -> Result<Option<Trust>, Failure> {
        let fingerprint = |text: &String| Trust::fingerprint(text).or_usage();
        let given = self.agent_fingerprint.as_ref().map(fingerprint);
        if let Some(trust) = given.or(self.agent_ca.clone().map(|path| Ok(Trust::Authority(path)))) {
            return trust.map(Some);
        }
        let Some(known) = known else { return Ok(None) };
        let of_file = known.fingerprint.as_ref().map(fingerprint).transpose()?;
        Ok(of_file.or(known.ca.clone().map(Trust::Authority)))
    }

    fn token(&self, known: Option<&KnownAgent>) -> Result<Option<Token>, Failure> {
        if let Some(path) = &self.token_file {
            return Token::read(path).or_usage().map(Some);
        }
        if let Ok(text) = std::env::var(TOKEN) {
            return Token::new(&text).or_usage().map(Some);
        }
        match known.and_then(|known| known.token_file.as_ref()) {
            Some(path) => Token::read(path).or_usage().map(Some),
            None => Ok(None),
        }
    }
}
