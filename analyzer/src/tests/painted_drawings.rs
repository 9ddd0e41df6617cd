//! What pictures show of drawings and their parts, and of single strokes.

use super::painted::{BLACK, BLUE, Patch, check, compare_pictures};

/// As a tool bar's buttons have them: none of its lines is wide enough to fill a square.
#[test]
fn an_icon_of_thin_lines_behind_what_a_box_holds_is_seen() {
    let page = |picture: &str| {
        format!(
            "    div#back 20 20 120 40 {{display: block{picture}}}\n      div 64 28 70 24 {{display: block}}\n        \"Back\" 64 30 40 20\n"
        )
    };
    let line = |y: u32| (26, y, 24, 3, BLACK);
    let words = (64, 32, 40, 14, [90; 3]);
    let with = [words, line(28), line(35), line(42), line(49)];
    let icon = page("; background-image: url('back.png'); background-repeat: no-repeat");
    let differs = ["Visual #back: looks different around what it holds"];
    check(&icon, &with, &[words], &differs);
    check(&icon, &with, &with, &[]);
    check(
        &page("; background-image: linear-gradient(red, white)"),
        &with,
        &[words],
        &[],
    );
}

#[test]
fn a_dash_is_one_dark_line_or_two_pale_ones() {
    let page = |sign: &str| format!("    td#sign 20 20 20 18 {{display: table-cell}}\n      \"{sign}\" 20 20 20 18\n");
    let dark = [(21, 29, 18, 1, [40; 3])];
    let pale = [(21, 28, 15, 3, [140; 3])];
    let differs = ["Visual #sign: has another weight of ink"];
    check(&page("−"), &dark, &pale, &[]);
    check(&page("z"), &dark, &pale, &differs);
    check(
        &page("−"),
        &dark,
        &[(21, 29, 18, 1, [250, 0, 0])],
        &["Visual #sign: has another colour"],
    );
}

#[test]
fn words_of_a_drawing_stand_where_it_puts_them() {
    let page = |left: u32, top: u32| {
        format!(
            "    svg#map 0 0 400 200 {{display: block}}\n      text#river {left} {top} 120 20 {{display: block}}\n        \"The Elder\" {left} {top} 120 20\n"
        )
    };
    // Letters are too thin to be seen in the picture of the whole.
    let letters = |left: u32, top: u32| [(left, top + 6, 1, 8, BLUE)];
    let check = |left: u32, top: u32, expected: &[&str]| {
        let pages = [page(60, 40), page(left, top)];
        compare_pictures(
            [&pages[0], &pages[1]],
            [&letters(60, 40), &letters(left, top)],
            expected,
        );
    };
    check(64, 42, &[]);
    check(180, 90, &["Visual #river: stands elsewhere in its drawing"]);
}

#[test]
fn a_page_within_a_drawing_is_looked_at_box_by_box() {
    let page = r##"    svg#map 0 0 400 200 {display: block}
      foreignobject 40 40 100 60 {display: block}
        div#name 60 50 40 20 {display: block}
          "Ada" 62 52 30 16
"##;
    // Too thin to be seen in the picture of the whole.
    let word = [(64, 56, 1, 8, BLUE), (70, 56, 1, 8, BLUE), (76, 56, 1, 8, BLUE)];
    check(page, &word, &[], &["Visual #name: has another weight of ink"]);
}

#[test]
fn a_stroke_between_two_pixels_is_as_much_ink() {
    let page = "    div#mark 100 20 4 8 {display: block; background-color: rgb(0, 0, 0)}\n";
    let line = |pale: u8| vec![(101, 20, 1, 8, [pale; 3]), (102, 20, 1, 8, [pale; 3])];
    let sharp = vec![(101, 20, 1, 8, [120; 3])];
    check(page, &sharp, &line(186), &[]);
    let differs = ["Visual #mark: has another weight of ink"];
    check(page, &sharp, &[], &differs);
}

