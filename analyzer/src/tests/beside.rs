//! Who wears a mark, and what stands beside a box, by the rules of one browser alone.

use super::consequences::{after, divergence};
use super::painted::compare_pictures;
use crate::testing::{compare_pages, event, lines};
use xcheck_trace::run::DivergenceKind;

const CLOTH: &str = r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#cloth.CLASS 0 0 300 300 {display: block}
      i#thread 0 0 50 50 {display: block; background-color: rgb(COLOUR)}
"##;

#[test]
fn a_mark_does_not_stand_for_how_what_it_holds_looks() {
    let page = |class: &str, colour: &str| CLOTH.replace("CLASS", class).replace("COLOUR", colour);
    let result = compare_pages(&page("warp", "123, 63, 152"), &page("cloth", "255, 255, 255"));
    let [found] = &result.xbis[..] else {
        panic!("{:#?}", result.xbis);
    };
    let told = found.differences.iter().map(|one| one.property.as_str());
    assert_eq!(told.collect::<Vec<_>>(), ["class", "background-color"]);
}

const STRIP: &str = "
    div#holder 20 20 300 200 {display: block}
      ul#tour 20 20 300 100 {display: block}
        li#room 20 20 300 100 {display: block; background-color: rgb(9, 9, 9)}
RULES
";

#[test]
fn what_a_rule_generates_beside_a_box_is_seen_where_one_browser_alone_understood_it() {
    let page = |rules: &str| STRIP.replace("RULES", rules);
    let room = (20, 20, 300, 100, [9, 9, 9]);
    let marks = [
        room,
        (60, 140, 30, 30, [46, 125, 146]),
        (120, 140, 30, 30, [46, 125, 146]),
    ];
    let (with, without) = (
        page("@ #tour { scroll-marker-group: after }"),
        page("@ #tour { display: block }"),
    );
    compare_pictures(
        [&with, &without],
        [&marks, &[room]],
        &["Visual #tour: has something else beside it"],
    );
    // Where both understood the same, nobody looks there.
    compare_pictures([&with, &with], [&marks, &[room]], &[]);
    // What stands there is looked at by itself.
    let note = "      p#note 50 130 120 50 {display: block; background-color: rgb(46, 125, 146)}\nRULES";
    let other = |rules: &str| STRIP.replace("RULES", note).replace("RULES", rules);
    let (with, without) = (
        other("@ #tour { scroll-marker-group: after }"),
        other("@ #tour { display: block }"),
    );
    compare_pictures([&with, &without], [&[room], &[room]], &[]);
}

#[test]
fn a_pane_that_a_rule_scrolls_is_laid_out_otherwise_and_one_that_a_script_scrolls_behaves_so() {
    let page = |offset: &str, rule: &str| {
        format!(
            "html 0 0 1280 720
  body 0 0 1280 720
    ul#list 0 0 400 300 {{display: block; overflow-y: scroll}} (scrollTop={offset})
      li#now 0 0 400 50 {{display: block}}
@ #now {{ {rule} }}"
        )
    };
    let display = "display: block";
    let by_rule = compare_pages(
        &page("336", "display: block; scroll-initial-target: nearest"),
        &page("0", display),
    );
    assert_eq!(lines(&by_rule.xbis), ["Structure #list: is scrolled to another place"]);
    let cause = by_rule.xbis[0].cause.as_ref().unwrap();
    assert!(
        cause
            .text
            .starts_with("`scroll-initial-target: nearest` is not supported by "),
        "{}",
        cause.text
    );
    let by_script = compare_pages(&page("336", display), &page("0", display));
    assert_eq!(
        lines(&by_script.xbis),
        ["Behaviour #list: is scrolled to another place"]
    );
}

#[test]
fn a_kind_of_event_that_a_browser_does_not_have_is_told_once() {
    let told = |kind: &str| {
        let events = [
            event(1, &format!("{kind} on #warp")),
            event(2, "click on #next"),
            event(3, &format!("{kind} on #weft")),
        ];
        let mut theirs = events.clone();
        for at in [0, 2] {
            let missing = divergence(DivergenceKind::EventMissing, &events[at].label);
            theirs[at].divergences.push(missing);
        }
        let result = after(&events, &theirs);
        result.xbis.len() + result.ignored.len()
    };
    assert_eq!(told("command"), 1);
    // All have this one: each time it is missing has a reason of its own.
    assert_eq!(told("submit"), 2);
}
