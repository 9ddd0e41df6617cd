//! What a person sees is said, once, at the right place.

use crate::findings::Because;
use crate::testing::{check, compare_pages, lines};

const ROW: &str = r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#row 0 0 1280 40 {display: flex}
      div#a 0 0 100 40 {display: block; background-color: rgb(9, 9, 9)}
      div#b 120 0 100 40 {display: block; background-color: rgb(9, 9, 9)}
      div#c 240 0 100 40 {display: block; background-color: rgb(9, 9, 9)}
"##;

#[test]
fn a_gap_that_is_not_supported_is_one_finding_with_its_declaration() {
    let reference = format!("{ROW}@ #row {{ display: flex; gap: 20px; row-gap: 20px; column-gap: 20px }}");
    let other = r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#row 0 0 1280 40 {display: flex}
      div#a 0 0 100 40 {display: block; background-color: rgb(9, 9, 9)}
      div#b 100 0 100 40 {display: block; background-color: rgb(9, 9, 9)}
      div#c 200 0 100 40 {display: block; background-color: rgb(9, 9, 9)}
@ #row { display: flex }
"##;
    let result = compare_pages(&reference, other);
    assert_eq!(lines(&result.xbis), ["Structure #b: stands 20 px further left"]);
    let cause = result.xbis[0].cause.as_ref().unwrap();
    assert!(cause.text.contains("is not supported by Firefox 153"), "{}", cause.text);
    assert!(
        matches!(&cause.because, Because::Unsupported { dropped } if dropped.iter().any(|one| one.declaration == "column-gap: 20px"))
    );
}

#[test]
fn an_offset_is_said_where_it_begins_and_not_below() {
    check(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    header#top 0 0 1280 100
    main#main 0 100 1280 300
      p#one 0 100 1280 20
      p#two 0 120 1280 20
    footer#end 0 400 1280 50
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    header#top 0 0 1280 140
    main#main 0 140 1280 300
      p#one 0 140 1280 20
      p#two 0 160 1280 20
    footer#end 0 440 1280 50
"##,
        &["Structure #top: is 40 px taller"],
    );
}

#[test]
fn a_missing_box_is_one_finding_for_all_it_holds() {
    check(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#menu 0 0 200 100
      ul#list 0 0 200 100
        li 0 0 200 20
          "Home" 0 0 40 20
        li 0 20 200 20
          "Shop" 0 20 40 20
    div#rest 0 100 1280 20
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#menu 0 0 0 0 hidden
      ul#list 0 0 0 0 hidden
        li 0 0 0 0 hidden
          "Home" 0 0 0 0 hidden
        li 0 0 0 0 hidden
          "Shop" 0 0 0 0 hidden
    div#rest 0 0 1280 20
"##,
        &["Structure #menu: is not shown"],
    );
}

#[test]
fn a_column_that_only_one_browser_puts_away_is_found_by_its_cells() {
    let page = |street: &str, fee: u32| {
        format!(
            r##"
html 0 0 1280 720
  body 0 0 1280 720
    table#ledger 0 0 {table} 40 {{display: table}}
      tr#row 0 0 {table} 40 {{display: table-row}}
        td#name 0 0 200 40 {{display: table-cell}}
          "Ida" 10 10 30 16
        td#street {street} {{display: table-cell}}
          "Mill Lane 3" 210 10 80 16
        td#fee {fee} 0 100 40 {{display: table-cell}}
          "9.00" {fee} 10 30 16
"##,
            table = fee + 100
        )
    };
    let [shown, away] = [page("200 0 300 40", 500), page("200 0 0 40", 200)];
    check(&away, &shown, &["Structure #street: is shown, and should not be"]);
    check(&shown, &away, &["Structure #street: is not shown"]);
}

#[test]
fn a_box_that_drops_to_the_next_row_is_said_so() {
    check(
        ROW,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#row 0 0 1280 80 {display: flex}
      div#a 0 0 100 40 {display: block; background-color: rgb(9, 9, 9)}
      div#b 120 0 100 40 {display: block; background-color: rgb(9, 9, 9)}
      div#c 0 40 100 40 {display: block; background-color: rgb(9, 9, 9)}
"##,
        &["Structure #c: stands below its neighbour instead of beside it"],
    );
}

