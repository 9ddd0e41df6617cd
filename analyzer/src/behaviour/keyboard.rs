//! Where what is typed goes: a field that has the focus in one browser, and not in the other.

use crate::findings::Kind;
use crate::locator::tag;
use crate::scene::{Raw, Scene};
use crate::state::{Document, attribute};
use crate::structure::shown;
use xcheck_trace::page::{Node, NodeId};

/// Inputs that take no words.
const UNTYPED: [&str; 10] = [
    "button", "checkbox", "color", "file", "hidden", "image", "radio", "range", "reset", "submit",
];

/// A field that is not shown in one of them, or not there, is missed for that. Whether a button has the focus that a
/// person has just pressed is each engine's own affair.
pub(super) fn elsewhere(scene: &Scene<'_>) -> Option<Raw> {
    let (here, there) = (scene.reference().focused, scene.other().focused);
    let lost = here.filter(|&id| scene.matches.other(id) != there);
    let gained = there
        .and_then(|id| scene.matches.reference(id))
        .filter(|&id| here != Some(id));
    let field = |id: Option<NodeId>| {
        let pair = scene.pair(id?)?;
        (takes_words(pair.a) && shown(pair.a) && shown(pair.b)).then_some(pair)
    };
    let (pair, title) = match (field(lost), field(gained)) {
        (Some(pair), _) => (pair, "does not have the focus"),
        (None, Some(pair)) => (pair, "has the focus, and should not"),
        (None, None) => return None,
    };
    let named = |document: &Document, id: Option<NodeId>| {
        let focused = id.and_then(|id| document.node(id));
        focused.map_or_else(|| "nothing".to_owned(), tag)
    };
    let raw = Raw::at(pair, Kind::Behaviour, "focused", title).sure(0.8);
    Some(raw.differs("focused", named(scene.reference(), here), named(scene.other(), there)))
}

fn takes_words(node: &Node) -> bool {
    match node.tag.as_str() {
        "textarea" => true,
        "input" => !attribute(node, "type").is_some_and(|kind| UNTYPED.contains(&&*kind.to_ascii_lowercase())),
        _ => attribute(node, "contenteditable").is_some_and(|value| value != "false"),
    }
}
