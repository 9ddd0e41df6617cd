//! Events that a hand brings about, by how their names begin.

const BY_HAND: [&str; 16] = [
    "pointer",
    "mouse",
    "click",
    "dblclick",
    "auxclick",
    "contextmenu",
    "wheel",
    "key",
    "input",
    "beforeinput",
    "change",
    "submit",
    "focus",
    "blur",
    "drag",
    "touch",
];

/// `event` is its name, or how a person would call it: `click on #save`.
pub(crate) fn is_of_a_hand(event: &str) -> bool {
    BY_HAND.iter().any(|name| event.starts_with(name))
}
