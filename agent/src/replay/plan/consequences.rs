//! What comes of a gesture, and what comes before one that it belongs to.

use super::super::classify::{Class, class_of, dom, is_passing, is_touch, tag};
use xcheck_trace::event::{DomEvent, Event, What};

/// What a field brings that loses the focus.
const PARTING: [&str; 3] = ["change", "blur", "focusout"];

/// What a field tells before it has the text.
const HERALDS: [&str; 2] = ["beforeinput", "textInput"];

/// What comes of a gesture among the events that follow it, and what was thrown meanwhile.
pub(super) fn of_gesture<'t>(gesture: &Event, rest: &[&'t Event]) -> (Vec<&'t Event>, Vec<&'t Event>) {
    // A move passes what it passes first. After it, the page has moved; but fingers go away when they let go.
    let comes_of_it = |event: &&&Event| {
        let same_document = event.load == gesture.load;
        same_document && class_of(event) == Class::Derived && (!is_passing(event) || is_touch(gesture))
    };
    // What a listener throws meanwhile keeps nothing from coming.
    let is_thrown = |event: &&&Event| event.load == gesture.load && matches!(event.what, Some(What::Error(_)));
    let taken = rest.iter().take_while(|event| comes_of_it(event) || is_thrown(event));
    let last = taken.enumerate().filter(|(_, event)| comes_of_it(event)).last();
    let of_it = last.map_or(0, |(at, _)| at + 1);
    // What a field brings that loses the focus comes of what takes it. A list that is not opened is chosen from by keys.
    let by_key = dom(gesture).is_some_and(|dom| dom.name.starts_with("key"));
    let of_another = |count: &usize| {
        let rest = &rest[*count..];
        parting(rest).is_some() || (!by_key && choosing(rest).is_some())
    };
    let of_it = (0..of_it).find(of_another).unwrap_or(of_it);
    rest[..of_it].iter().partition(|event| !is_thrown(event))
}

/// How many events from the first on come of what follows them and was done by other means than a press: the field that
/// had the focus loses it, and says that it has changed; and text is announced before it is in.
pub(super) fn parting(events: &[&Event]) -> Option<usize> {
    let loses = |dom: &DomEvent| PARTING.contains(&dom.name.as_str()) && !changed_at_once(dom);
    let announces = |dom: &DomEvent| HERALDS.contains(&dom.name.as_str());
    before(events, "focus", loses).or_else(|| before(events, "input", announces))
}

/// How many events from the first on a list tells of what is chosen in its window, before it has changed.
pub(super) fn choosing(events: &[&Event]) -> Option<usize> {
    before(events, "change", |dom| {
        dom.name == "input" && tag(&dom.target) == Some("select")
    })
}

/// How many of these there are from the first on, if this gesture follows them.
fn before(events: &[&Event], gesture: &str, is_one: impl Fn(&DomEvent) -> bool) -> Option<usize> {
    let first = events.first()?;
    let comes_before =
        |event: &&&Event| event.load == first.load && dom(event).is_some_and(|dom| !dom.gesture && is_one(dom));
    let count = events.iter().take_while(comes_before).count();
    let next = events.get(count).filter(|next| next.load == first.load)?;
    let is_it = dom(next).is_some_and(|dom| dom.gesture && dom.name == gesture);
    (count > 0 && is_it).then_some(count)
}

/// What is chosen has changed when it is chosen; what is typed, when the field is left.
fn changed_at_once(dom: &DomEvent) -> bool {
    const CHOSEN: [&str; 5] = ["radio", "checkbox", "range", "color", "file"];
    let field_type = dom.target.field_type.as_deref().unwrap_or_default();
    dom.name == "change" && (CHOSEN.contains(&field_type) || tag(&dom.target) == Some("select"))
}
