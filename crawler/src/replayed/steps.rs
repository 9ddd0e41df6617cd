//! A replay as a way through the model: what was done, step by step, and the states before and after.

use super::Replays;
use super::element::{self, Element};
use crate::model::Label;
use crate::state::Abstract;
use std::hash::{DefaultHasher, Hash, Hasher};
use xcheck_trace::page::PageData;
use xcheck_trace::run::{Checkpoint, Divergence, DivergenceKind, Place, ReplayedEvent};
use xcheck_trace::runs::{Replay, RunReader};

/// One replay.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Way {
    pub steps: Vec<Taken>,
}

/// One thing that was done.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    pub label: Label,
    /// Its first event, and the number of the last one before the next thing that was done.
    pub first: Place,
    pub last: u32,
    /// Nothing where it could not be seen what is shown.
    pub from: Option<usize>,
    pub to: Option<usize>,
    /// The page has written something, be it nothing that makes another state: attributes, words.
    pub wrote: bool,
    /// It was not done here: what it should have been done to was not there, or the page was another one.
    pub undone: bool,
    pub before: Option<Seen>,
    pub after: Option<Seen>,
    /// What it was done to, as it was shown before.
    pub element: Option<Element>,
}

/// A checkpoint, with the size of its page.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    pub checkpoint: Checkpoint,
    pub page: [f32; 2],
}

pub(super) fn read(replays: &mut Replays, run: &RunReader, replay: &Replay) -> Way {
    let mut steps = steps(&replay.events);
    // Before the first step there is what came without one.
    let before = steps
        .first()
        .map_or(i64::MAX, |first| i64::from(first.first.number) - 1);
    let ends: Vec<i64> = std::iter::once(before)
        .chain(steps.iter().map(|step| i64::from(step.last)))
        .collect();
    let window = |checkpoint: &Checkpoint| ends.partition_point(|end| *end < i64::from(checkpoint.place.number));
    let mut shown: Vec<Option<(usize, u64, Seen)>> = vec![None; ends.len()];
    let mut pages = run.whole_pages(replay).zip(&replay.checkpoints).peekable();
    while let Some((page, checkpoint)) = pages.next() {
        let at = window(checkpoint);
        let is_last = pages.peek().is_none_or(|(_, next)| window(next) != at);
        if at >= ends.len() || !is_last {
            continue;
        }
        // What cannot be read is not seen; the comparison of the pages says why.
        let Ok(page) = page else { continue };
        let Some(size) = page.page.documents.first().map(|top| top.page) else {
            continue;
        };
        let state = replays.meet(&Abstract::of(&page.page), checkpoint);
        if let Some(step) = steps.get_mut(at) {
            step.element = element::find(&step.label, &page.page);
        }
        let seen = Seen {
            checkpoint: checkpoint.clone(),
            page: size,
        };
        shown[at] = Some((state, written(&page.page), seen));
    }
    for (step, sides) in steps.iter_mut().zip(shown.windows(2)) {
        let [before, after] = sides else { continue };
        step.from = before.as_ref().map(|(state, ..)| *state);
        step.before = before.as_ref().map(|(.., seen)| seen.clone());
        step.to = after.as_ref().map(|(state, ..)| *state);
        step.after = after.as_ref().map(|(.., seen)| seen.clone());
        step.wrote = matches!((before, after), (Some((_, was, _)), Some((_, is, _))) if was != is);
    }
    Way { steps }
}

/// What stands in the page, as a hash: nothing of what it looks like.
fn written(page: &PageData) -> u64 {
    let mut hasher = DefaultHasher::new();
    for node in page.documents.iter().flat_map(|document| &document.nodes) {
        (node.id, &node.tag, &node.attributes, &node.text).hash(&mut hasher);
    }
    hasher.finish()
}

const CLICK: &str = "click";
const TYPE: &str = "type";
const CHOOSE: &str = "choose";

/// The key's name where it stands alone.
const SPACE: &str = "Space";

/// What was done, by the names that a trace gives its events: the same in each replay.
fn steps(events: &[ReplayedEvent]) -> Vec<Taken> {
    let mut steps: Vec<Taken> = Vec::new();
    let mut target_of_last = "";
    // A pointer on its way: it belongs to the click it ends with, or else to what was done before.
    let mut approach: Option<(Place, &str)> = None;
    for event in events {
        let Some(Gesture { action, key, target }) = gesture(&event.label) else {
            continue;
        };
        let Some(action) = action else {
            if approach.is_none_or(|(_, known)| known != target) {
                approach = Some((event.place, target));
            }
            continue;
        };
        let approach = approach.take().filter(|(_, known)| *known == target && action == CLICK);
        let goes_on = steps.last().is_some_and(|last| {
            // A field that is left tells of its change.
            target_of_last == target && (last.label.action.starts_with(action) && action != CLICK || action == CHOOSE)
        });
        if !goes_on {
            let first = approach.map_or(event.place, |(place, _)| place);
            if let Some(last) = steps.last_mut() {
                last.last = first.number.saturating_sub(1);
            }
            steps.push(Taken {
                label: label(action, target),
                first,
                last: u32::MAX,
                from: None,
                to: None,
                wrote: false,
                undone: event.after_divergence,
                before: None,
                after: None,
                element: None,
            });
            target_of_last = target;
        }
        let Some(step) = steps.last_mut() else { continue };
        if let Some(key) = key {
            step.label.action.push(' ');
            step.label.action.push_str(&key);
        }
        let is_missing = |divergence: &Divergence| divergence.kind == DivergenceKind::TargetMissing;
        step.undone |= event.divergences.iter().any(is_missing);
    }
    for step in &mut steps {
        step.label.action = spelled(&step.label.action);
    }
    steps
}

