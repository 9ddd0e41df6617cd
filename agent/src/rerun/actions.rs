//! What a person did in a trace, cut into the pieces after which she looks at what came of it: an address that was
//! opened, a click with the way to it, a word that was typed.

use crate::replay::classify::{Class, class_of, dom, same_run_of_input};
use crate::replay::navigation::{Cause, address_of, cause_of};
use std::collections::HashMap;
use xcheck_trace::Trace;
use xcheck_trace::event::{DomEvent, Event, LoadId};
use xcheck_trace::run::Place;

/// A pointer that rests for so long, in milliseconds, before it presses has shown something by resting.
const HOVERS_MS: f64 = 400.0;

/// Behind the last action of a recording nobody knows how long a person would have waited.
const LAST_WAIT_MS: f64 = 1_000.0;

#[derive(Debug, Clone, PartialEq)]
pub struct Action<'t> {
    /// Of its first event; where a document has none, the next one's.
    pub place: Place,
    /// `click on #save`, `types "milk" in #item`, `opens http://…`
    pub label: String,
    pub does: Does<'t>,
    /// Milliseconds of the recording until the next action: so long something may take to show.
    pub waits_ms: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Does<'t> {
    /// Past the page: by the address bar, or because the session begins there.
    Opens { url: &'t str },
    /// In order, all in one document.
    Gestures { load: LoadId, gestures: Vec<&'t Event> },
}

impl Action<'_> {
    /// Something a page can miss: more than a pointer that passes by.
    pub fn is_deliberate(&self) -> bool {
        match &self.does {
            Does::Opens { .. } => false,
            Does::Gestures { gestures, .. } => gestures
                .iter()
                .any(|gesture| dom(gesture).is_some_and(|dom| dom.name != "pointermove" && dom.name != "keyup")),
        }
    }
}

pub fn actions(trace: &Trace) -> Vec<Action<'_>> {
    let order = trace.order();
    let number_of: HashMap<(LoadId, u32), u32> = (0..)
        .zip(&order)
        .map(|(number, event)| ((event.load, event.id), number))
        .collect();
    let place = |event: &Event| Place {
        number: number_of[&(event.load, event.id)],
        load: event.load,
        event: event.id,
    };
    let mut began: Vec<(f64, Action<'_>)> = Vec::new();
    for load in opened_by_the_person(trace) {
        let url = address_of(trace, load);
        // A document that logged nothing stands where it was when it came.
        let first = trace.events_of(load.load).first();
        let place = first.map_or(
            Place {
                number: 0,
                load: load.load,
                event: 0,
            },
            place,
        );
        let does = Does::Opens { url };
        let label = format!("opens {url}");
        began.push((
            load.at,
            Action {
                place,
                label,
                does,
                waits_ms: 0.0,
            },
        ));
    }
    let mut last: Option<&Event> = None;
    for &event in order.iter().filter(|event| class_of(event) == Class::Gesture) {
        let opened_between = last.is_some_and(|last| {
            let opens = |(at, action): &(f64, Action<'_>)| {
                matches!(action.does, Does::Opens { .. }) && *at > last.at && *at <= event.at
            };
            began.iter().any(opens)
        });
        let goes_on = last.is_some_and(|last| !opened_between && last.load == event.load && belongs_to(last, event));
        last = Some(event);
        if goes_on
            && let Some((
                _,
                Action {
                    does: Does::Gestures { gestures, .. },
                    ..
                },
            )) = began.last_mut()
        {
            gestures.push(event);
            continue;
        }
        let does = Does::Gestures {
            load: event.load,
            gestures: vec![event],
        };
        let label = String::new();
        began.push((
            event.at,
            Action {
                place: place(event),
                label,
                does,
                waits_ms: 0.0,
            },
        ));
    }
    began.sort_by(|(a, one), (b, other)| a.total_cmp(b).then(one.place.cmp(&other.place)));
    let starts: Vec<f64> = began.iter().map(|(at, _)| *at).collect();
    let mut actions: Vec<Action<'_>> = began.into_iter().map(|(_, action)| action).collect();
    for (index, action) in actions.iter_mut().enumerate() {
        let ended = match &action.does {
            Does::Gestures { gestures, .. } => gestures.last().map_or(starts[index], |last| last.at),
            Does::Opens { .. } => starts[index],
        };
        action.waits_ms = starts
            .get(index + 1)
            .map_or(LAST_WAIT_MS, |next| (next - ended).max(0.0));
        if let Does::Gestures { load, gestures } = &action.does {
            action.label = label(trace, *load, gestures);
        }
    }
    actions
}

