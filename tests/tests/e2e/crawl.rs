//! Crawling: a made-up application of which all states are known, and one on which everything goes wrong.

use std::time::Duration;
use xcheck_agent::launch::LaunchOptions;
use xcheck_crawler::{Limits, Model, Settings, crawl};
use xcheck_tests::crawling::{crawl_into, found, request};
use xcheck_tests::maze::Maze;
use xcheck_tests::program::{LONG, World};
use xcheck_trace::Trace;

fn settings() -> Settings {
    Settings {
        seed: 1,
        ..Settings::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_in_a_maze_is_found_once_though_sessions_end() {
    let maze = Maze::start(12, 25).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    // A calendar is endless at any length.
    let limits = Limits {
        per_action: 4,
        ..Limits::default()
    };
    let settings = Settings { limits, ..settings() };
    let crawled = crawl_into(&maze.url(), folder.path(), settings).await.unwrap();
    let model = &crawled.model;
    assert_eq!(model.ended, "everything was tried");
    let found = found(&maze, model);
    assert_eq!(
        (found.places, found.doors),
        (found.of_places, found.of_doors),
        "{found:?}"
    );
    assert_eq!((found.duplicates, &found.wrong), (0, &vec![]), "{found:?}");
    assert!(
        found.others["popup"] == 1 && found.others["feed"] == 1 && found.others["calendar"] == 5,
        "{found:?}"
    );
    assert!(!found.others.contains_key("hidden"), "{found:?}");
    let reasons: Vec<&str> = model.skipped.iter().map(|skipped| skipped.reason.as_str()).collect();
    for reason in ["robots.txt", "destructive", "out of scope"] {
        assert!(
            reasons.iter().any(|known| known.contains(reason)),
            "{reason}: {reasons:?}"
        );
    }
    for path in &model.traces {
        let (trace, warnings) = Trace::open(&crawled.folder.join(&path.trace)).unwrap();
        assert!(
            warnings.is_empty() && !trace.loads.is_empty(),
            "{}: {warnings:?}",
            path.trace
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_wrong_is_named_and_the_crawl_goes_on() {
    let maze = Maze::start(1, 1_000).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(&maze.trouble(), folder.path(), settings()).unwrap();
    request.settings.destructive = true;
    request.settings.never = vec!["header".to_owned()];
    // The page that hangs is waited for so long.
    request.session.deadline = Duration::from_secs(10);
    request.session.launch = LaunchOptions {
        deadline: Duration::from_secs(10),
        ..LaunchOptions::default()
    };
    let crawled = crawl(request, &|_| {}).await.unwrap();
    let model = &crawled.model;
    let notes = |text: &str| {
        let edge = model
            .edges
            .iter()
            .find(|edge| edge.from == 0 && edge.label.text == text);
        let edge = edge.unwrap_or_else(|| panic!("{text} was not tried: {:?}", model.edges));
        format!("{:?} {}", edge.to, edge.notes.join("; "))
    };
    assert!(
        notes("storm").starts_with("Some(0)") && notes("storm").contains("storm 29"),
        "{}",
        notes("storm")
    );
    assert!(notes("insist").starts_with("Some(0)"), "{}", notes("insist"));
    assert!(notes("archive").contains("application/zip"), "{}", notes("archive"));
    assert!(notes("loop").starts_with("None"), "{}", notes("loop"));
    assert!(notes("away").starts_with("None"), "{}", notes("away"));
    assert!(
        notes("hang").starts_with("None") && notes("hang").contains("hangs"),
        "{}",
        notes("hang")
    );
    let titles: Vec<&str> = model.states.iter().map(|state| state.title.as_str()).collect();
    assert!(titles.contains(&"fine") && titles.contains(&"left"), "{titles:?}");
    assert!(
        !crawled.broken && model.ended == "everything was tried",
        "{}",
        model.ended
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_dialog_covers_is_not_tried_and_all_else_is() {
    let maze = Maze::start(1, 1_000).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    // The page as it was, with each of the dialogs, and with each of four buttons done, is enough of it.
    let limits = Limits {
        depth: 1,
        ..Limits::default()
    };
    let settings = Settings { limits, ..settings() };
    let crawled = crawl_into(&maze.dialogs(), folder.path(), settings).await.unwrap();
    let model = &crawled.model;
    let state_after = |text: &str| {
        let edge = model
            .edges
            .iter()
            .find(|edge| edge.from == 0 && edge.label.text == text);
        let to = edge.and_then(|edge| edge.to);
        &model.states[to.unwrap_or_else(|| panic!("{text}: {:?}", model.edges))]
    };
    assert_eq!(model.states[0].actions, 7, "{:?}", model.skipped);
    for dialog in ["native", "made", "slide"] {
        assert_eq!(state_after(dialog).actions, 1, "{dialog}: {:?}", model.skipped);
    }
    for button in ["one in view", "two in view", "one below", "two below"] {
        assert_eq!(state_after(button).actions, 7, "{button}: {:?}", model.skipped);
    }
    let refused: Vec<&str> = model.skipped.iter().map(|skipped| skipped.reason.as_str()).collect();
    for cover in ["#dialog", "#veil", "#panel", "the edge of the page"] {
        assert!(
            refused.contains(&format!("covered by {cover}").as_str()),
            "{cover}: {refused:?}"
        );
    }
    assert!(model.edges.iter().all(|edge| edge.to.is_some()), "{:?}", model.edges);
}

#[tokio::test(flavor = "multi_thread")]
async fn menu_images_that_do_not_respond_are_four_missing_transitions() {
    let maze = Maze::start(1, 1_000).await.unwrap();
    let world = World::new().unwrap();
    let url = maze.restaurant();
    let mut crawling = world
        .start(&["crawl", &url, "--out", "menu.crawl", "--no-pictures"])
        .unwrap();
    assert!(
        crawling.ended_within(LONG).await.unwrap().success(),
        "{}",
        world.stderr().unwrap()
    );
    let mut checking = world.start(&["check", "menu.crawl", "--on", "firefox"]).unwrap();
    let status = checking.ended_within(LONG).await.unwrap();
    assert_eq!(status.code(), Some(1), "{}", world.stderr().unwrap());
    let said = std::fs::read_to_string(world.path("stdout")).unwrap();
    // Three states in both browsers: the drop-down list leads to all of them.
    assert!(said.contains("chromium: 3 states and 8 transitions"), "{said}");
    assert!(
        said.contains("firefox: 3 states and 4 transitions, 4 differences"),
        "{said}"
    );
    let missing = |image: &str| said.matches(&format!("missing transition: click #{image}")).count();
    assert_eq!(
        (missing("lunch"), missing("dinner"), said.contains("missing state")),
        (2, 2, false),
        "{said}"
    );
    let report = std::fs::read_to_string(world.path("menu-run-1/report.html")).unwrap();
    let shown = |text: &str| report.matches(text).count();
    // Two lead from the start to one state each, and one from each of the others to the other one.
    assert_eq!(shown("class=\"edge missing\""), 4);
    assert!(shown("not in firefox") >= 4 && shown("href=\"0001/report.html\"") > 0 && shown("data:image/png") == 3);
    assert!(world.path("menu-run-1/0001/report.html").exists());

    let given = |format: &'static str| {
        let world = &world;
        async move {
            let arguments = [
                "report",
                "menu-run-1",
                "--format",
                format,
                "--output",
                format,
                "--no-report",
            ];
            let mut reporting = world.start(&arguments).unwrap();
            let status = reporting.ended_within(LONG).await.unwrap();
            assert_eq!(status.code(), Some(1), "{}", world.stderr().unwrap());
            std::fs::read_to_string(world.path(format)).unwrap()
        }
    };
    let json: serde_json::Value = serde_json::from_str(&given("json").await).unwrap();
    let firefox = &json["navigation"]["others"][0];
    assert_eq!(json["format"], "1.0");
    assert_eq!(
        (&firefox["browser"], firefox["departures"].as_array().map(Vec::len)),
        (&"firefox".into(), Some(4))
    );
    assert!(json["traces"][0]["analysis"]["results"][0]["xbis"].is_array(), "{json}");
    let junit = given("junit").await;
    assert_eq!(junit.matches("<failure type=\"navigation\"").count(), 4, "{junit}");
    let sarif: serde_json::Value = serde_json::from_str(&given("sarif").await).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let transitions = results
        .iter()
        .filter(|result| result["partialFingerprints"]["transition/v1"].is_string());
    assert_eq!(
        (sarif["runs"].as_array().map(Vec::len), transitions.count()),
        (Some(1), 4),
        "{sarif}"
    );
    accepted_they_count_no_more(&world, &json).await;
    world.must_be_empty().await.unwrap();
}

/// A person's rules take a transition out of the count of all traces together, too.
async fn accepted_they_count_no_more(world: &World, check: &serde_json::Value) {
    let traces = check["traces"].as_array().unwrap();
    let results = traces.iter().map(|trace| &trace["analysis"]["results"][0]);
    let found = results.flat_map(|result| result["xbis"].as_array().unwrap());
    let mut ids: Vec<&str> = found.filter_map(|xbi| xbi["id"].as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    let run = |arguments: Vec<String>| async move {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut running = world.start(&arguments).unwrap();
        let status = running.ended_within(LONG).await.unwrap();
        let said = std::fs::read_to_string(world.path("stdout")).unwrap() + &world.stderr().unwrap();
        (status.code(), said)
    };
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<String>>();
    let (exit, said) = run(words(&format!("accept menu-run-1 --reason known {}", ids.join(" ")))).await;
    assert_eq!(exit, Some(0), "{said}");
    for trace in traces {
        let of_trace = format!("analyze menu-run-1/{} --no-report", trace["run"].as_str().unwrap());
        let (exit, said) = run(words(&of_trace)).await;
        assert_eq!(exit, Some(0), "{said}");
    }
    let (exit, said) = run(words("report menu-run-1 --no-report")).await;
    assert_eq!(exit, Some(0), "{said}");
    assert!(
        said.contains("firefox: 3 states and 4 transitions, no difference, 4 ignored"),
        "{said}"
    );
    let (exit, said) = run(words("report menu-run-1 --no-report --format junit")).await;
    assert_eq!(exit, Some(0), "{said}");
    assert!(
        said.matches("<skipped message=\"known\"").count() >= 4 && !said.contains("<failure"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn crawled_live_in_each_browser_the_models_differ_by_the_same_four_transitions() {
    let maze = Maze::start(1, 1_000).await.unwrap();
    let world = World::new().unwrap();
    let url = maze.restaurant();
    let live = |out: &'static str, browsers: &'static str| {
        let (world, url) = (&world, &url);
        async move {
            let arguments = ["crawl", url, "--out", out, "--live-crawl", browsers];
            let mut crawling = world.start(&arguments).unwrap();
            let status = crawling.ended_within(LONG).await.unwrap();
            let said = std::fs::read_to_string(world.path("stdout")).unwrap();
            (status.code(), said + &world.stderr().unwrap())
        }
    };
    let (exit, said) = live("menu.crawl", "firefox").await;
    assert_eq!(exit, Some(1), "{said}");
    assert_eq!(said.matches("missing transition: click img").count(), 4, "{said}");
    assert!(
        said.contains("4 differences between chromium") && !said.contains("state: "),
        "{said}"
    );
    let page = std::fs::read_to_string(world.path("menu.crawl/compared.html")).unwrap();
    assert_eq!(page.matches("class=\"edge missing\"").count(), 4);
    assert!(world.path("menu.crawl/live/firefox/model.json").exists());

    let (exit, said) = live("same.crawl", "chromium").await;
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains("no difference between"), "{said}");
    world.must_be_empty().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_ends_the_crawl_by_name_and_another_day_goes_on() {
    let maze = Maze::start(40, 1_000).await.unwrap();
    let world = World::new().unwrap();
    let url = maze.url();
    let arguments = ["crawl", &url, "--out", "maze.crawl", "--states", "6", "--no-pictures"];
    let mut running = world.start(&arguments).unwrap();
    assert!(
        running.ended_within(LONG).await.unwrap().success(),
        "{}",
        world.stderr().unwrap()
    );
    let model = |world: &World| -> Model {
        serde_json::from_str(&std::fs::read_to_string(world.path("maze.crawl/model.json")).unwrap()).unwrap()
    };
    let first = model(&world);
    assert_eq!((first.states.len(), first.ended.as_str()), (6, "the limit of 6 states"));
    assert!(world.path("maze.crawl/index.html").exists() && world.path("maze.crawl/model.dot").exists());

    let again = [
        "crawl",
        &url,
        "--out",
        "maze.crawl",
        "--states",
        "9",
        "--no-pictures",
        "--resume",
    ];
    let mut running = world.start(&again).unwrap();
    assert!(
        running.ended_within(LONG).await.unwrap().success(),
        "{}",
        world.stderr().unwrap()
    );
    let second = model(&world);
    assert_eq!(second.states.len(), 9);
    assert_eq!(
        second.states[..6].iter().map(|state| &state.url).collect::<Vec<_>>(),
        first.states.iter().map(|state| &state.url).collect::<Vec<_>>()
    );

    maze.die();
    let on = ["crawl", &url, "--out", "maze.crawl", "--no-pictures", "--resume"];
    let mut running = world.start(&on).unwrap();
    let status = running.ended_within(LONG).await.unwrap();
    assert_eq!(status.code(), Some(3), "{}", world.stderr().unwrap());
    let last = model(&world);
    assert!(last.ended.contains("cannot be opened any more"), "{}", last.ended);
    assert_eq!(last.states.len(), 9);
    world.must_be_empty().await.unwrap();
}
