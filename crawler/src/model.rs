//! The navigation model: states, and the actions that lead from one to another. What `model.json` holds.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use xcheck_agent::live::Action;
use xcheck_trace::event::Target;

pub const FORMAT: &str = "1.0";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    pub format: String,
    /// Nothing where no page was ever seen: of replays that were all not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_url: Option<String>,
    pub seed: u64,
    /// The browser that was crawled in, with its version.
    pub browser: String,
    /// Why it ended: `everything was tried`, or the limit or the trouble that came first.
    pub ended: String,
    /// By number; the first is where the crawl began.
    pub states: Vec<State>,
    pub edges: Vec<Edge>,
    pub traces: Vec<Path>,
    /// What was not done, and why, each once.
    pub skipped: Vec<Skipped>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub id: usize,
    pub url: String,
    pub title: String,
    /// Actions from the start along the shortest way that is known.
    pub depth: usize,
    /// Of the answer that brought the page, where it was not 200.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// A small picture, relative to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// What can be done here, and how much of it was.
    pub actions: usize,
    pub tried: usize,
    /// What a page shows, as a bag of hashes: for finding the state again in another browser.
    pub content: Vec<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    pub from: usize,
    /// Nothing where the action led out of the application, to something that is no page, or nowhere.
    pub to: Option<usize>,
    pub label: Label,
    /// How it is done again.
    pub steps: Vec<Step>,
    /// Where it led when `to` is nothing; what else there is to say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The trace in which it was taken first.
    pub trace: usize,
    /// It did not always lead to the same state.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unsure: bool,
}

/// What an edge is called, in any browser.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Label {
    /// `click`, `submit`, `fill`, `choose`.
    pub action: String,
    pub role: String,
    /// Accessible name, or else what is to be read on it.
    pub text: String,
    /// The most robust locator that there is: `#id`, a test id, or the structural path.
    pub locator: String,
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Label {
            action,
            role,
            text,
            locator,
        } = self;
        match (role.as_str(), text.as_str()) {
            (_, "") => write!(f, "{action} {locator}"),
            ("", text) => write!(f, "{action} “{text}”"),
            (role, text) => write!(f, "{action} {role} “{text}”"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    Act(Action),
    /// As if the person had typed the address: what a popup showed.
    Open(String),
}

/// One trace: the way it went.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Path {
    /// Relative to the model.
    pub trace: String,
    /// Edges, by number, in the order they were taken.
    pub edges: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Skipped {
    pub reason: String,
    pub what: String,
    /// In how many states.
    pub times: usize,
}

/// How an element is best found again, for a person to read.
pub(crate) fn locator(target: &Target) -> String {
    let id = target.id.as_ref().map(|id| format!("#{id}"));
    id.or_else(|| target.test_id.clone())
        .or_else(|| target.path.clone())
        .unwrap_or_default()
}

impl Model {
    /// The shortest way from one state to others: for each, the edge that leads to it last. Edges that are not sure are
    /// not taken.
    pub(crate) fn ways_from(edges: &[Edge], from: usize) -> BTreeMap<usize, (usize, usize)> {
        let mut out: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, edge) in edges.iter().enumerate().filter(|(_, edge)| !edge.unsure) {
            if edge.to.is_some_and(|to| to != edge.from) {
                out.entry(edge.from).or_default().push(number);
            }
        }
        // For each state: how far it is, and the edge by which it was reached.
        let mut reached: BTreeMap<usize, (usize, usize)> = BTreeMap::from([(from, (0, usize::MAX))]);
        let mut open = VecDeque::from([(from, 0)]);
        while let Some((state, far)) = open.pop_front() {
            for &number in out.get(&state).into_iter().flatten() {
                if let Some(to) = edges[number].to
                    && !reached.contains_key(&to)
                {
                    reached.insert(to, (far + 1, number));
                    open.push_back((to, far + 1));
                }
            }
        }
        reached
    }

    /// The edges of the way to a state that [`Model::ways_from`] reached.
    pub(crate) fn way_to(edges: &[Edge], ways: &BTreeMap<usize, (usize, usize)>, to: usize) -> Vec<usize> {
        let mut way = Vec::new();
        let mut at = to;
        while let Some(&(far, edge)) = ways.get(&at)
            && far > 0
        {
            way.push(edge);
            at = edges[edge].from;
        }
        way.reverse();
        way
    }
}
