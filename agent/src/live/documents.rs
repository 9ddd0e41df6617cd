//! Which document is where in a live session's window.
//!
//! Documents say hello as they come, those of popups too, and a popup may know nothing of its opener. So which one is the
//! window's own is not for them to say: the browser is asked (`quiet.rs`), and what came after it is below it.

use crate::pages::{Page, Said, arrivals};
use crate::replay::look::Seats;
use std::collections::{BTreeMap, HashMap};
use tokio::sync::mpsc;
use xcheck_proxy::{DocumentAnswer, LivePages};
use xcheck_trace::event::LoadId;

pub(super) struct Documents {
    arriving: mpsc::UnboundedReceiver<Page>,
    pub(super) said: mpsc::UnboundedReceiver<Said>,
    answers: mpsc::UnboundedReceiver<DocumentAnswer>,
    pages: HashMap<LoadId, Page>,
    top: Option<LoadId>,
    frames: BTreeMap<Vec<u32>, LoadId>,
}

/// Something that may change what is shown.
pub(super) enum News {
    Document,
    Answer(DocumentAnswer),
}

impl Documents {
    pub(super) fn new(live: LivePages) -> Documents {
        let (arriving, said) = arrivals(live.pages);
        Documents {
            arriving,
            said,
            answers: live.answers,
            pages: HashMap::new(),
            top: None,
            frames: BTreeMap::new(),
        }
    }

    /// Resolves when a document came or a request for one was answered. Never when the proxy is gone.
    pub(super) async fn news(&mut self) -> News {
        tokio::select! {
            Some(page) = self.arriving.recv() => {
                self.arrived(page);
                News::Document
            }
            Some(answer) = self.answers.recv() => News::Answer(answer),
            else => std::future::pending().await,
        }
    }

    /// The browser says that this document is the window's own.
    pub(super) fn is_top(&mut self, load: LoadId) {
        if self.top != Some(load) {
            self.top = Some(load);
            self.frames.retain(|_, frame| *frame > load);
        }
    }

    pub(super) fn page(&self, load: LoadId) -> Option<&Page> {
        self.pages.get(&load).filter(|page| !page.is_gone())
    }

    pub(super) fn top(&self) -> Option<&Page> {
        self.page(self.top?)
    }

    fn arrived(&mut self, page: Page) {
        if !page.path.is_empty() {
            // What was in this frame is gone, with its own frames.
            self.frames.retain(|path, _| !path.starts_with(&page.path));
            self.frames.insert(page.path.clone(), page.load);
        }
        self.pages.retain(|_, page| !page.is_gone());
        self.pages.insert(page.load, page);
    }
}

impl Seats for Documents {
    fn at(&self, _window: u32, path: &[u32]) -> Option<&Page> {
        match path.is_empty() {
            true => self.top(),
            false => self.page(*self.frames.get(path)?),
        }
    }

    fn frames_of(&self, _window: u32) -> Vec<Page> {
        let mut frames: Vec<&Page> = self.frames.values().filter_map(|load| self.page(*load)).collect();
        frames.sort_by_key(|page| (page.path.len(), page.path.clone()));
        frames.into_iter().cloned().collect()
    }
}
