//! Sessions that are looked at more closely, or to whose trace something was done.

use super::DONE;
use super::running::{record, recorded, replay};
use xcheck_tests::replaying::twice;
use xcheck_tests::session::{Step::*, click, on};
use xcheck_trace::event::{Event, What};
use xcheck_trace::runs::RunReader;

const ENGINES: [&str; 3] = ["chromium", "firefox", "webkit"];

/// Firefox and WebKit begin a native drag and never end it, so that it can be recorded in Chromium only.
#[tokio::test(flavor = "multi_thread")]
async fn a_native_drag_is_replayed_to_its_end_in_every_engine() {
    let steps = [
        Open("/dropping.html"),
        Drag(on("#kept"), on("#box")),
        Drag(on("#card"), on("#box")),
        DONE,
    ];
    let recorded = record("chromium", &steps).await.unwrap();
    let runs = tempfile::tempdir().unwrap();
    for engine in ENGINES {
        let replays = twice(&recorded.trace, engine, &runs.path().join(engine)).await.unwrap();
        let problems = replays.first_problems().join("\n");
        assert_eq!(replays.divergences(), 0, "{engine}: {problems}");
        let (same, of) = replays.identical();
        assert!(same == of && of > 0 && replays.same_outcomes(), "{engine}: {problems}");
        let last = replays.first.checkpoints.last().expect("it was looked at");
        let (reader, _) = RunReader::open(&runs.path().join(engine)).unwrap();
        assert_eq!(
            reader.page(&last.page_sha256).unwrap().documents[0].title,
            "done",
            "{engine}"
        );
    }
}

/// Test drivers say what is held with a stroke, and a person presses such keys in other windows, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_no_page_heard_going_down_is_held_all_the_same() {
    let back = [
        Open("/tabbed-frame.html"),
        click("button"),
        Press("Tab"),
        Press("Shift+Tab"),
        Until("document.title === 'back'"),
    ];
    let mut recorded = record("chromium", &back).await.unwrap();
    let all = recorded.trace.events.len();
    let is_of_shift = |event: &Event| match &event.what {
        Some(What::Dom(dom)) => dom.data.get("key").is_some_and(|key| key == "Shift"),
        _ => false,
    };
    recorded.trace.events.retain(|event| !is_of_shift(event));
    assert_eq!(recorded.trace.events.len() + 2, all, "it went down and up");
    replay("a key that is held", &recorded, &ENGINES).await.unwrap();
}

/// In Firefox and WebKitGTK a sound may be over before it is stopped: what plays takes its own time there.
#[tokio::test(flavor = "multi_thread")]
async fn a_sound_goes_by_the_clock_of_the_page() {
    let heard = "document.querySelector('p').textContent.trim().split(' ').length > 2";
    let steps = [
        Open("/listened.html"),
        click("button"),
        Until(heard),
        click("button"),
        DONE,
    ];
    let recorded = record("chromium", &steps).await.unwrap();
    replay("a sound", &recorded, &["chromium"]).await.unwrap();
}