struct Gesture<'a> {
    /// Nothing for a pointer that moves.
    action: Option<&'static str>,
    key: Option<String>,
    target: &'a str,
}

fn gesture(label: &str) -> Option<Gesture<'_>> {
    let (name, target) = label.split_once(" on ")?;
    let (name, key) = match name.split_once(' ') {
        Some((name, "\" \"")) => (name, Some(SPACE.to_owned())),
        Some((name, key)) => (name, Some(key.trim_matches('"').to_owned())),
        None => (name, None),
    };
    let action = match name {
        "pointermove" => None,
        "pointerdown" => Some(CLICK),
        "keydown" => Some(TYPE),
        "wheel" => Some("scroll"),
        "change" => Some(CHOOSE),
        _ => return None,
    };
    Some(Gesture { action, key, target })
}

fn label(action: &str, target: &str) -> Label {
    // `button "Sign in"`; an attribute's quotes stand in brackets.
    let named = target.split_once(" \"").filter(|_| !target.starts_with(['#', '[']));
    match named {
        Some((role, name)) => Label {
            action: action.to_owned(),
            role: role.to_owned(),
            text: name.trim_end_matches('"').to_owned(),
            locator: String::new(),
        },
        None => Label {
            action: action.to_owned(),
            locator: target.to_owned(),
            ..Label::default()
        },
    }
}

/// `type o a t Space m i l k Enter` as `type oat milk Enter`.
fn spelled(action: &str) -> String {
    let Some(keys) = action.strip_prefix("type ") else {
        return action.to_owned();
    };
    let mut text = String::from(TYPE);
    let mut in_word = false;
    for key in keys.split(' ') {
        let is_letter = key.chars().count() <= 1;
        match () {
            () if in_word && key == SPACE => {
                text.push(' ');
                continue;
            }
            () if in_word && is_letter => {}
            () => text.push(' '),
        }
        text.push_str(key);
        in_word = is_letter;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(labels: &[&str]) -> Vec<ReplayedEvent> {
        let event = |(number, label): (usize, &&str)| ReplayedEvent {
            place: Place {
                number: number as u32,
                load: 1,
                event: number as u32,
            },
            label: (*label).to_owned(),
            divergences: Vec::new(),
            notes: Vec::new(),
            complaints: Vec::new(),
            after_divergence: false,
            registered_by: None,
        };
        labels.iter().enumerate().map(event).collect()
    }

    #[track_caller]
    fn check(labels: &[&str], expected: &[(&str, u32, u32)]) {
        let said: Vec<(String, u32, u32)> = steps(&events(labels))
            .iter()
            .map(|step| (step.label.to_string(), step.first.number, step.last))
            .collect();
        let said: Vec<(&str, u32, u32)> = said
            .iter()
            .map(|(label, first, last)| (label.as_str(), *first, *last))
            .collect();
        assert_eq!(said, expected);
    }

    #[test]
    fn a_click_lasts_until_the_next_thing_that_is_done() {
        check(
            &[
                "load on window",
                "pointermove on #lunch",
                "pointerdown on #lunch",
                "pointerup on #lunch",
                "click on #lunch",
                "timer show (20 ms)",
                "pointerdown on button \"Sign in\"",
            ],
            &[("click #lunch", 1, 5), ("click button “Sign in”", 6, u32::MAX)],
        );
    }

    #[test]
    fn a_word_is_one_step_with_the_change_of_its_field() {
        check(
            &[
                "keydown \"h\" on #item",
                "keyup \"h\" on #item",
                "keydown \"i\" on #item",
                "keydown \"Enter\" on #item",
                "change on #item",
                "change on #menu",
            ],
            &[("type hi Enter #item", 0, 4), ("choose #menu", 5, u32::MAX)],
        );
        check(
            &[
                "keydown \"a\" on #item",
                "keydown \" \" on #item",
                "keydown \"b\" on #item",
                "keydown \" \" on #box",
            ],
            &[("type a b #item", 0, 2), ("type Space #box", 3, u32::MAX)],
        );
    }
}
