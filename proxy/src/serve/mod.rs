//! Serving from a trace: the second mode of the proxy, and what the replay loop sees of it.
//!
//! Every request is answered from what was recorded, in recorded order, and at once; what is not in the trace is answered
//! with a status of the person's choice and told to the replay loop. Nothing leaves the machine unless `live` says so.
//! Documents carry the replayer instead of the recorder, each as the load it was when it was recorded.

mod answer;
mod asked;
mod awaited;
mod body;
mod coding;
mod conditions;
mod cookies;
mod given_up;
mod hold;
mod index;
mod loads;
mod room;
mod said;
mod socket;
mod still;

pub use asked::Asked;
pub use hold::Gate;

pub(crate) use answer::{Served, find, missing, serve};
pub(crate) use awaited::Awaited;
pub(crate) use coding::{decoded, readable};
pub(crate) use socket::{accept as accept_socket, switching};

use crate::channel::PageNews;
use given_up::GivenUp;
pub(crate) use index::AskedBy;
use index::Index;
use loads::Loads;
use serde_json::json;
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc;
use xcheck_trace::Trace;
use xcheck_trace::event::{LoadId, Local, Made, What};
use xcheck_trace::exchange::ExchangeId;

/// How requests are matched with what was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServeRules {
    /// Names of query parameters that are left out of comparisons: cache busters such as `_` or `cb`.
    pub ignored_parameters: Vec<String>,
    /// What a request is answered with that the trace does not have.
    pub miss_status: u16,
    /// Such a request goes to the network instead.
    pub live: bool,
    /// Requests that change something at the server get their last answer again, too: for pages that run by themselves.
    pub repeat_all: bool,
    /// A script that each document runs before its own, once the replayer is there: takes something away that the browser has, so
    /// that it stands for one that lacks it.
    pub handicap: String,
    /// The documents run in the browser that they were recorded in, so that they come to the same size.
    pub own: bool,
    pub at_once: AtOnce,
}

/// For how much of an origin that is spoken to in plain HTTP the browser asks while it has no answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtOnce {
    /// As browsers do by themselves.
    Six,
    /// For all that the page wants.
    All,
}

impl Default for ServeRules {
    fn default() -> Self {
        ServeRules {
            ignored_parameters: Vec::new(),
            miss_status: 404,
            live: false,
            repeat_all: false,
            handicap: String::new(),
            own: false,
            at_once: AtOnce::Six,
        }
    }
}

/// What happened while serving that the replay loop should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServeEvent {
    /// The page asked for something the trace does not have.
    NotInTrace {
        method: String,
        url: String,
        referrer: Option<String>,
    },
    /// The same, but it was let through to the network because the person said so.
    WentLive { method: String, url: String },
    /// A response the loop wants to hold has been asked for and waits at the [`Gate`].
    Held { exchange: ExchangeId },
    /// A response that was held has been let go.
    Released { exchange: ExchangeId },
    /// Something that stood in a database or a cache, and why it does not now.
    NotRestored { what: String },
    /// The trace names a body that cannot be read.
    Damaged { exchange: ExchangeId, reason: String },
}

/// A trace to be served; goes into [`crate::Mode::Serve`].
pub struct Serve {
    pub(crate) trace: Arc<Trace>,
    pub(crate) rules: Arc<ServeRules>,
    index: Box<Mutex<Index>>,
    loads: Mutex<Loads>,
    given_up: GivenUp,
    awaited: Awaited,
    asked: Asked,
    gate: Gate,
    pages: mpsc::UnboundedSender<PageNews>,
    events: mpsc::UnboundedSender<ServeEvent>,
}

/// The replay loop's side of a [`Serve`].
pub struct Serving {
    /// Documents whose replayer has said hello, or goodbye.
    pub pages: mpsc::UnboundedReceiver<PageNews>,
    pub events: mpsc::UnboundedReceiver<ServeEvent>,
    /// Holds responses back and lets them go.
    pub gate: Gate,
    pub asked: Asked,
}

impl Serve {
    pub fn new(trace: Arc<Trace>, rules: ServeRules) -> (Serve, Serving) {
        let (pages, pages_receiver) = mpsc::unbounded_channel();
        let (events, events_receiver) = mpsc::unbounded_channel();
        let gate = Gate::of(&trace, rules.at_once);
        let asked = Asked::default();
        let mut index = Index::new(&trace.exchanges, &rules);
        // Pages that run by themselves ask for as many as they like.
        if !rules.repeat_all {
            index.gives_again(&trace.pages_from_cache());
        }
        let serve = Serve {
            index: Box::new(Mutex::new(index)),
            loads: Mutex::new(Loads::new(&trace.loads)),
            given_up: GivenUp::of(&trace),
            awaited: Awaited::default(),
            asked: asked.clone(),
            trace,
            rules: Arc::new(rules),
            gate: gate.clone(),
            pages,
            events,
        };
        (
            serve,
            Serving {
                pages: pages_receiver,
                events: events_receiver,
                gate,
                asked,
            },
        )
    }

    /// The load that a document brought by `exchange` is to be now: the next one recorded of it, or a new number.
    pub(crate) fn next_load(&self, exchange: Option<ExchangeId>) -> LoadId {
        lock(&self.loads).next(exchange)
    }

    /// The load that a document brought by `exchange` will be, if it was asked for databases and caches. It has the same tags
    /// then as when it was recorded, also where there was nothing: pages can count what they load.
    pub(crate) fn asked_load(&self, exchange: ExchangeId) -> Option<LoadId> {
        let load = lock(&self.loads).peek(exchange)?;
        let storage = self.trace.load(load)?.storage.as_ref()?;
        (storage.asked || storage.databases.is_some()).then_some(load)
    }

    /// What documents wait for.
    pub(crate) fn awaited(&self) -> Awaited {
        self.awaited.clone()
    }

    /// What the browser was answered, for whoever has to say why nothing came of it.
    pub(crate) fn asked(&self) -> &Asked {
        &self.asked
    }

    /// Who hears of documents.
    pub(crate) fn pages(&self) -> mpsc::UnboundedSender<PageNews> {
        self.pages.clone()
    }

    /// What the worker was answered whose script came by this exchange.
    pub(crate) fn worker(&self, brought_by: ExchangeId) -> Option<&Local> {
        self.worker_that(|exchange, _| exchange == Some(brought_by))
    }

    /// What a worker was answered whose script is not among the exchanges.
    pub(crate) fn made_worker(&self, made: Made) -> Option<&Local> {
        self.worker_that(|_, other| other == Some(made))
    }

    fn worker_that(&self, is: impl Fn(Option<ExchangeId>, Option<Made>) -> bool) -> Option<&Local> {
        self.trace.events.iter().find_map(|event| match event.what {
            Some(What::Worker { exchange, made }) if is(exchange, made) => Some(&event.local),
            _ => None,
        })
    }

    pub(crate) fn tell(&self, event: ServeEvent) {
        if self.events.send(event).is_err() {
            tracing::debug!("nobody listens to what happens while serving");
        }
    }
}

/// What stands before a worker's script, so that it is answered as it was.
pub(crate) fn answering(answers: Option<&Local>) -> String {
    xcheck_replay_js::worker(&json!({"answers": answers.unwrap_or(&Local::default())}))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
