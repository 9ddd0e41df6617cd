//! What engines are free to do is not said.

use crate::testing::{check, compare_pages};

#[test]
fn widths_of_words_and_all_that_follows_from_them() {
    check(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    nav 0 0 1280 40 {display: flex}
      a#home 0 0 80 40 {display: block}
        "Home page" 0 10 80 20
      a#shop 100 0 120 40 {display: block}
        "Shop with us" 100 10 120 20
      a#help 240 0 60 40 {display: block}
        "Help" 240 10 60 20
      div#end 1200 0 80 40 {display: block}
        "Sign in" 1200 10 80 20
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    nav 0 0 1280 40 {display: flex}
      a#home 0 0 84 40 {display: block}
        "Home page" 0 10 84 20
      a#shop 104 0 127 40 {display: block}
        "Shop with us" 104 10 127 20
      a#help 251 0 62 40 {display: block}
        "Help" 251 10 62 20
      div#end 1195 0 85 40 {display: block}
        "Sign in" 1195 10 85 20
"##,
        &[],
    );
}

#[test]
fn a_line_one_pixel_taller_twenty_times() {
    let page = |line: f32| {
        let mut page = format!("html 0 0 1280 {h}\n  body 0 0 1280 {h}\n", h = line * 20.0 + 30.0);
        for at in 0..20 {
            let y = at as f32 * line;
            page += &format!("    p 0 {y} 600 {line} {{display: block}}\n      \"line {at}\" 0 {y} 50 {line}\n");
        }
        page + &format!("    footer#end 0 {} 600 30 {{display: block}}\n", 20.0 * line)
    };
    check(&page(18.0), &page(19.0), &[]);
}

#[test]
fn a_scroll_bar_that_takes_room() {
    check(
        r##"
html 0 0 1265 2000
  body 0 0 1265 2000
    main#main 0 0 1265 1000 {display: block}
      div#centre 432.5 0 400 100 {display: block}
      div#right 1165 100 100 100 {display: block}
      div#half 0 200 632.5 100 {display: block}
"##,
        r##"
html 0 0 1280 2000
  body 0 0 1280 2000
    main#main 0 0 1280 1000 {display: block}
      div#centre 440 0 400 100 {display: block}
      div#right 1180 100 100 100 {display: block}
      div#half 0 200 640 100 {display: block}
"##,
        &[],
    );
}

#[test]
fn the_look_of_form_controls() {
    check(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    form 0 0 1280 60 {display: block}
      input#name 0 0 153 21 {appearance: auto; display: inline-block; border-top-width: 2px; border-top-color: rgb(118, 118, 118)}
      select#size 160 0 60 19 {appearance: auto; display: inline-block; color: rgb(0, 0, 0)}
      button#go 230 0 50 21 {appearance: auto; display: inline-block; background-color: rgb(239, 239, 239)}
        "Go" 240 3 20 15
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    form 0 0 1280 60 {display: block}
      input#name 0 0 185 23 {appearance: auto; display: inline-block; border-top-width: 2px; border-top-color: rgb(0, 0, 0)}
      select#size 192 0 75 23 {appearance: auto; display: inline-block; color: rgb(20, 20, 20)}
      button#go 277 0 54 24 {appearance: auto; display: inline-block; background-color: rgb(233, 233, 237)}
        "Go" 287 3 20 17
"##,
        &[],
    );
}

#[test]
fn a_box_that_a_control_in_it_widens() {
    let page = |slider: u32, field: u32| {
        format!(
            r##"
html 0 0 1280 720
  body 0 0 1280 720
    form 20 20 190 200 {{display: block}}
      fieldset 20 20 {field} 60 {{display: block; border-top-width: 1px}}
        label 20 30 {field} 27 {{display: flex}}
          input#top 20 33 {slider} 16 {{appearance: auto; display: block}}
          output#shown {} 30 38 22 {{display: block}}
            "€240" {} 32 38 18
"##,
            slider + 28,
            slider + 28
        )
    };
    check(&page(153, 199), &page(175, 221), &[]);
    check(
        &page(153, 199),
        &page(153, 241),
        &["Structure html > body > form > fieldset: is 42 px wider"],
    );
}

