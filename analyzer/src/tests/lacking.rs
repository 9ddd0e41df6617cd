//! A page that asks for another style sheet or script in another browser, which the recording does not have.

use crate::findings::{BrowserResult, Kind};
use crate::replay::NoScreenshots;
use crate::testing::{document, event, lines, replay, shown};
use crate::{Mask, Options, compare};
use xcheck_trace::event::PageError;
use xcheck_trace::page::DocumentData;
use xcheck_trace::run::{Divergence, DivergenceKind, ReplayedEvent};

/// A page whose head asks for something, with a box as wide as told, after events of which the first asked.
fn page(asks: &str, width: u32, said: &str) -> DocumentData {
    document(&format!(
        "html 0 0 1280 720\n  head 0 0 0 0 hidden\n    {asks}\n  body 0 0 1280 720\n    \
         div#box 0 0 {width} 40 {{display: block; background-color: rgb(9, 9, 9)}}\n    \
         p#said 0 100 300 20 {{display: block}}\n      \"{said}\" 0 100 200 20\n"
    ))
}

fn style_sheet(href: &str) -> String {
    format!("link 0 0 0 0 hidden [rel=stylesheet] [href={href}]")
}

fn divergence(kind: DivergenceKind, expected: &str, actual: &str) -> Divergence {
    Divergence::new(kind, expected, actual)
}

fn not_in_trace(url: &str) -> Divergence {
    divergence(
        DivergenceKind::NotInTrace,
        "only what was recorded",
        &format!("GET {url}"),
    )
}

fn result(events: [&[ReplayedEvent]; 2], pages: [Vec<DocumentData>; 2]) -> BrowserResult {
    let [a, b] = pages.map(|pages| (1..).zip(pages).map(|(number, data)| shown(number, data)).collect());
    let (result, _) = compare(
        replay("chromium", events[0], a, &NoScreenshots),
        replay("firefox", events[1], b, &NoScreenshots),
        &Mask::default(),
        &Options::default(),
    );
    result
}

const SHEET: &str = "https://shop.test/skins/gecko.css";

#[test]
fn how_a_page_looks_and_is_hit_without_its_style_sheet_is_one_finding() {
    let events = [event(1, "load"), event(2, "click on #box"), event(3, "timer")];
    let mut theirs = events.clone();
    theirs[0].divergences.push(not_in_trace(SHEET));
    theirs[1]
        .divergences
        .push(divergence(DivergenceKind::EventMissing, "click on #box", "nothing"));
    // What a hand missed does not lead to anything later either.
    let timer = divergence(DivergenceKind::CallbackMissing, "timer 5c1e", "nothing");
    theirs[2].divergences.push(timer);
    let mine = vec![
        page(&style_sheet("skins/blink.css"), 300, "ready"),
        page(&style_sheet("skins/blink.css"), 400, "ready"),
    ];
    let other = vec![
        page(&style_sheet("skins/gecko.css"), 900, "ready"),
        page(&style_sheet("skins/gecko.css"), 200, "ready"),
    ];
    let found = result([&events, &theirs], [mine.clone(), other.clone()]).xbis;
    assert_eq!(
        lines(&found),
        ["Behaviour: something is asked for that the recording does not have"]
    );
    assert!(found[0].cause.as_ref().unwrap().text.contains("gecko.css"));
    assert!(
        found[0].differences.iter().any(|one| one.selector == "#box"),
        "{found:#?}"
    );

    // A request that is no style sheet of the page's says nothing about its looks.
    theirs[0].divergences[0] = not_in_trace("https://shop.test/count?gecko");
    let found = result([&events, &theirs], [mine, other]).xbis;
    assert!(found.iter().any(|xbi| xbi.kind == Kind::Structure), "{found:#?}");
}

#[test]
fn what_has_nothing_to_do_with_looks_is_told_beside_a_style_sheet_that_is_lacking() {
    let events = [event(1, "load"), event(2, "click on #box")];
    let mut theirs = events.clone();
    theirs[0].divergences.push(not_in_trace(SHEET));
    theirs[1].divergences.push(divergence(
        DivergenceKind::RequestMissing,
        "fetch POST /order",
        "nothing",
    ));
    let sheet = style_sheet("skins/gecko.css");
    let found = result(
        [&events, &theirs],
        [
            vec![page(&sheet, 300, "ready"), page(&sheet, 300, "ordered")],
            vec![page(&sheet, 300, "ready"), page(&sheet, 300, "failed")],
        ],
    );
    let found = lines(&found.xbis);
    assert!(
        found.contains(&"Behaviour: a request is never sent".to_owned()),
        "{found:?}"
    );
}

#[test]
fn a_script_that_never_came_is_the_reason_for_what_the_page_lacks() {
    let events = [event(1, "script"), event(2, "load"), event(3, "click on #box")];
    let mut theirs = events.clone();
    let missing = |kind, expected| divergence(kind, expected, "nothing");
    theirs[0]
        .divergences
        .push(missing(DivergenceKind::ScriptMissing, "https://shop.test/app-blink.js"));
    theirs[1]
        .divergences
        .push(not_in_trace("https://shop.test/app-gecko.js"));
    theirs[2]
        .divergences
        .push(missing(DivergenceKind::EventMissing, "click on #box"));
    let script = |name: &str| format!("script 0 0 0 0 hidden [src=/app-{name}.js]");
    let found = result(
        [&events, &theirs],
        [
            vec![
                page(&script("blink"), 300, "wait"),
                page(&script("blink"), 300, "3 boats"),
                page(&script("blink"), 300, "4 boats"),
            ],
            vec![
                page(&script("gecko"), 300, "wait"),
                page(&script("gecko"), 700, "wait"),
                page(&script("gecko"), 700, "wait"),
            ],
        ],
    );
    assert_eq!(lines(&found.xbis), ["Behaviour: a script never runs"], "{found:#?}");
    assert!(found.xbis[0].cause.as_ref().unwrap().text.contains("app-gecko.js"));
}

#[test]
fn a_module_that_only_one_browser_imports_is_asked_for_and_no_exception_of_its_page() {
    for message in [
        "TypeError: error loading dynamically imported module: https://shop.test/open-gecko.js",
        "TypeError: Importing a module script failed.",
    ] {
        let events = [event(1, "script"), event(2, "load"), event(3, "timer")];
        let mut theirs = events.clone();
        let error = PageError {
            message: message.to_owned(),
            via: "rejection".to_owned(),
            ..PageError::default()
        };
        let mut thrown = divergence(DivergenceKind::ExceptionOnlyHere, "no exception", message);
        thrown.cause = Some(error.clone());
        theirs[0].divergences.push(thrown);
        let mut asked = not_in_trace("https://shop.test/open-gecko.js");
        asked.cause = Some(error);
        theirs[1].divergences.push(asked);
        let pages = || vec![page("meta 0 0 0 0 hidden", 300, "ready")];
        let found = result([&events, &theirs], [pages(), pages()]).xbis;
        assert_eq!(
            lines(&found),
            ["Behaviour: something is asked for that the recording does not have"]
        );
        assert!(
            found[0]
                .cause
                .as_ref()
                .unwrap()
                .text
                .ends_with("GET https://shop.test/open-gecko.js")
        );
    }
}
