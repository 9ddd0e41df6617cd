//! One thing to fix is told once, however often the replay ran into it.

use crate::findings::{Because, BrowserResult, Outcome, Xbi};
use crate::replay::NoScreenshots;
use crate::testing::{compare_pages, document, event, lines, replay, shown};
use crate::{Mask, Options, compare};
use xcheck_trace::event::PageError;
use xcheck_trace::run::{Divergence, DivergenceKind, NO_CHECKPOINT, ReplayedEvent};

const PAGE: &str = r##"
html 0 0 1280 720
  body 0 0 1280 720
    p#note 0 100 300 20 {display: block}
      "ready" 0 100 60 20
"##;

pub(super) fn after(reference: &[ReplayedEvent], other: &[ReplayedEvent]) -> BrowserResult {
    let checkpoints = || vec![shown(1, document(PAGE))];
    let (result, _) = compare(
        replay("chromium", reference, checkpoints(), &NoScreenshots),
        replay("webkit", other, checkpoints(), &NoScreenshots),
        &Mask::default(),
        &Options::default(),
    );
    result
}

/// As `after`, the other browser's page with other words.
pub(super) fn reading(words: &str, reference: &[ReplayedEvent], other: &[ReplayedEvent]) -> BrowserResult {
    let page = |words: &str| vec![shown(1, document(&PAGE.replace("ready", words)))];
    let (result, _) = compare(
        replay("chromium", reference, page("ready"), &NoScreenshots),
        replay("webkit", other, page(words), &NoScreenshots),
        &Mask::default(),
        &Options::default(),
    );
    result
}

pub(super) fn divergence(kind: DivergenceKind, expected: &str) -> Divergence {
    Divergence::new(kind, expected, "")
}

/// Those that nothing came of, too: how they hang together is the same.
fn all(result: BrowserResult) -> Vec<Xbi> {
    let ignored = result.ignored.into_iter().map(|ignored| ignored.xbi);
    let mut all: Vec<Xbi> = result.xbis.into_iter().chain(ignored).collect();
    all.sort_by(|one, other| one.event.cmp(&other.event));
    all
}

#[test]
fn what_an_event_that_never_came_would_have_asked_for_is_not_told_again() {
    let events = [
        event(1, "click on #go"),
        event(2, "battery"),
        event(3, "fetch"),
        event(4, "click on #other"),
    ];
    let mut theirs = events.clone();
    theirs[0]
        .divergences
        .push(divergence(DivergenceKind::CallbackMissing, "promise getBattery"));
    for (number, kind, expected) in [
        (1, DivergenceKind::CallbackMissing, "promise getBattery"),
        (2, DivergenceKind::RequestMissing, "fetch GET /save"),
    ] {
        theirs[number].registered_by = Some(number as u32);
        theirs[number].divergences.push(divergence(kind, expected));
    }
    theirs[3]
        .divergences
        .push(divergence(DivergenceKind::EventMissing, "input on #name"));
    let xbis = all(after(&events, &theirs));
    let labels: Vec<&str> = xbis.iter().map(|xbi| xbi.event.label.as_str()).collect();
    assert_eq!(labels, ["click on #go", "click on #other"], "{xbis:#?}");
}

