//! What is measured of a pair of boxes: CrossCheck's five features, and ours.

use crate::findings::Kind;
use crate::scene::{Pair, Raw, Scene, Understood};
use crate::state::Rect;
use crate::text;
use crate::visual::crops::Crop;
use crate::visual::ink::Ink;
use crate::visual::{chi2, picture};

/// As the tree's text names them. The first five are CrossCheck's (its section V).
pub const FEATURES: [&str; 13] = [
    "size-ratio",
    "displacement",
    "area",
    "leaf-text",
    "chi2",
    "background",
    "ink-colour",
    "ink-mass",
    "contrast",
    "blocks-mean",
    "blocks-far",
    "styles",
    "understood",
];

/// In the order of [`FEATURES`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Features(pub [f32; FEATURES.len()]);

impl Features {
    /// `told` is how many computed properties differ that a person sees.
    pub(super) fn of(scene: &Scene<'_>, pair: Pair<'_>, (a, b): (&Crop, &Crop), told: usize) -> Features {
        let (rect_a, rect_b) = (Rect::of(pair.a), Rect::of(pair.b));
        let (area_a, area_b) = (rect_a.width * rect_a.height, rect_b.width * rect_b.height);
        let least = area_a.min(area_b);
        let apart = ((rect_a.x - rect_b.x).powi(2) + (rect_a.y - rect_b.y).powi(2)).sqrt();
        let other_text = text::own(scene.reference(), pair.a.id) != text::own(scene.other(), pair.b.id);
        let (ink_a, ink_b) = (Ink::of(a), Ink::of(b));
        let [background, colour, mass, contrast] = ink_a.apart(&ink_b);
        let blocks = picture::apart(a, b);
        let far = blocks
            .iter()
            .filter(|off| **off > 2.5 * scene.tolerances.picture)
            .count();
        let understood = match scene.understood(pair) {
            Understood::Alike => 0.0,
            Understood::Otherwise => 1.0,
            Understood::PaintOtherwise => 2.0,
        };
        Features([
            (area_a - area_b).abs() / least.max(1.0),
            apart,
            least,
            f32::from(u8::from(other_text)),
            chi2::distance(a, b),
            background,
            colour,
            mass,
            contrast,
            blocks.iter().sum::<f32>() / blocks.len().max(1) as f32,
            far as f32 / blocks.len().max(1) as f32,
            told as f32,
            understood,
        ])
    }

    /// What a finding tells of them.
    pub(super) fn tell(&self, pair: Pair<'_>, confidence: f64) -> Raw {
        let mut raw = Raw::at(pair, Kind::Visual, "tree", "looks different").sure((confidence * 100.0).round() / 100.0);
        for (name, value) in FEATURES.iter().zip(self.0) {
            raw = raw.differs(name, "", format!("{value:.2}"));
        }
        raw
    }
}
