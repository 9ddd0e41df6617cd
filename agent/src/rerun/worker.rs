//! Runs one after the other in one browser, each as if it were its first.
//!
//! Starting a browser costs as much as a short session. Where an engine has profiles that are made and thrown away within
//! a browser, each run has one of those; elsewhere the browser is started anew. Each run has a proxy of its own, so that
//! nothing that is still under way from the run before can be taken for its own.

use super::actions::Action;
use super::documents::Documents;
use super::injections::{Asked, Done};
use super::pool::Job;
use super::run::{Onlooker, Ran, RerunOptions, Running};
use crate::browser::Browser;
use crate::find::Installed;
use crate::launch::launch;
use crate::replay::windows::Windows;
use crate::replay::{ReplayOptions, conditions};
use serde_json::json;
use std::sync::Arc;
use xcheck_proxy::{Authority, Config, Faults, Live, Mode, Proxy, Serve, ServeRules, UpstreamProxy, UpstreamTrust};
use xcheck_trace::Trace;

#[derive(Clone)]
pub struct Rerunning {
    pub trace: Arc<Trace>,
    pub browser: Installed,
    pub authority: Arc<Authority>,
    pub options: RerunOptions,
    pub upstream_proxy: UpstreamProxy,
    pub upstream_trust: UpstreamTrust,
}

pub struct Worker {
    what: Rerunning,
    browser: Option<Box<dyn Browser>>,
    /// What the last run asked the network for, by method and URL.
    pub asked: Asked,
}

impl Worker {
    pub fn new(what: Rerunning) -> Worker {
        Worker {
            what,
            browser: None,
            asked: Asked::new(),
        }
    }

    /// `Err` when nothing is known of this run: the browser could not be started, died, or did not answer.
    pub async fn run(&mut self, actions: &[Action<'_>], job: &Job, onlooker: Onlooker<'_>) -> Result<Ran, String> {
        let wrong = job.wrong.as_ref();
        let faults = Faults::default();
        let (live, pages) = Live::new();
        match wrong {
            Some(Done::Network(fault)) => faults.set([fault.clone()]),
            Some(Done::Timer { callback, index }) => {
                live.set("not_fired", json!([{"callback": callback, "index": index}]));
            }
            Some(Done::Skip(_)) | None => {}
        }
        if !job.ahead.is_zero() {
            live.set("ahead", json!(job.ahead.as_millis() as u64));
        }
        let mode = if self.what.options.live {
            Mode::Pass
        } else {
            let rules = ServeRules {
                repeat_all: true,
                ..ServeRules::default()
            };
            let (serve, _unheard) = Serve::new(self.what.trace.clone(), rules);
            Mode::Serve(serve)
        };
        let mut config = Config::new(self.what.authority.clone(), mode);
        config.live = Some(live);
        config.faults = faults.clone();
        config.upstream_proxy = self.what.upstream_proxy.clone();
        config.upstream_trust = self.what.upstream_trust.clone();
        let proxy = Proxy::start(config).await.map_err(|error| error.to_string())?;
        let mut browser = self.fresh(&proxy).await?;
        let running = Running {
            trace: &self.what.trace,
            options: &self.what.options,
            browser: browser.as_mut(),
            documents: Documents::new(pages),
            windows: Windows::default(),
            notes: Vec::new(),
        };
        let ran = running.run(actions, wrong, onlooker).await;
        self.asked = faults.asked();
        if ran.is_ok() {
            self.browser = Some(browser);
        } else {
            // Whatever is wrong with it is not the next run's affair.
            browser.close().await.map_err(|error| error.to_string())?;
        }
        proxy.stop().await;
        let mut ran = ran?;
        ran.met = faults.met();
        Ok(ran)
    }

    pub async fn close(mut self) -> Result<(), String> {
        match self.browser.take() {
            Some(browser) => browser.close().await.map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }

    async fn fresh(&mut self, proxy: &Proxy) -> Result<Box<dyn Browser>, String> {
        if let Some(mut browser) = self.browser.take() {
            match browser.start_over(proxy.address()).await {
                Ok(true) => return Ok(browser),
                Ok(false) => {}
                Err(error) => tracing::debug!(%error, "a browser is started anew"),
            }
            browser.close().await.map_err(|error| error.to_string())?;
        }
        let options = ReplayOptions {
            headless: self.what.options.headless,
            deadline: self.what.options.deadline,
            ..ReplayOptions::default()
        };
        let options = conditions::launch_options(&self.what.trace, proxy.address(), &self.what.authority, &options)?;
        launch(&self.what.browser, &options)
            .await
            .map_err(|error| error.to_string())
    }
}
