//! How boxes look, where they stand as they should and read the same.
//!
//! Computed styles come first: they say what differs in words. But engines may compute differently and paint alike,
//! and the other way round, so a screenshot has to agree before anything is said; where there is none, what the styles
//! say is reported as less sure.

mod around;
mod blank;
mod chi2;
mod colour;
mod computed;
mod covered;
mod crops;
mod defined;
mod drawn_mass;
mod drawn_words;
mod extent;
mod field;
mod in_control;
mod ink;
mod marker;
mod own_paint;
mod picture;
mod quotes;
mod repainted;
mod rings;
mod ruled;
pub(crate) mod selected;
mod strokes;
pub mod tree;
mod words;

pub(crate) use computed::{StylePairs, spoken};
pub(crate) use crops::Shots;
pub(crate) use quotes::QUOTES;
pub(crate) use repainted::nodes as repainted;

use crate::findings::{Kind, VisualMode};
use crate::scene::{Pair, Raw, Scene, Understood};
use crate::state::{Document, Rect, is_text};
use crate::structure::{Excused, Role, clipped, is_sliver, role, shown};
use crate::style::styles_parts;
use crate::text::is_silent;
use crops::Crop;
use std::collections::BTreeSet;
use xcheck_trace::page::{Node, NodeId};

/// `said` are nodes with a finding already: they and what they hold are not looked at again.
pub(crate) fn differences(
    scene: &Scene<'_>,
    shots: &mut Shots<'_>,
    styles: &mut StylePairs,
    mode: VisualMode,
    said: &BTreeSet<NodeId>,
) -> Vec<Raw> {
    if mode == VisualMode::Tree {
        return tree::differences(scene, shots, styles, said);
    }
    let mut found = Vec::new();
    let highlighted = std::cell::LazyCell::new(|| selected::highlighted(scene));
    for &id in scene.focus {
        let Some(pair) = scene.pair(id) else { continue };
        if is_text(pair.a) || is_silent(pair.a) || !shown(pair.a) || !shown(pair.b) || answered(scene, said, id) {
            continue;
        }
        let mut seen = look(scene, shots, styles, mode, pair);
        if mode == VisualMode::Ink {
            seen = seen.or_else(|| written_by_the_engine(scene, shots, pair));
        }
        // What lies over it is not what it shows.
        found.extend(
            seen.filter(|seen| !seen.by_picture || !hidden_otherwise(scene, pair))
                .filter(|_| !highlighted.contains(&id) && !covered::wholly(scene, pair))
                .map(|seen| seen.raw),
        );
    }
    found
}

/// What an engine writes by itself beside what the page says: bullets and numbers, quotation marks.
fn written_by_the_engine(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>) -> Option<Seen> {
    let seen = |by_picture: bool| move |raw: Raw| Seen { raw, by_picture };
    let marker = marker::difference(scene, shots, pair).map(seen(false));
    marker.or_else(|| quotes::difference(scene, shots, pair).map(seen(true)))
}

/// Something lies over it that lets another part or more of it through in one browser than in the other.
fn hidden_otherwise(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    covered::differently(scene, pair)
        || covered::elsewhere(scene, pair)
        || covered::behind_glass(scene, pair)
        || covered::before_what_stays(scene, pair)
}

/// It or what it stands in has a finding; or it is a part of a drawing, which is looked at as a whole.
fn answered(scene: &Scene<'_>, said: &BTreeSet<NodeId>, id: NodeId) -> bool {
    let mut ancestors = scene.reference().ancestors(id);
    said.contains(&id) || ancestors.any(|above| said.contains(&above.id)) || is_drawn_in(scene.reference(), id)
}

/// In a drawing, and not in a part of it that is a page again.
fn is_drawn_in(document: &Document, id: NodeId) -> bool {
    let mut ancestors = document.ancestors(id).map(|above| above.tag.as_str());
    ancestors.find(|tag| matches!(*tag, "svg" | "foreignobject")) == Some("svg")
}

