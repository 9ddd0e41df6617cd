//! What became of each event, in the order of the trace, written at every checkpoint.
//!
//! Documents also find things in events that nobody has asked about yet, because the parser ran them: those wait here
//! for their event's turn. What is found in an event that is written already goes to the event at hand.

use super::{Sink, SinkError};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use xcheck_trace::Trace;
use xcheck_trace::event::{Event, EventId, LoadId, PageError};
use xcheck_trace::run::{Divergence, DivergenceKind, Place, ReplayedEvent};

#[derive(Debug, Default, PartialEq)]
pub(super) struct Found {
    pub(super) divergences: Vec<Divergence>,
    pub(super) notes: Vec<String>,
    pub(super) complaints: Vec<PageError>,
}

impl Found {
    fn and(&mut self, other: Found) {
        self.divergences.extend(other.divergences);
        self.notes.extend(other.notes);
        self.complaints.extend(other.complaints);
    }
}

pub(super) struct Ledger<'t> {
    trace: &'t Trace,
    numbers: HashMap<(LoadId, EventId), u32>,
    unwritten: BTreeMap<u32, ReplayedEvent>,
    /// Everything up to here is written or will be.
    reached: Option<Place>,
    early: HashMap<(LoadId, EventId), Found>,
    /// The first exception that each document had only here.
    causes: HashMap<LoadId, PageError>,
    /// Requests that the recording does not have, as `GET URL`: which event made them, and what made it do so.
    unrecorded: HashMap<String, (LoadId, EventId, Option<PageError>)>,
    pub(super) after_divergence: bool,
    pub(super) count: u32,
    pub(super) divergences: u32,
}

