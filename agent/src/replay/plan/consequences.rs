//! What comes of a gesture, and what comes before one that it belongs to.

use super::super::classify::{Class, class_of, dom, frame_of, is_passing, is_touch, tag, tells_of_window};
use xcheck_trace::event::{DomEvent, Event, What};

/// What a field brings that loses the focus.
const PARTING: [&str; 3] = ["change", "blur", "focusout"];

/// What a field tells before it has the text.
const HERALDS: [&str; 2] = ["beforeinput", "textInput"];

/// What comes of a gesture among the events that follow it, and what else happened meanwhile: what a listener threw, and that another
/// window of the same document has the focus now.
pub(super) fn of_gesture<'t>(gesture: &Event, rest: &[&'t Event]) -> (Vec<&'t Event>, Vec<&'t Event>) {
    // A move passes what it passes first. After it, the page has moved; but fingers go away when they let go.
    let comes_of_it = |event: &Event| {
        let same_document = event.load == gesture.load;
        same_document && class_of(event) == Class::Derived && (!is_passing(event) || is_touch(gesture))
    };
    // What a listener throws meanwhile keeps nothing from coming.
    let is_thrown = |event: &Event| event.load == gesture.load && matches!(event.what, Some(What::Error(_)));
    let mut of_it = 0;
    let mut at = 0;
    while let Some(event) = rest.get(at) {
        if comes_of_it(event) {
            at += 1;
            of_it = at;
        } else if is_thrown(event) {
            at += 1;
        } else if let Some(count) = led_into_a_frame(&rest[at..]).filter(|_| event.load == gesture.load) {
            at += count;
        } else {
            break;
        }
    }
    // What a field brings that loses the focus comes of what takes it. A list that is not opened is chosen from by keys, or its options are
    // on the page itself.
    let chooses = dom(gesture).is_some_and(|dom| dom.name.starts_with("key") || tag(&dom.target) == Some("option"));
    let of_another = |count: &usize| {
        let rest = &rest[*count..];
        parting(rest).is_some() || (!chooses && choosing(rest).is_some())
    };
    let of_it = (0..of_it).find(of_another).unwrap_or(of_it);
    rest[..of_it].iter().partition(|event| comes_of_it(event))
}

/// How many events from the first on tell that a window of a document has lost the focus to that of one of its frames without a network,
/// or the other way round: no affair of the desktop's.
fn led_into_a_frame(events: &[&Event]) -> Option<usize> {
    let first = events.first()?;
    let tellings = events.iter().map_while(|event| {
        let dom = dom(event).filter(|dom| event.load == first.load && tells_of_window(dom))?;
        Some((dom.name.as_str(), frame_of(event)))
    });
    let tellings: Vec<_> = tellings.collect();
    // Of some windows the page may hear nothing.
    let has = |name: &str, frame| tellings.contains(&(name, frame));
    let leaves_a_frame = tellings.iter().any(|(name, frame)| *name == "blur" && frame.is_some());
    let is_led = match tellings.iter().rfind(|(name, _)| *name == "focus") {
        Some((_, Some(frame))) => !has("blur", Some(*frame)),
        _ => leaves_a_frame,
    };
    is_led.then_some(tellings.len())
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
