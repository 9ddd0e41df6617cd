//! The figures that evaluations are held against bars and against each other by, and the file they are kept in.

use crate::machine::Machine;
use crate::store::Piece;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Of `evaluation.json`.
pub(crate) const FORMAT: u32 = 1;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Evaluation {
    pub(crate) format: u32,
    pub(crate) machine: Machine,
    /// In the order of the document.
    pub(crate) figures: Vec<Figure>,
    /// What they were made of, by key, with the conditions of each.
    pub(crate) pieces: BTreeMap<String, Piece<Value>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figure {
    /// The same in every evaluation: `recording ratio, median`.
    pub(crate) name: String,
    /// Absent when nothing was measured.
    pub(crate) value: Option<f64>,
    #[serde(default)]
    pub(crate) bar: Option<Bar>,
    pub(crate) better: Better,
    /// Of how many parts that should be in it, how many are.
    pub(crate) measured: usize,
    pub(crate) of: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Bar {
    AtMost(f64),
    AtLeast(f64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Better {
    Less,
    More,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    Holds,
    FallsShort,
    NotMeasured,
}

impl Figure {
    pub(crate) fn at_most(name: impl Into<String>, value: Option<f64>, bar: f64, measured: usize, of: usize) -> Figure {
        Figure {
            name: name.into(),
            value,
            bar: Some(Bar::AtMost(bar)),
            better: Better::Less,
            measured,
            of,
        }
    }

    pub(crate) fn at_least(
        name: impl Into<String>,
        value: Option<f64>,
        bar: f64,
        measured: usize,
        of: usize,
    ) -> Figure {
        Figure {
            bar: Some(Bar::AtLeast(bar)),
            better: Better::More,
            ..Figure::at_most(name, value, bar, measured, of)
        }
    }

    /// For comparison only: nobody promised anything.
    pub(crate) fn without_bar(self) -> Figure {
        Figure { bar: None, ..self }
    }

    /// A bar is met by what was measured; what was not is another matter, and said beside it.
    pub(crate) fn standing(&self) -> Standing {
        match (self.value, self.bar) {
            (None, _) => Standing::NotMeasured,
            (Some(value), Some(Bar::AtMost(bar))) if value > bar => Standing::FallsShort,
            (Some(value), Some(Bar::AtLeast(bar))) if value < bar => Standing::FallsShort,
            _ => Standing::Holds,
        }
    }

    pub(crate) fn shown(&self) -> String {
        self.value.map_or("not measured".into(), number)
    }

    pub(crate) fn bar_shown(&self) -> String {
        match self.bar {
            Some(Bar::AtMost(bar)) => format!("≤ {}", number(bar)),
            Some(Bar::AtLeast(bar)) => format!("≥ {}", number(bar)),
            None => "–".into(),
        }
    }
}

/// Three digits that count, and no more.
pub(crate) fn number(value: f64) -> String {
    let text = match value.abs() {
        size if size >= 100.0 || size.fract() == 0.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    };
    // A share just short of everything must not read like everything.
    if text == "1.000" && value < 1.0 {
        "0.999".into()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_stands_to_its_bar_by_what_was_measured() {
        let standing = |figure: Figure| figure.standing();
        assert_eq!(
            standing(Figure::at_most("ratio", Some(1.05), 1.05, 1, 1)),
            Standing::Holds
        );
        assert_eq!(
            standing(Figure::at_most("ratio", Some(1.06), 1.05, 1, 1)),
            Standing::FallsShort
        );
        assert_eq!(
            standing(Figure::at_least("recall", Some(0.96), 0.97, 1, 1)),
            Standing::FallsShort
        );
        assert_eq!(
            standing(Figure::at_least("recall", None, 0.97, 0, 1)),
            Standing::NotMeasured
        );
        let free = Figure::at_most("ratio", Some(9.0), 1.0, 1, 1).without_bar();
        assert_eq!(standing(free), Standing::Holds);
    }

    #[test]
    fn numbers_are_rounded_but_never_up_to_all() {
        let check = |value: f64, shown: &str| assert_eq!(number(value), shown);
        check(1.0, "1");
        check(1.047_4, "1.05");
        check(0.999_9, "0.999");
        check(0.470_3, "0.470");
        check(12_345.6, "12346");
        check(23.44, "23.4");
    }
}
