//! What X-Check is compared with: the way of crawling and comparing, simulated as the paper simulates X-PERT.
//!
//! The same gestures are given in each browser, to a page that runs freely against a server of its own: no time, random
//! number or response is held. After each gesture, once the page has come to what the session waits for, a look from outside
//! takes page data and a picture. What is kept is a run like any other, so that the same analyzer can compare it.
//!
//! A crawler does not know what to wait for; that this one does is in its favour. So is that addresses which only differ
//! in the server's port are made the same.

use crate::store::Store;
use crate::subjects::Subject;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use xcheck_agent::Browser;
use xcheck_tests::served::Served;
use xcheck_tests::session::{Spot, Step};
use xcheck_tests::site::Prelude;
use xcheck_tests::{browsers, runner};
use xcheck_trace::Sha256;
use xcheck_trace::manifest::Viewport;
use xcheck_trace::page::PageData;
use xcheck_trace::run::{
    Checkpoint, Divergence, DivergenceKind, FORMAT, Outcome, Place, ReplayOutcome, ReplayedEvent, Run,
};
use xcheck_trace::runs::{ReplayWriter, RunWriter};

/// For one step in a page that may never get there.
const PATIENCE: Duration = Duration::from_secs(20);

/// What stands for each server's own address.
const ORIGIN: &str = "http://subject.example";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Crawled {
    pub(crate) looks: usize,
    /// Gestures that could not be given.
    pub(crate) missed: usize,
}

pub(crate) fn key(subject: &Subject, engine: &str, number: usize) -> String {
    format!("crawled/{}/{engine}-{number}", subject.slug())
}

pub(crate) fn folder(store: &Store, subject: &Subject, engine: &str, number: usize) -> PathBuf {
    store
        .path("crawls")
        .join(subject.slug())
        .join(format!("{engine}-{number}"))
}

pub(crate) async fn crawl(subject: &Subject, engine: &str, number: usize, store: &Store) -> Result<Crawled> {
    let into = folder(store, subject, engine, number);
    if into.exists() {
        std::fs::remove_dir_all(&into)?;
    }
    std::fs::create_dir_all(into.parent().context("crawls have a folder")?)?;
    let served = Served::start(subject.0.subject, Prelude::None).await?;
    let mut browser = browsers::start(engine, None).await?;
    let writer = start(subject, engine, &into)?;
    let mut visit = Visit {
        browser: &mut *browser,
        origin: served.origin(),
        writer,
        documents: Vec::new(),
        crawled: Crawled { looks: 0, missed: 0 },
        number: 0,
    };
    let started = Instant::now();
    let visited = visit.all(subject.0.session.steps).await;
    let (crawled, events, writer) = (visit.crawled, visit.number, visit.writer);
    let info = browser.info().clone();
    browser.close().await?;
    visited?;
    writer.finish(&ReplayOutcome {
        browser: info,
        outcome: Outcome::Replayed,
        wall_ms: u64::try_from(started.elapsed().as_millis())?,
        events,
    })?;
    Ok(crawled)
}

fn start(subject: &Subject, engine: &str, into: &Path) -> Result<ReplayWriter> {
    let run = Run {
        format: FORMAT,
        trace: subject.name().to_owned(),
        trace_sha256: Sha256::of(subject.name().as_bytes()),
        viewport: Viewport::default(),
        replays: vec![engine.to_owned()],
        reference: None,
        reference_again: None,
    };
    Ok(RunWriter::create(into, &run)?.replay(engine)?)
}

struct Visit<'a> {
    browser: &'a mut dyn Browser,
    origin: String,
    writer: ReplayWriter,
    /// What tells top-level documents apart, in order of appearance.
    documents: Vec<String>,
    crawled: Crawled,
    /// Of the gesture.
    number: u32,
}

