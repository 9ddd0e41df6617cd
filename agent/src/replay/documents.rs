//! Which document is where now: as they come to life, by the trace's numbers.

use super::look::Seats;
use crate::pages::{Page, Said, arrivals};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;
use tokio::sync::mpsc;
use xcheck_proxy::Serving;
use xcheck_trace::Trace;
use xcheck_trace::event::LoadId;

/// A frame of a window: the path from the top.
type Seat = (u32, Vec<u32>);

pub(super) struct Documents<'t> {
    trace: &'t Trace,
    arriving: mpsc::UnboundedReceiver<Page>,
    pages: HashMap<LoadId, Page>,
    seats: BTreeMap<Seat, LoadId>,
    /// Top-level documents that no recorded load is, as they came.
    pub(super) strangers: Vec<String>,
}

impl<'t> Documents<'t> {
    pub(super) fn new(trace: &'t Trace, serving: &mut Serving) -> (Self, mpsc::UnboundedReceiver<Said>) {
        let (_, closed) = mpsc::unbounded_channel();
        let (arriving, said) = arrivals(std::mem::replace(&mut serving.pages, closed));
        let documents = Documents {
            trace,
            arriving,
            pages: HashMap::new(),
            seats: BTreeMap::new(),
            strangers: Vec::new(),
        };
        (documents, said)
    }

    /// Waits until the document of this load is there. False when it did not come in time.
    pub(super) async fn wait_for(&mut self, load: LoadId, patience: Duration) -> bool {
        let wait = async {
            while !self.pages.contains_key(&load) {
                match self.arriving.recv().await {
                    Some(page) => self.arrived(page),
                    None => return false,
                }
            }
            true
        };
        tokio::time::timeout(patience, wait).await.unwrap_or(false)
    }

    /// Takes note of documents that came meanwhile.
    pub(super) fn look_around(&mut self) {
        while let Ok(page) = self.arriving.try_recv() {
            self.arrived(page);
        }
    }

    pub(super) fn page(&self, load: LoadId) -> Option<&Page> {
        self.pages.get(&load).filter(|page| !page.is_gone())
    }

    /// The document at this place now, if the trace knows it.
    pub(super) fn at(&self, window: u32, path: &[u32]) -> Option<&Page> {
        let load = self.seats.get(&(window, path.to_vec()))?;
        self.page(*load)
    }

    /// Waits for an answer, and takes documents as they come meanwhile: one of them may be why there is no answer.
    pub(super) async fn meanwhile<T>(&mut self, asked: impl Future<Output = T>) -> T {
        tokio::pin!(asked);
        loop {
            tokio::select! {
                answer = &mut asked => return answer,
                Some(page) = self.arriving.recv() => self.arrived(page),
            }
        }
    }

    fn arrived(&mut self, page: Page) {
        let recorded = self.trace.load(page.load);
        let window = recorded.map_or(page.window, |recorded| recorded.window);
        // What was in this frame is gone, with its own frames.
        let pages = &self.pages;
        self.seats.retain(|(other, path), load| {
            let stays = *other != window || !path.starts_with(&page.path);
            if let (false, Some(left)) = (stays, pages.get(load)) {
                left.left();
            }
            stays
        });
        match recorded {
            Some(_) => {
                self.seats.insert((window, page.path.clone()), page.load);
            }
            None if page.path.is_empty() => self.strangers.push(page.url.clone()),
            None => {}
        }
        self.pages.insert(page.load, page);
    }
}

impl Seats for Documents<'_> {
    fn at(&self, window: u32, path: &[u32]) -> Option<&Page> {
        Documents::at(self, window, path)
    }

    fn frames_of(&self, window: u32) -> Vec<Page> {
        let mut frames: Vec<&Page> = self
            .seats
            .range((window, Vec::new())..(window + 1, Vec::new()))
            .filter(|((_, path), _)| !path.is_empty())
            .filter_map(|(_, load)| self.page(*load))
            .collect();
        frames.sort_by_key(|page| (page.path.len(), page.path.clone()));
        frames.into_iter().cloned().collect()
    }
}
