//! One browser against the reference, checkpoint by checkpoint (X-Check, Algorithm 2).
//!
//! Both streams are read once and in step. What is kept between two checkpoints is one state per document and browser,
//! the matches between them, and the differences that stand; so memory follows the pages, not the session.

use crate::behaviour;
use crate::cluster;
use crate::explain;
use crate::findings::{
    Because, BrowserResult, Cause, Difference, Kind, Mode, Noise, Outcome, Side, Subject, Timings, Unmeasured,
    VisualMode, Volatile,
};
use crate::focus;
use crate::ignore::{self, IgnoreRule};
use crate::matching::{Matches, Sides, afresh};
use crate::noise::Mask;
use crate::replay::{Replay, Shown};
use crate::scene::{Raw, Scene};
use crate::spot::{Moment, Spot, event_ref};
use crate::state::{Changes, Document};
use crate::structure::{self, Excused};
use crate::style::DroppedRules;
use crate::text;
use crate::tolerances::Tolerances;
use crate::visual::{self, Shots, StylePairs};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::iter::Peekable;
use std::sync::Arc;
use xcheck_trace::event::LoadId;
use xcheck_trace::manifest::BrowserInfo;
use xcheck_trace::page::{NodeId, PageData, StyleRule};
use xcheck_trace::run::{DivergenceKind, Place, ReplayedEvent};

/// How to compare.
#[derive(Debug, Clone, Default)]
pub struct Options {
    pub mode: Mode,
    pub visual: VisualMode,
    pub tolerances: Tolerances,
    pub ignore: Vec<IgnoreRule>,
}

/// Compares what two browsers did and showed after the same inputs.
pub fn compare(reference: Replay<'_>, other: Replay<'_>, mask: &Mask, options: &Options) -> (BrowserResult, Timings) {
    let subject = Subject::from(&other.browser);
    let found = Comparison::run(reference, other, mask, options);
    if found.checkpoints == 0 && found.events == 0 {
        let reason = match found.unmeasured.first() {
            Some(first) => format!("no checkpoint could be compared: {}", first.reason),
            None => "the two replays have no event and no checkpoint in common".to_owned(),
        };
        let mut result = BrowserResult::not_measured(&subject, reason);
        result.unmeasured = found.unmeasured.into_iter().collect();
        return (result, found.timings);
    }
    let (xbis, ignored) = ignore::split(cluster::xbis(found.spots), &options.ignore, &subject.browser);
    let result = BrowserResult {
        browser: subject.browser,
        version: subject.version,
        outcome: Outcome::Compared,
        events: found.events,
        checkpoints: found.checkpoints,
        xbis,
        ignored,
        unmeasured: found.unmeasured.into_iter().collect(),
        masked: found.masked,
    };
    (result, found.timings)
}

/// Compares the reference with itself: what differs is the page's own restlessness, and masked from then on.
pub fn noise(reference: Replay<'_>, again: Replay<'_>, options: &Options) -> (Mask, Noise, Timings) {
    let found = Comparison::run(reference, again, &Mask::default(), options);
    if found.checkpoints == 0 && found.events == 0 {
        let noise = Noise::NotMeasured {
            reason: "the reference's second replay has nothing in common with the first".to_owned(),
        };
        return (Mask::default(), noise, found.timings);
    }
    let mut volatile: Vec<Volatile> = found
        .spots
        .iter()
        .map(|spot| Volatile {
            kind: spot.raw.kind,
            selector: spot.selector.clone(),
            xpath: spot.xpath.clone(),
            title: spot.raw.title.clone(),
        })
        .collect();
    volatile.sort();
    volatile.dedup();
    (Mask::of(&found.spots), Noise::Measured { volatile }, found.timings)
}

struct Comparison<'a> {
    options: &'a Options,
    mask: &'a Mask,
    browser: BrowserInfo,
    events: [&'a [ReplayedEvent]; 2],
    loads: BTreeMap<LoadId, LoadPair>,
    shots: Shots<'a>,
    compared: HashSet<PairKey>,
    spots: Vec<Spot>,
    unmeasured: BTreeSet<Unmeasured>,
    /// Divergences since the last checkpoint that was compared.
    open: Vec<Divergent>,
    next_event: usize,
    checkpoints: u32,
    event_count: u32,
    masked: u32,
    timings: Timings,
}

struct Found {
    spots: Vec<Spot>,
    unmeasured: BTreeSet<Unmeasured>,
    checkpoints: u32,
    events: u32,
    masked: u32,
    timings: Timings,
}

