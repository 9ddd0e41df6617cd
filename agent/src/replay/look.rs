//! Looking at a window: page data of all its documents, put together, and a picture where something could have changed.

use crate::pages::{Page, PageError};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use xcheck_trace::Sha256;
use xcheck_trace::event::LoadId;
use xcheck_trace::page::{DocumentData, PageData};

/// Where documents are.
pub(crate) trait Seats {
    /// The document at this place now, if it is one of ours.
    fn at(&self, window: u32, path: &[u32]) -> Option<&Page>;

    /// The frames below the top of a window, outer ones first.
    fn frames_of(&self, window: u32) -> Vec<Page>;
}

/// What is known of documents that were looked at before.
#[derive(Default)]
pub(crate) struct Eyes {
    seen: HashMap<LoadId, Seen>,
    /// The last picture of each window, and of which top-level document.
    pub(crate) pictures: HashMap<u32, (LoadId, Result<Sha256, String>)>,
    /// Addresses of icons that documents have named: each browser asks for the ones it likes.
    pub(crate) icons: HashSet<String>,
    /// Documents that have elements painted on layers of their own, in anticipation of what will change.
    layered: HashSet<LoadId>,
    /// Documents in which the browser itself keeps something moving that it draws.
    moving: HashSet<LoadId>,
}

#[derive(Default)]
struct Seen {
    origin: [f32; 2],
    scroll: [f32; 2],
    page: [f32; 2],
    /// It paints without its DOM changing.
    paints_alone: bool,
}

pub(crate) struct Sight {
    pub(crate) page: PageData,
    /// The picture may differ from the one before.
    pub(crate) changed: bool,
    pub(crate) notes: Vec<String>,
    /// By document, the addresses of style sheets that it may not read, and whose text it has not been told yet.
    pub(crate) unheard: Vec<(LoadId, Vec<String>)>,
}

impl Eyes {
    pub(crate) fn know(&self, load: LoadId) -> bool {
        self.seen.contains_key(&load)
    }

