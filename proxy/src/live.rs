//! Live pages: documents that run by themselves, and somebody who drives and questions them.
//!
//! Any mode can have them. Documents then carry the live script instead of the recorder or the replayer, and open a channel;
//! whether what they do is written down, and who answers their requests, is the mode's business.

use crate::channel::PageNews;
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// Goes into [`crate::Config`].
#[derive(Clone)]
pub struct Live {
    settings: Arc<Mutex<Map<String, Value>>>,
    pages: mpsc::UnboundedSender<PageNews>,
    answers: mpsc::UnboundedSender<DocumentAnswer>,
}

/// The other side of a [`Live`].
pub struct LivePages {
    /// Documents that have said hello, or goodbye.
    pub pages: mpsc::UnboundedReceiver<PageNews>,
    /// What requests for documents came to.
    pub answers: mpsc::UnboundedReceiver<DocumentAnswer>,
}

/// The answer to a request for a document, of a window or a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentAnswer {
    pub url: String,
    /// Nothing where there was no answer.
    pub status: Option<u16>,
    pub content_type: String,
    /// Our script is in it: a document will say hello. Otherwise it is a download, a picture, nothing, a redirection.
    pub scripted: bool,
    /// The window's own document, where the browser says so.
    pub top: bool,
}

impl Live {
    pub fn new() -> (Live, LivePages) {
        let (pages, pages_receiver) = mpsc::unbounded_channel();
        let (answers, answers_receiver) = mpsc::unbounded_channel();
        let live = Live {
            settings: Arc::default(),
            pages,
            answers,
        };
        (
            live,
            LivePages {
                pages: pages_receiver,
                answers: answers_receiver,
            },
        )
    }

    /// What every document that comes from now on is told beside the usual: see `page/live.js`.
    pub fn set(&self, name: &str, value: Value) {
        self.settings
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(name.to_owned(), value);
    }

    pub(crate) fn settings(&self) -> Map<String, Value> {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn pages(&self) -> mpsc::UnboundedSender<PageNews> {
        self.pages.clone()
    }

    pub(crate) fn answered(&self, answer: DocumentAnswer) {
        if self.answers.send(answer).is_err() {
            tracing::debug!("nobody listens to what documents were answered");
        }
    }
}
