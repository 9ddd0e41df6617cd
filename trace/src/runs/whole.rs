//! Puts incremental page data together again.
//!
//! A document is kept from its first checkpoint to the last one that shows its window's page, so that memory is bounded
//! by what is open at once rather than by the length of the session.

use super::reader::RunReader;
use crate::event::LoadId;
use crate::files::StoreError;
use crate::hash::Sha256;
use crate::page::{DocumentData, Node, NodeId, PageData};
use crate::run::Checkpoint;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The parent of a root.
const ABOVE_ROOT: NodeId = 0;

/// A checkpoint with all of its page.
#[derive(Debug, Clone)]
pub struct WholePage<'a> {
    pub checkpoint: &'a Checkpoint,
    /// `whole` is true in every document, `nodes` are in document order, `styles` and `rules` complete.
    pub page: PageData,
}

pub struct WholePages<'a> {
    run: &'a RunReader,
    checkpoints: std::slice::Iter<'a, Checkpoint>,
    /// How many checkpoints are still to come that show each top-level document.
    to_come: HashMap<LoadId, usize>,
    /// By top-level document, then by document.
    documents: HashMap<LoadId, HashMap<LoadId, Document>>,
}

impl<'a> WholePages<'a> {
    pub(super) fn new(run: &'a RunReader, checkpoints: &'a [Checkpoint]) -> WholePages<'a> {
        let mut to_come = HashMap::new();
        for checkpoint in checkpoints {
            *to_come.entry(checkpoint.load).or_default() += 1;
        }
        WholePages {
            run,
            checkpoints: checkpoints.iter(),
            to_come,
            documents: HashMap::new(),
        }
    }

    fn page(&mut self, checkpoint: &Checkpoint) -> Result<PageData, StoreError> {
        let stored = self.run.page(&checkpoint.page_sha256)?;
        let documents = self.documents.entry(checkpoint.load).or_default();
        let mut page = PageData::default();
        for data in stored.documents {
            let document = documents.entry(data.load).or_default();
            document.apply(data, &checkpoint.page_sha256)?;
            page.documents.push(document.whole(&checkpoint.page_sha256)?);
        }
        Ok(page)
    }
}

impl<'a> Iterator for WholePages<'a> {
    type Item = Result<WholePage<'a>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let checkpoint = self.checkpoints.next()?;
        let page = self.page(checkpoint);
        let to_come = self.to_come.entry(checkpoint.load).or_default();
        *to_come = to_come.saturating_sub(1);
        // What could not be read may have changed anything: later changes must not be put on top of what was before.
        if *to_come == 0 || page.is_err() {
            self.documents.remove(&checkpoint.load);
        }
        Some(page.map(|page| WholePage { checkpoint, page }))
    }
}

/// A document as it stands after what was applied so far.
#[derive(Default)]
struct Document {
    /// Everything but nodes and styles.
    frame: DocumentData,
    nodes: BTreeMap<NodeId, Node>,
    styles: BTreeMap<u32, Vec<(String, String)>>,
    begun: bool,
}

impl Document {
    fn apply(&mut self, mut data: DocumentData, hash: &Sha256) -> Result<(), StoreError> {
        if data.whole {
            self.nodes.clear();
            self.styles.clear();
        } else if !self.begun {
            let reason = format!("it holds changes of load {}, whose whole page is missing", data.load);
            return Err(damaged(hash, reason));
        }
        self.begun = true;
        let news = std::mem::take(&mut data.nodes);
        if news.iter().any(|node| node.id == ABOVE_ROOT) {
            return Err(damaged(hash, "a node has the number 0, which is no node's".into()));
        }
        self.remove(&data.removed, &news);
        self.nodes.extend(news.into_iter().map(|node| (node.id, node)));
        self.styles.extend(std::mem::take(&mut data.styles));
        data.removed = Vec::new();
        data.rules = data.rules.or_else(|| self.frame.rules.take());
        data.whole = true;
        self.frame = data;
        Ok(())
    }

    /// What hung below a removed node went with it, unless this very checkpoint says where it is now.
    fn remove(&mut self, removed: &[NodeId], news: &[Node]) {
        if removed.is_empty() {
            return;
        }
        let children = self.children();
        let still_here: BTreeSet<NodeId> = news.iter().map(|node| node.id).collect();
        let mut open = removed.to_vec();
        while let Some(id) = open.pop() {
            if self.nodes.remove(&id).is_none() {
                continue;
            }
            let below = children.get(&id).into_iter().flatten();
            open.extend(below.filter(|child| !still_here.contains(child)));
        }
    }

    fn children(&self) -> HashMap<NodeId, Vec<NodeId>> {
        let mut children: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        for node in self.nodes.values() {
            children.entry(node.parent).or_default().push(node.id);
        }
        for siblings in children.values_mut() {
            siblings.sort_by_key(|id| (self.nodes[id].index, *id));
        }
        children
    }

    fn whole(&self, hash: &Sha256) -> Result<DocumentData, StoreError> {
        let children = self.children();
        let mut nodes = Vec::with_capacity(self.nodes.len());
        let mut open = vec![ABOVE_ROOT];
        while let Some(id) = open.pop() {
            nodes.extend(self.nodes.get(&id).cloned());
            open.extend(children.get(&id).into_iter().flatten().rev());
        }
        if nodes.len() != self.nodes.len() {
            let lost = self.nodes.len() - nodes.len();
            let reason = format!("{lost} nodes of load {} hang below none that is there", self.frame.load);
            return Err(damaged(hash, reason));
        }
        Ok(DocumentData {
            nodes,
            styles: self.styles.clone().into_iter().collect(),
            ..self.frame.clone()
        })
    }
}

fn damaged(hash: &Sha256, reason: String) -> StoreError {
    StoreError::BodyDamaged {
        hash: hash.clone(),
        reason,
    }
}
