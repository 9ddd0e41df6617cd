//! What a page did otherwise counts where something came of it that a person sees.

use super::consequences::{after, divergence, reading};
use crate::replay::NoScreenshots;
use crate::testing::{document, event, replay, shown};
use crate::{Mask, Options, compare};
use xcheck_trace::run::{Divergence, DivergenceKind};

#[test]
fn an_event_that_only_one_browser_has_counts_where_something_came_of_it() {
    let events = [event(1, "click on #go")];
    for (kind, expected, alone) in [
        (DivergenceKind::EventExtra, "click on #panel", 0),
        (DivergenceKind::EventMissing, "selectstart on #go", 0),
        (DivergenceKind::CallbackMissing, "host Navigation", 0),
        (DivergenceKind::EventMissing, "focus on #next", 1),
        (DivergenceKind::RequestMissing, "fetch GET /save", 1),
        (DivergenceKind::TargetMissing, "#go", 1),
    ] {
        let mut theirs = events.clone();
        theirs[0].divergences.push(divergence(kind, expected));
        let quiet = after(&events, &theirs);
        assert_eq!(quiet.xbis.len(), alone, "{expected}");
        assert_eq!(quiet.ignored.len(), 1 - alone, "it is there to be seen: {expected}");
        let seen = reading("done", &events, &theirs);
        assert_eq!(seen.xbis.len(), 1, "{expected}: {:#?}", seen.xbis);
    }
}

#[test]
fn what_leads_nowhere_does_not_count_because_something_else_differs_later() {
    let events = [event(1, "load"), event(2, "click on #go")];
    for (kind, expected, findings) in [
        (DivergenceKind::AnswersExhausted, "72 date", 1),
        (DivergenceKind::AnswersUnused, "1 now", 1),
        (DivergenceKind::EventMissing, "transitionrun", 1),
        (DivergenceKind::AnswersUnused, "1 random", 2),
        (DivergenceKind::EventMissing, "transitionend", 2),
    ] {
        let mut theirs = events.clone();
        theirs[0].divergences.push(divergence(kind, expected));
        theirs[1]
            .divergences
            .push(divergence(DivergenceKind::CallbackMissing, "timer 5c1e 100 ms"));
        let page = |words: &str| {
            let page = format!(
                "\nhtml 0 0 1280 720\n  body 0 0 1280 720\n    p#said 0 0 300 20 {{display: block}}\n      \"{words}\" 0 0 80 20\n"
            );
            vec![shown(2, document(&page))]
        };
        let (told, _) = compare(
            replay("chromium", &events, page("ready"), &NoScreenshots),
            replay("webkit", &theirs, page("still"), &NoScreenshots),
            &Mask::default(),
            &Options::default(),
        );
        assert_eq!(told.xbis.len(), findings, "{expected}: {:#?}", told.xbis);
    }
}

#[test]
fn a_mark_that_nothing_shows_does_not_count() {
    let page = |class: &str, left: u32| {
        let page = format!(
            r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#map [class={class}] {left} 100 300 200 {{display: block; background-color: rgb(9, 9, 9)}}
"##
        );
        vec![shown(1, document(&page))]
    };
    let events = [event(1, "load")];
    let told = |other| {
        let (result, _) = compare(
            replay("chromium", &events, page("map", 0), &NoScreenshots),
            replay("webkit", &events, other, &NoScreenshots),
            &Mask::default(),
            &Options::default(),
        );
        (result.xbis.len(), result.ignored.len())
    };
    assert_eq!(told(page("safari", 0)), (0, 1));
    assert_eq!(told(page("safari", 90)).1, 0);
}

#[test]
fn a_field_that_takes_the_keys_in_the_place_of_another_is_no_finding() {
    let events = [event(1, "load"), event(2, "keydown \"a\" on #editor")];
    let mut theirs = events.clone();
    theirs[1].divergences.push(Divergence {
        actual: "textarea in its place".to_owned(),
        ..divergence(DivergenceKind::TargetMissing, "#editor")
    });
    assert!(after(&events, &theirs).xbis.is_empty());
    theirs[1].divergences[0].actual = "nothing".to_owned();
    assert_eq!(after(&events, &theirs).xbis.len(), 1);
}
