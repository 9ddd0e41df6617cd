//! Each subject's session, recorded once with pauses such as people make: what all replays are replays of.

use crate::store::Store;
use crate::subjects::{ENGINES, Subject};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Instant;
use xcheck_tests::recording::Recording;
use xcheck_tests::served::Served;
use xcheck_tests::site::Prelude;
use xcheck_tests::{browsers, cost, paced, traces};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recorded {
    /// From the first page's opening to the pause after the last step.
    pub(crate) wall_s: f64,
    pub(crate) events: usize,
    /// Things that the person did: steps that only wait are none.
    pub(crate) gestures: usize,
    pub(crate) pages: usize,
    /// The whole trace on disk, with the application's own files.
    pub(crate) trace_bytes: u64,
    /// The log of events alone, compressed.
    pub(crate) log_bytes: usize,
}

pub(crate) fn key(subject: &Subject) -> String {
    format!("recorded/{}", subject.slug())
}

pub(crate) fn trace(store: &Store, subject: &Subject) -> PathBuf {
    store.path("traces").join(subject.slug())
}

pub(crate) async fn record(subject: &Subject, store: &Store) -> Result<Recorded> {
    // As it is: what the page is given is the recorder's to keep, not the server's to hold still.
    let served = Served::start(subject.0.subject, Prelude::None).await?;
    let recording = Recording::start(&served.origin()).await?;
    let mut browser = browsers::start(ENGINES[0], Some(&recording.proxy)).await?;
    let started = Instant::now();
    let session = &subject.0.session;
    paced::play(&mut *browser, &served.origin(), session, paced::PAUSE).await?;
    let wall_s = started.elapsed().as_secs_f64();
    recording.close(browser).await?;
    let recorded = recording.finish().await?;
    ensure!(!recorded.trace.events.is_empty(), "the recording has no event");
    let kept = trace(store, subject);
    if kept.exists() {
        std::fs::remove_dir_all(&kept)?;
    }
    std::fs::create_dir_all(kept.parent().context("traces have a folder")?)?;
    traces::copy(&recorded.folder(), &kept)?;
    Ok(Recorded {
        wall_s,
        events: recorded
            .trace
            .events
            .iter()
            .filter(|event| event.what.is_some())
            .count(),
        gestures: paced::gestures(session),
        pages: recorded.trace.loads.iter().filter(|load| load.path.is_empty()).count(),
        trace_bytes: bytes_in(&kept)?,
        log_bytes: cost::compressed_log(&recorded)?,
    })
}

pub(crate) fn bytes_in(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        bytes += if about.is_dir() {
            bytes_in(&entry.path())?
        } else {
            about.len()
        };
    }
    Ok(bytes)
}
