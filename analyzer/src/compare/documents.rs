//! The documents of both browsers: their states, the matches between them, and what stands between two checkpoints.

use super::lacking::{self, Lacking};
use super::misplaced;
use super::walk::{Comparison, NAMES};
use crate::behaviour;
use crate::explain;
use crate::findings::{Difference, Kind, Mode, VisualMode};
use crate::focus;
use crate::matching::{Matches, Sides, afresh};
use crate::noise::Mask;
use crate::pointer_edge;
use crate::replay::Shown;
use crate::scene::{Raw, Scene};
use crate::skipped;
use crate::spot::{Moment, Spot};
use crate::state::{Changes, Document};
use crate::structure::{self, Excused};
use crate::style::Support;
use crate::text;
use crate::view::{self, Views};
use crate::visual::{self, Shots, StylePairs};
use std::collections::{BTreeMap, BTreeSet};
use xcheck_trace::event::LoadId;
use xcheck_trace::page::NodeId;

/// A document in both browsers.
#[derive(Default)]
pub(super) struct LoadPair {
    sides: [LoadSide; 2],
    matches: Matches,
    styles: StylePairs,
    support: Support,
    lacking: Lacking,
    views: Views,
    /// What was found before and has not been looked at since.
    standing: Standing,
    /// The pictures that were compared last.
    pictured: [Option<String>; 2],
    pub(super) last_seen: u32,
}

/// By the node in both browsers, then by property.
pub(super) type Standing = BTreeMap<StandingKey, BTreeMap<String, Vec<Difference>>>;

pub(super) type StandingKey = (Option<NodeId>, Option<NodeId>);

#[derive(Default)]
struct LoadSide {
    document: Document,
    /// Since the last comparison.
    changes: Changes,
    /// Why this state cannot be relied on: an increment is missing.
    stale: Option<String>,
    seen: bool,
}

#[derive(PartialEq, Eq, Hash)]
pub(super) struct PairKey {
    load: LoadId,
    states: [u64; 2],
    screenshots: [Option<String>; 2],
}

