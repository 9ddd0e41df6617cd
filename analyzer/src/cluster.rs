//! Many differences, few things to fix: differences that belong together become one XBI.
//!
//! Two belong together when they are on the same node (at whatever checkpoint), on an ancestor and a descendant, on
//! siblings in the same way, when they have the same cause, when one follows from a divergence of the replay, when the same
//! callback is handed on, or not, once more, when the same words are missing, when one browser says the same each
//! time, or when a hand misses what is gone.

mod echo;
mod keys;
mod kinship;

use crate::findings::{Because, Difference, Kind, Occurrence, Xbi};
use crate::spot::Spot;
use keys::keys;
use kinship::{Brood, brood, gain_in_width, is_alone, place_of_what_is_gone, place_of_what_is_missed};
use sha2::{Digest, Sha256};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use xcheck_trace::page::NodeId;

/// Differences of other nodes that are told with an XBI; a hundred cards moved by one gap need no hundred lines.
const MOST_DIFFERENCES: usize = 24;
const MOST_OCCURRENCES: usize = 50;
const MOST_BOXES: usize = 40;

pub(crate) fn xbis(spots: Vec<Spot>) -> Vec<Xbi> {
    let groups = group(&spots);
    let mut found: BTreeMap<String, Xbi> = BTreeMap::new();
    for members in groups {
        let mut members: Vec<&Spot> = members.into_iter().map(|at| &spots[at]).collect();
        members.sort_by(|a, b| rank(a).cmp(&rank(b)));
        let xbi = xbi(&members);
        // The same place in another load of the page is the same thing to fix.
        match found.get_mut(&xbi.id) {
            Some(known) => merge(known, xbi),
            None => {
                found.insert(xbi.id.clone(), xbi);
            }
        }
    }
    let mut xbis: Vec<Xbi> = found.into_values().collect();
    in_order(&mut xbis);
    xbis
}

pub(crate) fn in_order(xbis: &mut [Xbi]) {
    xbis.sort_by(|a, b| order(a).cmp(&order(b)));
}

pub(crate) fn order(xbi: &Xbi) -> impl Ord + '_ {
    (&xbi.event, xbi.kind, &xbi.id)
}

/// Twelve digits that repeat between runs: numbers that were measured are not in it, nor those of the addresses that an event names, such
/// as the port that an application was given this time, or the time in a query.
pub(crate) fn id(kind: Kind, label: &str, locator: &str, property: &str) -> String {
    let mut hash = Sha256::new();
    let label = without_numbers_in_addresses(label);
    for part in ["xbi 1", &format!("{kind:?}"), &label, locator, property] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize()
        .iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Which spot speaks for its group: none that only leads to another, then another page or address, behaviour before what it leads
/// to, the first event, what is explained, the highest node, what says most, document order.
fn rank(spot: &Spot) -> impl Ord + '_ {
    (
        spot.leads_to.is_some(),
        !spot.leads_elsewhere(),
        spot.raw.kind != Kind::Behaviour,
        spot.load.is_some() && spot.raw.kind == Kind::Behaviour,
        spot.place.number,
        spot.raw.kind,
        (spot.above.len(), spot.counts_answers()),
        (&spot.xpath, &spot.raw.property),
        (spot.load, spot.node()),
    )
}

fn xbi(members: &[&Spot]) -> Xbi {
    let first = members[0];
    let mut differences: Vec<Difference> = Vec::new();
    for spot in members {
        for difference in &spot.raw.differences {
            let mut difference = difference.clone();
            if spot.selector != first.selector {
                difference.selector = spot.selector.clone();
            }
            if !differences.contains(&difference) && differences.len() < MOST_DIFFERENCES {
                differences.push(difference);
            }
        }
    }
    let shown = members.iter().filter(|spot| spot.leads_to == first.leads_to);
    let event = shown.map(|spot| &spot.event).min().unwrap_or(&first.event);
    let confidence = members
        .iter()
        .map(|spot| spot.raw.confidence)
        .fold(0.0, f64::max)
        .max(if first.cause.is_some() {
            first.raw.confidence + 0.05
        } else {
            0.0
        })
        .min(0.99);
    Xbi {
        id: id(
            first.raw.kind,
            &event.label,
            &locator(first),
            &stable(&first.raw.property),
        ),
        kind: first.raw.kind,
        event: event.clone(),
        selector: first.selector.clone(),
        xpath: first.xpath.clone(),
        element: first.element.clone(),
        title: first.raw.title.clone(),
        confidence: (confidence * 100.0).round() / 100.0,
        cause: members.iter().find_map(|spot| spot.cause.clone()),
        differences,
        occurrences: occurrences(members),
    }
}

