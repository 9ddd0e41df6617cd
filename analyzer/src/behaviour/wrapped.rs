//! Words that stand in an element of their own in one browser: `b` or `span`, as editors make them. Nobody sees that, unless they look
//! otherwise for it.

use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene};
use crate::state::Document;
use crate::style::same;
use crate::text::collapsed;
use crate::visual::spoken;
use xcheck_trace::page::{Node, NodeId};

/// What words have of what they stand in.
const LOOKS: [&str; 4] = ["font-size", "font-weight", "font-style", "color"];

/// Bytes of a text by which it is known within a longer one.
const TELLING: usize = 4;

/// So many nodes are looked at for the words.
const NODES: usize = 256;

/// `wrap` is in the reference alone, and stands there in what is matched with `around`.
pub(super) fn of_reference(scene: &Scene<'_>, wrap: &Node, around: NodeId) -> Option<Raw> {
    let (document, other) = (scene.reference(), scene.other());
    raw(
        scene,
        holders(document, wrap.id, other, around).map(|(a, b)| Pair { a, b }),
    )
}

/// The same, where it is in the other browser alone.
pub(super) fn of_other(scene: &Scene<'_>, wrap: &Node, around: NodeId) -> Option<Raw> {
    let (document, other) = (scene.other(), scene.reference());
    raw(
        scene,
        holders(document, wrap.id, other, around).map(|(b, a)| Pair { a, b }),
    )
}

fn raw<'a>(scene: &Scene<'a>, mut holders: impl Iterator<Item = Pair<'a>>) -> Option<Raw> {
    holders.find_map(|pair| {
        let told: Vec<(&str, (&str, &str))> = LOOKS
            .iter()
            .map(|property| (*property, scene.computed(pair, property)))
            .filter(|(_, (a, b))| !same(a, b, scene.tolerances))
            .collect();
        let (first, _) = told.first()?;
        let raw = Raw::at(pair, Kind::Visual, *first, format!("has words of another `{first}`"));
        Some(told.iter().fold(raw, |raw, (property, (a, b))| {
            raw.differs(property, spoken(a), spoken(b))
        }))
    })
}

/// What the words within `wrap` stand in, here and where they stand within `around` in the other document.
fn holders<'a>(
    document: &'a Document,
    wrap: NodeId,
    other: &'a Document,
    around: NodeId,
) -> impl Iterator<Item = (&'a Node, &'a Node)> {
    let theirs: Vec<(String, &Node)> = words(other, around).collect();
    words(document, wrap).filter_map(move |(said, holder)| {
        let is_part = |part: &str, whole: &str| part.len() >= TELLING && whole.contains(part);
        let says = |(text, _): &&(String, &Node)| *text == said || is_part(&said, text) || is_part(text, &said);
        theirs.iter().find(says).map(|(_, there)| (holder, *there))
    })
}

/// Texts that say something, and what each stands in.
fn words(document: &Document, within: NodeId) -> impl Iterator<Item = (String, &Node)> {
    let texts = document.texts_within(within, NODES).filter(|(text, _)| text.visible);
    let said = texts.map(|(text, holder)| (collapsed(&text.text).trim().to_owned(), holder));
    said.filter(|(said, _)| !said.is_empty())
}