#[test]
fn one_line_more_in_a_long_paragraph() {
    check(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    p#long 0 0 400 180 {display: block}
      "many words" 0 0 400 180 lines=9
    p#next 0 180 400 20 {display: block}
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    p#long 0 0 400 200 {display: block}
      "many words" 0 0 400 200 lines=10
    p#next 0 200 400 20 {display: block}
"##,
        &[],
    );
}

#[test]
fn kinds_of_space_in_a_time() {
    check(
        "html 0 0 9 9\n  body 0 0 9 9\n    p 0 0 90 20\n      \"3:05 PM\" 0 0 50 20",
        "html 0 0 9 9\n  body 0 0 9 9\n    p 0 0 90 20\n      \"3:05\u{202f}PM\" 0 0 49 20",
        &[],
    );
}

#[test]
fn words_of_a_paragraph_stand_where_the_lines_put_them() {
    check(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    p#text 0 0 400 60 {display: block}
      "some words" 0 0 400 40 lines=2
      a#link 300 20 60 20 {display: inline}
        "a link" 300 20 60 20
      "more" 0 20 400 40 lines=2
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    p#text 0 0 400 60 {display: block}
      "some words" 0 0 400 60 lines=3
      a#link 0 40 63 20 {display: inline}
        "a link" 0 40 63 20
      "more" 0 40 400 20 lines=1
"##,
        &[],
    );
}

#[test]
fn scripts_that_mark_the_root_with_what_a_browser_can_do() {
    check(
        "html.js.no-flexgap 0 0 1280 720\n  body 0 0 1280 720",
        "html.js.flexgap 0 0 1280 720\n  body 0 0 1280 720",
        &[],
    );
}

#[test]
fn a_stretched_neighbour_of_a_taller_card_is_not_blamed() {
    check(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#cards 0 0 600 100 {display: flex}
      div#a 0 0 300 100 {display: block}
        img#pic 0 0 100 100 natural=100,100,1
      div#b 300 0 300 100 {display: block}
    p#after 0 100 600 20 {display: block}
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#cards 0 0 600 160 {display: flex}
      div#a 0 0 300 160 {display: block}
        img#pic 0 0 100 160 natural=100,100,1
      div#b 300 0 300 160 {display: block}
    p#after 0 160 600 20 {display: block}
"##,
        &["Structure #pic: is 60 px taller"],
    );
}

#[test]
fn a_box_that_breaks_over_columns_in_one_browser_only() {
    let page = |second: &str| {
        format!(
            r##"
html 0 0 1280 720
  body 0 0 1280 720
    ul#list 0 0 900 60 {{display: block; column-count: 2}}
      li#one 0 0 440 28 {{display: list-item}}
      li#two {second} {{display: list-item}}
      li#three 460 0 440 28 {{display: list-item}}
"##
        )
    };
    check(&page("0 28 440 28"), &page("0 0 900 54"), &[]);
}

#[test]
fn a_positioned_box_that_keeps_to_its_sibling_in_the_flow() {
    let page = |taller: u32| {
        let (card, tip) = (100 + taller, 122 + taller);
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    textarea#note 0 0 300 {} {{display: block}}\n    \
             div#card 0 {card} 700 40 {{display: block}}\n      span#anchor 10 {card} 60 20 {{display: inline-block}}\n      \
             div#tip 10 {tip} 60 30 {{display: block; position: absolute}}\n",
            80 + taller
        )
    };
    check(&page(0), &page(30), &["Structure #note: is 30 px taller"]);
}