#[test]
fn an_end_of_what_code_that_did_not_run_would_have_moved_is_not_told_again() {
    let events = [
        event(1, "click on #open"),
        event(2, "timer (50 ms)"),
        event(3, "transitionend on #panel"),
        event(4, "click on #other"),
        event(5, "transitionend on #tip"),
    ];
    let told = |first: DivergenceKind| {
        let mut theirs = events.clone();
        theirs[1].divergences.push(divergence(first, "timer 5c1e"));
        for at in [2, 4] {
            let missing = divergence(DivergenceKind::EventMissing, "transitionend");
            theirs[at].divergences.push(missing);
        }
        let xbis = all(after(&events, &theirs));
        xbis.iter().map(|xbi| xbi.event.label.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        told(DivergenceKind::CallbackMissing),
        ["timer (50 ms)", "transitionend on #tip"]
    );
    // More timers keep nothing from moving.
    let apart = ["timer (50 ms)", "transitionend on #panel", "transitionend on #tip"];
    assert_eq!(told(DivergenceKind::CallbackExtra), apart);
}

#[test]
fn a_focus_that_does_not_move_is_told_once() {
    let events = [
        event(1, "pointerdown on #cell"),
        event(2, "blur on #quick"),
        event(3, "focusout on #quick"),
        event(4, "focus on #cell"),
        event(5, "keydown \"Tab\""),
        event(6, "focus on #next"),
    ];
    let mut theirs = events.clone();
    for at in [1, 2, 3, 5] {
        let missing = divergence(DivergenceKind::EventMissing, &events[at].label);
        theirs[at].divergences.push(missing);
    }
    let xbis = after(&events, &theirs).xbis;
    let labels: Vec<&str> = xbis.iter().map(|xbi| xbi.event.label.as_str()).collect();
    assert_eq!(labels, ["blur on #quick", "focus on #next"]);
}

#[test]
fn a_callback_that_is_never_registered_at_any_key_is_told_once() {
    let events = [
        event(1, "keydown \"a\""),
        event(2, "keydown \"b\""),
        event(3, "click on #go"),
    ];
    let mut theirs = events.clone();
    for (at, callback) in [(0, "timer 5c1e"), (1, "timer 5c1e"), (2, "timer 77aa")] {
        theirs[at]
            .divergences
            .push(divergence(DivergenceKind::CallbackMissing, callback));
    }
    let xbis = all(after(&events, &theirs));
    let told: Vec<_> = xbis
        .iter()
        .map(|xbi| (xbi.event.label.as_str(), xbi.occurrences.len()))
        .collect();
    assert_eq!(told, [("keydown \"a\"", 2), ("click on #go", 1)]);
}

#[test]
fn a_request_that_only_the_other_browser_sends_is_told_once_whenever_the_proxy_heard_of_it() {
    let events = [event(1, "close on #dialog"), event(2, "timer")];
    let sent = |document: bool, proxy: usize| {
        let mut theirs = events.clone();
        let mut extra = divergence(DivergenceKind::RequestExtra, "nothing");
        extra.actual = "fetch POST http://a.test/cards body 1463".to_owned();
        let mut heard = divergence(DivergenceKind::NotInTrace, "only what was recorded");
        heard.actual = "POST http://a.test/cards".to_owned();
        theirs[0].divergences.extend(document.then_some(extra));
        theirs[proxy].divergences.push(heard);
        after(&events, &theirs).xbis
    };
    let [soon, late] = [sent(true, 0), sent(true, 1)];
    assert_eq!((soon.len(), late.len()), (1, 1));
    assert_eq!(soon[0].id, late[0].id);
    assert!(
        soon[0]
            .cause
            .as_ref()
            .unwrap()
            .text
            .contains("POST http://a.test/cards")
    );
    // What no document told of, an image say, is the proxy's to tell.
    assert_eq!(sent(false, 1).len(), 1);
}

#[test]
fn a_silent_script_that_throws_elsewhere_is_one_finding() {
    let events = [event(1, "load")];
    let mut theirs = events.clone();
    let mut thrown = divergence(DivergenceKind::ExceptionOnlyHere, "no exception");
    thrown.cause = Some(PageError {
        message: "x is not a function".to_owned(),
        ..PageError::default()
    });
    theirs[0].divergences = vec![divergence(DivergenceKind::ScriptExtra, "no such script"), thrown];
    assert_eq!(after(&events, &theirs).xbis.len(), 1);
}

fn caught(event: &mut ReplayedEvent) {
    event.complaints.push(PageError {
        message: "TypeError: list.includes is not a function".to_owned(),
        via: "console".to_owned(),
        ..PageError::default()
    });
}

#[test]
fn what_a_page_caught_and_wrote_to_the_console_is_why_it_reads_differently() {
    let events = [event(1, "click on #show")];
    let mut theirs = events.clone();
    caught(&mut theirs[0]);
    assert_eq!(after(&events, &theirs).xbis, [], "by itself it is no difference");
    let told = reading("broken", &events, &theirs).xbis;
    assert_eq!(told.len(), 1, "{told:#?}");
    let cause = told[0].cause.as_ref().unwrap();
    assert!(cause.text.contains("list.includes is not a function"), "{cause:?}");
    let both = reading("broken", &theirs, &theirs).xbis;
    assert_eq!(both[0].cause, None, "both browsers say it");
}

#[test]
fn a_page_that_shows_something_else_since_it_caught_an_error_is_one_finding() {
    let events = [event(1, "load"), event(2, "click on #a"), event(3, "click on #b")];
    let mut theirs = events.clone();
    caught(&mut theirs[0]);
    theirs[0].divergences = vec![divergence(DivergenceKind::AnswersUnused, "2 random")];
    theirs[1].divergences = vec![divergence(DivergenceKind::TargetMissing, "#a")];
    theirs[2].divergences = vec![divergence(DivergenceKind::TargetMissing, "#b")];
    let told = after(&events, &theirs).xbis;
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(matches!(
        told[0].cause.as_ref().unwrap().because,
        Because::Exception { .. }
    ));
}

#[test]
fn a_timer_that_is_not_set_is_told_before_the_times_that_were_asked_for_with_it() {
    let events = [event(1, "click on #start")];
    let mut theirs = events.clone();
    theirs[0].divergences = vec![
        divergence(DivergenceKind::AnswersUnused, "1 now"),
        divergence(DivergenceKind::CallbackMissing, "timer 5c1e 100 ms"),
    ];
    let told = reading("still", &events, &theirs).xbis;
    assert_eq!(told.len(), 1, "{told:#?}");
    let cause = told[0].cause.as_ref().unwrap();
    assert!(cause.text.starts_with("a callback is never registered"), "{cause:?}");
}

#[test]
fn what_a_page_caught_and_went_on_is_not_why_it_differs_later() {
    let events = [event(1, "load"), event(2, "click on #a")];
    let mut theirs = events.clone();
    caught(&mut theirs[0]);
    theirs[1].divergences = vec![divergence(DivergenceKind::RequestMissing, "fetch GET /cards")];
    let checkpoints = || vec![shown(1, document(PAGE)), shown(2, document(PAGE))];
    let (result, _) = compare(
        replay("chromium", &events, checkpoints(), &NoScreenshots),
        replay("webkit", &theirs, checkpoints(), &NoScreenshots),
        &Mask::default(),
        &Options::default(),
    );
    let cause = result.xbis[0].cause.as_ref().unwrap();
    assert!(matches!(cause.because, Because::Diverged { .. }), "{cause:?}");
}

#[test]
fn a_page_that_was_lost_by_an_exception_is_that_exception() {
    let events = [event(1, "click on #go"), event(2, "load")];
    let mut theirs = events.clone();
    let mut thrown = divergence(DivergenceKind::ExceptionOnlyHere, "no exception");
    thrown.cause = Some(PageError::default());
    theirs[0].divergences = vec![thrown, divergence(DivergenceKind::NavigationMissing, "/next")];
    theirs[1].after_divergence = true;
    theirs[1]
        .divergences
        .push(divergence(DivergenceKind::EventMissing, "load"));
    let result = after(&events, &theirs);
    assert_eq!(result.xbis.len(), 1, "{:#?}", result.xbis);
    assert!(matches!(
        result.xbis[0].cause.as_ref().unwrap().because,
        Because::Exception { .. }
    ));
}

#[test]
fn pages_that_neither_browser_could_be_asked_for_are_not_measured() {
    let mut events = [event(1, "load")];
    events[0].notes.push(format!("{NO_CHECKPOINT}the replayer failed"));
    let (result, _) = compare(
        replay("chromium", &events, vec![], &NoScreenshots),
        replay("webkit", &events, vec![], &NoScreenshots),
        &Mask::default(),
        &Options::default(),
    );
    assert!(matches!(&result.outcome, Outcome::NotMeasured { reason } if reason.contains("the replayer failed")));
}

#[test]
fn a_declaration_that_only_the_other_browser_understands_is_named() {
    let box_of = |width: u32, rule: &str| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    div#box 0 0 {width} 40 {{display: block; background-color: rgb(9, 9, 9)}}\n@ #box {{ {rule} }}\n"
        )
    };
    let result = compare_pages(
        &box_of(200, "width: 200px"),
        &box_of(900, "width: 200px; -moz-size: -moz-available"),
    );
    assert_eq!(lines(&result.xbis), ["Structure #box: is 700 px wider"]);
    let cause = result.xbis[0].cause.as_ref().unwrap();
    assert!(
        matches!(&cause.because, Because::OnlyHere { kept } if kept.len() == 1),
        "{cause:?}"
    );
}

