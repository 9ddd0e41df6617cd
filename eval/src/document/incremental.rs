//! RQ2 as tables and a plot.

use super::plot::{Point, scatter};
use super::{Section, reason};
use crate::cost::spread;
use crate::figures::{Figure, number};
use crate::incremental::{self, Incremental, State};
use crate::store::Store;
use crate::subjects::{ENGINES, all};
use anyhow::Result;
use std::fmt::Write;

/// Pages that the bar is about.
const LARGE: usize = 2_000;

pub(super) fn section(store: &Store) -> Result<Section> {
    let mut text = String::from(
        "## RQ2: incremental analysis\n\n\
        The same stored replays, compared looking only at what changed, and at every node of every state (`--mode full`, X-PERT's\n\
        way). Structure and text, as in the paper; medians of three runs, page data read before the clock starts. States that a\n\
        document begins with are in the totals, and left out of the ratio per state: there is nothing to be incremental to. Nodes are\n\
        those on which something was compared. `evaluation.json` has each state.\n\n\
        | subject | against | states | nodes, median | incremental | full | ratio | per state | nodes checked | of full | findings |\n\
        |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut points = Vec::new();
    let (mut large, mut every, mut measured, mut of) = (Vec::new(), Vec::new(), 0, 0);
    for engine in &ENGINES[1..] {
        for subject in all() {
            of += 1;
            let found = match store.measured::<Incremental>(&incremental::key(&subject, engine))? {
                Ok(found) => found,
                Err(why) => {
                    let _infallible = writeln!(
                        text,
                        "| {} | {engine} | {} | | | | | | | | |",
                        subject.name(),
                        reason(&why)
                    );
                    continue;
                }
            };
            measured += 1;
            let _infallible = writeln!(text, "| {} | {engine} | {} |", subject.name(), cells(&found));
            for state in found.states.iter().filter(|state| !state.first && state.full_ms > 0.0) {
                let ratio = state.full_ms / state.incremental_ms.max(0.001);
                every.push(ratio);
                if state.nodes > LARGE {
                    large.push(ratio);
                }
                for (series, y) in [(0, state.incremental_ms), (1, state.full_ms)] {
                    let x = state.nodes as f64;
                    points.push(Point { series, x, y });
                }
            }
        }
    }
    text += "\n![Time per state by the size of the page](evaluation/incremental.svg)\n\n";
    let median = |ratios: &[f64]| (!ratios.is_empty()).then(|| spread(ratios).0);
    let name = format!("full / incremental, states of more than {LARGE} nodes, median");
    let figures = vec![
        Figure::at_least(name, median(&large), 20.0, measured, of),
        Figure::at_least(
            "full / incremental, all states, median",
            median(&every),
            0.0,
            measured,
            of,
        )
        .without_bar(),
    ];
    let plot = scatter(
        "incremental.svg",
        "Analysis of one state",
        ["nodes on the page", "milliseconds"],
        ["incremental", "full"],
        &points,
    );
    Ok(Section {
        text,
        figures,
        plots: vec![plot],
    })
}

fn cells(found: &Incremental) -> String {
    let states = &found.states;
    let sum = |of: fn(&State) -> f64| states.iter().map(of).sum::<f64>();
    let (incremental, full) = (sum(|state| state.incremental_ms), sum(|state| state.full_ms));
    let (looked, all) = (
        sum(|state| state.incremental_checked as f64),
        sum(|state| state.full_checked as f64),
    );
    let nodes: Vec<f64> = states.iter().map(|state| state.nodes as f64).collect();
    let later = states.iter().filter(|state| !state.first && state.full_ms > 0.0);
    let ratios: Vec<f64> = later
        .map(|state| state.full_ms / state.incremental_ms.max(0.001))
        .collect();
    let middle = |values: &[f64]| match values {
        [] => "–".into(),
        values => number(spread(values).0),
    };
    format!(
        "{} | {} | {} ms | {} ms | {} | {} | {looked:.0} | {all:.0} | {} and {}",
        states.len(),
        middle(&nodes),
        number(incremental),
        number(full),
        number(full / incremental.max(0.001)),
        middle(&ratios),
        found.findings.0,
        found.findings.1
    )
}
