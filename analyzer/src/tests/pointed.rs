//! What lies below the pointer, or just not.

use crate::replay::NoScreenshots;
use crate::testing::{document, event, lines, replay, shown};
use crate::{Mask, Options, compare};

/// A button that is darker below the pointer, which rests there in the reference, and here in the other browser.
fn titles(there: [f32; 2], here: [f32; 2]) -> Vec<String> {
    risen(there, here, 0.0)
}

/// The same, which also rises by so many pixels.
fn risen(there: [f32; 2], here: [f32; 2], by: f32) -> Vec<String> {
    let page = |colour: &str, up: f32| {
        let (y, transform) = match up > 0.0 {
            true => (342.188 - up, format!("; transform: matrix(1, 0, 0, 1, 0, -{up})")),
            false => (342.188, String::new()),
        };
        format!(
            "@ button:hover {{background-color: rgb(9, 9, 9)}}\nhtml 0 0 1280 720\n  body 0 0 1280 720\n    button#go 100 {y} 116 20 {{display: block; background-color: {colour}{transform}}}\n      \"Go\" 110 345 20 15\n"
        )
    };
    let at = |page: String, pointer| {
        let mut shown = shown(1, document(&page));
        shown.checkpoint.pointer = Some(pointer);
        vec![shown]
    };
    let events = [event(1, "load")];
    let (result, _) = compare(
        replay(
            "chromium",
            &events,
            at(page("rgb(200, 200, 200)", 0.0), there),
            &NoScreenshots,
        ),
        replay("firefox", &events, at(page("rgb(9, 9, 9)", by), here), &NoScreenshots),
        &Mask::default(),
        &Options::default(),
    );
    lines(&result.xbis)
}

#[test]
fn what_rises_below_a_pointer_had_its_edge_lower() {
    let none: [&str; 0] = [];
    assert_eq!(risen([150.0, 364.0], [150.0, 362.0], 2.0), none);
    let told = ["Visual #go: has another `background-color`"];
    assert_eq!(risen([150.0, 352.0], [150.0, 352.0], 2.0), told);
}

#[test]
fn an_edge_that_a_pointer_rests_on_is_rounded_as_each_engine_likes() {
    let none: [&str; 0] = [];
    assert_eq!(titles([150.0, 362.0], [150.0, 362.0]), none);
    let told = ["Visual #go: has another `background-color`"];
    assert_eq!(titles([150.0, 352.0], [150.0, 352.0]), told);
    assert_eq!(titles([500.0, 362.0], [500.0, 362.0]), told);
}
