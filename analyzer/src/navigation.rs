//! Transitions that only one browser makes, as findings: CrossCheck's Algorithm 2.
//!
//! A transition that is missing shows in the pages, too: what should have come is not there. And often the element that
//! should have led on looks wrong itself. All of that is one thing to fix. So a transition is told with what was found
//! while it should have happened, and with what was found on its element, above or below it; it is a finding of its own
//! only where nothing speaks for it yet.

use crate::cluster;
use crate::compare::Options;
use crate::findings::{Because, BrowserResult, Cause, Difference, EventRef, Ignored, Kind, Occurrence, Xbi};
use crate::ignore;
use crate::structure::presence;
use xcheck_trace::run::Place;

/// What one element should lead to and does not, or the other way round.
#[derive(Debug, Clone, PartialEq)]
pub struct Departure {
    pub kind: Departed,
    /// What was done first: its event in the trace.
    pub event: EventRef,
    /// `click #lunch`
    pub label: String,
    pub selector: String,
    /// `html>body>div:2>img:1`; empty where the element is not known.
    pub path: String,
    /// First and last event of each time it was done.
    pub spans: Vec<(u32, u32)>,
    /// The transitions, and the states that are never come to.
    pub differences: Vec<Difference>,
    pub occurrences: Vec<Occurrence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Departed {
    Missing,
    Extra,
    /// It leads to another state.
    Elsewhere,
    /// To one that was shown before.
    Back,
}

impl Departed {
    fn title(self) -> &'static str {
        match self {
            Departed::Missing => "leads nowhere",
            Departed::Extra => "leads on, and should not",
            Departed::Elsewhere => "leads to another state",
            Departed::Back => "leads back to an earlier state",
        }
    }

    fn property(self) -> &'static str {
        match self {
            Departed::Missing => "transition-missing",
            Departed::Extra => "transition-extra",
            Departed::Elsewhere | Departed::Back => "transition-elsewhere",
        }
    }
}

/// Tells them with the findings they belong to, or as findings of their own. Rules of the person's are about findings as they
/// are told, so that what they took out before is put together with the others first. What stays alone stays as it was.
pub fn take_in(result: &mut BrowserResult, departures: Vec<Departure>, options: &Options) {
    if departures.is_empty() {
        return;
    }
    let mut told = std::mem::take(&mut result.xbis);
    let mut ignored = std::mem::take(&mut result.ignored);
    for departure in departures {
        let (mut mine, others): (Vec<Xbi>, Vec<Xbi>) = told.into_iter().partition(|xbi| belongs(xbi, &departure));
        let (mine_too, alone): (Vec<Ignored>, Vec<Ignored>) = ignored
            .into_iter()
            .partition(|ignored| belongs(&ignored.xbi, &departure));
        mine.extend(mine_too.into_iter().map(|ignored| ignored.xbi));
        let (xbi, apart) = merged(mine, departure);
        (told, ignored) = (others, alone);
        told.push(xbi);
        told.extend(apart);
    }
    cluster::in_order(&mut told);
    let (xbis, by_rules) = ignore::split(told, &options.ignore, &result.browser);
    ignored.extend(by_rules);
    ignored.sort_by(|a, b| cluster::order(&a.xbi).cmp(&cluster::order(&b.xbi)));
    (result.xbis, result.ignored) = (xbis, ignored);
}

/// Whether a finding is of a transition that was taken there.
pub fn tells_of(xbi: &Xbi, place: Place) -> bool {
    let is_transition = |difference: &Difference| difference.property.starts_with("transition-");
    xbi.differences.iter().any(is_transition) && xbi.occurrences.iter().any(|occurrence| occurrence.place == place)
}

/// Whether a finding is that elements are shown in one browser only. What a state shows is what it is, so that one that is
/// another for this has been told of.
pub fn is_of_what_is_shown(xbi: &Xbi) -> bool {
    xbi.kind == Kind::Structure && presence::is_all_of(&xbi.differences)
}

/// What speaks for all: behaviour that has a reason, else behaviour, else the transition itself. Behaviour that has
/// another reason stays apart.
fn merged(mut mine: Vec<Xbi>, departure: Departure) -> (Xbi, Vec<Xbi>) {
    mine.sort_by_key(|xbi| {
        let began_before = !begins_in(xbi, &departure);
        (
            xbi.kind != Kind::Behaviour,
            !is_explained(xbi),
            began_before,
            xbi.event.number,
        )
    });
    let mut rest = mine.into_iter().peekable();
    let mut xbi = match rest.next_if(|first| first.kind == Kind::Behaviour) {
        Some(mut first) => {
            tell(&mut first, departure);
            first
        }
        None => own(departure, rest.peek()),
    };
    let (apart, together): (Vec<Xbi>, Vec<Xbi>) =
        rest.partition(|more| more.kind == Kind::Behaviour && is_explained(more));
    for more in together {
        cluster::merge(&mut xbi, more);
    }
    (xbi, apart)
}

