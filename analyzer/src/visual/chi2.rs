//! χ² distance of colour histograms, as CrossCheck, X-PERT and X-Check have it. A baseline: across engines it is
//! nearly blind to colour and drowns in anti-aliasing.

use super::crops::Crop;
use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene};
use std::collections::BTreeMap;

pub(super) fn difference(scene: &Scene<'_>, pair: Pair<'_>, a: &Crop, b: &Crop) -> Option<Raw> {
    let distance = distance(a, b);
    (distance > scene.tolerances.chi2).then(|| {
        Raw::at(pair, Kind::Visual, "histogram", "looks different")
            .sure(f64::from((distance * 100.0).round()) / 100.0)
            .differs("chi2", "0.00", format!("{distance:.2}"))
    })
}

/// 0 for equal shares of every colour, 1 for none in common.
pub(super) fn distance(a: &Crop, b: &Crop) -> f32 {
    let histogram = |crop: &Crop| {
        let mut bins: BTreeMap<[i32; 3], f32> = BTreeMap::new();
        for pixel in &crop.pixels {
            *bins
                .entry(pixel.map(|channel| (channel / 12.5).floor() as i32))
                .or_default() += 1.0;
        }
        let pixels = crop.pixels.len() as f32;
        bins.values_mut().for_each(|count| *count /= pixels);
        bins
    };
    let (a, b) = (histogram(a), histogram(b));
    let mut sum = 0.0;
    for (bin, mine) in &a {
        let theirs = b.get(bin).copied().unwrap_or(0.0);
        sum += (mine - theirs).powi(2) / (mine + theirs);
    }
    sum += b
        .iter()
        .filter(|(bin, _)| !a.contains_key(*bin))
        .map(|(_, theirs)| theirs)
        .sum::<f32>();
    sum / 2.0
}
