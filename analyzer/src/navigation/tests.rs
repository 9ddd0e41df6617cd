use super::*;
use crate::findings::{Outcome, Side, Subject};
use xcheck_trace::event::PageError;
use xcheck_trace::run::{DivergenceKind, Place};

fn xbi(id: &str, kind: Kind, number: u32, xpath: &str, cause: Option<Because>) -> Xbi {
    Xbi {
        id: id.into(),
        kind,
        event: event(number),
        selector: xpath.replace('/', " "),
        xpath: xpath.into(),
        element: String::new(),
        title: id.into(),
        confidence: 0.7,
        cause: cause.map(|because| Cause {
            text: String::new(),
            because,
        }),
        differences: Vec::new(),
        occurrences: Vec::new(),
    }
}

fn event(number: u32) -> EventRef {
    EventRef {
        number,
        load: 1,
        event: number,
        label: format!("event {number}"),
    }
}

fn missing(spans: &[(u32, u32)]) -> Departure {
    Departure {
        kind: Departed::Missing,
        event: event(spans[0].0),
        label: "click #lunch".into(),
        selector: "#lunch".into(),
        path: "html>body>div:2>img:1".into(),
        spans: spans.to_vec(),
        differences: vec![Difference {
            property: "transition".into(),
            reference: "to state 1".into(),
            other: "stays in state 0".into(),
            selector: String::new(),
        }],
        occurrences: Vec::new(),
    }
}

/// The ids or titles of what is found, each with its number of differences.
#[track_caller]
fn check(known: Vec<Xbi>, departure: Departure, expected: &[(&str, usize)]) {
    let subject = Subject {
        browser: "firefox".into(),
        version: "1".into(),
    };
    let mut result = BrowserResult {
        outcome: Outcome::Compared,
        xbis: known,
        ..BrowserResult::not_measured(&subject, "")
    };
    take_in(&mut result, vec![departure], &Options::default());
    let said: Vec<(&str, usize)> = result
        .xbis
        .iter()
        .map(|xbi| (xbi.title.as_str(), xbi.differences.len()))
        .collect();
    assert_eq!(said, expected);
}

fn diverged() -> Because {
    Because::Diverged {
        divergence: DivergenceKind::CallbackMissing,
        expected: String::new(),
        actual: String::new(),
    }
}

#[test]
fn a_transition_is_told_with_the_behaviour_that_is_its_reason() {
    let known = vec![
        xbi("before", Kind::Behaviour, 3, "/html/body/p", None),
        xbi("silent", Kind::Behaviour, 12, "", Some(diverged())),
        xbi("list", Kind::Text, 13, "/html/body/ul", None),
        xbi("locale", Kind::Text, 30, "/html/body/p", None),
    ];
    check(
        known,
        missing(&[(10, 20)]),
        &[("before", 0), ("silent", 1), ("locale", 0)],
    );
}

fn exception() -> Because {
    Because::Exception {
        error: PageError {
            message: "TypeError".into(),
            ..PageError::default()
        },
    }
}

fn occurrence(number: u32) -> Occurrence {
    Occurrence {
        place: Place {
            number,
            load: 1,
            event: number,
        },
        label: String::new(),
        reference: Side::default(),
        other: Side::default(),
    }
}

#[test]
fn a_transition_is_told_with_the_exception_that_has_left_nobody_to_listen() {
    let script = |id: &str, began: u32| Xbi {
        occurrences: vec![occurrence(began), occurrence(14)],
        ..xbi(id, Kind::Behaviour, began, "", Some(exception()))
    };
    let elsewhere = xbi("other", Kind::Behaviour, 1, "", Some(exception()));
    check(
        vec![script("script", 0), elsewhere.clone()],
        missing(&[(10, 20)]),
        &[("script", 1), ("other", 0)],
    );
    check(
        vec![script("script", 0), script("handler", 12), elsewhere],
        missing(&[(10, 20)]),
        &[("script", 0), ("other", 0), ("handler", 1)],
    );
}

#[test]
fn what_is_missed_of_the_same_input_another_time_belongs_to_it() {
    let mut again = xbi("silent", Kind::Behaviour, 33, "", Some(diverged()));
    again.event.label = "click on #lunch".into();
    let mut departure = missing(&[(10, 20)]);
    departure.event.label = "pointermove on #lunch".into();
    check(vec![again], departure, &[("silent", 1)]);
}