#[test]
fn neighbours_that_cover_each_other_are_found() {
    check(
        ROW,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#row 0 0 1280 40 {display: flex}
      div#a 0 0 150 40 {display: block; background-color: rgb(9, 9, 9)}
      div#b 120 0 100 40 {display: block; background-color: rgb(9, 9, 9)}
      div#c 240 0 100 40 {display: block; background-color: rgb(9, 9, 9)}
"##,
        &["Structure #a: is 50 px wider"],
    );
}

#[test]
fn a_label_that_wraps_is_a_finding() {
    check(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#label 0 0 100 20 {display: block}
      "Add to cart" 0 0 95 20 lines=1
    div#next 0 20 100 20 {display: block}
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#label 0 0 100 40 {display: block}
      "Add to cart" 0 0 60 40 lines=2
    div#next 0 40 100 20 {display: block}
"##,
        &["Structure #label: takes 2 lines instead of 1 line"],
    );
}

#[test]
fn a_line_more_of_running_text_is_none_also_below_a_title_that_ends_its_line() {
    let page = |high: u32, lines: u32, words: &str| {
        format!(
            "html 0 0 600 400\n  body 0 0 600 400\n    p#story 0 0 500 {} {{display: block; line-height: 24px}}\n      \
             \"A title\" 0 0 80 18\n      br\n      \"{words}\" 0 24 490 {high} lines={lines}\n",
            24 + high
        )
    };
    let words = "A few words about the place and the weather. ".repeat(3);
    check(&page(48, 2, &words), &page(72, 3, &words), &[]);
    let few = "A few words about the place.";
    check(
        &page(48, 2, few),
        &page(96, 4, few),
        &["Structure #story: takes 5 lines instead of 3 lines"],
    );
}

#[test]
fn other_text_is_said_and_its_width_is_not() {
    check(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    span#date 0 0 80 20 {display: inline-block}
      "1/2/2024" 0 0 80 20
    span#x 80 0 20 20 {display: inline-block}
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    span#date 0 0 180 20 {display: inline-block}
      "2 January 2024" 0 0 180 20
    span#x 180 0 20 20 {display: inline-block}
"##,
        &["Text #date: reads differently"],
    );
}

#[test]
fn a_node_that_only_one_has_is_behaviour_and_excuses_what_follows() {
    check(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    ul#list 0 0 300 60
      li 0 0 300 20
        "one" 0 0 30 20
      li 0 20 300 20
        "two" 0 20 30 20
      li 0 40 300 20
        "three" 0 40 40 20
    p#after 0 60 300 20
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    ul#list 0 0 300 40
      li 0 0 300 20
        "one" 0 0 30 20
      li 0 20 300 20
        "three" 0 20 40 20
    p#after 0 40 300 20
"##,
        &["Behaviour #list > li:nth-of-type(2): is not in the page"],
    );
}

#[test]
fn children_in_another_order_are_behaviour() {
    check(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    ul#list 0 0 300 60
      li#x 0 0 300 20
      li#y 0 20 300 20
      li#z 0 40 300 20
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    ul#list 0 0 300 60
      li#z 0 0 300 20
      li#x 0 20 300 20
      li#y 0 40 300 20
"##,
        &["Behaviour #list: has 1 of its 3 children in another place"],
    );
}

#[test]
fn a_computed_colour_is_said_once_where_it_is_set() {
    check(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    p#note 0 0 300 20 {color: rgb(255, 0, 0)}
      b 0 0 30 20 {color: rgb(255, 0, 0); display: inline}
        "note" 0 0 30 20
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    p#note 0 0 300 20 {color: rgb(0, 0, 0)}
      b 0 0 30 20 {color: rgb(0, 0, 0); display: inline}
        "note" 0 0 30 20
"##,
        &["Visual #note: has another `color`"],
    );
}

#[test]
fn a_picture_that_did_not_load_names_its_file() {
    let result = compare_pages(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    img#logo 0 0 100 50 [src=/logo.avif] natural=100,50,1
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    img#logo 0 0 100 50 [src=/logo.avif] natural=0,0,0
"##,
    );
    assert_eq!(lines(&result.xbis), ["Visual #logo: is not loaded"]);
    assert!(
        matches!(&result.xbis[0].cause.as_ref().unwrap().because, Because::NotLoaded { url } if url == "/logo.avif")
    );
}

