//! Small pages of our own, one for each source of non-determinism: what the page was given stands in the trace, with
//! the event that was given it, in order. Each page says in its file what that is.

mod apart;
mod running;

use running::{recorded, replay};
use xcheck_tests::session::{Step, Step::*, click, off, on};

const DONE: Step = Until("document.title === 'done'");

/// Sessions of one page or several, as a person would visit one after the other; a page has one of its own where an engine
/// does something otherwise there (`OTHERWISE`), or where what came before changes what it shows.
///
/// `webkit:` says why a session is not replayed the same there yet; that replay is run by `cargo test -- --ignored`.
macro_rules! sessions {
    ($($name:ident $(, webkit: $reason:literal)?: $steps:expr;)*) => {
        $(mod $name {
            #[tokio::test(flavor = "multi_thread")]
            async fn is_recorded_in_firefox() {
                super::recorded("firefox", stringify!($name), &super::$name()).await.unwrap();
            }

            #[tokio::test(flavor = "multi_thread")]
            async fn is_recorded_in_chromium_and_replayed_the_same_each_time() {
                let recorded = super::recorded("chromium", stringify!($name), &super::$name()).await.unwrap();
                super::replay(stringify!($name), &recorded, engines!($($reason)?)).await.unwrap();
            }

            $(#[tokio::test(flavor = "multi_thread")]
            #[ignore = $reason]
            async fn is_replayed_the_same_each_time_in_webkit() {
                let recorded = super::recorded("chromium", stringify!($name), &super::$name()).await.unwrap();
                super::replay(stringify!($name), &recorded, &["webkit"]).await.unwrap();
            })?
        }

        fn $name() -> Vec<Step> {
            $steps.to_vec()
        })*
    };
}

macro_rules! engines {
    () => {
        &["chromium", "firefox", "webkit"]
    };
    ($but_webkit:literal) => {
        &["chromium", "firefox"]
    };
}

