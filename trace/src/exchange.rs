//! What went over the network: HTTP exchanges and WebSocket frames.

use crate::hash::Sha256;
use serde::{Deserialize, Serialize};

/// Numbers exchanges in the order in which their requests arrived, from 1.
pub type ExchangeId = u64;

/// One request and what became of it. Written when it ends, or when the recording ends before it does.
///
/// `T` is how its texts are kept: as strings of its own, or, while it is written, as slices of what they came in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange<T = String> {
    pub id: ExchangeId,
    pub request: RequestHead<T>,
    /// Absent when no response head arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<ResponseHead<T>>,
    pub end: End,
    /// Milliseconds since the epoch, wall time of the proxy.
    pub started_ms: f64,
    /// Milliseconds from the start to the response head, and to the end of the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head_ms: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_ms: Option<f64>,
    /// Order in which responses ended among all exchanges; what the trace server releases by.
    #[serde(default)]
    pub finished_order: u64,
    /// The recorder's script was put into this document.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub injected: bool,
    /// Calls of `import()` in this script said what they promise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub imports_told: bool,
    /// What a service worker had to do with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<WorkerPart>,
}

/// A service worker stands between a page and the network. It may have asked, or answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkerPart {
    /// It asked for something of its own: no page was given the answer as it came.
    Fetched,
    /// It asked for a page, which was given the answer as it came.
    PassedOn,
    /// It answered a page by itself; nothing of this went over the network.
    Answered,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RequestHead<T = String> {
    pub method: T,
    /// Absolute, with scheme.
    pub url: T,
    /// `HTTP/1.0`, `HTTP/1.1` or `HTTP/2.0`.
    pub version: T,
    /// As the client sent them, in order; bytes that are not UTF-8 as Latin-1.
    pub headers: Vec<(T, T)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
}

impl<T: AsRef<str>> RequestHead<T> {
    /// The first of its name, in whatever case.
    pub fn header(&self, name: &str) -> Option<&str> {
        crate::content::header(&self.headers, name)
    }

    /// Asked for before anybody wants it: it takes nobody anywhere.
    pub fn is_ahead_of_time(&self) -> bool {
        self.header("sec-purpose").or(self.header("purpose")).is_some()
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResponseHead<T = String> {
    pub status: u16,
    pub version: T,
    /// As the origin sent them, before our changes.
    pub headers: Vec<(T, T)>,
    /// The origin's own bytes, still encoded as `content-encoding` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trailers: Vec<(T, T)>,
}

impl ResponseHead {
    /// The first of its name, in whatever case.
    pub fn header(&self, name: &str) -> Option<&str> {
        crate::content::header(&self.headers, name)
    }
}

impl<T: AsRef<str>> Exchange<T> {
    /// With texts of its own.
    pub fn with_own_texts(&self) -> Exchange {
        let text = |text: &T| text.as_ref().to_owned();
        let pairs = |pairs: &[(T, T)]| pairs.iter().map(|(name, value)| (text(name), text(value))).collect();
        Exchange {
            id: self.id,
            request: RequestHead {
                method: text(&self.request.method),
                url: text(&self.request.url),
                version: text(&self.request.version),
                headers: pairs(&self.request.headers),
                body: self.request.body.clone(),
            },
            response: self.response.as_ref().map(|response| ResponseHead {
                status: response.status,
                version: text(&response.version),
                headers: pairs(&response.headers),
                body: response.body.clone(),
                trailers: pairs(&response.trailers),
            }),
            end: self.end.clone(),
            started_ms: self.started_ms,
            head_ms: self.head_ms,
            end_ms: self.end_ms,
            finished_order: self.finished_order,
            injected: self.injected,
            imports_told: self.imports_told,
            worker: self.worker,
        }
    }
}

/// A body in the trace's body store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// Of the bytes that were kept.
    pub sha256: Sha256,
    pub bytes: u64,
    /// Fewer bytes were kept than the peer announced or was still sending.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

/// How an exchange ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "kebab-case")]
pub enum End {
    Complete,
    /// The client went away first.
    Aborted,
    /// Nothing came back, or it broke off: what failed and why.
    Failed {
        reason: String,
    },
    /// The recording ended first.
    Open,
    /// The connection became something else (WebSocket frames are in `frames.jsonl`).
    Upgraded,
}

/// One WebSocket message, as relayed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    pub exchange: ExchangeId,
    pub from: Peer,
    /// Microseconds since the exchange started.
    pub at_us: u64,
    pub payload: Payload,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Peer {
    Client,
    Server,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Payload {
    Text { text: String },
    Binary { body: Body },
    Close { code: u16, reason: String },
}
