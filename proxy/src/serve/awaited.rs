//! Answers that documents wait for, because the log says that they have come.
//!
//! Two requests for the same may have been made of which the page gave up the first before it was answered. Whether the first
//! comes as far as here is chance, and the second must not wait for ever in its place.

use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::watch;
use xcheck_trace::event::LoadId;

/// Cheap to clone; all clones are one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Awaited(Arc<watch::Sender<HashMap<LoadId, Request>>>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Request {
    method: String,
    url: String,
}

impl Request {
    /// Without its fragment, which is not sent.
    fn new(method: &str, url: &str) -> Request {
        Request {
            method: method.to_ascii_uppercase(),
            url: url.split('#').next().unwrap_or_default().to_owned(),
        }
    }
}

impl Awaited {
    /// What a document says of this: the request, or nothing when it waits no more. False when it speaks of something else.
    pub(crate) fn hears(&self, load: LoadId, message: &Value) -> bool {
        let Some(awaited) = message.get("awaits") else {
            return false;
        };
        match (awaited["method"].as_str(), awaited["url"].as_str()) {
            (Some(method), Some(url)) => self.0.send_modify(|all| {
                all.insert(load, Request::new(method, url));
            }),
            _ => self.is_gone(load),
        }
        true
    }

    pub(crate) fn is_gone(&self, load: LoadId) {
        self.0.send_modify(|all| {
            all.remove(&load);
        });
    }

    /// Ends when a document waits for the answer to such a request.
    pub(super) async fn until(&self, method: &str, url: &str) {
        let wanted = Request::new(method, url);
        let mut all = self.0.subscribe();
        // The sender lives in `self`, so the channel cannot be closed here.
        let _ = all.wait_for(|all| all.values().any(|request| *request == wanted)).await;
    }
}