/// A difference, and whether the picture alone says so.
struct Seen {
    raw: Raw,
    by_picture: bool,
}

fn look(
    scene: &Scene<'_>,
    shots: &mut Shots<'_>,
    styles: &mut StylePairs,
    mode: VisualMode,
    pair: Pair<'_>,
) -> Option<Seen> {
    if mode == VisualMode::Ink
        && let Some(raw) = extent::difference(scene, shots, pair)
    {
        return Some(Seen { raw, by_picture: true });
    }
    if mode == VisualMode::Ink
        && let Some(raw) = field::hint_elsewhere(scene, shots, pair)
    {
        return Some(Seen { raw, by_picture: true });
    }
    let kind = role(scene.reference(), pair.a);
    let mut told = styles.differences(scene, pair);
    if crate::structure::is_control(pair.a) {
        // A control's colours and borders are its engine's unless the page says otherwise.
        told.retain(|told| scene.authors(pair, told.property));
    }
    let native = kind == Role::Control || matches!(pair.a.tag.as_str(), "hr" | "fieldset" | "legend" | "summary");
    let dressed = || parts_are_styled(scene, pair) || scene.understood(pair) != Understood::Alike;
    if native && is_drawn(pair.a) && mode == VisualMode::Ink && dressed() {
        return parts_of_control(shots, pair).map(|raw| Seen { raw, by_picture: true });
    }
    let authored = crate::structure::is_control(pair.a) && !is_drawn(pair.a) && !told.is_empty();
    if native && !authored && !scene.drops_something(pair.a.id) {
        let parts = (mode == VisualMode::Ink).then(|| field::difference(scene, shots, pair));
        return parts.flatten().map(|raw| Seen { raw, by_picture: true });
    }
    // What is left of a box at the edge of what scrolls is another part of it in each engine.
    let cut = |document: &Document, node: &Node| clipped(document, node).0 > 1.0 || is_sliver(document, node);
    if told.is_empty() && (cut(scene.reference(), pair.a) || cut(scene.other(), pair.b)) {
        return None;
    }
    let leaf = is_leaf(scene, pair, kind);
    let by_style = |raw: Raw| Seen { raw, by_picture: false };
    if told.is_empty() && !leaf {
        if mode != VisualMode::Ink {
            return None;
        }
        let words = words::among_others(scene, shots, pair).map(|raw| Seen { raw, by_picture: true });
        return words.or_else(|| around::difference(scene, shots, pair, kind).map(by_style));
    }
    let crops = match mode {
        VisualMode::Off => None,
        _ if !told.is_empty() => shots.crops(Rect::of(pair.a), Rect::of(pair.b), around(&told)),
        _ => {
            let (a, b) = words::painted(scene, pair);
            shots.crops(a, b, 0.0)
        }
    };
    let Some((a, b)) = crops else {
        return computed::raw(pair, &told).map(|raw| by_style(raw.sure(0.6)));
    };
    let by_picture = |raw: Raw| Seen { raw, by_picture: true };
    let understood = scene.understood(pair);
    if a.same_pixels(&b) && !(told.is_empty() && understood != Understood::Alike) {
        return None;
    }
    if mode == VisualMode::Chi2 {
        return leaf
            .then(|| chi2::difference(scene, pair, &a, &b))
            .flatten()
            .map(by_picture);
    }
    let widget = kind == Role::Block && is_drawn(pair.a);
    if kind == Role::Replaced || widget {
        let (a, b) = uncovered(scene, pair, a, b);
        let (a, b) = in_control::freed(scene, pair, a, b);
        let drawn = picture::difference(scene, pair, &a, &b).map(by_picture);
        let drawn = drawn.or_else(|| seen(scene, pair, &told, &a, &b).map(by_style));
        let drawn = drawn.or_else(|| picture::in_a_part(scene, pair, widget, &a, &b).map(by_picture));
        let drawn = drawn.or_else(|| defined::difference(scene, pair, (&a, &b)).map(by_picture));
        let drawn = drawn.or_else(|| drawn_words::elsewhere(scene, pair).map(by_style));
        return drawn.or_else(|| ruled::difference(scene, shots, pair, understood).map(by_picture));
    }
    if !told.is_empty() {
        return seen(scene, pair, &told, &a, &b).map(by_style);
    }
    if understood == Understood::Alike && words::are_tiny(scene.reference(), pair.a) {
        return None;
    }
    by_cues(scene, shots, pair, (&a, &b), understood).map(by_picture)
}