impl Visit<'_> {
    async fn all(&mut self, steps: &[Step]) -> Result<()> {
        let mut rest = steps;
        while let [step, after @ ..] = rest {
            let waits = after.iter().take_while(|step| matches!(step, Step::Until(_))).count();
            let (waits, after) = after.split_at(waits);
            self.number += 1;
            let divergence = self.give(step).await;
            for wait in waits {
                // A page that does not get there is looked at as it is.
                let _got_there = self.give(wait).await;
            }
            self.look(&label(step), divergence).await?;
            rest = after;
        }
        Ok(())
    }

    /// Why it could not be given.
    async fn give(&mut self, step: &Step) -> Option<String> {
        let given = tokio::time::timeout(PATIENCE, runner::take(self.browser, &self.origin, step)).await;
        match given {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some(format!("not within {} s", PATIENCE.as_secs())),
        }
    }

    async fn look(&mut self, label: &str, missed: Option<String>) -> Result<()> {
        let page = self.page_data().await?;
        let top = page.documents.first().context("a window has a document")?;
        let (load, url) = (top.load, top.url.clone());
        let place = Place {
            number: self.number,
            load,
            event: self.number,
        };
        let divergences = missed.map(|actual| Divergence::new(DivergenceKind::TargetMissing, label, actual));
        self.crawled.missed += usize::from(divergences.is_some());
        self.writer.event(&ReplayedEvent {
            place,
            label: label.to_owned(),
            divergences: divergences.into_iter().collect(),
            notes: Vec::new(),
            complaints: Vec::new(),
            after_divergence: false,
            registered_by: None,
        })?;
        let picture = self.browser.screenshot().await.map_err(|error| error.to_string());
        let picture = picture.and_then(|png| self.writer.screenshot(&png).map_err(|error| error.to_string()));
        let checkpoint = Checkpoint {
            place,
            load,
            url,
            page_sha256: self.writer.page(&page)?,
            screenshot_sha256: picture.as_ref().ok().cloned(),
            screenshot_missing: picture.err(),
            after_divergence: false,
            ahead: false,
            pointer: None,
        };
        self.writer.checkpoint(&checkpoint)?;
        self.crawled.looks += 1;
        Ok(())
    }

    async fn page_data(&mut self) -> Result<PageData> {
        let expression = format!(
            "({{document: String(performance.timeOrigin), data: {}}})",
            xcheck_replay_js::collector()
        );
        let seen = self
            .browser
            .evaluate(&expression)
            .await
            .context("looking at the page")?;
        let Some(document) = seen["document"].as_str() else {
            bail!("the page says nothing of itself: {seen}");
        };
        let known = self.documents.iter().position(|known| known == document);
        let number = known.unwrap_or_else(|| {
            self.documents.push(document.to_owned());
            self.documents.len() - 1
        });
        let text = seen["data"].to_string().replace(&self.origin, ORIGIN);
        let mut page = PageData {
            documents: serde_json::from_str(&text).context("the page's data")?,
        };
        for (frame, document) in page.documents.iter_mut().enumerate() {
            // The same in every browser that shows the same pages and frames.
            document.load = u32::try_from(number * 100 + frame + 1)?;
            document.whole = true;
        }
        Ok(page)
    }
}

/// As a replay would name it.
fn label(step: &Step) -> String {
    let on = |spot: &Spot| spot.selector;
    match step {
        Step::Open(path) => format!("open {path}"),
        Step::Click(spot) => format!("click on {}", on(spot)),
        Step::DoubleClick(spot) => format!("double click on {}", on(spot)),
        Step::Hover(spot) => format!("hover over {}", on(spot)),
        Step::Type(text) => format!("type {text}"),
        Step::Press(chord) => format!("press {chord}"),
        Step::Drag(from, to) => format!("drag {} to {}", on(from), on(to)),
        Step::Wheel(spot, ..) => format!("wheel over {}", on(spot)),
        Step::Back => "back".into(),
        Step::Until(condition) => format!("wait for {condition}"),
        Step::Fill(selector, text) => format!("fill {selector} with {text}"),
        Step::ContextClick(spot) => format!("click with the right button on {}", on(spot)),
        Step::Tap(spot) => format!("tap on {}", on(spot)),
        Step::Compose(texts) => format!("compose {}", texts.join(", ")),
        Step::Choose(selector, files) => format!("choose {} in {selector}", files.join(", ")),
    }
}