#[test]
fn a_lazy_picture_below_the_view_may_not_be_loaded_yet() {
    let page = |top: u32, natural: &str| {
        format!(
            "html 0 0 1280 5000\n  body 0 0 1280 5000\n    img#late 0 {top} 100 50 [src=/late.png] [loading=lazy] natural={natural}\n"
        )
    };
    let of = |top: u32, natural: &str| compare_pages(&page(top, "100,50,1"), &page(top, natural));
    assert_eq!(lines(&of(3000, "0,0,-1").xbis), [] as [&str; 0]);
    assert_eq!(lines(&of(600, "0,0,-1").xbis), ["Visual #late: is not loaded"]);
    assert_eq!(lines(&of(3000, "0,0,0").xbis), ["Visual #late: is not loaded"]);
}

#[test]
fn a_form_field_with_another_value_reads_differently() {
    check(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    input#total 0 0 100 20 (value=12,00 €)
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    input#total 0 0 120 22 (value=€12.00)
"##,
        &["Text #total: holds another value"],
    );
}

#[test]
fn a_field_that_grows_in_one_browser_only_is_explained_by_its_rule() {
    let result = compare_pages(
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    input#name 0 0 230 20
@ input { field-sizing: content }
"##,
        r##"
html 0 0 1280 720
  body 0 0 1280 720
    input#name 0 0 170 20
@ input { }
"##,
    );
    assert_eq!(lines(&result.xbis), ["Structure #name: is 60 px narrower"]);
    assert_eq!(
        result.xbis[0].cause.as_ref().unwrap().text,
        "`field-sizing: content` is not supported by Firefox 153"
    );
}

#[test]
fn a_box_that_paints_nothing_may_be_as_wide_as_it_likes() {
    let page = |width: f32| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    legend#l 0 0 {width} 20 {{display: block}}\n      \"Size\" 0 0 40 20"
        )
    };
    check(&page(858.0), &page(60.0), &[]);
}

/// The JSON is a published format: a change here is one that readers see.
#[test]
fn the_json_of_a_finding_is_as_documented() {
    let result = compare_pages(
        "html 0 0 1280 720\n  body 0 0 1280 720\n    input#name 0 0 230 20\n@ input { field-sizing: content }",
        "html 0 0 1280 720\n  body 0 0 1280 720\n    input#name 0 0 130 20\n@ input { }",
    );
    insta::assert_snapshot!(serde_json::to_string_pretty(&result).unwrap());
}

#[test]
fn a_box_that_stands_at_another_height_in_its_line() {
    let row = |words: f32| {
        format!(
            r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#row 0 100 600 80 {{display: block}}
      "Bicycle" 0 {words} 60 18
      span#detail 70 110 120 60 {{display: inline-block; background-color: rgb(255, 0, 0)}}
      "12 euros" 200 {words} 60 18
"##
        )
    };
    check(
        &row(110.0),
        &row(150.0),
        &["Structure #detail: stands 40 px further up beside its words"],
    );
    check(&row(110.0), &row(114.0), &[]);
}

#[test]
fn what_a_rule_generates_beside_a_box_is_said_of_the_box() {
    let page = |y: f32, rule: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    div#slides 0 0 560 200 {{display: flex}}\n    \
             p#after 0 {y} 560 20 {{display: block}}\n      \"Taken in one day\" 0 {y} 120 20\n@ p {{ margin-top: 9px }}\n{rule}"
        )
    };
    let rule = "@ #slides::scroll-marker-group { margin-top: 14px }\n";
    let result = compare_pages(&page(248.0, rule), &page(200.0, ""));
    assert_eq!(
        lines(&result.xbis),
        ["Structure #slides: lacks what a rule generates beside it"]
    );
    assert_eq!(result.xbis[0].differences[0].selector, "#after");
}

#[test]
fn a_style_sheet_of_a_component_is_about_no_other_component() {
    // Only where a rule of the page colours a control is its colour the page's.
    let page = |tree: &str, colour: &str| {
        format!(
            "@ @shadow {tree} | select {{background-color: var(--mine)}}\nhtml 0 0 1280 720\n  body 0 0 1280 720\n    x-list 0 0 200 40\n      #shadow\n        select#which 0 0 200 20 {{display: block; background-color: {colour}}}\n"
        )
    };
    let (there, here) = ("rgb(239, 239, 239)", "rgb(90, 90, 90)");
    check(&page("x-other", there), &page("x-other", here), &[]);
    check(
        &page("x-other x-list", there),
        &page("x-other x-list", here),
        &["Visual #which: has another `background-color`"],
    );
}
