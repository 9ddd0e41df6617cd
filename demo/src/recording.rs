//! The visit, recorded: a browser behind the proxy, and the scripted person at its keys.

use crate::runner;
use crate::server::Server;
use crate::visit::VISIT;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use xcheck_agent::launch::{LaunchOptions, TrustedAuthority, launch};
use xcheck_agent::{Browser, Installed};
use xcheck_proxy::{Authority, Config, Mode, Proxy};
use xcheck_trace::TraceWriter;
use xcheck_trace::manifest::{FORMAT, Manifest};
use xcheck_trace::redact::Redaction;

/// Between two of the person's steps, where somebody watches.
const WATCHED_PACE: Duration = Duration::from_millis(500);

/// How long the pages may take to say what they have to say when they are left.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Records the visit into `folder`, which must not be there yet.
pub async fn record(browser: &Installed, authority: &Arc<Authority>, folder: &Path, headed: bool) -> Result<()> {
    let server = Server::start().await.context("the demonstration's server")?;
    let defaults = LaunchOptions::default();
    let manifest = Manifest {
        format: FORMAT,
        recorder: env!("CARGO_PKG_VERSION").into(),
        browser: None,
        viewport: Some(defaults.viewport),
        start_url: Some(format!("{}/books/", server.origin())),
        time_zone: Some(defaults.time_zone.clone()),
        languages: defaults.languages.clone(),
        started_at_ms: now_ms(),
        finished_at_ms: None,
        service_workers: false,
        redactions: Vec::new(),
    };
    let writer = TraceWriter::create(folder, manifest, Redaction::none())?;
    let proxy = Proxy::start(Config::new(authority.clone(), Mode::Record(writer.clone()))).await?;
    let options = LaunchOptions {
        headless: !headed,
        proxy: Some(proxy.address()),
        authority: Some(TrustedAuthority {
            spki_sha256: authority.spki_sha256(),
            pem: authority.certificate_path().to_owned(),
        }),
        ..defaults
    };
    let mut driver = launch(browser, &options)
        .await
        .with_context(|| format!("{} could not be started", browser.name))?;
    let info = driver.info().clone();
    writer.update_manifest(|manifest| manifest.browser = Some(info))?;
    let visited = visit(&mut *driver, &server.origin(), headed).await;
    // The pages' last words first.
    let left = driver.leave().await.context("the pages could not be left");
    proxy.settled(LAST_WORDS).await;
    let closed = driver.close().await.context("the browser did not end as it should");
    let summary = proxy.stop().await.context("the trace could not be closed")?;
    visited.and(left).and(closed)?;
    // One full disk refuses many files; the first says it all.
    if let Some(first) = summary.not_written.first() {
        bail!("not everything could be written: {first}");
    }
    Ok(())
}

async fn visit(browser: &mut dyn Browser, origin: &str, headed: bool) -> Result<()> {
    for step in VISIT.steps {
        runner::take(browser, origin, step)
            .await
            .with_context(|| format!("{step:?}"))?;
        if headed {
            tokio::time::sleep(WATCHED_PACE).await;
        }
    }
    Ok(())
}

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
