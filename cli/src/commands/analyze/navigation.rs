//! What the replays' navigation models say, as findings of the analysis.

use std::collections::BTreeMap;
use xcheck_analyzer::Options;
use xcheck_analyzer::findings::{BrowserResult, Difference, EventRef, Occurrence, Outcome, Side, Xbi};
use xcheck_analyzer::navigation::{self, Departed, Departure};
use xcheck_crawler::{Departed as Kind, Label, Replays, Taken, departures};
use xcheck_trace::runs::{Replay, RunReader};

/// Replays of the reference: their model is compared with each other browser's.
pub(super) struct Navigation<'a> {
    run: &'a RunReader,
    reference: &'a Replay,
    model: Replays,
}

impl<'a> Navigation<'a> {
    pub(super) fn of(run: &'a RunReader, reference: &'a Replay, again: Option<&Replay>) -> Navigation<'a> {
        let mut model = Replays::default();
        model.add(run, Some(reference), again);
        Navigation { run, reference, model }
    }

    pub(super) fn compare(&self, result: &mut BrowserResult, other: &Replay, options: &Options) {
        if result.outcome != Outcome::Compared {
            return;
        }
        let mut model = Replays::default();
        model.add(self.run, Some(other), None);
        // One element that does not respond is one thing to fix, however many states it should lead to.
        let mut by_element: BTreeMap<(Kind, &Label), Vec<&xcheck_crawler::Departure>> = BTreeMap::new();
        let found = departures(&self.model, &model);
        for departure in &found {
            by_element
                .entry((departure.kind, &departure.label))
                .or_default()
                .push(departure);
        }
        let departures = by_element.into_values().filter_map(|of_element| {
            let departure = self.departure(&of_element, &model)?;
            // What comes with scrolling is no way that a person goes, and states that differ by what was found before are no
            // other places.
            let is_told = match (of_element[0].kind, of_element[0].label.action.as_str()) {
                (_, "scroll") => false,
                (Kind::Elsewhere, _) => !begun(&departure, result).all(navigation::is_of_what_is_shown),
                _ => true,
            };
            is_told.then_some(departure)
        });
        let mut departures: Vec<Departure> = departures.collect();
        departures.sort_by_key(|departure| departure.event.number);
        navigation::take_in(result, departures, options);
    }

    fn departure(&self, of_element: &[&xcheck_crawler::Departure], other: &Replays) -> Option<Departure> {
        let first = of_element.first()?;
        let mine = self.model.ways.first()?.as_ref()?;
        let theirs = other.ways.first()?.as_ref()?;
        let mut steps: Vec<usize> = of_element
            .iter()
            .flat_map(|departure| &departure.at)
            .map(|at| at.1)
            .collect();
        steps.sort_unstable();
        let taken: Vec<(&Taken, &Taken)> = steps
            .iter()
            .filter_map(|step| {
                let one = mine.steps.get(*step)?;
                let two = theirs.steps.iter().find(|two| two.first.number == one.first.number)?;
                Some((one, two))
            })
            .collect();
        let (begins, other_begins) = *taken.first()?;
        let was_there = |step: &&Taken| {
            step.first.number < other_begins.first.number && [step.from, step.to].contains(&Some(first.other_to))
        };
        let label = self.reference.events.iter().find(|event| event.place == begins.first);
        Some(Departure {
            kind: match first.kind {
                Kind::Missing => Departed::Missing,
                Kind::Extra => Departed::Extra,
                Kind::Elsewhere if theirs.steps.iter().any(|step| was_there(&step)) => Departed::Back,
                Kind::Elsewhere => Departed::Elsewhere,
            },
            event: EventRef {
                number: begins.first.number,
                load: begins.first.load,
                event: begins.first.event,
                label: label.map(|event| event.label.clone()).unwrap_or_default(),
            },
            label: first.label.to_string(),
            selector: first.label.locator.clone(),
            path: begins
                .element
                .as_ref()
                .map(|element| element.path.clone())
                .unwrap_or_default(),
            spans: taken.iter().map(|(one, _)| (one.first.number, one.last)).collect(),
            differences: of_element
                .iter()
                .flat_map(|departure| differences(departure, &self.model, other))
                .collect(),
            occurrences: taken.iter().filter_map(|(one, two)| occurrence(one, two)).collect(),
        })
    }
}

/// What was found that first shows at one of the times when it was done.
fn begun<'r>(departure: &'r Departure, result: &'r BrowserResult) -> impl Iterator<Item = &'r Xbi> {
    let is_in = |number: u32| {
        let mut spans = departure.spans.iter();
        spans.any(|(first, last)| (*first..=*last).contains(&number))
    };
    result.xbis.iter().filter(move |xbi| is_in(xbi.event.number))
}

/// A state as a person would name it, among the states of one browser.
pub(in crate::commands) fn named(replays: &Replays, state: usize) -> String {
    match replays.places.get(state) {
        Some(place) if place.title.is_empty() => format!("state {state} ({})", place.url),
        Some(place) => format!("state {state} ({}, {})", place.title, place.url),
        None => format!("state {state}"),
    }
}

fn differences(departure: &xcheck_crawler::Departure, reference: &Replays, other: &Replays) -> Vec<Difference> {
    let difference = |property: &str, mine: String, theirs: String| Difference {
        property: property.to_owned(),
        reference: mine,
        other: theirs,
        selector: String::new(),
    };
    let leads = |to: usize| format!("{} → {}", named(reference, departure.from), named(reference, to));
    let stays = || "stays where it was".to_owned();
    let theirs = || format!("→ {}", named(other, departure.other_to));
    let transition = match departure.kind {
        Kind::Missing => difference("transition-missing", leads(departure.to), stays()),
        Kind::Extra => difference("transition-extra", stays(), theirs()),
        Kind::Elsewhere => difference("transition-elsewhere", leads(departure.to), theirs()),
    };
    let unreached = departure
        .unreached
        .iter()
        .map(|state| difference("state-missing", named(reference, *state), "never reached".to_owned()));
    std::iter::once(transition).chain(unreached).collect()
}

/// What was shown after it, with the element where it was before.
fn occurrence(one: &Taken, two: &Taken) -> Option<Occurrence> {
    let side = |taken: &Taken| {
        let seen = taken.after.as_ref()?;
        Some(Side {
            screenshot_sha256: seen.checkpoint.screenshot_sha256.as_ref().map(ToString::to_string),
            url: seen.checkpoint.url.clone(),
            page: seen.page,
            boxes: taken.element.iter().map(|element| element.rect).collect(),
        })
    };
    Some(Occurrence {
        place: one.after.as_ref()?.checkpoint.place,
        label: one.label.to_string(),
        reference: side(one)?,
        other: side(two)?,
    })
}
