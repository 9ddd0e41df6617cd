//! Two navigation models of one application: which transitions one browser has and the other has not.
//!
//! CrossCheck's trace-level comparison: the graphs are walked at once from their start states, along edges of the same label,
//! whatever their states are numbered. Two states are the same when they are reached by the same ways; what they show is
//! compared to tell an edge that leads elsewhere from one that leads to the same. A transition is missing where the other
//! model has the state it should start from, and tried what starts there.

use crate::model::{Edge, Label, Model, State};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// At least so much of two states' contents must be shared for them to be one.
const ALIKE: f64 = 0.5;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Difference {
    /// Only the reference goes anywhere by this.
    MissingTransition { from: usize, label: Label, to: usize },
    /// Only the other one does.
    ExtraTransition { from: usize, label: Label, to: usize },
    /// Both do, and what is shown then is not the same.
    OtherState {
        from: usize,
        label: Label,
        to: usize,
        other_to: usize,
    },
    /// No way that both have leads to this state of the reference.
    MissingState { state: usize, url: String },
    /// The same, of the other one; its own number.
    ExtraState { state: usize, url: String },
}

/// `from`, `to` and `state` are the reference's numbers; those of extra transitions and states the other one's.
pub fn compare(reference: &Model, other: &Model) -> Vec<Difference> {
    walk(reference, other).0
}

/// The differences, and which of the reference's states is which of the other one's.
pub(crate) fn walk(reference: &Model, other: &Model) -> (Vec<Difference>, BTreeMap<usize, usize>) {
    let (mine, theirs) = (Graph::of(reference), Graph::of(other));
    let mut differences = Vec::new();
    let mut pairs: BTreeMap<usize, usize> = BTreeMap::from([(0, 0)]);
    let mut met: BTreeSet<usize> = BTreeSet::from([0]);
    let mut open = VecDeque::from([(0, 0)]);
    while let Some((one, two)) = open.pop_front() {
        for (label, &to) in mine.from(one) {
            let Some(&other_to) = theirs.from(two).get(label) else {
                // What the other crawl did not come to try tells nothing.
                if to != one && theirs.was_tried(two, label) {
                    differences.push(Difference::MissingTransition {
                        from: one,
                        label: (*label).clone(),
                        to,
                    });
                }
                continue;
            };
            let both_stay = to == one && other_to == two;
            match pairs.get(&to) {
                Some(&known) if known == other_to => {}
                _ if both_stay => {}
                None if !met.contains(&other_to) && alike(&reference.states[to], &other.states[other_to]) => {
                    pairs.insert(to, other_to);
                    met.insert(other_to);
                    open.push_back((to, other_to));
                }
                _ if to == one => differences.push(Difference::ExtraTransition {
                    from: two,
                    label: (*label).clone(),
                    to: other_to,
                }),
                _ if other_to == two => differences.push(Difference::MissingTransition {
                    from: one,
                    label: (*label).clone(),
                    to,
                }),
                _ => differences.push(Difference::OtherState {
                    from: one,
                    label: (*label).clone(),
                    to,
                    other_to,
                }),
            }
        }
        for (label, &to) in theirs.from(two) {
            if !mine.from(one).contains_key(label) && to != two && mine.was_tried(one, label) {
                differences.push(Difference::ExtraTransition {
                    from: two,
                    label: (*label).clone(),
                    to,
                });
            }
        }
    }
    let missing = reference.states.iter().filter(|state| !pairs.contains_key(&state.id));
    differences.extend(missing.map(|state| Difference::MissingState {
        state: state.id,
        url: state.url.clone(),
    }));
    let extra = other.states.iter().filter(|state| !met.contains(&state.id));
    differences.extend(extra.map(|state| Difference::ExtraState {
        state: state.id,
        url: state.url.clone(),
    }));
    (differences, pairs)
}

struct Graph<'a> {
    out: BTreeMap<usize, BTreeMap<&'a Label, usize>>,
    dead: BTreeSet<(usize, &'a Label)>,
    nothing: BTreeMap<&'a Label, usize>,
    complete: BTreeSet<usize>,
}

impl<'a> Graph<'a> {
    fn of(model: &'a Model) -> Graph<'a> {
        let mut graph = Graph {
            out: BTreeMap::new(),
            dead: BTreeSet::new(),
            nothing: BTreeMap::new(),
            complete: BTreeSet::new(),
        };
        for Edge {
            from,
            to,
            label,
            unsure,
            ..
        } in &model.edges
        {
            match to {
                Some(to) if !unsure => {
                    graph.out.entry(*from).or_default().insert(label, *to);
                }
                _ => {
                    graph.dead.insert((*from, label));
                }
            }
        }
        let tried = model.states.iter().filter(|state| state.tried == state.actions);
        graph.complete.extend(tried.map(|state| state.id));
        graph
    }

    fn from(&self, state: usize) -> &BTreeMap<&'a Label, usize> {
        self.out.get(&state).unwrap_or(&self.nothing)
    }

