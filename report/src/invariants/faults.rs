//! What a session makes of things that go wrong: DoDOM's tables V and VI, and what a person would see.

use super::pages::{deviations, page, picture};
use super::{Deviation, Diverged};
use crate::html::escape;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use xcheck_trace::manifest::Format;

/// One fault, and what became of the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FaultRun {
    /// Names the fault in this trace: `12-error`.
    pub id: String,
    /// Number of the event in the trace, where the fault is one of an event.
    pub event: Option<u32>,
    /// `click on #save`, `fetch GET /api/cart`, `domain cdn.example`.
    pub target: String,
    /// `not-replayed`, `not-answered`, `error`, …
    pub wrong: String,
    /// The page is another one than those of the runs without a fault, by what these have in common.
    pub affects: bool,
    pub detected: bool,
    /// Whether a second run with the fault showed it, too; nothing where there was no second run (yet).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<bool>,
    /// In words, where it is a finding: what a second run showed, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<String>,
    /// Where it shows first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows_at: Option<Shows>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diverged: Option<Diverged>,
    /// Why nothing is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_measured: Option<String>,
    pub took_ms: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shows {
    pub event: u32,
    pub label: String,
    /// The page stayed what it was before the event.
    #[serde(default)]
    pub nothing_happened: bool,
    /// All at this event; those in the report are the first.
    pub count: usize,
    pub deviations: Vec<Deviation>,
    #[serde(skip)]
    pub picture: Option<Vec<u8>>,
    /// Why there is no picture, where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_picture: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Faults {
    pub format: Format,
    pub trace: String,
    pub trace_sha256: String,
    pub browser: String,
    pub against: String,
    /// Runs without a fault that were learnt from.
    pub learnt_from: usize,
    /// Runs without a fault that deviated all the same, of so many.
    pub false_alarms: [usize; 2],
    /// In the trace's order.
    pub runs: Vec<FaultRun>,
    /// Faults that were to be tried.
    pub of: usize,
}

impl Faults {
    pub fn findings(&self) -> impl Iterator<Item = &FaultRun> {
        self.runs.iter().filter(|run| run.finding.is_some())
    }

    /// Of those that change the page, how many were detected.
    pub fn coverage(&self) -> [usize; 2] {
        let affects = || self.runs.iter().filter(|run| run.affects);
        [affects().filter(|run| run.detected).count(), affects().count()]
    }

    /// Those that showed in the first run, and have not been tried again.
    pub fn unconfirmed(&self) -> impl Iterator<Item = &FaultRun> {
        self.runs
            .iter()
            .filter(|run| run.detected && run.confirmed.is_none() && run.not_measured.is_none())
    }

    /// Those that showed in one run, and not in the other.
    pub fn seen_once(&self) -> usize {
        self.runs.iter().filter(|run| run.confirmed == Some(false)).count()
    }

    pub fn not_measured(&self) -> usize {
        self.runs.iter().filter(|run| run.not_measured.is_some()).count()
    }
}

/// `pictures`: what each event shows when nothing is wrong.
pub fn faults_page(faults: &Faults, pictures: &BTreeMap<u32, Vec<u8>>) -> String {
    let [detected, affecting] = faults.coverage();
    let mut body = format!(
        "<h1>{} when something goes wrong</h1><p>Played in {} against {}; learnt from {} runs without a fault.</p>",
        escape(&faults.trace),
        escape(&faults.browser),
        escape(&faults.against),
        faults.learnt_from
    );
    if faults.runs.len() < faults.of {
        let _ = write!(
            body,
            "<p class=warning>{} of {} faults so far.</p>",
            faults.runs.len(),
            faults.of
        );
    }
    let waiting = faults.unconfirmed().count();
    if waiting > 0 {
        let _ = write!(
            body,
            "<p class=warning>{waiting} more showed in one run, and wait for a second one.</p>"
        );
    }
    let findings: Vec<&FaultRun> = faults.findings().collect();
    let _ = write!(
        body,
        "<p><b class={}>{} of {} faults show, each in two runs of two.</b> {affecting} change the page, {detected} of them were \
         detected; {} runs without a fault were checked beside them, {} deviated.</p>",
        if findings.is_empty() { "good" } else { "bad" },
        findings.len(),
        faults.runs.len(),
        faults.false_alarms[1],
        faults.false_alarms[0],
    );
    match faults.seen_once() {
        0 => {}
        once => {
            let _ = write!(
                body,
                "<p class=warning>{once} showed in one run of two, and are not counted: what they change comes and goes.</p>"
            );
        }
    }
    body += &table(faults);
    if !findings.is_empty() {
        body += "<h2>What a person would see</h2>";
    }
    for run in findings {
        body += &finding(run, pictures);
    }
    page(&format!("{} when something goes wrong", faults.trace), &body)
}

fn table(faults: &Faults) -> String {
    let mut table = "<h2>Every fault</h2><table><tr><th>Event<th>What is disturbed<th>Fault<th>Affects the DOM<th>Detected<th>Shows".to_owned();
    for run in &faults.runs {
        let event = run.event.map_or_else(String::new, |event| event.to_string());
        let shows = match (&run.not_measured, &run.finding) {
            (Some(why), _) => format!("<span class=warning>not measured: {}</span>", escape(why)),
            (None, Some(finding)) => format!("<a href=\"#f-{}\">{}</a>", escape(&run.id), escape(finding)),
            (None, None) if run.confirmed == Some(false) => "<span class=warning>in one run of two</span>".to_owned(),
            (None, None) if run.detected => "<span class=warning>in one run so far</span>".to_owned(),
            (None, None) => "<span class=quiet>nothing</span>".to_owned(),
        };
        let word = |yes: bool| if yes { "yes" } else { "<span class=quiet>no</span>" };
        // Writing to a string cannot fail.
        let _ = write!(
            table,
            "<tr><td>{event}<td>{}<td>{}<td>{}<td>{}<td>{shows}",
            escape(&run.target),
            escape(&run.wrong),
            word(run.affects),
            word(run.detected)
        );
    }
    table + "</table>"
}

fn finding(run: &FaultRun, pictures: &BTreeMap<u32, Vec<u8>>) -> String {
    let mut text = format!(
        "<article id=\"f-{}\"><h3>{}</h3>",
        escape(&run.id),
        escape(run.finding.as_deref().unwrap_or_default())
    );
    if let Some(diverged) = &run.diverged {
        let _ = write!(
            text,
            "<p class=bad>The session cannot go on at event {} ({}): {}.</p>",
            diverged.event,
            escape(&diverged.label),
            escape(&diverged.why)
        );
    }
    if let Some(shows) = &run.shows_at {
        let _ = write!(
            text,
            "<p>First after event {} ({}).</p><div class=row>",
            shows.event,
            escape(&shows.label)
        );
        if let Some(png) = pictures.get(&shows.event) {
            text += &picture(png, "as it should be");
        }
        if let Some(png) = &shows.picture {
            text += &picture(png, "with the fault");
        }
        text += "</div>";
        if let Some(why) = &shows.no_picture {
            let _ = write!(text, "<p class=warning>There is no picture of it: {}.</p>", escape(why));
        }
        text += &deviations(&shows.deviations);
    }
    text + "</article>"
}
