//! What a replay does, step by step, worked out from the trace before any browser is started.
//!
//! The trace's order says when everything happened. Here it is cut into what can be asked for at once: a run of events
//! that one document handles by itself, a gesture with the events that come of it, a document that has to be there, a
//! response that may arrive now, a moment to look at the page. Being pure, it is the same for every browser, so that
//! their checkpoints can be compared one by one.

mod consequences;
mod departing;
mod leaving;
mod modules;
mod scripts;
mod sheets;
mod step;

use super::classify::{
    Class, class_of, dom, enters_a_frame, is_passing, is_window_load, pixel_of, resized_to, same_run_of_input,
};
use super::modules::Graph;
use super::navigation::{Cause, asked_first, cause_of, is_step};
use consequences::{choosing, of_gesture, parting};
use leaving::{ASKING_BY_HAND_MS, look_before_leaving};
pub(super) use modules::is_module;
use std::collections::{HashMap, HashSet, VecDeque};
pub use step::Checkpoints;
pub(super) use step::{LateModules, Step};
use xcheck_trace::Trace;
use xcheck_trace::event::{Event, Load, LoadId, Outcome, What};
use xcheck_trace::exchange::ExchangeId;
use xcheck_trace::manifest::Viewport;

/// Internal events that are asked for at once. Bounded so that progress can be told and a deadline means something.
const LONGEST_RUN: usize = 64;

/// Internal events between two checkpoints, when nothing else calls for one.
const INTERVAL: usize = 25;

/// Come with the end of a document, if nothing else is left of it.
const FAREWELLS: [&str; 4] = ["visibilitychange", "change", "blur", "focusout"];

/// What stands on a page for so long, in milliseconds of the recording, has been seen.
const READABLE_MS: f64 = 500.0;

pub(super) struct Plan<'t> {
    pub(super) steps: Vec<Step<'t>>,
    /// Responses that wait for their step.
    pub(super) held: Vec<ExchangeId>,
    /// Responses that no browser is to keep, so that it asks for them again.
    pub(super) asked_again: Vec<ExchangeId>,
}

/// `imports` is what modules wait for, and `late_modules` what the engine does with those that come after the page is loaded.
pub(super) fn plan<'t>(
    trace: &'t Trace,
    checkpoints: Checkpoints,
    late_modules: LateModules,
    imports: &Graph,
) -> Plan<'t> {
    let mut loads: Vec<&Load> = trace.loads.iter().collect();
    loads.sort_by(|a, b| a.at.total_cmp(&b.at).then(a.load.cmp(&b.load)));
    let order = trace.order();
    // A page that is not loaded without its modules asks for them all then, one after the other.
    let modules = modules::due(
        trace,
        &order,
        (late_modules == LateModules::AsRecorded).then_some(imports),
    );
    let over_load = (late_modules == LateModules::AsTheyLike).then(|| modules::over_load(trace, &order, &modules));
    let mut making = Making {
        trace,
        checkpoints,
        steps: Vec::new(),
        held: Vec::new(),
        assigned: HashSet::new(),
        opened: HashSet::new(),
        since_checkpoint: 0,
        window: 0,
        last_gesture: None,
        pointer: None,
        interrupted: HashSet::new(),
        overtaken: HashSet::new(),
        again: scripts::asked_again(trace),
        again_pages: trace.pages_from_cache(),
        modules,
        sheets: sheets::due(trace),
        completes: match late_modules {
            LateModules::BeforeLoad => modules::completions(trace),
            LateModules::AsRecorded | LateModules::AsTheyLike => HashSet::new(),
        },
        departing: departing::due(trace, &order),
        departed: HashSet::new(),
        loaded: HashSet::new(),
        last_at: f64::INFINITY,
    };
    let mut index = 0;
    while index < order.len() {
        let event = order[index];
        making.let_pages_depart(index);
        making.let_sheets_come_before(event);
        making.look_if_it_stood_still(event);
        for load in &loads {
            if load.load == event.load || load.at <= event.at {
                making.open(load);
            }
        }
        making.let_modules_come(event.load, index);
        making.let_late_modules_come(event);
        index += making.event(&order[index..]);
    }
    making.let_pages_depart(order.len());
    for load in loads {
        making.open(load);
    }
    making.let_all_sheets_come();
    if let Some(last) = order.last() {
        making.let_modules_come(last.load, usize::MAX);
    }
    making.checkpoint();
    let mut held = making.held;
    if let Some(over_load) = over_load {
        held.retain(|exchange| !over_load.contains(exchange));
    }
    let scripts = making.again.values().flat_map(HashMap::values);
    let asked_again = scripts.chain(making.again_pages.keys()).copied().collect();
    Plan {
        steps: making.steps,
        held,
        asked_again,
    }
}

