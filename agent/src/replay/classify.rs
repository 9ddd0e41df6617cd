//! What kind of step an event is.

use super::conditions::viewport_from;
use serde_json::Value;
use xcheck_trace::Trace;
use xcheck_trace::event::{DomEvent, Event, LoadId, Target, What};
use xcheck_trace::manifest::Viewport;

/// In a path, where it goes into a frame.
const INTO_FRAME: &str = ">#frame";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// A person's doing: given by real input.
    Gesture,
    /// Comes of a gesture, if it follows one.
    Derived,
    /// Comes when a document is left: nobody can be asked for it.
    Leaving,
    Internal,
}

/// Events that the browser brings in its own time, also after a gesture: they are awaited one by one.
const OWN_TIME: [&str; 32] = [
    "readystatechange",
    "DOMContentLoaded",
    "load",
    "error",
    "abort",
    "pageshow",
    "hashchange",
    "popstate",
    "message",
    "messageerror",
    "storage",
    "scroll",
    "scrollend",
    "resize",
    "selectionchange",
    "progress",
    "timeupdate",
    "transitionrun",
    "transitionstart",
    "transitionend",
    "transitioncancel",
    "animationstart",
    "animationiteration",
    "animationend",
    "animationcancel",
    "beginEvent",
    "endEvent",
    "repeatEvent",
    "online",
    "offline",
    "securitypolicyviolation",
    "visibilitychange",
];

/// The pointer comes over an element or leaves it: by a move, or because the page moves below it.
const PASSING: [&str; 8] = [
    "pointerover",
    "pointerout",
    "pointerenter",
    "pointerleave",
    "mouseover",
    "mouseout",
    "mouseenter",
    "mouseleave",
];

const LEAVING: [&str; 3] = ["beforeunload", "pagehide", "unload"];

pub(crate) fn class_of(event: &Event) -> Class {
    match dom(event) {
        // By the window, not by a hand in it; its page hears of it in its own time.
        Some(dom) if dom.gesture && dom.name != "resize" => Class::Gesture,
        Some(dom) if LEAVING.contains(&dom.name.as_str()) => Class::Leaving,
        Some(dom) if tells_of_window(dom) => Class::Internal,
        Some(dom) if !OWN_TIME.contains(&dom.name.as_str()) => Class::Derived,
        _ => Class::Internal,
    }
}

/// Which window a person works in is the desktop's affair, and may be told long after what was done last.
pub(super) fn tells_of_window(dom: &DomEvent) -> bool {
    ["focus", "blur"].contains(&dom.name.as_str()) && dom.target.object.as_deref() != Some("node")
}

pub(super) fn is_passing(event: &Event) -> bool {
    dom(event).is_some_and(|dom| PASSING.contains(&dom.name.as_str()))
}

/// What one move passes is told of within so many milliseconds.
const ONE_PASSING_MS: f64 = 20.0;

/// Whether one move passes from a document into one of its frames without a network: these have pixels of their own. What it leaves
/// there is told before it is given, as when the page has moved.
pub(super) fn enters_a_frame(before: &Event, after: &Event) -> bool {
    let depth = |event: &Event| frame_of(event).map_or(0, str::len);
    depth(after) > depth(before) && after.at - before.at < ONE_PASSING_MS
}

/// No key has this code.
const MOUSE: &str = "mouse";

/// The path of the frame, in its document's log, whose element this is.
pub(super) fn frame_of(event: &Event) -> Option<&str> {
    let path = dom(event)?.target.path.as_deref()?;
    path.rsplit_once(INTO_FRAME).map(|(frame, _)| frame)
}

/// Whether a key goes up that no page heard going down: it did so in a window of the browser's own, such as that of a list. Or a
/// button whose drag has ended: it was let go when that took the pointer. No driver lets go of what it does not hold.
pub(super) fn is_let_go_alone(trace: &Trace, event: &Event) -> bool {
    let Some((false, held)) = turn(event).filter(|_| dom(event).is_some_and(|dom| dom.name != "pointercancel")) else {
        return false;
    };
    let is_before = |other: &&Event| match other.load == event.load {
        true => other.id < event.id,
        false => other.at < event.at,
    };
    let earlier = trace.events.iter().filter(is_before);
    let same = earlier.filter_map(|other| Some((other.at, turn(other).filter(|(_, other)| *other == held)?.0)));
    let last = same.max_by(|(one, _), (other, _)| one.total_cmp(other));
    !matches!(last, Some((_, true)))
}

