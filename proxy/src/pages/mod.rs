//! Documents that got our script, and what they may do with it.
//!
//! A *token* stands in a document's tag and is known to whoever reads the document. Fetching it starts a *load* and
//! gives it a *secret* of its own, which only our script in that document knows. Both are 128 random bits; both work
//! only on the host they were made for.

mod batch;
mod contents;
mod endpoint;
mod errands;
mod limits;
mod log;
mod windows;

pub(crate) use endpoint::{PREFIX, answer, is_ours, plain};

use crate::inject::{Errand, Script};
use errands::Errands;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use windows::Windows;
use xcheck_trace::event::{Load, LoadId};
use xcheck_trace::exchange::{Body, ExchangeId};

/// All documents of this session.
pub(crate) struct Pages {
    /// Shared by all documents of the session, not known to pages: by it, frames find their parents' recorder.
    session: String,
    state: Mutex<State>,
    /// Counts what happens to loads, for whoever waits for the last of them.
    changed: watch::Sender<u64>,
}

#[derive(Default)]
struct State {
    documents: HashMap<String, Document>,
    loads: HashMap<String, PageLoad>,
    last_load: LoadId,
    bytes: u64,
    origins_with_storage: HashSet<String>,
    windows: Windows,
    errands: Errands,
}

/// A response that carries our tag.
#[derive(Debug, Clone)]
struct Document {
    exchange: Option<ExchangeId>,
    /// `https://example.org`: the only origin its token and its secrets work on.
    origin: String,
    /// It may open a WebSocket for its log.
    sockets: bool,
    /// Scripts that stand in it run, and in frames of its own.
    inline: bool,
    /// What has to be done in it first.
    errand: Option<Errand>,
    /// It has a tag for that, whatever became of it.
    asked: bool,
    loads: u32,
    /// The last one of a document that has, which may be asked for again until its script speaks.
    silent: Option<NewLoad>,
}

/// A document that fetched our script.
#[derive(Debug, Clone)]
struct PageLoad {
    load: LoadId,
    exchange: Option<ExchangeId>,
    origin: String,
    bytes: u64,
    /// It was asked what stands in databases and caches.
    asked: bool,
    /// What stood there, until it has said hello.
    databases: Option<Body>,
    /// Of a worker, which ends without a word.
    is_worker: bool,
    greeted: bool,
    /// It has asked for something by its secret: its script runs.
    spoke: bool,
    refusals: u32,
    /// The last ones that came, oldest first.
    batches: VecDeque<u32>,
    /// How many different ones came.
    taken: u32,
    /// The one that the page said goodbye in. A page that comes back from the browser's cache says it again.
    last: Option<u32>,
}

impl PageLoad {
    fn has_said_everything(&self) -> bool {
        self.is_worker || self.last.is_some_and(|last| last <= self.taken)
    }
}

/// What the script of a new load is told.
#[derive(Debug, Clone)]
pub(crate) struct NewLoad {
    pub(crate) load: LoadId,
    pub(crate) secret: String,
    pub(crate) exchange: Option<ExchangeId>,
    pub(crate) first_of_origin: bool,
    pub(crate) sockets: bool,
    pub(crate) inline: bool,
}

impl Pages {
    pub(crate) fn new() -> Self {
        Pages {
            session: crate::random::hex::<16>(),
            state: Mutex::default(),
            changed: watch::Sender::new(0),
        }
    }

    pub(crate) fn session_name(&self) -> &str {
        &self.session
    }

    /// A document with this script in it is about to be sent.
    pub(crate) fn register(&self, script: Script, exchange: Option<ExchangeId>) {
        let token = script
            .path
            .trim_start_matches(PREFIX)
            .trim_end_matches(".js")
            .to_owned();
        let document = Document {
            exchange,
            origin: script.origin,
            sockets: script.sockets,
            inline: script.inline,
            errand: script.errand,
            asked: script.errand.is_some(),
            loads: 0,
            silent: None,
        };
        self.state().documents.insert(token, document);
    }

