//! Where columns break is an engine's affair, unless the page says what is to be kept together.

use super::Excused;
use super::measure::is_broken_over_columns;
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene};
use xcheck_trace::page::NodeId;

/// What differs.
pub(crate) const COLUMN_BREAK: &str = "column-break";

/// Said of the box itself.
const OWN: [&str; 3] = ["break-inside", "page-break-inside", "-webkit-column-break-inside"];

/// Said of the box, or of one around it.
const INHERITED: [&str; 2] = ["orphans", "widows"];

/// What stands after a box that is broken stands elsewhere for that.
pub(super) fn differences(scene: &Scene<'_>, excused: &mut Excused) -> Vec<Raw> {
    let found: Vec<Raw> = scene
        .focus
        .iter()
        .filter_map(|&id| difference(scene, id, excused))
        .collect();
    let broken = found.iter().filter_map(|raw| scene.reference().node(raw.reference?));
    excused.children.extend(broken.map(|node| node.parent));
    found
}

/// Whether a property says what is not to be broken.
pub(crate) fn keeps_together(property: &str) -> bool {
    OWN.contains(&property) || INHERITED.contains(&property)
}

fn difference(scene: &Scene<'_>, id: NodeId, excused: &Excused) -> Option<Raw> {
    let pair = scene.pair(id).filter(|pair| !excused.sizes.contains(&pair.a.id))?;
    if !is_broken_over_columns(scene, pair) || !is_kept_together(scene, pair) {
        return None;
    }
    let is_broken_there = pair.b.rect[2] > pair.a.rect[2];
    let (title, a, b) = match is_broken_there {
        true => ("is broken over columns", "whole", "broken"),
        false => ("is not broken over columns", "broken", "whole"),
    };
    let raw = Raw::at(pair, Kind::Structure, COLUMN_BREAK, title).sure(0.85);
    Some(raw.differs(COLUMN_BREAK, a, b))
}

fn is_kept_together(scene: &Scene<'_>, pair: Pair<'_>) -> bool {
    let above = scene.reference().ancestors(pair.a.id);
    let mut around = std::iter::once(pair).chain(above.filter_map(|node| scene.pair(node.id)));
    let says = |pair, properties: &[&str]| properties.iter().any(|name| scene.authors(pair, name));
    says(pair, &OWN) || around.any(|pair| says(pair, &INHERITED))
}
