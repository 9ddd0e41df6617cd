//! What the replay noticed in the events between two checkpoints, and what follows from what.
//!
//! One missing function is noticed many times over: its script goes silent, what it would have asked for never comes,
//! and everything that was to happen then does not. All of that is one thing to fix, so divergences carry the key of
//! the first one that explains them.

use super::course::Course;
use super::never::Never;
use super::refused::Refused;
use super::unanswered::Unanswered;
use crate::behaviour;
use crate::explain;
use crate::findings::{Because, Cause, Difference, Kind};
use crate::noise::Mask;
use crate::scene::Raw;
use crate::spot::{Spot, event_ref};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use xcheck_trace::event::{LoadId, PageError};
use xcheck_trace::manifest::BrowserInfo;
use xcheck_trace::run::{Divergence, DivergenceKind, NO_CHECKPOINT, Place, ReplayedEvent};

pub(super) struct Divergences<'a> {
    /// The reference's and the other's.
    replays: [&'a [ReplayedEvent]; 2],
    browser: BrowserInfo,
    mask: &'a Mask,
    next: usize,
    /// What its documents said they asked for without having been recorded to.
    told: BTreeSet<String>,
    /// Since the last checkpoint that was compared.
    open: Vec<Divergent>,
    /// The key of the first divergence of each event that has one.
    keys: BTreeMap<u32, String>,
    /// Of the navigation that was lost.
    lost: Option<String>,
    /// The first error that each document caught and wrote to the console in the other browser alone.
    complaints: BTreeMap<LoadId, Complaint>,
    /// The first exception that only the other browser had.
    thrown: Option<Divergent>,
    pub(super) unanswered: Unanswered,
    refused: Refused,
    course: Course,
    never: Never,
    /// Events that both browsers have.
    pub(super) events: u32,
    /// The first event that has another name in each replay: they are not of the same trace.
    pub(super) foreign: Option<String>,
    pub(super) masked: u32,
}

struct Complaint {
    error: PageError,
    /// Whether something is told that likely comes of it.
    matters: Cell<bool>,
}

#[derive(Clone)]
pub(super) struct Divergent {
    pub(super) key: String,
    cause: Cause,
    /// What it ends is silent from then on.
    pub(super) exception: bool,
    /// What a person does from then on is done to something else.
    astray: bool,
}

impl<'a> Divergences<'a> {
    pub(super) fn new(replays: [&'a [ReplayedEvent]; 2], browser: BrowserInfo, mask: &'a Mask) -> Self {
        Divergences {
            replays,
            browser,
            mask,
            told: replays[1]
                .iter()
                .flat_map(|event| &event.divergences)
                .filter_map(request_of)
                .collect(),
            next: 0,
            open: Vec::new(),
            keys: BTreeMap::new(),
            lost: None,
            complaints: BTreeMap::new(),
            thrown: None,
            unanswered: Unanswered::default(),
            refused: Refused::of(replays[1]),
            course: Course::default(),
            never: Never::of(replays[1]),
            events: 0,
            foreign: None,
            masked: 0,
        }
    }

    pub(super) fn of_reference(&self) -> &'a [ReplayedEvent] {
        self.replays[0]
    }

    pub(super) fn at_checkpoint(&mut self) {
        self.open.clear();
        // What a page caught, and went on as in the other browser, was no harm.
        self.complaints.retain(|_, complaint| complaint.matters.get());
    }

    /// Takes in what was noticed in the events up to a place, or up to the end.
    pub(super) fn until(&mut self, place: Option<Place>) -> Vec<Spot> {
        let [reference, other] = self.replays;
        let mut found = Vec::new();
        while let Some(event) = other.get(self.next) {
            if place.is_some_and(|place| event.place.number > place.number) {
                break;
            }
            self.next += 1;
            let twin = reference
                .binary_search_by_key(&event.place.number, |event| event.place.number)
                .ok()
                .map(|at| &reference[at]);
            self.events += u32::from(twin.is_some());
            if let Some(twin) = twin.filter(|twin| twin.label != event.label && self.foreign.is_none()) {
                self.foreign = Some(format!(
                    "it is the replay of another trace: event {} is `{}`, and `{}` in the reference",
                    event.place.number, event.label, twin.label
                ));
            }
            found.extend(self.of_event(event, twin));
        }
        found
    }

