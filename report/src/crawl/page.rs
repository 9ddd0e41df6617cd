//! The check of a crawl as one page: the state graph with what differs in it, the findings of all traces, each once, and
//! where each trace's own report is.

use super::{CheckedCrawl, CheckedTrace, Navigation, Transition};
use crate::html::escape;
use crate::view::headline;
use crate::{counted, kind_name};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use xcheck_analyzer::findings::{Outcome, Xbi};

const STYLE: &str = include_str!("../../assets/invariants.css");

/// `graph`: the drawing of the models, with its style and script. `report`: the address of a trace's own report.
pub fn page(check: &CheckedCrawl, graph: &str, report: &dyn Fn(&CheckedTrace) -> String) -> String {
    let title = escape(&format!("Check of {}", check.crawl));
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\
         <meta http-equiv=content-security-policy content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\
         <title>{title}</title><style>{STYLE}</style><main><h1>{title}</h1>{}<h2>Navigation</h2>{}{graph}<h2>Findings</h2>{}\
         <h2>Traces</h2>{}</main></html>\n",
        verdict(check),
        transitions(&check.browsers),
        findings(check, report),
        traces(check, report)
    )
}

fn verdict(check: &CheckedCrawl) -> String {
    let against = check.reference().map_or(String::new(), |reference| {
        format!(
            "<p>{} traces, {} {} (reference).</p>",
            check.traces.len(),
            escape(&reference.browser),
            escape(&reference.version)
        )
    });
    let mut text = against + "<ul>";
    for (subject, (browser, different)) in check.compared().iter().zip(check.different()) {
        let transitions = check
            .navigation_of(&browser)
            .map_or(0, |navigation| navigation.parted().0.len());
        let class = if transitions + different == 0 { "good" } else { "bad" };
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "<li>{} {}: <b class={class}>{} differ, {}</b>",
            escape(&browser),
            escape(&subject.version),
            counted(transitions, "transition"),
            counted(different, "finding")
        );
    }
    text += "</ul>";
    let not_measured = check.browsers.iter().flat_map(|navigation| &navigation.not_measured);
    for reason in not_measured {
        let _ = write!(text, "<p class=warning>Not measured: {}</p>", escape(reason));
    }
    text
}

/// Each once, with the browsers in which it differs.
fn transitions(browsers: &[Navigation]) -> String {
    let mut known: Vec<(&Transition, Vec<&str>)> = Vec::new();
    for navigation in browsers {
        for difference in &navigation.differences {
            let same = |(known, _): &(&Transition, Vec<&str>)| *known == difference;
            match known.iter().position(same) {
                Some(at) => known[at].1.push(&navigation.browser),
                None => known.push((difference, vec![&navigation.browser])),
            }
        }
    }
    let rows = known.iter().map(|(difference, browsers)| {
        let follows = difference.follows.iter();
        let follows = follows.map(|follows| format!("<br>{}", escape(follows)));
        let ignored = difference.ignored.iter();
        let ignored = ignored.map(|reason| format!("<br><span class=quiet>ignored: {}</span>", escape(reason)));
        format!(
            "<tr><td>{}<td>{}{} <code class=quiet>{}</code>{}",
            escape(&browsers.join(", ")),
            escape(&difference.title),
            follows.collect::<String>(),
            difference.id,
            ignored.collect::<String>()
        )
    });
    match known.is_empty() {
        true => "<p class=good>The same transitions in all browsers that were compared.</p>".to_owned(),
        false => format!("<table><tr><th>In<th>What differs{}</table>", rows.collect::<String>()),
    }
}

/// Each once, with the traces it was found in.
fn findings(check: &CheckedCrawl, report: &dyn Fn(&CheckedTrace) -> String) -> String {
    let mut known: BTreeMap<(&str, &str), (&Xbi, Vec<String>)> = BTreeMap::new();
    let mut order = Vec::new();
    for (trace, result) in check.results() {
        for xbi in &result.xbis {
            let key = (result.browser.as_str(), xbi.id.as_str());
            let entry = known.entry(key).or_insert_with(|| {
                order.push(key);
                (xbi, Vec::new())
            });
            entry.1.push(linked(&trace.run, &report(trace)));
        }
    }
    if order.is_empty() {
        return "<p class=good>None in what was compared.</p>".to_owned();
    }
    let mut text = "<table><tr><th>Browser<th>Finding<th>Kind<th>Traces".to_owned();
    for key in order {
        let (xbi, traces) = &known[&key];
        let cause = xbi.cause.as_ref().map_or(String::new(), |cause| {
            format!("<br><span class=quiet>likely cause: {}</span>", escape(&cause.text))
        });
        let _ = write!(
            text,
            "<tr><td>{}<td>{}{cause}<td>{}<td>{}",
            escape(key.0),
            escape(&headline(xbi)),
            kind_name(xbi.kind),
            traces.join(" ")
        );
    }
    text + "</table>"
}

fn traces(check: &CheckedCrawl, report: &dyn Fn(&CheckedTrace) -> String) -> String {
    let mut text = "<table><tr><th>Trace<th>What was found".to_owned();
    for trace in &check.traces {
        let results = trace.analysis.results.iter().map(|result| match &result.outcome {
            Outcome::Compared => {
                let parts = match result.unmeasured.len() {
                    0 => String::new(),
                    parts => format!(", {} not measured", counted(parts, "part")),
                };
                format!("{}: {}{parts}", result.browser, counted(result.xbis.len(), "finding"))
            }
            Outcome::NotMeasured { reason } => format!("{}: not measured: {reason}", result.browser),
        });
        let _ = write!(
            text,
            "<tr><td>{}<td>{}",
            linked(&trace.trace, &report(trace)),
            escape(&results.collect::<Vec<_>>().join("; "))
        );
    }
    text + "</table>"
}

fn linked(text: &str, to: &str) -> String {
    format!("<a href=\"{}\">{}</a>", escape(to), escape(text))
}