    pub(crate) async fn look(
        &mut self,
        documents: &impl Seats,
        window: u32,
        deadline: Duration,
    ) -> Result<Option<Sight>, PageError> {
        let Some(top) = documents.at(window, &[]).cloned() else {
            return Ok(None);
        };
        let mut sight = Sight {
            page: PageData::default(),
            changed: false,
            notes: Vec::new(),
            unheard: Vec::new(),
        };
        self.document(&top, [0.0, 0.0], deadline, &mut sight).await?;
        // By path: where each document's top left corner is on the page, and how far it is scrolled.
        let mut places: HashMap<Vec<u32>, ([f32; 2], [f32; 2])> = HashMap::new();
        let scroll = sight.page.documents[0].scroll;
        places.insert(Vec::new(), ([0.0, 0.0], scroll));
        for frame in documents.frames_of(window) {
            let Some((index, above)) = frame.path.split_last() else {
                continue;
            };
            let (Some(parent), Some((origin, scroll))) = (documents.at(window, above), places.get(above).copied())
            else {
                continue;
            };
            let Some(offset) = offset_of(parent, *index, deadline).await? else {
                // Taken out of its parent, or a frame that is not shown.
                continue;
            };
            // The offset is from the parent's viewport, the parent's origin from its scrolled content.
            let origin = [
                origin[0] + scroll[0] + offset.0 as f32,
                origin[1] + scroll[1] + offset.1 as f32,
            ];
            match self.document(&frame, origin, deadline, &mut sight).await {
                Ok(()) => {
                    let scroll = sight
                        .page
                        .documents
                        .last()
                        .map_or([0.0, 0.0], |document| document.scroll);
                    places.insert(
                        frame.path.clone(),
                        (
                            sight.page.documents.last().map_or(origin, |document| document.origin),
                            scroll,
                        ),
                    );
                }
                Err(PageError::Gone(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Some(sight))
    }

    /// Whether a document of this window has layers of its own.
    pub(crate) fn sees_layers(&self, page: &PageData) -> bool {
        has_any(page, &self.layered)
    }

    /// Whether something has to be held still in a picture.
    pub(crate) fn sees_movement(&self, page: &PageData) -> bool {
        has_any(page, &self.moving)
    }

    async fn document(
        &mut self,
        page: &Page,
        origin: [f32; 2],
        deadline: Duration,
        sight: &mut Sight,
    ) -> Result<(), PageError> {
        let known = self.seen.get(&page.load);
        // Nodes that did not change are not sent again, so when the whole document moved all have to be.
        let whole = known.is_none_or(|seen| seen.origin != origin);
        let mut answer = page.command("collect", json!({"whole": whole}), deadline).await?;
        let unreadable = |message: String| PageError::Failed {
            command: "collect",
            message,
        };
        let mut data: DocumentData =
            serde_json::from_value(answer["data"].take()).map_err(|error| unreadable(error.to_string()))?;
        for missing in answer["missing"].as_array().into_iter().flatten() {
            let missing = missing.as_str().map_or_else(|| missing.to_string(), str::to_owned);
            sight
                .notes
                .push(format!("looked at the page without {missing}, which did not come"));
        }
        sight.unheard.push((page.load, texts_in(&answer["unheard"])));
        self.icons.extend(texts_in(&answer["icons"]));
        match answer["moves"] == true {
            true => self.moving.insert(page.load),
            false => self.moving.remove(&page.load),
        };
        let corner = match page.path.is_empty() {
            true => origin,
            // What a frame shows at its content's corner is as far into its document as it is scrolled.
            false => [origin[0] - data.scroll[0], origin[1] - data.scroll[1]],
        };
        move_by(&mut data, corner);
        let paints_alone = known.is_some_and(|seen| seen.paints_alone)
            || data
                .nodes
                .iter()
                .any(|node| matches!(node.tag.as_str(), "canvas" | "video" | "object" | "embed"));
        sight.changed |= whole
            || paints_alone
            || !data.nodes.is_empty()
            || !data.removed.is_empty()
            || data.rules.is_some()
            || known.is_some_and(|seen| seen.scroll != data.scroll || seen.page != data.page);
        let anticipates = |(name, value): &(String, String)| name == "will-change" && value != "auto";
        if data.styles.iter().any(|(_, style)| style.iter().any(anticipates)) {
            self.layered.insert(page.load);
        }
        let seen = Seen {
            origin,
            scroll: data.scroll,
            page: data.page,
            paints_alone,
        };
        self.seen.insert(page.load, seen);
        sight.page.documents.push(data);
        Ok(())
    }
}

fn has_any(page: &PageData, loads: &HashSet<LoadId>) -> bool {
    page.documents.iter().any(|document| loads.contains(&document.load))
}

pub(super) fn texts_in(list: &Value) -> Vec<String> {
    let all = list.as_array().into_iter().flatten();
    all.filter_map(|text| text.as_str()).map(str::to_owned).collect()
}

/// Where the content of a child frame begins in its parent's viewport; `None` when the parent does not show it.
pub(crate) async fn offset_of(parent: &Page, index: u32, deadline: Duration) -> Result<Option<(f64, f64)>, PageError> {
    let answer = parent.command("frame", json!({"index": index}), deadline).await?;
    match answer["found"] == true {
        true => point_in(&answer, "frame").map(Some),
        false => Ok(None),
    }
}

pub(crate) fn point_in(answer: &Value, command: &'static str) -> Result<(f64, f64), PageError> {
    match (answer["x"].as_f64(), answer["y"].as_f64()) {
        (Some(x), Some(y)) => Ok((x, y)),
        _ => Err(PageError::Failed {
            command,
            message: format!("{answer} is no point"),
        }),
    }
}

/// A document measures from its own top left corner; page data counts from the page's.
fn move_by(data: &mut DocumentData, origin: [f32; 2]) {
    data.origin = origin;
    for node in &mut data.nodes {
        if node.rect != [0.0; 4] {
            node.rect[0] += origin[0];
            node.rect[1] += origin[1];
        }
    }
}