/// Where the element is not known, or is there no more, what shows it speaks for its place.
fn own(departure: Departure, shows: Option<&Xbi>) -> Xbi {
    let (selector, xpath) = match shows {
        Some(shows) if departure.selector.is_empty() => (shows.selector.clone(), shows.xpath.clone()),
        _ => (departure.selector.clone(), xpath(&departure.path)),
    };
    Xbi {
        id: cluster::id(
            Kind::Behaviour,
            &departure.event.label,
            &departure.selector,
            departure.kind.property(),
        ),
        kind: Kind::Behaviour,
        title: format!("{} {}", departure.label, departure.kind.title()),
        event: departure.event,
        xpath,
        element: String::new(),
        selector,
        confidence: 0.9,
        cause: None,
        differences: departure.differences,
        occurrences: departure.occurrences,
    }
}

fn tell(xbi: &mut Xbi, departure: Departure) {
    let is_new = |difference: &Difference| !xbi.differences.contains(difference);
    let new: Vec<Difference> = departure.differences.into_iter().filter(is_new).collect();
    xbi.differences.extend(new);
    if xbi.selector.is_empty() {
        xbi.selector = departure.selector;
        xbi.xpath = xpath(&departure.path);
    }
    let is_new = |occurrence: &Occurrence| xbi.occurrences.iter().all(|known| known.place != occurrence.place);
    let new: Vec<Occurrence> = departure.occurrences.into_iter().filter(is_new).collect();
    xbi.occurrences.extend(new);
    xbi.occurrences.sort_by_key(|occurrence| occurrence.place);
}

fn belongs(xbi: &Xbi, departure: &Departure) -> bool {
    let follows = match (departure.kind, xbi.kind) {
        (_, Kind::Behaviour) => true,
        // One of the two did nothing at all, or took back what was done: what differs from then on is what the other one did.
        (Departed::Missing | Departed::Extra | Departed::Back, _) => !is_explained(xbi) || only_says_what(xbi),
        // Both did something, and that reads or looks in one way or another for reasons of its own.
        (Departed::Elsewhere, _) => false,
    };
    follows && happens_in(xbi, departure) || is_of_the_same_input(xbi, departure) || is_on(xbi, departure)
}

/// What the replay missed when the same was done to the same element another time.
fn is_of_the_same_input(xbi: &Xbi, departure: &Departure) -> bool {
    let target = |event: &EventRef| event.label.split_once(" on ").map(|(_, target)| target.to_owned());
    xbi.kind == Kind::Behaviour
        && !is_explained(xbi)
        && target(&xbi.event).is_some_and(|known| Some(known) == target(&departure.event))
}

/// What went wrong before shows now: a script that ended early has left nobody to listen.
fn happens_in(xbi: &Xbi, departure: &Departure) -> bool {
    let shows_in = |occurrence: &Occurrence| is_in(occurrence.place.number, departure);
    begins_in(xbi, departure) || xbi.kind == Kind::Behaviour && xbi.occurrences.iter().any(shows_in)
}

fn begins_in(xbi: &Xbi, departure: &Departure) -> bool {
    is_in(xbi.event.number, departure)
}

fn is_in(number: u32, departure: &Departure) -> bool {
    let mut spans = departure.spans.iter();
    spans.any(|(first, last)| (*first..=*last).contains(&number))
}

fn is_explained(xbi: &Xbi) -> bool {
    let because = xbi.cause.as_ref().map(|Cause { because, .. }| because);
    because.is_some_and(|because| !matches!(because, Because::Diverged { .. }))
}

fn only_says_what(xbi: &Xbi) -> bool {
    xbi.cause.as_ref().is_some_and(|cause| !cause.because.says_why())
}

/// On the element, above it or below it, when it was to lead on or before.
fn is_on(xbi: &Xbi, departure: &Departure) -> bool {
    if departure.path.is_empty() || xbi.xpath.is_empty() {
        return false;
    }
    let (element, concerned) = (steps_of_path(&departure.path), steps_of_xpath(&xbi.xpath));
    // The whole page is above everything, and no reason for anything.
    let is_near = concerned.len() + 1 >= element.len() && concerned.len() <= element.len() + 1;
    let was_there = departure.spans.iter().any(|(first, _)| xbi.event.number <= *first);
    is_near && was_there && (element.starts_with(&concerned) || concerned.starts_with(&element))
}

fn steps_of_path(path: &str) -> Vec<(String, u32)> {
    let steps = path.split('>').map(|step| match step.split_once(':') {
        Some((tag, number)) => (tag.to_owned(), number.parse().unwrap_or(1)),
        None => (step.to_owned(), 1),
    });
    steps.collect()
}

fn steps_of_xpath(xpath: &str) -> Vec<(String, u32)> {
    let steps =
        xpath
            .split('/')
            .filter(|step| !step.is_empty())
            .map(|step| match step.trim_end_matches(']').split_once('[') {
                Some((tag, number)) => (tag.to_owned(), number.parse().unwrap_or(1)),
                None => (step.to_owned(), 1),
            });
    steps.collect()
}

fn xpath(path: &str) -> String {
    let steps = steps_of_path(path).into_iter().map(|(tag, number)| match number {
        1 => tag,
        number => format!("{tag}[{number}]"),
    });
    match path.is_empty() {
        true => String::new(),
        false => format!("/{}", steps.collect::<Vec<_>>().join("/")),
    }
}

#[cfg(test)]
mod tests;