    /// Starts a load, unless the token is unknown, was given to another origin, or was used too often.
    ///
    /// `number` says which load it is; without one, it is the next.
    ///
    /// Behind another script WebKit asks for ours ahead, and again if that one is there too soon, for what is not to be stored is
    /// not taken twice: as long as nobody has spoken, that is one load.
    pub(crate) fn start_load(
        &self,
        token: &str,
        origin: &str,
        number: impl FnOnce(Option<ExchangeId>) -> Option<LoadId>,
    ) -> Option<NewLoad> {
        let mut state = self.state();
        let state = &mut *state;
        let document = state
            .documents
            .get_mut(token)
            .filter(|document| document.origin == origin)?;
        document.loads += 1;
        if let Some(silent) = &document.silent
            && state.loads.get(&silent.secret).is_some_and(|page| !page.spoke)
        {
            return Some(silent.clone());
        }
        let (exchange, sockets, inline, asked) = (document.exchange, document.sockets, document.inline, document.asked);
        if document.loads > limits::LOADS_PER_DOCUMENT || state.last_load >= limits::LOADS {
            return None;
        }
        state.last_load += 1;
        let load = number(exchange).unwrap_or(state.last_load);
        let secret = crate::random::hex::<16>();
        let first_of_origin = state.origins_with_storage.insert(origin.to_owned());
        let databases = state.errands.take(origin);
        let started = PageLoad {
            load,
            exchange,
            origin: origin.to_owned(),
            bytes: 0,
            asked,
            databases,
            is_worker: false,
            greeted: false,
            spoke: false,
            refusals: 0,
            batches: VecDeque::new(),
            taken: 0,
            last: None,
        };
        state.loads.insert(secret.clone(), started);
        let new = NewLoad {
            load,
            secret,
            exchange,
            first_of_origin,
            sockets,
            inline,
        };
        document.silent = document.asked.then(|| new.clone());
        Some(new)
    }

    /// A worker has a log of its own, and no document: its answers are those of a load that never says hello.
    pub(crate) fn start_worker(&self, origin: String, exchange: Option<ExchangeId>) -> String {
        let mut state = self.state();
        state.last_load += 1;
        let secret = crate::random::hex::<16>();
        let started = PageLoad {
            load: state.last_load,
            exchange,
            origin,
            bytes: 0,
            asked: false,
            databases: None,
            is_worker: true,
            greeted: true,
            spoke: true,
            refusals: 0,
            batches: VecDeque::new(),
            taken: 0,
            last: None,
        };
        state.loads.insert(secret.clone(), started);
        secret
    }

    /// The same for one that comes without an exchange, and so without the cost of one: not without end.
    pub(crate) fn start_made_worker(&self, origin: String) -> Option<String> {
        let has_room = self.state().last_load < limits::LOADS;
        has_room.then(|| self.start_worker(origin, None))
    }

    /// Which load a secret belongs to, and the exchange that brought it.
    pub(crate) fn load_of(&self, secret: &str, origin: &str) -> Option<(LoadId, Option<ExchangeId>)> {
        let mut state = self.state();
        let page = state.loads.get_mut(secret).filter(|page| page.origin == origin)?;
        page.spoke = true;
        Some((page.load, page.exchange))
    }

    /// Resolves when every page has gone and all that it had to say is here.
    pub(crate) async fn have_left(&self) {
        self.until_all(PageLoad::has_said_everything).await;
    }

    /// The same of those that have said anything.
    pub(crate) async fn that_spoke_have_left(&self) {
        self.until_all(|page| !page.greeted || page.has_said_everything()).await;
    }

    async fn until_all(&self, is: impl Fn(&PageLoad) -> bool) {
        let mut changes = self.changed.subscribe();
        while !self.state().loads.values().all(&is) {
            // The sender lives in `self`, so the channel cannot be closed here.
            let _ = changes.changed().await;
        }
    }

    /// What was held back until it was clear where it belongs; nothing will tell now.
    pub(crate) fn orphans(&self) -> Vec<Load> {
        self.state().windows.orphans()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: &str = "http://site.test";

    fn with_document(errand: Option<Errand>) -> Pages {
        let pages = Pages::new();
        let script = Script {
            path: format!("{PREFIX}t.js"),
            origin: ORIGIN.to_owned(),
            nonce: String::new(),
            talks: crate::inject::Talks::ByPost,
            sockets: true,
            inline: true,
            tells_imports: true,
            errand,
        };
        pages.register(script, None);
        pages
    }

    fn starts(pages: &Pages) -> NewLoad {
        pages.start_load("t", ORIGIN, |_| None).expect("the token is known")
    }

    #[test]
    fn a_script_behind_another_that_is_asked_for_twice_before_it_runs_is_of_one_load() {
        let pages = with_document(Some(Errand::Keep));
        let (first, again) = (starts(&pages), starts(&pages));
        assert_eq!((first.load, first.secret), (again.load, again.secret.clone()));
        assert!(again.first_of_origin);
        assert!(pages.load_of(&again.secret, ORIGIN).is_some());
        assert_ne!(starts(&pages).load, again.load);
    }

    #[test]
    fn two_documents_of_one_response_are_two_loads_though_neither_has_spoken() {
        let pages = with_document(None);
        assert_ne!(starts(&pages).load, starts(&pages).load);
    }
}
