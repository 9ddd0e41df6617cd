//! What was found, held against what a person sees.

use super::{Label, Place};
use std::collections::BTreeMap;
use std::fmt::Write;
use xcheck_analyzer::findings::{Analysis, BrowserResult, Noise, Outcome, Xbi};

/// One page in one browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Seen by a person and found, at that element and under a name that it may have.
    Found,
    Missed,
    /// Nothing to see, nothing found.
    Quiet,
    NotMeasured,
}

/// Counts by browser and kind.
#[derive(Debug, Default)]
pub struct Score {
    cells: BTreeMap<(String, String), Cell>,
    restless: usize,
    unmeasured: usize,
}

#[derive(Debug, Default, Clone, Copy)]
struct Cell {
    found: usize,
    missed: usize,
    false_alarms: usize,
    quiet: usize,
}

impl Score {
    /// Counts a page, and says in lines what does not agree with the label.
    pub fn count(&mut self, label: &Label, place: &Place, analysis: &Analysis) -> Vec<String> {
        let mut told = Vec::new();
        for result in &analysis.results {
            let wanted = label.expected_in(&result.browser);
            let (right, wrong): (Vec<&Xbi>, Vec<&Xbi>) =
                result.xbis.iter().partition(|xbi| wanted && agrees(xbi, label, place));
            let verdict = verdict(result, wanted, !right.is_empty());
            let kind = label.kinds.first().map_or("none".to_owned(), word);
            if verdict == Verdict::NotMeasured {
                self.unmeasured += 1;
            }
            let cell = self.cells.entry((result.browser.clone(), kind)).or_default();
            match verdict {
                Verdict::Found => cell.found += 1,
                Verdict::Missed => cell.missed += 1,
                Verdict::Quiet => cell.quiet += 1,
                Verdict::NotMeasured => {}
            }
            if matches!(verdict, Verdict::Missed | Verdict::NotMeasured) {
                told.push(format!("{}: {verdict:?} {:?}", result.browser, result.outcome));
            }
            if right.len() > 1 {
                let titles: Vec<String> = right.iter().map(|xbi| sentence(xbi)).collect();
                told.push(format!(
                    "{}: {} for one: {}",
                    result.browser,
                    right.len(),
                    titles.join("; ")
                ));
            }
            for xbi in wrong {
                let cell = self.cells.entry((result.browser.clone(), word(&xbi.kind))).or_default();
                cell.false_alarms += 1;
                told.push(format!("{}: false alarm: {}", result.browser, sentence(xbi)));
            }
            for part in &result.unmeasured {
                told.push(format!("{}: unmeasured {}: {}", result.browser, part.what, part.reason));
            }
        }
        match &analysis.noise {
            Noise::Measured { volatile } => {
                self.restless += volatile.len();
                for spot in volatile {
                    told.push(format!("reference against itself: {} {}", spot.selector, spot.title));
                }
            }
            Noise::NotMeasured { reason } => {
                self.unmeasured += 1;
                told.push(format!("reference against itself: {reason}"));
            }
        }
        told
    }

    /// Precision and recall, of all and by browser and kind, as a table.
    pub fn table(&self) -> String {
        let mut lines = String::from(
            "| browser | kind | found | missed | false alarms | quiet | precision | recall |\n|---|---|---|---|---|---|---|---|\n",
        );
        let mut all = Cell::default();
        for ((browser, kind), cell) in &self.cells {
            row(&mut lines, browser, kind, cell);
            all.add(cell);
        }
        row(&mut lines, "all", "all", &all);
        let _infallible = writeln!(
            lines,
            "\nreference against itself: {} differences; not measured: {}",
            self.restless, self.unmeasured
        );
        lines
    }

    /// Over all pages and browsers.
    pub fn precision_and_recall(&self) -> (f64, f64) {
        let mut all = Cell::default();
        self.cells.values().for_each(|cell| all.add(cell));
        (all.precision(), all.recall())
    }

    pub fn nothing_restless_or_unmeasured(&self) -> bool {
        self.restless == 0 && self.unmeasured == 0
    }
}

impl Cell {
    fn add(&mut self, more: &Cell) {
        self.found += more.found;
        self.missed += more.missed;
        self.false_alarms += more.false_alarms;
        self.quiet += more.quiet;
    }

    fn precision(&self) -> f64 {
        part(self.found, self.false_alarms)
    }

    fn recall(&self) -> f64 {
        part(self.found, self.missed)
    }
}

fn row(lines: &mut String, browser: &str, kind: &str, cell: &Cell) {
    let _infallible = writeln!(
        lines,
        "| {browser} | {kind} | {} | {} | {} | {} | {:.3} | {:.3} |",
        cell.found,
        cell.missed,
        cell.false_alarms,
        cell.quiet,
        cell.precision(),
        cell.recall()
    );
}

fn part(good: usize, bad: usize) -> f64 {
    match good + bad {
        0 => 1.0,
        all => good as f64 / all as f64,
    }
}

fn verdict(result: &BrowserResult, wanted: bool, found: bool) -> Verdict {
    match (&result.outcome, wanted, found) {
        (Outcome::NotMeasured { .. }, ..) => Verdict::NotMeasured,
        (_, true, true) => Verdict::Found,
        (_, true, false) => Verdict::Missed,
        (_, false, _) => Verdict::Quiet,
    }
}

/// The kind is one that the label allows, and the place, or that of something it is told with, is the labelled element, one inside
/// it or the one around it.
fn agrees(xbi: &Xbi, label: &Label, place: &Place) -> bool {
    if !label.kinds.contains(&xbi.kind) {
        return false;
    }
    if xbi.xpath.is_empty() || label.selector.is_empty() {
        return true;
    }
    let selectors = xbi.differences.iter().map(|difference| difference.selector.as_str());
    let inside = format!("{} > ", label.selector);
    place.is(&xbi.xpath)
        || place.stands_in(&xbi.xpath)
        || place.holds(&xbi.xpath)
        || selectors
            .chain([xbi.selector.as_str()])
            .any(|selector| selector == label.selector || selector.starts_with(&inside) || place.is_called(selector))
}

fn sentence(xbi: &Xbi) -> String {
    let values: Vec<String> = xbi
        .differences
        .iter()
        .take(3)
        .map(|found| format!("{} {:?} → {:?}", found.property, found.reference, found.other))
        .collect();
    format!(
        "{} `{}` {} [{}] after `{}`",
        word(&xbi.kind),
        xbi.selector,
        xbi.title,
        values.join(", "),
        xbi.event.label
    )
}

fn word(kind: &impl std::fmt::Debug) -> String {
    format!("{kind:?}").to_lowercase()
}
