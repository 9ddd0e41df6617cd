//! What stands beside controls, at the edge of what scrolls, and in columns: moved by what engines are free to do.

use crate::testing::check;

#[test]
fn words_that_an_editor_put_into_an_element_of_their_own() {
    check(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#sheet 0 0 500 60 {display: block}
      "one" 0 0 24 20 lines=1
      div 0 20 500 20 {display: block}
        "two" 0 20 24 20 lines=1
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#sheet 0 0 500 60 {display: block}
      div 0 0 500 20 {display: block}
        "one" 0 0 24 20 lines=1
      div 0 20 500 20 {display: block}
        "two" 0 20 24 20 lines=1
"##,
        &[],
    );
}

#[test]
fn what_a_narrower_control_leaves_to_the_item_beside_it() {
    let page = |control: f32| {
        let rest = 400.0 - control;
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    div#line 0 0 400 30 {{display: flex}}\n      \
             span#name 0 0 {rest} 30 {{display: block; background-color: rgb(9, 9, 9)}}\n      \
             input#count {rest} 0 {control} 30 {{display: inline-block; appearance: auto}}\n"
        )
    };
    check(&page(170.0), &page(145.0), &[]);
}

#[test]
fn a_label_in_the_line_of_a_higher_control() {
    let page = |control: f32| {
        let label = control - 20.0;
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    p#line 0 0 600 {control} {{display: block}}\n      \
             label#extras 0 {label} 120 20 {{display: inline}}\n        \
             \"Extras\" 0 {label} 50 20 lines=1\n        \
             select 60 0 60 {control} {{display: inline-block; appearance: auto}}\n"
        )
    };
    check(&page(52.0), &page(64.0), &[]);
}

#[test]
fn a_row_that_peeps_out_at_the_edge_of_what_scrolls() {
    let page = |y: f32, hidden: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    div#frame 0 0 400 100 {{display: block; overflow-x: auto; \
             overflow-y: auto}}\n      div#last 0 {y} 400 24 {hidden} {{display: block; background-color: rgb(9, 9, 9)}}\n"
        )
    };
    check(&page(101.0, "hidden"), &page(97.0, ""), &[]);
}

#[test]
fn a_paragraph_after_a_column_that_breaks_a_line_earlier() {
    let page = |lines: f32| {
        let y = lines * 24.0;
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    div 0 0 800 300 {{display: block; column-count: 2}}\n      \
             p#first 0 0 800 300 {{display: block}}\n      p#last 420 {y} 380 100 {{display: block; font-size: 16px}}\n"
        )
    };
    check(&page(2.0), &page(3.0), &[]);
}

#[test]
fn letters_that_the_font_does_not_have_run_wider_in_another_engine() {
    let page = |text: &str, width: f32| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    h1#title 0 0 1200 40 {{display: block}}\n      \
             \"{text}\" 0 0 {width} 40\n"
        )
    };
    check(&page("متجر الكتب", 161.0), &page("متجر الكتب", 184.0), &[]);
    check(&page("春はあけぼの", 83.0), &page("春はあけぼの", 143.0), &[]);
    check(
        &page("Book shop", 161.0),
        &page("Book shop", 190.0),
        &["Visual #title: is set in a font of another width"],
    );
}

#[test]
fn an_empty_box_in_an_empty_box_is_not_missed() {
    let page = |seen: &str, words: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    div#cues 0 40 480 240 {seen} {{display: block}}\n      \
             div 8 48 460 220 {seen} {{display: block}}\n        {words} 8 48 100 20 {seen}\n"
        )
    };
    check(&page("", "div"), &page("hidden", "div"), &[]);
    check(
        &page("", "\"Good evening\""),
        &page("hidden", "\"Good evening\""),
        &["Structure #cues: is not shown"],
    );
}

#[test]
fn a_stretch_that_comes_of_what_is_measured_is_seen_by_its_size() {
    let page = |transform: &str, height: f32| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    div#panel 0 40 480 {height} \
             {{display: block; background-color: rgb(1, 2, 3); transform: {transform}}}\n"
        )
    };
    let flat = page("matrix(1, 0, 0, 0.27, 0, 8)", 27.0);
    check(&flat, &page("matrix(1, 0, 0, 0.29, 0, 8)", 29.0), &[]);
    check(
        &flat,
        &page("matrix(1, 0, 0, -0.27, 0, 8)", 27.0),
        &["Visual #panel: has another `transform`"],
    );
}

#[test]
fn words_for_who_has_the_page_read_out_are_in_no_font() {
    let page = |overflow: &str, width: f32| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    span#hint 40 30 1 1 \
             {{display: block; overflow-x: {overflow}; overflow-y: {overflow}}}\n      \
             \"Toggle theme\" 40 30 {width} 15\n"
        )
    };
    check(&page("hidden", 208.0), &page("hidden", 248.0), &[]);
    check(
        &page("visible", 208.0),
        &page("visible", 248.0),
        &["Visual #hint: is set in a font of another width"],
    );
}

