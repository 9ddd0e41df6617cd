//! What the check of a crawl left behind, put together: the analyses of its traces, and the models of their replays.

use crate::commands::analyze::{Format, Output, REPORT, exit, read_result};
use crate::commands::models::{Compared, compare_runs};
use crate::exit::{Exit, Failure, OrUsage};
use crate::terminal::{count, printable};
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use xcheck_analyzer::findings::Analysis;
use xcheck_report::crawl::{self, CheckedCrawl, CheckedTrace, FORMAT, Navigation, Transition};
use xcheck_report::terminal as text;

/// In the folder of the check, so that `xcheck report` finds what belongs together.
const KEPT: &str = "check.json";

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::commands) struct Together {
    /// The crawl's folder, as it was named.
    crawl: String,
    traces: Vec<Part>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Part {
    trace: String,
    /// In the folder of the check.
    run: String,
}

impl Together {
    pub(super) fn of(crawl: &Path) -> Together {
        Together {
            crawl: crawl.display().to_string(),
            traces: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, trace: &Path, run: &OsStr) {
        self.traces.push(Part {
            trace: trace.display().to_string(),
            run: run.to_string_lossy().into_owned(),
        });
    }

    pub(super) fn keep(&self, folder: &Path) -> Result<(), Failure> {
        let path = folder.join(KEPT);
        let text = serde_json::to_string_pretty(self)?;
        std::fs::write(&path, text).with_context(|| format!("{} could not be written", path.display()))?;
        Ok(())
    }

    /// Of a check that has been done; nothing where the folder is none.
    pub(in crate::commands) fn read(folder: &Path) -> Result<Option<Together>, Failure> {
        let path = folder.join(KEPT);
        if !path.exists() {
            return Ok(None);
        }
        let cannot = || format!("{} cannot be read", path.display());
        let text = std::fs::read_to_string(&path).with_context(cannot).or_usage()?;
        Ok(Some(serde_json::from_str(&text).with_context(cannot).or_usage()?))
    }

    /// Of the traces, in their order.
    pub(in crate::commands) fn analyses(&self, folder: &Path) -> Result<Vec<Analysis>, Failure> {
        let read = |part: &Part| read_result(&folder.join(&part.run));
        self.traces.iter().map(read).collect()
    }

    pub(in crate::commands) fn give(&self, folder: &Path, output: &Output) -> Result<Exit, Failure> {
        let runs: Vec<PathBuf> = self.traces.iter().map(|part| folder.join(&part.run)).collect();
        let mut models = compare_runs(&runs)?;
        let analyses = self.analyses(folder)?;
        models.heed(&analyses);
        let check = self.checked(analyses, &models)?;
        output.deliver(
            folder,
            &|path| {
                let graph = xcheck_crawler::graph(&models.marked());
                let page = crawl::page(&check, &graph, &|trace| address(folder, &trace.run, path));
                std::fs::write(path, page)
                    .with_context(|| format!("the report could not be written to {}", path.display()))?;
                Ok(())
            },
            &|format, out| match format {
                Format::Text => out.write_all(said(&check, &models).as_bytes()),
                Format::Json => crawl::json(&check, out),
                Format::Junit => crawl::junit(&check, out),
                Format::Sarif => crawl::sarif(&check, out),
            },
        )?;
        let exits = check.traces.iter().map(|trace| exit(&trace.analysis));
        Ok(worst(&exits.chain([models.exit()]).collect::<Vec<_>>()))
    }

    fn checked(&self, analyses: Vec<Analysis>, models: &Compared) -> Result<CheckedCrawl, Failure> {
        let traces = self.traces.iter().zip(analyses).map(|(part, analysis)| CheckedTrace {
            trace: part.trace.clone(),
            run: part.run.clone(),
            analysis,
        });
        let browsers = models.others.iter().map(|other| Navigation {
            browser: other.browser.clone(),
            states: other.model.states.len(),
            transitions: other.model.edges.len(),
            not_measured: other.not_measured.clone(),
            differences: other
                .departures
                .iter()
                .map(|told| Transition {
                    id: told.id.clone(),
                    title: told.text.first().cloned().unwrap_or_default(),
                    follows: told.text.iter().skip(1).map(|text| text.trim().to_owned()).collect(),
                    url: models.url(told.departure.from).to_owned(),
                    ignored: told.ignored.clone(),
                })
                .collect(),
        });
        Ok(CheckedCrawl {
            format: FORMAT,
            crawl: self.crawl.clone(),
            traces: traces.collect(),
            navigation: serde_json::to_value(models)?,
            browsers: browsers.collect(),
        })
    }
}

/// Of a run's own report, from a page that lies somewhere.
fn address(folder: &Path, run: &str, page: &Path) -> String {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let report = whole(folder).join(run).join(REPORT);
    match whole(page).parent() == Some(whole(folder).as_path()) {
        true => format!("{run}/{REPORT}"),
        false => url::Url::from_file_path(&report).map_or_else(|()| report.display().to_string(), String::from),
    }
}

fn said(check: &CheckedCrawl, models: &Compared) -> String {
    let mut said = String::new();
    let of = check.traces.len();
    // Writing to a string cannot fail, here and below.
    for (number, trace) in (1..).zip(&check.traces) {
        let _ = write!(
            said,
            "trace {number} of {of}: {}\n{}",
            printable(&trace.trace),
            text::summary(&trace.analysis)
        );
    }
    said.push_str("\nAll traces together\n");
    for (browser, different) in check.different() {
        let different = count(different as u64, "different finding");
        let _ = writeln!(said, "{}: {different}", printable(&browser));
    }
    said + &models.text()
}

/// Found is found, whatever else could not be measured.
fn worst(exits: &[Exit]) -> Exit {
    let any = |wanted: Exit| exits.contains(&wanted);
    match () {
        () if any(Exit::Found) => Exit::Found,
        () if any(Exit::NotMeasured) => Exit::NotMeasured,
        () => Exit::Clean,
    }
}
