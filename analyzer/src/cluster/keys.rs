//! What differences that belong together have in common: those that share a key become one XBI.

use super::echo::{echo, refrains};
use super::kinship::{
    Brood, again, brood, is_alone, is_of_an_act, is_of_looks, rewriting, rule_of_ring, side, table_of_column,
    table_of_row, without_places,
};
use crate::findings::Kind;
use crate::spot::Spot;
use crate::visual::QUOTES;
use std::collections::BTreeSet;
use xcheck_trace::event::LoadId;

/// `broods` are those of which one stands alone.
pub(super) fn keys(spot: &Spot, broods: &BTreeSet<Brood>) -> Vec<String> {
    let mut keys = Vec::new();
    keys.extend(spot.cause_key.as_ref().map(|cause| format!("cause {cause}")));
    let Some(load) = spot.load else {
        keys.extend(again(spot));
        return keys;
    };
    keys.extend(node(spot, load));
    keys.push(place(spot));
    keys.extend(words(spot, load));
    keys.extend(rule_of_ring(spot).map(|rule| format!("ring {} {rule}", page(spot))));
    keys.extend(family(spot, broods));
    if is_of_an_act(spot) {
        keys.push(format!("act {load} {}", spot.place.number));
    }
    keys.extend(cousins(spot, load));
    keys.extend(table_of_row(spot).map(|table| format!("rows {} {table}", page(spot))));
    let column = |table| format!("columns {load} {table} {}", spot.place.number);
    keys.extend(table_of_column(spot).map(column));
    keys.extend(siblings(spot, load));
    keys
}

fn node(spot: &Spot, load: LoadId) -> Option<String> {
    match spot.node() {
        (Some(node), _) => Some(format!("node {load} {node}")),
        (None, Some(node)) => Some(format!("other {load} {node}")),
        (None, None) => None,
    }
}

/// The same place with the same property in another load of the page.
fn place(spot: &Spot) -> String {
    let Spot { selector, raw, .. } = spot;
    format!("place {} {:?} {selector} {}", page(spot), raw.kind, side(&raw.property))
}

fn page(spot: &Spot) -> &str {
    spot.sides[0].url.split(['?', '#']).next().unwrap_or("")
}

fn words(spot: &Spot, load: LoadId) -> Vec<String> {
    let mut keys = Vec::new();
    keys.extend(echo(spot).map(|echo| format!("echo {} {echo}", page(spot))));
    keys.extend(
        refrains(spot)
            .into_iter()
            .map(|refrain| format!("refrain {load} {refrain}")),
    );
    if spot.raw.property == QUOTES {
        keys.push(format!("quotes {}", page(spot)));
    }
    keys.extend(rewriting(spot).map(|rewriting| format!("rewritten {load} {rewriting}")));
    keys
}

fn family(spot: &Spot, broods: &BTreeSet<Brood>) -> Option<String> {
    let brood = brood(spot).filter(|brood| broods.contains(brood))?;
    (is_alone(spot) || is_of_looks(spot)).then(|| format!("brood {brood:?}"))
}

/// Those in the same place of other boxes: at the same time with the same property, and at another time where the same became of them, or
/// they moved in the same way.
fn cousins(spot: &Spot, load: LoadId) -> [String; 2] {
    let cousins = without_places(&spot.xpath);
    let Spot { raw, .. } = spot;
    let (kind, property) = (raw.kind, &raw.property);
    // How many pixels each is off follows from its own width and words.
    let title = raw
        .title
        .replace(|letter: char| letter.is_ascii_digit() || letter == '.', "");
    let cause = cause(spot);
    let became = match kind {
        Kind::Structure => None,
        Kind::Behaviour | Kind::Text | Kind::Visual => {
            let all = raw.differences.iter();
            Some(
                all.map(|one| (&one.property, &one.reference, &one.other))
                    .collect::<Vec<_>>(),
            )
        }
    };
    [
        format!(
            "cousins {load} {cousins} {kind:?} {property} {title} {} {cause}",
            spot.place.number
        ),
        format!(
            "cousins then {} {cousins} {kind:?} {property} {title} {cause} {became:?}",
            page(spot)
        ),
    ]
}

fn siblings(spot: &Spot, load: LoadId) -> Option<String> {
    let parent = spot.above.first()?;
    let (raw, number) = (&spot.raw, spot.place.number);
    Some(format!(
        "siblings {load} {parent} {:?} {} {} {number}",
        raw.kind,
        raw.property,
        cause(spot)
    ))
}

fn cause(spot: &Spot) -> &str {
    spot.cause_key.as_deref().unwrap_or("")
}