impl Comparison<'_> {
    /// Brings one browser's states up to date; the documents that it shows.
    pub(super) fn take(&mut self, side: usize, shown: Shown) -> BTreeSet<LoadId> {
        let place = shown.checkpoint.place;
        let pointer = shown.checkpoint.pointer;
        let data = match shown.page {
            Ok(data) => data,
            Err(reason) => {
                for pair in self.loads.values_mut() {
                    pair.sides[side].stale = Some(reason.clone());
                }
                self.miss(place, "page", format!("{}: {reason}", NAMES[side]));
                return BTreeSet::new();
            }
        };
        let now = self.checkpoints;
        let mut shown = BTreeSet::new();
        for document in data.documents {
            let load = document.load;
            let pair = self.loads.entry(load).or_default();
            pair.last_seen = now;
            let state = &mut pair.sides[side];
            if document.whole {
                state.stale = None;
            } else if !state.seen {
                state.stale = Some(format!("document {load} begins with an increment"));
            }
            state.seen = true;
            let changes = state.document.apply(document);
            state.document.pointer = pointer;
            if side == 1 {
                pair.lacking
                    .update(&state.document, &changes, &self.divergences.unanswered);
            }
            state.changes.then(changes);
            shown.insert(load);
        }
        shown
    }

    /// Whether a page that is shown at the top is wider than the window, and begins at its right.
    pub(super) fn goes_on_to_the_left(&self, load: LoadId) -> bool {
        let sides = self.loads.get(&load).into_iter().flat_map(|pair| &pair.sides);
        sides.map(|side| &side.document).any(view::goes_on_to_the_left)
    }

    /// Both states of one document. False when they could not be compared.
    pub(super) fn document(&mut self, load: LoadId, moment: &Moment, screenshots: &[Option<String>; 2]) -> bool {
        // Taken out while it is worked on, so that the rest of `self` stays free.
        let Some(mut pair) = self.loads.remove(&load) else {
            return false;
        };
        let outcome = self.compare_states(&mut pair, moment, screenshots);
        self.loads.insert(load, pair);
        outcome
    }

    fn compare_states(&mut self, pair: &mut LoadPair, moment: &Moment, screenshots: &[Option<String>; 2]) -> bool {
        for (side, name) in NAMES.iter().enumerate() {
            if let Some(reason) = pair.sides[side].stale.clone() {
                self.miss(moment.place, "nodes", format!("{name}: {reason}"));
                return false;
            }
        }
        let [first, second] = &mut pair.sides;
        let changes = [std::mem::take(&mut first.changes), std::mem::take(&mut second.changes)];
        let sides = Sides {
            reference: &first.document,
            other: &second.document,
        };
        let tolerances = &self.options.tolerances;
        pair.views.turn_to(sides, self.divergences.may_scroll(), tolerances);
        if self.options.mode == Mode::Full {
            pair.matches = afresh(sides, tolerances);
        } else {
            pair.matches.update(sides, (&changes[0], &changes[1]), tolerances);
            let key = PairKey {
                load: sides.reference.load,
                states: [sides.reference.fingerprint(), sides.other.fingerprint()],
                screenshots: screenshots.clone(),
            };
            if !self.compared.insert(key) {
                self.timings.repeated_pairs += 1;
                return true;
            }
        }
        self.timings.pairs += 1;
        self.timings.changed_nodes += changes
            .iter()
            .map(|changes| changes.touched().len() as u64)
            .sum::<u64>();

        pair.support.turn_to(sides);
        let focus = match self.options.mode {
            Mode::Full => sides.reference.all().into_iter().collect(),
            Mode::Incremental => {
                let mut focus = focus::nodes(sides, &pair.matches, [&changes[0], &changes[1]]);
                if pair.pictured != *screenshots && self.options.visual != VisualMode::Off {
                    let changes = [&changes[0], &changes[1]];
                    focus.extend(visual::repainted(
                        sides,
                        &pair.matches,
                        changes,
                        &pair.pictured,
                        &mut self.shots,
                    ));
                }
                focus
            }
        };
        pair.pictured.clone_from(screenshots);
        self.timings.checked_nodes += focus.len() as u64;
        let scene = Scene {
            sides,
            matches: &pair.matches,
            tolerances,
            focus: &focus,
            support: &pair.support,
            glass_is_pictured: self.glass_is_pictured,
            views: &pair.views,
            exhaustive: self.options.mode == Mode::Full,
        };
        let found = check(
            &scene,
            &changes[1],
            &mut self.shots,
            &mut pair.styles,
            self.options.visual,
            self.mask,
        );
        if self.measures {
            let said = said_of(found.iter().filter(|raw| raw.kind != Kind::Visual));
            let measured = visual::tree::all(&scene, &mut self.shots, &mut pair.styles, &said);
            self.measured.extend(measured);
        }
        let idle = changes[1].is_nothing_but_looks();
        let unstyled = self.unstyled(&pair.lacking, sides.other);
        self.keep(&scene, found, moment, &mut pair.standing, idle, unstyled.as_deref());
        true
    }

    /// Notes what is new since these nodes were last looked at.
    fn keep(
        &mut self,
        scene: &Scene<'_>,
        found: Vec<Raw>,
        moment: &Moment,
        standing: &mut Standing,
        idle: bool,
        unstyled: Option<&str>,
    ) {
        let mut before = Standing::new();
        let looked_at = |key: &StandingKey| match *key {
            (Some(id), _) => scene.focus.contains(&id) || scene.reference().node(id).is_none(),
            (None, Some(id)) => scene.other().node(id).is_none() || scene.matches.reference(id).is_some(),
            (None, None) => true,
        };
        let again: Vec<StandingKey> = standing.keys().copied().filter(looked_at).collect();
        for key in again {
            if let Some(known) = standing.remove(&key) {
                before.insert(key, known);
            }
        }
        for raw in found {
            if self.mask.hides(scene.reference().load, &raw) {
                self.masked += 1;
                continue;
            }
            let key = (raw.reference, raw.other);
            let known = before.get(&key).and_then(|known| known.get(&raw.property)).is_some()
                || standing
                    .get(&key)
                    .is_some_and(|known| known.contains_key(&raw.property));
            standing
                .entry(key)
                .or_default()
                .insert(raw.property.clone(), raw.differences.clone());
            if known {
                continue;
            }
            let cause = explain::cause(scene, &raw, &self.browser);
            let raw = explain::generator(scene, &raw, cause.as_ref()).unwrap_or(raw);
            let mut spot = Spot::on_page(scene, raw, moment, cause);
            if spot.cause.is_none() {
                spot.cause_key = misplaced::key(scene, &spot, standing);
            }
            match unstyled.filter(|_| lacking::is_of_looks(&spot.raw, spot.cause.as_ref(), scene.other())) {
                Some(style_sheet) => self.divergences.unanswered.explain(style_sheet, &mut spot),
                None => self.divergences.follow(&mut spot, idle),
            }
            self.spots.push(spot);
        }
    }

    /// What the documents that are shown lack, so that their events are understood.
    pub(super) fn lacking(&mut self, shown: &BTreeSet<LoadId>) {
        let lacking = shown
            .iter()
            .filter_map(|load| Some((*load, &self.loads.get(load)?.lacking)));
        let mut style_sheet = None;
        for (load, lacking) in lacking {
            style_sheet = style_sheet.or(lacking.style_sheet());
            if let Some(url) = lacking.script() {
                self.divergences.lacks_script(load, url);
            }
        }
        self.divergences.unanswered.is_without(style_sheet);
    }

    /// The style sheet that a document lacks, or one that it stands in as a frame.
    fn unstyled(&self, own: &Lacking, document: &Document) -> Option<String> {
        let around = self.loads.values().filter(|pair| {
            let outer = &pair.sides[1];
            outer.seen && pair.last_seen == self.checkpoints && is_around(&outer.document, document)
        });
        let found = own
            .style_sheet()
            .or_else(|| around.filter_map(|pair| pair.lacking.style_sheet()).next());
        found.map(str::to_owned)
    }
}