#[test]
fn what_the_element_looks_like_is_the_same_thing_to_fix() {
    let known = vec![
        xbi("picture", Kind::Visual, 2, "/html/body/div[2]/img", None),
        xbi("sibling", Kind::Visual, 2, "/html/body/div[2]/img[2]", None),
        xbi(
            "shadow",
            Kind::Visual,
            12,
            "/html/body/h1",
            Some(Because::NotLoaded { url: String::new() }),
        ),
    ];
    check(
        known,
        missing(&[(10, 20)]),
        &[("click #lunch leads nowhere", 1), ("sibling", 0), ("shadow", 0)],
    );
}

#[test]
fn what_stays_where_it_was_is_told_with_the_transition_though_it_computes_differently() {
    let computed = Because::ComputedStyle {
        selector: "#tip".into(),
        properties: Vec::new(),
    };
    let stays = xbi(
        "stays",
        Kind::Structure,
        14,
        "/html/body/main/div",
        Some(computed.clone()),
    );
    let before = xbi("before", Kind::Structure, 3, "/html/body/main/div", Some(computed));
    check(
        vec![stays, before],
        missing(&[(10, 20)]),
        &[("before", 0), ("click #lunch leads nowhere", 1)],
    );
}

#[test]
fn a_transition_that_nothing_speaks_for_is_a_finding_of_its_own() {
    check(
        Vec::new(),
        missing(&[(10, 20), (40, 44)]),
        &[("click #lunch leads nowhere", 1)],
    );
}

#[test]
fn what_a_person_accepted_is_not_found_again_for_the_transition_it_was_told_with() {
    let of_image = |number: u32| Xbi {
        event: EventRef {
            label: "click on #lunch".into(),
            ..event(number)
        },
        ..xbi("no page came", Kind::Behaviour, number, "/html/body/div[2]/img", None)
    };
    let departure = Departure {
        event: EventRef {
            label: "pointermove on #lunch".into(),
            ..event(20)
        },
        ..missing(&[(20, 23)])
    };
    let subject = Subject {
        browser: "firefox".into(),
        version: "1".into(),
    };
    // The same input another time is what the transition is told with.
    let mut result = BrowserResult {
        outcome: Outcome::Compared,
        xbis: vec![of_image(3)],
        ..BrowserResult::not_measured(&subject, String::new())
    };
    take_in(&mut result, vec![departure.clone()], &Options::default());
    let [told] = result.xbis.as_slice() else {
        panic!("{:?}", result.xbis)
    };
    assert_eq!(told.id, "no page came");

    let rule = crate::IgnoreRule {
        reason: "known".into(),
        id: Some("no page came".into()),
        ..crate::IgnoreRule::default()
    };
    let options = Options {
        ignore: vec![rule],
        ..Options::default()
    };
    let mut again = BrowserResult {
        outcome: Outcome::Compared,
        ..BrowserResult::not_measured(&subject, String::new())
    };
    let (xbis, ignored) = ignore::split(vec![of_image(3)], &options.ignore, &again.browser);
    (again.xbis, again.ignored) = (xbis, ignored);
    take_in(&mut again, vec![departure], &options);
    assert_eq!(again.xbis, []);
    assert_eq!(again.ignored.len(), 1);
    assert_eq!(again.ignored[0].xbi, *told);
}

#[test]
fn what_one_browser_takes_back_is_one_finding_where_it_shows() {
    let mut name = xbi("name", Kind::Text, 13, "/html/body/ul/li[3]", None);
    name.selector = "#third".into();
    let departure = |kind| Departure {
        kind,
        selector: String::new(),
        path: String::new(),
        ..missing(&[(10, 20)])
    };
    check(
        vec![name.clone()],
        departure(Departed::Back),
        &[("click #lunch leads back to an earlier state", 1)],
    );
    assert_eq!(own(departure(Departed::Back), Some(&name)).selector, "#third");
    // Another state of its own may read otherwise for reasons of its own.
    check(
        vec![name],
        departure(Departed::Elsewhere),
        &[("click #lunch leads to another state", 1), ("name", 0)],
    );
}

#[test]
fn what_nothing_came_of_stays_so_beside_a_transition() {
    let subject = Subject {
        browser: "firefox".into(),
        version: "1".into(),
    };
    let quiet = Ignored {
        reason: "nothing came of it".into(),
        xbi: xbi("quiet", Kind::Behaviour, 3, "", Some(diverged())),
    };
    let mut result = BrowserResult {
        outcome: Outcome::Compared,
        ignored: vec![quiet.clone()],
        ..BrowserResult::not_measured(&subject, String::new())
    };
    take_in(&mut result, vec![missing(&[(10, 20)])], &Options::default());
    assert_eq!(result.xbis.len(), 1);
    assert_eq!(result.ignored, [quiet]);
}
