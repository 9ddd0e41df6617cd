//! Where a figure falls short: generated from the figures, with the reasons that people found, kept in a data file.

use super::{failures, line};
use crate::figures::{Figure, Standing};
use crate::store::Piece;
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) fn section(figures: &[Figure], pieces: &BTreeMap<String, Piece<Value>>) -> Result<String> {
    // By the figure's name: why, with the smallest page that shows it.
    let path = xcheck_tests::workspace().join("eval/reasons.toml");
    let written = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let reasons: BTreeMap<String, String> = toml::from_str(&written).context("reasons.toml")?;
    let mut text = String::from("## Where it falls short\n\n");
    let short: Vec<&Figure> = figures
        .iter()
        .filter(|figure| figure.standing() == Standing::FallsShort)
        .collect();
    if short.is_empty() {
        line(&mut text, "No figure that was measured is below its bar.\n");
    }
    for figure in short {
        let why = reasons
            .get(&figure.name)
            .map_or("Nobody has looked into it yet.", String::as_str);
        line(
            &mut text,
            &format!(
                "- **{}**: {} (bar {}). {}",
                figure.name,
                figure.shown(),
                figure.bar_shown(),
                why.trim()
            ),
        );
    }
    let partly: Vec<&Figure> = figures.iter().filter(|figure| figure.measured < figure.of).collect();
    if !partly.is_empty() {
        line(
            &mut text,
            "\nNot everything that belongs to these figures was measured:\n",
        );
        for figure in partly {
            line(
                &mut text,
                &format!("- {}: {} of {} parts", figure.name, figure.measured, figure.of),
            );
        }
    }
    let mut failed = failures(pieces).peekable();
    if failed.peek().is_some() {
        line(&mut text, "\nParts that were tried and could not be measured:\n");
        for (key, reason) in failed {
            line(
                &mut text,
                &format!("- `{key}`: {}", reason.lines().next().unwrap_or_default()),
            );
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_below_its_bar_is_named_even_without_a_reason() {
        let figures = [
            Figure::at_most("nobody knows", Some(2.0), 1.0, 1, 3),
            Figure::at_most("all is well", Some(0.5), 1.0, 1, 1),
        ];
        let text = section(&figures, &BTreeMap::new()).unwrap();
        assert!(
            text.contains("**nobody knows**: 2 (bar ≤ 1). Nobody has looked into it yet."),
            "{text}"
        );
        assert!(text.contains("nobody knows: 1 of 3 parts"), "{text}");
        assert!(!text.contains("all is well"), "{text}");
    }
}
