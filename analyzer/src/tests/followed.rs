//! What follows from something else that is told: from the words of a column, from the order of rows, from how far a pane is scrolled.

use crate::findings::Xbi;
use crate::replay::NoScreenshots;
use crate::testing::{check, compare_pages, document, event, lines, replay, shown};
use crate::{Mask, Options, compare};

#[test]
fn the_columns_of_a_table_share_what_words_leave() {
    let page = |day: &str, first: u32, heads: &str| {
        format!(
            "\
html 0 0 1280 720
  body 0 0 1280 720
    table#tides 100 100 600 80 {{display: table; background-color: rgb(255,255,255)}}
      tbody 100 100 600 80 {{display: table-row-group}}
        tr 100 100 600 40 {{display: table-row}}
          th#day 100 100 {first} 40 {{display: table-cell; border-right-width: 2px; border-right-style: solid}}
            \"{heads}\" 104 110 40 20
          th#height {} 100 {} 40 {{display: table-cell; border-right-width: 2px; border-right-style: solid}}
            \"Height\" {} 110 50 20
        tr 100 140 600 40 {{display: table-row}}
          td#one 100 140 {first} 40 {{display: table-cell; border-right-width: 2px; border-right-style: solid}}
            \"{day}\" 104 150 90 20
          td#metres {} 140 {} 40 {{display: table-cell; border-right-width: 2px; border-right-style: solid}}
            \"4 m\" {} 150 30 20
",
            100 + first,
            600 - first,
            104 + first,
            100 + first,
            600 - first,
            104 + first
        )
    };
    let told = ["Text #one: reads differently"];
    check(&page("Thursday", 200, "Day"), &page("Dydd Iau yma", 260, "Day"), &told);
    let other_width = check_widths(&page("Thursday", 200, "Day"), &page("Thursday", 260, "Day"));
    assert!(other_width.iter().any(|line| line.contains("wider")), "{other_width:?}");
}

fn check_widths(reference: &str, other: &str) -> Vec<String> {
    lines(&crate::testing::compare_pages(reference, other).xbis)
}

/// A list that a button puts in order, and what a click on its second row led to; the pointer rests on that.
fn clicked_in_a_list(orders: [[&str; 3]; 2], bag: [&str; 2], pointer: [f32; 2]) -> Vec<Xbi> {
    let page = |order: [&str; 3], bag: &str| {
        let row = |(at, name): (usize, &&str)| {
            let (id, top) = (10 + name.len(), 100 + 40 * at);
            format!(
                "    {id}: li#{name} 100 {top} 300 40 {{display: block}}\n      {}: \"{name}\" 104 {top} 60 20\n",
                id + 20
            )
        };
        let rows: String = order.iter().enumerate().map(row).collect();
        document(&format!(
            "html 0 0 1280 720\n  2: ul#stall 100 100 300 120 {{display: block}}\n{rows}  \
             3: p#bag 100 400 300 20 {{display: block}}\n    4: \"{bag}\" 100 400 200 20\n"
        ))
    };
    let events = ["load", "click on #cheap", "click on button \"Add one\""];
    let events: Vec<_> = (1..).zip(events).map(|(number, label)| event(number, label)).collect();
    let first = ["fig", "plum", "apple"];
    let states = |order, bag: &str| {
        let mut last = shown(3, page(order, bag));
        last.checkpoint.pointer = Some(pointer);
        vec![shown(1, page(first, "empty")), shown(2, page(order, "empty")), last]
    };
    let (result, _) = compare(
        replay("chromium", &events, states(orders[0], bag[0]), &NoScreenshots),
        replay("firefox", &events, states(orders[1], bag[1]), &NoScreenshots),
        &Mask::default(),
        &Options::default(),
    );
    result.xbis
}

#[test]
fn a_click_that_meets_another_row_follows_from_the_order_of_the_rows() {
    let orders = [["fig", "plum", "apple"], ["apple", "fig", "plum"]];
    let bags = ["one plum", "one fig"];
    let xbis = clicked_in_a_list(orders, bags, [120.0, 160.0]);
    let [order] = &xbis[..] else { panic!("{xbis:#?}") };
    assert!(order.differences.iter().any(|one| one.other == "one fig"), "{order:#?}");
    // Below the pointer is no row.
    assert_eq!(clicked_in_a_list(orders, bags, [700.0, 160.0]).len(), 2);
}

