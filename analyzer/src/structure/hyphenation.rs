//! Words that one browser breaks with hyphens of its own (`hyphens: auto`), and the other, which has no dictionary of their language,
//! leaves whole. Where both break some, which ones is up to their dictionaries.

use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene};
use crate::state::{has_live, is_text};
use crate::text::property;
use xcheck_trace::page::{HYPHENATED_TEXT, Node};

/// What differs.
pub(crate) const HYPHENATION: &str = "hyphenation";

/// Of an element's own words.
pub(super) fn difference(scene: &Scene<'_>, pair: Pair<'_>) -> Option<Raw> {
    let only_there = only_there(scene, pair)?;
    let words = words(scene, pair);
    let broken = words.iter().find_map(|words| {
        let there = if only_there { words.b } else { words.a };
        property(there, HYPHENATED_TEXT)
    })?;
    let broken = format!("`{broken}` in two lines");
    let (title, a, b) = match only_there {
        true => ("has words that are broken with hyphens", "whole words", broken.as_str()),
        false => (
            "has no words that are broken with hyphens",
            broken.as_str(),
            "whole words",
        ),
    };
    let raw = Raw::at(pair, Kind::Structure, HYPHENATION, title).sure(0.8);
    Some(raw.differs(HYPHENATION, a, b))
}

/// Whether only the other browser breaks some, or only the reference does.
pub(crate) fn only_there(scene: &Scene<'_>, pair: Pair<'_>) -> Option<bool> {
    let words = words(scene, pair);
    let breaks = |words: &Node| has_live(words, HYPHENATED_TEXT);
    match (
        words.iter().any(|words| breaks(words.a)),
        words.iter().any(|words| breaks(words.b)),
    ) {
        (false, true) => Some(true),
        (true, false) => Some(false),
        _ => None,
    }
}

fn words<'a>(scene: &Scene<'a>, pair: Pair<'a>) -> Vec<Pair<'a>> {
    let children = scene.reference().children(pair.a.id).iter().take(64);
    let pairs = children.filter_map(|&id| scene.pair(id));
    pairs.filter(|child| is_text(child.a)).collect()
}
