//! The page is scrolled elsewhere in one browser: told where a person sees it, and what keeps to the window is not.

use crate::testing::{check, compare_checkpoints, document, lines};
use crate::{Options, findings::Xbi};

/// A page of so many px, scrolled so far, with a head that sticks to the window.
fn page(high: f32, scrolled: f32) -> xcheck_trace::page::DocumentData {
    let mut data = document(&format!(
        "html 0 0 1280 {high}\n  body 0 0 1280 {high}\n    header#head 0 {scrolled} 1280 40 {{display: block; position: sticky}}\n    \
         main#all 0 40 1280 {} {{display: block}}\n      \"All the words\" 0 40 200 20\n",
        high - 40.0
    ));
    data.page = [1280.0, high];
    data.scroll = [0.0, scrolled];
    data
}

fn told(reference: (f32, f32), other: (f32, f32)) -> Vec<Xbi> {
    let [a, b] = [reference, other].map(|(high, scrolled)| page(high, scrolled));
    let looked_at_first = || page(3000.0, 0.0);
    let options = Options::default();
    compare_checkpoints(vec![looked_at_first(), a], vec![looked_at_first(), b], &options).xbis
}

#[test]
fn a_page_that_shows_another_place() {
    let xbis = told((3000.0, 0.0), (3000.0, 900.0));
    assert_eq!(lines(&xbis), ["Behaviour html: is scrolled to another place"]);
    assert_eq!(xbis[0].event.label, "event 2");
}

/// Both pages are looked at where they begin, with a field far down one of which has the focus next, or none.
fn told_with_focus_on(field: &str, places: [f32; 2]) -> Vec<String> {
    let state = |focused: bool, scrolled: f32| {
        let focus = |id: &str| if focused && id == field { "(focused=true)" } else { "" };
        let mut data = document(&format!(
            "html 0 0 1280 3000\n  body 0 0 1280 3000\n    input#near 0 40 200 20 {{display: block}} {}\n    \
             input#far 0 1000 200 20 {{display: block}} {}\n",
            focus("near"),
            focus("far")
        ));
        data.page = [1280.0, 3000.0];
        data.scroll = [0.0, scrolled];
        data
    };
    let states = |scrolled: f32| vec![state(false, 0.0), state(true, scrolled)];
    lines(&compare_checkpoints(states(places[0]), states(places[1]), &Options::default()).xbis)
}

#[test]
fn up_to_half_a_window_is_where_an_engine_brings_what_has_the_focus() {
    assert_eq!(told_with_focus_on("far", [640.0, 310.0]), Vec::<String>::new());
    let told = ["Behaviour html: is scrolled to another place"];
    assert_eq!(told_with_focus_on("far", [640.0, 240.0]), told);
}

#[test]
fn what_was_in_the_window_already_is_brought_nowhere() {
    let told = ["Behaviour html: is scrolled to another place"];
    assert_eq!(told_with_focus_on("", [220.0, 0.0]), told);
    // As by a click on a button that then scrolls the page by a script.
    assert_eq!(told_with_focus_on("near", [220.0, 0.0]), told);
    assert_eq!(told_with_focus_on("near", [60.0, 0.0]), Vec::<String>::new());
}

#[test]
fn a_document_that_has_just_come_may_be_shown_where_it_was_left() {
    let options = Options::default();
    let xbis = compare_checkpoints(vec![page(3000.0, 0.0)], vec![page(3000.0, 138.0)], &options).xbis;
    assert_eq!(lines(&xbis), Vec::<String>::new());
}

#[test]
fn the_end_of_a_longer_page_is_its_end() {
    let xbis = told((3000.0, 2280.0), (3600.0, 2880.0));
    assert!(xbis.iter().all(|xbi| !xbi.title.contains("scrolled")), "{xbis:#?}");
}

#[test]
fn a_pane_that_grows_with_what_it_was_to_scroll() {
    let page = |h: u32, hidden: &str| {
        format!(
            r##"
html 0 0 1280 720
  body 0 24 1280 {}
    div#frame 140 24 1000 {} {{display: block}}
      table 140 66 1000 {h} {{display: table; background-color: rgb(255,255,255)}}
        tbody 140 66 1000 {h} {{display: table-row-group}}
          tr 140 66 1000 {h} {{display: table-row}}
            td#list 140 66 300 {h} {{display: table-cell; border-right-width: 2px}}
              ul 140 66 298 180 {{display: block}}
            td#pane 440 66 700 {h} {{display: table-cell}}
              div#letter 440 66 700 {h} {{display: block; overflow-y: auto}}
                h2 464 82 652 26 {{display: block}}
                p 464 404 600 72 {{display: block}}
                  "The well froze" 464 407 597 41
                p 464 476 600 72 {{display: block}} {hidden}
                  "The wood" 464 479 597 41 {hidden}
      div#foot 140 {} 1000 48 {{display: flex; background-color: rgb(0,0,0)}}
"##,
            h + 102,
            h + 102,
            h + 78
        )
    };
    check(
        &page(360, "hidden"),
        &page(570, ""),
        &["Structure #letter: is 210 px taller"],
    );
}

#[test]
fn pictures_of_a_page_that_goes_on_to_the_left_are_said_not_to_be_compared() {
    let compared = |style: &str, wide: f32| {
        let state = || {
            let mut data = document(&format!("html 0 0 1280 720 {{{style}}}\n  body 0 0 1280 720\n"));
            data.page = [wide, 720.0];
            vec![data]
        };
        compare_checkpoints(state(), state(), &Options::default())
            .unmeasured
            .len()
    };
    assert_eq!(compared("direction: rtl", 2000.0), 1);
    assert_eq!(compared("writing-mode: vertical-rl", 2000.0), 1);
    assert_eq!(compared("direction: rtl", 1280.0), 0);
    assert_eq!(compared("direction: ltr", 2000.0), 0);
}
