//! Replaying a trace: the browser is started, the proxy answers from the trace, and the trace's order is walked through.
//!
//! The page's own part is `replay-js`; here is what has to be done from outside, and what becomes of it. The outcome of a
//! replay is either that it was replayed, whatever was found on the way, or that it could not be measured, and why.

mod checkpoint;
pub(crate) mod classify;
pub(crate) mod conditions;
mod departures;
mod documents;
mod giving;
pub(crate) mod hands;
mod ledger;
pub(crate) mod look;
mod modifiers;
mod modules;
pub(crate) mod navigation;
mod opening;
mod passing;
mod plan;
mod pointer;
mod restyling;
mod run;
mod sheets;
mod sink;
mod walk;
mod watching;
pub(crate) mod windows;

pub use plan::Checkpoints;
pub use run::{Reference, ReplayNews, ReplayRequest, all_measured, default_folder, replay_all};
pub use sink::{Sink, SinkError};
pub use watching::Watch;

use crate::browser::Browser;
use crate::find::Installed;
use crate::launch::launch;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};
use walk::Walk;
use watching::Caption;
use xcheck_proxy::{Authority, Config, Mode, Proxy, Serve, ServeRules};
use xcheck_trace::Trace;
use xcheck_trace::manifest::BrowserInfo;
use xcheck_trace::run::{Outcome, Place, ReplayOutcome};

#[derive(Debug, Clone)]
pub struct ReplayOptions {
    pub headless: bool,
    pub checkpoints: Checkpoints,
    pub rules: ServeRules,
    /// For each thing that a browser or a page is asked for.
    pub deadline: Duration,
    pub watch: Watch,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        ReplayOptions {
            headless: true,
            checkpoints: Checkpoints::default(),
            rules: ServeRules::default(),
            deadline: Duration::from_secs(30),
            watch: Watch::default(),
        }
    }
}

/// How far a replay is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    pub events: u32,
    pub of: u32,
    pub divergences: u32,
    /// The last event that ran.
    pub reached: Option<Place>,
}

/// One replay, from starting the browser to its end. Never fails: what went wrong is the outcome.
pub async fn replay(
    trace: &Arc<Trace>,
    browser: &Installed,
    authority: &Arc<Authority>,
    options: &ReplayOptions,
    sink: &mut dyn Sink,
    progress: &(dyn Fn(Progress) + Send + Sync),
) -> ReplayOutcome {
    let started = Instant::now();
    let mut info = BrowserInfo {
        name: browser.name.clone(),
        engine: browser.engine,
        version: browser.version.clone(),
        user_agent: String::new(),
    };
    let mut events = 0;
    let outcome = match attempt(
        trace,
        browser,
        authority,
        options,
        sink,
        progress,
        &mut info,
        &mut events,
    )
    .await
    {
        Ok(()) => Outcome::Replayed,
        Err(reason) => Outcome::NotMeasured { reason },
    };
    ReplayOutcome {
        browser: info,
        outcome,
        wall_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        events,
    }
}

#[allow(clippy::too_many_arguments)]
async fn attempt(
    trace: &Arc<Trace>,
    browser: &Installed,
    authority: &Arc<Authority>,
    options: &ReplayOptions,
    sink: &mut dyn Sink,
    progress: &(dyn Fn(Progress) + Send + Sync),
    info: &mut BrowserInfo,
    events: &mut u32,
) -> Result<(), String> {
    let recorded_in = trace.manifest.browser.as_ref().map(|browser| &browser.name);
    let rules = ServeRules {
        own: recorded_in == Some(&browser.name),
        at_once: crate::launch::asks_at_once(&browser.driver),
        ..options.rules.clone()
    };
    let (serve, serving) = Serve::new(trace.clone(), rules);
    let proxy = Proxy::start(Config::new(authority.clone(), Mode::Serve(serve)))
        .await
        .map_err(|error| error.to_string())?;
    let mut launch_options = conditions::launch_options(trace, proxy.address(), authority, options)?;
    // Where no modules are held, scripts need not be asked about.
    let holds_modules = trace.events.iter().any(|event| !event.local.ran.is_empty());
    launch_options.gate = holds_modules.then(|| serving.gate.clone());
    let mut driver = launch(browser, &launch_options)
        .await
        .map_err(|error| error.to_string())?;
    *info = driver.info().clone();
    let walked = {
        let mut walk = Walk::new(trace, options, driver.as_mut(), serving, sink, progress);
        if options.watch.paced {
            let caption = Caption::open(browser, &launch_options).await;
            walk.caption = Some(caption.map_err(|error| error.to_string())?);
        }
        let walked = walk.run().await.map_err(|error| error.to_string());
        *events = walk.ledger.count;
        if let Some(caption) = walk.caption.take() {
            caption.close().await.map_err(|error| error.to_string())?;
        }
        walked
    };
    let closed = close(driver).await;
    proxy.stop().await;
    walked.and(closed)
}

async fn close(driver: Box<dyn Browser>) -> Result<(), String> {
    driver.close().await.map_err(|error| error.to_string())
}