/// A document in both browsers.
#[derive(Default)]
struct LoadPair {
    sides: [LoadSide; 2],
    matches: Matches,
    styles: StylePairs,
    dropped: Option<([Rules; 2], OnceCell<DroppedRules>)>,
    /// What was found before and has not been looked at since.
    standing: BTreeMap<StandingKey, BTreeMap<String, Vec<Difference>>>,
    last_seen: u32,
}

type Rules = Arc<Vec<StyleRule>>;

type StandingKey = (Option<NodeId>, Option<NodeId>);

#[derive(Default)]
struct LoadSide {
    document: Document,
    /// Since the last comparison.
    changes: Changes,
    /// Why this state cannot be relied on: an increment is missing.
    stale: Option<String>,
    seen: bool,
}

#[derive(PartialEq, Eq, Hash)]
struct PairKey {
    load: LoadId,
    states: [u64; 2],
    screenshots: [Option<String>; 2],
}

struct Divergent {
    key: String,
    cause: Option<Cause>,
    exception: bool,
}

/// Documents that were not shown for this many checkpoints are let go.
const KEPT_FOR: u32 = 16;

const NAMES: [&str; 2] = ["the reference", "the other browser"];

impl<'a> Comparison<'a> {
    fn run(reference: Replay<'a>, other: Replay<'a>, mask: &'a Mask, options: &'a Options) -> Found {
        let mut comparison = Comparison {
            options,
            mask,
            browser: other.browser,
            events: [reference.events, other.events],
            loads: BTreeMap::new(),
            shots: Shots::new(reference.screenshots, other.screenshots),
            compared: HashSet::new(),
            spots: Vec::new(),
            unmeasured: BTreeSet::new(),
            open: Vec::new(),
            next_event: 0,
            checkpoints: 0,
            event_count: 0,
            masked: 0,
            timings: Timings::default(),
        };
        let (mut mine, mut theirs) = (reference.checkpoints.peekable(), other.checkpoints.peekable());
        while let Some(step) = next_step(&mut mine, &mut theirs) {
            match step {
                Step::Both(a, b) => comparison.both(*a, *b),
                Step::One(side, shown) => comparison.one(side, *shown),
            }
        }
        comparison.events_until(None);
        comparison.timings.crops = comparison.shots.compared;
        Found {
            spots: comparison.spots,
            unmeasured: comparison.unmeasured,
            checkpoints: comparison.checkpoints,
            events: comparison.event_count,
            masked: comparison.masked,
            timings: comparison.timings,
        }
    }

    /// A checkpoint that only one browser has: its increments count, it is not compared.
    fn one(&mut self, side: usize, shown: Shown) {
        let place = shown.checkpoint.place;
        self.events_until(Some(place));
        self.miss(
            place,
            "checkpoint",
            format!("{} has no checkpoint here", NAMES[1 - side]),
        );
        self.take(side, shown);
    }

    fn both(&mut self, a: Shown, b: Shown) {
        let place = a.checkpoint.place;
        self.events_until(Some(place));
        let moment = Moment {
            place,
            event: event_ref(place, self.events[0]),
            sides: [&a, &b].map(|shown| Side {
                screenshot_sha256: shown.checkpoint.screenshot_sha256.clone().map(String::from),
                url: shown.checkpoint.url.clone(),
                page: page_size(shown),
                boxes: Vec::new(),
            }),
        };
        for (side, shown) in [&a, &b].into_iter().enumerate() {
            if let (None, Some(reason)) = (
                &shown.checkpoint.screenshot_sha256,
                &shown.checkpoint.screenshot_missing,
            ) {
                self.miss(place, "screenshot", format!("{}: {reason}", NAMES[side]));
            }
        }
        let pages = [a.checkpoint.load, b.checkpoint.load];
        let screenshots = [&a, &b].map(|shown| shown.checkpoint.screenshot_sha256.clone().map(String::from));
        let loads = [self.take(0, a), self.take(1, b)];
        if pages[0] != pages[1] {
            self.other_page(&moment);
            return;
        }
        self.shots.turn_to(screenshots[0].as_deref(), screenshots[1].as_deref());
        let mut compared = false;
        for &load in loads[0].union(&loads[1]) {
            let missing = (0..2).find(|&side| !loads[side].contains(&load));
            match missing {
                Some(side) => self.miss(
                    place,
                    "document",
                    format!("{} does not have document {load}", NAMES[side]),
                ),
                None => compared |= self.document(load, &moment, &screenshots),
            }
        }
        for (side, failure) in self.shots.failures().into_iter().enumerate() {
            if let Some(reason) = failure {
                self.miss(place, "screenshot", format!("{}: {reason}", NAMES[side]));
            }
        }
        self.checkpoints += u32::from(compared);
        self.open.clear();
        let now = self.checkpoints;
        self.loads
            .retain(|_, pair| now.saturating_sub(pair.last_seen) <= KEPT_FOR);
    }