fn locator(spot: &Spot) -> String {
    if spot.selector.is_empty() {
        spot.xpath.clone()
    } else {
        spot.selector.clone()
    }
}

/// Runs of digits are measured, counted or drawn; they do not name anything.
fn stable(property: &str) -> String {
    let mut text = String::new();
    for letter in property.chars() {
        if !letter.is_ascii_digit() {
            text.push(letter);
        } else if !text.ends_with('#') {
            text.push('#');
        }
    }
    text
}

fn without_numbers_in_addresses(label: &str) -> String {
    let words = label.split(' ').map(|word| match word.contains("://") {
        true => stable(word),
        false => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// One per checkpoint, with the boxes of all members.
fn occurrences(members: &[&Spot]) -> Vec<Occurrence> {
    let mut found: BTreeMap<(u32, u32, u32), Occurrence> = BTreeMap::new();
    for spot in members {
        let key = (spot.place.number, spot.place.load, spot.place.event);
        let occurrence = spot.occurrence();
        match found.get_mut(&key) {
            None => {
                found.insert(key, occurrence);
            }
            Some(known) => {
                for (known, more) in [
                    (&mut known.reference, occurrence.reference),
                    (&mut known.other, occurrence.other),
                ] {
                    if known.screenshot_sha256.is_none() {
                        known.screenshot_sha256 = more.screenshot_sha256;
                        known.page = more.page;
                    }
                    let room = MOST_BOXES.saturating_sub(known.boxes.len());
                    let new: Vec<_> = more
                        .boxes
                        .into_iter()
                        .filter(|rect| !known.boxes.contains(rect))
                        .collect();
                    known.boxes.extend(new.into_iter().take(room));
                }
            }
        }
    }
    found.into_values().take(MOST_OCCURRENCES).collect()
}

pub(crate) fn merge(known: &mut Xbi, more: Xbi) {
    known.event = known.event.clone().min(more.event);
    known.confidence = known.confidence.max(more.confidence);
    known.cause = known.cause.take().or(more.cause);
    for mut difference in more.differences {
        // Where none is named it is the finding's own, which it is no longer.
        if difference.selector.is_empty() && more.selector != known.selector {
            difference.selector.clone_from(&more.selector);
        }
        if known.differences.len() < MOST_DIFFERENCES && !known.differences.contains(&difference) {
            known.differences.push(difference);
        }
    }
    known.occurrences.extend(more.occurrences);
    known.occurrences.sort_by_key(|occurrence| occurrence.place);
    known.occurrences.truncate(MOST_OCCURRENCES);
}

/// Indices of spots that belong together.
fn group(spots: &[Spot]) -> Vec<Vec<usize>> {
    let mut sets = Sets::new(spots.len());
    let mut by_key: BTreeMap<String, usize> = BTreeMap::new();
    let broods: BTreeSet<Brood> = spots.iter().filter(|spot| is_alone(spot)).filter_map(brood).collect();
    for (at, spot) in spots.iter().enumerate() {
        for key in keys(spot, &broods) {
            match by_key.entry(key) {
                Entry::Occupied(known) => sets.join(*known.get(), at),
                Entry::Vacant(free) => {
                    free.insert(at);
                }
            }
        }
    }
    join_with_ancestors(spots, &mut sets);
    join_with_what_is_gone(spots, &mut sets);
    join_with_what_follows(spots, &mut sets);
    join_with_what_takes_its_room(spots, &mut sets);
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..spots.len() {
        groups.entry(sets.find(at)).or_default().push(at);
    }
    groups.into_values().flat_map(|group| apart(spots, group)).collect()
}

/// Where a replay went another way and the page's own rules say why something looks otherwise, that is no consequence of it. More
/// likely it is the other way round: a script that measures boxes goes another way where they stand elsewhere.
fn apart(spots: &[Spot], group: Vec<usize>) -> Vec<Vec<usize>> {
    let because = |at: &usize| spots[*at].cause.as_ref().map(|cause| &cause.because);
    let went_astray =
        |at: &usize| spots[*at].raw.kind == Kind::Behaviour && matches!(because(at), Some(Because::Diverged { .. }));
    let has_own_rules = |at: &usize| {
        matches!(spots[*at].raw.kind, Kind::Structure | Kind::Visual)
            && matches!(
                because(at),
                Some(Because::Unsupported { .. } | Because::OnlyHere { .. })
            )
    };
    if !group.iter().any(went_astray) {
        return vec![group];
    }
    let (ruled, rest): (Vec<usize>, Vec<usize>) = group.into_iter().partition(has_own_rules);
    [rest, ruled].into_iter().filter(|group| !group.is_empty()).collect()
}

/// A node and what it holds, when they are said at the same checkpoint and nothing tells them apart: a different cause
/// does. What hangs below a node with other attributes follows from those, and so does a picture that is other where such a node
/// is in it.
fn join_with_ancestors(spots: &[Spot], sets: &mut Sets) {
    let mut nodes: BTreeMap<(u32, NodeId), Vec<usize>> = BTreeMap::new();
    for (at, spot) in spots.iter().enumerate() {
        if let (Some(load), Some(node)) = (spot.load, spot.raw.reference) {
            nodes.entry((load, node)).or_default().push(at);
        }
    }
    for (at, spot) in spots.iter().enumerate() {
        let Some(load) = spot.load else { continue };
        for &ancestor in &spot.above {
            for &higher in nodes.get(&(load, ancestor)).into_iter().flatten() {
                let above = &spots[higher];
                let marked = above.raw.kind == Kind::Behaviour && above.place.number <= spot.place.number;
                let together = above.raw.kind == spot.raw.kind
                    && above.place.number == spot.place.number
                    && (above.cause_key == spot.cause_key || spot.cause_key.is_none());
                let pictured = matches!(above.raw.property.as_str(), "picture" | "own-paint")
                    && spot.raw.kind == Kind::Behaviour
                    && above.place.number == spot.place.number;
                if marked || together || pictured {
                    sets.join(higher, at);
                }
            }
        }
    }
}

/// Nobody can point at what is no longer there, nor at what it held.
fn join_with_what_is_gone(spots: &[Spot], sets: &mut Sets) {
    let gone: Vec<(usize, String)> = (0..spots.len())
        .filter_map(|at| Some((at, place_of_what_is_gone(&spots[at])?)))
        .collect();
    for (at, spot) in spots.iter().enumerate() {
        let Some(missed) = place_of_what_is_missed(spot) else {
            continue;
        };
        let is_in = |place: &str| {
            let within = missed.strip_prefix(place);
            within.is_some_and(|within| within.is_empty() || within.starts_with('>'))
        };
        let behind = gone.iter().find(|(before, place)| {
            let before = &spots[*before].place;
            before.load == spot.place.load && before.number <= spot.place.number && is_in(place)
        });
        if let Some(&(before, _)) = behind {
            sets.join(before, at);
        }
    }
}

/// A mark that nobody sees is told with the first thing that may have come of it.
fn join_with_what_follows(spots: &[Spot], sets: &mut Sets) {
    let mut firsts: BTreeMap<u32, usize> = BTreeMap::new();
    for (at, spot) in spots.iter().enumerate().filter(|(_, spot)| spot.leads_to.is_none()) {
        firsts.entry(spot.place.number).or_insert(at);
    }
    for (at, spot) in spots.iter().enumerate() {
        if let Some(&first) = spot.leads_to.and_then(|number| firsts.get(&number)) {
            sets.join(first, at);
        }
    }
}

/// How many px of what one box gives up its neighbour may not take.
const SHARED: f32 = 2.0;

/// What stands beside a box that is narrower is as much wider.
fn join_with_what_takes_its_room(spots: &[Spot], sets: &mut Sets) {
    let mut rows: BTreeMap<Brood, Vec<(usize, f32)>> = BTreeMap::new();
    for (at, spot) in spots.iter().enumerate() {
        if let (Some(row), Some(gain)) = (brood(spot), gain_in_width(spot)) {
            rows.entry(row).or_default().push((at, gain));
        }
    }
    for row in rows.values() {
        for (at, (first, gain)) in row.iter().enumerate() {
            for (second, other) in &row[at + 1..] {
                if (gain + other).abs() <= SHARED {
                    sets.join(*first, *second);
                }
            }
        }
    }
}

/// Union and find; the smaller index stands for its set.
struct Sets(Vec<usize>);

impl Sets {
    fn new(count: usize) -> Self {
        Sets((0..count).collect())
    }

    fn find(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_same_at_another_port_and_another_when_another_event_tells() {
        let of = |label: &str| id(Kind::Behaviour, label, "", "callback-missing");
        assert_eq!(
            of("load of GET http://127.0.0.1:42639/user?_=1795987036232"),
            of("load of GET http://127.0.0.1:8080/user?_=17")
        );
        assert_ne!(
            of("script http://127.0.0.1:1/a.js"),
            of("script http://127.0.0.1:1/b.js")
        );
        assert_ne!(of("click on #row-1"), of("click on #row-2"));
    }
}
