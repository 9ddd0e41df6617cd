use super::*;
use serde_json::json;
use xcheck_trace::TraceWriter;
use xcheck_trace::exchange::{Exchange, RequestHead};
use xcheck_trace::manifest::{FORMAT, Manifest};
use xcheck_trace::redact::Redaction;

fn dom(load: u32, id: u32, name: &str, gesture: bool) -> Event {
    let what = json!({"kind": "dom", "type": name, "gesture": gesture, "target": {"object": "window"}});
    event(load, id, what)
}

fn event(load: u32, id: u32, what: serde_json::Value) -> Event {
    let at = f64::from(load * 1000 + id);
    serde_json::from_value(json!({"load": load, "id": id, "at": at, "what": what})).unwrap()
}

fn timer(load: u32, id: u32) -> Event {
    event(load, id, json!({"kind": "timer", "of": [0, 0]}))
}

fn load(number: u32, path: &[u32]) -> Load {
    let load = json!({"load": number, "exchange": number, "url": format!("http://a.test/{number}"), "path": path, "window": 0,
        "sequence": 0, "at": f64::from(number * 1000), "user_agent": "", "languages": [], "time_zone": "", "viewport": [1, 1]});
    serde_json::from_value(load).unwrap()
}

/// One word for each step: `open1`, `run2` (two events), `pointerup+1` (one derived event), `leave1`, `look`, `let1`, `module1`.
fn check(loads: &[Load], events: &[Event], checkpoints: Checkpoints, expected: &str) {
    check_with(&[], loads, events, checkpoints, expected);
}

fn check_with(exchanges: &[Exchange], loads: &[Load], events: &[Event], checkpoints: Checkpoints, expected: &str) {
    check_in(LateModules::AsRecorded, exchanges, loads, events, checkpoints, expected);
}

fn check_in(
    modules: LateModules,
    exchanges: &[Exchange],
    loads: &[Load],
    events: &[Event],
    checkpoints: Checkpoints,
    expected: &str,
) {
    let folder = tempfile::tempdir().unwrap();
    let manifest = Manifest {
        format: FORMAT,
        recorder: String::new(),
        browser: None,
        viewport: None,
        start_url: None,
        time_zone: None,
        languages: Vec::new(),
        started_at_ms: 0,
        finished_at_ms: None,
        service_workers: false,
        redactions: Vec::new(),
    };
    let writer = TraceWriter::create(&folder.path().join("trace"), manifest, Redaction::none()).unwrap();
    exchanges.iter().for_each(|exchange| writer.exchange(exchange).unwrap());
    loads.iter().for_each(|load| writer.load(load).unwrap());
    events.iter().for_each(|event| writer.event(event).unwrap());
    writer.finish(0).unwrap();
    let (trace, _) = Trace::open(&folder.path().join("trace")).unwrap();
    let steps: Vec<String> = plan(&trace, checkpoints, modules).steps.iter().map(word).collect();
    assert_eq!(steps.join(" "), expected);
}

fn word(step: &Step<'_>) -> String {
    match step {
        Step::Open(load) => format!("open{}", load.load),
        Step::Hold(exchange) => format!("hold{exchange}"),
        Step::Release(exchange) => format!("let{exchange}"),
        Step::Module { exchange, .. } => format!("module{exchange}"),
        Step::LateModules(load) => format!("late{load}"),
        Step::Run { events, .. } => format!("run{}", events.len()),
        Step::Pass { events, moves, .. } => format!("{}{}", if *moves { "move" } else { "rest" }, events.len()),
        Step::Gesture { gesture, derived, .. } => {
            format!(
                "{}+{}",
                super::super::classify::dom(gesture).unwrap().name,
                derived.len()
            )
        }
        Step::Resize { viewport, .. } => format!("size{}x{}", viewport.width, viewport.height),
        Step::Leave { events } => format!("leave{}", events.len()),
        Step::Checkpoint { .. } => "look".to_owned(),
    }
}

#[test]
fn a_press_is_one_run_of_input_and_its_consequences_are_looked_at_before_the_next_one() {
    let events = [
        dom(1, 0, "load", false),
        dom(1, 1, "pointerdown", true),
        dom(1, 2, "mousedown", false),
        dom(1, 3, "pointerup", true),
        dom(1, 4, "click", false),
        timer(1, 5),
        dom(1, 6, "pointerdown", true),
        dom(1, 7, "pointerup", true),
    ];
    check(
        &[load(1, &[])],
        &events,
        Checkpoints::WhereItMatters,
        "open1 run1 look pointerdown+1 pointerup+1 run1 look pointerdown+0 pointerup+0 look",
    );
}

/// A pointer event at 10 times `x`.
fn pointer(id: u32, name: &str, x: u32, gesture: bool) -> Event {
    let what = json!({"kind": "dom", "type": name, "gesture": gesture, "target": {"object": "window"},
        "data": {"x": x * 10, "y": 5}});
    event(1, id, what)
}

