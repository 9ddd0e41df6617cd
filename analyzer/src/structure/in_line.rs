//! Boxes that stand in a line of words, and higher or lower in it.
//!
//! The line's own box grows with what stands in it, and words are no boxes: so only the box and the words beside it tell.

use super::Excused;
use super::measure::{Role, large_enough, role, shift, shown};
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::{Rect, is_text};
use xcheck_trace::page::NodeId;

/// The share of the words' height that a box stands off for reasons of the font.
const SEEN: f32 = 0.6;

pub(super) fn difference(scene: &Scene<'_>, id: NodeId, excused: &Excused) -> Option<Raw> {
    let pair = scene.pair(id)?;
    let in_line = |display: &str| display.starts_with("inline-");
    let displays = [scene.reference().display(pair.a), scene.other().display(pair.b)];
    let stands_in_line = displays.into_iter().all(in_line) && role(scene.reference(), pair.a) == Role::Block;
    if !stands_in_line || excused.children.contains(&pair.a.parent) {
        return None;
    }
    if !large_enough(scene, pair.a) || !large_enough(scene, pair.b) {
        return None;
    }
    let grown = shift(scene, id)?.vertical.size.abs();
    let (words, by) = beside(scene, pair)?;
    let least = scene.tolerances.off.max(SEEN * words.a.rect[3]);
    (by.abs() > least + grown).then(|| {
        let place = |node: [f32; 4], words: [f32; 4]| px(words[1] - node[1]);
        let title = format!(
            "stands {} {} beside its words",
            px(by.abs()),
            if by > 0.0 { "further up" } else { "further down" }
        );
        Raw::at(pair, Kind::Structure, "in-line", title).sure(0.85).differs(
            "words-below-its-top",
            place(pair.a.rect, words.a.rect),
            place(pair.b.rect, words.b.rect),
        )
    })
}

/// Words before or after it in the same line in both browsers, and by how much lower than the box they are in the other.
fn beside<'a>(scene: &Scene<'a>, pair: Pair<'_>) -> Option<(Pair<'a>, f32)> {
    let siblings = scene.reference().children(pair.a.parent);
    let at = siblings.iter().position(|sibling| *sibling == pair.a.id)?;
    let near = [at.checked_sub(1), at.checked_add(1)];
    let mut words = near
        .into_iter()
        .flatten()
        .filter_map(|at| scene.pair(*siblings.get(at)?))
        .filter(|words| is_text(words.a) && shown(words.a) && shown(words.b))
        .filter(|words| words.a.lines == 1 && words.b.lines == 1);
    words.find_map(|words| {
        let same_line = |node: [f32; 4], words: [f32; 4]| words[1] < node[1] + node[3] && words[1] + words[3] > node[1];
        let both = same_line(pair.a.rect, words.a.rect) && same_line(pair.b.rect, words.b.rect);
        let below = |node: Rect, words: Rect| words.y - node.y;
        let by = below(Rect::of(pair.b), Rect::of(words.b)) - below(Rect::of(pair.a), Rect::of(words.a));
        both.then_some((words, by))
    })
}
