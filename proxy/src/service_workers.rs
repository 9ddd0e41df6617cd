//! Service workers that are let run: what they tell us, and which requests are theirs.
//!
//! A worker announces what it is about to ask for, since no header tells its requests from those of pages, and says afterwards
//! whether a page was given the response as it came. What it answers by itself it tells whole ([`answers`]). Its script reaches us
//! by a secret of its own, as documents do, which stays the same for all copies of the script.

mod answers;

pub(crate) use answers::hear;

use crate::record::Recording;
use crate::serve::AskedBy;
use crate::target;
use hyper::header::HeaderMap;
use hyper::http::request;
use hyper::{Method, Uri};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use xcheck_trace::exchange::WorkerPart;

/// What one worker may have announced and not asked for yet.
const ANNOUNCED: usize = 10_000;

#[derive(Default)]
pub(crate) struct ServiceWorkers {
    /// A session without any pays for nothing.
    any: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Secrets by the address of their script.
    secrets: HashMap<String, String>,
    /// What a secret opens, and where.
    workers: HashMap<String, Worker>,
    /// By method and address: who is about to ask.
    announced: HashMap<(String, String), VecDeque<Fetch>>,
    /// What is not decided yet.
    going_on: HashMap<Fetch, Recording>,
}

#[derive(Default)]
struct Worker {
    origin: String,
    announced: usize,
    /// Of what it answered.
    bytes: u64,
    /// How often it gave reason for one.
    notices: u32,
}

/// One request of a worker: its secret, and its own count.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Fetch(String, u64);

impl ServiceWorkers {
    pub(crate) fn secret_of(&self, script: &Uri) -> String {
        self.any.store(true, Ordering::Relaxed);
        let State { secrets, workers, .. } = &mut *self.state();
        let secret = secrets
            .entry(script.to_string())
            .or_insert_with(crate::random::hex::<16>);
        workers.entry(secret.clone()).or_insert_with(|| Worker {
            origin: target::origin(script),
            ..Worker::default()
        });
        secret.clone()
    }

    /// A request has come: it does not end before its worker has said what it made of it.
    pub(crate) fn began(&self, head: &request::Parts, url: &Uri, recording: &Recording) {
        if let Some(fetch) = self.claim(&head.method, url, &head.headers) {
            recording.undecided();
            self.state().going_on.insert(fetch, recording.clone());
        }
    }

    pub(crate) fn who_asks(&self, method: &Method, url: &Uri, headers: &HeaderMap) -> AskedBy {
        match self.claim(method, url, headers) {
            Some(_) => AskedBy::ServiceWorker,
            None => AskedBy::Page,
        }
    }

    /// Whatever a worker asks for, it asks as a script does, without a use for it.
    fn claim(&self, method: &Method, url: &Uri, headers: &HeaderMap) -> Option<Fetch> {
        if !self.any.load(Ordering::Relaxed) || headers.get("sec-fetch-dest").is_some_and(|value| value != "empty") {
            return None;
        }
        let mut state = self.state();
        let fetch = state
            .announced
            .get_mut(&(method.to_string(), url.to_string()))?
            .pop_front()?;
        state.worker(&fetch.0).announced -= 1;
        Some(fetch)
    }

    /// Nobody will say any more.
    pub(crate) fn let_go(&self) {
        for recording in std::mem::take(&mut self.state().going_on).into_values() {
            recording.worker(WorkerPart::Fetched);
        }
    }

    fn is_known(&self, secret: &str, origin: &str) -> bool {
        let state = self.state();
        state.workers.get(secret).is_some_and(|worker| worker.origin == origin)
    }

    fn announce(&self, secret: &str, number: u64, method: String, url: &str) {
        let mut state = self.state();
        let worker = state.worker(secret);
        if worker.announced < ANNOUNCED {
            worker.announced += 1;
            let address = url.split('#').next().unwrap_or_default().to_owned();
            let queue = state.announced.entry((method, address)).or_default();
            queue.push_back(Fetch(secret.to_owned(), number));
        }
    }

    fn over(&self, secret: &str, number: u64, part: WorkerPart) {
        let fetch = Fetch(secret.to_owned(), number);
        let mut state = self.state();
        if let Some(recording) = state.going_on.remove(&fetch) {
            drop(state);
            return recording.worker(part);
        }
        // The browser had it in its cache.
        let mut gone = 0;
        state.announced.retain(|_, queue| {
            let before = queue.len();
            queue.retain(|announced| *announced != fetch);
            gone += before - queue.len();
            !queue.is_empty()
        });
        state.worker(secret).announced -= gone;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn worker(&mut self, secret: &str) -> &mut Worker {
        self.workers.entry(secret.to_owned()).or_default()
    }
}