    /// Whether a browser may scroll by itself after what was done last.
    pub(super) fn may_scroll(&self) -> bool {
        self.course.scrolls()
    }

    /// Checkpoints that a replay could not take in the same events: which side, and why.
    pub(super) fn not_taken(&self, place: Option<Place>) -> Vec<(Place, usize, String)> {
        let last = place.map_or(u32::MAX, |place| place.number);
        let first = self.replays[1]
            .get(self.next)
            .map_or(u32::MAX, |event| event.place.number);
        let mut found = Vec::new();
        for (side, events) in self.replays.iter().enumerate() {
            let start = events.partition_point(|event| event.place.number < first);
            for event in events[start..].iter().take_while(|event| event.place.number <= last) {
                let reasons = event.notes.iter().filter_map(|note| note.strip_prefix(NO_CHECKPOINT));
                found.extend(reasons.map(|reason| (event.place, side, reason.to_owned())));
            }
        }
        found
    }

    fn of_event(&mut self, event: &ReplayedEvent, twin: Option<&ReplayedEvent>) -> Vec<Spot> {
        let mut spots = Vec::new();
        self.course.reach(event);
        self.complained(event, twin);
        for divergence in &event.divergences {
            let same = |theirs: &&Divergence| theirs.kind == divergence.kind && theirs.expected == divergence.expected;
            // The document knows best at which event it asked; the proxy hears of it some time later.
            if divergence.kind == DivergenceKind::NotInTrace && self.told.contains(&divergence.actual) {
                continue;
            }
            // What the reference does when replayed itself is not this browser's.
            if twin.is_some_and(|twin| twin.divergences.iter().any(|theirs| same(&theirs)))
                || self.mask.hides_event(event.place)
            {
                self.masked += 1;
                continue;
            }
            let key = self.key(event, divergence);
            self.keys.entry(event.place.number).or_insert_with(|| key.clone());
            let cause = self.cause(event, divergence);
            let divergent = Divergent {
                key: key.clone(),
                cause: cause.clone(),
                exception: is_exception(divergence) || divergence.cause.is_some(),
                astray: divergence.kind == DivergenceKind::TargetElsewhere,
            };
            if divergent.exception && self.thrown.is_none() {
                self.thrown = Some(divergent.clone());
            }
            if is_lost_page(divergence) {
                self.lost.get_or_insert_with(|| key.clone());
            }
            self.unanswered.note(event, divergence, &divergent);
            self.course.note(divergence, &key);
            self.open.push(divergent);
            let refusal = is_exception(divergence).then(|| self.refused.instead_of(divergence, None));
            let told = refusal.flatten();
            spots.push(self.spot(event, told.as_ref().unwrap_or(divergence), cause, key));
        }
        spots
    }

    /// An error that a page catches is no difference, and likely why what it does from then on is one.
    fn complained(&mut self, event: &ReplayedEvent, twin: Option<&ReplayedEvent>) {
        let by_both = twin.is_some_and(|twin| !twin.complaints.is_empty());
        let Some(error) = event.complaints.first().filter(|_| !by_both) else {
            return;
        };
        if !self.mask.hides_event(event.place) {
            self.complaints.entry(event.place.load).or_insert_with(|| Complaint {
                error: error.clone(),
                matters: Cell::new(false),
            });
            self.open.push(Divergent {
                key: key_of(error),
                cause: self.error(error),
                exception: false,
                astray: false,
            });
        }
    }

    /// The exception behind a divergence, or else what the page complained of until then.
    fn error_behind<'e>(&'e self, event: &ReplayedEvent, divergence: &'e Divergence) -> Option<&'e PageError> {
        divergence.cause.as_ref().or_else(|| {
            let complaint = self.complaints.get(&event.place.load)?;
            complaint.matters.set(true);
            Some(&complaint.error)
        })
    }

