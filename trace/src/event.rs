//! What the page reacted to, and the non-deterministic answers it got while it did.
//!
//! The recorder in each document numbers its events from 0. An event lasts from its first callback until the next
//! event begins; what the page registers or asks meanwhile goes into the event's [`Local`] object. A timer, a request
//! or any other completion is therefore known by *(event that registered it, index in that event's list)*, so that one
//! call that fails in another browser cannot shift what everybody else is given (X-Check, §III.B).
//!
//! The same JSON goes from the page to the proxy and from the proxy to disk; the proxy adds [`Event::load`].

use crate::exchange::{Body, ExchangeId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A document that was loaded once: number 1, 2, … in the order in which their recorders started.
pub type LoadId = u32;

/// An event's number within its load.
pub type EventId = u32;

/// A document came to life with our script in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Load {
    pub load: LoadId,
    /// The exchange that brought the document; absent for `about:blank`, `srcdoc` and `blob:` documents.
    pub exchange: Option<u64>,
    pub url: String,
    /// Index of each frame within its parent, from the top; empty for a top-level document.
    pub path: Vec<u32>,
    /// The load of the embedding document, or of the opener for a popup, where it can be known.
    #[serde(default)]
    pub parent: Option<LoadId>,
    /// Which window (tab, popup) of the session this is, from 0 in order of appearance.
    pub window: u32,
    /// X-Check's page sequence: counts top-level documents within the window.
    pub sequence: u32,
    /// Milliseconds since the epoch by the browser's clock, with fractions; orders events across documents.
    pub at: f64,
    pub user_agent: String,
    pub languages: Vec<String>,
    pub time_zone: String,
    pub viewport: [f64; 2],
    /// Of the whole screen; older recordings do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen: Option<[f64; 2]>,
    /// Storage present when the session began; only on the first load of each origin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<Storage>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Storage {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub local: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub session: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cookies: String,
    /// Another script of ours ran first in this document, and asked for IndexedDB and Cache.
    #[serde(default, skip_serializing_if = "is_false")]
    pub asked: bool,
    /// What it was told; see [`crate::contents`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub databases: Option<Body>,
}

/// One event with its local object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Absent on the wire from the page, filled in by the proxy from the token the line arrived under.
    #[serde(default)]
    pub load: LoadId,
    pub id: EventId,
    /// Milliseconds since the epoch by the browser's clock, with fractions.
    pub at: f64,
    /// Counts events over all documents that share a thread and an origin; settles ties of `at` between them.
    #[serde(default)]
    pub order: u64,
    /// The event itself. Absent on a continuation line, which only adds to `local` of an event already written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub what: Option<What>,
    #[serde(default, skip_serializing_if = "Local::is_empty")]
    pub local: Local,
}

/// Names what an earlier event registered: `[event, index in the list of that kind]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Registered(pub EventId, pub u32);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum What {
    /// A script element runs. `key` is its URL, or `#n` for the n-th inline script of the document.
    Script {
        key: String,
        #[serde(default)]
        order: ScriptOrder,
    },
    /// A DOM event reached the page.
    Dom(Box<DomEvent>),
    /// A `setTimeout` or `setInterval` callback runs.
    Timer { of: Registered },
    /// A `requestAnimationFrame` callback runs. `time` is its argument.
    Frame { of: Registered, time: f64 },
    Idle {
        of: Registered,
        remaining: f64,
        timed_out: bool,
    },
    /// An event on an `XMLHttpRequest`. `state` is `readyState` as the page may see it.
    Xhr {
        of: Registered,
        event: String,
        state: u8,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        progress: Option<[f64; 2]>,
        #[serde(default, skip_serializing_if = "is_zero")]
        status: u16,
    },
    /// `fetch` or any other promise of the host was settled. The kind of list is `fetch` or `promise`.
    Settle {
        list: PromiseList,
        of: Registered,
        outcome: Outcome,
        /// Bytes, or characters, of the piece of a stream that was read.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        size: Option<u64>,
        /// What a person or the machine answered, where that is no doing of the engine's; message and name of an exception.
        #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
        value: serde_json::Value,
    },
    /// An event on a host object other than a node (message ports, sockets, readers, media queries, observers …).
    Host {
        of: Registered,
        event: String,
        #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
        data: serde_json::Value,
    },
    /// An exception nobody caught, or a rejection nobody handled.
    Error(Box<PageError>),
    /// A worker's own answers, all of them in one event of a load that is no document.
    Worker {
        /// That brought its script.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exchange: Option<ExchangeId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        made: Option<Made>,
    },
}

/// A worker whose script a document has written itself (`blob:`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    pub load: LoadId,
    /// Which of the document's, in the order in which it made them.
    pub number: u32,
}

