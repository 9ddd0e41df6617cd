//! Several checkpoints: what stands, what comes, what follows from what.

use crate::findings::{Because, Kind, Mode, Outcome};
use crate::replay::{NoScreenshots, Shown};
use crate::testing::{compare_checkpoints, document, event, lines, replay, shown};
use crate::{IgnoreRule, Mask, Options, compare, noise};
use xcheck_trace::event::PageError;
use xcheck_trace::page::{DocumentData, Node};
use xcheck_trace::run::{Divergence, DivergenceKind, ReplayedEvent};

const PAGE: &str = r##"
html 0 0 1280 720
  body 0 0 1280 720
    div#box 0 0 300 100 {display: block; background-color: rgb(9, 9, 9)}
    p#note 0 100 300 20 {display: block}
      "ready" 0 100 60 20
"##;

/// Only what `change` touches, as a later checkpoint carries it.
fn increment(page: &str, change: impl Fn(&mut Node) -> bool) -> DocumentData {
    let mut data = document(page);
    data.whole = false;
    data.rules = None;
    data.styles.clear();
    data.nodes = data
        .nodes
        .into_iter()
        .filter_map(|mut node| change(&mut node).then_some(node))
        .collect();
    data
}

fn widened(by: f32) -> DocumentData {
    increment(PAGE, |node| {
        node.rect[2] += by;
        node.id == 3
    })
}

#[test]
fn a_difference_that_stands_is_seen_once() {
    let result = compare_checkpoints(
        vec![document(PAGE), widened(0.0), widened(0.0)],
        vec![document(PAGE), widened(50.0), widened(50.0)],
        &Options::default(),
    );
    assert_eq!(lines(&result.xbis), ["Structure #box: is 50 px wider"]);
    assert_eq!(result.xbis[0].event.label, "event 2");
    assert_eq!(result.xbis[0].occurrences.len(), 1);
}

/// Something that one browser offers, and below it what stands higher where it is not.
#[test]
fn what_stands_elsewhere_for_something_missing_does_so_later_too() {
    let page = |offer: &str, top: f32| {
        format!(
            "html 0 0 1280 720\n  body 0 0 1280 720\n    h1#title 0 0 1280 40 {{display: block}}\n{offer}    div#board 0 {top} 1280 200 {{display: block}}\n      \
             button#key 0 {top} 100 200 {{display: block}}\n"
        )
    };
    let (mine, theirs) = (
        page("    div#offer 0 40 1280 90 {display: block}\n", 130.0),
        page("", 40.0),
    );
    let pressed = |page: &str| {
        increment(page, |node| {
            node.style = 0;
            node.attributes
                .iter()
                .any(|(_, value)| value == "board" || value == "key")
        })
    };
    let result = compare_checkpoints(
        vec![document(&mine), pressed(&mine)],
        vec![document(&theirs), pressed(&theirs)],
        &Options::default(),
    );
    assert_eq!(lines(&result.xbis), ["Behaviour #offer: is not in the page"]);
}

#[test]
fn what_is_shown_too_early_is_compared_when_it_is_due() {
    let ahead = |number: u32, data: DocumentData| {
        let mut shown = shown(number, data);
        shown.checkpoint.ahead = true;
        shown
    };
    let events = [event(1, "load on window"), event(2, "timer (1 ms)")];
    let of = |mine: Vec<Shown>, theirs: Vec<Shown>| {
        let reference = replay("chromium", &events, mine, &NoScreenshots);
        let other = replay("firefox", &events, theirs, &NoScreenshots);
        compare(reference, other, &Mask::default(), &Options::default()).0
    };
    let mine = || vec![shown(1, document(PAGE)), shown(2, widened(50.0))];
    let caught_up = of(
        mine(),
        vec![
            ahead(1, document(&PAGE.replace("0 0 300 100", "0 0 350 100"))),
            shown(2, widened(50.0)),
        ],
    );
    assert!(
        caught_up.xbis.is_empty() && caught_up.unmeasured.is_empty(),
        "{caught_up:?}"
    );
    let stands = of(mine(), vec![ahead(1, document(PAGE)), shown(2, widened(0.0))]);
    assert_eq!(lines(&stands.xbis), ["Structure #box: is 50 px narrower"]);
    let never_due = of(vec![shown(1, document(PAGE))], vec![ahead(1, document(PAGE))]);
    assert_eq!(never_due.unmeasured.len(), 1, "{never_due:?}");
}

#[test]
fn one_that_goes_and_comes_back_is_one_finding_seen_twice() {
    let result = compare_checkpoints(
        vec![document(PAGE), widened(0.0), widened(10.0), widened(1.0)],
        vec![document(PAGE), widened(50.0), widened(10.0), widened(60.0)],
        &Options::default(),
    );
    assert_eq!(result.xbis.len(), 1);
    assert_eq!(result.xbis[0].occurrences.len(), 2);
}