    fn miss(&mut self, place: Place, what: &str, reason: String) {
        self.unmeasured.insert(Unmeasured {
            place,
            what: what.to_owned(),
            reason,
        });
    }

    /// Brings one browser's states up to date; the documents that it shows.
    fn take(&mut self, side: usize, shown: Shown) -> BTreeSet<LoadId> {
        let place = shown.checkpoint.place;
        let data = match shown.page {
            Ok(data) => data,
            Err(reason) => {
                for pair in self.loads.values_mut() {
                    pair.sides[side].stale = Some(reason.clone());
                }
                self.miss(place, "page", format!("{}: {reason}", NAMES[side]));
                return BTreeSet::new();
            }
        };
        let now = self.checkpoints;
        let mut shown = BTreeSet::new();
        for document in data.documents {
            let load = document.load;
            let pair = self.loads.entry(load).or_default();
            pair.last_seen = now;
            let state = &mut pair.sides[side];
            if document.whole {
                state.stale = None;
            } else if !state.seen {
                state.stale = Some(format!("document {load} begins with an increment"));
            }
            state.seen = true;
            let changes = state.document.apply(document);
            state.changes.then(changes);
            shown.insert(load);
        }
        shown
    }

    /// Both states of one document. False when they could not be compared.
    fn document(&mut self, load: LoadId, moment: &Moment, screenshots: &[Option<String>; 2]) -> bool {
        // Taken out while it is worked on, so that the rest of `self` stays free.
        let Some(mut pair) = self.loads.remove(&load) else {
            return false;
        };
        let outcome = self.compare_states(&mut pair, moment, screenshots);
        self.loads.insert(load, pair);
        outcome
    }

    fn compare_states(&mut self, pair: &mut LoadPair, moment: &Moment, screenshots: &[Option<String>; 2]) -> bool {
        for (side, name) in NAMES.iter().enumerate() {
            if let Some(reason) = pair.sides[side].stale.clone() {
                self.miss(moment.place, "nodes", format!("{name}: {reason}"));
                return false;
            }
        }
        let [first, second] = &mut pair.sides;
        let changes = [std::mem::take(&mut first.changes), std::mem::take(&mut second.changes)];
        let sides = Sides {
            reference: &first.document,
            other: &second.document,
        };
        let tolerances = &self.options.tolerances;
        if self.options.mode == Mode::Full {
            pair.matches = afresh(sides, tolerances);
        } else {
            pair.matches.update(sides, (&changes[0], &changes[1]), tolerances);
            let key = PairKey {
                load: sides.reference.load,
                states: [sides.reference.fingerprint(), sides.other.fingerprint()],
                screenshots: screenshots.clone(),
            };
            if !self.compared.insert(key) {
                self.timings.repeated_pairs += 1;
                return true;
            }
        }
        self.timings.pairs += 1;
        self.timings.changed_nodes += changes
            .iter()
            .map(|changes| changes.touched().len() as u64)
            .sum::<u64>();

        let rules = [sides.reference, sides.other].map(|document| Arc::clone(&document.rules));
        let current = |known: &[Rules; 2]| known.iter().zip(&rules).all(|(known, now)| Arc::ptr_eq(known, now));
        if !pair.dropped.as_ref().is_some_and(|(known, _)| current(known)) {
            pair.dropped = Some((rules, OnceCell::new()));
        }
        let Some((_, dropped)) = &pair.dropped else {
            return false;
        };
        let focus = match self.options.mode {
            Mode::Full => sides.reference.all().into_iter().collect(),
            Mode::Incremental => focus::nodes(sides, &pair.matches, [&changes[0], &changes[1]]),
        };
        self.timings.checked_nodes += focus.len() as u64;
        let scene = Scene {
            sides,
            matches: &pair.matches,
            tolerances,
            focus: &focus,
            dropped,
            exhaustive: self.options.mode == Mode::Full,
        };
        let found = check(
            &scene,
            &changes,
            &mut self.shots,
            &mut pair.styles,
            self.options.visual,
            self.mask,
        );
        self.keep(&scene, found, moment, &mut pair.standing);
        true
    }

