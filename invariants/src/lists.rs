//! Entries of a list whose content comes and goes are held as one: a template that every entry has to meet, and how many
//! there may be. Until a list is seen to roll it is held entry by entry, which asks for more.

use crate::align::{content, is_content};
use crate::template::{Repeats, Template};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// How many there may be, what was seen being a few runs only: as much again on both sides as it varied, but no less than a
/// quarter, for that it varied little may be chance. A list that was never empty may not be.
pub(crate) fn allowed(seen: Repeats) -> RangeInclusive<u32> {
    let slack = (seen.most - seen.least).max(seen.most.div_ceil(4));
    let least = seen.least.saturating_sub(slack).max(seen.least.min(1));
    least..=seen.most + slack
}

/// The kinds of which entries were replaced: some are here and not there, others there and not here, and either their
/// number differs or most of them are new. Here are all that `seen` runs have shown: one of them that was always there until
/// now was there, too, when one was missing that is there now. And those whose number differs while nothing but numbers tells them apart: the
/// labels of an axis, of which nobody knows which has come.
pub(crate) fn to_gather(ours: &[Template], seen: u32, theirs: &[Template]) -> Vec<String> {
    let mut kinds: BTreeMap<&str, [Vec<&Template>; 2]> = BTreeMap::new();
    for (side, children) in [ours, theirs].into_iter().enumerate() {
        for child in children.iter().filter(|child| child.tag != "#text") {
            kinds.entry(&child.kind).or_default()[side].push(child);
        }
    }
    let rolling = kinds
        .into_iter()
        .filter(|(_, [ours, theirs])| is_rolling(ours, seen, theirs));
    rolling.map(|(kind, _)| kind.to_owned()).collect()
}

fn is_rolling(ours: &[&Template], seen: u32, theirs: &[&Template]) -> bool {
    let is_list = |entries: &[&Template]| entries.iter().any(|entry| entry.repeats.is_some());
    if is_list(ours) || is_list(theirs) {
        return true;
    }
    let most = ours.len().max(theirs.len());
    if most < 2 || ours.is_empty() || theirs.is_empty() {
        return false;
    }
    let mut contents: BTreeMap<String, i64> = BTreeMap::new();
    for (entries, sign) in [(ours, 1), (theirs, -1)] {
        for entry in entries {
            *contents.entry(content(*entry)).or_default() += sign;
        }
    }
    if ours.len() != theirs.len() && (are_numbered(ours) || are_numbered(theirs)) {
        return true;
    }
    let only_ours: i64 = contents.values().filter(|count| **count > 0).sum();
    let only_theirs: i64 = -contents.values().filter(|count| **count < 0).sum::<i64>();
    let is_left = |entry: &&&Template| contents.get(&content(**entry)).is_some_and(|count| *count > 0);
    let gone = ours.iter().filter(is_left).filter(|entry| entry.seen == seen).count() as i64;
    let come = ours
        .iter()
        .filter(|entry| !is_left(entry))
        .filter(|entry| entry.seen < seen)
        .count() as i64;
    let replaced = only_ours.min(only_theirs).max(gone.min(come));
    replaced > 0
        && (ours.len() != theirs.len() || replaced * 2 > most as i64)
        && contents.keys().any(|content| is_content(content))
}

/// Several of them say the same but for a number.
fn are_numbered(entries: &[&Template]) -> bool {
    let mut said = BTreeSet::new();
    let contents = entries.iter().map(|entry| content(*entry));
    contents
        .filter(|content| content.contains(['0', '#']))
        .any(|content| !said.insert(content))
}

/// Makes one of all entries of a kind, in the place of the first. `seen`: how often their parent was there. Returns how
/// much was given up by that.
pub(crate) fn gather(children: &mut Vec<Template>, kind: &str, seen: u32) -> u64 {
    let is_single = |child: &Template| child.kind == kind && child.repeats.is_none();
    let Some(place) = children.iter().position(is_single) else {
        return 0;
    };
    let count = children.iter().filter(|child| is_single(child)).count() as u32;
    let always = children
        .iter()
        .filter(|child| is_single(child) && child.seen == seen)
        .count() as u32;
    let mut entries = Vec::new();
    let mut rest = Vec::with_capacity(children.len());
    for child in children.drain(..) {
        if is_single(&child) {
            entries.push(child)
        } else {
            rest.push(child)
        }
    }
    *children = rest;
    let mut entries = entries.into_iter();
    let Some(mut list) = entries.next() else { return 0 };
    list.repeats = Some(Repeats {
        least: always,
        most: count,
    });
    for entry in entries {
        list.merge(entry);
    }
    match children
        .iter()
        .position(|child| child.kind == kind && child.repeats.is_some())
    {
        Some(known) => {
            let mut older = children.remove(known);
            older.repeats = older.repeats.map(|repeats| Repeats {
                least: repeats.least.min(always),
                most: repeats.most.max(count),
            });
            older.merge(list);
            children.insert(known, older);
        }
        None => children.insert(place, list),
    }
    u64::from(count)
}
