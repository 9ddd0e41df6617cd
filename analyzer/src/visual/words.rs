//! Where the words of a box are, what they look like, and what stands beside them.

use super::crops::Shots;
use super::rings::{self, has_ring};
use super::{covered, ink, inked};
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, Understood};
use crate::state::{Document, GENERATED, Rect, is_text};
use crate::structure::shown;
use xcheck_trace::page::Node;

/// Where a leaf has something to show: around its words where it has any, so that the empty part of a wide block does
/// not outweigh them.
pub(super) fn painted(scene: &Scene<'_>, pair: Pair<'_>) -> (Rect, Rect) {
    let edge = if edge_is_the_engines(scene.reference(), pair.a) || edge_is_the_engines(scene.other(), pair.b) {
        EDGE
    } else {
        0.0
    };
    let words = |document: &Document, node: &Node| {
        let texts = document.children(node.id).iter().filter_map(|&id| document.node(id));
        let shown = texts.filter(|child| is_text(child) && shown(child));
        shown
            .map(Rect::of)
            .reduce(|a, b| a.union(&b))
            .unwrap_or_else(|| Rect::of(node).inset(edge))
    };
    (words(scene.reference(), pair.a), words(scene.other(), pair.b))
}

/// How far letters reach out of the room that they take.
const OVERHANG: f32 = 1.5;

/// How far into a box its edge reaches: the ring's two pixels, and a pixel that both of its ends share.
const EDGE: f32 = 4.0;

/// The ring of what has the focus is each engine's own, also where it is drawn over what reaches to the edge inside, and a
/// border that cells share is in the box of one cell or of its neighbour.
fn edge_is_the_engines(document: &Document, node: &Node) -> bool {
    let shared = || document.computed(node, "border-collapse") == "collapse";
    let around = || ringed(document, node).any(|ring| !ring.holds(&Rect::of(node)));
    has_ring(document, node) || around() || (matches!(node.tag.as_str(), "td" | "th") && shared())
}

/// What the engines' own rings around a node leave of the boxes that have them.
pub(super) fn ringed<'a>(document: &'a Document, node: &Node) -> impl Iterator<Item = Rect> + use<'a> {
    let outer = document.ancestors(node.id).filter(|outer| has_ring(document, outer));
    outer.map(|outer| Rect::of(outer).inset(EDGE))
}

/// The words of a box that holds more than words, an icon say, where nothing else stands among them.
pub(super) fn among_others(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>) -> Option<Raw> {
    let (words_a, words_b) = (
        apart_from_others(scene.reference(), pair.a)?,
        apart_from_others(scene.other(), pair.b)?,
    );
    if scene.understood(pair) == Understood::Alike && are_tiny(scene.reference(), pair.a) {
        return None;
    }
    let (a, b) = shots.crops(words_a, words_b, 0.0)?;
    let cues = ink::between(&a, &b, scene.tolerances);
    inked(pair, cues, scene.understood(pair))
}

/// Where the own words of a box are, which may not share their place with anything else that it holds.
fn apart_from_others(document: &Document, node: &Node) -> Option<Rect> {
    let children = document.children(node.id).iter().filter_map(|&id| document.node(id));
    let (words, others): (Vec<&Node>, Vec<&Node>) =
        children.filter(|child| shown(child)).partition(|child| is_text(child));
    let place = words.into_iter().map(Rect::of).reduce(|a, b| a.union(&b))?;
    let apart = others.into_iter().all(|other| {
        let (wide, high) = place.overlap(&Rect::of(other));
        wide <= 0.0 || high <= 0.0
    });
    apart.then_some(place)
}

/// As far in as a border of a neighbour, or what is smoothed of a box's own.
const FRINGE: f32 = 3.0;

