//! What a person does, and what comes of it.

use super::*;

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

#[test]
fn nobody_looks_between_the_presses_of_a_double_click() {
    let pressed = |id: u32, clicks: u32| {
        let what = json!({"kind": "dom", "type": "pointerdown", "gesture": true, "target": {"object": "window"},
            "data": {"clicks": clicks}});
        event(1, id, what)
    };
    let plan_of = |clicks: u32, expected: &str| {
        let events = [
            dom(1, 0, "load", false),
            pressed(1, 1),
            dom(1, 2, "pointerup", true),
            dom(1, 3, "click", false),
            pressed(4, clicks),
            dom(1, 5, "pointerup", true),
        ];
        check(&[load(1, &[])], &events, Checkpoints::WhereItMatters, expected);
    };
    plan_of(
        2,
        "open1 run1 look pointerdown+0 pointerup+1 pointerdown+0 pointerup+0 look",
    );
    plan_of(
        1,
        "open1 run1 look pointerdown+0 pointerup+1 look pointerdown+0 pointerup+0 look",
    );
}

#[test]
fn typing_is_one_run_up_to_a_key_that_leads_on() {
    let pressed = |id: u32, name: &str, key: &str| {
        let what =
            json!({"kind": "dom", "type": name, "gesture": true, "target": {"object": "window"}, "data": {"key": key}});
        event(1, id, what)
    };
    let events = [
        dom(1, 0, "load", false),
        pressed(1, "keydown", "a"),
        pressed(2, "keyup", "a"),
        pressed(3, "keydown", "Enter"),
        dom(1, 4, "search", false),
        pressed(5, "keyup", "Enter"),
        pressed(6, "keydown", "b"),
        pressed(7, "keyup", "b"),
    ];
    check(
        &[load(1, &[])],
        &events,
        Checkpoints::WhereItMatters,
        "open1 run1 look keydown+0 keyup+0 keydown+1 keyup+0 look keydown+0 keyup+0 look",
    );
}

/// A pointer event at 10 times `x`.
fn pointer(id: u32, name: &str, x: impl Into<f64>, gesture: bool) -> Event {
    let what = json!({"kind": "dom", "type": name, "gesture": gesture, "target": {"object": "window"},
        "data": {"x": x.into() * 10.0, "y": 5}});
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

/// The same in the middle of the page's frame, which has pixels of its own.
fn in_frame(id: u32, name: &str, x: f64, gesture: bool) -> Event {
    let what = json!({"kind": "dom", "type": name, "gesture": gesture,
        "target": {"object": "node", "path": "html>body>iframe:1>#frame>html>body>p:1"}, "data": {"x": x, "y": 4}});
    event(1, id, what)
}

#[test]
fn what_a_move_passes_in_a_frame_comes_with_what_it_passes_around_that() {
    let events = [
        pointer(0, "pointermove", 1, true),
        pointer(1, "mouseover", 2, false),
        in_frame(2, "mouseover", 3.0, false),
        in_frame(3, "pointermove", 3.0, true),
        in_frame(4, "mouseleave", -7.0, false),
        pointer(5, "mouseover", 1, false),
        pointer(6, "pointermove", 1, true),
    ];
    check(
        &[load(1, &[])],
        &events,
        Checkpoints::WhereItMatters,
        "open1 pointermove+0 pointermove+2 move1 pointermove+1 look",
    );
}

#[test]
fn what_a_mouse_tells_of_a_move_is_that_moves_whose_pointer_is_between_two_pixels() {
    let events = [
        pointer(0, "pointerout", 1.02, false),
        pointer(1, "mouseout", 1, false),
        pointer(2, "mouseover", 1, false),
        pointer(3, "pointermove", 1.02, true),
    ];
    check(
        &[load(1, &[])],
        &events,
        Checkpoints::WhereItMatters,
        "open1 pointermove+3 look",
    );
}

#[test]
fn typing_is_not_looked_at_between_two_keys() {
    let keys = ["keydown", "keyup", "keydown", "keyup"];
    let events: Vec<Event> = (0..).zip(keys).map(|(id, name)| dom(1, id, name, true)).collect();
    let expected = "open1 keydown+0 keyup+0 keydown+0 keyup+0 look";
    check(&[load(1, &[])], &events, Checkpoints::WhereItMatters, expected);
}

#[test]
fn what_a_listener_throws_keeps_nothing_from_coming_of_the_same_press() {
    let thrown = |id: u32| {
        event(
            1,
            id,
            json!({"kind": "error", "message": "no", "source": "", "line": 1, "column": 1, "stack": "", "via": "error"}),
        )
    };
    let events = [
        dom(1, 1, "pointerup", true),
        thrown(2),
        dom(1, 3, "mouseup", false),
        dom(1, 4, "click", false),
        thrown(5),
    ];
    check(
        &[load(1, &[])],
        &events,
        Checkpoints::WhereItMatters,
        "open1 pointerup+2 run2 look",
    );
}

#[test]
fn what_a_list_tells_of_a_choice_comes_with_the_choice_and_not_with_the_move_before() {
    let of_list = |id: u32, name: &str, gesture: bool| {
        let list = json!({"object": "node", "path": "html>body>select:1"});
        event(
            1,
            id,
            json!({"kind": "dom", "type": name, "gesture": gesture, "target": list}),
        )
    };
    let after = |first: Event| [first, of_list(2, "input", false), of_list(3, "change", true)];
    let check =
        |first: Event, expected: &str| check(&[load(1, &[])], &after(first), Checkpoints::WhereItMatters, expected);
    check(
        pointer(1, "pointermove", 1, true),
        "open1 pointermove+0 look change+1 look",
    );
    // Without a window of its own the key brings it.
    check(dom(1, 1, "keydown", true), "open1 keydown+1 look change+0 look");
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
fn a_field_that_its_window_is_closed_with_loses_the_focus_for_no_gesture() {
    let typed = [dom(1, 1, "keydown", true), dom(1, 2, "keyup", true)];
    let closed = [dom(1, 3, "change", false), dom(1, 4, "blur", false)];
    let check = |loads: &[Load], events: &[Event], expected| {
        check_with(&[], loads, events, Checkpoints::WhereItMatters, expected);
    };
    let all = [typed.as_slice(), &closed].concat();
    check(&[load(1, &[])], &all, "open1 keydown+0 keyup+0 leave2 look");
    // What a press does to the focus comes of it, and what the focus is taken for before another page comes may.
    check(
        &[load(1, &[])],
        &[&typed[..1], &closed].concat(),
        "open1 keydown+2 look",
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