    /// What it follows from.
    fn key(&self, event: &ReplayedEvent, divergence: &Divergence) -> String {
        // A script that was silent in the recording is heard of for the first time when it throws, and who waits for what is
        // refused throws on.
        let thrown = || {
            event
                .divergences
                .iter()
                .filter(|theirs| is_exception(theirs))
                .find_map(|theirs| theirs.cause.as_ref())
        };
        let error = match divergence.kind {
            DivergenceKind::ScriptExtra => divergence.cause.as_ref().or_else(thrown),
            DivergenceKind::SettledOtherwise if divergence.actual == "rejected" => {
                self.error_behind(event, divergence).or_else(thrown)
            }
            _ => self.error_behind(event, divergence),
        };
        if self.refused.instead_of(divergence, error).is_some() {
            return self.refused.key();
        }
        if let Some(error) = error {
            return key_of(error);
        }
        // What follows a lost page is that loss, which may have a reason of its own.
        if event.after_divergence
            && let Some(lost) = &self.lost
        {
            return lost.clone();
        }
        if is_lost_page(divergence)
            && let Some(key) = self.keys.get(&event.place.number)
        {
            return key.clone();
        }
        let earlier = self.keys.get(&event.place.number);
        if let Some(style_sheet) = self.unanswered.style_sheet_behind(divergence, earlier) {
            return style_sheet.clone();
        }
        // What ran in an event that went wrong, and so never came, is that event's.
        let origin = event.registered_by.and_then(|number| self.keys.get(&number));
        let behind = origin
            .or_else(|| self.unanswered.script_behind(event, divergence))
            .or_else(|| self.course.behind(divergence));
        let own = || self.never.key(divergence);
        let lacked = || divergence.lacks.as_ref().map(|api| format!("lacks {api}"));
        let behind = behind.cloned().or_else(lacked).or_else(own);
        behind.unwrap_or_else(|| format!("event {}", event.place.number))
    }

    fn error(&self, error: &PageError) -> Cause {
        Cause {
            text: format!("{} in {}", error.message, explain::named(&self.browser)),
            because: Because::Exception { error: error.clone() },
        }
    }

    fn cause(&self, event: &ReplayedEvent, divergence: &Divergence) -> Cause {
        let error = self.error_behind(event, divergence);
        match (self.refused.instead_of(divergence, error), error) {
            (Some(refusal), _) => self.of_itself(&refusal),
            (None, Some(error)) => self.error(error),
            (None, None) => self.of_itself(divergence),
        }
    }

    /// Nothing else is known to be behind it.
    fn of_itself(&self, divergence: &Divergence) -> Cause {
        Cause {
            text: match &divergence.lacks {
                Some(api) => format!("`{api}` is not supported by {}", explain::named(&self.browser)),
                None => format!("{}: {}", behaviour::title(divergence.kind), what_of(divergence)),
            },
            because: Because::Diverged {
                divergence: divergence.kind,
                expected: readable(divergence, &divergence.expected),
                actual: readable(divergence, &divergence.actual),
            },
        }
    }

    fn spot(&self, event: &ReplayedEvent, divergence: &Divergence, cause: Cause, key: String) -> Spot {
        let property = word(divergence.kind);
        Spot {
            raw: Raw {
                kind: Kind::Behaviour,
                reference: None,
                other: None,
                property: format!("{property} {}", divergence.expected),
                title: match &divergence.lacks {
                    Some(api) => format!("has no `{api}`"),
                    None => behaviour::title(divergence.kind).to_owned(),
                },
                confidence: if is_exception(divergence) { 0.97 } else { 0.9 },
                differences: vec![Difference {
                    property,
                    reference: readable(divergence, &divergence.expected),
                    other: readable(divergence, &divergence.actual),
                    selector: String::new(),
                }],
            },
            event: event_ref(event.place, self.replays[1]),
            place: event.place,
            load: None,
            selector: String::new(),
            xpath: String::new(),
            element: String::new(),
            above: Vec::new(),
            cause: Some(cause),
            cause_key: Some(key),
            sides: Default::default(),
            leads_to: None,
        }
    }

