//! What two findings share by which they are one thing to fix.

use crate::explain::OF_A_RING;
use crate::findings::{Because, Kind};
use crate::hand::is_of_a_hand;
use crate::rewritten;
use crate::spot::Spot;
use crate::text::LINES;
use xcheck_trace::event::LoadId;
use xcheck_trace::page::NodeId;
use xcheck_trace::run::DivergenceKind;

/// A function that one browser alone hands on at every key is one thing, however many keys there are, and so is an element that all
/// of these miss, or a worker that is told something else each time. Callbacks are named by their source.
pub(super) fn again(spot: &Spot) -> Option<String> {
    let because = &spot.cause.as_ref()?.because;
    let Because::Diverged {
        divergence,
        expected,
        actual,
    } = because
    else {
        return None;
    };
    match divergence {
        _ if because.is_of_the_clock() => Some("again looking at the clock".to_owned()),
        // By the hash that it has there, and not by how its text begins.
        DivergenceKind::CallbackMissing => Some(format!("again without {}", spot.raw.property)),
        DivergenceKind::CallbackExtra => Some(format!("again with {actual}")),
        DivergenceKind::TargetMissing => Some(format!("again missing {expected}")),
        DivergenceKind::EventExtra => Some(format!("again {actual}")),
        DivergenceKind::EventMissing => Some(format!("again {expected} of {}", spot.event.label)),
        DivergenceKind::MessageDiffers => Some(format!("again told {}", told(expected, actual)?)),
        DivergenceKind::AnswersExhausted | DivergenceKind::AnswersUnused => {
            Some(format!("again answered {}", spot.event.label))
        }
        _ => None,
    }
}

/// Who a message was for: `Worker 1a0a11f35c550a`, the second word being its content's hash. One that was not sent at all is for nobody.
fn told<'a>(expected: &'a str, actual: &'a str) -> Option<&'a str> {
    let who = |said: &'a str| said.split_once(' ').map(|(who, _)| who);
    who(expected).or_else(|| who(actual))
}

/// By what a text that was written otherwise is known again elsewhere in the page.
pub(super) fn rewriting(spot: &Spot) -> Option<String> {
    let first = spot.raw.differences.first().filter(|_| spot.raw.kind == Kind::Text)?;
    rewritten::known_by(&first.reference, &first.other)
}

/// What scripts made otherwise of one thing that was done is one thing, wherever in the page it shows, as long as nothing else is
/// known to be behind it. What a hand selects is a part of that, and scripts may read it.
pub(super) fn is_of_an_act(spot: &Spot) -> bool {
    let because = spot.cause.as_ref().map(|cause| &cause.because);
    let is_selected = matches!(because, Some(Because::Selected { .. }));
    let by_scripts = match spot.raw.kind {
        Kind::Behaviour => !matches!(spot.raw.property.as_str(), "scrollTop" | "scrollLeft"),
        Kind::Text => matches!(
            spot.raw.property.as_str(),
            "text" | "text-missing" | "text-extra" | "value" | LINES
        ),
        // Shown, or no more.
        Kind::Structure => matches!(spot.raw.property.as_str(), "missing" | "extra"),
        Kind::Visual => false,
    };
    (is_selected || (is_unexplained(spot) && by_scripts)) && is_of_a_hand(&spot.event.label)
}

/// The place of what only the reference has, as targets are named.
pub(super) fn place_of_what_is_gone(spot: &Spot) -> Option<String> {
    if spot.raw.property != "node-missing" {
        return None;
    }
    let place = spot.xpath.trim_start_matches('/').replace('/', ">");
    Some(without_firsts(&place.replace('[', ":").replace(']', "")))
}

/// The place of the target that a gesture misses.
pub(super) fn place_of_what_is_missed(spot: &Spot) -> Option<String> {
    match &spot.cause.as_ref()?.because {
        Because::Diverged {
            divergence: DivergenceKind::TargetMissing,
            expected,
            ..
        } => Some(without_firsts(expected)),
        _ => None,
    }
}

/// Targets are counted among their siblings of a kind, also where there is but one.
fn without_firsts(path: &str) -> String {
    let steps: Vec<&str> = path
        .split('>')
        .map(|step| step.strip_suffix(":1").unwrap_or(step))
        .collect();
    steps.join(">")
}

/// Whose children these are, at which checkpoint.
pub(super) type Brood = (LoadId, NodeId, u32);

pub(super) fn brood(spot: &Spot) -> Option<Brood> {
    Some((spot.load?, *spot.above.first()?, spot.place.number))
}

/// One browser alone has the node.
pub(super) fn is_alone(spot: &Spot) -> bool {
    matches!(spot.raw.property.as_str(), "node-missing" | "node-extra")
}

/// Where a node is missing, its siblings stand elsewhere and may be styled by other rules: of a first one, or one that follows another.
pub(super) fn is_of_looks(spot: &Spot) -> bool {
    is_unexplained(spot) && matches!(spot.raw.kind, Kind::Structure | Kind::Visual)
}

fn is_unexplained(spot: &Spot) -> bool {
    !spot.cause.as_ref().is_some_and(|cause| cause.because.says_why())
}

/// One rule draws a ring in one browser and not in the other, be it here that or there.
pub(super) fn rule_of_ring(spot: &Spot) -> Option<&str> {
    let cause = spot.cause.as_ref().filter(|_| spot.raw.property == OF_A_RING)?;
    let (rule, _) = cause.text.rsplit_once('`')?;
    Some(rule)
}

/// A table shares its height out among its rows: what one is given the others lack.
pub(super) fn table_of_row(spot: &Spot) -> Option<&str> {
    let is_height = spot.raw.kind == Kind::Structure && spot.raw.property == "height";
    table_around(spot).filter(|_| is_height)
}

/// A column is as wide as the cells of all rows want it: where rows are missing, those that are left are of other widths.
pub(super) fn table_of_column(spot: &Spot) -> Option<&str> {
    let is_width = spot.raw.kind == Kind::Structure && spot.raw.property == "width";
    let follows = is_width && is_unexplained(spot);
    table_around(spot).filter(|_| follows || is_alone(spot))
}

/// By how many px a box is wider in the other browser.
pub(super) fn gain_in_width(spot: &Spot) -> Option<f32> {
    let of_boxes = spot.raw.kind == Kind::Structure && is_unexplained(spot);
    let width = spot
        .raw
        .differences
        .iter()
        .find(|one| one.property == "width" && of_boxes)?;
    let px = |text: &str| text.strip_suffix(" px")?.parse::<f32>().ok();
    Some(px(&width.other)? - px(&width.reference)?)
}

/// Of a row or a cell.
fn table_around(spot: &Spot) -> Option<&str> {
    let (_, element) = spot.xpath.rsplit_once('/')?;
    let is_of_a_row = matches!(element.split('[').next(), Some("tr" | "td" | "th"));
    let table = spot.xpath.rfind("/table").filter(|_| is_of_a_row)?;
    let end = spot.xpath[table + 1..].find('/').map(|end| table + 1 + end)?;
    Some(&spot.xpath[..end])
}

/// `/ul/li[3]/img` and `/ul/li[4]/img` are the same place in a pattern that repeats.
pub(super) fn without_places(xpath: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for letter in xpath.chars() {
        match letter {
            '[' => inside = true,
            ']' => inside = false,
            _ if inside => {}
            letter => text.push(letter),
        }
    }
    text
}

/// What a box is too large or too small in is one thing, whichever of its sides that shows in first.
pub(super) fn side(property: &str) -> &str {
    match property {
        "width" | "height" => "size",
        other => other,
    }
}
