//! Whether other boxes lie over a box in one browser than in the other. What they show is then in its picture, and
//! is said where they stand.

use crate::scene::{Pair, Scene};
use crate::state::{Document, Rect, is_text};
use crate::structure::{Role, paints, role, shown};
use std::collections::{BTreeMap, BTreeSet};
use xcheck_trace::page::{Node, NodeId};

/// Boxes touch at their edges, and shadows reach over them.
const TOUCH: f32 = 3.0;

/// By how much what is nearer is larger, at least.
const NEARER: f32 = 1.2;

/// By how much a cover may stand elsewhere.
const MOVED: f32 = 1.5;

/// How far a shadow, an outline or a filter reaches around its box.
pub(super) const GLOW: f32 = 14.0;

pub(super) fn differently(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let here: BTreeSet<Option<NodeId>> = over(scene.reference(), pair.a).map(|node| Some(node.id)).collect();
    let there: BTreeSet<Option<NodeId>> = over(scene.other(), pair.b)
        .map(|node| scene.matches.reference(node.id))
        .collect();
    here != there
}

/// Whether what lies over a part of it, or throws a shadow there, covers more of it or another part in one browser; or what lies
/// below it, where that is seen through it.
pub(super) fn elsewhere(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let covers = |document: &Document, node: &Node, known: &dyn Fn(NodeId) -> Option<NodeId>| {
        let whole = Rect::of(node);
        let reach = |other: &Node| match document.computed(other, "box-shadow") {
            "" | "none" => Rect::of(other),
            _ => Rect::of(other).inset(-GLOW),
        };
        let over = reaching(document, node, 0.0, &reach);
        let over: Vec<&Node> = match is_opaque(document, node) {
            true => later(document, node, over).collect(),
            false => over.collect(),
        };
        let covers = over
            .into_iter()
            .map(|other| (known(other.id), reach(other).within(&whole)));
        covers.collect::<BTreeMap<Option<NodeId>, [f32; 4]>>()
    };
    let here = covers(scene.reference(), pair.a, &Some);
    let there = covers(scene.other(), pair.b, &|id| scene.matches.reference(id));
    let alike = |(here, there): (&[f32; 4], &[f32; 4])| here.iter().zip(there).all(|(a, b)| (a - b).abs() <= MOVED);
    !here.keys().eq(there.keys()) || !here.values().zip(there.values()).all(alike) || is_veiled_otherwise(scene, pair)
}

/// A modal dialog veils everything but itself, and lies elsewhere.
fn is_veiled_otherwise(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let veils = |document: &Document, node: &Node, known: &dyn Fn(NodeId) -> Option<NodeId>| {
        let kin = document.kin(node.id);
        let all = document.all().into_iter().filter(|id| !kin.contains(id));
        let modal = all
            .filter_map(|id| document.node(id))
            .filter(|other| other.tag == "dialog" && shown(other) && document.computed(other, "position") == "fixed");
        modal.map(|other| known(other.id)).collect::<BTreeSet<Option<NodeId>>>()
    };
    veils(scene.reference(), pair.a, &Some) != veils(scene.other(), pair.b, &|id| scene.matches.reference(id))
}

/// Whether nothing of it is seen, for something opaque lies over all of it in both browsers: a menu that is open, a dialog. All of a
/// box that paints nothing is its words.
pub(super) fn wholly(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let wholly = |document: &Document, node: &Node| {
        let covers = over(document, node)
            .filter(|other| (other.z > node.z || is_nearer_face(document, node, other)) && is_opaque(document, other));
        let covers: Vec<Rect> = covers.map(Rect::of).collect();
        let covered = |part: &Node| covers.iter().any(|cover| cover.holds(&Rect::of(part).inset(TOUCH)));
        covered(node) || only_words(document, node).is_some_and(|words| words.into_iter().all(covered))
    };
    wholly(scene.reference(), pair.a) && wholly(scene.other(), pair.b)
}

/// Two sides of a solid, which are not seen from behind: of those that share a place the larger one is nearer, and is turned to whoever
/// looks.
fn is_nearer_face(document: &Document, node: &Node, other: &Node) -> bool {
    let is_side = |node: &Node| document.computed(node, "backface-visibility") == "hidden";
    let area = |node: &Node| node.rect[2] * node.rect[3];
    node.parent == other.parent && is_side(node) && is_side(other) && area(other) > area(node) * NEARER
}

/// What is seen of a box that shows nothing but the words in it.
fn only_words<'a>(document: &'a Document, node: &Node) -> Option<Vec<&'a Node>> {
    let children = document.children(node.id).iter().filter_map(|&id| document.node(id));
    let shown: Vec<&Node> = children.filter(|child| shown(child)).collect();
    let is_plain = matches!(role(document, node), Role::Block | Role::Inline) && !paints(document, node);
    (is_plain && !shown.is_empty() && shown.iter().all(|child| is_text(child))).then_some(shown)
}