/// Captions, badges and buttons lie over pictures, and are looked at by themselves; rings around controls are not looked at.
fn uncovered(scene: &Scene<'_>, pair: Pair<'_>, mut a: Crop, mut b: Crop) -> (Crop, Crop) {
    let lies_over = covered::parts(scene, pair).into_iter();
    for part in lies_over.chain(rings::on_picture(scene, pair)) {
        for (crop, node) in [(&mut a, pair.a), (&mut b, pair.b)] {
            let whole = Rect::of(node);
            crop.blank(whole, part.moved(whole.x, whole.y));
        }
    }
    (a, b)
}

fn by_cues(
    scene: &Scene<'_>,
    shots: &mut Shots<'_>,
    pair: Pair<'_>,
    (a, b): (&Crop, &Crop),
    understood: Understood,
) -> Option<Raw> {
    let kind = role(scene.reference(), pair.a);
    if understood == Understood::Alike && field::has_own_parts(pair.a) {
        return None;
    }
    if understood == Understood::Alike && kind == Role::Block && around::shows_nothing(scene, pair) {
        // What is seen there is in front of it or behind it.
        return None;
    }
    let mut cues = ink::between(a, b, scene.tolerances);
    let painted = words::painted(scene, pair);
    if !cues.is_empty()
        && let Some((a, b)) = shots.crops(painted.0.whole_pixels(), painted.1.whole_pixels(), 0.0)
    {
        // Of a pixel at its edge that a box covers in part, one engine paints that part, and another all or nothing.
        cues = ink::between(&a, &b, scene.tolerances);
    }
    let inside = |at: Rect| at.whole_pixels().inset(1.0);
    if !cues.is_empty()
        && own_paint::is_moved_as_picture(scene, pair)
        && let Some((a, b)) = shots.crops(inside(painted.0), inside(painted.1), 0.0)
    {
        // What is painted apart and then moved or scaled has soft edges, one pixel wider.
        cues = ink::between(&a, &b, scene.tolerances);
    }
    if !cues.is_empty()
        && let Some((at_a, at_b)) = rings::out_of_reach(scene, pair, painted)
        && let Some((a, b)) = shots.crops(at_a, at_b, 0.0)
    {
        cues = ink::between(&a, &b, scene.tolerances);
    }
    if strokes::alike(scene, shots, pair, (a, b)) {
        return None;
    }
    let told_nothing = cues.is_empty();
    if told_nothing && selected::is_marked(scene, pair) {
        return None;
    }
    inked(pair, cues, understood).or_else(|| {
        ruled::looks(scene, shots, pair, understood).or_else(|| {
            let beside = told_nothing.then(|| words::beside(scene, shots, pair)).flatten();
            beside.or_else(|| around::difference(scene, shots, pair, role(scene.reference(), pair.a)))
        })
    })
}

/// What cues say, where they are enough.
fn inked(pair: Pair<'_>, cues: Vec<ink::Cue>, understood: Understood) -> Option<Raw> {
    let supported = understood != Understood::Alike;
    let strong = cues.iter().any(|cue| cue.alone);
    if !(strong || cues.len() >= 2 || (supported && !cues.is_empty())) {
        return None;
    }
    let property = cues.first()?.name;
    let mut raw = Raw::at(
        pair,
        Kind::Visual,
        property,
        format!("has another {}", phrase(property)),
    )
    .sure(if supported || (strong && cues.len() > 1) {
        0.9
    } else {
        0.7
    });
    for cue in cues {
        raw = raw.differs(cue.name, cue.reference, cue.other);
    }
    Some(raw)
}

