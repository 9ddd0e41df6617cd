//! RQ3: what is found when replays are compared, and what when browsers are only driven and compared.
//!
//! Findings go into pieces in full, so that they can be judged, and judged again, without another replay.

use crate::replays::{self, Stored};
use crate::store::Store;
use crate::stored::Pictures;
use crate::subjects::{ENGINES, Subject};
use crate::{crawl, pictures};
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use xcheck_analyzer::findings::{BrowserResult, Kind, Mode, Outcome, Xbi};
use xcheck_analyzer::{Mask, Options, compare, noise};

/// How findings came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Record, replay, compare what changed.
    XCheck,
    /// Drive each browser, compare all of each state.
    Crawl,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Findings {
    pub(crate) checkpoints: u32,
    pub(crate) found: Vec<Finding>,
    /// Left out because the reference differed there from itself.
    pub(crate) masked: u32,
    pub(crate) unmeasured: usize,
    pub(crate) analysis_ms: f64,
}

/// One XBI, as much of it as judging needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) id: String,
    pub(crate) kind: Kind,
    pub(crate) selector: String,
    pub(crate) xpath: String,
    #[serde(default)]
    pub(crate) element: String,
    pub(crate) title: String,
    pub(crate) event: String,
    pub(crate) cause: Option<String>,
    /// The most telling ones, `width 200px → 180px`.
    pub(crate) differences: Vec<String>,
}

impl Way {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Way::XCheck => "x-check",
            Way::Crawl => "crawl",
        }
    }
}

pub(crate) fn key(way: Way, subject: &Subject, engine: &str) -> String {
    format!("findings/{}/{}/{engine}", way.word(), subject.slug())
}

/// An engine against the reference; the reference against itself, where it is that.
pub(crate) fn find(way: Way, subject: &Subject, engine: &str, store: &Store) -> Result<Findings> {
    let reference = open(way, subject, ENGINES[0], 1, store)?;
    let itself = engine == ENGINES[0];
    let other = open(way, subject, engine, if itself { 2 } else { 1 }, store)?;
    let again = match way {
        Way::XCheck if !itself => Some(open(way, subject, ENGINES[0], 2, store)?),
        _ => None,
    };
    let started = std::time::Instant::now();
    let (result, findings) = analyze(&reference, &other, again.as_ref(), way)?;
    let findings = Findings {
        analysis_ms: started.elapsed().as_secs_f64() * 1000.0,
        ..findings
    };
    let into = store.path("pictures").join(way.word());
    let name = format!("{}.{engine}", subject.slug());
    pictures::of_findings(&result.xbis, &reference.run, &other.run, &into, &name)?;
    Ok(findings)
}

fn open(way: Way, subject: &Subject, engine: &str, number: usize, store: &Store) -> Result<Stored> {
    let folder = match way {
        Way::XCheck => replays::folder(store, subject, engine, number),
        Way::Crawl => crawl::folder(store, subject, engine, number),
    };
    replays::open(&folder).with_context(|| format!("{engine}, number {number}"))
}

/// `again`: what differs between the reference's own replays is masked.
pub(crate) fn analyze(
    reference: &Stored,
    other: &Stored,
    again: Option<&Stored>,
    way: Way,
) -> Result<(BrowserResult, Findings)> {
    let options = Options {
        mode: match way {
            Way::XCheck => Mode::Incremental,
            Way::Crawl => Mode::Full,
        },
        ..Options::default()
    };
    let (of_reference, of_other) = (Pictures(&reference.run), Pictures(&other.run));
    let mask = match again {
        None => Mask::default(),
        Some(again) => {
            let of_again = Pictures(&again.run);
            let (first, second) = (reference.for_analysis(&of_reference), again.for_analysis(&of_again));
            noise(first, second, &options).0
        }
    };
    let (first, second) = (reference.for_analysis(&of_reference), other.for_analysis(&of_other));
    let (result, _) = compare(first, second, &mask, &options);
    if let Outcome::NotMeasured { reason } = &result.outcome {
        bail!("{reason}");
    }
    ensure!(result.checkpoints > 0, "no state could be compared");
    let findings = Findings {
        checkpoints: result.checkpoints,
        found: result.xbis.iter().map(Finding::of).collect(),
        masked: result.masked,
        unmeasured: result.unmeasured.len(),
        analysis_ms: 0.0,
    };
    Ok((result, findings))
}

impl Finding {
    fn of(xbi: &Xbi) -> Finding {
        let differences = xbi.differences.iter().take(12);
        Finding {
            id: xbi.id.clone(),
            kind: xbi.kind,
            selector: xbi.selector.clone(),
            xpath: xbi.xpath.clone(),
            element: xbi.element.clone(),
            title: xbi.title.clone(),
            event: xbi.event.label.clone(),
            cause: xbi.cause.as_ref().map(|cause| cause.text.clone()),
            differences: differences
                .map(|found| {
                    let (reference, other) = (short(&found.reference), short(&found.other));
                    let place = if found.selector.is_empty() { "" } else { " on " };
                    format!("{} {reference} → {other}{place}{}", found.property, found.selector)
                })
                .collect(),
        }
    }
}

impl Finding {
    /// What one cause leads to is one finding, of the kind that showed first; where it also made boxes larger, it says so.
    pub(crate) fn tells_of_boxes(&self) -> bool {
        let of_boxes = ["width ", "height ", "lines ", "overlap ", "overflow "];
        self.kind == Kind::Structure
            || self
                .differences
                .iter()
                .any(|found| of_boxes.iter().any(|property| found.starts_with(property)))
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{Finding, short};
    use xcheck_analyzer::findings::Kind;

    pub(crate) fn finding(id: &str, selector: &str) -> Finding {
        Finding {
            id: id.into(),
            kind: Kind::Structure,
            selector: selector.into(),
            xpath: String::new(),
            element: String::new(),
            title: String::new(),
            event: String::new(),
            cause: None,
            differences: Vec::new(),
        }
    }

    #[test]
    fn long_values_are_cut_between_characters() {
        assert_eq!(short("ä"), "ä");
        assert_eq!(short(&"ä".repeat(200)).chars().count(), 121);
    }
}
