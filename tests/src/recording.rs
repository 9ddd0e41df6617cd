//! A proxy that records into a folder of its own.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tempfile::TempDir;
use xcheck_agent::Browser;
use xcheck_proxy::{Authority, Config, Mode, Profiles, Proxy, Summary};
use xcheck_trace::manifest::{FORMAT, Manifest, Viewport};
use xcheck_trace::redact::Redaction;
use xcheck_trace::{Trace, TraceWriter};

/// On a machine that does other things, too.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Recording {
    pub proxy: Proxy,
    files: TempDir,
}

/// What a recording left behind. Its folder goes with it.
pub struct Recorded {
    pub trace: Trace,
    pub summary: Summary,
    files: TempDir,
}

impl Recording {
    pub async fn start(url: &str) -> Result<Recording> {
        Recording::begin(manifest(url)?).await
    }

    /// Of a session in which service workers run.
    pub async fn with_service_workers(url: &str) -> Result<Recording> {
        Recording::begin(Manifest {
            service_workers: true,
            ..manifest(url)?
        })
        .await
    }

    /// Of browsers that have something stored already.
    pub async fn of_used_profiles(url: &str) -> Result<Recording> {
        Recording::begin_with(manifest(url)?, Profiles::Used).await
    }

    async fn begin(manifest: Manifest) -> Result<Recording> {
        Recording::begin_with(manifest, Profiles::New).await
    }

    async fn begin_with(manifest: Manifest, profiles: Profiles) -> Result<Recording> {
        let files = tempfile::tempdir()?;
        let writer = TraceWriter::create(&trace_in(&files), manifest, Redaction::default())?;
        let mut config = Config::new(authority(&files)?, Mode::Record(writer));
        config.profiles = profiles;
        let proxy = Proxy::start(config).await?;
        Ok(Recording { proxy, files })
    }

    /// Ends a browser as `xcheck record` does: its pages have said all that they had to say.
    pub async fn close(&self, mut browser: Box<dyn Browser>) -> Result<()> {
        let left = browser.leave().await;
        let settled = self.proxy.settled(PATIENCE).await;
        browser.close().await?;
        left?;
        ensure!(settled, "a page that was left did not say all that it had to say");
        Ok(())
    }

    /// Ends the recording and opens the trace, which must be whole.
    pub async fn finish(self) -> Result<Recorded> {
        let summary = self.proxy.stop().await.context("a recording has a summary")?;
        ensure!(summary.not_written.is_empty(), "not written: {:?}", summary.not_written);
        let (trace, warnings) = Trace::open(&trace_in(&self.files))?;
        ensure!(
            warnings.is_empty(),
            "the trace of a finished recording has warnings: {warnings:?}"
        );
        Ok(Recorded {
            trace,
            summary,
            files: self.files,
        })
    }
}

impl Recorded {
    pub fn folder(&self) -> PathBuf {
        trace_in(&self.files)
    }
}

/// A proxy that only forwards: what recording is compared with.
pub struct Passing {
    pub proxy: Proxy,
    _files: TempDir,
}

impl Passing {
    pub async fn start() -> Result<Passing> {
        let files = tempfile::tempdir()?;
        let proxy = Proxy::start(Config::new(authority(&files)?, Mode::Pass)).await?;
        Ok(Passing { proxy, _files: files })
    }
}

fn trace_in(files: &TempDir) -> PathBuf {
    files.path().join("trace")
}

fn authority(files: &TempDir) -> Result<Arc<Authority>> {
    Ok(Authority::open(&Path::join(files.path(), "ca"))?)
}

fn manifest(url: &str) -> Result<Manifest> {
    Ok(Manifest {
        format: FORMAT,
        recorder: env!("CARGO_PKG_VERSION").into(),
        browser: None,
        viewport: Some(Viewport::default()),
        start_url: Some(url.to_owned()),
        time_zone: Some("UTC".into()),
        languages: vec!["en-US".into(), "en".into()],
        started_at_ms: SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis().try_into()?,
        finished_at_ms: None,
        service_workers: false,
        redactions: vec![],
    })
}