sessions! {
    time_and_chance: [
        Open("/idle-instead.html"),
        DONE,
        Open("/timers.html"),
        DONE,
        Open("/animation-frames.html"),
        DONE,
        Open("/borrowed.html"),
        DONE,
        Open("/endings.html"),
        DONE,
        Open("/random.html"),
        DONE,
        Open("/dates.html"),
        DONE,
        Open("/user-timing.html"),
        DONE,
        Open("/entries.html"),
        DONE,
    ];
    requests: [
        Open("/xhr.html"),
        DONE,
        Open("/other-events.html"),
        DONE,
        Open("/fetch.html"),
        DONE,
        Open("/errors.html"),
        DONE,
        Open("/throws-first.html"),
        DONE,
        Open("/deadlines.html"),
        DONE,
    ];
    scripts: [
        Open("/between.html"),
        DONE,
        Open("/imports.html"),
        DONE,
        Open("/awaiting.html"),
        DONE,
        Open("/short-stacks.html"),
        DONE,
        Open("/frozen-stacks.html"),
        DONE,
        Open("/opened.html"),
        Until("document.title === 'shown'"),
    ];
    deferred: [
        Open("/deferred.html"),
        DONE,
    ];
    busy_imports: [
        Open("/busy-imports.html"),
        DONE,
    ];
    framed_sheets: [
        Open("/framed-sheets.html"),
        click("button"),
        DONE,
    ];
    many_imports: [
        Open("/many-imports.html"),
        Until("document.title === 'loaded'"),
        click("html"),
        DONE,
    ];
    rested_early: [
        Open("/rested-early.html"),
        click("button"),
        DONE,
    ];
    taken_out: [
        Open("/taken-out.html"),
        click("button"),
        DONE,
        Open("/pulsing.html"),
        click("button"),
        DONE,
    ];
    scrolled_to: [
        Open("/words-above.html"),
        click("input"),
        Type("me"),
        click("button"),
        DONE,
    ];
    focus_of_itself: [
        Open("/focus-of-itself.html"),
        click("#wait"),
        click("#write"),
        Until("document.querySelector('p').textContent.endsWith('on!')"),
        click("#wait"),
        Until("document.querySelector('p').textContent.endsWith('!!')"),
        click("#name"),
        DONE,
    ];
    moved_below: [
        Open("/moved-below.html"),
        Hover(on("button")),
        click("#cover"),
        Until("document.querySelector('#seat:hover')"),
        click("button"),
        DONE,
        Open("/let-go.html"),
        Hover(on("button")),
        click("#cover"),
        Until("document.querySelector('#seat:hover')"),
        click("button"),
        DONE,
    ];
    led_by: [
        Open("/led-by.html"),
        click("button"),
        Hover(on("#beside")),
        Hover(on("#around")),
        Hover(on("#beside")),
        DONE,
    ];
    taken_back: [
        Open("/closed-with-focus.html"),
        click("#name"),
        Type("me"),
        Press("Escape"),
        DONE,
        Open("/given-up.html"),
        click("button"),
        DONE,
    ];
    veiled: [
        Open("/veiled.html"),
        click("#change"),
        click("html"),
        Press("a"),
        DONE,
        click("#below"),
        Until("document.querySelector('p').textContent.includes('below')"),
    ];
    not_valid: [
        Open("/not-valid.html"),
        click("#send"),
        click("#look"),
        click("#ask"),
        DONE,
        click("#send"),
        Type("x"),
        Press("Tab"),
        DONE,
    ];
    settled_together: [Open("/settled-together.html"), click("button"), DONE];
    tasks: [Open("/tasks.html"), click("#slider"), DONE];
    answered_in_turn: [
        Open("/answered-in-turn.html"),
        Until("document.querySelector('button').textContent === 'ask now'"),
        click("button"),
        DONE,
    ];
    told_one_by_one: [
        Open("/told-one-by-one.html"),
        Until("document.querySelector('button').textContent === 'tell now'"),
        click("button"),
        DONE,
    ];
    worker_imports: [
        Open("/worker-imports.html"),
        Until("document.querySelector('p').textContent.split('this is').length === 3"),
        click("button"),
        DONE,
    ];
    unplaced_sound: [
        Open("/unplaced-sound.html"),
        click("button"),
        DONE,
    ];
    opened_later: [
        Open("/opened-later.html"),
        Until("document.querySelector('button').textContent === 'add to 0'"),
        click("button"),
        Until("document.querySelector('button').textContent === 'add to 1'"),
        click("button"),
        DONE,
    ];
    on_the_way: [
        Open("/on-the-way.html"),
        click("#to"),
        Until("document.title === 'there'"),
        click("#top"),
        DONE,
    ];
    left_behind: [
        Open("/left-behind.html"),
        click("#draft"),
        Type("mine"),
        click("#take"),
        Until("document.title.startsWith('gone 0.')"),
        click("#on"),
        DONE,
    ];
    into_a_frame: [
        Open("/into-a-frame.html"),
        Hover(on("button")),
        Hover(on("#frame >> p")),
        Hover(on("button")),
        DoubleClick(on("#box")),
        DONE,
    ];
    tabbed_frame: [
        Open("/tabbed-frame.html"),
        click("button"),
        Press("Tab"),
        Type("an "),
        Press("Shift+Tab"),
        Press("Tab"),
        Press("Tab"),
        DONE,
    ];
    under_way: [
        Open("/under-way.html"),
        click("button"),
        DONE,
        Open("/asked-for-animations.html"),
        click("button"),
        DONE,
        Open("/hidden-in-time.html"),
        click("button"),
        DONE,
    ];
    in_a_pane: [
        Open("/in-a-pane.html"),
        click("#row-20"),
        DONE,
    ];
    stepped_back: [
        Open("/stepped-back.html"),
        click("button"),
        Until("document.title === 'pushed'"),
        Back,
        DONE,
    ];
    growing: [
        Open("/growing.html"),
        click("button"),
        DONE,
    ];
    played: [
        Open("/played.html"),
        click("button"),
        DONE,
    ];
    elements: [
        Open("/shadows.html"),
        click("x-made >> button"),
        Until("document.title === 'x-made'"),
        click("x-parsed >> button"),
        Until("document.title === 'x-parsed'"),
        Open("/scrolling.html"),
        click("button"),
        DONE,
        Open("/scrolled-to-the-end.html"),
        Wheel(on("div"), 0.0, 5000.0),
        DONE,
        Open("/older-names.html"),
        click("button"),
        Until("document.title === 'moved 1'"),
        Open("/both-names.html"),
        click("button"),
        Until("told === 1"),
        click("button"),
        DONE,
        Open("/inherited.html"),
        click("button"),
        Until("document.title === 'on'"),
        click("button"),
        Until("document.title === 'off'"),
    ];
    shrinking: [
        Open("/shrinks.html"),
        Until("document.title >= 1"),
        Wheel(on("body"), 0.0, 500.0),
        Until("document.title >= 2"),
        Wheel(on("body"), 0.0, 500.0),
        Until("document.title >= 3"),
        Wheel(on("body"), 0.0, 5000.0),
        Until("document.title >= 5"),
    ];
    held_apart: [
        Open("/held-apart.html"),
        Drag(on("#stage"), off("#stage", 60.0, 20.0)),
        DONE,
    ];
    stands_elsewhere: [Open("/stands-elsewhere.html"), click("#more"), DONE];
    let_go_beside: [Open("/let-go-beside.html"), click("#text"), DONE];
    shadow_trees: [
        Open("/shadow-trees.html"),
        click("x-open >> [type=checkbox]"),
        Until("document.title === 'rested'"),
        click("x-open >> [type=text]"),
        Until("document.title === 'in the field'"),
        click("x-closed"),
        DONE,
    ];
    dispatched: [
        Open("/dispatched.html"),
        Until("document.title === 'blob'"),
        click("button"),
        DONE,
    ];
    idle: [Open("/idle.html"), DONE];
    hovering: [
        Open("/clicked-twice.html"),
        DoubleClick(on("#word")),
        DONE,
        Open("/leaving.html"),
        Hover(on("#part")),
        Hover(on("#beside")),
        click("#beside"),
        DONE,
        Open("/hovering.html"),
        click("li"),
        DONE,
        Open("/scrolled-below.html"),
        Hover(on("p")),
        Until("document.title === 'one'"),
        Until("document.getElementById('three').scrollIntoView() ?? true"),
        Until("document.title === 'three'"),
        Open("/hidden-field.html"),
        click("#name"),
        Type("Ada"),
        Press("Escape"),
        DONE,
        Open("/chosen-in-field.html"),
        click("#name"),
        Type("Ada"),
        DONE,
        Open("/resting.html"),
        Hover(on("button")),
        Until("document.getElementById('count').textContent"),
        Hover(on("button")),
        click("button"),
        DONE,
    ];
    navigating: [
        Open("/left-for-text.html"),
        click("#away"),
        Until("document.contentType === 'text/plain'"),
        Open("/navigating.html"),
        click("button"),
        DONE,
    ];
    popup: [
        Open("/popup.html"),
        click("button"),
        DONE,
        click("a"),
        Until("document.title === 'done true'"),
    ];
    embedding: [Open("/embedding.html"), DONE];
    srcdoc: [Open("/srcdoc.html"), Until("document.title === 'ready'"), click("#first >> button"), DONE];
    srcdoc_markup: [Open("/srcdoc-markup.html"), Until("document.title === 'ready'"), click("#parsed >> button"), DONE];
    gestures, webkit: "whether the text that appears in mid-drag is selected differs from replay to replay": [
        Open("/gestures.html"),
        click("#name"),
        Type("Ada"),
        Until("document.title === 'typed Ada'"),
        click("button"),
        Until("document.title === 'saved'"),
        click("#agree"),
        Until("document.title === 'agreed'"),
        Drag(on("#drag"), off("#drag", 40.0, 5.0)),
        Until("document.title === 'dropped'"),
    ];
    moving: [
        Open("/moving.html"),
        Until("document.title === 'ended'"),
        click("#first"),
        Until("document.title === 'over'"),
        Open("/pictures.html"),
        Until("document.title === 'read'"),
        click("button"),
        click("button"),
    ];
    cached: [
        Open("/cached.html"),
        DONE,
        click("a"),
        Until("document.title === 'done?again'"),
    ];
    returned, webkit: "where it has the page at hand it comes to life no more after a step back": [
        Open("/returned.html"),
        Until("document.title === 'start'"),
        click("#on"),
        Until("document.title === '?first'"),
        click("button"),
        Until("document.title === '?second'"),
        Back,
        Until("document.title === '?first'"),
    ];
    first_page: [
        Open("/first-page.html"),
        click("button"),
        Until("document.title === 'pushed'"),
        Back,
        Until("document.title === 'popped null'"),
        click("#part"),
        Until("location.hash === '#part'"),
        click("a"),
        Until("document.title === 'arrived'"),
        click("a"),
        Until("document.title === 'first page'"),
    ];
}
