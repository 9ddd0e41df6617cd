//! What there is to do, in what order, and what may be done side by side.

use crate::accuracy::{self, Way};
use crate::arguments::{Arguments, Part, Question, Scope};
use crate::cost::{self, Pace};
use crate::progress::Progress;
use crate::replays::TIMES;
use crate::store::Store;
use crate::subjects::{ENGINES, Subject, is_old};
use crate::variants::{self, Trial};
use crate::{contestants, crawl, incremental, law, recorded, replays};
use anyhow::{Result, anyhow};
use clap::Parser;
use futures_util::StreamExt;
use serde::Serialize;
use serde_json::Value;
use std::cell::RefCell;
use std::time::Instant;

/// Rounds of the contestants, who take longest of all.
const ROUNDS: usize = 2;

#[derive(Debug, Clone, Copy)]
enum Task {
    Record(Subject),
    Pair(Subject, Pace, usize),
    Contest(Subject, usize),
    Replay(Subject, &'static str, usize),
    Law(Subject, &'static str),
    Incremental(Subject, &'static str),
    Crawl(Subject, &'static str, usize),
    Find(Way, Subject, &'static str),
    Try(Trial),
}

/// Measures what is asked for and not there yet. What cannot be measured is kept as that, and everything else goes on.
pub(crate) async fn measure(scope: &Scope, store: &Store) -> Result<()> {
    let mut tasks = plan(scope)?;
    tasks.retain(|task| !store.has(&task.key()));
    let progress = RefCell::new(Progress::new(tasks.iter().map(Task::weight)));
    let tasks: Vec<(usize, Task)> = tasks.into_iter().enumerate().collect();
    for phase in tasks.chunk_by(|(_, one), (_, other)| one.phase() == other.phase()) {
        let at_once = if phase[0].1.is_timed() { 1 } else { scope.at_once };
        let results: Vec<Result<()>> = futures_util::stream::iter(phase)
            .map(|(number, task)| one(*number, task, scope, store, &progress))
            .buffer_unordered(at_once)
            .collect()
            .await;
        results.into_iter().collect::<Result<()>>()?;
    }
    Ok(())
}

async fn one(number: usize, task: &Task, scope: &Scope, store: &Store, progress: &RefCell<Progress>) -> Result<()> {
    if scope.until.is_some_and(|until| Instant::now() > until) {
        return Ok(());
    }
    progress.borrow_mut().begin(number, &task.key());
    task.run(store).await?;
    let trouble = store.measured::<Value>(&task.key())?.err();
    progress.borrow_mut().end(number, task.weight(), trouble.as_deref());
    Ok(())
}

/// How many parts the whole evaluation has.
pub(crate) fn everything() -> Result<usize> {
    Ok(plan(&Arguments::parse_from(["eval"]).scope()?)?.len())
}

/// Everything that is asked for, whether it is there or not, in the order in which one needs the other.
fn plan(scope: &Scope) -> Result<Vec<Task>> {
    let asked = |question| scope.questions.contains(&question);
    let subjects = || scope.subjects.iter().copied();
    let mut tasks: Vec<Task> = subjects().map(Task::Record).collect();
    if asked(Question::Cost) {
        for pace in Pace::ALL {
            let pairs = |subject| (1..=scope.pairs).map(move |number| Task::Pair(subject, pace, number));
            tasks.extend(subjects().flat_map(pairs));
        }
        let rounds = scope.pairs.min(ROUNDS);
        tasks.extend(subjects().flat_map(|subject| (1..=rounds).map(move |number| Task::Contest(subject, number))));
    }
    for engine in &scope.engines {
        let times = match asked(Question::Law) || *engine == ENGINES[0] {
            _ if is_old(engine) => usize::from(asked(Question::Accuracy)),
            true => TIMES,
            false if asked(Question::Incremental) || asked(Question::Accuracy) => 1,
            false => 0,
        };
        let replays = |subject| (1..=times).map(move |number| Task::Replay(subject, engine, number));
        tasks.extend(subjects().flat_map(replays));
    }
    for engine in scope.engines.iter().filter(|engine| !is_old(engine)) {
        if asked(Question::Law) {
            tasks.extend(subjects().map(|subject| Task::Law(subject, engine)));
        }
        if asked(Question::Incremental) && *engine != ENGINES[0] {
            tasks.extend(subjects().map(|subject| Task::Incremental(subject, engine)));
        }
    }
    if asked(Question::Accuracy) {
        for engine in &scope.engines {
            // The reference is held against itself, too.
            let times = match *engine {
                engine if engine == ENGINES[0] => 2,
                engine => usize::from(!is_old(engine)),
            };
            let crawls = |subject| (1..=times).map(move |number| Task::Crawl(subject, engine, number));
            tasks.extend(subjects().flat_map(crawls));
            for way in [Way::XCheck, Way::Crawl] {
                if way == Way::XCheck || !is_old(engine) {
                    tasks.extend(subjects().map(|subject| Task::Find(way, subject, engine)));
                }
            }
        }
        let trials = variants::trials()?;
        variants::check(&trials)?;
        let is_asked = |trial: &Trial| {
            scope.engines.contains(&trial.engine()) && subjects().any(|subject| subject.name() == trial.subject.name())
        };
        tasks.extend(trials.into_iter().filter(is_asked).map(Task::Try));
    }
    // One after the other what has to be alone, side by side what has not.
    tasks.sort_by_key(Task::phase);
    tasks.retain(|task| !task.part().is_some_and(|part| scope.without.contains(&part)));
    Ok(tasks)
}

impl Task {
    fn key(&self) -> String {
        match self {
            Task::Record(subject) => recorded::key(subject),
            Task::Pair(subject, pace, number) => cost::key(subject, *pace, *number),
            Task::Contest(subject, number) => contestants::key(subject, *number),
            Task::Replay(subject, engine, number) => replays::key(subject, engine, *number),
            Task::Law(subject, engine) => law::key(subject, engine),
            Task::Incremental(subject, engine) => incremental::key(subject, engine),
            Task::Crawl(subject, engine, number) => crawl::key(subject, engine, *number),
            Task::Find(way, subject, engine) => accuracy::key(*way, subject, engine),
            Task::Try(trial) => trial.key(),
        }
    }

    fn part(&self) -> Option<Part> {
        match self {
            Task::Contest(..) => Some(Part::Contestants),
            Task::Crawl(..) | Task::Find(Way::Crawl, ..) => Some(Part::Crawls),
            Task::Try(_) => Some(Part::Variants),
            Task::Replay(_, engine, _) | Task::Find(_, _, engine) if is_old(engine) => Some(Part::Old),
            _ => None,
        }
    }

    /// Tasks of a later phase need what those of an earlier one leave behind.
    fn phase(&self) -> u8 {
        match self {
            Task::Record(_) => 0,
            Task::Pair(..) | Task::Contest(..) => 1,
            Task::Replay(_, engine, _) if *engine == ENGINES[0] => 2,
            Task::Replay(..) | Task::Crawl(..) => 3,
            Task::Law(..) | Task::Incremental(..) | Task::Find(..) => 4,
            Task::Try(..) => 5,
        }
    }

    /// Its time is measured, so nothing else may run meanwhile. Chromium's replays are those whose time counts.
    fn is_timed(&self) -> bool {
        !matches!(self.phase(), 3 | 5)
    }

    /// Seconds that its kind takes on an idle machine, more or less.
    fn weight(&self) -> f64 {
        match self {
            Task::Record(subject) => 4.0 + subject.0.session.steps.len() as f64,
            Task::Pair(_, Pace::Script, _) => 6.0,
            Task::Pair(_, Pace::Person, _) => 12.0,
            Task::Contest(..) => 22.0,
            Task::Replay(_, "chromium", _) => 5.0,
            Task::Replay(_, "firefox", _) => 6.0,
            Task::Replay(..) => 15.0,
            Task::Law(..) => 0.2,
            Task::Incremental(..) | Task::Find(..) => 3.0,
            Task::Crawl(..) => 8.0,
            Task::Try(..) => 7.0,
        }
    }

    async fn run(&self, store: &Store) -> Result<()> {
        let since = Instant::now();
        let key = self.key();
        match self {
            Task::Record(subject) => store.keep(&key, since, recorded::record(subject, store).await),
            Task::Pair(subject, pace, number) => store.keep(&key, since, cost::pair(subject, *pace, *number).await),
            Task::Contest(subject, number) => {
                store.keep(&key, since, contestants::round(subject, *number, store).await)
            }
            Task::Replay(subject, engine, number) => {
                let replayed = match store.measured::<Value>(&recorded::key(subject))? {
                    Ok(_) => replays::replay(subject, engine, *number, store).await,
                    Err(reason) => Err(anyhow!("it was not recorded: {reason}")),
                };
                store.keep(&key, since, replayed)
            }
            Task::Law(subject, engine) => keep(store, &key, since, || law::hold(subject, engine, store)),
            Task::Incremental(subject, engine) => {
                keep(store, &key, since, || incremental::measure(subject, engine, store))
            }
            Task::Crawl(subject, engine, number) => {
                store.keep(&key, since, crawl::crawl(subject, engine, *number, store).await)
            }
            Task::Find(way, subject, engine) => {
                keep(store, &key, since, || accuracy::find(*way, subject, engine, store))
            }
            Task::Try(trial) => store.keep(&key, since, trial.run(store).await),
        }
    }
}

/// For what computes rather than waits.
fn keep<T: Serialize>(store: &Store, key: &str, since: Instant, work: impl FnOnce() -> Result<T>) -> Result<()> {
    store.keep(key, since, tokio::task::block_in_place(work))
}
