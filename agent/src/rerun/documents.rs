//! The documents of a page that runs by itself: whichever is in a frame now, and what it showed so far.

use crate::pages::{Page, PageError, Said, arrivals};
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;
use xcheck_proxy::{DocumentAnswer, LivePages};
use xcheck_trace::event::LoadId;
use xcheck_trace::page::{DocumentData, Node, NodeId, PageData};

/// A window and a path of frames from its top.
pub(super) type Seat = (u32, Vec<u32>);

pub(super) struct Documents {
    arriving: mpsc::UnboundedReceiver<Page>,
    answers: mpsc::UnboundedReceiver<DocumentAnswer>,
    said: mpsc::UnboundedReceiver<Said>,
    seats: BTreeMap<Seat, Page>,
    shown: HashMap<LoadId, BTreeMap<NodeId, Node>>,
    /// Counts documents as they come.
    pub(super) arrivals: u64,
    /// The last answer for a window's document without our script in it: an error, or nothing at all.
    failed: Option<DocumentAnswer>,
}

impl Documents {
    pub(super) fn new(live: LivePages) -> Documents {
        let (arriving, said) = arrivals(live.pages);
        Documents {
            arriving,
            answers: live.answers,
            said,
            seats: BTreeMap::new(),
            shown: HashMap::new(),
            arrivals: 0,
            failed: None,
        }
    }

    /// Takes note of what came meanwhile.
    pub(super) fn look_around(&mut self) {
        while let Ok(page) = self.arriving.try_recv() {
            self.arrived(page);
        }
        while let Ok(answer) = self.answers.try_recv() {
            self.answered(answer);
        }
    }

    pub(super) fn at(&self, seat: &Seat) -> Option<&Page> {
        self.seats.get(seat).filter(|page| !page.is_gone())
    }

    /// The window's documents, outer ones first.
    pub(super) fn of_window(&self, window: u32) -> Vec<Page> {
        let mut pages: Vec<&Page> = self
            .seats
            .range((window, Vec::new())..(window + 1, Vec::new()))
            .map(|(_, page)| page)
            .filter(|page| !page.is_gone())
            .collect();
        pages.sort_by_key(|page| (page.path.len(), page.path.clone()));
        pages.into_iter().cloned().collect()
    }

    /// Waits until another document than `before` is there. False when none came in time, or when the window's
    /// request came to something that is no document of ours.
    pub(super) async fn another(&mut self, seat: &Seat, before: Option<LoadId>, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        loop {
            self.look_around();
            if self.at(seat).is_some_and(|page| Some(page.load) != before) {
                return true;
            }
            if self.failed.is_some() && seat.1.is_empty() {
                return false;
            }
            tokio::select! {
                Some(page) = self.arriving.recv() => self.arrived(page),
                Some(answer) = self.answers.recv() => self.answered(answer),
                () = tokio::time::sleep_until(until) => return false,
            }
        }
    }

    /// Forgets what came to nothing before.
    pub(super) fn begin_navigation(&mut self) {
        self.look_around();
        self.failed = None;
    }

    /// Why there is no document, where the answer says so.
    pub(super) fn failure(&self) -> Option<String> {
        let answer = self.failed.as_ref()?;
        Some(match answer.status {
            None => format!("{} did not answer", answer.url),
            Some(status) if status >= 400 => format!("{} answered {status}", answer.url),
            Some(_) => format!("{} is no page but {}", answer.url, answer.content_type),
        })
    }

    /// What documents said by themselves, for the notes of a run.
    pub(super) fn notes(&mut self) -> Vec<String> {
        let mut notes = Vec::new();
        while let Ok(Said { message, .. }) = self.said.try_recv() {
            if let Some(text) = message["note"]["text"].as_str() {
                notes.push(text.to_owned());
            }
            if let Some(kind) = message["dialog"]["kind"].as_str() {
                let text = message["dialog"]["text"].as_str().unwrap_or_default();
                notes.push(format!("a dialog ({kind}) was answered: {text}"));
            }
        }
        notes
    }

    /// All of the window's documents, whole.
    pub(super) async fn collect(&mut self, window: u32, deadline: Duration) -> Result<PageData, PageError> {
        let mut page_data = PageData::default();
        for page in self.of_window(window) {
            match self.collect_one(&page, deadline).await {
                Ok(data) => page_data.documents.push(data),
                // A frame that goes away is a frame that is not there.
                Err(PageError::Gone(_)) if !page.path.is_empty() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(page_data)
    }

    async fn collect_one(&mut self, page: &Page, deadline: Duration) -> Result<DocumentData, PageError> {
        let whole = !self.shown.contains_key(&page.load);
        // Runs are compared by what is there, not by how it looks.
        let asked = json!({"whole": whole, "contents": true});
        let mut answer = page.command("collect", asked, deadline).await?;
        let data = serde_json::from_value(answer["data"].take()).map_err(|error| PageError::Failed {
            command: "collect",
            message: error.to_string(),
        })?;
        Ok(put_together(self.shown.entry(page.load).or_default(), data))
    }

    fn answered(&mut self, answer: DocumentAnswer) {
        let leads_on = answer
            .status
            .is_some_and(|status| (300..400).contains(&status) || status == 204 || status == 205);
        if answer.top && !leads_on {
            self.failed = (!answer.scripted).then_some(answer);
        }
    }

    fn arrived(&mut self, page: Page) {
        self.arrivals += 1;
        // What was in this frame is gone, with its own frames.
        self.seats.retain(|(window, path), old| {
            let stays = *window != page.window || !path.starts_with(&page.path);
            if !stays {
                old.left();
            }
            stays
        });
        self.seats.insert((page.window, page.path.clone()), page);
    }
}

/// Documents send what changed since the last time; whoever compares runs wants all of it. Styles are not compared.
pub fn put_together(known: &mut BTreeMap<NodeId, Node>, mut data: DocumentData) -> DocumentData {
    if data.whole {
        known.clear();
    }
    for id in data.removed.drain(..) {
        known.remove(&id);
    }
    for node in data.nodes.drain(..) {
        known.insert(node.id, node);
    }
    // What hung below a node that is gone is gone with it, and would be left out anyway: but it must not come back when a
    // node of the same number does.
    loop {
        let orphans: Vec<NodeId> = known
            .values()
            .filter(|node| node.parent != 0 && !known.contains_key(&node.parent))
            .map(|node| node.id)
            .collect();
        if orphans.is_empty() {
            break;
        }
        orphans.iter().for_each(|id| {
            known.remove(id);
        });
    }
    DocumentData {
        whole: true,
        nodes: known.values().cloned().collect(),
        styles: Vec::new(),
        rules: None,
        ..data
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(whole: bool, nodes: &[(u32, u32)], removed: &[u32]) -> DocumentData {
        DocumentData {
            whole,
            nodes: nodes
                .iter()
                .map(|&(id, parent)| Node {
                    id,
                    parent,
                    ..Node::default()
                })
                .collect(),
            removed: removed.to_vec(),
            ..DocumentData::default()
        }
    }

    #[test]
    fn increments_make_a_whole_page_and_take_subtrees_with_them() {
        let mut known = BTreeMap::new();
        let ids = |data: DocumentData| data.nodes.iter().map(|node| node.id).collect::<Vec<_>>();
        let first = put_together(&mut known, data(true, &[(1, 0), (2, 1), (3, 2), (4, 3)], &[]));
        assert_eq!(ids(first), [1, 2, 3, 4]);
        let second = put_together(&mut known, data(false, &[(5, 1)], &[2]));
        assert!(second.whole);
        assert_eq!(ids(second), [1, 5]);
    }
}