/// How far around a box it may paint: shadows, reflections, outlines.
const AROUND: f32 = 12.0;

/// Right, left, below, above, in sizes of the box.
const SIDES: [(f32, f32); 4] = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];

/// Bullets stand further away. What is painted within the box is looked for there: its neighbours differ for reasons of
/// their own.
fn around(told: &[computed::Told]) -> f32 {
    let any = |is: fn(&str) -> bool| told.iter().any(|told| is(told.property));
    if any(|property| property == "list-style-type") {
        3.0 * AROUND
    } else if any(|property| !computed::is_within(property)) {
        AROUND
    } else {
        0.0
    }
}

fn parts_are_styled(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    styles_parts(scene.reference(), pair.a.id) || styles_parts(scene.other(), pair.b.id)
}

/// A control whose parts the page draws itself, in engines that know these parts.
fn parts_of_control(shots: &mut Shots<'_>, pair: Pair<'_>) -> Option<Raw> {
    let (a, b) = shots.crops(Rect::of(pair.a), Rect::of(pair.b), AROUND)?;
    let apart = own_paint::of_pictures(&a, &b);
    (apart.squares > 0).then(|| {
        Raw::at(pair, Kind::Visual, "parts", "has parts that look different")
            .sure(0.8)
            .differs("differing-area", "0 px", format!("{} px", apart.pixels))
    })
}

/// Controls that are a drawing; the others hold words.
fn is_drawn(node: &Node) -> bool {
    matches!(node.tag.as_str(), "progress" | "meter")
        || matches!(
            crate::state::attribute(node, "type"),
            Some("checkbox" | "radio" | "range" | "color")
        )
}

/// What the styles say, if the picture agrees.
fn seen(scene: &Scene<'_>, pair: Pair<'_>, told: &[computed::Told], a: &Crop, b: &Crop) -> Option<Raw> {
    let raw = computed::raw(pair, told)?;
    // Letters are smoothed otherwise in each engine: what is said of letters alone takes more than that.
    let of_letters = told.iter().all(|told| computed::is_of_letters(told.property));
    let differ = if of_letters {
        picture::parts_differ(a, b, 2.5 * scene.tolerances.picture)
    } else {
        picture::blocks_differ(a, b)
    };
    let agrees = differ || !ink::between(a, b, scene.tolerances).is_empty();
    agrees.then(|| raw.sure(0.92))
}

fn phrase(property: &str) -> &'static str {
    match property {
        "background" => "background",
        "ink-colour" => "colour",
        "ink-mass" => "weight of ink",
        _ => "contrast",
    }
}

/// Pictures that loaded in one browser only, or are other pictures. Their boxes follow.
pub(crate) fn pictures(scene: &Scene<'_>, excused: &mut Excused) -> Vec<Raw> {
    let mut found = Vec::new();
    for &id in scene.focus {
        let Some(pair) = scene.pair(id) else { continue };
        if picture::waits_for_the_view(scene, pair) {
            excused.holder(scene, id);
        } else if let Some(raw) = picture::loading(pair) {
            excused.holder(scene, id);
            found.push(raw);
        }
    }
    found
}

/// Boxes that paint by themselves: words with nothing but lines in them, pictures, empty boxes with a background.
fn is_leaf(scene: &Scene<'_>, pair: Pair<'_>, kind: Role) -> bool {
    if pair.a.tag == "iframe" {
        return false;
    }
    if matches!(kind, Role::Replaced | Role::Control) {
        return true;
    }
    scene
        .reference()
        .children(pair.a.id)
        .iter()
        .filter_map(|&id| scene.reference().node(id))
        .all(is_text)
}
