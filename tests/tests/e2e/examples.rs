//! The X-Check paper's examples (Fig. 3, 5 and 6, and the rules of §III.B), in real browsers.
//!
//! Each is recorded in Chromium and replayed there, in Firefox and WebKit, which lack one thing that the page needs, and
//! in a Chromium from which it was taken away. What happens is flagged at its event and with its cause; everything else
//! is as it was recorded.

mod example;

use anyhow::{Context, Result, ensure};
use example::{Cause, Example, custom, record};
use xcheck_agent::CustomBrowser;
use xcheck_tests::session::{Step, Step::*, click};
use xcheck_tests::side_by_side::{self, Seen};
use xcheck_trace::manifest::Engine;

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_fails_in_the_first_handler_leaves_the_second_one_its_timer_and_its_number_in_trace_1() -> Result<()>
{
    let steps = [
        Open("/x-check/two-timers.html?needs=EyeDropper&delay=3000"),
        click("#elem0"),
        click("#elem1"),
        Until("document.title === 'fn1'"),
        click("#elem2"),
        Until("document.title === 'third'"),
    ];
    let order = [
        "click on #elem0",
        "click on #elem1",
        "timer fn0 (3000 ms)",
        "timer fn1 (3000 ms)",
    ];
    two_timers(Example::play(&steps).await?, order)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_fails_in_the_first_handler_leaves_the_second_one_its_timer_and_its_number_in_trace_2() -> Result<()>
{
    let steps = trace_2("/x-check/two-timers.html?needs=EyeDropper&delay=200");
    two_timers(Example::play(&steps).await?, TRACE_2)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_firefox_with_a_preference_off_is_found_out_beside_one_that_has_it_on() -> Result<()> {
    let steps = trace_2("/x-check/two-timers.html?needs=ViewTransition&delay=200");
    let off = CustomBrowser {
        preferences: [("dom.viewTransitions.enabled".to_owned(), false.into())].into(),
        ..custom("firefox-without", Engine::Gecko)
    };
    let example = Example::play_in(&steps, &["chromium", "firefox"], &["firefox-without"], &[off]).await?;
    two_timers(example, TRACE_2)
}

const TRACE_2: [&str; 4] = [
    "click on #elem0",
    "timer fn0 (200 ms)",
    "click on #elem1",
    "timer fn1 (200 ms)",
];

fn trace_2(page: &'static str) -> [Step; 7] {
    [
        Open(page),
        click("#elem0"),
        Until("document.title === 'fn0'"),
        click("#elem1"),
        Until("document.title === 'fn1'"),
        click("#elem2"),
        Until("document.title === 'third'"),
    ]
}

/// Fig. 5, in the order of Fig. 6.
fn two_timers(example: Example, order: [&str; 4]) -> Result<()> {
    example.was_recorded_as(&order)?;
    let fn0 = order
        .iter()
        .find(|label| label.contains("fn0"))
        .context("it is there")?;
    let fn1 = order
        .iter()
        .find(|label| label.contains("fn1"))
        .context("it is there")?;
    let missing = format!("{fn0}: callback-missing");
    example.diverges(
        &["click on #elem0: callback-missing, exception-only-here", &missing],
        Cause::TheCall,
    )?;
    let numbers = [fn0, fn1, "click on #elem2"].map(|label| example.random(label));
    let [first, second, third] = numbers;
    let (first, second, third) = (first?, second?, third?);
    example.complete_shows("out0", &["", &first])?;
    example.lacking_shows("out0", &[""])?;
    example.all_show("out1", &["", &second])?;
    example.all_show("out2", &["", &third])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reminder_that_comes_by_nested_timers_and_goes_by_another_is_seen_while_it_stands_there() -> Result<()> {
    let steps = [
        Open("/x-check/book-manager.html?needs=EyeDropper"),
        Until("document.title === 'done'"),
    ];
    let example = Example::play(&steps).await?;
    example.was_recorded_as(&["timer remind (300 ms)", "timer remind (300 ms)", "timer hide (1500 ms)"])?;
    example.diverges(&[], Cause::Nothing)?;
    let right = "You borrowed 3 books, and can still borrow 2.";
    let wrong = "You borrowed undefined books, and can still borrow NaN.";
    example.complete_shows("hint", &["", right, ""])?;
    example.lacking_shows("hint", &["", wrong, ""])?;
    // The paper's false alarm: a number that is another one each time.
    let visits = (example.random("inline script 0")?.parse::<f64>()? * 1000.0).floor();
    example.all_show("visits", &[&visits.to_string()])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timer_that_is_set_at_another_event_of_the_same_press_runs_when_the_log_has_it() -> Result<()> {
    let steps = [
        Open("/x-check/asked-by-name.html"),
        click("#go"),
        Until("document.title === 'counted'"),
    ];
    let example = Example::play(&steps).await?;
    example.was_recorded_as(&[
        "pointerdown on #go",
        "timer later (10 ms)",
        "interval tick (40 ms)",
        "interval tick (40 ms)",
        "interval tick (40 ms)",
    ])?;
    example.diverges(
        &[
            "interval tick (40 ms): wrong-callback",
            "pointerdown on #go: callback-missing, event-extra",
            "timer later (10 ms): wrong-callback",
        ],
        Cause::Nothing,
    )?;
    example.all_show("out", &["", "later"])?;
    example.all_show("count", &["", "3"])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timer_that_is_not_set_leaves_the_others_of_its_name_their_turn() -> Result<()> {
    let steps = [
        Open("/x-check/scheduler.html?needs=EyeDropper"),
        click("#go"),
        Until("document.title === 'done'"),
    ];
    let example = Example::play(&steps).await?;
    // At the place of the last there is none.
    example.diverges(
        &[
            "click on #go: callback-missing",
            "timer run (150 ms): wrong-callback",
            "timer run (5 ms): callback-missing",
        ],
        Cause::Nothing,
    )?;
    example.complete_shows("out", &["", "picker three one two "])?;
    example.lacking_shows("out", &["", "three one two "])
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_drawn_by_timers_where_others_have_frames_is_flagged_and_drawn() -> Result<()> {
    let steps = [
        Open("/x-check/by-timers.html"),
        click("#go"),
        Until("document.title === 'done'"),
    ];
    let example = Example::play(&steps).await?;
    example.diverges(
        &[
            "animation frame step: wrong-callback",
            "animation frame step: wrong-callback",
            "click on #go: wrong-callback",
        ],
        Cause::Nothing,
    )?;
    example.all_show("out", &["", "drawn 3"])
}

#[tokio::test(flavor = "multi_thread")]
async fn where_a_page_goes_another_way_it_comes_to_the_end_of_it() -> Result<()> {
    let steps = [
        Open("/x-check/another-way.html"),
        click("#go"),
        Until("document.querySelector('#out').textContent === 'ready'"),
        click("#next"),
        Until("document.title === 'next'"),
    ];
    let example = Example::play(&steps).await?;
    for seen in &example.lacking {
        let told = seen.divergences();
        let known = ["click on #go: ", "timer ready (120 ms): callback-missing"];
        let is_known = |one: &String| known.iter().any(|known| one.starts_with(known));
        ensure!(
            told.iter().any(|one| one.contains("callback-extra")) && told.iter().all(is_known),
            "{}: {told:#?}",
            seen.replay.name
        );
    }
    example.all_show("out", &["", "ready"])
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_and_dates_that_are_asked_for_once_more_or_not_at_all_are_flagged_and_shift_nobody_elses() -> Result<()>
{
    let steps = [
        Open("/x-check/answers.html?needs=EyeDropper"),
        click("#fewer"),
        click("#more"),
        click("#next"),
        Until("document.title === 'next'"),
    ];
    let example = Example::play(&steps).await?;
    let expected = ["click on #fewer: answers-unused", "click on #more: answers-exhausted"];
    example.diverges(&expected, Cause::Nothing)?;
    for seen in &example.lacking {
        let told = seen.replay.events.iter().flat_map(|event| &event.divergences);
        let told: Vec<(&str, &str)> = told.map(|found| (&*found.expected, &*found.actual)).collect();
        let wanted = [
            ("3 random", "1 random"),
            ("3 date", "1 date"),
            ("1 random", "more than 1"),
            ("1 date", "more than 1"),
        ];
        ensure!(told == wanted, "{}: {told:?}", seen.replay.name);
    }
    let shown = |id: &str| example.complete[0].texts(id).pop().unwrap_or_default();
    let first = |text: String| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
    example.lacking_shows("out-fewer", &["", &first(shown("out-fewer"))])?;
    example.all_show("out-next", &["", &shown("out-next")])?;
    // What the log does not have goes on from what it has, in the same way everywhere.
    let goes_on = example.lacking[0].texts("out-more").pop().unwrap_or_default();
    ensure!(goes_on.starts_with(&shown("out-more")), "{goes_on}");
    let mut numbers: Vec<&str> = goes_on.split(' ').step_by(2).collect();
    numbers.sort_unstable();
    numbers.dedup();
    ensure!(numbers.len() == 3, "a constant is no random number: {goes_on}");
    example.lacking_shows("out-more", &["", &goes_on])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_differs_is_flagged_and_one_elsewhere_in_its_list_gets_its_own_response() -> Result<()> {
    let steps = [
        Open("/x-check/requests.html?needs=EyeDropper"),
        click("#other"),
        Until("document.title === 'other'"),
        click("#swapped"),
        Until("document.title === 'swapped'"),
        click("#next"),
        Until("document.title === 'next'"),
    ];
    let example = Example::play(&steps).await?;
    let expected = [
        "Response.text fulfilled: callback-missing",
        "click on #other: not-in-trace, request-differs",
        "fetch GET /x-check/one.txt fulfilled: request-differs",
        "fetch GET /x-check/one.txt fulfilled: request-missing",
        "fetch GET /x-check/two.txt fulfilled: request-differs",
    ];
    example.diverges(&expected, Cause::Nothing)?;
    example.complete_shows("out-other", &["", "the first"])?;
    example.lacking_shows("out-other", &[""])?;
    example.all_show("out-swapped", &["", "the first the second"])?;
    example.all_show("out-next", &["", "the first"])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_is_missing_is_flagged_its_gesture_is_skipped_and_the_next_one_is_made() -> Result<()> {
    let steps = [
        Open("/x-check/targets.html?needs=EyeDropper"),
        click("#missing"),
        Until("document.title === 'missing'"),
        click("#next"),
        Until("document.title === 'next'"),
    ];
    let example = Example::play(&steps).await?;
    let expected = [
        "pointerdown on #missing: target-missing",
        "pointermove on #missing: target-missing",
        "pointerup on #missing: target-missing",
        // The script that throws asked for nothing when it was recorded, and so is no event: at the one before it.
        "script /x-check/api.js: exception-only-here",
    ];
    example.diverges(&expected, Cause::TheCall)?;
    let missing = example.random("click on #missing")?;
    let next = example.random("click on #next")?;
    example.complete_shows("out-missing", &["", &missing])?;
    example.lacking_shows("out-missing", &[""])?;
    example.all_show("out-next", &["", &next])
}

/// What goes wrong alike in all browsers is no difference between them: it is known by the page that was recorded.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_not_as_large_as_in_the_same_browser_when_it_was_recorded_is_flagged() -> Result<()> {
    let steps = [
        Open("/x-check/targets.html?needs=EyeDropper"),
        click("#next"),
        Until("document.title === 'next'"),
    ];
    let recorded = record(&steps).await?;
    let mut browser = xcheck_agent::find("chromium", &[]).context("chromium is needed for this test")?;
    browser
        .arguments
        .push("--disable-blink-features=EyeDropperAPI".to_owned());
    let run = tempfile::tempdir()?;
    let seen = side_by_side::replay(&recorded, vec![browser], &run.path().join("run")).await?;
    let mut found = seen[0].divergences();
    found.sort();
    let expected = [
        "pointerup on #next: page-differs",
        "script /x-check/api.js: exception-only-here",
    ];
    ensure!(found == expected, "{found:#?}");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_does_not_navigate_is_flagged_and_the_replay_goes_on_at_the_next_page() -> Result<()> {
    let steps = [
        Open("/x-check/link.html?needs=EyeDropper"),
        click("#away"),
        Until("document.title === 'linked'"),
        click("#next"),
        Until("document.title === 'shown'"),
    ];
    let example = Example::play(&steps).await?;
    let expected = ["click on #away: exception-only-here, navigation-missing"];
    example.diverges(&expected, Cause::TheCall)?;
    example.all_show("out-next", &["", &example.random("timer shown (0 ms)")?])?;
    let loads = &example.recorded.trace.loads;
    let next = loads.iter().find(|load| load.url.ends_with("linked.html"));
    let next = next.context("the link was followed when recording")?.load;
    for (all, after) in [(&example.complete, false), (&example.lacking, true)] {
        for Seen { replay, .. } in all {
            let events = replay
                .events
                .iter()
                .map(|event| (event.place.load, event.after_divergence));
            let looks = replay.checkpoints.iter().map(|look| (look.load, look.after_divergence));
            for (load, marked) in events.chain(looks) {
                ensure!(
                    marked == (after && load == next),
                    "{}: load {load}: {marked}",
                    replay.name
                );
            }
        }
    }
    Ok(())
}
