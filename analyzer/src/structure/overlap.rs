//! Neighbours that were apart and cover each other, where no box of the two answers for it already.

use super::Excused;
use super::measure::{Role, is_broken_over_columns, is_inner, large_enough, role, siblings};
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, px};
use crate::state::Rect;
use crate::view;
use std::collections::BTreeSet;
use xcheck_trace::page::NodeId;

pub(super) fn differences(scene: &Scene<'_>, blamed: &BTreeSet<NodeId>, excused: &Excused) -> Vec<Raw> {
    let mut found = Vec::new();
    for &id in scene.focus {
        let Some(pair) = scene.pair(id) else { continue };
        if blamed.contains(&id) || blamed.contains(&pair.a.parent) || excused.children.contains(&pair.a.parent) {
            continue;
        }
        let kind = role(scene.reference(), pair.a);
        if matches!(kind, Role::Text | Role::Inline) || is_inner(scene.reference(), pair.a) {
            continue;
        }
        if !large_enough(scene, pair.a) || !large_enough(scene, pair.b) || is_broken_over_columns(scene, pair) {
            continue;
        }
        let reach = if scene.exhaustive { usize::MAX } else { 1 };
        let (before, _) = siblings(scene, pair.a, reach, 0);
        found.extend(before.into_iter().find_map(|neighbour| {
            let keeps_to_view = |pair| {
                let along = view::taken_along(scene, pair);
                along.into_iter().any(|by| by.abs() > scene.tolerances.aligned)
            };
            let words = matches!(role(scene.reference(), neighbour.a), Role::Text | Role::Inline);
            let free = is_broken_over_columns(scene, neighbour) || keeps_to_view(pair) || keeps_to_view(neighbour);
            if words || free || blamed.contains(&neighbour.a.id) {
                None
            } else {
                covers(scene, pair, neighbour)
            }
        }));
    }
    found
}

fn covers(scene: &Scene<'_>, pair: Pair<'_>, neighbour: Pair<'_>) -> Option<Raw> {
    let (was_wide, was_high) = Rect::of(pair.a).overlap(&Rect::of(neighbour.a));
    let (wide, high) = Rect::of(pair.b).overlap(&Rect::of(neighbour.b));
    let apart = was_wide.min(was_high) <= 1.0;
    (apart && wide.min(high) > scene.tolerances.overlap).then(|| {
        Raw::at(pair, Kind::Structure, "overlap", "covers its neighbour")
            .sure(0.9)
            .differs("overlap", px(0.0), format!("{} × {}", px(wide), px(high)))
    })
}
