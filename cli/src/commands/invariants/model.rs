//! What was learnt, as a file. It names the trace it was learnt from: a model of another session would deviate
//! everywhere and mean nothing.

use crate::exit::{Failure, OrUsage};
use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};
use std::path::Path;
use xcheck_invariants::dodom::Invariant;
use xcheck_invariants::{Deviates, Deviation, Lesson, Model, Tree};
use xcheck_trace::Trace;
use xcheck_trace::manifest::{BrowserInfo, Format};
use xcheck_trace::page::PageData;
use xcheck_trace::run::Place;

pub(crate) const FORMAT: Format = Format { major: 1, minor: 0 };

/// Of DoDOM's match threshold, the value that the paper has its results for.
pub(crate) const THRESHOLD: f64 = 0.95;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Algorithm {
    /// Children aligned by what they are, lists as templates, values by their shape
    #[default]
    Default,
    /// As it was published with DoDOM: the tree of the first run, pruned by the others
    Dodom,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ModelFile {
    pub(crate) format: Format,
    /// What this is a file of; there are others with a `format`.
    pub(crate) is: IsModel,
    pub(crate) trace: String,
    pub(crate) trace_sha256: String,
    pub(crate) live: bool,
    pub(crate) browser: BrowserInfo,
    pub(crate) algorithm: Algorithm,
    /// In the order in which they ended.
    pub(crate) runs: Vec<Run>,
    /// So many had been learnt from when two in a row taught nothing.
    pub(crate) converged_after: Option<u32>,
    /// After each run that was learnt from.
    pub(crate) curve: Vec<Lesson>,
    pub(crate) learnt: Learnt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum IsModel {
    #[serde(rename = "xcheck invariants")]
    Invariants,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) took_ms: u64,
    /// Why nothing was learnt from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) left_out: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Learnt {
    Default(Model),
    Dodom { threshold: f64, events: Vec<Pruned> },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pruned {
    pub(crate) place: Place,
    pub(crate) label: String,
    pub(crate) page: Invariant,
}

impl Learnt {
    /// Where the page after this event does not keep what was learnt; nothing where nothing was learnt of the event.
    pub(crate) fn deviations(&self, event: u32, page: &PageData) -> Option<Vec<Deviation>> {
        let tree = Tree::of(page);
        match self {
            Learnt::Default(model) => {
                let known = model.events.iter().find(|known| known.place.number == event)?;
                Some(known.page.deviations(&tree))
            }
            Learnt::Dodom { threshold, events } => {
                let known = events.iter().find(|known| known.place.number == event)?;
                let found = known.page.mismatches(&tree, *threshold);
                Some(found.into_iter().map(of_dodom).collect())
            }
        }
    }

    pub(crate) fn events(&self) -> Vec<(Place, &str)> {
        match self {
            Learnt::Default(model) => model
                .events
                .iter()
                .map(|known| (known.place, known.label.as_str()))
                .collect(),
            Learnt::Dodom { events, .. } => events.iter().map(|known| (known.place, known.label.as_str())).collect(),
        }
    }
}

/// The published algorithm says where, and of what kind, and no more.
fn of_dodom(found: xcheck_invariants::dodom::Mismatch) -> Deviation {
    use xcheck_invariants::dodom::Why;
    let (kind, expected, actual) = match found.why {
        Why::Contents => (
            Deviates::Field("contents".to_owned()),
            "as learnt",
            "too many fields differ",
        ),
        Why::FewerChildren => (Deviates::Count, "as many children as learnt", "fewer"),
        Why::Missing => (Deviates::Missing, "there", ""),
    };
    Deviation {
        kind,
        path: found.path,
        expected: expected.to_owned(),
        actual: actual.to_owned(),
        node: None,
    }
}

impl ModelFile {
    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        let text = serde_json::to_vec(self)?;
        std::fs::write(path, text).with_context(|| {
            format!(
                "the model could not be written to {} (--out names another)",
                path.display()
            )
        })?;
        Ok(())
    }

    /// Refuses what is no model, is newer than this build, or was learnt from another trace.
    pub(crate) fn read(path: &Path, trace_sha256: &str) -> Result<ModelFile, Failure> {
        let text = std::fs::read(path)
            .with_context(|| {
                format!(
                    "{} could not be read; `xcheck invariants learn` writes it",
                    path.display()
                )
            })
            .or_usage()?;
        let head: Head = serde_json::from_slice(&text)
            .with_context(|| format!("{} is no model of xcheck's invariants", path.display()))
            .or_usage()?;
        if head.format.major > FORMAT.major {
            let error = anyhow!(
                "{} has format {}; this build reads up to {FORMAT}",
                path.display(),
                head.format
            );
            return Err(Failure::usage(error));
        }
        if head.trace_sha256 != trace_sha256 {
            let error = anyhow!(
                "{} was learnt from another trace ({}): learn from this one, or name the other",
                path.display(),
                head.trace
            );
            return Err(Failure::usage(error));
        }
        serde_json::from_slice(&text)
            .with_context(|| format!("{} is damaged", path.display()))
            .or_usage()
    }
}

#[derive(Deserialize)]
struct Head {
    format: Format,
    #[serde(rename = "is")]
    _is: IsModel,
    trace: String,
    trace_sha256: String,
}

pub(crate) fn identity(trace: &Trace) -> String {
    trace.identity().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcheck_trace::manifest::Engine;

    fn model() -> ModelFile {
        ModelFile {
            format: FORMAT,
            is: IsModel::Invariants,
            trace: "shop.trace".into(),
            trace_sha256: "abc".into(),
            live: false,
            browser: BrowserInfo {
                name: "chromium".into(),
                engine: Engine::Blink,
                version: "1".into(),
                user_agent: String::new(),
            },
            algorithm: Algorithm::Default,
            runs: vec![],
            converged_after: None,
            curve: vec![],
            learnt: Learnt::Default(Model::default()),
        }
    }

    #[track_caller]
    fn check(text: String, says: Option<&str>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.json");
        std::fs::write(&path, text).unwrap();
        match (ModelFile::read(&path, "abc"), says) {
            (Ok(read), None) => assert_eq!(read, model()),
            (Err(failure), Some(says)) => {
                assert!(format!("{:#}", failure.error).contains(says), "{:#}", failure.error);
                assert_eq!(failure.exit, crate::exit::Exit::Usage);
            }
            (read, _) => panic!("{read:?}"),
        }
    }

    #[test]
    fn a_model_is_read_as_it_was_written_and_refused_where_it_does_not_fit() {
        let text = serde_json::to_string(&model()).unwrap();
        check(text.clone(), None);
        check(text.replace("\"1.0\"", "\"2.0\""), Some("this build reads up to 1.0"));
        check(
            text.replace("\"abc\"", "\"def\""),
            Some("learnt from another trace (shop.trace)"),
        );
        check("{\"format\": \"1.0\"}".into(), Some("is no model"));
        check(text.replace("\"runs\":[]", "\"runs\":7"), Some("is damaged"));
    }
}
