//! Crawling: known states returned to by what was recorded on the way, where the server's state allows it.

use std::path::Path;
use xcheck_crawler::{Back, Crawled, Model, Settings};
use xcheck_tests::asked::Asked;
use xcheck_tests::crawling::crawl_into;
use xcheck_tests::program::{LONG, World};
use xcheck_tests::replaying::twice;
use xcheck_trace::Trace;

fn settings(back: Back) -> Settings {
    Settings {
        seed: 1,
        back,
        ..Settings::default()
    }
}

async fn crawled(url: &str, folder: &Path, back: Back) -> Crawled {
    let crawled = crawl_into(url, folder, settings(back)).await.unwrap();
    assert_eq!(crawled.model.ended, "everything was tried");
    crawled
}

/// What is found, however often it was gone to: states by their titles, and edges.
fn found(model: &Model) -> Vec<String> {
    let states = model.states.iter().map(|state| state.title.clone());
    let edges = model.edges.iter();
    let edges = edges.map(|edge| format!("{} {:?} {}", edge.from, edge.to, edge.label));
    states.chain(edges).collect()
}

fn live(crawled: &Crawled) -> usize {
    crawled.ways_back.live.values().sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn ways_back_by_the_trace_ask_the_server_nothing_and_find_the_same() {
    let (by_server, by_trace) = (Asked::start().await.unwrap(), Asked::start().await.unwrap());
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let lively = crawled(&by_server.questions(), first.path(), Back::Live).await;
    let led = crawled(&by_trace.questions(), second.path(), Back::Trace).await;
    assert_eq!(found(&lively.model), found(&led.model));
    let (again, third) = (Asked::start().await.unwrap(), tempfile::tempdir().unwrap());
    let again = crawled(&again.questions(), third.path(), Back::Trace).await;
    assert_eq!(
        (found(&again.model), &again.ways_back),
        (found(&led.model), &led.ways_back)
    );

    // Each way begins at the start page, to which nothing else leads.
    assert_eq!(by_server.times("/questions"), lively.model.traces.len());
    let ways = &led.ways_back;
    assert_eq!(1 + ways.by_trace + live(&led), led.model.traces.len(), "{ways:?}");
    assert_eq!(by_trace.times("/questions"), 1 + live(&led), "{ways:?}");
    assert!(ways.by_trace > live(&led), "{ways:?}");

    // What was answered from an earlier trace is in the later one, too.
    for path in &led.model.traces {
        let (trace, warnings) = Trace::open(&led.folder.join(&path.trace)).unwrap();
        let start = trace
            .exchanges
            .iter()
            .find(|exchange| exchange.request.url == by_trace.questions());
        let body = start
            .and_then(|start| trace.response_body(start, 1_000))
            .unwrap_or_default();
        assert!(
            warnings.is_empty() && String::from_utf8_lossy(&body).contains("<h1>questions</h1>"),
            "{}: {warnings:?}",
            path.trace
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_crawl_changes_the_server_the_way_back_is_live_and_named() {
    let (by_server, by_trace) = (Asked::start().await.unwrap(), Asked::start().await.unwrap());
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let lively = crawled(&by_server.growing(), first.path(), Back::Live).await;
    let led = crawled(&by_trace.growing(), second.path(), Back::Trace).await;
    let changed = "the crawl may have changed the server since";
    assert!(led.ways_back.live.contains_key(changed), "{:?}", led.ways_back);
    // What can be done with an empty list is tried by the trace, once the live server's is empty no more.
    let with_an_empty_list = |crawled: &Crawled| {
        let edges = crawled.model.edges.iter().filter(|edge| edge.from == 1);
        let tried = edges.map(|edge| (edge.label.text.clone(), edge.notes.len()));
        tried.collect::<Vec<_>>()
    };
    let (add, press, fetch) = ("add".to_owned(), "press".to_owned(), "fetch".to_owned());
    assert_eq!(with_an_empty_list(&lively), [(add.clone(), 0)]);
    assert_eq!(with_an_empty_list(&led), [(add, 0), (press, 1), (fetch, 1)]);
    assert_eq!(led.ways_back.by_trace, 2, "{:?}", led.ways_back);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_remembers_who_is_there_is_asked_whether_it_still_does() {
    let asked = Asked::start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let crawled = crawled(&asked.remembering(), folder.path(), Back::Trace).await;
    let ways = &crawled.ways_back;
    assert!(ways.by_trace > 0 && ways.live.is_empty(), "{ways:?}");
    // To begin with, and once for each way back.
    assert_eq!(asked.times("/remembering"), 1 + ways.by_trace, "{ways:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_has_forgotten_who_was_there_is_asked_for_all_of_the_way() {
    let (by_server, by_trace) = (Asked::start().await.unwrap(), Asked::start().await.unwrap());
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let lively = crawled(&by_server.forgetting(), first.path(), Back::Live).await;
    let led = crawled(&by_trace.forgetting(), second.path(), Back::Trace).await;
    assert_eq!(found(&lively.model), found(&led.model));
    let ways = &led.ways_back;
    let forgotten = ways.live.get("the server has forgotten who was there");
    assert!(ways.by_trace == 0 && forgotten.is_some(), "{ways:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_recorded_on_ways_back_by_the_trace_replays() {
    let asked = Asked::start().await.unwrap();
    let world = World::new().unwrap();
    let url = asked.questions();
    let arguments = ["crawl", &url, "--out", "led.crawl", "--back", "trace", "--no-pictures"];
    let mut crawling = world.start(&arguments).unwrap();
    let status = crawling.ended_within(LONG).await.unwrap();
    let said = std::fs::read_to_string(world.path("stdout")).unwrap() + &world.stderr().unwrap();
    assert!(status.success() && said.contains("back by the trace, "), "{said}");
    drop(asked);
    let model: Model = serde_json::from_slice(&std::fs::read(world.path("led.crawl/model.json")).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (number, path) in model.traces.iter().enumerate() {
        let (trace, _) = Trace::open(&world.path("led.crawl").join(&path.trace)).unwrap();
        let seen = twice(&trace, "chromium", &folder.path().join(number.to_string()))
            .await
            .unwrap();
        let (same, of) = seen.identical();
        assert!(
            seen.divergences() == 0 && same == of && of > 0,
            "{}: {same} of {of}, {:?}",
            path.trace,
            seen.first_problems()
        );
    }
    world.must_be_empty().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_trace_does_not_have_is_asked_of_the_server_and_named() {
    let asked = Asked::start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let crawled = crawled(&asked.otherwise(), folder.path(), Back::Trace).await;
    let ways = &crawled.ways_back;
    let missed = format!(
        "the trace does not have GET {}",
        asked.otherwise().replace("otherwise", "fetched")
    );
    assert_eq!((ways.by_trace, ways.live.contains_key(&missed)), (0, true), "{ways:?}");
    assert!(crawled.model.skipped.is_empty(), "{:?}", crawled.model.skipped);
}