    /// A document shown lacks a script.
    pub(super) fn lacks_script(&mut self, load: LoadId, url: &str) {
        if let Some(script) = self.unanswered.lacks_script(load, url) {
            for open in &mut self.open {
                open.exception |= open.key == script.key;
            }
            self.thrown.get_or_insert(script);
        }
    }

    /// A difference in what the page made of an event follows from what the replay noticed in that event; one in how
    /// it looks does when an exception fell and the page's own rules do not explain it. Where the other browser did
    /// nothing at all (`idle`), a script that an exception ended before may be what is missing.
    pub(super) fn follow(&self, spot: &mut Spot, idle: bool) {
        // The same letters in another form were written by a formatter, whatever else went wrong; and who wrote what came of a
        // calculation did not throw.
        if matches!(spot.raw.property.as_str(), "text-format" | "text-result") {
            return;
        }
        let explained = spot.cause.is_some();
        let may_explain = |divergent: &&Divergent| match spot.raw.kind {
            Kind::Behaviour | Kind::Text => true,
            Kind::Structure | Kind::Visual => (divergent.exception || divergent.astray) && !explained,
        };
        let leads_on = |divergent: &&Divergent| !divergent.cause.because.leads_nowhere();
        let mut open = self.open.iter().filter(may_explain);
        let by = open.clone().find(leads_on).or_else(|| open.next());
        let earlier = self.thrown.as_ref().filter(|_| idle && !explained);
        if let Some(by) = by.or(earlier) {
            by.explain(spot);
            let behind = self
                .complaints
                .values()
                .filter(|complaint| key_of(&complaint.error) == by.key);
            behind.for_each(|complaint| complaint.matters.set(true));
        }
    }
}

impl Divergent {
    pub(super) fn explain(&self, spot: &mut Spot) {
        spot.cause = Some(self.cause.clone());
        spot.cause_key = Some(self.key.clone());
    }
}

fn key_of(error: &PageError) -> String {
    format!("exception {} {} {}", error.message, error.source, error.line)
}

fn is_lost_page(divergence: &Divergence) -> bool {
    matches!(
        divergence.kind,
        DivergenceKind::NavigationMissing | DivergenceKind::NavigationElsewhere
    )
}

fn is_exception(divergence: &Divergence) -> bool {
    divergence.kind == DivergenceKind::ExceptionOnlyHere
}

/// As the run's files write it.
fn word(kind: DivergenceKind) -> String {
    let written = serde_json::to_value(kind);
    let word = written.as_ref().ok().and_then(|word| word.as_str());
    word.map_or_else(|| format!("{kind:?}"), str::to_owned)
}
/// `GET URL` of a request that a document made and the recording does not have.
fn request_of(divergence: &Divergence) -> Option<String> {
    use DivergenceKind as D;
    let is_one = matches!(divergence.kind, D::RequestExtra | D::RequestDiffers);
    // `fetch GET URL`, perhaps with a body.
    let words: Vec<&str> = divergence.actual.split(' ').skip(1).take(2).collect();
    (is_one && words.len() == 2).then(|| words.join(" "))
}

/// What a divergence is about: of something that came without having been recorded, the recording says nothing.
fn what_of(divergence: &Divergence) -> String {
    use DivergenceKind as D;
    let text = match divergence.kind {
        D::TargetElsewhere => return format!("{} instead of {}", divergence.actual, divergence.expected),
        D::NotInTrace | D::RequestExtra | D::EventExtra | D::CallbackExtra | D::ScriptExtra | D::ExceptionOnlyHere => {
            &divergence.actual
        }
        _ => &divergence.expected,
    };
    readable(divergence, text)
}

/// A callback by its name or text, where the log has its hash: `timer remind` for `timer 1713cadfb2a71c`.
fn readable(divergence: &Divergence, text: &str) -> String {
    use DivergenceKind as D;
    let known = match divergence.kind {
        D::CallbackExtra => &divergence.actual,
        _ => &divergence.expected,
    };
    let hash = known.split(' ').nth(1).filter(|hash| !hash.is_empty());
    match (&divergence.callback, hash) {
        (Some(callback), Some(hash)) => text.replace(hash, callback),
        _ => text.to_owned(),
    }
}