#[test]
fn what_a_move_passes_comes_with_it_and_what_passes_below_the_pointer_is_noticed_by_itself() {
    let events = [
        pointer(0, "pointerover", 1, false),
        pointer(1, "mouseover", 1, false),
        pointer(2, "pointermove", 1, true),
        timer(1, 3),
        pointer(4, "mouseout", 1, false),
        pointer(5, "mouseout", 2, false),
        pointer(6, "pointermove", 3, true),
        pointer(7, "pointerdown", 3, true),
        pointer(8, "mousedown", 3, false),
        pointer(9, "mouseover", 3, false),
    ];
    check(
        &[load(1, &[])],
        &events,
        Checkpoints::WhereItMatters,
        "open1 pointermove+2 run1 rest1 move1 pointermove+0 look pointerdown+1 rest1 look",
    );
}

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
fn typing_is_not_looked_at_between_two_keys() {
    let keys = ["keydown", "keyup", "keydown", "keyup"];
    let events: Vec<Event> = (0..).zip(keys).map(|(id, name)| dom(1, id, name, true)).collect();
    let expected = "open1 keydown+0 keyup+0 keydown+0 keyup+0 look";
    check(&[load(1, &[])], &events, Checkpoints::WhereItMatters, expected);
}

#[test]
fn a_field_that_loses_the_focus_to_a_driver_says_so_when_it_is_taken() {
    check(
        &[load(1, &[])],
        &[
            dom(1, 1, "keyup", true),
            dom(1, 2, "click", false),
            dom(1, 3, "change", false),
            dom(1, 4, "blur", false),
            dom(1, 5, "focus", true),
            dom(1, 6, "keydown", true),
            dom(1, 7, "blur", false),
        ],
        Checkpoints::WhereItMatters,
        "open1 keyup+1 look focus+2 look keydown+1 look",
    );
    let after_a_timer = [timer(1, 1), dom(1, 2, "change", false), dom(1, 3, "focus", true)];
    check(
        &[load(1, &[])],
        &after_a_timer,
        Checkpoints::WhereItMatters,
        "open1 run1 look focus+1 look",
    );
}

#[test]
fn what_a_field_says_before_text_is_put_into_it_comes_with_the_text() {
    let entered = [
        dom(1, 1, "focus", true),
        dom(1, 2, "focusin", false),
        dom(1, 3, "beforeinput", false),
        dom(1, 4, "textInput", false),
        dom(1, 5, "input", true),
        dom(1, 6, "keydown", true),
        dom(1, 7, "beforeinput", false),
        dom(1, 8, "input", false),
    ];
    check(
        &[load(1, &[])],
        &entered,
        Checkpoints::WhereItMatters,
        "open1 focus+1 look input+2 look keydown+2 look",
    );
}

