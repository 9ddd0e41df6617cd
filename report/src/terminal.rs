//! The summary a person reads where they ran the command. Plain text; whoever prints it may colour the kinds.

use crate::view::headline;
use crate::{counted, kind_name};
use std::fmt::Write as _;
use xcheck_analyzer::findings::{Analysis, BrowserResult, Noise, Outcome, Unfaithful};

/// At most this many findings of a browser are listed; the report has them all.
const LISTED: usize = 20;

pub fn summary(analysis: &Analysis) -> String {
    let mut text = format!(
        "reference: {} {}\n",
        analysis.reference.browser, analysis.reference.version
    );
    // Writing to a string cannot fail, here and below.
    if let Noise::NotMeasured { reason } = &analysis.noise {
        let _ = writeln!(text, "warning: the page's own noise was not measured: {reason}");
    }
    if let Some(warning) = Unfaithful::warning(&analysis.unfaithful) {
        let _ = writeln!(text, "warning: {warning}");
    }
    for result in &analysis.results {
        text += &browser(result);
    }
    text
}

fn browser(result: &BrowserResult) -> String {
    let name = format!("{} {}", result.browser, result.version);
    if let Outcome::NotMeasured { reason } = &result.outcome {
        return format!("{name}: not measured: {reason}\n");
    }
    let mut text = format!(
        "{name}: {} over {} checkpoints of {} events",
        match result.xbis.len() {
            0 => "no incompatibility".to_owned(),
            1 => "1 incompatibility".to_owned(),
            many => format!("{many} incompatibilities"),
        },
        result.checkpoints,
        result.events
    );
    if !result.ignored.is_empty() {
        let _ = write!(text, ", {} ignored", result.ignored.len());
    }
    if !result.unmeasured.is_empty() {
        let _ = write!(text, ", {} not measured", counted(result.unmeasured.len(), "part"));
    }
    text.push('\n');
    for xbi in result.xbis.iter().take(LISTED) {
        let _ = writeln!(
            text,
            "  {:<10} {}  [{}] after {}",
            kind_name(xbi.kind),
            headline(xbi),
            xbi.id,
            xbi.event.label
        );
        if let Some(cause) = &xbi.cause {
            let _ = writeln!(text, "             cause: {}", cause.text);
        }
    }
    if result.xbis.len() > LISTED {
        let _ = writeln!(text, "  … and {} more in the report", result.xbis.len() - LISTED);
    }
    for part in result.unmeasured.iter().take(3) {
        let _ = writeln!(
            text,
            "  not measured: {} after event {}: {}",
            part.what, part.place.number, part.reason
        );
    }
    text
}
