//! Findings for people and for machines: one self-contained HTML file, JSON, JUnit, SARIF, and lines for a terminal.
//!
//! Nothing is decided here. What an analysis could not measure is carried into every format, so that no reader can
//! take "not measured" for "no difference".

pub mod crawl;
pub mod html;
pub mod invariants;
pub mod json;
pub mod junit;
pub mod sarif;
pub mod terminal;
mod view;

pub use view::Step;

use xcheck_analyzer::findings::{Analysis, BrowserResult, Kind, Outcome};

/// How many findings count, and whether everything was measured: what an exit code needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    pub xbis: usize,
    /// Browsers that could not be compared at all, and parts of the others.
    pub not_measured: usize,
}

pub fn verdict(analysis: &Analysis) -> Verdict {
    let unmeasured = |result: &BrowserResult| match result.outcome {
        Outcome::Compared => result.unmeasured.len(),
        Outcome::NotMeasured { .. } => 1,
    };
    Verdict {
        xbis: analysis.results.iter().map(|result| result.xbis.len()).sum(),
        not_measured: analysis.results.iter().map(unmeasured).sum(),
    }
}

/// `1 finding`, `2 findings`.
pub(crate) fn counted(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

/// The word for a kind that people read, the same in every format.
pub(crate) fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Behaviour => "behaviour",
        Kind::Structure => "structure",
        Kind::Text => "text",
        Kind::Visual => "visual",
    }
}