#[test]
fn what_is_chosen_has_changed_before_a_driver_gives_the_focus_elsewhere() {
    let radio = json!({"object": "node", "path": "html>body>input:1", "field_type": "radio"});
    let chosen = event(1, 2, json!({"kind": "dom", "type": "change", "target": radio}));
    let events = [dom(1, 1, "pointerup", true), chosen, dom(1, 3, "focus", true)];
    check(
        &[load(1, &[])],
        &events,
        Checkpoints::WhereItMatters,
        "open1 pointerup+1 look focus+0 look",
    );
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

/// The request for a page that a page asked for.
fn asked_for(id: u64, started_ms: f64) -> Exchange {
    let headers = [["sec-fetch-site", "same-origin"]];
    let request =
        json!({"method": "GET", "url": format!("http://a.test/{id}"), "version": "HTTP/1.1", "headers": headers});
    let exchange = json!({"id": id, "request": request, "end": {"end": "complete"}, "started_ms": started_ms, "finished_order": id});
    serde_json::from_value(exchange).unwrap()
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

/// A module that came.
fn module(id: u64, came: f64) -> Exchange {
    let headers = [["sec-fetch-dest", "script"], ["sec-fetch-mode", "cors"]];
    let request =
        json!({"method": "GET", "url": format!("http://a.test/{id}"), "version": "HTTP/1.1", "headers": headers});
    let exchange = json!({"id": id, "request": request, "end": {"end": "complete"}, "started_ms": came, "head_ms": 0.0,
        "finished_order": id});
    serde_json::from_value(exchange).unwrap()
}

fn script(load: u32, id: u32, order: &str) -> Event {
    event(
        load,
        id,
        json!({"kind": "script", "key": "http://a.test/x", "order": order}),
    )
}

#[test]
fn a_script_that_another_page_had_already_is_not_held_for_the_page_that_takes_it_from_the_cache() {
    let overtaken = [
        event(
            2,
            0,
            json!({"kind": "script", "key": "http://a.test/other", "order": "arrival"}),
        ),
        script(2, 1, "defer"),
    ];
    let events = [vec![script(1, 0, "defer")], overtaken.to_vec()].concat();
    let loads = [load(1, &[]), load(2, &[])];
    let check = |exchanges: &[Exchange], expected| {
        check_with(exchanges, &loads, &events, Checkpoints::WhereItMatters, expected);
    };
    let asked = |id, at| Exchange {
        request: RequestHead {
            url: "http://a.test/x".to_owned(),
            ..asked_for(id, at).request
        },
        ..asked_for(id, at)
    };
    check(&[asked(8, 999.0)], "open1 run1 look open2 run2 look");
    // Asked for anew, it is the second page's own.
    check(
        &[asked(8, 999.0), asked(9, 1999.0)],
        "open1 run1 look open2 run1 let9 run1 look",
    );
}

#[test]
fn what_came_when_it_liked_is_asked_for_again_and_held_where_the_browser_had_it() {
    let x = |id, at| Exchange {
        request: RequestHead {
            url: "http://a.test/x".to_owned(),
            ..asked_for(id, at).request
        },
        response: serde_json::from_value(json!({"status": 200, "version": "HTTP/1.1", "headers": []})).unwrap(),
        ..asked_for(id, at)
    };
    let check = |exchanges: &[Exchange], order, expected| {
        let events = [
            script(1, 0, "arrival"),
            dom(1, 1, "pointerdown", true),
            timer(2, 0),
            script(2, 1, order),
        ];
        let loads = [load(1, &[]), load(2, &[])];
        check_with(exchanges, &loads, &events, Checkpoints::WhereItMatters, expected);
    };
    let had = [x(8, 999.0)];
    check(
        &had,
        "arrival",
        "open1 let8 run1 hold8 look pointerdown+0 look open2 run1 let8 run1 look",
    );
    check(
        &had,
        "parser",
        "open1 let8 run1 look pointerdown+0 look open2 run2 look",
    );
    // Whoever asks again would be given what a later page is to have.
    let later = [x(8, 999.0), x(9, 3000.0)];
    check(
        &later,
        "arrival",
        "open1 let8 run1 look pointerdown+0 look open2 run2 look",
    );
}

#[test]
fn a_module_that_came_while_the_page_was_busy_comes_with_what_waited_for_it() {
    let imported = |id| event(1, id, json!({"kind": "script", "key": "#import", "order": "module"}));
    let check = |modules: &[Exchange], events: &[Event], expected| {
        check_with(modules, &[load(1, &[])], events, Checkpoints::WhereItMatters, expected);
    };
    check(
        &[module(7, 1002.5)],
        &[timer(1, 2), timer(1, 5), imported(20)],
        "open1 run2 module7 run1 look",
    );
    // Each has one of its own, and what ran without asking for anything came when it did.
    check(
        &[module(6, 1001.0), module(7, 1002.5), module(8, 1021.0)],
        &[timer(1, 2), timer(1, 5), imported(20), timer(1, 22), imported(30)],
        "open1 module6 run2 module7 run2 module8 run1 look",
    );
    // It had time enough before a person went on, or by itself.
    check(
        &[module(7, 1002.5)],
        &[timer(1, 2), dom(1, 5, "keydown", true), imported(20)],
        "open1 run1 module7 look keydown+0 run1 look",
    );
    check(
        &[module(7, 1002.5)],
        &[timer(1, 2), timer(1, 5), imported(300)],
        "open1 run1 module7 run2 look",
    );
}

#[test]
fn what_a_module_does_is_looked_at_where_no_event_follows_or_a_person_goes_on() {
    let check = |events: &[Event], expected| {
        let modules = [module(7, 1008.0)];
        check_with(&modules, &[load(1, &[])], events, Checkpoints::WhereItMatters, expected);
    };
    let loaded = event(
        1,
        4,
        json!({"kind": "dom", "type": "load", "target": {"object": "window"}}),
    );
    check(&[timer(1, 2), loaded.clone()], "open1 run2 look module7 look");
    check(
        &[timer(1, 2), loaded, dom(1, 20, "keydown", true)],
        "open1 run2 look module7 look keydown+0 look",
    );
}

#[test]
fn a_page_that_waits_for_its_modules_has_them_before_it_is_loaded() {
    let named = |id, name| {
        event(
            1,
            id,
            json!({"kind": "dom", "type": name, "target": {"object": "window"}}),
        )
    };
    let events = [
        timer(1, 2),
        named(10, "readystatechange"),
        named(11, "load"),
        timer(1, 50),
    ];
    for (modules, expected) in [
        (LateModules::AsRecorded, "open1 run3 look module7 run1 look"),
        (LateModules::BeforeLoad, "open1 run1 late1 run2 look module7 run1 look"),
    ] {
        let late = [module(7, 1030.0)];
        check_in(
            modules,
            &late,
            &[load(1, &[])],
            &events,
            Checkpoints::WhereItMatters,
            expected,
        );
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
