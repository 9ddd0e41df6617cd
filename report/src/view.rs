//! The analysis as the HTML report shows it: flat, with names resolved, and every picture named once.

use crate::kind_name;
use serde::Serialize;
use std::collections::BTreeMap;
use xcheck_analyzer::findings::Unfaithful;
use xcheck_analyzer::findings::{
    Analysis, Because, BrowserResult, Cause, Difference, Kind, Mode, Noise, Occurrence, Outcome, Side, Volatile, Xbi,
};

/// A moment of the recorded session, for the film strip.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    pub event: u32,
    pub label: String,
    /// SHA-256 of the reference's screenshot.
    pub image: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct View {
    pub title: String,
    pub subtitle: String,
    pub reference_name: String,
    pub warnings: Vec<String>,
    pub browsers: Vec<BrowserView>,
    pub steps: Vec<Step>,
    pub findings: Vec<FindingView>,
    /// Width and height of each picture that is in the file.
    pub sizes: BTreeMap<String, [u32; 2]>,
}

#[derive(Debug, Serialize)]
pub(crate) struct BrowserView {
    pub id: String,
    pub name: String,
    pub reason: Option<String>,
    pub events: u32,
    pub checkpoints: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FindingView {
    /// Unique in the report: the same XBI id may be found in two browsers.
    pub key: String,
    pub id: String,
    pub browser: String,
    pub kind: &'static str,
    pub title: String,
    pub confidence: f64,
    pub ignored: Option<String>,
    pub event: u32,
    pub event_label: String,
    pub selector: String,
    pub xpath: String,
    pub element: String,
    pub cause: Option<CauseView>,
    pub differences: Vec<DifferenceView>,
    pub places: Vec<PlaceView>,
}

#[derive(Debug, Serialize)]
pub(crate) struct CauseView {
    pub title: String,
    pub detail: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct DifferenceView {
    pub what: String,
    pub reference: String,
    pub other: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct PlaceView {
    pub event: u32,
    pub label: String,
    pub reference: SideView,
    pub other: SideView,
}

#[derive(Debug, Serialize)]
pub(crate) struct SideView {
    pub image: Option<String>,
    /// Why there is no picture, where there is none.
    pub missing: &'static str,
    pub boxes: Vec<[f32; 4]>,
}

/// `sizes` holds the pictures that could be read; others are shown as missing.
pub(crate) fn build(analysis: &Analysis, steps: &[Step], sizes: BTreeMap<String, [u32; 2]>) -> View {
    let shown = |image: &Option<String>| image.clone().filter(|hash| sizes.contains_key(hash));
    let steps = steps
        .iter()
        .map(|step| Step {
            image: shown(&step.image),
            ..step.clone()
        })
        .collect();
    let findings = analysis
        .results
        .iter()
        .flat_map(|result| browser_findings(result, &shown))
        .collect();
    View {
        title: format!("xcheck: {}", analysis.trace),
        subtitle: subtitle(analysis),
        reference_name: format!(
            "{} {} (reference)",
            analysis.reference.browser, analysis.reference.version
        ),
        warnings: warnings(analysis),
        browsers: analysis.results.iter().map(browser).collect(),
        steps,
        findings,
        sizes,
    }
}

/// All pictures that the report can show, each once.
pub(crate) fn pictures(analysis: &Analysis, steps: &[Step]) -> Vec<String> {
    let in_xbi = |xbi: &Xbi| {
        xbi.occurrences
            .iter()
            .flat_map(|place| [&place.reference, &place.other])
            .filter_map(|side| side.screenshot_sha256.clone())
            .collect::<Vec<_>>()
    };
    let mut hashes: Vec<String> = steps.iter().filter_map(|step| step.image.clone()).collect();
    for result in &analysis.results {
        hashes.extend(result.xbis.iter().flat_map(in_xbi));
        hashes.extend(result.ignored.iter().flat_map(|ignored| in_xbi(&ignored.xbi)));
    }
    hashes.sort();
    hashes.dedup();
    hashes
}

fn subtitle(analysis: &Analysis) -> String {
    let others: Vec<String> = analysis
        .results
        .iter()
        .map(|result| format!("{} {}", result.browser, result.version))
        .collect();
    let how = match analysis.mode {
        Mode::Incremental => "",
        Mode::Full => ", every node at every checkpoint",
    };
    format!(
        "{} {} (reference) against {}{how}",
        analysis.reference.browser,
        analysis.reference.version,
        others.join(", ")
    )
}

fn first_few(volatile: &[Volatile]) -> String {
    let names: Vec<&str> = volatile.iter().take(5).map(|one| one.selector.as_str()).collect();
    let more = if volatile.len() > 5 { " …" } else { "" };
    format!("{}{more}", names.join(", "))
}

fn warnings(analysis: &Analysis) -> Vec<String> {
    let mut warnings: Vec<String> = Unfaithful::warning(&analysis.unfaithful).into_iter().collect();
    match &analysis.noise {
        Noise::NotMeasured { reason } => warnings.push(format!("The page's own noise was not measured: {reason}")),
        Noise::Measured { volatile } if !volatile.is_empty() => warnings.push(format!(
            "{} nodes differ between two replays of the reference and were not compared: {}",
            volatile.len(),
            first_few(volatile)
        )),
        Noise::Measured { .. } => {}
    }
    if !analysis.learnt.is_empty() {
        warnings.push(format!(
            "{} nodes are volatile by the learnt invariants and were not compared: {}",
            analysis.learnt.len(),
            first_few(&analysis.learnt)
        ));
    }
    for result in &analysis.results {
        let mut reasons: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for part in &result.unmeasured {
            *reasons.entry((&part.what, &part.reason)).or_default() += 1;
        }
        for ((what, reason), times) in reasons {
            warnings.push(format!(
                "{}: {what} could not be measured {times} ×: {reason}",
                result.browser
            ));
        }
    }
    warnings
}

fn browser(result: &BrowserResult) -> BrowserView {
    BrowserView {
        id: result.browser.clone(),
        name: format!("{} {}", result.browser, result.version),
        reason: match &result.outcome {
            Outcome::Compared => None,
            Outcome::NotMeasured { reason } => Some(reason.clone()),
        },
        events: result.events,
        checkpoints: result.checkpoints,
    }
}

fn browser_findings(result: &BrowserResult, shown: &dyn Fn(&Option<String>) -> Option<String>) -> Vec<FindingView> {
    let counted = result.xbis.iter().map(|xbi| finding(result, xbi, None, shown));
    let ignored = result
        .ignored
        .iter()
        .map(|one| finding(result, &one.xbi, Some(one.reason.clone()), shown));
    counted.chain(ignored).collect()
}

fn finding(
    result: &BrowserResult,
    xbi: &Xbi,
    ignored: Option<String>,
    shown: &dyn Fn(&Option<String>) -> Option<String>,
) -> FindingView {
    FindingView {
        key: format!("{}-{}", result.browser, xbi.id),
        id: xbi.id.clone(),
        browser: result.browser.clone(),
        kind: kind_name(xbi.kind),
        title: headline(xbi),
        confidence: xbi.confidence,
        ignored,
        event: xbi.event.number,
        event_label: xbi.event.label.clone(),
        selector: xbi.selector.clone(),
        xpath: xbi.xpath.clone(),
        element: xbi.element.clone(),
        cause: xbi.cause.as_ref().map(cause),
        differences: xbi.differences.iter().map(difference).collect(),
        places: xbi.occurrences.iter().map(|place| place_view(place, shown)).collect(),
    }
}

/// A title such as "is 42 px narrower" says nothing without its node; what behaved otherwise may be no node.
pub(crate) fn headline(xbi: &Xbi) -> String {
    let of_node = ["is ", "has ", "differs "]
        .iter()
        .any(|verb| xbi.title.starts_with(verb));
    if xbi.selector.is_empty() || (xbi.kind == Kind::Behaviour && !of_node) {
        return xbi.title.clone();
    }
    format!("{} {}", xbi.selector, xbi.title)
}

fn cause(cause: &Cause) -> CauseView {
    CauseView {
        title: cause.text.clone(),
        detail: cause_detail(&cause.because),
    }
}

pub(crate) fn cause_detail(because: &Because) -> String {
    match because {
        Because::Exception { error } => {
            // Of one that was caught, only its stack tells.
            let place = match error.source.as_str() {
                "" => String::new(),
                source => format!("{source}:{}:{}", error.line, error.column),
            };
            let lines = [error.message.as_str(), &place, &error.stack];
            lines
                .iter()
                .filter(|line| !line.is_empty())
                .copied()
                .collect::<Vec<_>>()
                .join("\n")
        }
        Because::Unsupported { dropped } | Because::OnlyHere { kept: dropped } => dropped
            .iter()
            .map(|one| format!("{}: {} {{ {} }}", one.sheet, one.selector, one.declaration))
            .collect::<Vec<_>>()
            .join("\n"),
        Because::ComputedStyle { selector, properties } => properties
            .iter()
            .map(|one| format!("{selector} {}: {} / {}", one.property, one.reference, one.other))
            .collect::<Vec<_>>()
            .join("\n"),
        Because::Diverged { expected, actual, .. } => format!("expected: {expected}\nactual: {actual}"),
        Because::NotLoaded { url } => url.clone(),
        // The cause's text says all.
        Because::Selected { .. } | Because::Hyphenated { .. } => String::new(),
    }
}

fn difference(difference: &Difference) -> DifferenceView {
    let what = match difference.selector.as_str() {
        "" => difference.property.clone(),
        selector => format!("{} of {selector}", difference.property),
    };
    DifferenceView {
        what,
        reference: difference.reference.clone(),
        other: difference.other.clone(),
    }
}

fn place_view(place: &Occurrence, shown: &dyn Fn(&Option<String>) -> Option<String>) -> PlaceView {
    let side = |side: &Side| {
        let image = shown(&side.screenshot_sha256);
        let missing = match (&side.screenshot_sha256, &image) {
            (None, _) => "No screenshot was taken here.",
            (Some(_), None) => "The screenshot is missing from the run or cannot be read.",
            (Some(_), Some(_)) => "",
        };
        SideView {
            image,
            missing,
            boxes: side.boxes.clone(),
        }
    };
    PlaceView {
        event: place.place.number,
        label: place.label.clone(),
        reference: side(&place.reference),
        other: side(&place.other),
    }
}
