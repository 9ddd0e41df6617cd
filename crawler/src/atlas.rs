//! All that is known of the application so far, and what is still to be tried. Kept in a file, so that a crawl can go on
//! another day.

use crate::actions::{Possible, Refused};
use crate::back::Trail;
use crate::model::{Edge, FORMAT, Model, Path, Skipped, State};
use crate::settings::Limits;
use crate::state::{Abstract, States, address, pattern};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Atlas {
    pub(crate) states: States,
    /// By the state's number.
    pub(crate) places: Vec<Place>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) traces: Vec<Path>,
    pub(crate) actions: u64,
    pub(crate) elapsed_ms: u64,
    #[serde(default)]
    pub(crate) trail: Trail,
    /// Where the application sends whoever's session is over.
    pub(crate) expired: BTreeSet<String>,
    pages: BTreeSet<String>,
    /// By URL pattern and action: how many new states it led to.
    led_to: BTreeMap<String, usize>,
    skipped: BTreeMap<String, Skipped>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) status: Option<u16>,
    pub(crate) picture: Option<String>,
    pub(crate) content: Vec<u64>,
    /// What is still to be tried, in order.
    pub(crate) open: Vec<Possible>,
    pub(crate) actions: usize,
    /// It could not be reached again.
    pub(crate) lost: bool,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Goal {
    /// Edges to walk first, from the current state or from the start.
    pub(crate) way: Vec<usize>,
    pub(crate) state: usize,
    /// In a new session.
    pub(crate) fresh: bool,
}

/// A wizard has few steps, and a counter no end.
const MOST_NUMBERS: usize = 8;

/// A new session costs about as much as so many actions.
const FRESH: usize = 4;

impl Atlas {
    /// The nearest state in which something is still to be tried.
    pub(crate) fn next(&self, current: Option<usize>, taken: usize, limits: &Limits) -> Option<Goal> {
        let from_start = Model::ways_from(&self.edges, 0);
        let is_open = |state: &usize| {
            let place = &self.places[*state];
            let depth = from_start.get(state).map_or(usize::MAX, |(far, _)| *far);
            !place.lost && !place.open.is_empty() && depth < limits.depth
        };
        let nearest = |ways: &BTreeMap<usize, (usize, usize)>| {
            let open = ways.iter().filter(|(state, _)| is_open(state));
            open.map(|(state, (far, _))| (*far, *state)).min()
        };
        let goal = |ways: &BTreeMap<usize, (usize, usize)>, state: usize, fresh: bool| Goal {
            way: Model::way_to(&self.edges, ways, state),
            state,
            fresh,
        };
        let fresh = nearest(&from_start);
        if let Some(current) = current {
            let ways = Model::ways_from(&self.edges, current);
            if let Some((far, state)) = nearest(&ways)
                && taken + far < limits.trace
                && fresh.is_none_or(|(far_fresh, _)| far <= far_fresh + FRESH)
            {
                return Some(goal(&ways, state, false));
            }
        }
        fresh.map(|(_, state)| goal(&from_start, state, true))
    }

    /// The limit that is reached, if one is.
    pub(crate) fn over(&self, limits: &Limits) -> Option<String> {
        let over = |is: bool, text: String| is.then_some(text);
        over(
            self.places.len() >= limits.states,
            format!("the limit of {} states", limits.states),
        )
        .or_else(|| {
            over(
                self.pages.len() >= limits.pages,
                format!("the limit of {} pages", limits.pages),
            )
        })
        .or_else(|| {
            over(
                self.actions >= limits.actions,
                format!("the limit of {} actions", limits.actions),
            )
        })
        .or_else(|| {
            let seconds = limits.time.as_secs();
            over(
                u128::from(self.elapsed_ms) >= limits.time.as_millis(),
                format!("the limit of {seconds} s"),
            )
        })
    }

    /// Why a new state is one too many of its kind.
    pub(crate) fn too_many(&self, url: &str, page: &Abstract, action: u64, limits: &Limits) -> Option<String> {
        if self.states.but_for_numbers(url, page) >= MOST_NUMBERS {
            return Some(format!("more than {MOST_NUMBERS} states that differ in numbers only"));
        }
        if self.states.of_pattern(url) >= limits.per_pattern {
            return Some(format!("more than {} states of {}", limits.per_pattern, pattern(url)));
        }
        let led_to = self.led_to.get(&led(url, action)).copied().unwrap_or(0);
        (led_to >= limits.per_action)
            .then(|| format!("the same action led to {led_to} states of {} already", pattern(url)))
    }

    pub(crate) fn was_led_to(&mut self, url: &str, action: u64) {
        *self.led_to.entry(led(url, action)).or_default() += 1;
    }

    pub(crate) fn saw_page(&mut self, url: &str) {
        self.pages.insert(address(url));
    }

    pub(crate) fn refused(&mut self, refused: Refused) {
        let key = format!("{}\n{}", refused.reason, refused.what);
        let skipped = self.skipped.entry(key).or_insert(Skipped {
            reason: refused.reason,
            what: refused.what,
            times: 0,
        });
        skipped.times += 1;
    }

    pub(crate) fn untried(&self) -> usize {
        let open = self.places.iter().filter(|place| !place.lost);
        open.map(|place| place.open.len()).sum()
    }

    pub(crate) fn model(&self, start_url: &str, seed: u64, browser: &str, ended: &str) -> Model {
        let ways = Model::ways_from(&self.edges, 0);
        let state = |(id, place): (usize, &Place)| State {
            id,
            url: place.url.clone(),
            title: place.title.clone(),
            depth: ways.get(&id).map_or(0, |(far, _)| *far),
            status: place.status,
            picture: place.picture.clone(),
            actions: place.actions,
            tried: place.actions - place.open.len().min(place.actions),
            content: place.content.clone(),
        };
        Model {
            format: FORMAT.to_owned(),
            start_url: Some(start_url.to_owned()),
            seed,
            browser: browser.to_owned(),
            ended: ended.to_owned(),
            states: self.places.iter().enumerate().map(state).collect(),
            edges: self.edges.clone(),
            traces: self.traces.clone(),
            skipped: self.skipped.values().cloned().collect(),
        }
    }
}

fn led(url: &str, action: u64) -> String {
    format!("{action:016x} {}", pattern(url))
}
