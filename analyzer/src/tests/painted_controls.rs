//! What pictures show of controls, much of which is each engine's own.

use super::painted::{BLACK, BLUE, Patch, check, compare_pictures, letters, ring};

#[test]
fn the_ring_of_an_editable_box_is_each_engines_own() {
    let page = |outline: &str| format!("    div#reply 20 20 200 60 {{display: block{outline}}} [contenteditable=]\n");
    check(&page("; outline-style: auto"), &ring(BLACK), &ring(BLUE), &[]);
    check(
        &page("; border-top-width: 2px"),
        &ring(BLACK),
        &ring(BLUE),
        &["Visual #reply: has another colour"],
    );
}

#[test]
fn the_ring_of_a_field_is_no_colour_of_the_words_above_it() {
    let page =
        "    label#of 40 40 60 14 {display: block}\n      \"iiiiiiiiii\" 40 40 60 14\n    input#name 40 54 200 24\n";
    let words = |ring: [u8; 3]| {
        let mut patches = letters(10, 10);
        patches.extend([(37, 51, 206, 30, ring), (40, 54, 200, 24, [255; 3])]);
        patches
    };
    check(page, &words(BLACK), &words(BLUE), &[]);
    let blue = |patches: Vec<Patch>| -> Vec<Patch> {
        let painted = |(x, y, w, h, _): Patch| (x, y, w, h, BLUE);
        patches.into_iter().map(painted).collect()
    };
    let told = ["Visual #of: has another colour"];
    check(page, &letters(10, 10), &blue(letters(10, 10)), &told);
}

#[test]
fn a_hint_that_a_rule_colours_is_looked_at_in_a_field_of_the_engines_own() {
    let page = |rule: &str, value: &str| {
        format!(
            "    input#place 20 30 200 40 {{display: inline-block; appearance: auto}} [placeholder=Where to?]{value}\n{rule}"
        )
    };
    let hint = |colour: [u8; 3]| -> Vec<Patch> { (0..10).map(|at| (40 + 6 * at, 44, 3, 14, colour)).collect() };
    let (orange, grey) = (hint([255, 150, 20]), hint([130; 3]));
    let coloured = "@ input::-webkit-input-placeholder { color: orange }\n";
    check(
        &page(coloured, ""),
        &orange,
        &grey,
        &["Visual #place: has another colour"],
    );
    check(&page("", ""), &orange, &grey, &[]);
    check(&page(coloured, " (value=Rome)"), &orange, &grey, &[]);
}

#[test]
fn the_ring_of_a_field_is_each_engines_own_whatever_unseen_rules_one_of_them_does_not_know() {
    let page = |rule: &str| {
        format!(
            "    textarea#words 20 20 200 60 {{display: inline-block; appearance: auto; outline-style: auto}}\n{rule}"
        )
    };
    let unseen = "@ textarea { interpolate-size: allow-keywords }\n";
    let (mine, theirs) = (page(unseen), page(""));
    compare_pictures([&mine, &theirs], [&ring(BLACK), &ring(BLUE)], &[]);
    let seen = page("@ textarea { box-shadow: 0 0 9px red }\n");
    let differs = ["Visual #words: looks different"];
    compare_pictures([&seen, &theirs], [&ring(BLACK), &ring(BLUE)], &differs);
}

#[test]
fn arrows_that_a_rule_hides_in_one_browser_alone_are_seen_in_the_other() {
    let page = |rule: &str| format!("    input#n 20 30 200 40 {{display: inline-block; appearance: auto}}\n{rule}");
    let digit = || vec![(30, 42, 3, 14, BLACK)];
    let mut arrows = digit();
    arrows.extend([(190, 42, 16, 4, [90; 3]), (190, 52, 16, 4, [90; 3])]);
    let hidden = "@ input::-webkit-inner-spin-button { margin: 0px }\n";
    check(
        &page(hidden),
        &digit(),
        &arrows,
        &["Visual #n: has something at its end that should not be there"],
    );
    check(&page(""), &digit(), &arrows, &[]);
}

#[test]
fn scroll_bars_are_their_engines_own() {
    let dark = [30; 3];
    let pane = (20, 20, 200, 100, dark);
    let page = |overflow: &str| {
        format!(
            "    div#pane 20 20 200 100 {{display: block; background-color: rgb(30, 30, 30); overflow-y: {overflow}}}\n      p#line 30 30 100 18 {{display: block}}\n        \"A line\" 30 30 60 18\n"
        )
    };
    let bar = [pane, (206, 20, 14, 100, [255; 3])];
    check(&page("auto"), &[pane], &bar, &[]);
    check(
        &page("visible"),
        &[pane],
        &bar,
        &["Visual #pane: looks different around what it holds"],
    );
}

#[test]
fn the_cross_of_a_field_to_search_in_is_its_engines_own() {
    let page = |kind: &str| {
        format!(
            "    input#find 20 20 200 40 {{display: inline-block; border-top-width: 1px}} [type={kind}] (value=oslo)\n"
        )
    };
    let cross = |colour: [u8; 3]| vec![(20, 20, 200, 1, BLACK), (190, 32, 16, 16, colour)];
    check(&page("search"), &cross(BLUE), &cross(BLACK), &[]);
    check(
        &page("text"),
        &cross(BLUE),
        &cross(BLACK),
        &["Visual #find: has another colour"],
    );
}

#[test]
fn what_is_selected_in_a_field_is_marked_as_each_engine_does() {
    let page = |live: &str| {
        format!(
            "@ #name {{ background-color: rgb(255, 255, 255) }}\n    input#name 20 20 200 24 {{display: inline-block; background-color: rgb(255, 255, 255)}}{live}\n"
        )
    };
    let marked = |mark: [u8; 3]| [(24, 24, 60, 16, mark), (28, 28, 50, 8, [20; 3])];
    let (blue, grey) = (marked([50, 100, 210]), marked([190, 210, 240]));
    check(&page(" (selected-text=true)"), &blue, &grey, &[]);
    check(&page(""), &blue, &grey, &["Visual #name: has another colour"]);
}
