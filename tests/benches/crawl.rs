//! What a crawl finds, and what it costs: `cargo bench -p xcheck-tests --bench crawl [-- PLACES [CRAWL]]`.
//!
//! The application is made up (`src/maze.rs`), with all that makes crawlers lose their way, so that what there is to be
//! found is known. It is crawled twice with the same seed, and once by its links only; then
//! with states returned to by the trace where its server's state allows it, with and without sessions at the server. Crawls stay in
//! `target/crawl`. With a text, only those crawls whose name has it.

use anyhow::{Context, Result, ensure};
use std::time::Duration;
use xcheck_crawler::{Back, Limits, Settings};
use xcheck_tests::crawling::{crawl_into, found};
use xcheck_tests::maze::{Maze, NO_SESSIONS};

/// Pages that a session may ask for before the application ends it.
const PATIENCE: u32 = 60;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = xcheck_tests::bench_arguments();
    let places = arguments.first().map_or(Ok(200), |number| number.parse())?;
    let only = arguments.get(1).map_or("", String::as_str);
    let folder = xcheck_tests::workspace().join("target/crawl");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    println!(
        "| crawl | places | doors | duplicates | wrong doors | other states | traces | actions | seconds | actions/s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut models = Vec::new();
    for (name, patience, links_only, back) in [
        ("first", PATIENCE, false, Back::Live),
        ("again", PATIENCE, false, Back::Live),
        ("links only", PATIENCE, true, Back::Live),
        ("back by the trace", PATIENCE, false, Back::Trace),
        ("no sessions", NO_SESSIONS, false, Back::Live),
        ("no sessions, back by the trace", NO_SESSIONS, false, Back::Trace),
    ]
    .into_iter()
    .filter(|(name, ..)| name.contains(only))
    {
        let maze = Maze::start(places, patience).await?;
        let settings = Settings {
            seed: 1,
            links_only,
            back,
            limits: Limits {
                time: Duration::from_secs(1_800),
                ..Limits::default()
            },
            ..Settings::default()
        };
        let into = folder.join(name.replace(' ', "-"));
        let crawled = crawl_into(&maze.url(), &into, settings).await.context(name)?;
        let found = found(&maze, &crawled.model);
        let seconds = crawled.elapsed.as_secs_f64();
        println!(
            "| {name} | {} of {} | {} of {} | {} | {:?} | {:?} | {} | {} | {seconds:.0} | {:.1} |",
            found.places,
            found.of_places,
            found.doors,
            found.of_doors,
            found.duplicates,
            found.wrong,
            found.others,
            crawled.model.traces.len(),
            crawled.actions,
            crawled.actions as f64 / seconds
        );
        println!("<!-- ended: {}; {:?} -->", crawled.model.ended, crawled.ways_back);
        models.push(crawled.model);
    }
    let shape = |model: &xcheck_crawler::Model| {
        let states: Vec<String> = model.states.iter().map(|state| state.title.clone()).collect();
        let edges: Vec<_> = model
            .edges
            .iter()
            .map(|edge| (edge.from, edge.to, edge.label.clone()))
            .collect();
        (states, edges)
    };
    if let [first, again, ..] = models.as_slice()
        && only.is_empty()
    {
        ensure!(shape(first) == shape(again), "the same seed gave another crawl");
        println!("The same seed gave the same crawl.");
    }
    Ok(())
}
