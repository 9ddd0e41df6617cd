//! Crawling what is known, and counting what was found of it.

use crate::maze::Maze;
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use xcheck_agent::launch::LaunchOptions;
use xcheck_agent::live::{Patience, SessionOptions};
use xcheck_crawler::{Crawled, Model, Request, Settings, crawl};
use xcheck_proxy::Authority;

/// For one thing that a page is asked for, on a machine that builds three other things at the same time.
const PAGE: Duration = Duration::from_secs(60);

/// What an inquiry is made of, for a crawl in Chromium into `folder/crawl`.
pub fn request(url: &str, folder: &Path, settings: Settings) -> Result<Request> {
    Ok(Request {
        start_url: url.to_owned(),
        browser: xcheck_agent::find("chromium", &[])?,
        authority: Authority::open(&folder.join("ca"))?,
        session: SessionOptions {
            launch: LaunchOptions {
                deadline: PAGE,
                ..LaunchOptions::default()
            },
            deadline: PAGE,
            last_words: PAGE,
            ..SessionOptions::default()
        },
        patience: Patience {
            deadline: PAGE,
            ..Patience::default()
        },
        folder: folder.join("crawl"),
        settings,
        after: None,
        resume: false,
        stop: Arc::new(AtomicBool::new(false)),
    })
}

pub async fn crawl_into(url: &str, folder: &Path, settings: Settings) -> Result<Crawled> {
    Ok(crawl(request(url, folder, settings)?, &|_| {}).await?)
}

/// What of a maze is in a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub places: usize,
    pub of_places: usize,
    pub doors: usize,
    pub of_doors: usize,
    /// States more than there are places, among those that are places.
    pub duplicates: usize,
    /// Doors that are not there.
    pub wrong: Vec<(String, String)>,
    /// States that are none of the places, by title.
    pub others: BTreeMap<String, usize>,
}

pub fn found(maze: &Maze, model: &Model) -> Found {
    let (titles, doors) = (maze.titles(), maze.doors());
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut others = BTreeMap::new();
    for state in &model.states {
        match titles.contains(&state.title) {
            true => *places.entry(&state.title).or_default() += 1,
            false => *others.entry(state.title.clone()).or_default() += 1,
        }
    }
    let title = |state: usize| model.states[state].title.clone();
    let taken = model
        .edges
        .iter()
        .filter_map(|edge| Some((title(edge.from), title(edge.to?))));
    let taken: std::collections::BTreeSet<(String, String)> = taken.collect();
    let is_door = |(from, to): &&(String, String)| titles.contains(from) && titles.contains(to) && from != to;
    // The header of each page leads home.
    let home = &model.states[0].title;
    Found {
        places: places.len(),
        of_places: titles.len(),
        doors: doors.iter().filter(|door| taken.contains(door)).count(),
        of_doors: doors.len(),
        duplicates: places.values().sum::<usize>() - places.len(),
        wrong: taken
            .iter()
            .filter(is_door)
            .filter(|door| !doors.contains(door) && door.1 != *home)
            .cloned()
            .collect(),
        others,
    }
}
