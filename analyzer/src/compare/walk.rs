//! Both streams of checkpoints in step: what is at the same place is compared, the rest is said not to be.

use super::Options;
use super::divergences::Divergences;
use super::documents::{LoadPair, PairKey};
use crate::findings::{Difference, Kind, Side, Timings, Unmeasured};
use crate::noise::Mask;
use crate::replay::{Replay, Shown};
use crate::scene::Raw;
use crate::spot::{Moment, Spot, event_ref};
use crate::visual::Shots;
use crate::visual::tree::Measured;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::iter::Peekable;
use xcheck_trace::event::LoadId;
use xcheck_trace::manifest::{BrowserInfo, Engine};
use xcheck_trace::page::PageData;
use xcheck_trace::run::Place;

pub(super) struct Comparison<'a> {
    pub(super) options: &'a Options,
    pub(super) mask: &'a Mask,
    pub(super) browser: BrowserInfo,
    /// Pictures of both show what is seen through glass (`backdrop-filter`).
    pub(super) glass_is_pictured: bool,
    pub(super) divergences: Divergences<'a>,
    pub(super) loads: BTreeMap<LoadId, LoadPair>,
    pub(super) shots: Shots<'a>,
    pub(super) compared: HashSet<PairKey>,
    pub(super) spots: Vec<Spot>,
    pub(super) unmeasured: BTreeSet<Unmeasured>,
    pub(super) checkpoints: u32,
    pub(super) masked: u32,
    pub(super) timings: Timings,
    /// Whether pairs are measured for the decision tree to learn from.
    pub(super) measures: bool,
    pub(super) measured: Vec<Measured>,
    /// The last checkpoint, and the side, where that showed what comes later in the recording.
    ahead: Option<(Place, usize)>,
    /// Where a page stands that has another address here than there.
    addresses: Option<[String; 2]>,
    /// Until they are read.
    streams: [Checkpoints<'a>; 2],
}

type Checkpoints<'a> = Box<dyn Iterator<Item = Shown> + 'a>;

pub(super) struct Found {
    pub(super) spots: Vec<Spot>,
    pub(super) unmeasured: BTreeSet<Unmeasured>,
    pub(super) checkpoints: u32,
    pub(super) events: u32,
    pub(super) foreign: Option<String>,
    pub(super) masked: u32,
    pub(super) timings: Timings,
    pub(super) measured: Vec<Measured>,
}

/// Documents that were not shown for this many checkpoints are let go.
const KEPT_FOR: u32 = 16;

pub(super) const NAMES: [&str; 2] = ["the reference", "the other browser"];

impl<'a> Comparison<'a> {
    pub(super) fn of(reference: Replay<'a>, other: Replay<'a>, mask: &'a Mask, options: &'a Options) -> Self {
        Comparison {
            options,
            mask,
            divergences: Divergences::new([reference.events, other.events], other.browser.clone(), mask),
            glass_is_pictured: [&reference.browser, &other.browser]
                .iter()
                .all(|one| one.engine != Engine::Gecko),
            browser: other.browser,
            loads: BTreeMap::new(),
            shots: Shots::new(reference.screenshots, other.screenshots),
            compared: HashSet::new(),
            spots: Vec::new(),
            unmeasured: BTreeSet::new(),
            checkpoints: 0,
            masked: 0,
            timings: Timings::default(),
            measures: false,
            measured: Vec::new(),
            ahead: None,
            addresses: None,
            streams: [reference.checkpoints, other.checkpoints],
        }
    }