impl What {
    /// What an event says of who registered it: the name of the list, and the place in it.
    pub fn registered(&self) -> Option<(&'static str, Registered)> {
        match self {
            What::Timer { of } => Some(("timer", *of)),
            What::Frame { of, .. } => Some(("frame", *of)),
            What::Idle { of, .. } => Some(("idle", *of)),
            What::Xhr { of, .. } => Some(("xhr", *of)),
            What::Settle { list, of, .. } => match list {
                PromiseList::Fetch => Some(("fetch", *of)),
                PromiseList::Promise => Some(("promise", *of)),
            },
            What::Host { of, .. } => Some(("host", *of)),
            What::Script { .. } | What::Dom(_) | What::Error(_) | What::Worker { .. } => None,
        }
    }
}

/// When the browser is free to run a script: whether its place among other events had to be logged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScriptOrder {
    /// Where the parser meets it.
    #[default]
    Parser,
    /// After parsing, in document order.
    Defer,
    /// Whenever it arrives: `async`, or inserted by a script.
    Arrival,
    Module,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromiseList {
    Fetch,
    Promise,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    Fulfilled,
    Rejected,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DomEvent {
    #[serde(rename = "type")]
    pub name: String,
    /// What a person did, rather than what the browser derived from it. Gestures are replayed by real input.
    #[serde(default, skip_serializing_if = "is_false")]
    pub gesture: bool,
    pub target: Target,
    /// Type-specific values: `x`, `y` (CSS px in the viewport), `rx`, `ry` (0…1 inside the target's box), `button`,
    /// `buttons`, `clicks`, `key`, `code`, `modifiers`, `dx`, `dy`, `value`, `checked`, `scroll`, `files`, `elements` (of the document, before) …
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub data: serde_json::Map<String, serde_json::Value>,
}

/// How to find an element again in another browser. All that could be had are recorded; they must agree.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// `node` when this is an element; otherwise `window`, `document`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The first of `data-testid`, `data-test`, `data-cy`, `name` that there is, as a CSS selector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Accessible name, at most 80 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Structural path such as `html>body>div:2>button:1`; `#shadow` steps into a shadow root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Own text, at most 80 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The `name` and `type` of a form field: not for finding it again but for knowing what must not be kept of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field_type: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageError {
    pub message: String,
    #[serde(default)]
    pub source: String,
    #[serde(default)]
    pub line: u32,
    #[serde(default)]
    pub column: u32,
    #[serde(default)]
    pub stack: String,
    /// `error`, `rejection` or `console`.
    pub via: String,
}

/// The answers an event was given and the callbacks it registered, by kind, in order. The index in a list is the local id.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Local {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub timer: Vec<TimerRegistration>,
    /// Hash of the callback's source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frame: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub idle: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub xhr: Vec<Request>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fetch: Vec<Request>,
    /// Names of the host interfaces whose promise was handed out: `Response.json`, `FontFaceSet.load` …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub promise: Vec<String>,
    /// Names of host objects whose events are logged: `Worker`, `IntersectionObserver` …
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub host: Vec<String>,
    /// What the page said to sockets, workers, ports and channels: to whom, and the hash of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub message: Vec<String>,
    /// Modules that ended while it was going on, by the exchanges that brought them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ran: Vec<ExchangeId>,
    /// Of a worker: timers that ran out (`t`, by number), frames (`f`), and messages that came (`m`, by who listens), as they came.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub task: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub random: Vec<f64>,
    /// What `getRandomValues` (base64) and `randomUUID` (as it is) answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<String>,
    /// `Date`: milliseconds, the first absolute, the others as differences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub date: Vec<i64>,
    /// `performance.now` and `event.timeStamp`: whole microseconds, the first absolute, the others as differences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub now: Vec<i64>,
    /// Answers of the kinds without a list of their own (dialogs, geolocation, clipboard …): `[api, answer]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answer: Vec<(String, serde_json::Value)>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimerRegistration {
    /// Hash of the callback's source; its text stands in the load's [`SourceText`] lines.
    pub callback: String,
    pub delay: f64,
    #[serde(default, skip_serializing_if = "is_false")]
    pub repeat: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    pub method: String,
    pub url: String,
    /// Hash of the body as text, or of its kind and size where it cannot be read; absent without a body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// The text behind a callback hash, once per load, for people to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceText {
    pub load: LoadId,
    pub hash: String,
    pub text: String,
}

impl Local {
    pub fn is_empty(&self) -> bool {
        *self == Local::default()
    }

    /// Adds what a continuation line brought. Lists go on where they stopped, also those that hold differences.
    pub fn append(&mut self, more: Local) {
        // Taken apart by name, so that a new list cannot be forgotten here.
        let Local {
            timer,
            frame,
            idle,
            xhr,
            fetch,
            promise,
            host,
            message,
            ran,
            task,
            random,
            bytes,
            date,
            now,
            answer,
        } = more;
        self.timer.extend(timer);
        self.frame.extend(frame);
        self.idle.extend(idle);
        self.xhr.extend(xhr);
        self.fetch.extend(fetch);
        self.promise.extend(promise);
        self.host.extend(host);
        self.message.extend(message);
        self.ran.extend(ran);
        self.task.extend(task);
        self.random.extend(random);
        self.bytes.extend(bytes);
        self.date.extend(date);
        self.now.extend(now);
        self.answer.extend(answer);
    }
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(value: &u16) -> bool {
    *value == 0
}
