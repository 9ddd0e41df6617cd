//! Heads of arrows, patterns and gradients, which a drawing defines once and shows wherever it uses them: they have no boxes to be
//! looked at, and where one browser does not know their paint, little of the drawing as a whole is another.

use super::computed::spoken;
use super::crops::Crop;
use super::own_paint;
use crate::findings::{Difference, Kind};
use crate::locator::selector;
use crate::scene::{Pair, Raw, Scene};
use crate::style::same;

const DEFINE: [&str; 5] = ["marker", "pattern", "lineargradient", "radialgradient", "filter"];

const PAINTS: [&str; 3] = ["fill", "stroke", "stop-color"];

/// So many nodes of a drawing are looked at.
const NODES: usize = 2000;

pub(super) fn difference(scene: &Scene<'_>, drawing: Pair<'_>, (a, b): (&Crop, &Crop)) -> Option<Raw> {
    if drawing.a.tag != "svg" {
        return None;
    }
    let painted = painted_otherwise(scene, drawing)?;
    if own_paint::of_pictures(a, b).squares == 0 {
        return None;
    }
    let mut raw = Raw::at(drawing, Kind::Visual, "picture", "shows something else in a part").sure(0.85);
    raw.differences.push(painted);
    Some(raw)
}

fn painted_otherwise(scene: &Scene<'_>, drawing: Pair<'_>) -> Option<Difference> {
    let document = scene.reference();
    let parts = document.subtree(drawing.a.id).into_iter().take(NODES);
    let mut defined = parts.filter_map(|id| scene.pair(id)).filter(|part| {
        let mut around = document
            .ancestors(part.a.id)
            .take_while(|above| above.id != drawing.a.id);
        around.any(|above| DEFINE.contains(&above.tag.as_str()))
    });
    defined.find_map(|part| {
        let mut paints = PAINTS.iter().map(|property| (property, scene.computed(part, property)));
        let (property, (reference, other)) = paints.find(|(_, (a, b))| !same(a, b, scene.tolerances))?;
        Some(Difference {
            property: (*property).to_owned(),
            reference: spoken(reference).to_owned(),
            other: spoken(other).to_owned(),
            selector: selector(document, part.a.id),
        })
    })
}