#[test]
fn a_date_that_is_none_beside_an_exception_is_told_by_itself() {
    let events = [event(1, "timer")];
    let mut theirs = events.clone();
    let mut thrown = divergence(DivergenceKind::ExceptionOnlyHere, "no exception");
    thrown.cause = Some(PageError::default());
    theirs[0].divergences.push(thrown);
    let properties = |words: &str| -> Vec<String> {
        let found = reading(words, &events, &theirs).xbis;
        found.iter().map(|xbi| xbi.differences[0].property.clone()).collect()
    };
    assert_eq!(properties("failed"), ["exception-only-here"]);
    assert_eq!(properties("On Invalid Date"), ["exception-only-here", "text"]);
    assert_eq!(properties("NaN km"), ["exception-only-here", "text"]);
    assert_eq!(properties("Nandu"), ["exception-only-here"]);
}

#[test]
fn a_rule_that_one_browser_drops_is_told_beside_what_a_script_makes_of_it() {
    let page = |left: u32, state: &str, rule: &str| {
        document(&format!(
            "
html 0 0 1280 720
  body 0 0 1280 720
    div#pane {left} 0 300 100 [title={state}]
      \"pane\" {left} 0 60 20
@ #pane {{ {rule} }}
"
        ))
    };
    let events = [event(1, "timer measure (50 ms)")];
    let mut theirs = events.clone();
    theirs[0]
        .divergences
        .push(divergence(DivergenceKind::CallbackExtra, "timer measure"));
    let (result, _) = compare(
        replay(
            "chromium",
            &events,
            vec![shown(1, page(200, "inside", "position: absolute"))],
            &NoScreenshots,
        ),
        replay(
            "webkit",
            &theirs,
            vec![shown(1, page(500, "outside", ""))],
            &NoScreenshots,
        ),
        &Mask::default(),
        &Options::default(),
    );
    let told = [
        "Behaviour: a callback is registered that should not be",
        "Structure #pane: stands 300 px further right",
    ];
    assert_eq!(lines(&result.xbis), told);
    let cause = result.xbis[1].cause.as_ref().expect("a cause");
    assert!(
        cause.text.starts_with("`position: absolute` is not supported by"),
        "{}",
        cause.text
    );
}