/// WebKit has no `navigation`.
#[tokio::test(flavor = "multi_thread")]
async fn a_step_back_is_taken_over_by_the_page_before_it_is_taken() {
    let steps = [
        Open("/taken-over.html"),
        click("a"),
        Until("document.querySelector('p').textContent.includes('second')"),
        Back,
        DONE,
    ];
    let recorded = record("chromium", &steps).await.unwrap();
    replay("taken over", &recorded, &["chromium", "firefox"]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_on_its_way_looks_as_where_it_comes_to() {
    let recorded = record("chromium", &[Open("/progress.html"), click("button"), DONE])
        .await
        .unwrap();
    let runs = tempfile::tempdir().unwrap();
    for engine in ENGINES {
        let replays = twice(&recorded.trace, engine, &runs.path().join(engine)).await.unwrap();
        let problems = replays.first_problems().join("\n");
        assert!(
            replays.divergences() == 0 && replays.same_outcomes(),
            "{engine}: {problems}"
        );
        let checkpoints = &replays.first.checkpoints;
        let click = replays
            .first
            .events
            .iter()
            .find(|event| event.label.starts_with("click "))
            .unwrap();
        let looks = checkpoints.iter().filter(|checkpoint| checkpoint.place >= click.place);
        let mut looks: Vec<_> = looks
            .map(|checkpoint| checkpoint.screenshot_sha256.as_ref().unwrap())
            .collect();
        assert!(looks.len() > 1, "{engine}: looked at {} times", looks.len());
        looks.dedup();
        assert_eq!(looks.len(), 1, "{engine}: it is seen to move");
    }
}

/// Chromium takes a style sheet away as soon as the next one is there, also where that still waits for what it imports, and for
/// nothing; Firefox does so before the next one is there.
#[tokio::test(flavor = "multi_thread")]
async fn what_moves_because_a_page_was_painted_between_two_style_sheets_is_replayed() {
    let steps = [
        Open("/restyled.html"),
        click("button"),
        Until("document.title === 'restyled: 22px'"),
        click("button"),
        Until("document.title === 'restyled: 26px'"),
        click("button"),
        Until("document.title === 'restyled: 24px'"),
    ];
    let recorded = record("chromium", &steps).await.unwrap();
    let moved = |event: &&Event| matches!(&event.what, Some(What::Dom(dom)) if dom.name == "transitionend");
    assert_eq!(recorded.trace.events.iter().filter(moved).count(), 2);
    replay("restyled", &recorded, &ENGINES).await.unwrap();
}

/// Firefox, driven, does not close its list by a key.
#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_was_closed_by_a_key_has_no_further_keys_for_itself() {
    let steps = [
        Open("/list-closed.html"),
        click("#size"),
        Press("Escape"),
        Press("ArrowDown"),
        Press("ArrowDown"),
        DONE,
    ];
    let recorded = recorded("chromium", "list_closed", &steps).await.unwrap();
    replay("list_closed", &recorded, &ENGINES).await.unwrap();
}

/// Only Chromium's calendar goes by keys where there is no display.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_picked_in_a_calendar_is_given_as_it_was() {
    let steps = [
        Open("/picked.html"),
        click("#day"),
        Press(" "),
        Press("Escape"),
        Press("ArrowUp"),
        Until("document.title === 'once'"),
        click("button"),
        Press("ArrowDown"),
        Press("Enter"),
        DONE,
    ];
    let recorded = recorded("chromium", "picked", &steps).await.unwrap();
    replay("picked", &recorded, &ENGINES).await.unwrap();
}

/// The page's clock and the proxy's may be of two machines.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_frame_has_loaded_with_has_come_before_whatever_the_clocks_say() {
    let steps = [Open("/framed-sheets.html"), click("button"), DONE];
    let mut recorded = record("chromium", &steps).await.unwrap();
    let sheets = recorded.trace.exchanges.iter_mut();
    for sheet in sheets.filter(|exchange| exchange.request.url.ends_with(".css")) {
        sheet.started_ms += 400.0;
    }
    replay("framed_sheets by two clocks", &recorded, &ENGINES)
        .await
        .unwrap();
}

/// As a test driver or a password manager does: the browser takes it for a person's, as `minlength` asks, and so has the replay to.
#[tokio::test(flavor = "multi_thread")]
async fn text_that_is_put_into_a_field_is_a_persons_in_a_replay() {
    let steps = [
        Open("/filled.html"),
        click("#name"),
        Compose(&["ab"]),
        click("button"),
        Until("document.querySelector('p').textContent.startsWith('three')"),
        click("#name"),
        Press("End"),
        Compose(&["c"]),
        click("#story"),
        Compose(&["once"]),
        click("button"),
        DONE,
    ];
    let recorded = recorded("chromium", "filled", &steps).await.unwrap();
    replay("filled", &recorded, &ENGINES).await.unwrap();
}

/// As if the second frame's script had run first when it was recorded.
#[tokio::test(flavor = "multi_thread")]
async fn frames_that_run_in_another_order_get_their_own_numbers() {
    let steps = [Open("/framed-numbers.html"), DONE];
    let mut recorded = record("chromium", &steps).await.unwrap();
    let is_of_a_frame =
        |event: &&mut Event| matches!(&event.what, Some(What::Script { key, .. }) if key.starts_with("frame "));
    let mut scripts = recorded.trace.events.iter_mut().filter(is_of_a_frame);
    let (first, second) = (scripts.next().unwrap(), scripts.next().unwrap());
    std::mem::swap(&mut first.what, &mut second.what);
    std::mem::swap(&mut first.local, &mut second.local);
    replay("framed_numbers", &recorded, &ENGINES).await.unwrap();
}