fn opened_by_the_person(trace: &Trace) -> Vec<&xcheck_trace::event::Load> {
    let mut first_of = HashMap::new();
    for load in &trace.loads {
        if let Some(exchange) = load.exchange {
            first_of.entry(exchange).or_insert(load.load);
        }
    }
    let opened =
        |load: &&xcheck_trace::event::Load| load.path.is_empty() && cause_of(trace, load, &first_of) == Cause::Person;
    trace.loads.iter().filter(opened).collect()
}

fn belongs_to(last: &Event, next: &Event) -> bool {
    let name = |event| dom(event).map_or("", |dom: &DomEvent| dom.name.as_str());
    let is_on_its_way = name(last) == "pointermove" && name(next) == "pointerdown";
    same_run_of_input(last, next) || is_on_its_way && next.at - last.at < HOVERS_MS
}

/// As a person would say it: by what the browser made of it, where it made something of it.
fn label(trace: &Trace, load: LoadId, gestures: &[&Event]) -> String {
    let (Some(first), Some(last)) = (gestures.first(), gestures.last()) else {
        return String::new();
    };
    let keys: Vec<&str> = gestures
        .iter()
        .filter_map(|gesture| dom(gesture).filter(|dom| dom.name == "keydown"))
        .filter_map(|dom| dom.data.get("key")?.as_str())
        .collect();
    if !keys.is_empty() {
        let at = trace.label(first);
        let at = at.rsplit_once(" on ").map_or("the page", |(_, target)| target);
        return format!("types {} in {at}", spelled(&keys));
    }
    let is_click = |event: &&Event| {
        dom(event).is_some_and(|dom| matches!(dom.name.as_str(), "click" | "dblclick" | "contextmenu"))
    };
    let mut made = trace.events_of(load).iter().filter(|event| event.id >= first.id);
    let bound = trace
        .events_of(load)
        .iter()
        .find(|event| event.id > last.id && class_of(event) == Class::Gesture)
        .map_or(u32::MAX, |event| event.id);
    if let Some(click) = made.find(|event| is_click(event) && event.id < bound) {
        return trace.label(click);
    }
    let pressed = gestures
        .iter()
        .find(|gesture| dom(gesture).is_some_and(|dom| dom.name == "pointerdown"));
    match pressed {
        Some(pressed) => trace.label(pressed).replacen("pointerdown", "press", 1),
        None => trace.label(last).replacen("pointermove", "pointer", 1),
    }
}

/// `"milk" Enter`
fn spelled(keys: &[&str]) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut typed = String::new();
    for key in keys {
        if key.chars().count() == 1 {
            typed.push_str(key);
            continue;
        }
        if !typed.is_empty() {
            words.push(format!("{:?}", std::mem::take(&mut typed)));
        }
        words.push((*key).to_owned());
    }
    if !typed.is_empty() {
        words.push(format!("{typed:?}"));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rerun::testing::{check_trace, gesture, load};

    #[track_caller]
    fn check(events: &[Event], expected: &[&str]) {
        check_trace(&[load(1, "http://a.test/")], &[], events, |trace| {
            let said: Vec<String> = actions(trace)
                .iter()
                .map(|action| {
                    let count = match &action.does {
                        Does::Opens { .. } => 0,
                        Does::Gestures { gestures, .. } => gestures.len(),
                    };
                    format!("{} {count} {}", action.label, action.waits_ms)
                })
                .collect();
            assert_eq!(said, expected);
        });
    }

    #[test]
    fn a_click_is_one_action_with_the_way_to_it() {
        let events = [
            gesture(1, "pointermove", 10.0, "#save", None),
            gesture(2, "pointerdown", 20.0, "#save", None),
            gesture(3, "pointerup", 30.0, "#save", None),
            gesture(4, "pointermove", 500.0, "#menu", None),
            gesture(5, "pointerdown", 1500.0, "#menu", None),
            gesture(6, "pointerup", 1530.0, "#menu", None),
        ];
        check(
            &events,
            &[
                "opens http://a.test/ 0 10",
                "press on #save 3 470",
                "pointer on #menu 1 1000",
                "press on #menu 2 1000",
            ],
        );
    }

    #[test]
    fn a_word_is_typed_in_one_go() {
        let events = [
            gesture(1, "keydown", 10.0, "#item", Some("h")),
            gesture(2, "keyup", 12.0, "#item", Some("h")),
            gesture(3, "keydown", 20.0, "#item", Some("i")),
            gesture(4, "keydown", 30.0, "#item", Some("Enter")),
        ];
        check(
            &events,
            &["opens http://a.test/ 0 10", "types \"hi\" Enter in #item 4 1000"],
        );
    }
}
