//! A navigation model with what other browsers' models have otherwise, as one graph to look at: CrossCheck's Fig. 1.
//!
//! The states are the reference's. Where another browser has no transition or never comes to a state, its name is put to it;
//! what only the other one has is added, with its name.

use crate::compare::{Difference, walk};
use crate::model::{Edge, Label, Model, State};
use crate::replayed::{Departed, Departure, Nearness, Replays};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub struct Marked {
    pub model: Model,
    /// By the number of the state, and of the edge.
    pub states: Vec<Marks>,
    pub edges: Vec<Marks>,
}

/// Browsers, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Marks {
    pub missing_in: Vec<String>,
    /// The reference does not have it.
    pub only_in: Vec<String>,
}

impl Marked {
    /// With nothing to compare it with.
    pub fn plain(model: Model) -> Marked {
        Marked {
            states: vec![Marks::default(); model.states.len()],
            edges: vec![Marks::default(); model.edges.len()],
            model,
        }
    }

    /// `model` is that of the reference's replays; the others' come with their names.
    pub fn of_replays<'a>(
        model: Model,
        reference: &Replays,
        others: impl IntoIterator<Item = (&'a str, &'a Replays, &'a [Departure])>,
    ) -> Marked {
        let mut marked = Marked::plain(model);
        for (browser, other, departures) in others {
            let near = Nearness::of(reference, other);
            let theirs = other.model(browser, &[]);
            let counterparts = (0..theirs.states.len()).map(|state| near.nearest(state));
            let numbers = marked.add_states(browser, &theirs, counterparts);
            for departure in departures {
                let Departure { from, label, to, .. } = departure;
                if departure.kind != Departed::Extra {
                    marked.lacks(*from, label, *to, browser);
                }
                if departure.kind != Departed::Missing {
                    marked.add_edge(*from, label, numbers[departure.other_to], browser);
                }
                for state in &departure.unreached {
                    marked.states[*state].missing_in.push(browser.to_owned());
                }
            }
            marked.add_edges_of_new_states(browser, &theirs, &numbers);
        }
        marked.tidy()
    }

    /// Crawls of the live application; the others' come with their browsers' names.
    pub fn of_crawls<'a>(reference: &Model, others: impl IntoIterator<Item = (&'a str, &'a Model)>) -> Marked {
        let mut marked = Marked::plain(reference.clone());
        for (browser, other) in others {
            let (differences, pairs) = walk(reference, other);
            let counterparts: BTreeMap<usize, usize> = pairs.into_iter().map(|(mine, theirs)| (theirs, mine)).collect();
            let counterpart = |state| counterparts.get(&state).copied();
            let numbers = marked.add_states(browser, other, (0..other.states.len()).map(counterpart));
            for difference in &differences {
                match difference {
                    Difference::MissingTransition { from, label, to } => marked.lacks(*from, label, *to, browser),
                    Difference::ExtraTransition { from, label, to } => {
                        marked.add_edge(numbers[*from], label, numbers[*to], browser);
                    }
                    Difference::OtherState {
                        from,
                        label,
                        to,
                        other_to,
                    } => {
                        marked.lacks(*from, label, *to, browser);
                        marked.add_edge(*from, label, numbers[*other_to], browser);
                    }
                    Difference::MissingState { state, .. } => marked.states[*state].missing_in.push(browser.to_owned()),
                    Difference::ExtraState { .. } => {}
                }
            }
            marked.add_edges_of_new_states(browser, other, &numbers);
        }
        marked.tidy()
    }

    /// Whether any browser has anything otherwise.
    pub fn is_marked(&self) -> bool {
        self.states
            .iter()
            .chain(&self.edges)
            .any(|marks| *marks != Marks::default())
    }

    fn lacks(&mut self, from: usize, label: &Label, to: usize, browser: &str) {
        let edges = self.model.edges.iter().zip(&mut self.edges);
        for (_, marks) in edges.filter(|(edge, _)| edge.from == from && edge.to == Some(to) && edge.label == *label) {
            marks.missing_in.push(browser.to_owned());
        }
    }

    /// The numbers that the other model's states have here: their counterpart's, or a new one.
    fn add_states(
        &mut self,
        browser: &str,
        theirs: &Model,
        counterparts: impl Iterator<Item = Option<usize>>,
    ) -> Vec<usize> {
        let number = |(state, counterpart): (&State, Option<usize>)| {
            counterpart.unwrap_or_else(|| {
                let known = |(known, marks): (&State, &Marks)| {
                    !marks.only_in.is_empty() && known.url == state.url && known.content == state.content
                };
                let found = self.model.states.iter().zip(&self.states).position(known);
                let at = found.unwrap_or_else(|| {
                    let id = self.model.states.len();
                    self.model.states.push(State { id, ..state.clone() });
                    self.states.push(Marks::default());
                    id
                });
                self.states[at].only_in.push(browser.to_owned());
                at
            })
        };
        theirs.states.iter().zip(counterparts).map(number).collect()
    }

    /// `numbers`: the states' of the other model here.
    fn add_edges_of_new_states(&mut self, browser: &str, theirs: &Model, numbers: &[usize]) {
        for edge in &theirs.edges {
            let Some(to) = edge.to.map(|to| numbers[to]) else {
                continue;
            };
            let from = numbers[edge.from];
            let is_new = |state: usize| !self.states[state].only_in.is_empty();
            if from != to && (is_new(from) || is_new(to)) {
                self.add_edge(from, &edge.label, to, browser);
            }
        }
    }

    fn add_edge(&mut self, from: usize, label: &Label, to: usize, browser: &str) {
        let same = |edge: &Edge| edge.from == from && edge.to == Some(to) && edge.label == *label;
        let at = self.model.edges.iter().position(same).unwrap_or_else(|| {
            self.model.edges.push(Edge {
                from,
                to: Some(to),
                label: label.clone(),
                steps: Vec::new(),
                notes: Vec::new(),
                // Of none of the reference's.
                trace: usize::MAX,
                unsure: false,
            });
            self.edges.push(Marks::default());
            self.model.edges.len() - 1
        });
        if self.model.edges[at].trace == usize::MAX {
            self.edges[at].only_in.push(browser.to_owned());
        }
    }

    /// Each name once, and new states as far from the start as they are.
    fn tidy(mut self) -> Marked {
        for marks in self.states.iter_mut().chain(&mut self.edges) {
            for names in [&mut marks.missing_in, &mut marks.only_in] {
                names.sort();
                names.dedup();
            }
        }
        let ways = Model::ways_from(&self.model.edges, 0);
        for (state, marks) in self.model.states.iter_mut().zip(&self.states) {
            if !marks.only_in.is_empty() {
                state.depth = ways.get(&state.id).map_or(state.depth, |(far, _)| *far);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests;
