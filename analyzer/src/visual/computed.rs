//! Computed properties that a person sees, compared once per pair of styles rather than once per node.

use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene};
use crate::state::{Document, is_text};
use crate::structure::shown;
use crate::style::properties::{SEEN, is_inherited};
use crate::style::same;
use crate::tolerances::Tolerances;
use std::collections::HashMap;
use std::rc::Rc;
use xcheck_trace::page::Node;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) property: &'static str,
    pub(super) reference: String,
    pub(super) other: String,
}

/// Nodes share styles: a page of thousands of nodes has some dozens.
#[derive(Default)]
pub(crate) struct StylePairs {
    known: HashMap<(u32, u32), Rc<Vec<Told>>>,
}

impl StylePairs {
    /// What differs on this node and not already on its parent, which passes it on.
    pub(super) fn differences(&mut self, scene: &Scene<'_>, pair: Pair<'_>) -> Vec<Told> {
        let own = self.of(scene, pair);
        if own.is_empty() {
            return Vec::new();
        }
        let above = scene
            .pair(pair.a.parent)
            .map_or_else(Rc::default, |parent| self.of(scene, parent));
        own.iter()
            .filter(|told| !(is_inherited(told.property) && above.contains(told)))
            .filter(|told| shows(scene, pair, told))
            .cloned()
            .collect()
    }

    fn of(&mut self, scene: &Scene<'_>, pair: Pair<'_>) -> Rc<Vec<Told>> {
        if let Some(known) = self.known.get(&(pair.a.style, pair.b.style)) {
            return Rc::clone(known);
        }
        let mut told = Vec::new();
        for &property in SEEN {
            let (a, b) = scene.computed(pair, property);
            if !looks_alike(property, a, b, scene.tolerances) {
                told.push(Told {
                    property,
                    reference: a.to_owned(),
                    other: b.to_owned(),
                });
            }
        }
        let told = Rc::new(told);
        self.known.insert((pair.a.style, pair.b.style), Rc::clone(&told));
        told
    }
}

/// Where a transform moves a box is told by its place, and each engine measures that from its own words.
fn looks_alike(property: &str, a: &str, b: &str, tolerances: &Tolerances) -> bool {
    let turned = |value: &str| -> Option<String> {
        let numbers = value.strip_prefix("matrix(")?.splitn(5, ',');
        Some(numbers.take(4).collect::<Vec<_>>().join(","))
    };
    match (property, turned(a), turned(b)) {
        ("transform", Some(a), Some(b)) => same(&a, &b, tolerances),
        ("font-family", ..) => {
            let (a, b) = (first_family(a), first_family(b));
            a == b || is_of_system(&a) || is_of_system(&b)
        }
        _ => same(a, b, tolerances),
    }
}

/// The one that is asked for before all others; how a list is written is each engine's own.
fn first_family(list: &str) -> String {
    let first = list.split(',').next().unwrap_or_default();
    first.trim().trim_matches(['"', '\'']).to_lowercase()
}

/// Another font on each machine, and under another name in each engine; or none is known.
fn is_of_system(family: &str) -> bool {
    family.is_empty() || family.contains("system") || family.starts_with("ui-")
}

/// Stretched by numbers that come of other boxes, and as large as there: that is what a person sees of it.
fn is_stretched_alike(scene: &Scene<'_>, pair: Pair<'_>, told: &Told) -> bool {
    let stretch = |value: &str| -> Option<[bool; 2]> {
        let numbers = value
            .strip_prefix("matrix(")?
            .split(',')
            .map(|number| number.trim().parse::<f32>());
        let numbers: Vec<f32> = numbers.take(4).collect::<Result<_, _>>().ok()?;
        let [across, 0.0, 0.0, down] = numbers[..] else {
            return None;
        };
        Some([across, down].map(f32::is_sign_positive))
    };
    let (a, b) = (stretch(&told.reference), stretch(&told.other));
    let as_large = |side: usize| (pair.a.rect[side] - pair.b.rect[side]).abs() <= scene.tolerances.off;
    a.is_some() && a == b && as_large(2) && as_large(3)
}

/// Properties that paint nothing here do not count: the colour of a border that has no width, and the like.
fn shows(scene: &Scene<'_>, pair: Pair<'_>, told: &Told) -> bool {
    let computed = |property: &str| scene.computed(pair, property);
    let nothing = |(a, b): (&str, &str), none: &[&str]| none.contains(&a) && none.contains(&b);
    let property = told.property;
    if let Some(side) = property
        .strip_prefix("border-")
        .and_then(|rest| rest.strip_suffix("-color").or_else(|| rest.strip_suffix("-style")))
    {
        return !nothing(computed(&format!("border-{side}-width")), &["0px", "", "0"])
            && !nothing(computed(&format!("border-{side}-style")), &["none", "hidden", ""]);
    }
    if property.starts_with("outline-") {
        return is_of_a_ring(scene, pair, property);
    }
    if property.starts_with("text-decoration-") && property != "text-decoration-line" {
        return !nothing(computed("text-decoration-line"), &["none", ""]);
    }
    if matches!(property, "background-size" | "background-clip") {
        return !nothing(computed("background-image"), &["none", ""]);
    }
    if property == "background-color" {
        let (a, b) = computed("background-image");
        return !(nothing(computed("background-size"), &["auto", ""]) && hides_colour(a) && hides_colour(b));
    }
    if property == "font-family" {
        return scene.authors(pair, property);
    }
    if property == "transform" {
        return !is_stretched_alike(scene, pair, told);
    }
    if matches!(property, "font-weight" | "font-style") {
        // Where an engine nests what makes words bold the other way round, they are as bold.
        let (a, b) = (
            of_words(scene.reference(), pair.a, property),
            of_words(scene.other(), pair.b, property),
        );
        return a.is_empty() || a != b;
    }
    if property == "color" && super::is_drawn(pair.a) {
        // Neither words nor anything else of a drawn control are in it.
        return false;
    }
    if matches!(
        property,
        "letter-spacing" | "-webkit-text-fill-color" | "text-transform" | "font-variant-caps"
    ) {
        return scene
            .reference()
            .children(pair.a.id)
            .iter()
            .filter_map(|&id| scene.reference().node(id))
            .any(is_text);
    }
    true
}

