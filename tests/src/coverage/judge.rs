//! What became of each row: was its source recorded, was it replayed, was its variation seen.

use super::{Group, Part, Row, Session, Varied};
use crate::expected;
use crate::recording::Recorded;
use crate::side_by_side;
use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use xcheck_agent::Installed;
use xcheck_trace::event::{Event, LoadId};
use xcheck_trace::page::{MEASURED_TEXT, Node, PageData};
use xcheck_trace::run::ReplayedEvent;

/// By row, engine and part: it holds, or what is in its way.
pub type Verdicts = BTreeMap<(&'static str, &'static str, Part), Result<(), String>>;

pub async fn judge(
    group: &Group<'_>,
    session: &Session,
    engines: &[&'static str],
    varied_in: &[&'static str],
) -> Result<Verdicts> {
    let run = tempfile::tempdir()?;
    let installed = |names: &[&'static str]| -> Result<Vec<Installed>> {
        names
            .iter()
            .map(|name| xcheck_agent::find(name, &[]).with_context(|| format!("{name} is needed for this test")))
            .collect()
    };
    let (same, other) = (run.path().join("same"), run.path().join("varied"));
    let replays = side_by_side::replay(&session.recorded, installed(engines)?, &same);
    let varied = session.varied()?;
    let others = side_by_side::replay_trace(&varied, Path::new("varied"), installed(varied_in)?, &other);
    let (replays, others) = tokio::try_join!(replays, others)?;
    let loads = session.loads(group);
    let mut verdicts = Verdicts::new();
    for row in group.rows {
        let own: BTreeSet<LoadId> = loads.get(row.name).into_iter().flatten().copied().collect();
        verdicts.insert((row.name, "chromium", Part::Recorded), recorded(session, row, &own));
        for (engine, seen) in engines.iter().zip(&replays) {
            let replayed = Replayed::of(row, &own, seen)?;
            let reference = Replayed::of(row, &own, &replays[0])?;
            let ending = session.endings.get(row.name);
            let verdict = replayed.holds(&reference, ending);
            let verdict = verdict.map_err(|why| format!("{why}; recorded was {}", logged(session, &own)));
            verdicts.insert((row.name, engine, Part::Replayed), verdict);
        }
        for (engine, seen) in varied_in.iter().zip(&others) {
            if let Varied::At(label, kind) = row.varied {
                let found = of_row(&seen.replay.events, &own).find(|event| !event.divergences.is_empty());
                let verdict = match found {
                    None => Err("nothing diverged".to_owned()),
                    Some(event)
                        if expected::is(&event.label, label)
                            && event.divergences.iter().any(|found| found.kind == kind) =>
                    {
                        Ok(())
                    }
                    Some(event) => Err(format!("instead {}", in_words(event))),
                };
                verdicts.insert((row.name, engine, Part::Divergence), verdict);
            }
        }
    }
    Ok(verdicts)
}

/// What happened and when, for what goes wrong once in many runs.
fn logged(session: &Session, own: &BTreeSet<LoadId>) -> String {
    let trace = &session.recorded.trace;
    let events: Vec<&Event> = trace
        .order()
        .into_iter()
        .filter(|event| own.contains(&event.load))
        .collect();
    let began = events.first().map_or(0.0, |event| event.at);
    let one = |event: &&Event| format!("{:.0} ms {}", event.at - began, expected::described(trace, event));
    events.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The labels that the page's file expects came in this order, others between them.
fn recorded(session: &Session, row: &Row, own: &BTreeSet<LoadId>) -> Result<(), String> {
    let Recorded { trace, .. } = &session.recorded;
    if let Some(Err(error)) = session.endings.get(row.name) {
        return Err(error.clone());
    }
    let file = crate::workspace().join(format!("tests/sites/coverage/{}.html", row.name));
    let events: Vec<String> = trace
        .order()
        .into_iter()
        .filter(|event| own.contains(&event.load))
        .map(|event| expected::described(trace, event))
        .collect();
    let wanted = expected::lines(&file).map_err(|error| format!("{error:#}"))?;
    let mut rest = events.iter();
    for line in wanted {
        if !rest.any(|event| expected::is_or_begins(event, &line)) {
            return Err(format!(
                "`{line}` is not in the log:\n      {}",
                events.join("\n      ")
            ));
        }
    }
    Ok(())
}

/// What one browser made of a row.
struct Replayed {
    diverged: Vec<String>,
    /// The page at each checkpoint, as text.
    pages: Vec<String>,
    /// What it said at the last one.
    said: String,
}

impl Replayed {
    fn of(row: &Row, own: &BTreeSet<LoadId>, seen: &side_by_side::Seen) -> Result<Replayed> {
        let diverged = of_row(&seen.replay.events, own)
            .filter(|event| !event.divergences.is_empty())
            .map(in_words);
        let mut pages = Vec::new();
        let mut said = String::new();
        for (checkpoint, page) in seen.replay.checkpoints.iter().zip(seen.pages()) {
            if own.contains(&checkpoint.load) {
                pages.push(as_text(page));
                if super::is_page_of(&checkpoint.url, row.name) {
                    said = lines_of(page);
                }
            }
        }
        ensure!(
            seen.replay.checkpoints.len() == seen.pages().len(),
            "{}: a checkpoint has no page",
            seen.replay.name
        );
        Ok(Replayed {
            diverged: diverged.collect(),
            pages,
            said,
        })
    }

    fn holds(&self, reference: &Replayed, ending: Option<&Result<String, String>>) -> Result<(), String> {
        if !self.diverged.is_empty() {
            return Err(self.diverged.join("\n      "));
        }
        match ending {
            Some(Ok(ending)) if *ending != self.said => {
                return Err(format!(
                    "it says {:?}, and said {ending:?} when it was recorded",
                    self.said
                ));
            }
            Some(Ok(_)) => {}
            _ => return Err("it was not recorded to its end".to_owned()),
        }
        if self.pages.len() != reference.pages.len() {
            return Err(format!(
                "{} checkpoints, and Chromium has {}",
                self.pages.len(),
                reference.pages.len()
            ));
        }
        match self
            .pages
            .iter()
            .zip(&reference.pages)
            .find(|(one, other)| one != other)
        {
            None => Ok(()),
            Some((one, other)) => {
                let line = one.lines().zip(other.lines()).find(|(one, other)| one != other);
                Err(format!("the page differs from Chromium's: {line:?}"))
            }
        }
    }
}

fn of_row<'a>(events: &'a [ReplayedEvent], own: &BTreeSet<LoadId>) -> impl Iterator<Item = &'a ReplayedEvent> {
    let own = own.clone();
    events.iter().filter(move |event| own.contains(&event.place.load))
}

fn in_words(event: &ReplayedEvent) -> String {
    let told: Vec<String> = event
        .divergences
        .iter()
        .map(|found| format!("{:?}: expected {}, got {}", found.kind, found.expected, found.actual))
        .collect();
    format!("`{}`: {}", event.label, told.join("; "))
}

/// Tags, attributes, properties and texts of all documents. Boxes and styles are what engines may differ in.
fn as_text(page: &PageData) -> String {
    let mut lines = Vec::new();
    for document in &page.documents {
        lines.push(format!("{:?}", document.title));
        for node in &document.nodes {
            // What a `blob:` is called is another name each time.
            let attributes = node.attributes.iter().filter(|(_, value)| !value.starts_with("blob:"));
            let attributes: Vec<&(String, String)> = attributes.collect();
            // Where a page hides who calls, what a driver measures counts as its own: no matter of what it shows.
            let properties = node.properties.iter().filter(|(name, _)| name != MEASURED_TEXT);
            let properties: Vec<&(String, String)> = properties.collect();
            lines.push(format!(
                "{} {attributes:?} {properties:?} {:?}",
                node.tag,
                node.text.trim()
            ));
        }
    }
    lines.join("\n")
}

fn lines_of(page: &PageData) -> String {
    let Some(document) = page.documents.first() else {
        return String::new();
    };
    let text_in = |line: &Node| -> String {
        document
            .nodes
            .iter()
            .filter(|node| node.parent == line.id)
            .map(|node| node.text.as_str())
            .collect()
    };
    let lines: Vec<String> = document
        .nodes
        .iter()
        .filter(|node| node.tag == "p")
        .map(text_in)
        .collect();
    lines.join("\n")
}