/// A request that came to nothing.
fn is_cut_off(what: &What) -> bool {
    match what {
        What::Settle { outcome, .. } => *outcome == Outcome::Rejected,
        What::Xhr { state, status, .. } => *state == 4 && *status == 0,
        _ => false,
    }
}

struct Making<'t> {
    trace: &'t Trace,
    checkpoints: Checkpoints,
    steps: Vec<Step<'t>>,
    held: Vec<ExchangeId>,
    assigned: HashSet<ExchangeId>,
    opened: HashSet<LoadId>,
    since_checkpoint: usize,
    window: u32,
    last_gesture: Option<&'t Event>,
    pointer: Option<(LoadId, f64, f64)>,
    /// Documents in which something ran since the parser's last script.
    interrupted: HashSet<LoadId>,
    /// Documents in which a script ran that came when it liked, since the last one with a place.
    overtaken: HashSet<LoadId>,
    /// By document and address, what the browser had already, and is to ask for again.
    again: HashMap<LoadId, HashMap<String, ExchangeId>>,
    /// Pages that the browser had already, and is to ask for again.
    again_pages: HashMap<ExchangeId, usize>,
    /// Modules that are still to come.
    modules: Vec<modules::Due>,
    /// Style sheets that are still to come, of pages that are loaded.
    sheets: VecDeque<sheets::Due>,
    /// Events before which a document waits for what it has asked for of these.
    completes: HashSet<(LoadId, u32)>,
    /// Pages that are still to be left for what is no page.
    departing: Vec<departing::Due>,
    /// Those that have been.
    departed: HashSet<LoadId>,
    /// Windows whose page is loaded: before that, waiting is the network's.
    loaded: HashSet<u32>,
    /// When the last event was.
    last_at: f64,
}

impl<'t> Making<'t> {
    fn open(&mut self, load: &'t Load) {
        if !self.opened.insert(load.load) {
            return;
        }
        if load.path.is_empty() {
            self.loaded.remove(&load.window);
        }
        if load.path.is_empty() && load.window == self.window {
            // How the page was when it was left.
            if self.asked_for_by_its_page(load) {
                self.since_checkpoint = 0;
            } else {
                self.checkpoint();
            }
            self.last_gesture = None;
        }
        if let Some(exchange) = load.exchange
            && self.assigned.insert(exchange)
        {
            self.held.push(exchange);
        }
        self.hold_again(load.load);
        self.steps.push(Step::Open(load));
        self.hold_page_again(load);
    }

    /// Plans the last look at the page that made this navigation, if one did.
    fn asked_for_by_its_page(&mut self, load: &'t Load) -> bool {
        let Some(exchange) = load.exchange.and_then(|exchange| self.trace.exchange(exchange)) else {
            return false;
        };
        let asked_at = if self.assigned.contains(&exchange.id) {
            // Nobody was asked. What a person has just done may have led there.
            let acted = self.last_gesture.filter(|last| load.at - last.at <= ASKING_BY_HAND_MS);
            acted
                .filter(|_| self.again_pages.contains_key(&exchange.id))
                .map(|last| last.at)
        } else {
            // A step in the history may be its doing, too.
            let may_ask = cause_of(self.trace, load, &HashMap::new()) == Cause::Page || is_step(self.trace, load);
            may_ask.then(|| asked_first(self.trace, exchange).started_ms)
        };
        let Some(asked_at) = asked_at.filter(|_| load.sequence > 0) else {
            return false;
        };
        let before = self.trace.loads.iter().find(|before| {
            before.window == load.window && before.path.is_empty() && before.sequence + 1 == load.sequence
        });
        let before = before.filter(|page| !self.departed.contains(&page.load));
        before.is_some_and(|page| look_before_leaving(&mut self.steps, page.load, page.window, asked_at))
    }