/// So many nodes of a box are looked at for words.
const HOLDS: usize = 256;

/// What its words say of a property, in their order.
fn of_words<'d>(document: &'d Document, node: &Node, property: &str) -> Vec<&'d str> {
    let words = document.texts_within(node.id, HOLDS).filter(|(text, _)| shown(text));
    words.map(|(_, holder)| document.computed(holder, property)).collect()
}

/// Each engine has a ring of its own for what has the focus (`auto`); one that the page draws is seen where it is, and where it is not.
fn is_of_a_ring(scene: &Scene<'_>, pair: Pair<'_>, property: &str) -> bool {
    let drawn = |document: &Document, node: &Node| {
        let computed = |property: &str| document.computed(node, property);
        let has_style = !matches!(computed("outline-style"), "" | "none" | "auto" | "hidden");
        has_style && !matches!(computed("outline-width"), "" | "0px") && !is_clear(computed("outline-color"))
    };
    let (mine, theirs) = (drawn(scene.reference(), pair.a), drawn(scene.other(), pair.b));
    let (a, b) = scene.computed(pair, "outline-style");
    match property {
        "outline-style" => mine != theirs && a != "auto" && b != "auto",
        _ => mine && theirs,
    }
}

fn is_clear(colour: &str) -> bool {
    colour == "transparent" || (colour.starts_with("rgba(") && colour.ends_with(", 0)"))
}

/// One gradient without a colour that is seen through, which fills its box.
fn hides_colour(image: &str) -> bool {
    let is_gradient = image.starts_with("linear-gradient(") || image.starts_with("radial-gradient(");
    is_gradient
        && !["rgba(", "transparent", "url(", " / ", "color-mix("]
            .iter()
            .any(|seen| image.contains(seen))
}

/// Paints nothing outside its box.
pub(super) fn is_within(property: &str) -> bool {
    property == "color" || property.starts_with("background-")
}

/// Which letters are shown, not where or in what colour.
pub(super) fn is_of_letters(property: &str) -> bool {
    matches!(
        property,
        "text-transform" | "font-variant-caps" | "font-style" | "text-emphasis-style"
    )
}

pub(super) fn raw(pair: Pair<'_>, told: &[Told]) -> Option<Raw> {
    let first = told.first()?;
    let title = match told {
        [_] => format!("has another `{}`", first.property),
        [_, second] => format!("has another `{}` and `{}`", first.property, second.property),
        more => format!(
            "has another `{}` and {} other properties",
            first.property,
            more.len() - 1
        ),
    };
    let mut raw = Raw::at(pair, Kind::Visual, first.property, title);
    for told in told {
        raw = raw.differs(told.property, spoken(&told.reference), spoken(&told.other));
    }
    Some(raw)
}

/// Page data leaves initial values out.
pub(crate) fn spoken(value: &str) -> &str {
    if value.is_empty() { "initial" } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_font_is_another_by_the_first_name_that_is_no_systems() {
        let alike = |a: &str, b: &str| looks_alike("font-family", a, b, &Tolerances::default());
        assert!(alike("\"Liberation Serif\", serif", "Liberation Serif, Times"));
        assert!(alike("system-ui, Arial", "Arial"));
        assert!(!alike("Arial, sans-serif", "\"Liberation Serif\", serif"));
    }

    #[test]
    fn where_a_transform_moves_a_box_is_no_look_of_it() {
        let alike = |a: &str, b: &str| looks_alike("transform", a, b, &Tolerances::default());
        assert!(alike("matrix(1, 0, 0, 1, 33, 84)", "matrix(1, 0, 0, 1, 20, 84)"));
        assert!(!alike("matrix(1, 0, 0, 1, 33, 84)", "matrix(0.5, 0, 0, 1, 33, 84)"));
        assert!(!alike("matrix(1, 0, 0, 1, 33, 84)", "none"));
    }

    #[test]
    fn a_gradient_hides_the_colour_behind_it_unless_it_is_seen_through() {
        assert!(hides_colour("linear-gradient(rgb(239, 241, 245), rgb(217, 217, 223))"));
        assert!(!hides_colour(
            "linear-gradient(rgb(239, 241, 245), rgba(217, 217, 223, 0.5))"
        ));
        assert!(!hides_colour(
            "linear-gradient(rgb(1, 1, 1), rgb(2, 2, 2)), url(\"a.png\")"
        ));
        assert!(!hides_colour("none"));
    }
}
