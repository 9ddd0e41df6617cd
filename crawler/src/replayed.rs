//! The navigation model that a browser's replays give: which states the recorded actions led to there.
//!
//! A crawl tells what it did to the live application, in one browser. What the same actions do in another is told by
//! replaying its traces, with everything but the browser held still: each replay is a way through that browser's model, and
//! several of them, one for each trace of a crawl, are most of it. What a state is, is the same as while crawling.

pub(crate) mod departures;
mod element;
mod steps;

pub(crate) use departures::Nearness;
pub use departures::{Departed, Departure, departures};
pub use element::Element;
pub use steps::{Seen, Taken, Way};

use crate::model::{Edge, FORMAT, Label, Model, State};
use crate::state::{Abstract, States};
use std::collections::BTreeMap;
use xcheck_trace::run::Checkpoint;
use xcheck_trace::runs::{Replay, RunReader};

/// What one browser did, over one or more runs.
#[derive(Debug, Default)]
pub struct Replays {
    states: States,
    pub places: Vec<Place>,
    /// In the order of the runs. Nothing for a replay that was not measured.
    pub ways: Vec<Option<Way>>,
    /// The same actions a second time, where they were replayed twice: what differs is not the browser's doing.
    pub again: Vec<Option<Way>>,
}

/// A state, as it was met first.
#[derive(Debug, Clone)]
pub struct Place {
    pub url: String,
    pub title: String,
    /// As a bag of hashes, in order.
    pub content: Vec<u64>,
    pub checkpoint: Checkpoint,
}

impl Replays {
    /// Adds a run's replay, and its second one.
    pub fn add(&mut self, run: &RunReader, replay: Option<&Replay>, again: Option<&Replay>) {
        let way = replay.map(|replay| steps::read(self, run, replay));
        self.ways.push(way);
        let again = again.map(|replay| steps::read(self, run, replay));
        self.again.push(again);
    }

    fn meet(&mut self, page: &Abstract, checkpoint: &Checkpoint) -> usize {
        let state = self.states.meet(&checkpoint.url, page).state();
        if state == self.places.len() {
            let mut content: Vec<u64> = page.marks().into_iter().map(|(_, content)| content).collect();
            content.sort_unstable();
            self.places.push(Place {
                url: checkpoint.url.clone(),
                title: page.title.clone(),
                content,
                checkpoint: checkpoint.clone(),
            });
        }
        state
    }

    /// As a crawl's model. `traces`: the runs, by name.
    pub fn model(&self, browser: &str, traces: &[String]) -> Model {
        let mut edges: BTreeMap<(usize, &Label, usize), usize> = BTreeMap::new();
        for (number, way) in self.ways.iter().enumerate() {
            for taken in way.iter().flat_map(|way| &way.steps) {
                if let (Some(from), Some(to)) = (taken.from, taken.to)
                    && from != to
                {
                    edges.entry((from, &taken.label, to)).or_insert(number);
                }
            }
        }
        let edges: Vec<Edge> = edges
            .into_iter()
            .map(|((from, label, to), trace)| Edge {
                from,
                to: Some(to),
                label: label.clone(),
                steps: Vec::new(),
                notes: Vec::new(),
                trace,
                unsure: false,
            })
            .collect();
        let ways = Model::ways_from(&edges, 0);
        let state = |(id, place): (usize, &Place)| {
            let out = edges.iter().filter(|edge| edge.from == id).count();
            State {
                id,
                url: place.url.clone(),
                title: place.title.clone(),
                depth: ways.get(&id).map_or(0, |(far, _)| *far),
                status: None,
                picture: None,
                actions: out,
                tried: out,
                content: place.content.clone(),
            }
        };
        Model {
            format: FORMAT.to_owned(),
            start_url: self.places.first().map(|place| place.url.clone()),
            seed: 0,
            browser: browser.to_owned(),
            ended: "replayed".to_owned(),
            states: self.places.iter().enumerate().map(state).collect(),
            edges,
            traces: traces
                .iter()
                .map(|trace| crate::model::Path {
                    trace: trace.clone(),
                    edges: Vec::new(),
                })
                .collect(),
            skipped: Vec::new(),
        }
    }
}
