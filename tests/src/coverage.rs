//! The modern web, row by row: each source of non-determinism that a page of today has, shown by a small page.
//!
//! Many rows are one session, so that the browsers are started once for all of them: recorded in Chromium, replayed in
//! every engine, and replayed once more with `varied.js` in the place of `row.js`, by which each page does one thing
//! otherwise. What a row's documents did is told from the other rows' by the order of their loads. The table of rows
//! ([`rows::GROUPS`]) says what is expected, and `docs/coverage.md` is printed from it ([`table`]): a row that does better
//! than its table fails as one that does worse, so the document cannot go stale.

pub mod judge;
pub mod rows;
pub mod table;

use crate::recording::{Recorded, Recording};
use crate::session::Step;
use crate::site::{Prelude, Site};
use crate::{browsers, runner};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::time::Duration;
use xcheck_agent::launch::ServiceWorkers;
use xcheck_agent::{Browser, LaunchOptions};
use xcheck_trace::Trace;
use xcheck_trace::event::LoadId;
use xcheck_trace::run::DivergenceKind;

pub const ENGINES: [&str; 3] = ["chromium", "firefox", "webkit"];

/// Rows that are recorded in one session.
#[derive(Debug, Clone, Copy)]
pub struct Group<'a> {
    pub name: &'static str,
    /// Before the first row, in documents that no script of ours is put into.
    pub before: &'static [Step],
    pub service_workers: ServiceWorkers,
    pub rows: &'a [Row],
}

#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Of its page, below `tests/sites/coverage`.
    pub name: &'static str,
    /// In the words of a person who looks for it.
    pub title: &'static str,
    /// Between opening the page and its being done.
    pub steps: &'static [Step],
    pub varied: Varied,
    /// What does not hold, where, and why.
    pub limits: &'static [Limit],
}

/// Where a page that does something else than it did when it was recorded is found out.
#[derive(Debug, Clone, Copy)]
pub enum Varied {
    /// The first divergence is this one, at the event of this label; `*` stands for anything.
    At(&'static str, DivergenceKind),
    /// It cannot diverge, and why.
    Never(&'static str),
}

#[derive(Debug, Clone, Copy)]
pub struct Limit {
    pub engines: &'static [&'static str],
    pub part: Part,
    pub reason: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Its source is in the log.
    Recorded,
    /// No divergence, and the same page as in Chromium at every checkpoint and as the recorded one at the end.
    Replayed,
    /// The variation is flagged, at its event.
    Divergence,
}

/// For the page of one row to be done.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the session of a group left.
pub struct Session {
    pub recorded: Recorded,
    /// What each row's page showed at its end; or why it did not come to one.
    pub endings: BTreeMap<&'static str, Result<String, String>>,
}

impl Session {
    /// Plays all rows of a group, one after the other, in one recorded browser.
    pub async fn record(group: &Group<'_>) -> Result<Session> {
        let sites = crate::workspace().join("tests/sites");
        let site = Site::http(sites, Prelude::None).await?;
        let recording = match group.service_workers {
            ServiceWorkers::Blocked if !group.before.is_empty() => Recording::of_used_profiles(&site.url("/")).await?,
            ServiceWorkers::Blocked => Recording::start(&site.url("/")).await?,
            ServiceWorkers::Allowed => Recording::with_service_workers(&site.url("/")).await?,
        };
        let options = LaunchOptions {
            service_workers: group.service_workers,
            ..LaunchOptions::default()
        };
        let mut browser = browsers::start_with("chromium", Some(&recording.proxy), options).await?;
        // In the trace, so that a replay can be served it.
        browser.navigate(&site.url("/coverage/varied.js")).await?;
        runner::until(
            &mut *browser,
            "location.href.endsWith('varied.js') && document.readyState === 'complete'",
        )
        .await?;
        for step in group.before {
            runner::take(&mut *browser, &site.url(""), step).await?;
        }
        let mut endings = BTreeMap::new();
        for row in group.rows {
            let played = tokio::time::timeout(PATIENCE, play(&mut *browser, &site, row)).await;
            let played =
                played.unwrap_or_else(|_| Err(anyhow::anyhow!("it was not done within {} s", PATIENCE.as_secs())));
            endings.insert(row.name, played.map_err(|error| format!("{error:#}")));
            close_others(&mut *browser).await?;
        }
        recording.close(browser).await?;
        let recorded = recording.finish().await?;
        Ok(Session { recorded, endings })
    }

    /// The documents of each row: those that came to life between its page and the next row's.
    pub fn loads(&self, group: &Group<'_>) -> BTreeMap<&'static str, Vec<LoadId>> {
        let mut loads: BTreeMap<&'static str, Vec<LoadId>> = BTreeMap::new();
        let mut current = None;
        for load in &self.recorded.trace.loads {
            let opened = group
                .rows
                .iter()
                .find(|row| load.path.is_empty() && is_page_of(&load.url, row.name));
            current = opened.map(|row| row.name).or(current);
            if let Some(name) = current {
                loads.entry(name).or_default().push(load.load);
            }
        }
        loads
    }

    /// The trace in which every page does one thing otherwise.
    pub fn varied(&self) -> Result<Trace> {
        let mut trace = self.recorded.trace.clone();
        let other = trace
            .exchanges
            .iter()
            .find(|exchange| exchange.request.url.ends_with("/varied.js"));
        let other = other
            .and_then(|exchange| exchange.response.clone())
            .context("varied.js is in the trace")?;
        let mut changed = 0;
        for exchange in &mut trace.exchanges {
            if exchange.request.url.ends_with("/row.js") {
                exchange.response = Some(other.clone());
                changed += 1;
            }
        }
        ensure!(changed > 0, "no page asked for row.js");
        Ok(trace)
    }
}

/// What a row has opened is closed before the next one.
async fn close_others(browser: &mut dyn Browser) -> Result<()> {
    let windows = browser.windows().await?;
    let (first, others) = windows.split_first().context("there is a window")?;
    for window in others {
        browser.switch_window(window).await?;
        browser.close_window().await?;
    }
    browser.switch_window(first).await?;
    Ok(())
}

fn is_page_of(url: &str, row: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.ends_with(&format!("/coverage/{row}.html"))
}

async fn play(browser: &mut dyn Browser, site: &Site, row: &Row) -> Result<String> {
    runner::open(browser, &site.url(&format!("/coverage/{}.html", row.name))).await?;
    for step in row.steps {
        runner::take(browser, &site.url(""), step)
            .await
            .with_context(|| format!("{step:?}"))?;
    }
    runner::until(browser, "document.title === 'done'").await?;
    let shown = browser
        .evaluate("Array.from(document.querySelectorAll('p'), (line) => line.textContent).join('\\n')")
        .await?;
    Ok(shown.as_str().unwrap_or_default().to_owned())
}