#[test]
fn the_same_thing_that_is_missed_or_said_at_every_key_is_told_once() {
    let events = [
        event(1, "keydown \"a\" on #editor"),
        event(2, "message of Worker"),
        event(3, "keydown \"b\" on #editor"),
        event(4, "message of Worker"),
        event(5, "message of Window"),
    ];
    let mut theirs = events.clone();
    let said = |who: &str, hash: &str| Divergence {
        actual: format!("{who} {hash}0"),
        ..divergence(DivergenceKind::MessageDiffers, &format!("{who} {hash}"))
    };
    for at in [0, 2] {
        theirs[at]
            .divergences
            .push(divergence(DivergenceKind::TargetMissing, "#editor"));
    }
    theirs[1].divergences.push(said("Worker", "12ab"));
    theirs[3].divergences.push(said("Worker", "34cd"));
    theirs[4].divergences.push(said("window", "56ef"));
    let xbis = all(after(&events, &theirs));
    let told: Vec<(u32, usize)> = xbis
        .iter()
        .map(|xbi| (xbi.event.number, xbi.occurrences.len()))
        .collect();
    assert_eq!(told, [(1, 2), (2, 2), (5, 1)]);
}

#[test]
fn keys_that_go_elsewhere_since_the_focus_never_came_are_told_with_that() {
    let events = [
        event(1, "pointerdown on #page"),
        event(2, "keydown \"End\" on #page"),
        event(3, "keydown \"a\" on #page"),
        event(4, "keydown \"b\" on #other"),
    ];
    let mut theirs = events.clone();
    theirs[0].divergences = vec![divergence(DivergenceKind::EventMissing, "focus on #page")];
    for (number, target) in [(1, "#page"), (2, "#page"), (3, "#other")] {
        theirs[number].divergences = vec![divergence(DivergenceKind::TargetElsewhere, target)];
    }
    let told = |last: usize| all(after(&events[..last], &theirs[..last])).len();
    assert_eq!((told(1), told(3)), (1, 1));
}