#[test]
fn what_a_larger_neighbour_pushes_out_of_what_scrolls() {
    let lane = |first: f32, lines: u32, scrolled: f32, shown: &str| {
        let top = 100.0 - scrolled;
        format!(
            r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#lane 0 100 260 120 {{display: block; overflow-y: auto; overflow-x: auto}}
      p#address 0 {top} 260 {first} {{display: block}}
        "https://example.com/somewhere" 0 {top} 250 {first} lines={lines}
      p#keys 0 {} 260 60 {{display: block}}
        "Keys" 0 {} 40 60
      p#last 0 {} 260 40 {{display: block; background-color: rgb(255, 0, 0)}} {shown}
        "Last" 0 {} 40 40 {shown}
"##,
            top + first,
            top + first,
            top + first + 60.0,
            top + first + 60.0,
        )
    };
    let told = ["Structure #address: takes 3 lines instead of 2 lines"];
    check(&lane(40.0, 2, 0.0, ""), &lane(60.0, 3, 0.0, "hidden"), &told);
    // Scrolled to the end.
    check(&lane(40.0, 2, 20.0, ""), &lane(60.0, 3, 40.0, ""), &told);
}

#[test]
fn a_cell_without_words_whose_column_is_narrowed_by_words_in_others() {
    let page = |width: f32| {
        let x = 700.0 - width;
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    table 0 0 700 30 {{display: table}}\n      \
             tr 0 0 700 30 {{display: table-row}}\n        td 0 0 {x} 30 {{display: table-cell}}\n          \"Maria Lopez\" 4 5 90 20\n        \
             td#bar {x} 0 {width} 30 {{display: table-cell; border-bottom-width: 1px}}\n          img {x} 5 120 20 natural=120,20,1\n"
        )
    };
    check(&page(380.0), &page(371.5), &[]);
}

#[test]
fn columns_that_are_shared_out_otherwise_where_nobody_sees_them_end() {
    let page = |ends: [f32; 2], lines: &str, number: f32| {
        let [first, second] = ends;
        let cell = |id: &str, from: f32, to: f32| {
            format!(
                "        td#{id} {from} 0 {} 44 {{display: table-cell; border-bottom-width: 1px{lines}}}\n",
                to - from
            )
        };
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    table 0 0 520 44 {{display: table}}\n      tr 0 0 520 44 {{display: table-row}}\n\
             {}          \"Off for the card\" 16 10 110 22\n{}          \"20 %\" {number} 10 36 22\n{}          \"16.80\" 464 10 40 22\n",
            cell("what", 0.0, first),
            cell("many", first, second),
            cell("costs", second, 520.0),
        )
    };
    check(&page([211.0, 382.0], "", 330.0), &page([156.0, 367.0], "", 315.0), &[]);
    // Lines between them are seen, and so are words that stand elsewhere.
    let framed = "; border-left-width: 1px";
    check(
        &page([211.0, 382.0], framed, 330.0),
        &page([156.0, 367.0], framed, 315.0),
        &["Structure #what: is 55 px narrower"],
    );
    check(
        &page([211.0, 382.0], "", 330.0),
        &page([156.0, 327.0], "", 275.0),
        &["Structure #what: is 55 px narrower"],
    );
}

#[test]
fn a_box_whose_row_was_as_high_as_a_neighbour_that_only_one_browser_shows() {
    let page = |height: f32, aside: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    div#page 0 0 800 {height} {{display: grid}}\n\
             \x20     article#news 0 0 520 {height} {{display: block}}\n        p#words 0 0 520 140 {{display: block}}\n{aside}"
        )
    };
    let aside = "      aside#most 550 0 220 220 {display: block; background-color: rgb(9, 9, 9)}\n";
    check(
        &page(220.0, aside),
        &page(145.0, "      aside#most 0 0 0 0 {display: none}\n"),
        &["Structure #most: is not shown"],
    );
    // A neighbour that ends elsewhere did not make the row what it was.
    let lower = "      aside#most 550 0 220 180 {display: block; background-color: rgb(9, 9, 9)}\n";
    check(
        &page(220.0, lower),
        &page(145.0, "      aside#most 0 0 0 0 {display: none}\n"),
        &["Structure #news: is 75 px shorter", "Structure #most: is not shown"],
    );
}