/// What a box shows outside its words: icons drawn by a background or as generated content.
pub(super) fn beside(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>) -> Option<Raw> {
    let (words_a, words_b) = painted(scene, pair);
    let (a, b) = (Rect::of(pair.a), Rect::of(pair.b));
    let room = |whole: Rect, words: Rect| whole.width * whole.height > 1.5 * words.width * words.height;
    if !room(a, words_a) || !room(b, words_b) || crate::structure::is_control(pair.a) {
        return None;
    }
    // Borders of neighbours that share them, and the fringe of the box's own, are not in it; nor is what its corners leave out.
    let edge = edge_of(scene.reference(), pair.a).max(edge_of(scene.other(), pair.b));
    let (a, b) = (a.inset(edge), b.inset(edge));
    let (a, b) = rings::out_of_reach(scene, pair, (a, b)).unwrap_or((a, b));
    let (mut in_a, mut in_b) = shots.crops(a, b, 0.0)?;
    // Where the other's words are is no place beside words either: a first letter that a rule sets apart is not in WebKit's.
    let (words_a, words_b) = (words_a.inset(-OVERHANG), words_b.inset(-OVERHANG));
    in_a.cut_out(a, [words_a, words_b.moved(a.x - b.x, a.y - b.y)]);
    in_b.cut_out(b, [words_b, words_a.moved(b.x - a.x, b.y - a.y)]);
    let (ink_a, ink_b) = (ink::Ink::beside(&in_a)?, ink::Ink::beside(&in_b)?);
    let cues = ink::cues(&ink_a, &ink_b, scene.tolerances);
    let told = |name: &str| cues.iter().any(|cue| cue.name == name);
    // Both that something is drawn and that it stands out, in one browser alone.
    let in_one = told("ink-mass") && told("contrast") && ink_a.is_blank() != ink_b.is_blank();
    (in_one && !covered::in_part(scene, pair)).then(|| {
        let title = if ink_b.is_blank() {
            "lacks something drawn beside its words"
        } else {
            "has something drawn beside its words"
        };
        let mut raw = Raw::at(pair, Kind::Visual, "drawn", title).sure(0.75);
        for cue in cues {
            raw = raw.differs(cue.name, cue.reference, cue.other);
        }
        raw
    })
}

/// How far into a box its border reaches, and its corners where they are round.
fn edge_of(document: &Document, node: &Node) -> f32 {
    let radius = document.computed(node, "border-top-left-radius");
    let radius: f32 = radius
        .split_once("px")
        .and_then(|(px, _)| px.parse().ok())
        .unwrap_or(0.0);
    let most = node.rect[2].min(node.rect[3]) / 2.0;
    // Of a quarter of a circle, what is left of its corner on the diagonal.
    let corner = (1.0 - std::f32::consts::FRAC_1_SQRT_2) * radius.min(most);
    FRINGE.max(corner + 1.0)
}

/// Letters that nobody can read, of its own or generated: what is left of them is how an engine smooths them.
pub(super) fn are_tiny(document: &Document, node: &Node) -> bool {
    let texts = document.children(node.id).iter().filter_map(|&id| document.node(id));
    let mut lines = texts
        .filter(|child| is_text(child) && shown(child))
        .map(|child| child.rect[3] / f32::from(child.lines.max(1)))
        .peekable();
    match lines.peek() {
        Some(_) => lines.all(|high| high < READABLE),
        None => writes_by_itself(document, node) && node.rect[3] < READABLE,
    }
}

/// Words that are no nodes: each engine sets them a little elsewhere.
pub(super) fn writes_by_itself(document: &Document, node: &Node) -> bool {
    GENERATED.iter().any(|name| {
        let content = document.computed(node, name);
        content.contains(|letter: char| letter.is_alphanumeric()) && !is_picture(content)
    })
}

/// `url(…)`, `linear-gradient(…)`, not followed by words.
fn is_picture(content: &str) -> bool {
    let function = content.split('(').next().unwrap_or_default();
    let draws = function == "url"
        || ["-gradient", "image-set", "cross-fade"]
            .iter()
            .any(|end| function.ends_with(end));
    draws && content.ends_with(')')
}

/// Lines less high than this many px are not read.
const READABLE: f32 = 7.0;
