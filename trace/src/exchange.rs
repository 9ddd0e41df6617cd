//! What went over the network: HTTP exchanges and WebSocket frames.

use crate::hash::Sha256;
use serde::{Deserialize, Serialize};

/// Numbers exchanges in the order in which their requests arrived, from 1.
pub type ExchangeId = u64;

/// One request and what became of it. Written when it ends, or when the recording ends before it does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    pub id: ExchangeId,
    pub request: RequestHead,
    /// Absent when no response head arrived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<ResponseHead>,
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
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RequestHead {
    pub method: String,
    /// Absolute, with scheme.
    pub url: String,
    /// `HTTP/1.0`, `HTTP/1.1` or `HTTP/2.0`.
    pub version: String,
    /// As the client sent them, in order; bytes that are not UTF-8 as Latin-1.
    pub headers: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResponseHead {
    pub status: u16,
    pub version: String,
    /// As the origin sent them, before our changes.
    pub headers: Vec<(String, String)>,
    /// The origin's own bytes, still encoded as `content-encoding` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trailers: Vec<(String, String)>,
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
