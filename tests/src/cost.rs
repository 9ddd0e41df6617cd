//! The same session with and without the recorder, timed, and how large what was recorded is.

use crate::recording::{Passing, Recorded, Recording};
use crate::served::Served;
use crate::sessions::Case;
use crate::{browsers, paced};
use anyhow::Result;
use std::time::{Duration, Instant};
use xcheck_agent::Browser;
use xcheck_proxy::Proxy;

/// How long a session took.
pub struct Took {
    /// From the first page's opening to the session's last condition; the browser's start is not in it.
    pub whole: Duration,
    /// Each step, pauses not counted.
    pub steps: Vec<Duration>,
}

/// Through a proxy that only forwards. `pause` is what a person takes after each thing that they do.
pub async fn pass(browser: &str, case: &Case, pause: Duration) -> Result<Took> {
    let passing = Passing::start().await?;
    let (took, browser) = play(browser, case, pause, &passing.proxy).await?;
    browser.close().await?;
    Ok(took)
}

/// Through a proxy that records.
pub async fn record(browser: &str, case: &Case, pause: Duration) -> Result<(Took, Recorded)> {
    let recording = Recording::start(case.session.name).await?;
    let (took, browser) = play(browser, case, pause, &recording.proxy).await?;
    recording.close(browser).await?;
    Ok((took, recording.finish().await?))
}

async fn play(browser: &str, case: &Case, pause: Duration, through: &Proxy) -> Result<(Took, Box<dyn Browser>)> {
    let served = Served::start(case.subject, case.prelude).await?;
    let mut browser: Box<dyn Browser> = browsers::start(browser, Some(through)).await?;
    let started = Instant::now();
    let steps = paced::play(&mut *browser, &served.origin(), &case.session, pause).await?;
    let whole = started.elapsed();
    Ok((Took { whole, steps }, browser))
}

/// Of one stream, by zstd at the level a server would use for what is sent often.
pub fn compressed(bytes: &[u8]) -> Result<usize> {
    Ok(zstd::bulk::compress(bytes, 19)?.len())
}

/// The events of a trace as its log would be on disk, compressed as one stream.
pub fn compressed_log(recorded: &Recorded) -> Result<usize> {
    let mut lines = Vec::new();
    for event in &recorded.trace.events {
        serde_json::to_writer(&mut lines, event)?;
        lines.push(b'\n');
    }
    compressed(&lines)
}

/// Of sorted values, at least one.
pub fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        0 => (sorted[middle - 1] + sorted[middle]) / 2.0,
        _ => sorted[middle],
    }
}