#[test]
fn what_is_in_a_pane_moves_as_the_pane_is_scrolled() {
    let page = |scrolled: i32| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    div#view 100 100 400 300 {{display: block; overflow-y: auto}} (scrollTop={scrolled})\n      \
             div#space 100 {} 400 90000 {{display: block; position: relative; background-color: rgb(9,9,9)}}\n",
            100 - scrolled
        )
    };
    check(&page(12_306), &page(12_382), &[]);
}

#[test]
fn a_field_that_lost_the_focus() {
    let page = |field: &str, button: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    input#name 100 100 200 30 {{display: inline-block}} {field}\n    \
             button#go 320 100 80 30 {{display: inline-block}} {button}\n      \"Go\" 330 105 20 20\n"
        )
    };
    let (focused, none) = ("(focused=true)", "");
    check(&page(focused, none), &page(focused, none), &[]);
    check(
        &page(focused, none),
        &page(none, none),
        &["Behaviour #name: does not have the focus"],
    );
    check(
        &page(none, focused),
        &page(focused, none),
        &["Behaviour #name: has the focus, and should not"],
    );
    // Not every engine gives it to a button that is pressed.
    check(&page(none, focused), &page(none, none), &[]);
}

#[test]
fn what_a_page_keeps_together_is_seen_where_it_is_broken_over_columns() {
    let page = |rule: &str, second: &str| {
        format!(
            "{rule}html 0 0 1280 720\n  body 0 0 1280 720\n    div#list 100 100 600 200 {{display: block; column-count: 3}}\n      \
             p#one 100 100 190 140 {{display: block}}\n        \"Words of one\" 100 100 150 140 lines=7\n      \
             p#two {second} {{display: block}}\n        \"Words of two\" {second} lines=5\n"
        )
    };
    let (whole, broken) = ("305 100 190 100", "100 100 395 200");
    check(&page("", whole), &page("", broken), &[]);
    let rule = "@ #list p { orphans: 3; widows: 3 }\n";
    let told = ["Structure #two: is broken over columns"];
    check(&page(rule, whole), &page(rule, broken), &told);
    check(&page(rule, broken), &page(rule, broken), &[]);
    let dropped = compare_pages(&page(rule, whole), &page("@ #list p { widows: 3 }\n", broken));
    assert_eq!(
        dropped.xbis[0].cause.as_ref().unwrap().text,
        "`orphans: 3` is not supported by Firefox 153"
    );
}

#[test]
fn words_that_look_otherwise_for_what_one_browser_wraps_them_in() {
    let page = |tail: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    h1#name 100 100 600 40 {{display: block; font-size: 32px; font-weight: 700}}\n      \
             \"Rice with saffron\" 100 100 300 40\n{tail}"
        )
    };
    let wrapped = |size: u32, weight: u32| {
        page(&format!(
            "      span 400 100 200 40 {{display: inline; font-size: {size}px; font-weight: {weight}}}\n        \
             \"from my aunt in Murcia\" 400 100 200 40\n"
        ))
    };
    let bare = page("      \"from my aunt in Murcia\" 400 100 200 40\n");
    let told = ["Visual #name > span: has words of another `font-size`"];
    check(&wrapped(16, 400), &bare, &told);
    check(&wrapped(32, 700), &bare, &[]);
    check(&bare, &wrapped(32, 700), &[]);
    let told = ["Visual #name: has words of another `font-size`"];
    check(&bare, &wrapped(16, 400), &told);
}

#[test]
fn what_stands_after_a_row_stands_where_its_highest_box_ends() {
    let page = |first: u32, after: u32| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    div#one 100 100 200 {first} {{display: block; background-color: rgb(9, 9, 9)}}\n    \
             div#two 320 100 200 104 {{display: block; background-color: rgb(9, 9, 9)}}\n    button#more 330 {after} 180 44\n      \"More\" 400 {after} 40 44\n"
        )
    };
    let told = "Structure #one: is 68 px shorter";
    check(&page(128, 248), &page(60, 224), &[told]);
    check(
        &page(128, 248),
        &page(60, 278),
        &[told, "Structure #more: stands 30 px further down"],
    );
}
