use super::*;
use crate::replayed::{Place, Way};
use xcheck_trace::Sha256;
use xcheck_trace::run::{Checkpoint, Place as Moment};

fn checkpoint(number: u32) -> Checkpoint {
    Checkpoint {
        place: at(number),
        load: 1,
        url: "http://a.test/".into(),
        page_sha256: Sha256::of(b""),
        screenshot_sha256: None,
        screenshot_missing: None,
        after_divergence: false,
        ahead: false,
        pointer: None,
    }
}

fn at(number: u32) -> Moment {
    Moment {
        number,
        load: 1,
        event: number,
    }
}

/// States by what they show beside a header of ten lines; ways as steps `(from, label, to)`.
pub(crate) fn replays(states: &[u64], ways: &[&[(usize, &str, usize)]]) -> Replays {
    let place = |content: &u64| Place {
        url: "http://a.test/".into(),
        title: String::new(),
        content: (1_000..1_010)
            .chain([*content])
            .rev()
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect(),
        checkpoint: checkpoint(0),
    };
    let step = |(number, (from, label, to)): (usize, &(usize, &str, usize))| Taken {
        label: Label {
            action: "click".into(),
            locator: (*label).into(),
            ..Label::default()
        },
        first: at(number as u32),
        last: number as u32,
        from: Some(*from),
        to: Some(*to),
        wrote: false,
        undone: false,
        before: None,
        after: None,
        element: None,
    };
    let way = |steps: &&[(usize, &str, usize)]| {
        Some(Way {
            steps: steps.iter().enumerate().map(step).collect(),
        })
    };
    Replays {
        places: states.iter().map(place).collect(),
        ways: ways.iter().map(way).collect(),
        again: vec![None; ways.len()],
        ..Replays::default()
    }
}

fn said(found: &[Departure]) -> Vec<(Departed, usize, &str, usize)> {
    let said = found.iter();
    said.map(|one| (one.kind, one.from, one.label.locator.as_str(), one.to))
        .collect()
}

const START: usize = 0;
const LUNCH: usize = 1;
const DINNER: usize = 2;

#[test]
fn menu_images_that_do_not_respond_are_the_four_missing_transitions_of_my_restaurant() {
    // CrossCheck, Fig. 1: three states; the images lead from each to the others, and so does the drop-down list.
    let reference = replays(
        &[1, 2, 3],
        &[
            &[
                (START, "#lunch", LUNCH),
                (LUNCH, "#dinner", DINNER),
                (DINNER, "#lunch", LUNCH),
                (LUNCH, "choose dinner", DINNER),
            ],
            &[
                (START, "#dinner", DINNER),
                (DINNER, "choose lunch", LUNCH),
                (LUNCH, "#dinner", DINNER),
            ],
        ],
    );
    let other = replays(
        &[1, 2, 3],
        &[
            &[
                (START, "#lunch", START),
                (START, "#dinner", START),
                (START, "#lunch", START),
                (START, "choose dinner", DINNER),
            ],
            &[
                (START, "#dinner", START),
                (START, "choose lunch", LUNCH),
                (LUNCH, "#dinner", LUNCH),
            ],
        ],
    );
    let found = departures(&reference, &other);
    let mut missing = said(&found);
    missing.sort();
    let expected = [
        (Departed::Missing, START, "#dinner", DINNER),
        (Departed::Missing, START, "#lunch", LUNCH),
        (Departed::Missing, LUNCH, "#dinner", DINNER),
        (Departed::Missing, DINNER, "#lunch", LUNCH),
    ];
    assert_eq!(missing, expected);
    // The drop-down list leads to both states.
    assert!(
        found.iter().all(|departure| departure.unreached.is_empty()),
        "{found:?}"
    );
    assert_eq!(departures(&reference, &reference), []);
}

#[test]
fn what_comes_after_a_missing_transition_is_not_held_against_others() {
    let reference = replays(&[1, 2, 3], &[&[(0, "#menu", 1), (1, "#entry", 2), (2, "#close", 0)]]);
    let mut other = replays(&[1], &[&[(0, "#menu", 0), (0, "#entry", 0), (0, "#close", 0)]]);
    if let Some(way) = &mut other.ways[0] {
        way.steps[1].undone = true;
    }
    let found = departures(&reference, &other);
    assert_eq!(said(&found), [(Departed::Missing, 0, "#menu", 1)]);
    assert_eq!(found[0].unreached, [1, 2]);
}

#[test]
fn a_transition_that_worked_once_and_one_that_the_reference_does_not_repeat_are_not_missing() {
    let way: &[(usize, &str, usize)] = &[(0, "#next", 1), (1, "#back", 0), (0, "#next", 1)];
    let once: &[(usize, &str, usize)] = &[(0, "#next", 1), (1, "#back", 0), (0, "#next", 0)];
    let (mut reference, other) = (replays(&[1, 2], &[way]), replays(&[1, 2], &[once]));
    assert_eq!(departures(&reference, &other), []);
    let stuck = replays(&[1, 2], &[&[(0, "#next", 0), (0, "#back", 0), (0, "#next", 0)]]);
    assert_eq!(
        said(&departures(&reference, &stuck)),
        [(Departed::Missing, 0, "#next", 1)]
    );
    reference.again = replays(&[1, 2], &[&[(0, "#next", 0), (0, "#back", 0), (0, "#next", 0)]]).ways;
    assert_eq!(departures(&reference, &stuck), []);
}

#[test]
fn what_only_the_other_browser_does_is_extra() {
    let reference = replays(&[1, 2], &[&[(0, "#off", 0), (0, "#next", 1)]]);
    let other = replays(&[1, 9, 2], &[&[(0, "#off", 1), (1, "#next", 2)]]);
    // State 9 shares ten of eleven lines with the reference's first, and is none of its states clearly.
    let other_far = {
        let mut other = other;
        other.places[1].content = (1..12).collect();
        other
    };
    assert_eq!(
        said(&departures(&reference, &other_far)),
        [(Departed::Extra, 0, "#off", 0)]
    );
}