#[test]
fn full_mode_finds_the_same() {
    let run = |mode| {
        let options = Options {
            mode,
            ..Options::default()
        };
        let result = compare_checkpoints(
            vec![document(PAGE), widened(0.0), widened(0.0)],
            vec![document(PAGE), widened(50.0), widened(50.0)],
            &options,
        );
        result.xbis
    };
    assert_eq!(run(Mode::Full), run(Mode::Incremental));
}

#[test]
fn an_event_that_adds_a_node_in_one_browser_only_is_behaviour() {
    let page = format!("{PAGE}    p#new 0 120 300 20 {{display: block}}\n");
    let result = compare_checkpoints(
        vec![document(PAGE), increment(&page, |node| node.id == 6)],
        vec![document(PAGE), increment(PAGE, |_| false)],
        &Options::default(),
    );
    assert_eq!(lines(&result.xbis), ["Behaviour #new: is not in the page"]);
    assert_eq!(result.xbis[0].event.label, "event 2");
}

#[test]
fn a_missing_node_follows_from_the_exception_before_it() {
    let page = format!("{PAGE}    p#new 0 120 300 20 {{display: block}}\n");
    let events = vec![event(1, "load"), event(2, "click on #add")];
    let mut theirs = events.clone();
    let error = PageError {
        message: "list.at is not a function".to_owned(),
        source: "https://shop.test/app.js".to_owned(),
        line: 12,
        ..PageError::default()
    };
    for kind in [DivergenceKind::ExceptionOnlyHere, DivergenceKind::RequestMissing] {
        theirs[1].divergences.push(Divergence {
            cause: Some(error.clone()),
            ..Divergence::new(kind, "GET /cart", "")
        });
    }
    let (result, _) = compare(
        replay(
            "chromium",
            &events,
            vec![
                shown(1, document(PAGE)),
                shown(2, increment(&page, |node| node.id == 6)),
            ],
            &NoScreenshots,
        ),
        replay(
            "firefox",
            &theirs,
            vec![shown(1, document(PAGE)), shown(2, increment(PAGE, |_| false))],
            &NoScreenshots,
        ),
        &Mask::default(),
        &Options::default(),
    );
    assert_eq!(result.xbis.len(), 1, "{:#?}", result.xbis);
    let xbi = &result.xbis[0];
    assert_eq!(xbi.kind, Kind::Behaviour);
    assert_eq!(xbi.event.label, "click on #add");
    assert!(matches!(&xbi.cause.as_ref().unwrap().because, Because::Exception { error: found } if *found == error));
    assert!(xbi.differences.iter().any(|difference| difference.selector == "#new"));
    assert_eq!(xbi.occurrences.len(), 1);
}

#[test]
fn what_the_reference_does_not_repeat_is_masked_and_said() {
    let other = PAGE.replace("ready", "4711");
    let again = PAGE.replace("ready", "4712");
    let events = [event(1, "load")];
    let of = |page: &str, name: &str| replay_of(page, name, &events).0;
    fn replay_of<'a>(
        page: &str,
        name: &str,
        events: &'a [xcheck_trace::run::ReplayedEvent],
    ) -> (crate::replay::Replay<'a>, ()) {
        (replay(name, events, vec![shown(1, document(page))], &NoScreenshots), ())
    }
    let options = Options::default();
    let (mask, said, _) = noise(of(PAGE, "chromium"), of(&again, "chromium"), &options);
    let crate::findings::Noise::Measured { volatile } = said else {
        panic!("measured");
    };
    assert_eq!(
        volatile.iter().map(|node| node.selector.as_str()).collect::<Vec<_>>(),
        ["#note"]
    );
    let (result, _) = compare(of(PAGE, "chromium"), of(&other, "firefox"), &mask, &options);
    assert_eq!(result.xbis, []);
    assert_eq!(result.masked, 1);
}

#[test]
fn ignored_findings_stay_in_the_result_with_the_reason() {
    let options = Options {
        ignore: vec![IgnoreRule {
            reason: "known, ticket 12".to_owned(),
            selector: Some("#box".to_owned()),
            ..IgnoreRule::default()
        }],
        ..Options::default()
    };
    let result = compare_checkpoints(
        vec![document(PAGE), widened(0.0)],
        vec![document(PAGE), widened(50.0)],
        &options,
    );
    assert_eq!(result.xbis, []);
    assert_eq!(result.ignored.len(), 1);
    assert_eq!(result.ignored[0].reason, "known, ticket 12");
}

#[test]
fn a_replay_without_checkpoints_is_not_measured() {
    let result = compare_checkpoints(vec![document(PAGE)], vec![], &Options::default());
    assert!(!result.unmeasured.is_empty());
    assert_eq!(result.checkpoints, 0);
    let (result, _) = compare(
        replay("chromium", &[], vec![shown(1, document(PAGE))], &NoScreenshots),
        replay("firefox", &[], vec![], &NoScreenshots),
        &Mask::default(),
        &Options::default(),
    );
    assert!(matches!(result.outcome, Outcome::NotMeasured { .. }));
}