#[test]
fn lines_of_a_drawing_that_run_elsewhere_are_seen_though_none_is_wide() {
    let page =
        "    svg#plan 20 20 200 200 {display: inline-block}\n      text 30 30 150 20\n        \"words\" 30 30 150 16\n";
    // Three pixels wide each; and words, a little further on in the other.
    let lines = |down: bool, by: u32| {
        let line = |number: u32| {
            let at = 60 + 26 * number;
            if down {
                (at, 60, 3, 150, BLACK)
            } else {
                (30, at, 180, 3, BLACK)
            }
        };
        let letter = |number: u32| (32 + by + 9 * number, 32, 4, 10, BLACK);
        (0..6).map(line).chain((0..12).map(letter)).collect::<Vec<_>>()
    };
    check(page, &lines(false, 0), &lines(false, 5), &[]);
    let differs = ["Visual #plan: shows something else in a part"];
    check(page, &lines(false, 0), &lines(true, 0), &differs);
}

#[test]
fn the_head_of_an_arrow_that_one_browser_cannot_paint_is_seen() {
    let page = |fill: &str| {
        format!(
            "    svg#plan 20 20 300 200 {{display: inline-block}}\n      defs 0 0 0 0\n        marker#head 0 0 0 0\n          \
             path 0 0 0 0 {{fill: {fill}}}\n      path#way 30 100 200 4\n"
        )
    };
    let head = |colour: [u8; 3]| [(30, 100, 200, 4, BLUE), (226, 98, 5, 5, colour)];
    let pages = [&*page("context-stroke"), &*page("rgb(0, 0, 0)")];
    let differs = ["Visual #plan: shows something else in a part"];
    compare_pictures(pages, [&head(BLUE), &head(BLACK)], &differs);
    compare_pictures(pages, [&head(BLUE), &head(BLUE)], &[]);
    // As little for another reason is how an engine draws.
    check(pages[0], &head(BLUE), &head(BLACK), &[]);
}

#[test]
fn the_far_sides_of_a_solid_show_what_is_nearer() {
    let sides = |turns: &str| {
        format!(
            "    div#cube 100 50 100 100 {{display: block}}\n      \
             div#near 100 50 100 100 {{display: block; background-color: rgb(255, 255, 255); {turns}}}\n        \
             \"Shelf\" 104 60 50 20\n      \
             div#far 100 50 12 100 {{display: block; background-color: rgb(255, 255, 255); {turns}}}\n        \"Case\" 102 60 8 20\n"
        )
    };
    let letters: [&[Patch]; 2] = [&[(104, 62, 2, 8, BLACK)], &[(114, 62, 2, 8, BLACK)]];
    let turned = sides("backface-visibility: hidden");
    let told = ["Visual #far: has another weight of ink"];
    compare_pictures([&turned, &turned], letters, &[]);
    let plain = sides("");
    compare_pictures([&plain, &plain], letters, &told);
}

#[test]
fn an_icon_has_the_ground_and_the_shade_of_a_control_that_the_page_does_not_dress() {
    let page = |rule: &str| {
        format!(
            "{rule}    button#up 20 20 80 60 {{display: inline-block}}\n      svg 40 30 40 40 {{display: inline; stroke: rgb(0, 0, 0)}}\n"
        )
    };
    let seen = |ground: [u8; 3], ink: [u8; 3], left: u32| vec![(20, 20, 80, 60, ground), (left, 40, 12, 20, ink)];
    let [light, dark, grey] = [[239; 3], [208, 208, 215], [46, 52, 54]];
    let check = |rule: &str, other: &[Patch], expected: &[&str]| {
        check(&page(rule), &seen(light, BLACK, 54), other, expected);
    };
    check("", &seen(dark, grey, 54), &[]);
    let another = "Visual #up > svg: shows something else";
    check("", &seen(light, BLACK, 42), &[another]);
    check("", &seen(dark, [220, 40, 30], 54), &[another]);
    check(
        "@ button { background-color: rgb(239, 239, 239) }\n",
        &seen(dark, grey, 54),
        &[another],
    );
}