/// Whether a key or the mouse goes down, and which.
fn turn(event: &Event) -> Option<(bool, &str)> {
    let dom = dom(event).filter(|dom| dom.gesture)?;
    match dom.name.as_str() {
        name @ ("keydown" | "keyup") => Some((name == "keydown", dom.data.get("code")?.as_str()?)),
        name @ ("pointerdown" | "pointerup" | "pointercancel") if !is_touch(event) => {
            Some((name == "pointerdown", MOUSE))
        }
        _ => None,
    }
}

pub(super) fn is_touch(event: &Event) -> bool {
    dom(event).is_some_and(|dom| dom.data.get("pointer").is_some_and(|kind| kind == "touch"))
}

/// Where the pointer was in its document's viewport.
pub(crate) fn place_of(event: &Event) -> Option<(LoadId, f64, f64)> {
    let data = &dom(event)?.data;
    Some((event.load, data.get("x")?.as_f64()?, data.get("y")?.as_f64()?))
}

/// The pixel in which the pointer is: a pointer's event tells of fractions, and a mouse's of the same move does not.
pub(crate) fn pixel_of(event: &Event) -> Option<(LoadId, f64, f64)> {
    place_of(event).map(|(load, x, y)| (load, x.floor(), y.floor()))
}

pub(crate) fn dom(event: &Event) -> Option<&DomEvent> {
    match &event.what {
        Some(What::Dom(dom)) => Some(dom),
        _ => None,
    }
}

/// How large the person made the window.
pub(super) fn resized_to(event: &Event) -> Option<Viewport> {
    // Frames without a network belong to their page's document, and say where they are in it.
    let own = |dom: &&DomEvent| dom.gesture && dom.name == "resize" && dom.target.path.is_none();
    let dom = dom(event).filter(own)?;
    let side = |index: usize| dom.data.get("size")?.get(index)?.as_f64();
    viewport_from([side(0)?, side(1)?])
}

pub(super) fn is_window_load(event: &Event) -> bool {
    dom(event).is_some_and(|dom| dom.name == "load" && dom.target.object.as_deref() == Some("window"))
}

/// What a person presses and then looks at what comes of it.
const DECISIVE: [&str; 3] = ["Enter", "Escape", "Tab"];

/// Typing is one run, up to a key that leads on, and so is one press of a button with the way to and from it, or two
/// for a double click.
pub(crate) fn same_run_of_input(last: &Event, next: &Event) -> bool {
    let (Some(last), Some(next)) = (dom(last), dom(next)) else {
        return false;
    };
    let is_key = |dom: &DomEvent| dom.name.starts_with("key");
    if is_key(last) && is_key(next) {
        let key = last.data.get("key").and_then(Value::as_str);
        return next.name != "keydown" || !key.is_some_and(|key| DECISIVE.contains(&key));
    }
    if last.name == "pointerup" && is_second_press(next) {
        return true;
    }
    matches!(
        (last.name.as_str(), next.name.as_str()),
        ("pointerdown", "pointermove" | "pointerup" | "pointercancel" | "change")
            | ("pointermove", "pointermove" | "pointerup" | "pointercancel")
            | ("wheel", "wheel")
    )
}

/// Of a double click.
pub(super) fn is_second_press(dom: &DomEvent) -> bool {
    let clicks = dom.data.get("clicks").and_then(Value::as_f64);
    dom.name == "pointerdown" && clicks.is_some_and(|clicks| clicks >= 2.0)
}

/// The element's name, as its path has it.
pub(super) fn tag(target: &Target) -> Option<&str> {
    target.path.as_deref()?.rsplit('>').next()?.split(':').next()
}

/// Whether it is in a frame without a network, which belongs to its page's document, or is its window.
pub(super) fn is_in_frame(target: &Target) -> bool {
    target.path.as_deref().is_some_and(|path| path.contains(INTO_FRAME))
}