    /// Plans the first of these events, and says how many of them that took.
    fn event(&mut self, all: &[&'t Event]) -> usize {
        let [event, rest @ ..] = all else { return 0 };
        let event: &'t Event = event;
        match class_of(event) {
            _ if self.is_farewell(event) => self.leave(event),
            Class::Derived if let Some(count) = parting(all).or_else(|| choosing(all)) => {
                return self.gesture(&all[..count], all[count], &all[count + 1..]);
            }
            Class::Gesture => return self.gesture(&[], event, rest),
            Class::Derived if is_passing(event) => return self.passing(event, rest),
            Class::Leaving => self.leave(event),
            Class::Derived | Class::Internal => self.internal(event),
        }
        1
    }

    /// Elements that the pointer passes on its way are told so before the move itself.
    fn passing(&mut self, first: &'t Event, rest: &[&'t Event]) -> usize {
        let mut events = vec![first];
        for next in rest {
            let last = events[events.len() - 1];
            let is_one = is_passing(next) && next.load == first.load;
            if !is_one || (pixel_of(next) != pixel_of(last) && !enters_a_frame(last, next)) {
                break;
            }
            events.push(next);
        }
        let count = events.len();
        let rest = &rest[count - 1..];
        let moves = pixel_of(first) != self.pointer;
        // Which frame it came to is known by what it passed last.
        let place = pixel_of(events[count - 1]);
        match rest.first() {
            Some(next) if moves && class_of(next) == Class::Gesture && pixel_of(next) == place => {
                return self.gesture(&events, next, &rest[1..]);
            }
            _ => {}
        }
        self.pointer = place;
        self.steps.push(Step::Pass {
            load: first.load,
            events,
            moves,
        });
        self.ran(first, count);
        count
    }

