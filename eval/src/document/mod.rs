//! `docs/evaluation.md`, its plots, and the same as JSON: made from what was measured, all of it each time.

mod accuracy;
mod conditions;
mod contest;
mod cost;
mod incremental;
mod law;
mod plot;
mod shortcomings;

use crate::figures::{Evaluation, FORMAT, Figure, Standing};
use crate::machine::machine;
use crate::store::{Outcome, Piece, Store};
use anyhow::{Context, Result};
use plot::Plot;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// What one question has to say.
pub(crate) struct Section {
    text: String,
    figures: Vec<Figure>,
    plots: Vec<Plot>,
}

pub(crate) fn write(store: &Store, docs: &Path) -> Result<()> {
    let sections = [
        cost::section(store)?,
        contest::section(store)?,
        incremental::section(store)?,
        accuracy::section(store)?,
        law::section(store)?,
    ];
    let pieces: BTreeMap<String, Piece<Value>> = store.all("")?;
    let mut figures: Vec<Figure> = sections.iter().flat_map(|section| section.figures.clone()).collect();
    figures.push(conditions::figure(&pieces, crate::work::everything()?));
    let machine = machine();
    let mut text = String::from(HEAD);
    text += &conditions::section(&machine, &pieces);
    text += &overview(&figures);
    for section in &sections {
        text += &section.text;
    }
    text += &shortcomings::section(&figures, &pieces)?;
    keep(&docs.join("evaluation.md"), &text)?;
    for plot in sections.iter().flat_map(|section| &section.plots) {
        keep(&docs.join("evaluation").join(plot.file), &plot.svg)?;
    }
    let evaluation = Evaluation {
        format: FORMAT,
        machine,
        figures,
        pieces,
    };
    keep(&docs.join("evaluation.json"), &json(&evaluation)?)?;
    println!("{}", docs.join("evaluation.md").display());
    Ok(())
}

const HEAD: &str = "\
# Evaluation

The questions of the X-Check paper (§V), asked again of real applications in today's engines. `cargo run --release -p eval`
makes this page, its plots and `evaluation.json`, and goes on where it was stopped; `--only-write` makes them again from what
was measured, `--compare A.json B.json` holds two evaluations against each other. The applications come from their
registries by name and hash, each with a session of real input (`tests/src/sessions`); nothing here is counted that was
not measured, and what could not be is named.

";

fn overview(figures: &[Figure]) -> String {
    let mut text =
        String::from("## Figures and bars\n\n| figure | measured | bar | | parts |\n|---|---|---|---|---|\n");
    for figure in figures {
        let standing = match (figure.standing(), figure.bar) {
            (Standing::NotMeasured, _) => "not measured",
            (Standing::FallsShort, _) => "**falls short**",
            (Standing::Holds, Some(_)) if figure.measured < figure.of => "holds, of what was measured",
            (Standing::Holds, Some(_)) => "holds",
            (Standing::Holds, None) => "",
        };
        let _infallible = writeln!(
            text,
            "| {} | {} | {} | {standing} | {} of {} |",
            figure.name,
            figure.shown(),
            figure.bar_shown(),
            figure.measured,
            figure.of
        );
    }
    text + "\n"
}

/// One piece a line, so that what changed between two evaluations can be read from a diff.
fn json(evaluation: &Evaluation) -> Result<String> {
    let mut text = format!(
        "{{\n\"format\": {},\n\"machine\": {},\n\"figures\": [\n",
        evaluation.format,
        serde_json::to_string(&evaluation.machine)?
    );
    let figures: Vec<String> = evaluation
        .figures
        .iter()
        .map(serde_json::to_string)
        .collect::<Result<_, _>>()?;
    text += &figures.join(",\n");
    text += "\n],\n\"pieces\": {\n";
    let piece = |(key, piece): (&String, &Piece<Value>)| {
        anyhow::Ok(format!(
            "{}: {}",
            serde_json::to_string(key)?,
            serde_json::to_string(piece)?
        ))
    };
    let pieces: Vec<String> = evaluation.pieces.iter().map(piece).collect::<Result<_>>()?;
    Ok(text + &pieces.join(",\n") + "\n}\n}\n")
}

fn keep(path: &Path, text: &str) -> Result<()> {
    std::fs::create_dir_all(path.parent().context("documents lie in a folder")?)?;
    std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// Why a cell has no number, short enough for a table.
fn reason(reason: &str) -> String {
    let first: String = reason.lines().next().unwrap_or_default().chars().take(160).collect();
    match first.as_str() {
        "not measured yet" => "–".into(),
        _ => format!("not measured: {}", first.replace('|', "\\|")),
    }
}

/// Pieces that could not be measured, with their reasons.
fn failures(pieces: &BTreeMap<String, Piece<Value>>) -> impl Iterator<Item = (&String, &String)> {
    pieces.iter().filter_map(|(key, piece)| match &piece.outcome {
        Outcome::NotMeasured(reason) => Some((key, reason)),
        Outcome::Measured(_) => None,
    })
}