#[test]
fn after_an_unreadable_page_nothing_is_compared_until_a_whole_one() {
    let events: Vec<_> = (1..=3).map(|number| event(number, "event")).collect();
    let mut broken = shown(2, widened(50.0));
    broken.page = Err("its hash does not fit".to_owned());
    let (result, _) = compare(
        replay(
            "chromium",
            &events,
            vec![shown(1, document(PAGE)), shown(2, widened(0.0)), shown(3, widened(1.0))],
            &NoScreenshots,
        ),
        replay(
            "firefox",
            &events,
            vec![shown(1, document(PAGE)), broken, shown(3, widened(50.0))],
            &NoScreenshots,
        ),
        &Mask::default(),
        &Options::default(),
    );
    assert_eq!(result.xbis, []);
    assert_eq!(result.checkpoints, 1);
    let places: Vec<(u32, &str)> = result
        .unmeasured
        .iter()
        .map(|one| (one.place.number, one.what.as_str()))
        .collect();
    assert!(
        places.contains(&(2, "page")) && places.contains(&(3, "nodes")),
        "{places:?}"
    );
}

#[test]
fn the_same_thing_has_the_same_id_when_its_numbers_jitter() {
    let run = |by: f32| {
        let result = compare_checkpoints(
            vec![document(PAGE), widened(0.0)],
            vec![document(PAGE), widened(by)],
            &Options::default(),
        );
        result.xbis[0].id.clone()
    };
    assert_eq!(run(50.0), run(63.5));
}

#[test]
fn a_page_that_gives_itself_another_address_is_told_once() {
    let page = || document("html 0 0 1280 720\n  body 0 0 1280 720\n    p 0 0 200 20\n      \"Plants\" 0 0 60 20\n");
    let events: Vec<ReplayedEvent> = (1..=4)
        .map(|number| event(number, &format!("event {number}")))
        .collect();
    let at = |urls: [&str; 4]| -> Vec<Shown> {
        (1..)
            .zip(urls)
            .map(|(number, url)| {
                let mut shown = shown(number, page());
                shown.checkpoint.url = format!("https://shop.test/{url}");
                shown
            })
            .collect()
    };
    let told = |theirs: &[ReplayedEvent]| {
        let (result, _) = compare(
            replay("chromium", &events, at(["", "plants", "plants", ""]), &NoScreenshots),
            replay("firefox", theirs, at(["", "#plants", "#plants", ""]), &NoScreenshots),
            &Mask::default(),
            &Options::default(),
        );
        result.xbis
    };
    let xbis = told(&events);
    assert_eq!(lines(&xbis), ["Behaviour: the page has another address"]);
    assert_eq!(xbis[0].event.number, 2);
    assert_eq!(xbis[0].occurrences.len(), 1);
    // Where a timer was set that nobody would hear of otherwise, it is what the other address comes of.
    let mut theirs = events.clone();
    let extra = Divergence::new(DivergenceKind::CallbackExtra, "", "timer move");
    theirs[1].divergences.push(extra);
    let xbis = told(&theirs);
    assert_eq!(lines(&xbis), ["Behaviour: the page has another address"]);
    let differences: Vec<&str> = xbis[0].differences.iter().map(|one| one.property.as_str()).collect();
    assert_eq!(differences, ["address", "callback-extra"]);
}

#[test]
fn what_one_browser_alone_has_taken_out_is_told() {
    let page = format!(
        "{PAGE}    ul#list 0 120 300 60 {{display: block}}\n      li#a 0 120 300 20 {{display: block}}\n        \"one\" 0 120 60 20\n      li#b 0 140 300 20 {{display: block}}\n        \"two\" 0 140 60 20\n"
    );
    let whole = document(&page);
    let b = whole
        .nodes
        .iter()
        .find(|node| node.attributes.iter().any(|(_, value)| value == "b"));
    let b = b.unwrap().id;
    let took_out = || {
        let mut data = increment(&page, |_| false);
        data.removed = vec![b];
        data
    };
    let kept = || increment(&page, |_| false);
    let found = |mode: Mode, reference: DocumentData, other: DocumentData| {
        let options = Options {
            mode,
            ..Options::default()
        };
        let states = |last: DocumentData| vec![document(&page), last];
        lines(&compare_checkpoints(states(reference), states(other), &options).xbis)
    };
    for mode in [Mode::Incremental, Mode::Full] {
        assert_eq!(
            found(mode, took_out(), kept()),
            ["Behaviour #b: is in the page, and should not be"],
            "{mode:?}"
        );
        assert_eq!(
            found(mode, kept(), took_out()),
            ["Behaviour #b: is not in the page"],
            "{mode:?}"
        );
        assert_eq!(found(mode, took_out(), took_out()), [] as [&str; 0]);
    }
}