fn is_around(outer: &Document, inner: &Document) -> bool {
    outer.path.len() < inner.path.len() && inner.path.starts_with(&outer.path)
}

/// The checks in their order: each spares the next what is said already.
fn check(
    scene: &Scene<'_>,
    other: &Changes,
    shots: &mut Shots<'_>,
    styles: &mut StylePairs,
    mode: VisualMode,
    mask: &Mask,
) -> Vec<Raw> {
    let mut excused = Excused::default();
    for id in mask.restless(scene.reference().load) {
        excused.holder(scene, id);
    }
    skipped::excuse(scene, &mut excused);
    let mut found = behaviour::differences(scene, other, &mut excused);
    found.extend(text::differences(scene, &mut excused));
    found.extend(visual::pictures(scene, &mut excused));
    found.extend(structure::differences(scene, excused));
    let said = said_of(found.iter());
    found.extend(visual::differences(scene, shots, styles, mode, &said));
    // Last, for what is in the page looks the same wherever it is scrolled to.
    found.extend(view::scrolled(scene));
    found.retain(|raw| !skipped::is_of_it(scene, raw) && !pointer_edge::is_of_it(scene, raw));
    found
}

/// The nodes that these findings are about, but for marks: those say nothing of what is seen.
fn said_of<'r>(found: impl Iterator<Item = &'r Raw>) -> BTreeSet<NodeId> {
    let telling = found.filter(|raw| !behaviour::is_mark(raw));
    telling.filter_map(|raw| raw.reference).collect()
}
