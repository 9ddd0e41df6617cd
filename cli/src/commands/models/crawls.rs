//! Two crawls of the live application, each in its own browser.

use crate::commands::Format;
use crate::exit::{Exit, Failure, OrUsage};
use crate::terminal::{self, count};
use anyhow::{Context, anyhow};
use std::io::Write;
use std::path::Path;
use xcheck_crawler::{Difference, FORMAT, Model, compare};

pub(super) fn run(reference: &Path, other: &Path, format: Format) -> Result<Exit, Failure> {
    let reference = read(reference).or_usage()?;
    let other = read(other).or_usage()?;
    let differences = compare(&reference, &other);
    let mut out = terminal::stdout();
    if format == Format::Json {
        serde_json::to_writer_pretty(&mut out, &differences)?;
        writeln!(out)?;
    } else {
        out.write_all(text(&reference, &other, &differences).as_bytes())?;
    }
    out.flush()?;
    Ok(if differences.is_empty() {
        Exit::Clean
    } else {
        Exit::Found
    })
}

/// A line for each difference, and how many there are.
pub(in crate::commands) fn text(reference: &Model, other: &Model, differences: &[Difference]) -> String {
    let mut text: String = differences
        .iter()
        .map(|difference| terminal::printable(&said(difference, reference, other)) + "\n")
        .collect();
    let counted = match differences.len() as u64 {
        0 => "no difference".to_owned(),
        of => count(of, "difference"),
    };
    text.push_str(&format!(
        "{counted} between {} ({}) and {} ({}).\n",
        terminal::printable(&reference.browser),
        count(reference.states.len() as u64, "state"),
        terminal::printable(&other.browser),
        count(other.states.len() as u64, "state")
    ));
    text
}

pub(in crate::commands) fn said(difference: &Difference, reference: &Model, other: &Model) -> String {
    let at = |model: &Model, state: usize| match model.states.get(state) {
        Some(known) => format!("state {state} ({})", known.url),
        None => format!("state {state}"),
    };
    match difference {
        Difference::MissingTransition { from, label, to } => format!(
            "missing transition: {label}, from {} to {}, does nothing in the other",
            at(reference, *from),
            at(reference, *to)
        ),
        Difference::ExtraTransition { from, label, to } => {
            format!(
                "extra transition: {label}, from {} to {}",
                at(other, *from),
                at(other, *to)
            )
        }
        Difference::OtherState {
            from,
            label,
            to,
            other_to,
        } => format!(
            "another state: {label}, from {}, leads to {} here and to {} there",
            at(reference, *from),
            at(reference, *to),
            at(other, *other_to)
        ),
        Difference::MissingState { state, .. } => format!("missing state: {}", at(reference, *state)),
        Difference::ExtraState { state, .. } => format!("extra state: {}", at(other, *state)),
    }
}

fn read(path: &Path) -> anyhow::Result<Model> {
    let file = match path.is_dir() {
        true => path.join("model.json"),
        false => path.to_owned(),
    };
    let text = std::fs::read_to_string(&file).with_context(|| format!("{} cannot be read", file.display()))?;
    let model: Model =
        serde_json::from_str(&text).with_context(|| format!("{} is no navigation model", file.display()))?;
    let major = |format: &str| format.split('.').next().map(str::to_owned);
    if major(&model.format) != major(FORMAT) {
        return Err(anyhow!(
            "{} has format {}, and this is xcheck for {FORMAT}",
            file.display(),
            model.format
        ));
    }
    if let Some(edge) = model
        .edges
        .iter()
        .find(|edge| edge.from.max(edge.to.unwrap_or(0)) >= model.states.len())
    {
        return Err(anyhow!(
            "{}: an edge from state {} leads to no state",
            file.display(),
            edge.from
        ));
    }
    Ok(model)
}
