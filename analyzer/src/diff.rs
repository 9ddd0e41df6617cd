//! Two analyses of the same trace, yesterday's and today's: what is new, what is gone, what stays.

use crate::findings::{Analysis, Outcome, Xbi};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diff {
    pub browsers: Vec<BrowserDiff>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BrowserDiff {
    pub browser: String,
    /// Version before and after; absent where the browser was not measured.
    pub before: Option<String>,
    pub after: Option<String>,
    /// Why nothing can be said about this browser. Never "no difference".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_compared: Option<String>,
    pub new: Vec<Xbi>,
    pub gone: Vec<Xbi>,
    pub persisting: Vec<Xbi>,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CannotDiff {
    #[error("the two are analyses of different traces ({before} and {after}); compare two runs of one trace")]
    OtherTrace { before: String, after: String },
}

/// By id. An XBI that is ignored on one side is not in that side's count.
pub fn diff(before: &Analysis, after: &Analysis) -> Result<Diff, CannotDiff> {
    if before.trace_sha256 != after.trace_sha256 {
        return Err(CannotDiff::OtherTrace {
            before: before.trace.clone(),
            after: after.trace.clone(),
        });
    }
    let mut names: Vec<&str> = Vec::new();
    for result in before.results.iter().chain(&after.results) {
        if !names.contains(&result.browser.as_str()) {
            names.push(&result.browser);
        }
    }
    let browsers = names.into_iter().map(|name| browser(name, before, after)).collect();
    Ok(Diff { browsers })
}

fn browser(name: &str, before: &Analysis, after: &Analysis) -> BrowserDiff {
    let find = |analysis: &Analysis| analysis.results.iter().find(|result| result.browser == name).cloned();
    let (old, new) = (find(before), find(after));
    let reason = |when: &str, result: &Option<crate::findings::BrowserResult>| match result {
        None => Some(format!("{name} was not part of the analysis {when}")),
        Some(result) => match &result.outcome {
            Outcome::NotMeasured { reason } => Some(format!("not measured {when}: {reason}")),
            Outcome::Compared => None,
        },
    };
    let not_compared = reason("before", &old).or_else(|| reason("after", &new));
    let version =
        |result: &Option<crate::findings::BrowserResult>| result.as_ref().map(|result| result.version.clone());
    let mut diff = BrowserDiff {
        browser: name.to_owned(),
        before: version(&old),
        after: version(&new),
        not_compared,
        new: Vec::new(),
        gone: Vec::new(),
        persisting: Vec::new(),
    };
    let (Some(old), Some(new), None) = (old, new, &diff.not_compared) else {
        return diff;
    };
    let mut known: BTreeMap<String, Xbi> = old.xbis.into_iter().map(|xbi| (xbi.id.clone(), xbi)).collect();
    for xbi in new.xbis {
        match known.remove(&xbi.id) {
            Some(_) => diff.persisting.push(xbi),
            None => diff.new.push(xbi),
        }
    }
    diff.gone = known.into_values().collect();
    diff.gone
        .sort_by(|a, b| (&a.event, a.kind, &a.id).cmp(&(&b.event, b.kind, &b.id)));
    diff
}