#[test]
fn a_line_that_runs_across_instead_of_down_is_no_other_font() {
    let page = |back: &str, words: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    div#back {back} {{display: block; background-color: rgb(1, 2, 3)}}\n      \
             \"Knots and splices\" {words}\n"
        )
    };
    check(
        &page("0 0 38 218", "9 14 17 118"),
        &page("0 0 136 218", "9 14 118 17"),
        &["Structure #back: is 98 px wider"],
    );
}

#[test]
fn a_neighbour_of_what_has_other_children_is_as_high_as_the_row() {
    let page = |high: u32, part: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    main 0 0 900 {high} {{display: flex}}\n      \
             div#shows 0 0 300 {high} {{display: block}}\n        p 0 0 300 60 {{display: block}}\n      \
             div#player 320 0 580 {high} {{display: block}}\n        b#cover 320 0 120 120 {{display: block}}\n{part}"
        )
    };
    let list = "        ol#parts 320 120 580 246 {display: block; background-color: rgb(1, 2, 3)}\n";
    check(
        &page(366, list),
        &page(120, ""),
        &["Behaviour #parts: is not in the page"],
    );
}

#[test]
fn a_formula_is_as_wide_as_the_engines_own_font_makes_it() {
    let page = |font: &str, wide: u32| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    math#sum 0 0 {wide} 40 {{display: block; background-color: rgb(1, 2, 3); font-family: {font}}}\n"
        )
    };
    check(&page("math", 144), &page("math", 179), &[]);
    check(
        &page("Euler", 144),
        &page("Euler", 179),
        &["Structure #sum: is 35 px wider"],
    );
}

#[test]
fn signs_of_a_formula_stand_where_the_engine_likes_but_not_far_away() {
    let page = |left: u32| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    math#matrix 0 0 400 30 {{display: block; font-family: Arial}}\n      \
             mtable 100 0 200 30 {{display: table}}\n        mtd 100 0 30 30 {{display: table-cell}}\n          \
             mn#one 100 0 14 28 {{display: inline}}\n        mtd {left} 0 30 30 {{display: table-cell}}\n          \
             mn#two {left} 0 14 28 {{display: inline}}\n"
        )
    };
    check(&page(140), &page(160), &[]);
    check(&page(140), &page(240), &["Structure #matrix: has its signs elsewhere"]);
}

#[test]
fn a_list_that_only_one_browser_sets_in_columns() {
    let page = |columns: &str, places: [&str; 4], high: u32| {
        let items: String = (1..)
            .zip(places)
            .map(|(at, place)| {
                format!(
                    "      li#item{at} {place} 20 {{display: list-item}}\n        \"Elm\" {} 30 18\n",
                    start(place)
                )
            })
            .collect();
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    ul#list 0 0 600 {high} {{display: block{columns}}}\n{items}    \
             footer#foot 0 {high} 600 30 {{display: block}}\n"
        )
    };
    let columns = page(
        "; column-count: 2",
        ["0 0 300", "0 20 300", "300 0 300", "300 20 300"],
        40,
    );
    let list = page("", ["0 0 600", "0 20 600", "0 40 600", "0 60 600"], 80);
    check(
        &columns,
        &list,
        &[
            "Structure #item1: is 300 px wider",
            "Structure #item3: has changed places with its neighbour",
        ],
    );
}

/// Left and top of a place.
fn start(place: &str) -> &str {
    place.rsplit_once(' ').map_or(place, |(start, _)| start)
}

#[test]
fn what_is_a_line_beyond_the_edge_of_what_scrolls() {
    let page = |y: f32, hidden: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    article#letter 20 100 400 300 {{display: block; overflow-y: auto}}\n      \
             p#pump 40 {y} 360 60 {{display: block}}\n        \
             code#mark 60 {y} 42 16 {hidden} {{display: inline; background-color: rgb(240, 230, 200)}}\n          \
             \"KP-20\" 60 {y} 42 16 {hidden}\n"
        )
    };
    check(
        &page(104.0, ""),
        &page(84.0, "hidden"),
        &["Structure #pump: stands 20 px further up"],
    );
    check(
        &page(104.0, ""),
        &page(104.0, "hidden"),
        &["Structure #mark: is not shown"],
    );
}

#[test]
fn a_table_without_rows_is_as_high_as_it_is() {
    let page = |height: f32, body: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    table#casts 20 100 560 {height} {{display: table; background-color: rgb(255, 255, 255)}}\n      \
             thead#head 20 100 560 34 {{display: table-header-group}}\n        \
             tr#row 20 100 560 34 {{display: table-row}}\n          \
             th#cast 20 100 140 34 {{display: table-cell; background-color: rgb(236, 220, 220)}}\n            \"Cast\" 30 106 40 20\n      \
             {body}"
        )
    };
    check(
        &page(275.0, "tbody#rows 20 134 560 241 {display: table-row-group}\n"),
        &page(34.0, "tbody#rows 0 0 0 0 {display: table-row-group}\n"),
        &["Structure #casts: is 241 px shorter"],
    );
}
