//! A difference with its place, time and reason: what clustering works on, when the states it was found in are gone.

use crate::findings::{Because, Cause, EventRef, Occurrence, Side};
use crate::locator::{element, selector, tag, xpath};
use crate::scene::{Raw, Scene};
use crate::state::{Document, Rect};
use xcheck_trace::event::LoadId;
use xcheck_trace::page::NodeId;
use xcheck_trace::run::{Place, ReplayedEvent};

#[derive(Debug, Clone)]
pub(crate) struct Spot {
    pub(crate) raw: Raw,
    pub(crate) event: EventRef,
    pub(crate) place: Place,
    pub(crate) load: Option<LoadId>,
    pub(crate) selector: String,
    pub(crate) xpath: String,
    /// The element's tag.
    pub(crate) element: String,
    /// Reference ids from the parent to the root; the other's where the reference lacks the node.
    pub(crate) above: Vec<NodeId>,
    pub(crate) cause: Option<Cause>,
    /// Spots with the same key have the same cause, wherever they are.
    pub(crate) cause_key: Option<String>,
    pub(crate) sides: [Side; 2],
    /// The number of the event at which something shows that may have come of this, which nobody sees.
    pub(crate) leads_to: Option<u32>,
}

/// Both browsers' views of a checkpoint, without boxes.
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    pub(crate) place: Place,
    pub(crate) event: EventRef,
    pub(crate) sides: [Side; 2],
}

impl Spot {
    pub(crate) fn on_page(scene: &Scene<'_>, raw: Raw, moment: &Moment, cause: Option<Cause>) -> Spot {
        let (document, id) = match (raw.reference, raw.other) {
            (Some(id), _) => (scene.reference(), id),
            (None, other) => (scene.other(), other.unwrap_or_default()),
        };
        let id = element(document, id);
        let above = match raw.reference {
            Some(_) => document.ancestors(id).map(|node| node.id).collect(),
            // Told in the reference's ids as soon as an ancestor has a partner there.
            None => document
                .ancestors(id)
                .filter_map(|node| scene.matches.reference(node.id))
                .collect(),
        };
        let mut sides = moment.sides.clone();
        for (side, document, id) in [(0, scene.reference(), raw.reference), (1, scene.other(), raw.other)] {
            sides[side].boxes.extend(id.and_then(|id| rect(document, id)));
        }
        let cause_key = cause.as_ref().and_then(|cause| match &cause.because {
            Because::Unsupported { dropped } | Because::OnlyHere { kept: dropped } => Some(
                dropped
                    .iter()
                    .map(|one| format!("{} {{ {} }} {}", one.selector, one.declaration, one.sheet))
                    .collect::<Vec<_>>()
                    .join("\n"),
            ),
            // What a hand selects is one thing, however much that is.
            Because::Selected { only_there } => Some(format!("selected {only_there}")),
            // Nor what one dictionary does.
            Because::Hyphenated { only_there, language } => Some(format!("hyphenated {only_there} {language}")),
            _ => None,
        });
        Spot {
            event: moment.event.clone(),
            place: moment.place,
            load: Some(document.load),
            selector: selector(document, id),
            xpath: xpath(document, id),
            // As its selector, it is empty where hostile page data lack the node.
            element: document.node(id).map(tag).unwrap_or_default(),
            above,
            cause,
            cause_key,
            sides,
            leads_to: None,
            raw,
        }
    }

    /// The node as both sides know it.
    pub(crate) fn node(&self) -> (Option<NodeId>, Option<NodeId>) {
        (self.raw.reference, self.raw.other)
    }

    /// Whether a person comes to another page or address there.
    pub(crate) fn leads_elsewhere(&self) -> bool {
        matches!(self.raw.property.as_str(), "page" | "address")
    }

    /// Whether more or fewer random numbers and times were asked for, which follows from what else was done otherwise, and says less.
    pub(crate) fn counts_answers(&self) -> bool {
        self.raw.property.starts_with("answers-")
    }

    pub(crate) fn occurrence(&self) -> Occurrence {
        let [reference, other] = self.sides.clone();
        Occurrence {
            place: self.place,
            label: self.event.label.clone(),
            reference,
            other,
        }
    }
}

pub(crate) fn event_ref(place: Place, events: &[ReplayedEvent]) -> EventRef {
    let label = events
        .binary_search_by_key(&place.number, |event| event.place.number)
        .ok()
        .map(|at| events[at].label.clone());
    EventRef {
        number: place.number,
        load: place.load,
        event: place.event,
        label: label.unwrap_or_else(|| format!("event {} of load {}", place.event, place.load)),
    }
}

fn rect(document: &Document, id: NodeId) -> Option<[f32; 4]> {
    let node = document.node(id)?;
    let rect = Rect::of(node);
    let tenths = |length: f32| (length * 10.0).round() / 10.0;
    (!rect.is_empty()).then(|| node.rect.map(tenths))
}