#[test]
fn what_closes_ranks_behind_a_neighbour_that_has_gone_to_the_end() {
    let page = |home: f32, visit: f32, shop: f32| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    nav 0 0 1280 40 {{display: flex}}\n\
             \x20     a#home {home} 0 71 40 {{display: block}}\n        \"Home\" {home} 10 60 20\n\
             \x20     a#visit {visit} 0 63 40 {{display: block}}\n        \"Visit\" {visit} 10 50 20\n\
             \x20     a#shop {shop} 0 90 40 {{display: block}}\n        \"Shop\" {shop} 10 80 20\n"
        )
    };
    check(
        &page(20.0, 95.0, 162.0),
        &page(181.0, 20.0, 87.0),
        &["Structure #home: stands 161 px further right"],
    );
}

#[test]
fn the_font_of_a_button_whose_rule_is_about_what_stands_after_it_or_taken_back() {
    let page = |rule: &str, font: &str| {
        format!(
            "@ {rule}\nhtml 0 0 1280 720\n  body 0 0 1280 720\n    button#go 0 0 90 30 {{display: inline-block; font-family: {font}}}\n      \"Go\" 10 5 20 20\n"
        )
    };
    let checked = |rule: &str, expected: &[&str]| check(&page(rule, "Arial"), &page(rule, "Serif"), expected);
    checked("button::after { font-family: Arial }", &[]);
    checked("button { font-family: Arial }\n@ #go { all: revert }", &[]);
    checked(
        "button { font-family: Arial }",
        &["Visual #go: has another `font-family`"],
    );
}

#[test]
fn what_nobody_can_come_to() {
    let page = |field: u32, filler: u32| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    div#editor 20 20 600 300 {{display: block; overflow-x: hidden; overflow-y: hidden}}\n      \
             div#taker 60 24 3 0 {{display: block; overflow-x: hidden; overflow-y: hidden; position: relative}}\n        \
             textarea#field 60 24 {field} 20 {{display: block; position: absolute}}\n      \
             div#gutter 20 20 29 {filler} {{display: block}}\n"
        )
    };
    check(&page(1002, 350), &page(5, 300), &[]);
}

#[test]
fn what_is_cut_off_in_one_browser_alone_is_said() {
    let page = |height: u32| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    div#room 20 20 600 300 {{display: block; overflow-x: hidden; overflow-y: hidden}}\n      \
             div#bar 20 20 29 {height} {{display: block; background-color: #ff0000}}\n"
        )
    };
    check(&page(350), &page(200), &["Structure #bar: is 150 px shorter"]);
}

#[test]
fn a_calendar_below_the_second_of_two_narrower_fields_follows_it() {
    let page = |width: u32, calendar: u32| {
        let second = 28 + width;
        format!(
            "
html 0 0 1280 720
  body 0 0 1280 720
    p#fields 20 20 1240 24 {{display: block}}
      input#from 20 20 {width} 24 {{display: inline-block; appearance: auto}}
      input#to {second} 20 {width} 24 {{display: inline-block; appearance: auto}}
    div#calendar {calendar} 48 240 200 {{display: block; position: absolute; border-top-width: 1px}}
"
        )
    };
    check(&page(180, 208), &page(154, 182), &[]);
    check(
        &page(180, 208),
        &page(154, 120),
        &["Structure #calendar: stands 88 px further left"],
    );
    check(
        &page(180, 208),
        &page(180, 120),
        &["Structure #calendar: stands 88 px further left"],
    );
}

#[test]
fn an_inline_style_that_sets_what_is_so_anyway() {
    let page = |style: &str, filter: &str| {
        format!(
            "html 0 0 1280 720
  body 0 0 1280 720
    canvas#stage 0 0 480 320 {{display: block; filter: {filter}}} {style}
    p#said 0 330 480 20 {{display: block}}
      \"WORDS\" 0 330 90 20
"
        )
    };
    let plain = || page("", "none").replace("WORDS", "as it was");
    let with = |style, filter| page(style, filter).replace("WORDS", "as it is");
    let told = ["Text #said: reads differently"];
    check(&plain(), &with("[style=filter: none;]", "none"), &told);
    let marked = compare_pages(&plain(), &with("[style=filter: sepia(1);]", "sepia(1)"));
    assert!(format!("{:?}", marked.xbis).contains("sepia"));
}