    /// Notes what is new since these nodes were last looked at.
    fn keep(
        &mut self,
        scene: &Scene<'_>,
        found: Vec<Raw>,
        moment: &Moment,
        standing: &mut BTreeMap<StandingKey, BTreeMap<String, Vec<Difference>>>,
    ) {
        let mut before: BTreeMap<StandingKey, BTreeMap<String, Vec<Difference>>> = BTreeMap::new();
        let looked_at = |key: &StandingKey| match *key {
            (Some(id), _) => scene.focus.contains(&id) || scene.reference().node(id).is_none(),
            (None, Some(id)) => scene.other().node(id).is_none() || scene.matches.reference(id).is_some(),
            (None, None) => true,
        };
        let again: Vec<StandingKey> = standing.keys().copied().filter(looked_at).collect();
        for key in again {
            if let Some(known) = standing.remove(&key) {
                before.insert(key, known);
            }
        }
        for raw in found {
            if self.mask.hides(scene.reference().load, &raw) {
                self.masked += 1;
                continue;
            }
            let key = (raw.reference, raw.other);
            let known = before.get(&key).and_then(|known| known.get(&raw.property)).is_some()
                || standing
                    .get(&key)
                    .is_some_and(|known| known.contains_key(&raw.property));
            standing
                .entry(key)
                .or_default()
                .insert(raw.property.clone(), raw.differences.clone());
            if known {
                continue;
            }
            let cause = explain::cause(scene, &raw, &self.browser);
            let mut spot = Spot::on_page(scene, raw, moment, cause);
            self.follow(&mut spot);
            self.spots.push(spot);
        }
    }

    /// A difference in what the page made of an event follows from what the replay noticed in that event; one in how
    /// it looks does when an exception fell and the page's own rules do not explain it.
    fn follow(&self, spot: &mut Spot) {
        let explained = spot.cause.is_some();
        let by = self.open.iter().find(|divergent| match spot.raw.kind {
            Kind::Behaviour | Kind::Text => true,
            Kind::Structure | Kind::Visual => divergent.exception && !explained,
        });
        if let Some(by) = by {
            spot.cause = by.cause.clone();
            spot.cause_key = Some(by.key.clone());
        }
    }

    /// The two browsers show different pages, and nobody said so yet.
    fn other_page(&mut self, moment: &Moment) {
        let [a, b] = &moment.sides;
        let raw = Raw {
            kind: Kind::Behaviour,
            reference: None,
            other: None,
            property: "page".to_owned(),
            title: "another page is shown".to_owned(),
            confidence: 0.95,
            differences: vec![Difference {
                property: "page".to_owned(),
                reference: a.url.clone(),
                other: b.url.clone(),
                selector: String::new(),
            }],
        };
        let mut spot = Spot {
            raw,
            event: moment.event.clone(),
            place: moment.place,
            load: None,
            selector: String::new(),
            xpath: String::new(),
            above: Vec::new(),
            cause: None,
            cause_key: Some("page".to_owned()),
            sides: moment.sides.clone(),
        };
        self.follow(&mut spot);
        self.spots.push(spot);
        self.miss(
            moment.place,
            "page",
            format!(
                "the browsers show different pages: {} and {}",
                moment.sides[0].url, moment.sides[1].url
            ),
        );
    }

    /// Takes in what the replay noticed in the events before a checkpoint.
    fn events_until(&mut self, place: Option<Place>) {
        let [reference, other] = self.events;
        while let Some(event) = other.get(self.next_event) {
            if place.is_some_and(|place| event.place.number > place.number) {
                break;
            }
            self.next_event += 1;
            let twin = reference
                .binary_search_by_key(&event.place.number, |event| event.place.number)
                .ok()
                .map(|at| &reference[at]);
            self.event_count += u32::from(twin.is_some());
            self.divergences(event, twin);
        }
    }