pub(super) fn is_glass(document: &Document, node: &Node) -> bool {
    !matches!(document.computed(node, "backdrop-filter"), "" | "none")
}

/// Whether a pane of glass lies over it in both browsers. How much of what is behind one is seen through it is the filter's affair.
/// Or it is one, and pictures that Firefox gives of a page have none of it.
pub(super) fn behind_glass(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let behind = |document, node| {
        (!scene.glass_is_pictured && is_glass(document, node))
            || above(document, node).any(|other| is_glass(document, other))
    };
    behind(scene.reference(), pair.a) && behind(scene.other(), pair.b)
}

/// Whether what is behind it stays where it is in the view: pictures of a page that is higher than the view show it at another place in
/// each engine.
pub(super) fn before_what_stays(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let stays = |document: &Document, node: &Node| {
        let mut behind = std::iter::once(node).chain(document.ancestors(node.id));
        let filled = behind.find(|node| {
            let has = |name: &str| !matches!(document.computed(node, name), "" | "none" | "rgba(0, 0, 0, 0)");
            has("background-color") || has("background-image")
        });
        filled.is_some_and(|node| document.computed(node, "background-attachment").contains("fixed"))
    };
    stays(scene.reference(), pair.a) && stays(scene.other(), pair.b)
}

/// Parts of a box over which others lie, from its own corner, in either browser: what is seen there is theirs.
pub(super) fn parts(scene: &Scene<'_>, pair: Pair<'_>) -> Vec<Rect> {
    in_either(scene, pair, |document, node| {
        above(document, node).map(Rect::of).collect()
    })
}

/// Places in a document in either browser, from the box's own corner.
pub(super) fn in_either(
    scene: &Scene<'_>,
    pair: Pair<'_>,
    places: impl Fn(&Document, &Node) -> Vec<Rect>,
) -> Vec<Rect> {
    [(scene.reference(), pair.a), (scene.other(), pair.b)]
        .into_iter()
        .flat_map(|(document, node)| {
            let whole = Rect::of(node);
            let places = places(document, node).into_iter();
            places.map(move |place| place.moved(-whole.x, -whole.y))
        })
        .collect()
}

fn above<'a>(document: &'a Document, node: &'a Node) -> impl Iterator<Item = &'a Node> {
    later(document, node, over(document, node))
}

/// Those that lie over it are painted later: of boxes that are equally high the later is on top.
fn later<'a>(
    document: &'a Document,
    node: &'a Node,
    others: impl Iterator<Item = &'a Node>,
) -> impl Iterator<Item = &'a Node> {
    let order = document.all();
    let place = move |id: NodeId| order.iter().position(|other| *other == id);
    others.filter(move |other| other.z > node.z || (other.z == node.z && place(other.id) > place(node.id)))
}

fn is_opaque(document: &Document, node: &Node) -> bool {
    let colour = document.computed(node, "background-color");
    let above = std::iter::once(node).chain(document.ancestors(node.id));
    colour.starts_with("rgb(")
        && above
            .into_iter()
            .all(|node| document.computed(node, "opacity").is_empty())
}

/// Whether words of others lie over it, as those of a head that sticks, or boxes that end within it: smoothed and placed
/// otherwise in each engine, they are not its own.
pub(super) fn in_part(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let in_part = |document: &Document, node: &Node| {
        let whole = Rect::of(node).inset(TOUCH);
        over(document, node).any(|other| is_text(other) || !Rect::of(other).holds(&whole))
    };
    in_part(scene.reference(), pair.a) || in_part(scene.other(), pair.b)
}

fn over<'a>(document: &'a Document, node: &'a Node) -> impl Iterator<Item = &'a Node> {
    reaching(document, node, TOUCH, &|other: &Node| Rect::of(other))
}

/// Boxes that paint and share some of a box's place, more than a touch of it, other than those it is in and those in it.
fn reaching<'a>(
    document: &'a Document,
    node: &'a Node,
    touch: f32,
    reach: &dyn Fn(&Node) -> Rect,
) -> impl Iterator<Item = &'a Node> {
    let rect = Rect::of(node);
    let kin = document.kin(node.id);
    document
        .all()
        .into_iter()
        .filter(move |id| !kin.contains(id))
        .filter_map(|id| document.node(id))
        .filter(move |other| {
            let (wide, high) = rect.overlap(&reach(other));
            wide > touch && high > touch && shown(other)
        })
        .filter(|other| {
            is_text(other) || matches!(role(document, other), Role::Replaced | Role::Control) || paints(document, other)
        })
}
