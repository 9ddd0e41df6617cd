//! Scripts that come when they like.

use super::*;
use std::collections::BTreeSet;
use xcheck_trace::event::Local;

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
fn a_module_comes_before_the_event_in_which_it_ran() {
    let running = |id, key, ran: &[u64]| Event {
        local: Local {
            ran: ran.to_vec(),
            ..Local::default()
        },
        ..event(1, id, json!({"kind": "script", "key": key, "order": "module"}))
    };
    let check = |modules: &[Exchange], events: &[Event], expected| {
        check_with(modules, &[load(1, &[])], events, Checkpoints::WhereItMatters, expected);
    };
    let imported = |id, came, by: &str| {
        let mut imported = module(id, came);
        imported.request.headers.push(("referer".to_owned(), by.to_owned()));
        imported
    };
    // However long before it came, and whatever ran without an event meanwhile.
    check(
        &[module(7, 1001.0), imported(8, 1002.0, "http://a.test/")],
        &[
            timer(1, 3),
            running(5, "#import", &[]),
            timer(1, 400),
            running(401, "#import", &[8]),
            timer(1, 402),
            running(403, "http://a.test/7", &[7]),
        ],
        "open1 run3 module8 run2 module7 run1 look",
    );
    // What imports another one comes before that: without it nobody asks for the other.
    let events = [
        timer(1, 3),
        running(40, "#import", &[8]),
        timer(1, 41),
        running(42, "#import", &[7]),
    ];
    let expected = "open1 run1 module7 module8 run3 look";
    check(
        &[module(7, 1001.0), imported(8, 1002.0, "http://a.test/7")],
        &events,
        expected,
    );
    check(&[module(7, 1001.0), module(8, 1002.0)], &events, expected);
    check(
        &[module(7, 1001.0), imported(8, 1002.0, "http://a.test/")],
        &events,
        "open1 run1 module8 run2 module7 run1 look",
    );
    // One of those that run together is held, if they need it.
    let together = [timer(1, 3), running(40, "#import", &[9, 8, 7, 6])];
    let imports = Graph::from([
        (7, BTreeSet::from([7, 8, 9])),
        (8, BTreeSet::from([8])),
        (9, BTreeSet::from([9])),
        (6, BTreeSet::from([6])),
    ]);
    check_in(
        LateModules::AsRecorded,
        &imports,
        &[6, 7, 8, 9].map(|id| imported(id, 1002.0, "http://a.test/")),
        &[load(1, &[])],
        &together,
        Checkpoints::WhereItMatters,
        "open1 run1 module6 module9 run1 look",
    );
    // One that awaits something at its top ends in the event of what it awaited.
    let mut awaited = timer(1, 20);
    awaited.local.ran = vec![7];
    check(&[module(7, 1001.0)], &[timer(1, 3), awaited], "open1 module7 run2 look");
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
            &Graph::new(),
            &late,
            &[load(1, &[])],
            &events,
            Checkpoints::WhereItMatters,
            expected,
        );
    }
}

#[test]
fn what_a_page_called_for_before_it_was_loaded_is_not_held_where_loading_waits_for_it() {
    let check = |imports: &[&str], expected: &[u64]| {
        let mut calling = timer(1, 2);
        calling.local.promise = imports.iter().map(|api| (*api).to_owned()).collect();
        let loaded = event(
            1,
            10,
            json!({"kind": "dom", "type": "load", "target": {"object": "window"}}),
        );
        let settled = json!({"kind": "settle", "list": "promise", "of": [2, 0], "outcome": "fulfilled"});
        let events = [calling, loaded, event(1, 30, settled), timer(1, 60)];
        // The requests arrive when the page is loaded.
        let late = [module(7, 1015.0), module(8, 1016.0), module(9, 1050.0)];
        let (_folder, trace) = trace_of(&late, &[load(1, &[])], &events);
        let plan = plan(
            &trace,
            Checkpoints::WhereItMatters,
            LateModules::AsTheyLike,
            &Graph::new(),
        );
        let held: Vec<u64> = plan.held.into_iter().filter(|one| *one > 6).collect();
        assert_eq!(held, expected, "{imports:?}");
    };
    check(&["Response.json"], &[7, 8, 9]);
    check(&["import"], &[9]);
}

#[test]
fn what_was_not_found_is_not_what_a_busy_page_runs() {
    let imported = event(1, 20, json!({"kind": "script", "key": "#import", "order": "module"}));
    let not_found = Exchange {
        response: serde_json::from_value(json!({"status": 404, "version": "HTTP/1.1", "headers": []})).unwrap(),
        ..module(7, 1002.5)
    };
    check_with(
        &[not_found],
        &[load(1, &[])],
        &[timer(1, 2), timer(1, 5), imported],
        Checkpoints::WhereItMatters,
        "open1 run1 module7 run2 look",
    );
}

#[test]
fn a_script_that_begins_with_an_exception_is_not_held_for_it() {
    let scripts = |between: Event| vec![script(1, 0, "parser"), between, script(1, 2, "parser")];
    let x = |id, at| Exchange {
        request: RequestHead {
            url: "http://a.test/x".to_owned(),
            ..asked_for(id, at).request
        },
        ..asked_for(id, at)
    };
    let exchanges = [x(8, 999.0), x(9, 1001.0)];
    let check = |between, expected| {
        let events = scripts(between);
        check_with(
            &exchanges,
            &[load(1, &[])],
            &events,
            Checkpoints::WhereItMatters,
            expected,
        );
    };
    check(timer(1, 1), "open1 run2 let9 run1 look");
    let thrown = json!({"kind": "error", "message": "Error: no", "via": "error"});
    check(event(1, 1, thrown.clone()), "open1 run3 look");
    // What has run meanwhile holds it, and its exception with it.
    let mut own = thrown;
    own["source"] = json!("http://a.test/x");
    let before = json!({"kind": "script", "key": "http://a.test/w", "order": "parser"});
    let events = [
        event(1, 0, before),
        timer(1, 1),
        event(1, 2, own),
        script(1, 3, "parser"),
    ];
    let expected = "open1 run2 let9 run2 look";
    check_with(
        &exchanges,
        &[load(1, &[])],
        &events,
        Checkpoints::WhereItMatters,
        expected,
    );
}
