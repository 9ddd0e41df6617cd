//! One trace replayed in several browsers, and what each made of it, in words that a test can hold against others.

use crate::recording::Recorded;
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use xcheck_agent::Installed;
use xcheck_agent::replay::{Reference, ReplayOptions, ReplayRequest, replay_all};
use xcheck_proxy::Authority;
use xcheck_trace::Trace;
use xcheck_trace::page::{Node, PageData};
use xcheck_trace::run::{Outcome, ReplayedEvent};
use xcheck_trace::runs::{Replay, RunReader};

/// What one browser did, and the page at each checkpoint.
pub struct Seen {
    pub replay: Replay,
    pages: Vec<PageData>,
    /// Of the first page: another one each time.
    origin: String,
}

/// `folder` is where the run is kept; it must not be there yet.
pub async fn replay(recorded: &Recorded, browsers: Vec<Installed>, folder: &Path) -> Result<Vec<Seen>> {
    replay_trace(&recorded.trace, &recorded.folder(), browsers, folder).await
}

/// A trace that somebody has changed since it was read from `path`.
pub async fn replay_trace(trace: &Trace, path: &Path, browsers: Vec<Installed>, folder: &Path) -> Result<Vec<Seen>> {
    let files = TempDir::new()?;
    let request = ReplayRequest {
        trace: Arc::new(trace.clone()),
        trace_path: path.to_owned(),
        browsers,
        reference: Reference::None,
        authority: Authority::open(files.path())?,
        options: ReplayOptions::default(),
        at_once: 1,
        folder: folder.to_owned(),
    };
    let (run, outcomes) = replay_all(request, Arc::new(|_| {})).await?;
    for (name, outcome) in &outcomes {
        ensure!(outcome.outcome == Outcome::Replayed, "{name}: {:?}", outcome.outcome);
    }
    let (reader, _) = RunReader::open(folder)?;
    let first = trace.loads.first().context("no document was recorded")?;
    let origin: String = first.url.split_inclusive('/').take(3).collect();
    let origin = origin.trim_end_matches('/');
    run.replays
        .iter()
        .map(|name| Seen::read(&reader, name, origin))
        .collect()
}

impl Seen {
    fn read(reader: &RunReader, name: &str, origin: &str) -> Result<Seen> {
        let (replay, warnings) = reader.replay(name)?;
        ensure!(warnings.is_empty(), "{name} has warnings: {warnings:?}");
        let pages: Result<Vec<PageData>, _> = reader
            .whole_pages(&replay)
            .map(|whole| whole.map(|whole| whole.page))
            .collect();
        Ok(Seen {
            replay,
            pages: pages?,
            origin: origin.to_owned(),
        })
    }

    /// At each checkpoint.
    pub fn pages(&self) -> &[PageData] {
        &self.pages
    }

    /// `click on #elem0: callback-missing, exception-only-here`, for each event in which something diverged.
    pub fn divergences(&self) -> Vec<String> {
        let diverged = self.replay.events.iter().filter(|event| !event.divergences.is_empty());
        diverged.map(|event| self.in_words(event)).collect()
    }

    fn in_words(&self, event: &ReplayedEvent) -> String {
        let kind = |kind| serde_json::to_string(&kind).expect("it is a word").replace('"', "");
        let mut kinds: Vec<String> = event.divergences.iter().map(|found| kind(found.kind)).collect();
        kinds.sort();
        kinds.dedup();
        format!("{}: {}", event.label.replace(&self.origin, ""), kinds.join(", "))
    }

    /// Where the exception happened that each divergence has for its cause, as `FILE:LINE`.
    pub fn causes(&self) -> Vec<Option<String>> {
        let divergences = self.replay.events.iter().flat_map(|event| &event.divergences);
        let place = |error: &xcheck_trace::event::PageError| {
            let file = error.source.rsplit('/').next().unwrap_or_default();
            format!("{file}:{}", error.line)
        };
        divergences.map(|found| found.cause.as_ref().map(place)).collect()
    }

    /// The text of an element at the checkpoints that show it, in order, each once for as long as it stood there.
    pub fn texts(&self, id: &str) -> Vec<String> {
        let mut texts: Vec<String> = self.pages.iter().filter_map(|page| text_of(page, id)).collect();
        texts.dedup();
        texts
    }
}

fn text_of(page: &PageData, id: &str) -> Option<String> {
    let is = |node: &&Node| node.attributes.iter().any(|(name, value)| name == "id" && value == id);
    page.documents.iter().find_map(|document| {
        let element = document.nodes.iter().find(is)?;
        let own = |node: &&Node| node.parent == element.id && node.tag == "#text";
        Some(
            document
                .nodes
                .iter()
                .filter(own)
                .map(|node| node.text.as_str())
                .collect(),
        )
    })
}
