//! Learning: one template for every event of the trace, from one run after the other.

use crate::measure::Measure;
use crate::template::Template;
use crate::tree::Tree;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xcheck_trace::page::PageData;
use xcheck_trace::run::Place;

/// So many runs in a row must have taught nothing.
const QUIET_RUNS: u32 = 2;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Model {
    pub runs: u32,
    /// In the trace's order.
    pub events: Vec<EventModel>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventModel {
    pub place: Place,
    pub label: String,
    /// Runs in which there was a page to see after it.
    pub runs: u32,
    pub page: Template,
}

#[derive(Debug)]
struct Lessons {
    event: EventModel,
    /// Every page that was seen, once.
    seen: Vec<Tree>,
}

/// What one run taught.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lesson {
    /// Constraints that this run broke; in the first run none.
    pub given_up: u64,
    /// What is held after it, by number of the event.
    pub held: BTreeMap<u32, Measure>,
}

#[derive(Debug, Default)]
pub struct Learner {
    events: BTreeMap<u32, Lessons>,
    runs: u32,
    quiet: u32,
}

impl Learner {
    /// What a run showed: the page after each event at which it was looked at.
    pub fn run<'a>(&mut self, shown: impl IntoIterator<Item = (Place, &'a str, &'a PageData)>) -> Lesson {
        let mut lesson = Lesson::default();
        self.runs += 1;
        let mut by_event: BTreeMap<u32, Vec<(Place, &str, &PageData)>> = BTreeMap::new();
        for look in shown {
            by_event.entry(look.0.number).or_default().push(look);
        }
        // Events have nothing to do with each other: each is learnt on a core of its own.
        let known: Vec<_> = by_event
            .into_iter()
            .map(|(event, looks)| (event, self.events.remove(&event), looks))
            .collect();
        let learnt: Vec<_> = known
            .into_par_iter()
            .map(|(event, mut lessons, looks)| {
                let mut given_up = 0;
                for (place, label, page) in looks {
                    let (now, more) = Lessons::take_in(lessons, place, label, page);
                    lessons = Some(now);
                    given_up += more;
                }
                (event, lessons, given_up)
            })
            .collect();
        for (event, lessons, given_up) in learnt {
            lesson.given_up += given_up;
            self.events.extend(lessons.map(|lessons| (event, lessons)));
        }
        for (number, lessons) in &self.events {
            lesson.held.insert(*number, lessons.event.page.measure());
        }
        self.quiet = if self.runs > 1 && lesson.given_up == 0 {
            self.quiet + 1
        } else {
            0
        };
        lesson
    }

    /// The last runs taught nothing.
    pub fn has_converged(&self) -> bool {
        self.quiet >= QUIET_RUNS
    }

    pub fn model(self) -> Model {
        Model {
            runs: self.runs,
            events: self
                .events
                .into_values()
                .collect::<Vec<_>>()
                .into_par_iter()
                .map(Lessons::settle)
                .collect(),
        }
    }
}

impl Lessons {
    /// What is known with one page more, and how much had to be given up for it.
    fn take_in(known: Option<Lessons>, place: Place, label: &str, page: &PageData) -> (Lessons, u64) {
        let tree = Tree::of(page);
        match known {
            Some(mut lessons) => {
                lessons.event.runs += 1;
                let given_up = lessons.event.page.take_in(&tree);
                if !lessons.seen.contains(&tree) {
                    lessons.seen.push(tree);
                }
                (lessons, given_up)
            }
            None => {
                let event = EventModel {
                    place,
                    label: label.to_owned(),
                    runs: 1,
                    page: Template::of(&tree),
                };
                let seen = vec![tree];
                (Lessons { event, seen }, 0)
            }
        }
    }

    /// What was learnt holds for every run it was learnt from: where it does not, it is given up.
    fn settle(mut self) -> EventModel {
        loop {
            let page = &self.event.page;
            let mut ways: Vec<Vec<usize>> = self
                .seen
                .iter()
                .flat_map(|tree| page.check(tree))
                .map(|found| found.1)
                .collect();
            if ways.is_empty() {
                return self.event;
            }
            ways.dedup();
            for way in ways {
                let loose = way
                    .into_iter()
                    .fold(&mut self.event.page, |above, place| &mut above.children[place]);
                loose.loose = true;
            }
        }
    }
}

impl Template {
    /// What is held of a page: nodes that must be there, texts only if something is asked of them. Of a list one entry
    /// counts, as often as there are entries at least.
    pub fn measure(&self) -> Measure {
        let mut measure = Measure::default();
        count(self, 1, &mut measure);
        measure
    }
}

fn count(template: &Template, times: u64, measure: &mut Measure) -> (u64, u64) {
    let mut height = 0;
    let mut descendants = 0;
    let mut children = 0;
    let held = |child: &&Template| !template.loose && child.is_required(template) && child.is_held();
    for child in template.children.iter().filter(held) {
        let entries = child.repeats.map_or(1, |repeats| u64::from(repeats.least));
        let (levels, below) = count(child, times * entries, measure);
        height = height.max(levels + 1);
        descendants += below * entries;
        children += entries;
    }
    measure.add(times, children, height, descendants);
    (height, descendants + 1)
}
