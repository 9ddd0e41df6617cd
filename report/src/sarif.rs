//! SARIF 2.1.0: findings as code scanners report them, so that a forge shows them beside the change.
//!
//! An XBI has no line of source in the repository; its location is the page's URL with the node as a logical location.
//! The stable id is the partial fingerprint, which is what lets a forge tell old from new.

use crate::kind_name;
use crate::view::headline;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{self, Write};
use xcheck_analyzer::findings::{Analysis, BrowserResult, Kind, Outcome, Subject, Xbi};

pub fn write(analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
    let runs = analysis.results.iter().map(|result| {
        let subject = Subject {
            browser: result.browser.clone(),
            version: result.version.clone(),
        };
        let measured = result.outcome == Outcome::Compared;
        let found = findings(result, &mut BTreeSet::new());
        run(&subject, &analysis.reference, "", measured, &notes(result), found)
    });
    document(runs.collect(), out)
}

pub(crate) fn document(runs: Vec<Value>, out: &mut dyn Write) -> io::Result<()> {
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": runs,
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    out.write_all(b"\n")
}

/// `within`: what its name begins with, where there is more than a trace.
pub(crate) fn run(
    subject: &Subject,
    reference: &Subject,
    within: &str,
    measured: bool,
    notes: &[String],
    results: Vec<Value>,
) -> Value {
    let rules = [Kind::Behaviour, Kind::Structure, Kind::Text, Kind::Visual].map(rule);
    json!({
        "tool": {"driver": {
            "name": "xcheck",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        }},
        "automationDetails": {"id": format!(
            "xcheck/{within}{} {} against {} {}",
            subject.browser, subject.version, reference.browser, reference.version
        )},
        "invocations": [{
            "executionSuccessful": measured,
            "toolExecutionNotifications": notes.iter().map(|text| note(text)).collect::<Vec<_>>(),
        }],
        "results": results,
    })
}

/// What was not measured, in words.
pub(crate) fn notes(result: &BrowserResult) -> Vec<String> {
    let parts = result.unmeasured.iter();
    let parts = parts.map(|part| format!("{} after event {}: {}", part.what, part.place.number, part.reason));
    let whole = match &result.outcome {
        Outcome::Compared => None,
        Outcome::NotMeasured { reason } => Some(format!("not measured: {reason}")),
    };
    parts.chain(whole).collect()
}

/// Those that are not `known` yet, by their ids.
pub(crate) fn findings<'a>(result: &'a BrowserResult, known: &mut BTreeSet<&'a str>) -> Vec<Value> {
    let counted = result.xbis.iter().map(|xbi| (xbi, None));
    let ignored = result.ignored.iter().map(|one| (&one.xbi, Some(one.reason.as_str())));
    let new = counted.chain(ignored).filter(|(xbi, _)| known.insert(&xbi.id));
    new.map(|(xbi, ignored)| finding(xbi, ignored)).collect()
}

fn rule(kind: Kind) -> Value {
    let text = match kind {
        Kind::Behaviour => "The page behaves differently: an event, request, navigation or exception differs.",
        Kind::Structure => "An element is missing, moved, resized, reordered or wrapped differently.",
        Kind::Text => "An element shows another text.",
        Kind::Visual => "An element looks different where its place and text are the same.",
    };
    json!({"id": kind_name(kind), "shortDescription": {"text": text}})
}

fn note(text: &str) -> Value {
    json!({"level": "error", "message": {"text": text}})
}

fn finding(xbi: &Xbi, ignored: Option<&str>) -> Value {
    let mut message = format!("{} (after {})", headline(xbi), xbi.event.label);
    if let Some(cause) = &xbi.cause {
        message += &format!(". Likely cause: {}", cause.text);
    }
    let url = xbi.occurrences.first().map_or("", |place| place.other.url.as_str());
    let mut finding = json!({
        "ruleId": kind_name(xbi.kind),
        "level": if ignored.is_some() { "note" } else { "warning" },
        "rank": (xbi.confidence * 100.0).round(),
        "message": {"text": message},
        "partialFingerprints": {"xbi/v1": xbi.id},
        "locations": [{
            "physicalLocation": {"artifactLocation": {"uri": url}},
            "logicalLocations": [{"fullyQualifiedName": xbi.selector, "kind": "element"}],
        }],
    });
    if let Some(reason) = ignored {
        finding["suppressions"] = json!([{"kind": "external", "justification": reason}]);
    }
    finding
}