    fn divergences(&mut self, event: &ReplayedEvent, twin: Option<&ReplayedEvent>) {
        for divergence in &event.divergences {
            let same = |theirs: &&xcheck_trace::run::Divergence| {
                theirs.kind == divergence.kind && theirs.expected == divergence.expected
            };
            // What the reference does when replayed itself is not this browser's.
            if twin.is_some_and(|twin| twin.divergences.iter().any(|theirs| same(&theirs)))
                || self.mask.hides_divergence(event.place, divergence.kind)
            {
                self.masked += 1;
                continue;
            }
            let exception = divergence.kind == DivergenceKind::ExceptionOnlyHere;
            let cause = match &divergence.cause {
                Some(error) => Cause {
                    text: format!("{} in {}", error.message, explain::named(&self.browser)),
                    because: Because::Exception { error: error.clone() },
                },
                None => Cause {
                    text: format!("{}: {}", behaviour::title(divergence.kind), divergence.expected),
                    because: Because::Diverged {
                        divergence: divergence.kind,
                        expected: divergence.expected.clone(),
                        actual: divergence.actual.clone(),
                    },
                },
            };
            let key = match (&divergence.cause, event.after_divergence) {
                (Some(error), _) => format!("exception {} {} {}", error.message, error.source, error.line),
                (None, true) => "after divergence".to_owned(),
                (None, false) => match divergence.kind {
                    // What follows a lost page is that loss.
                    DivergenceKind::NavigationMissing | DivergenceKind::NavigationElsewhere => {
                        "after divergence".to_owned()
                    }
                    _ => format!("event {}", event.place.number),
                },
            };
            let words = serde_json::to_value(divergence.kind)
                .ok()
                .and_then(|word| word.as_str().map(str::to_owned));
            let property = words.unwrap_or_else(|| format!("{:?}", divergence.kind));
            self.open.push(Divergent {
                key: key.clone(),
                cause: Some(cause.clone()),
                exception: exception || divergence.cause.is_some(),
            });
            self.spots.push(Spot {
                raw: Raw {
                    kind: Kind::Behaviour,
                    reference: None,
                    other: None,
                    property: format!("{property} {}", divergence.expected),
                    title: behaviour::title(divergence.kind).to_owned(),
                    confidence: if exception { 0.97 } else { 0.9 },
                    differences: vec![Difference {
                        property,
                        reference: divergence.expected.clone(),
                        other: divergence.actual.clone(),
                        selector: String::new(),
                    }],
                },
                event: event_ref(event.place, self.events[1]),
                place: event.place,
                load: None,
                selector: String::new(),
                xpath: String::new(),
                above: Vec::new(),
                cause: Some(cause),
                cause_key: Some(key),
                sides: Default::default(),
            });
        }
    }
}

/// The checks in their order: each spares the next what is said already.
fn check(
    scene: &Scene<'_>,
    changes: &[Changes; 2],
    shots: &mut Shots<'_>,
    styles: &mut StylePairs,
    mode: VisualMode,
    mask: &Mask,
) -> Vec<Raw> {
    let mut excused = Excused::default();
    for id in mask.restless(scene.reference().load) {
        excused.holder(scene, id);
    }
    let mut found = behaviour::differences(scene, (&changes[0], &changes[1]), &mut excused);
    found.extend(text::differences(scene, &mut excused));
    found.extend(visual::pictures(scene, &mut excused));
    found.extend(structure::differences(scene, excused));
    let said: BTreeSet<NodeId> = found.iter().filter_map(|raw| raw.reference).collect();
    found.extend(visual::differences(scene, shots, styles, mode, &said));
    found
}

enum Step {
    Both(Box<Shown>, Box<Shown>),
    One(usize, Box<Shown>),
}

/// The next checkpoint of either side, or of both where they are at the same place.
fn next_step(
    mine: &mut Peekable<impl Iterator<Item = Shown>>,
    theirs: &mut Peekable<impl Iterator<Item = Shown>>,
) -> Option<Step> {
    let place = |shown: &Shown| shown.checkpoint.place;
    match (mine.peek().map(place), theirs.peek().map(place)) {
        (Some(a), Some(b)) if a == b => Some(Step::Both(Box::new(mine.next()?), Box::new(theirs.next()?))),
        (Some(a), Some(b)) if a > b => Some(Step::One(1, Box::new(theirs.next()?))),
        (Some(_), _) => Some(Step::One(0, Box::new(mine.next()?))),
        (None, Some(_)) => Some(Step::One(1, Box::new(theirs.next()?))),
        (None, None) => None,
    }
}

fn page_size(shown: &Shown) -> [f32; 2] {
    let top = |page: &PageData| page.documents.first().map(|document| document.page);
    shown.page.as_ref().ok().and_then(top).unwrap_or_default()
}
