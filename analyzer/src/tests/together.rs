//! What is found in several places, and is one thing to fix.

use super::consequences::divergence;
use super::painted::{Patch, compare_pictures};
use crate::replay::NoScreenshots;
use crate::testing::{compare_checkpoints, compare_pages, document, event, lines, replay, shown};
use crate::{Mask, Options, compare};
use xcheck_trace::run::DivergenceKind;

#[test]
fn rows_of_a_table_share_its_height() {
    let page = |heights: [u32; 3]| {
        let [first, second, third] = heights;
        format!(
            "html 0 0 1280 720
  body 0 0 1280 720
    table#plan 0 0 400 360 {{display: table}}
      tbody 0 0 400 360 {{display: table-row-group}}
        tr#one 0 0 400 {first} {{display: table-row}}
          td#a 0 0 400 {first} {{display: table-cell}}
        tr#two 0 {first} 400 {second} {{display: table-row}}
          td#b 0 {first} 400 {second} {{display: table-cell}}
        tr#three 0 {} 400 {third} {{display: table-row}}
          td#c 0 {} 400 {third} {{display: table-cell}}
",
            first + second,
            first + second
        )
    };
    let xbis = compare_pages(&page([120, 120, 120]), &page([30, 30, 300])).xbis;
    assert_eq!(xbis.len(), 1, "{:#?}", lines(&xbis));
}

#[test]
fn what_became_of_one_of_a_kind_and_later_the_same_of_another_is_one_finding() {
    let page = |pressed: [&str; 2]| {
        let [a, b] = pressed;
        document(&format!(
            "html 0 0 1280 720
  body 0 0 1280 720
    ul#list 0 0 400 100 {{display: block}}
      li#a 0 0 400 20 {{display: block}} [aria-pressed={a}]
      li#b 0 20 400 20 {{display: block}} [aria-pressed={b}]
"
        ))
    };
    let found = |later: [&str; 2]| {
        let reference = vec![page(["true", "false"]), page(["true", "true"])];
        let other = vec![page(["false", "false"]), page(later)];
        compare_checkpoints(reference, other, &Options::default()).xbis.len()
    };
    assert_eq!(found(["false", "false"]), 1);
    assert_eq!(found(["false", "mixed"]), 2, "another value is another thing");
}

#[test]
fn all_words_that_one_browser_alone_has_selected_are_one_finding() {
    let page = |marks: &str| {
        let field = |tag: &str, y: u32| {
            let white = "{display: inline-block; background-color: rgb(255, 255, 255)}";
            format!("      {tag} 20 {y} 200 24 {white}{marks}\n")
        };
        let rule = "@ input, textarea { background-color: rgb(255, 255, 255) }";
        let form = |y: u32| format!("    form 0 {y} 400 40 {{display: block}}\n");
        let (from, to) = (field("input#from", 20), field("textarea#to", 220));
        format!("{rule}\n{}{from}{}{to}", form(20), form(220))
    };
    let words = |ground: [u8; 3]| -> Vec<Patch> {
        let of = |y: u32| [(24, y + 4, 60, 16, ground), (28, y + 8, 50, 8, [20; 3])];
        [of(20), of(220)].concat()
    };
    let pictures: [&[Patch]; 2] = [&words([255; 3]), &words([50, 100, 210])];
    let [from, to] = ["Visual #from: has another colour", "Visual #to: has another colour"];
    compare_pictures([&page(""), &page("")], pictures, &[from, to]);
    compare_pictures([&page(""), &page(" (selected-text=true)")], pictures, &[from]);
}

#[test]
fn a_target_that_is_in_what_is_gone_is_told_with_that() {
    let page = |held: &str| {
        let page = "html 0 0 1280 720\n  body 0 0 1280 720\n    main 0 0 400 400 {display: block}\n";
        vec![shown(1, document(&format!("{page}{held}")))]
    };
    let sheet = "      dl 0 0 400 60 {display: block}\n        dd 0 0 400 20 {display: block}\n";
    let found = |target: &str| {
        let events = [event(1, "click on #row"), event(2, "pointermove on a line")];
        let mut theirs = events.clone();
        theirs[1].divergences = vec![divergence(DivergenceKind::TargetMissing, target)];
        let (result, _) = compare(
            replay("chromium", &events, page(sheet), &NoScreenshots),
            replay("firefox", &theirs, page(""), &NoScreenshots),
            &Mask::default(),
            &Options::default(),
        );
        lines(&result.xbis).len()
    };
    assert_eq!(found("html>body>main:1>dl:1>dd:3"), 1);
    assert_eq!(found("html>body>main:1>dl:1"), 1);
    assert_eq!(found("html>body>main:1>dl:11>dd:3"), 2, "another list");
}