    /// It was tried and led nowhere, or everything in the state was and this was not there.
    fn was_tried(&self, state: usize, label: &Label) -> bool {
        self.complete.contains(&state) || self.dead.iter().any(|(from, dead)| *from == state && *dead == label)
    }
}

fn alike(one: &State, two: &State) -> bool {
    let bag = |state: &State| {
        state
            .content
            .iter()
            .fold(BTreeMap::new(), |mut bag: BTreeMap<u64, usize>, content| {
                *bag.entry(*content).or_default() += 1;
                bag
            })
    };
    let (mine, theirs) = (bag(one), bag(two));
    let shared: usize = mine
        .iter()
        .map(|(content, count)| (*count).min(theirs.get(content).copied().unwrap_or(0)))
        .sum();
    let longer = one.content.len().max(two.content.len());
    longer == 0 || shared as f64 >= ALIKE * longer as f64
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::model::FORMAT;

    fn label(text: &str) -> Label {
        Label {
            action: "click".into(),
            role: "link".into(),
            text: text.into(),
            locator: String::new(),
        }
    }

    /// States with what they show, and edges by label.
    pub(crate) fn model(states: &[u64], edges: &[(usize, &str, usize)]) -> Model {
        let state = |(id, content): (usize, &u64)| State {
            id,
            url: format!("http://a.test/{content}"),
            title: String::new(),
            depth: 0,
            status: None,
            picture: None,
            actions: 0,
            tried: 0,
            content: vec![*content; 4],
        };
        let edge = |(from, text, to): &(usize, &str, usize)| Edge {
            from: *from,
            to: Some(*to),
            label: label(text),
            steps: vec![],
            notes: vec![],
            trace: 0,
            unsure: false,
        };
        Model {
            format: FORMAT.into(),
            start_url: None,
            seed: 0,
            browser: String::new(),
            ended: String::new(),
            states: states.iter().enumerate().map(state).collect(),
            edges: edges.iter().map(edge).collect(),
            traces: vec![],
            skipped: vec![],
        }
    }

    #[test]
    fn models_that_are_numbered_differently_are_the_same() {
        let one = model(&[1, 2, 3], &[(0, "a", 1), (1, "b", 2), (2, "home", 0), (2, "stay", 2)]);
        let two = model(&[1, 3, 2], &[(0, "a", 2), (2, "b", 1), (1, "home", 0), (1, "stay", 1)]);
        assert_eq!(compare(&one, &two), []);
    }

    #[test]
    fn menu_images_that_do_not_respond_are_four_missing_transitions() {
        // CrossCheck, Fig. 1: the restaurant's menus are reached by images which do nothing in one browser.
        let menus = ["breakfast", "lunch", "dinner", "drinks"];
        let there: Vec<_> = menus.iter().enumerate().map(|(at, menu)| (0, *menu, at + 1)).collect();
        let dead: Vec<_> = menus.iter().map(|menu| (0, *menu, 0)).collect();
        let differences = compare(&model(&[1, 2, 3, 4, 5], &there), &model(&[1], &dead));
        let missing = differences
            .iter()
            .filter(|one| matches!(one, Difference::MissingTransition { from: 0, .. }));
        assert_eq!(missing.count(), 4);
        let states = differences
            .iter()
            .filter(|one| matches!(one, Difference::MissingState { .. }));
        assert_eq!(states.count(), 4);
        let back = compare(&model(&[1], &dead), &model(&[1, 2, 3, 4, 5], &there));
        assert_eq!(
            back.iter()
                .filter(|one| matches!(one, Difference::ExtraTransition { .. }))
                .count(),
            4
        );
    }

    #[test]
    fn an_edge_that_leads_to_another_page_is_told_from_one_that_leads_nowhere() {
        let one = model(&[1, 2], &[(0, "a", 1)]);
        let two = model(&[1, 9], &[(0, "a", 1)]);
        assert!(matches!(
            compare(&one, &two)[0],
            Difference::OtherState {
                from: 0,
                to: 1,
                other_to: 1,
                ..
            }
        ));
    }

    #[test]
    fn what_was_not_tried_is_not_missing() {
        let one = model(&[1, 2], &[(0, "a", 1)]);
        let mut two = model(&[1], &[]);
        two.states[0].actions = 3;
        let differences = compare(&one, &two);
        assert!(
            !differences
                .iter()
                .any(|one| matches!(one, Difference::MissingTransition { .. })),
            "{differences:?}"
        );
    }
}