    fn gesture(&mut self, before: &[&'t Event], gesture: &'t Event, rest: &[&'t Event]) -> usize {
        // A driver may turn the wheel elsewhere than where the pointer is, and leaves it there.
        if dom(gesture).is_none_or(|dom| dom.name != "wheel") {
            self.pointer = pixel_of(gesture).or(self.pointer);
        }
        if !self.last_gesture.is_some_and(|last| same_run_of_input(last, gesture)) {
            self.checkpoint();
        }
        let rest = self.before_the_window_goes(gesture, rest);
        let (of_it, thrown) = of_gesture(gesture, rest);
        let derived = [before, &of_it].concat();
        let count = 1 + derived.len() + thrown.len();
        self.steps.push(Step::Gesture {
            load: gesture.load,
            gesture,
            derived,
        });
        if !thrown.is_empty() {
            self.steps.push(Step::Run {
                load: gesture.load,
                events: thrown,
            });
        }
        self.last_gesture = Some(gesture);
        self.ran(gesture, count);
        count
    }

    fn internal(&mut self, event: &'t Event) {
        // Frames are resized by their page.
        if let Some(viewport) = resized_to(event).filter(|_| self.is_top_level(event.load)) {
            self.resize(event, viewport);
        }
        if let Some(exchange) = self.awaited_response(event) {
            self.steps.push(Step::Release(exchange));
        }
        match self.steps.last_mut() {
            Some(Step::Run { load, events }) if *load == event.load && events.len() < LONGEST_RUN => events.push(event),
            _ => self.steps.push(Step::Run {
                load: event.load,
                events: vec![event],
            }),
        }
        self.ran(event, 1);
        let loaded = is_window_load(event) && self.is_top_level(event.load);
        if loaded {
            self.loaded.insert(self.window);
        }
        if loaded || (self.since_checkpoint >= INTERVAL && !self.is_parsing(event)) {
            self.checkpoint();
        }
    }

    fn resize(&mut self, event: &'t Event, viewport: Viewport) {
        let window = self.trace.load(event.load).map_or(self.window, |load| load.window);
        // A corner that is dragged makes many sizes, and only the last one stays.
        if self.last_gesture.is_none_or(|last| resized_to(last).is_none()) {
            self.checkpoint();
        }
        self.last_gesture = Some(event);
        self.steps.push(Step::Resize { window, viewport });
    }

    /// A message that comes by a timer and goes by another one would not be looked at otherwise.
    fn look_if_it_stood_still(&mut self, next: &Event) {
        let stood_still = next.at - self.last_at >= READABLE_MS;
        if stood_still && class_of(next) == Class::Internal && self.loaded.contains(&self.window) {
            self.checkpoint();
        }
        self.last_at = next.at;
    }

    fn leave(&mut self, event: &'t Event) {
        match self.steps.last_mut() {
            Some(Step::Leave { events }) => events.push(event),
            _ => self.steps.push(Step::Leave { events: vec![event] }),
        }
    }

    fn ran(&mut self, event: &Event, count: usize) {
        self.since_checkpoint += count;
        self.window = self.trace.load(event.load).map_or(self.window, |load| load.window);
        if self.checkpoints == Checkpoints::EveryEvent {
            self.checkpoint();
        }
    }

    fn checkpoint(&mut self) {
        if self.since_checkpoint > 0 {
            self.since_checkpoint = 0;
            self.steps.push(Step::Checkpoint { window: self.window });
        }
    }

    /// A document that is left is hidden before, the field in it that has the focus loses it, and its window tells where
    /// it goes.
    fn is_farewell(&self, event: &Event) -> bool {
        let bids = |event: &Event| match &event.what {
            Some(What::Host { event: name, .. }) => name == "navigate" && self.is_followed(event.load),
            Some(what) if is_cut_off(what) => self.was_left_by(event),
            _ => dom(event).is_some_and(|dom| !dom.gesture && FAREWELLS.contains(&dom.name.as_str())),
        };
        let later = |other: &&Event| other.id > event.id;
        let last = |other: &Event| class_of(other) == Class::Leaving || bids(other);
        bids(event) && self.trace.events_of(event.load).iter().filter(later).all(last)
    }

    /// A field that has the focus when its window is closed loses it long after what was done last, and that is no consequence. A press has
    /// what comes of it before it ends.
    fn before_the_window_goes<'r>(&self, gesture: &Event, rest: &'r [&'t Event]) -> &'r [&'t Event] {
        let presses = dom(gesture).is_some_and(|dom| ["pointerdown", "keydown"].contains(&dom.name.as_str()));
        if presses || self.is_followed(gesture.load) {
            return rest;
        }
        let may_be_of_it = |event: &&&Event| event.load == gesture.load && class_of(event) == Class::Derived;
        let mut derived = rest.iter().take_while(may_be_of_it);
        let count = derived.position(|event| self.is_farewell(event));
        &rest[..count.unwrap_or(rest.len())]
    }

    /// Its successor had been asked for: the browser breaks off what the page still waits for.
    fn was_left_by(&self, event: &Event) -> bool {
        let asked = |load: &Load| Some(asked_first(self.trace, self.trace.exchange(load.exchange?)?).started_ms);
        self.followers(event.load)
            .any(|load| asked(load).is_some_and(|asked| asked <= event.at))
    }

    /// Another document came in its place.
    fn is_followed(&self, load: LoadId) -> bool {
        self.followers(load).next().is_some()
    }

    fn followers(&self, load: LoadId) -> impl Iterator<Item = &'t Load> {
        let of = self.trace.load(load);
        self.trace.loads.iter().filter(move |other| {
            of.is_some_and(|of| of.window == other.window && of.path == other.path && of.load < other.load)
        })
    }

    fn is_top_level(&self, load: LoadId) -> bool {
        self.trace.load(load).is_some_and(|load| load.path.is_empty())
    }
}

#[cfg(test)]
mod tests;
