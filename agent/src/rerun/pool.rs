//! Several runs at once, each in a browser that nobody else uses. Whoever asked hears of each run when it ends, in any
//! order, and may say at any time that no more are needed.

use super::actions::{Action, actions};
use super::injections::{Asked, Done};
use super::run::{Ran, Wants};
use super::worker::{Rerunning, Worker};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use xcheck_trace::page::PageData;

/// Then it is another second, minute, hour and day.
pub const AHEAD: Duration = Duration::from_secs(26 * 3600 + 17 * 60 + 43);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    pub number: usize,
    pub wrong: Option<Done>,
    /// By how much the pages' clock is ahead.
    pub ahead: Duration,
}

impl Job {
    pub fn plain(number: usize) -> Job {
        Job {
            number,
            wrong: None,
            ahead: Duration::ZERO,
        }
    }

    pub fn wrong(number: usize, done: Done) -> Job {
        Job {
            wrong: Some(done),
            ..Job::plain(number)
        }
    }
}

pub struct Finished {
    pub job: Job,
    /// `Err` when nothing is known of this run.
    pub ran: Result<Ran, String>,
    /// What it asked the network for, by method and URL, and how often.
    pub asked: Asked,
}

/// Asked in the middle of a job's run whether to take a picture.
pub type Watching = Arc<dyn Fn(&Job, &Action<'_>, &PageData) -> Wants + Send + Sync>;

pub struct Pool {
    jobs: Arc<Mutex<VecDeque<Job>>>,
    finished: mpsc::UnboundedReceiver<Finished>,
    // Dropped with the pool, and the browsers with it.
    workers: JoinSet<()>,
}

impl Pool {
    pub fn start(what: &Rerunning, at_once: usize, jobs: Vec<Job>, watching: Watching) -> Pool {
        let (tell, finished) = mpsc::unbounded_channel();
        let at_once = at_once.clamp(1, jobs.len().max(1));
        let jobs = Arc::new(Mutex::new(VecDeque::from(jobs)));
        let mut workers = JoinSet::new();
        for _ in 0..at_once {
            workers.spawn(work(what.clone(), jobs.clone(), tell.clone(), watching.clone()));
        }
        Pool {
            jobs,
            finished,
            workers,
        }
    }

    /// The next run that ended; nothing when all have.
    pub async fn next(&mut self) -> Option<Finished> {
        self.finished.recv().await
    }

    /// Those that go on are waited for, but no other is begun.
    pub fn no_more(&self) {
        waiting(&self.jobs).clear();
    }

    /// Waits until the browsers are gone.
    pub async fn end(mut self) {
        while let Some(ended) = self.workers.join_next().await {
            if let Err(error) = ended {
                tracing::error!(%error, "a worker failed");
            }
        }
    }
}

async fn work(
    what: Rerunning,
    jobs: Arc<Mutex<VecDeque<Job>>>,
    tell: mpsc::UnboundedSender<Finished>,
    watching: Watching,
) {
    let trace = what.trace.clone();
    let actions = actions(&trace);
    let mut worker = Worker::new(what);
    loop {
        let Some(job) = waiting(&jobs).pop_front() else { break };
        let mut onlooker = |action: &Action<'_>, page: &PageData| watching(&job, action, page);
        let ran = worker.run(&actions, &job, &mut onlooker).await;
        let asked = std::mem::take(&mut worker.asked);
        if tell.send(Finished { job, ran, asked }).is_err() {
            break;
        }
    }
    if let Err(error) = worker.close().await {
        tracing::warn!(error, "a browser could not be ended in order");
    }
}

fn waiting(jobs: &Mutex<VecDeque<Job>>) -> std::sync::MutexGuard<'_, VecDeque<Job>> {
    jobs.lock().unwrap_or_else(PoisonError::into_inner)
}