#[test]
fn what_one_browser_answers_each_time_in_the_same_words_is_one_finding() {
    let said = |lines: &[&str]| {
        let item = |(at, line): (usize, &&str)| {
            let y = 20 * at;
            format!("      li 0 {y} 400 20 {{display: block}}\n        \"{line}\" 0 {y} 200 20\n")
        };
        let items: String = lines.iter().enumerate().map(item).collect();
        document(&format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    ol#log 0 0 400 100 {{display: block}}\n{items}"
        ))
    };
    let found = |reference: [&str; 2]| {
        let other = ["There is no way", "You come to the mill"];
        let seen = |lines: [&str; 2]| vec![said(&lines[..1]), said(&lines)];
        compare_checkpoints(seen(reference), seen(other), &Options::default())
            .xbis
            .len()
    };
    assert_eq!(found(["You stand still", "You stand still"]), 1);
    assert_eq!(found(["You stand still", "The door is shut"]), 2);
}

#[test]
fn columns_of_which_rows_are_gone_are_of_other_widths_for_that() {
    let page = |first: u32, rows: &str| {
        let rest = 520 - first;
        format!(
            "html 0 0 1280 720
  body 0 0 1280 720
    table#note 0 0 520 130 {{display: table}}
      thead 0 0 520 26 {{display: table-header-group}}
        tr 0 0 520 26 {{display: table-row}}
          th#what 0 0 {first} 26 {{display: table-cell}}
            \"What\" 4 4 30 18
          th#count {first} 0 {rest} 26 {{display: table-cell}}
            \"Pieces\" {} 4 40 18
      tbody 0 26 520 104 {{display: table-row-group}}
{rows}",
            first + 4
        )
    };
    let row = "        tr#one 0 26 520 26 {display: table-row}
          td 0 26 153 26 {display: table-cell}
            \"Chairs\" 4 30 40 18
";
    let titles = |xbis: &[_]| lines(xbis);
    let without = compare_pages(&page(153, row), &page(253, "")).xbis;
    assert_eq!(without.len(), 1, "{:#?}", titles(&without));
    // With all of its rows it is a thing of its own.
    let with = compare_pages(&page(153, row), &page(253, row)).xbis;
    assert!(with[0].title.contains("wider"), "{:#?}", titles(&with));
}

#[test]
fn a_mark_is_told_with_what_may_have_come_of_it_later() {
    let page = |class: &str, words: &str| {
        document(&format!(
            "html 0 0 1280 720
  body 0 0 1280 720
    div#stage.{class} 0 0 400 100 {{display: block}}
    p#said 0 200 400 20 {{display: block}}
      \"{words}\" 0 200 90 20
"
        ))
    };
    let reference = vec![page("still", "nothing yet"), page("still", "three chosen")];
    let other = vec![page("moved", "nothing yet"), page("moved", "one chosen")];
    let xbis = compare_checkpoints(reference, other, &Options::default()).xbis;
    assert_eq!(lines(&xbis), ["Text #said: reads differently"]);
    let told: Vec<&str> = xbis[0].differences.iter().map(|one| one.property.as_str()).collect();
    assert_eq!(told, ["text", "class"]);
    assert_eq!(xbis[0].event.number, 2);
}

#[test]
fn what_stands_beside_a_box_that_is_narrower_is_wider_for_that() {
    let row = |[name, shelf, high]: [u32; 3]| {
        format!(
            "html 0 0 1280 720
  body 0 0 1280 720
    div#row 0 0 760 100 {{display: grid}}
      span#name 38 0 {name} 29 {{display: block; background-color: rgb(9, 9, 9)}}
      span#shelf {} 0 {shelf} {high} {{display: block; background-color: rgb(9, 9, 9)}}
",
            52 + name
        )
    };
    let told = |other| compare_pages(&row([469, 239, 29]), &row(other)).xbis.len();
    assert_eq!(told([617, 91, 92]), 1);
    assert_eq!(told([550, 91, 92]), 2, "who takes less has a reason of its own");
}