impl<'t> Ledger<'t> {
    pub(super) fn new(trace: &'t Trace) -> Ledger<'t> {
        let order = trace.order();
        let numbered = order
            .iter()
            .zip(0..)
            .map(|(event, number)| ((event.load, event.id), number));
        Ledger {
            trace,
            numbers: numbered.collect(),
            unwritten: BTreeMap::new(),
            reached: None,
            early: HashMap::new(),
            causes: HashMap::new(),
            unrecorded: HashMap::new(),
            after_divergence: false,
            count: 0,
            divergences: 0,
        }
    }

    /// The last event that ran.
    pub(super) fn reached(&self) -> Option<Place> {
        self.reached
    }

    /// An event ran, or was given up.
    pub(super) fn ran(&mut self, event: &Event, mut found: Found) {
        let key = (event.load, event.id);
        self.learn(key, &found.divergences);
        if let Some(early) = self.early.remove(&key) {
            found.and(early);
        }
        let place = Place {
            number: self.numbers[&key],
            load: event.load,
            event: event.id,
        };
        self.reached = Some(place);
        self.count += 1;
        self.divergences += found.divergences.len() as u32;
        let replayed = ReplayedEvent {
            place,
            label: self.trace.label(event),
            divergences: found.divergences,
            notes: found.notes,
            complaints: found.complaints,
            after_divergence: self.after_divergence,
            registered_by: self.registered_by(event),
        };
        self.unwritten.insert(place.number, replayed);
    }

    fn registered_by(&self, event: &Event) -> Option<u32> {
        let (_, of) = event.what.as_ref()?.registered()?;
        self.numbers.get(&(event.load, of.0)).copied()
    }

    /// Something was found in an event at any time.
    pub(super) fn found(&mut self, load: LoadId, event: Option<EventId>, found: Found) {
        let number = event.and_then(|event| Some((event, *self.numbers.get(&(load, event))?)));
        if let Some((event, _)) = number {
            self.learn((load, event), &found.divergences);
        }
        match number {
            Some((event, number)) if self.reached.is_none_or(|reached| reached.number < number) => {
                self.early.entry((load, event)).or_default().and(found);
            }
            Some((_, number)) if self.unwritten.contains_key(&number) => self.add_to(number, found),
            _ => self.at_hand(found),
        }
    }

    /// Something was found that belongs to the event that ran last.
    pub(super) fn at_hand(&mut self, found: Found) {
        match self.unwritten.keys().next_back().copied() {
            Some(number) => self.add_to(number, found),
            None => match self.reached {
                // Written already: a line of its own says it, for the same place.
                Some(place) => {
                    let event = self.trace.event(place.load, place.event);
                    self.divergences += found.divergences.len() as u32;
                    let again = ReplayedEvent {
                        place,
                        label: event.map(|event| self.trace.label(event)).unwrap_or_default(),
                        divergences: found.divergences,
                        notes: found.notes,
                        complaints: found.complaints,
                        after_divergence: self.after_divergence,
                        registered_by: event.and_then(|event| self.registered_by(event)),
                    };
                    self.unwritten.insert(place.number, again);
                }
                None => {
                    if let Some(first) = self.trace.order().first() {
                        self.early
                            .entry((first.load, first.id))
                            .or_default()
                            .divergences
                            .extend(found.divergences);
                    }
                }
            },
        }
    }

    pub(super) fn at_hand_notes(&mut self, notes: Vec<String>) {
        if !notes.is_empty() {
            self.at_hand(Found {
                notes,
                ..Found::default()
            });
        }
    }

    /// What documents say of causes and requests explains what only the proxy or the browser can tell.
    fn learn(&mut self, (load, event): (LoadId, EventId), divergences: &[Divergence]) {
        for divergence in divergences {
            if let Some(cause) = &divergence.cause {
                self.causes.entry(load).or_insert_with(|| cause.clone());
            }
            if matches!(
                divergence.kind,
                DivergenceKind::RequestDiffers | DivergenceKind::RequestExtra
            ) {
                // `fetch GET URL`, perhaps with a body.
                let words: Vec<&str> = divergence.actual.split(' ').skip(1).take(2).collect();
                self.unrecorded
                    .entry(words.join(" "))
                    .or_insert_with(|| (load, event, divergence.cause.clone()));
            }
        }
    }

    /// `request`, as `GET URL`, came to the proxy: at the event that made it, where a document has said which one that is.
    pub(super) fn not_in_trace(&mut self, request: String) {
        let (kind, expected) = (DivergenceKind::NotInTrace, "only what was recorded");
        let Some((load, event, cause)) = self.unrecorded.get(&request).cloned() else {
            return self.diverged(kind, expected, request);
        };
        let divergence = Divergence {
            cause,
            ..Divergence::new(kind, expected, request)
        };
        let found = Found {
            divergences: vec![divergence],
            ..Found::default()
        };
        self.found(load, Some(event), found);
    }

    pub(super) fn diverged(&mut self, kind: DivergenceKind, expected: impl Into<String>, actual: impl Into<String>) {
        let cause = self.reached.and_then(|reached| self.causes.get(&reached.load));
        let divergence = Divergence {
            cause: cause.cloned(),
            ..Divergence::new(kind, expected, actual)
        };
        self.at_hand(Found {
            divergences: vec![divergence],
            ..Found::default()
        });
    }

    pub(super) async fn write(&mut self, sink: &mut dyn Sink) -> Result<(), SinkError> {
        for mut event in std::mem::take(&mut self.unwritten).into_values() {
            for divergence in &mut event.divergences {
                divergence.callback = self.callback_of(event.place.load, divergence);
            }
            sink.event(&event).await?;
        }
        Ok(())
    }

    /// The log knows callbacks by hashes, as `timer 1713cadfb2a71c`, which say nothing to a person.
    fn callback_of(&self, load: LoadId, divergence: &Divergence) -> Option<String> {
        use DivergenceKind as D;
        let text = match divergence.kind {
            D::CallbackMissing | D::WrongCallback => &divergence.expected,
            D::CallbackExtra => &divergence.actual,
            _ => return None,
        };
        self.trace.callback(load, text.split(' ').nth(1)?)
    }

    fn add_to(&mut self, number: u32, found: Found) {
        self.divergences += found.divergences.len() as u32;
        if let Some(event) = self.unwritten.get_mut(&number) {
            event.divergences.extend(found.divergences);
            event.notes.extend(found.notes);
            event.complaints.extend(found.complaints);
        }
    }
}

/// For an event that nobody can say ran.
pub(super) fn missing(label: String, why: impl Into<String>) -> Found {
    Found {
        divergences: vec![Divergence::new(DivergenceKind::EventMissing, label, why)],
        ..Found::default()
    }
}

/// From `{divergences, notes}` of a replayer. What cannot be read is kept as a note: it is evidence.
pub(super) fn found_in(answer: &Value) -> Found {
    let mut found = Found::default();
    for divergence in answer["divergences"].as_array().into_iter().flatten() {
        add_divergence(&mut found, divergence);
    }
    for note in answer["notes"].as_array().into_iter().flatten() {
        found
            .notes
            .push(note.as_str().map_or_else(|| note.to_string(), str::to_owned));
    }
    for complaint in answer["complaints"].as_array().into_iter().flatten() {
        add_complaint(&mut found, complaint);
    }
    found
}

pub(super) fn add_complaint(found: &mut Found, complaint: &Value) {
    match serde_json::from_value(complaint.clone()) {
        Ok(complaint) => found.complaints.push(complaint),
        Err(error) => found
            .notes
            .push(format!("a complaint that could not be read ({error}): {complaint}")),
    }
}

pub(super) fn add_divergence(found: &mut Found, divergence: &Value) {
    match serde_json::from_value(divergence.clone()) {
        Ok(divergence) => found.divergences.push(divergence),
        Err(error) => found
            .notes
            .push(format!("a divergence that could not be read ({error}): {divergence}")),
    }
}
