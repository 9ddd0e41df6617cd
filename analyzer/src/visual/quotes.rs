//! Quotation marks that an engine writes by itself around a `<q>`: by the language that it takes, it knows which, and tells nobody.
//! English ones hang at the top of their line, French ones stand in its middle, German ones begin at its foot.

use super::colour::distance;
use super::crops::{Crop, Shots};
use super::ink;
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene};
use crate::state::{Document, Rect, is_text};
use crate::structure::shown;
use xcheck_trace::page::Node;

/// The property of a finding that other marks stand there: by one setting, wherever in the page.
pub(crate) const QUOTES: &str = "quotes";

/// As much of a line further up or down is another mark, whatever the font.
const ELSEWHERE: f32 = 0.15;

/// Colour difference (CIE76) that is ink and no smoothing.
const INK: f32 = 25.0;

pub(super) fn difference(scene: &Scene<'_>, shots: &mut Shots<'_>, pair: Pair<'_>) -> Option<Raw> {
    let (a, b) = (marks(scene.reference(), pair.a)?, marks(scene.other(), pair.b)?);
    let sides = a.into_iter().zip(b);
    let mut heights = sides.filter_map(|(a, b)| {
        let (a, b) = shots.crops(a, b, 0.0)?;
        Some((middle(&a)?, middle(&b)?))
    });
    let (a, b) = heights.find(|(a, b)| (a - b).abs() > ELSEWHERE)?;
    let told = |middle: f32| format!("{:.0} % down the line", 100.0 * middle);
    let raw = Raw::at(pair, Kind::Text, QUOTES, "stands in other quotation marks").sure(0.85);
    Some(raw.differs("mark", told(a), told(b)))
}

/// What stands before and behind the words of one line, as high as these.
fn marks(document: &Document, node: &Node) -> Option<[Rect; 2]> {
    let writes = |name: &str, mark: &str| document.computed(node, name).contains(mark);
    if node.tag != "q" || !writes("::before content", "open-quote") || !writes("::after content", "close-quote") {
        return None;
    }
    let mut children = document.children(node.id).iter().filter_map(|&id| document.node(id));
    let words = children
        .next()
        .filter(|only| is_text(only) && only.lines == 1 && shown(only))?;
    if children.next().is_some() {
        return None;
    }
    let (whole, words) = (Rect::of(node), Rect::of(words));
    let between = |x: f32, right: f32| Rect {
        x,
        width: right - x,
        ..words
    };
    let both = [between(whole.x, words.x), between(words.right(), whole.right())];
    both.iter().all(|mark| mark.width >= 2.0).then_some(both)
}

/// How far down the ink of a mark is, as a share of its line.
fn middle(crop: &Crop) -> Option<f32> {
    let (ground, _) = ink::background(&crop.pixels);
    let rows = crop.pixels.chunks(crop.width.max(1)).enumerate();
    let inked = rows.map(|(row, pixels)| {
        (
            row,
            pixels.iter().filter(|&&pixel| distance(pixel, ground) > INK).count(),
        )
    });
    let (sum, count) = inked.fold((0.0, 0.0), |(sum, count), (row, inked)| {
        (sum + (row as f32 + 0.5) * inked as f32, count + inked as f32)
    });
    (count > 0.0).then(|| sum / count / crop.height as f32)
}
