//! Pages that open, stand still, are looked at and left.

use super::*;

#[test]
fn a_page_that_is_hidden_for_good_is_left() {
    let events = [
        dom(1, 0, "visibilitychange", false),
        timer(1, 1),
        dom(1, 2, "visibilitychange", false),
        dom(1, 3, "pagehide", false),
    ];
    check(
        &[load(1, &[])],
        &events,
        Checkpoints::WhereItMatters,
        "open1 run2 leave2 look",
    );
}

#[test]
fn that_a_window_goes_elsewhere_is_told_when_it_does() {
    let navigate = |load| {
        event(
            load,
            1,
            serde_json::json!({"kind": "host", "of": [0, 0], "event": "navigate"}),
        )
    };
    let (first, next) = (load(1, &[]), load(2, &[]));
    let events = [timer(1, 0), navigate(1)];
    check(
        &[first.clone(), next],
        &events,
        Checkpoints::WhereItMatters,
        "open1 run1 leave1 look open2",
    );
    // Nothing says that the page did not take it upon itself.
    check(&[first], &events, Checkpoints::WhereItMatters, "open1 run2 look");
}

#[test]
fn a_window_is_made_as_large_as_it_was_and_a_frame_is_made_so_by_its_page() {
    let resized = |load, id, width| {
        let window = json!({"object": "window"});
        event(
            load,
            id,
            json!({"kind": "dom", "type": "resize", "gesture": true, "target": window, "data": {"size": [width, 300]}}),
        )
    };
    let events = [
        timer(1, 1),
        resized(1, 2, 500),
        resized(2, 2, 90),
        resized(1, 3, 400),
        timer(1, 4),
    ];
    check(
        &[load(1, &[]), load(2, &[0])],
        &events,
        Checkpoints::WhereItMatters,
        "open1 run1 look size500x300 run1 size400x300 run2 open2 run1 look",
    );
}

#[test]
fn a_long_run_of_timers_is_looked_at_at_intervals() {
    let events: Vec<Event> = (0..60).map(|id| timer(1, id)).collect();
    check(
        &[load(1, &[])],
        &events,
        Checkpoints::WhereItMatters,
        "open1 run25 look run25 look run10 look",
    );
}

#[test]
fn a_loaded_page_that_stands_still_between_two_timers_is_looked_at() {
    let at = |at: f64, event: Event| Event { at, ..event };
    let events = [
        at(1000.0, timer(1, 0)),
        at(2000.0, timer(1, 1)),
        at(2100.0, dom(1, 2, "load", false)),
        at(2200.0, timer(1, 3)),
        at(2800.0, timer(1, 4)),
        at(2900.0, timer(1, 5)),
    ];
    let expected = "open1 run3 look run1 look run2 look";
    check(&[load(1, &[])], &events, Checkpoints::WhereItMatters, expected);
}

#[test]
fn every_event_can_be_looked_at() {
    let events = [timer(1, 0), timer(1, 1), dom(1, 2, "keydown", true)];
    check(
        &[load(1, &[])],
        &events,
        Checkpoints::EveryEvent,
        "open1 run1 look run1 look keydown+0 look",
    );
}

#[test]
fn a_page_is_looked_at_before_it_is_left_and_nobody_is_asked_for_its_end() {
    let events = [timer(1, 0), dom(1, 1, "pagehide", false), timer(2, 0)];
    check(
        &[load(1, &[]), load(2, &[])],
        &events,
        Checkpoints::WhereItMatters,
        "open1 run1 leave1 look open2 run1 look",
    );
}

#[test]
fn a_frame_interrupts_the_runs_of_its_parent_and_a_silent_one_is_opened_all_the_same() {
    let events = [timer(1, 0), timer(1, 999), timer(1, 1500), timer(2, 600)];
    check(
        &[load(1, &[]), load(2, &[0]), load(3, &[1])],
        &events,
        Checkpoints::WhereItMatters,
        "open1 run2 open2 run1 run1 open3 look",
    );
}

/// A link to a text, a picture or nobody: no load stands for what is shown there.
#[test]
fn what_is_no_page_waits_until_the_page_before_it_is_done_unless_that_one_stays() {
    let asked = |destination: &str, answer: &str| {
        let mut exchange = asked_for(7, 1020.0);
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        exchange.request.headers.push(header("sec-fetch-dest", destination));
        let response = json!({"status": 200, "version": "HTTP/1.1", "headers": [["content-disposition", answer]]});
        exchange.response = Some(serde_json::from_value(response).unwrap());
        exchange.head_ms = Some(2.0);
        exchange
    };
    let steps = |asked: Exchange, last: u32, expected: &str| {
        let click = dom(1, 10, "click", true);
        let events = [timer(1, 0), click, timer(1, 30), timer(1, last)];
        check_with(
            &[asked],
            &[load(1, &[])],
            &events,
            Checkpoints::WhereItMatters,
            expected,
        );
    };
    let left = "open1 run1 look click+0 run2 depart7";
    let stays = "open1 run1 look click+0 run2 look";
    steps(asked("document", "inline"), 40, left);
    steps(asked("document", "inline"), 999, stays);
    steps(asked("document", "attachment; filename=a"), 40, stays);
    steps(asked("image", "inline"), 40, stays);
    let mut archive = asked("document", "inline");
    let kind = ("content-type".to_owned(), "application/zip".to_owned());
    archive.response.as_mut().unwrap().headers.push(kind);
    steps(archive, 40, stays);
    let mut nobody = asked("document", "");
    nobody.response = None;
    steps(nobody.clone(), 40, stays);
    let reason = "refused".to_owned();
    nobody.end = xcheck_trace::exchange::End::Failed { reason };
    steps(nobody, 40, left);
}

