//! SARIF 2.1.0: findings as code scanners report them, so that a forge shows them beside the change.
//!
//! An XBI has no line of source in the repository; its location is the page's URL with the node as a logical location.
//! The stable id is the partial fingerprint, which is what lets a forge tell old from new.

use crate::kind_name;
use crate::view::headline;
use serde_json::{Value, json};
use std::io::{self, Write};
use xcheck_analyzer::findings::{Analysis, BrowserResult, Kind, Outcome, Xbi};

pub fn write(analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
    let runs: Vec<Value> = analysis.results.iter().map(|result| run(analysis, result)).collect();
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": runs,
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    out.write_all(b"\n")
}

fn run(analysis: &Analysis, result: &BrowserResult) -> Value {
    let counted = result.xbis.iter().map(|xbi| finding(xbi, None));
    let ignored = result.ignored.iter().map(|one| finding(&one.xbi, Some(&one.reason)));
    let mut notifications: Vec<Value> = result
        .unmeasured
        .iter()
        .map(|part| {
            note(&format!(
                "{} after event {}: {}",
                part.what, part.place.number, part.reason
            ))
        })
        .collect();
    let measured = match &result.outcome {
        Outcome::Compared => true,
        Outcome::NotMeasured { reason } => {
            notifications.push(note(&format!("not measured: {reason}")));
            false
        }
    };
    let rules = [Kind::Behaviour, Kind::Structure, Kind::Text, Kind::Visual].map(rule);
    json!({
        "tool": {"driver": {
            "name": "xcheck",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        }},
        "automationDetails": {"id": format!(
            "xcheck/{} {} against {} {}",
            result.browser, result.version, analysis.reference.browser, analysis.reference.version
        )},
        "invocations": [{"executionSuccessful": measured, "toolExecutionNotifications": notifications}],
        "results": counted.chain(ignored).collect::<Vec<_>>(),
    })
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