    pub(super) fn run(mut self) -> Found {
        let empty = || -> Checkpoints<'a> { Box::new(std::iter::empty()) };
        let [mine, theirs] = std::mem::replace(&mut self.streams, [empty(), empty()]);
        let (mut mine, mut theirs) = (mine.peekable(), theirs.peekable());
        while let Some(step) = next_step(&mut mine, &mut theirs) {
            match step {
                Step::Both(a, b) => self.both(*a, *b),
                Step::One(side, shown) => self.one(side, *shown),
            }
        }
        self.events_until(None);
        if let Some((place, side)) = self.ahead {
            let reason = format!("{}: modules have run that come later in the recording", NAMES[side]);
            self.miss(place, "checkpoint", reason);
        }
        self.timings.crops = self.shots.compared;
        for spot in &mut self.spots {
            self.divergences.unanswered.explain_afterwards(spot);
        }
        Found {
            spots: self.spots,
            unmeasured: self.unmeasured,
            checkpoints: self.checkpoints,
            events: self.divergences.events,
            foreign: self.divergences.foreign,
            masked: self.masked + self.divergences.masked,
            timings: self.timings,
            measured: self.measured,
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
        let before = self.spots.len();
        self.events_until(Some(place));
        let moment = Moment {
            place,
            event: event_ref(place, self.divergences.of_reference()),
            sides: [&a, &b].map(|shown| Side {
                screenshot_sha256: shown.checkpoint.screenshot_sha256.clone().map(String::from),
                url: shown.checkpoint.url.clone(),
                page: page_size(shown),
                boxes: Vec::new(),
            }),
        };
        // What came of what was done otherwise is seen at the first look after it.
        for spot in &mut self.spots[before..] {
            spot.sides = moment.sides.clone();
        }
        for (side, shown) in [&a, &b].into_iter().enumerate() {
            if let (None, Some(reason)) = (
                &shown.checkpoint.screenshot_sha256,
                &shown.checkpoint.screenshot_missing,
            ) {
                self.miss(place, "screenshot", format!("{}: {reason}", NAMES[side]));
            }
        }
        let pages = [a.checkpoint.load, b.checkpoint.load];
        let mut screenshots = [&a, &b].map(|shown| shown.checkpoint.screenshot_sha256.clone().map(String::from));
        let readable = [a.page.is_ok(), b.page.is_ok()];
        let ahead = [&a, &b]
            .map(|shown| shown.checkpoint.ahead)
            .iter()
            .position(|&ahead| ahead);
        let loads = [self.take(0, a), self.take(1, b)];
        self.lacking(&loads[1]);
        if pages[0] != pages[1] {
            self.other_page(&moment);
            return;
        }
        self.other_address(&moment);
        // What is shown too early stays, and is compared when it is due.
        self.ahead = ahead.map(|side| (place, side));
        if ahead.is_some() {
            return;
        }
        if loads[0].union(&loads[1]).any(|&load| self.goes_on_to_the_left(load)) {
            let reason = "the page goes on to the left of its first view, where no browser takes the same picture";
            self.miss(place, "screenshot", reason.to_owned());
            screenshots = [None, None];
        }
        self.shots.turn_to(screenshots[0].as_deref(), screenshots[1].as_deref());
        let mut compared = false;
        for &load in loads[0].union(&loads[1]) {
            let missing = (0..2).find(|&side| !loads[side].contains(&load));
            match missing {
                // That its page could not be read is said already.
                Some(side) if !readable[side] => {}
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
        self.divergences.at_checkpoint();
        let now = self.checkpoints;
        self.loads
            .retain(|_, pair| now.saturating_sub(pair.last_seen) <= KEPT_FOR);
    }

    pub(super) fn miss(&mut self, place: Place, what: &str, reason: String) {
        self.unmeasured.insert(Unmeasured {
            place,
            what: what.to_owned(),
            reason,
        });
    }

    fn events_until(&mut self, place: Option<Place>) {
        for (place, side, reason) in self.divergences.not_taken(place) {
            self.miss(place, "checkpoint", format!("{}: {reason}", NAMES[side]));
        }
        let found = self.divergences.until(place);
        self.spots.extend(found);
    }

    /// The two browsers show different pages, and nobody said so yet.
    fn other_page(&mut self, moment: &Moment) {
        let [a, b] = &moment.sides;
        let reason = format!("the browsers show different pages: {} and {}", a.url, b.url);
        self.shown_otherwise(moment, "page", "another page is shown");
        self.miss(moment.place, "page", reason);
    }

    /// The same page stands at another address, since its scripts gave it one by other means. Told when it begins.
    fn other_address(&mut self, moment: &Moment) {
        let [a, b] = moment.sides.each_ref().map(|side| side.url.clone());
        let differing = (a != b).then_some([a, b]);
        if differing == self.addresses {
            return;
        }
        let begins = differing.is_some();
        self.addresses = differing;
        if begins && !self.mask.hides_event(moment.place) {
            self.shown_otherwise(moment, "address", "the page has another address");
        }
    }

    fn shown_otherwise(&mut self, moment: &Moment, property: &str, title: &str) {
        let [a, b] = &moment.sides;
        let raw = Raw {
            kind: Kind::Behaviour,
            reference: None,
            other: None,
            property: property.to_owned(),
            title: title.to_owned(),
            confidence: 0.95,
            differences: vec![Difference {
                property: property.to_owned(),
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
            element: String::new(),
            above: Vec::new(),
            cause: None,
            cause_key: Some(property.to_owned()),
            sides: moment.sides.clone(),
            leads_to: None,
        };
        self.divergences.follow(&mut spot, false);
        self.spots.push(spot);
    }
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