/// A link to a page that the browser has in its cache: what happens until it is left would come too late otherwise.
#[test]
fn a_page_that_the_browser_had_is_asked_for_again_and_waits_until_it_is_due() {
    let page = |number: u32, exchange, sequence| {
        let mut page = load(number, &[]);
        (page.exchange, page.sequence) = (Some(exchange), sequence);
        page
    };
    let loads = [page(1, 8, 0), page(2, 9, 1), page(3, 8, 2)];
    let events = [
        timer(1, 0),
        timer(2, 10),
        dom(2, 900, "click", true),
        timer(2, 950),
        timer(3, 10),
    ];
    let exchanges = [asked_for(8, 990.0), asked_for(9, 1990.0)];
    let expected = "open1 hold8 run1 open2 run1 look click+0 run1 open3 run1 look";
    check_with(&exchanges, &loads, &events, Checkpoints::WhereItMatters, expected);
}

#[test]
fn a_page_that_asked_for_the_next_one_is_looked_at_before_it_did() {
    let mut second = load(2, &[]);
    second.sequence = 1;
    let press = |id| [dom(1, id, "pointerdown", true), dom(1, id + 1, "pointerup", true)];
    let next = timer(2, 0);
    let by_press = [timer(1, 0)]
        .into_iter()
        .chain(press(1))
        .chain([timer(1, 40), next.clone()]);
    let loads = [load(1, &[]), second];
    check_with(
        &[asked_for(2, 1003.0)],
        &loads,
        &by_press.collect::<Vec<_>>(),
        Checkpoints::WhereItMatters,
        "open1 run1 look pointerdown+0 pointerup+0 run1 open2 run1 look",
    );
    let by_key = [
        timer(1, 0),
        dom(1, 1, "keydown", true),
        dom(1, 2, "keyup", true),
        next.clone(),
    ];
    check_with(
        &[asked_for(2, 1003.0)],
        &loads,
        &by_key,
        Checkpoints::WhereItMatters,
        "open1 run1 look keydown+0 keyup+0 open2 run1 look",
    );
    // Nobody knows which of those shortly before did.
    let pressed_and_ran = [timer(1, 0)]
        .into_iter()
        .chain(press(1))
        .chain([timer(1, 4), next.clone()]);
    check_with(
        &[asked_for(2, 1005.0)],
        &loads,
        &pressed_and_ran.collect::<Vec<_>>(),
        Checkpoints::WhereItMatters,
        "open1 run1 look pointerdown+0 pointerup+0 run1 open2 run1 look",
    );
    let by_timer = [
        timer(1, 0),
        timer(1, 1),
        timer(1, 100),
        timer(1, 102),
        timer(1, 130),
        next,
    ];
    for (checkpoints, expected) in [
        (Checkpoints::WhereItMatters, "open1 run2 look run3 open2 run1 look"),
        (
            Checkpoints::EveryEvent,
            "open1 run1 look run1 look run1 run1 run1 open2 run1 look",
        ),
    ] {
        check_with(&[asked_for(2, 1102.5)], &loads, &by_timer, checkpoints, expected);
    }
}

#[test]
fn what_a_page_that_is_left_no_longer_waits_for_is_its_farewell() {
    let mut second = load(2, &[]);
    second.sequence = 1;
    let settled = |id, outcome| {
        event(
            1,
            id,
            json!({"kind": "settle", "list": "fetch", "of": [0, 0], "outcome": outcome}),
        )
    };
    for (outcome, asked, expected) in [
        ("rejected", 1005.0, "open1 run1 leave1 open2 run1 look"),
        ("fulfilled", 1005.0, "open1 run2 open2 run1 look"),
        // The page had not been left.
        ("rejected", 1050.0, "open1 run2 open2 run1 look"),
    ] {
        check_with(
            &[asked_for(2, asked)],
            &[load(1, &[]), second.clone()],
            &[timer(1, 2), settled(20, outcome), timer(2, 0)],
            Checkpoints::WhereItMatters,
            expected,
        );
    }
}
