//! What the commands that play a session again have in common: which browser, against what, how many at once.

use crate::Everywhere;
use crate::commands::ca;
use crate::commands::replay::open;
use crate::config::Config;
use crate::exit::{Failure, OrUsage};
use anyhow::anyhow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use xcheck_agent::find;
use xcheck_agent::find::Driver;
use xcheck_agent::rerun::{Ended, Ran, RerunOptions, Rerunning, actions};
use xcheck_proxy::{UpstreamProxy, UpstreamTrust};
use xcheck_trace::Trace;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Reruns {
    /// Against the application itself, whose answers may vary; otherwise it is answered from the trace
    #[arg(long)]
    live: bool,
    /// Where the application is now, when not where it was recorded: `http://localhost:3001`. Means --live
    #[arg(long, value_name = "ORIGIN")]
    at: Option<String>,
    /// The browser [default: the one the trace was recorded in]
    #[arg(long, value_name = "BROWSER")]
    on: Option<String>,
    /// How many browsers run at once
    #[arg(long, value_name = "N", default_value_t = 3)]
    jobs: usize,
    /// Show the browsers' windows
    #[arg(long)]
    headed: bool,
    /// Seconds that a browser or a page may take for one step before it counts as hanging
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    deadline: u64,
    /// Trust this authority upstream, too (PEM; may be repeated)
    #[arg(long, value_name = "FILE", help_heading = "Network")]
    ca_extra: Vec<PathBuf>,
    /// Accept any certificate upstream
    #[arg(long, help_heading = "Network")]
    insecure_upstream: bool,
}

/// A session that can be played again.
pub(crate) struct Session {
    pub(crate) trace: Arc<Trace>,
    pub(crate) what: Rerunning,
    pub(crate) at_once: usize,
}

impl Reruns {
    pub(crate) fn is_live(&self) -> bool {
        self.live || self.at.is_some()
    }

    pub(crate) fn session(&self, path: &Path, everywhere: &Everywhere) -> Result<Session, Failure> {
        let config = Config::read(everywhere.config.as_deref())?;
        let trace = open(path)?;
        if actions(&trace).is_empty() {
            let error = anyhow!(
                "{} holds no page that a person opened: there is nothing to play again",
                path.display()
            );
            return Err(Failure::usage(error));
        }
        let at = self.at.as_deref().map(origin).transpose()?;
        let recorded = trace.manifest.browser.as_ref().map(|browser| browser.name.clone());
        let name = self.on.clone().or(recorded).unwrap_or_else(|| "chromium".to_owned());
        let browser = find(&name, &config.browsers).or_usage()?;
        if matches!(browser.driver, Driver::Agent(_)) {
            return Err(Failure::usage(anyhow!(
                "a browser behind an agent can only replay: choose one of this machine"
            )));
        }
        let what = Rerunning {
            trace: trace.clone(),
            browser,
            authority: ca::open(everywhere)?,
            options: RerunOptions {
                live: self.is_live(),
                at,
                headless: !self.headed,
                deadline: Duration::from_secs(self.deadline.max(1)),
                ..RerunOptions::default()
            },
            upstream_proxy: UpstreamProxy::Environment,
            upstream_trust: UpstreamTrust {
                extra_ca: self.ca_extra.clone(),
                insecure: self.insecure_upstream,
            },
        };
        Ok(Session {
            trace,
            what,
            at_once: self.jobs.max(1),
        })
    }
}

fn origin(text: &str) -> Result<String, Failure> {
    let url = url::Url::parse(text).ok().filter(|url| url.has_host());
    match url {
        Some(url) => Ok(url.origin().ascii_serialization()),
        None => Err(Failure::usage(anyhow!(
            "`{text}` is no origin such as http://localhost:3001"
        ))),
    }
}

/// Why a run cannot be used, where it cannot.
pub(crate) fn left_out(ran: &Result<Ran, String>) -> Option<String> {
    match ran {
        Err(why) => Some(format!("it could not be measured: {why}")),
        Ok(ran) => match &ran.ended {
            Ended::Through => None,
            Ended::Diverged { label, why, .. } => Some(format!("it diverged at `{label}`: {why}")),
            Ended::NotThere { why } => Some(format!("the application is not there: {why}")),
            Ended::LoginExpired { why } => Some(format!("the login of the recording has expired: {why}")),
        },
    }
}

/// No other run will come further.
pub(crate) fn is_hopeless(ran: &Result<Ran, String>) -> bool {
    matches!(
        ran,
        Ok(Ran {
            ended: Ended::NotThere { .. } | Ended::LoginExpired { .. },
            ..
        })
    )
}
