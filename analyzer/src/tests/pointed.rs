//! What lies below the pointer, or just not.

use crate::replay::NoScreenshots;
use crate::testing::{document, event, lines, replay, shown};
use crate::{Mask, Options, compare};

/// A button that is darker below the pointer, which rests there in the reference, and here in the other browser.
fn titles(there: [f32; 2], here: [f32; 2]) -> Vec<String> {
    let page = |colour: &str| {
        format!(
            "@ button:hover {{background-color: rgb(9, 9, 9)}}\nhtml 0 0 1280 720\n  body 0 0 1280 720\n    button#go 100 342.188 116 20 {{display: block; background-color: {colour}}}\n      \"Go\" 110 345 20 15\n"
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
            at(page("rgb(200, 200, 200)"), there),
            &NoScreenshots,
        ),
        replay("firefox", &events, at(page("rgb(9, 9, 9)"), here), &NoScreenshots),
        &Mask::default(),
        &Options::default(),
    );
    lines(&result.xbis)
}

#[test]
fn an_edge_that_a_pointer_rests_on_is_rounded_as_each_engine_likes() {
    let none: [&str; 0] = [];
    assert_eq!(titles([150.0, 362.0], [150.0, 362.0]), none);
    let told = ["Visual #go: has another `background-color`"];
    assert_eq!(titles([150.0, 352.0], [150.0, 352.0]), told);
    assert_eq!(titles([500.0, 362.0], [500.0, 362.0]), told);
}
