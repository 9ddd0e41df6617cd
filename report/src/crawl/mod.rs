//! A check of a crawl: what was found in each of its traces, and what the browsers' navigation models say of all together.

mod page;

pub use page::page;

use crate::junit::{self, escape};
use crate::sarif;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};
use xcheck_analyzer::findings::{Analysis, BrowserResult, Kind, Outcome, Subject};
use xcheck_trace::manifest::Format;

/// Of the JSON.
pub const FORMAT: Format = Format { major: 1, minor: 0 };

#[derive(Debug, Serialize)]
pub struct CheckedCrawl {
    pub format: Format,
    /// The crawl's folder, as it was named.
    pub crawl: String,
    pub traces: Vec<CheckedTrace>,
    /// The models, as `xcheck models` gives them.
    pub navigation: serde_json::Value,
    /// The same, in words.
    #[serde(skip)]
    pub browsers: Vec<Navigation>,
}

#[derive(Debug, Serialize)]
pub struct CheckedTrace {
    pub trace: String,
    /// The folder of its replays, in that of the check.
    pub run: String,
    pub analysis: Analysis,
}

/// One browser's model against the reference's.
#[derive(Debug, Clone, Default)]
pub struct Navigation {
    pub browser: String,
    pub states: usize,
    pub transitions: usize,
    /// Replays that could not be compared, and why.
    pub not_measured: Vec<String>,
    pub differences: Vec<Transition>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transition {
    /// Twelve hexadecimal digits, the same in the next check of the same crawl.
    pub id: String,
    /// `missing transition: click #lunch, from state 0 (…) to state 1 (…)`
    pub title: String,
    /// States that are never come to because of it.
    pub follows: Vec<String>,
    /// The address of the state it starts from.
    pub url: String,
    /// Why it does not count, where a rule of the person's says so.
    pub ignored: Option<String>,
}

impl Navigation {
    /// What counts, and what does not.
    fn parted(&self) -> (Vec<&Transition>, Vec<&Transition>) {
        self.differences
            .iter()
            .partition(|difference| difference.ignored.is_none())
    }
}

impl CheckedCrawl {
    /// Browsers that were compared with the reference, in the order in which they were given.
    fn compared(&self) -> Vec<Subject> {
        let mut known: Vec<Subject> = Vec::new();
        for result in self.results().map(|(_, result)| result) {
            if known.iter().all(|subject| subject.browser != result.browser) {
                known.push(Subject {
                    browser: result.browser.clone(),
                    version: result.version.clone(),
                });
            }
        }
        known
    }

    fn reference(&self) -> Option<&Subject> {
        self.traces.first().map(|trace| &trace.analysis.reference)
    }

    fn results(&self) -> impl Iterator<Item = (&CheckedTrace, &BrowserResult)> {
        let of_trace = |trace| move |result| (trace, result);
        self.traces
            .iter()
            .flat_map(move |trace| trace.analysis.results.iter().map(of_trace(trace)))
    }

    fn navigation_of(&self, browser: &str) -> Option<&Navigation> {
        self.browsers.iter().find(|navigation| navigation.browser == browser)
    }

    /// How many findings are different ones, for each browser.
    pub fn different(&self) -> Vec<(String, usize)> {
        let number = |browser: &str| {
            let of_browser = self.results().filter(|(_, result)| result.browser == browser);
            let ids = of_browser.flat_map(|(_, result)| result.xbis.iter().map(|xbi| xbi.id.as_str()));
            ids.collect::<BTreeSet<_>>().len()
        };
        let browsers = self.compared().into_iter();
        browsers
            .map(|subject| (subject.browser.clone(), number(&subject.browser)))
            .collect()
    }
}

pub fn json(check: &CheckedCrawl, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, check)?;
    out.write_all(b"\n")
}

/// A suite for each trace and browser, and one for each browser's navigation model.
pub fn junit(check: &CheckedCrawl, out: &mut dyn Write) -> io::Result<()> {
    let of_traces = check.traces.iter();
    let of_traces = of_traces.map(|trace| junit::suites(&trace.analysis, &format!("{} in ", trace.trace)));
    let of_models = check.browsers.iter().map(navigation_suite);
    let suites: String = of_traces.chain(of_models).collect();
    junit::document(&suites, out)
}

fn navigation_suite(navigation: &Navigation) -> String {
    let class = format!("navigation in {}", navigation.browser);
    let mut cases = String::new();
    for reason in &navigation.not_measured {
        let message = format!("<error message=\"not measured: {}\"/>", escape(reason));
        cases += &junit::case(&class, reason, &message);
    }
    for difference in &navigation.differences {
        let failure = match &difference.ignored {
            Some(reason) => format!("<skipped message=\"{}\"/>", escape(reason)),
            None => format!(
                "<failure type=\"navigation\" message=\"{}\">{}</failure>",
                escape(&difference.title),
                escape(&difference.follows.join("\n"))
            ),
        };
        cases += &junit::case(&class, &format!("{} [{}]", difference.title, difference.id), &failure);
    }
    if cases.is_empty() {
        let agree = format!("{} transitions agree with the reference", navigation.transitions);
        cases = junit::case(&class, &agree, "");
    }
    let (counted, ignored) = navigation.parted();
    let (failures, skipped, errors) = (counted.len(), ignored.len(), navigation.not_measured.len());
    format!(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\">\n{cases}  </testsuite>\n",
        escape(&class),
        (failures + skipped + errors).max(1)
    )
}

/// One run for each browser, with what was found in several traces once: forges take few runs in a file.
pub fn sarif(check: &CheckedCrawl, out: &mut dyn Write) -> io::Result<()> {
    let runs = check.compared().into_iter().map(|subject| {
        let mut notes = Vec::new();
        let mut found = Vec::new();
        let mut known = BTreeSet::new();
        for (trace, result) in check.results().filter(|(_, result)| result.browser == subject.browser) {
            let of_trace = sarif::notes(result).into_iter();
            notes.extend(of_trace.map(|text| format!("{}: {text}", trace.trace)));
            found.extend(sarif::findings(result, &mut known));
        }
        if let Some(navigation) = check.navigation_of(&subject.browser) {
            notes.extend(navigation.not_measured.iter().cloned());
            found.extend(navigation.differences.iter().map(transition));
        }
        let reference = check.reference().unwrap_or(&subject);
        let measured = check
            .results()
            .all(|(_, result)| result.browser != subject.browser || result.outcome == Outcome::Compared);
        sarif::run(
            &subject,
            reference,
            &format!("{} in ", check.crawl),
            measured,
            &notes,
            found,
        )
    });
    sarif::document(runs.collect(), out)
}

fn transition(difference: &Transition) -> serde_json::Value {
    let mut message = difference.title.clone();
    for follows in &difference.follows {
        // Writing to a string cannot fail.
        let _ = write!(message, "; {follows}");
    }
    let mut result = serde_json::json!({
        "ruleId": crate::kind_name(Kind::Behaviour),
        "level": if difference.ignored.is_some() { "note" } else { "warning" },
        "message": {"text": message},
        "partialFingerprints": {"transition/v1": difference.id},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": difference.url}}}],
    });
    if let Some(reason) = &difference.ignored {
        result["suppressions"] = serde_json::json!([{"kind": "external", "justification": reason}]);
    }
    result
}
