//! Background and ink apart.
//!
//! A colour histogram of a line of text is nine tenths background: the distance between two of them says more about
//! anti-aliasing than about a wrong colour. So the background is taken out first (the most frequent colour), every
//! pixel weighs as ink by how far it is from it, and what is left is compared as four separate things.

use super::colour::{Lab, distance, hex};
use super::crops::Crop;
use crate::tolerances::Tolerances;
use std::collections::BTreeMap;

pub(super) struct Ink {
    background: Lab,
    /// Share of the pixels that have about that colour.
    plain: f32,
    /// Weighted mean colour of the ink, in the a,b plane.
    chroma: [f32; 2],
    colour: Lab,
    /// Sum of weights, in pixels per height of the box squared, so that it does not depend on the box's width.
    mass: f32,
    /// How far the strongest ink is from the background.
    contrast: f32,
}

pub(super) struct Cue {
    pub(super) name: &'static str,
    pub(super) reference: String,
    pub(super) other: String,
    /// Needs no second cue.
    pub(super) alone: bool,
}

/// Less than this is no ink but noise of the background.
const LEAST_CONTRAST: f32 = 4.0;

/// Share of a box that has one colour where nothing is written or drawn in it.
const LARGEST_PLAIN: f32 = 0.97;

/// The permille of distances from the background that counts as full ink.
const STRONGEST: usize = 995;

/// A colour is as much in one of two crops as in the other, when its share there is at least this part of its share here.
const LEAST_IN_BOTH: f32 = 0.8;

/// A row of pixels at the edge of a gradient can be its strongest ink, beside which all else is light: in all it is as much but
/// for this share.
const SAME_GRADIENT: f32 = 0.1;

/// A letter that is one stroke fills a crop of so many pixels as much as what is behind it.
const NARROWEST: usize = 6;

impl Ink {
    pub(super) fn of(crop: &Crop) -> Ink {
        Ink::with(crop, STRONGEST)
    }

    /// Of what is left when the words are cut out: a small icon in a wide box. Nothing where nothing is left.
    pub(super) fn beside(crop: &Crop) -> Option<Ink> {
        (crop.pixels.len() > 64).then(|| Ink::with(crop, 998))
    }

    /// Of two that show the same box. Where two colours cover about as much of it, in halves, or none prevails, in a gradient,
    /// which of them is the more frequent is chance: both are then measured from the reference's.
    pub(super) fn of_both(a: &Crop, b: &Crop, tolerances: &Tolerances) -> (Ink, Ink) {
        let (of_a, of_b) = (Ink::of(a), Ink::of(b));
        let near = |crop: &Crop, colour: Lab| {
            let near = |pixel: &&Lab| distance(**pixel, colour) <= tolerances.background;
            crop.pixels.iter().filter(near).count() as f32 / crop.pixels.len() as f32
        };
        let is_in_both = |colour: Lab| {
            let (here, there) = (near(a, colour), near(b, colour));
            here.min(there) > LEAST_IN_BOTH * here.max(there)
        };
        let apart = distance(of_a.background, of_b.background) > tolerances.background;
        let is_chance = || {
            let both = is_in_both(of_a.background) && is_in_both(of_b.background);
            both || !prevails(&of_a, &of_b) || a.width.min(b.width) <= NARROWEST
        };
        if apart && is_chance() {
            let share = near(b, of_a.background);
            let of_b = Ink::from(b, (of_a.background, share), STRONGEST);
            return (of_a, of_b);
        }
        (of_a, of_b)
    }

    pub(super) fn background(&self) -> Lab {
        self.background
    }

    pub(super) fn contrast(&self) -> f32 {
        self.contrast
    }

    pub(super) fn is_blank(&self) -> bool {
        self.contrast < LEAST_CONTRAST
    }

    /// How far apart two are: background, colour, ink mass (natural logarithm), contrast (share of the stronger).
    pub(super) fn apart(&self, other: &Ink) -> [f32; 4] {
        let colour = (self.chroma[0] - other.chroma[0]).hypot(self.chroma[1] - other.chroma[1]);
        let least = 0.002;
        let mass = ((self.mass + least) / (other.mass + least)).ln().abs();
        let strongest = self.contrast.max(other.contrast).max(1.0);
        [
            distance(self.background, other.background),
            colour,
            mass,
            (self.contrast - other.contrast).abs() / strongest,
        ]
    }

    /// `strongest` is the permille of distances that counts as full ink.
    fn with(crop: &Crop, strongest: usize) -> Ink {
        Ink::from(crop, background(&crop.pixels), strongest)
    }

    fn from(crop: &Crop, (background, plain): (Lab, f32), strongest: usize) -> Ink {
        let mut distances: Vec<f32> = crop.pixels.iter().map(|&pixel| distance(pixel, background)).collect();
        let mut sorted = distances.clone();
        sorted.sort_by(f32::total_cmp);
        let contrast = sorted[(sorted.len() - 1) * strongest / 1000];
        if contrast < LEAST_CONTRAST {
            return Ink {
                background,
                plain,
                chroma: [0.0; 2],
                colour: background,
                mass: 0.0,
                contrast: 0.0,
            };
        }
        for distance in &mut distances {
            *distance = (*distance / contrast).min(1.0);
            // The faint fringe of large flat areas would outweigh the letters.
            if *distance < 0.1 {
                *distance = 0.0;
            }
        }
        let mass: f32 = distances.iter().sum();
        let mut colour = [0.0; 3];
        // The core of the strokes has the ink's colour; their edges are mixed with the background.
        let mut weight = 0.0;
        for (pixel, share) in crop.pixels.iter().zip(&distances) {
            let share = share * share;
            weight += share;
            for (sum, channel) in colour.iter_mut().zip(pixel) {
                *sum += share * channel;
            }
        }
        let colour = colour.map(|sum| sum / weight.max(f32::EPSILON));
        Ink {
            background,
            plain,
            chroma: [colour[1] - background[1], colour[2] - background[2]],
            colour,
            mass: mass / crop.pixels.len() as f32,
            contrast,
        }
    }
}

/// What differs between two pictures of a box, most telling first.
pub(super) fn between(a: &Crop, b: &Crop, tolerances: &Tolerances) -> Vec<Cue> {
    let (a, b) = Ink::of_both(a, b, tolerances);
    cues(&a, &b, tolerances)
}

/// Whether two hold the same colour and but for a share as much of it in all, however it is spread.
pub(super) fn as_much(a: &Crop, b: &Crop, tolerances: &Tolerances, share: f32) -> bool {
    let (a, b) = Ink::of_both(a, b, tolerances);
    let [background, colour, ..] = a.apart(&b);
    background <= tolerances.background && colour <= tolerances.ink_colour && holds_as_much(&a, &b, share)
}

fn holds_as_much(a: &Ink, b: &Ink, share: f32) -> bool {
    let (here, there) = (a.mass * a.contrast, b.mass * b.contrast);
    (here - there).abs() <= share * here.max(there)
}

/// What differs between two, most telling first.
pub(super) fn cues(a: &Ink, b: &Ink, tolerances: &Tolerances) -> Vec<Cue> {
    let mut found = Vec::new();
    let background = distance(a.background, b.background);
    if prevails(a, b) && background > tolerances.background {
        found.push(Cue {
            name: "background",
            reference: hex(a.background),
            other: hex(b.background),
            alone: background > tolerances.background_alone,
        });
    }
    let has_ink = |ink: &Ink| ink.contrast >= LEAST_CONTRAST;
    if !has_ink(a) && !has_ink(b) {
        return found;
    }
    let apart = ((a.chroma[0] - b.chroma[0]).powi(2) + (a.chroma[1] - b.chroma[1]).powi(2)).sqrt();
    if has_ink(a) && has_ink(b) && !is_rim(a, b) && apart > tolerances.ink_colour {
        found.push(Cue {
            name: "ink-colour",
            reference: hex(a.colour),
            other: hex(b.colour),
            alone: apart > 2.5 * tolerances.ink_colour,
        });
    }
    if !prevails(a, b) && holds_as_much(a, b, SAME_GRADIENT) {
        return found;
    }
    let least = 0.002;
    let ratio = ((a.mass + least) / (b.mass + least)).ln().abs();
    if ratio > tolerances.ink_mass {
        found.push(Cue {
            name: "ink-mass",
            reference: format!("{:.0} % of the box", a.mass * 100.0),
            other: format!("{:.0} % of the box", b.mass * 100.0),
            alone: ratio > 2.5 * tolerances.ink_mass,
        });
    }
    let strongest = a.contrast.max(b.contrast);
    let off = (a.contrast - b.contrast).abs();
    if off > 12.0 && off / strongest > tolerances.ink_contrast {
        found.push(Cue {
            name: "contrast",
            reference: format!("{:.0}", a.contrast),
            other: format!("{:.0}", b.contrast),
            alone: false,
        });
    }
    found
}

/// What little ink there is, in one hardly any: pixels at the edges of a turned box, in which what lies behind shines through.
fn is_rim(a: &Ink, b: &Ink) -> bool {
    a.plain.min(b.plain) > LARGEST_PLAIN && a.contrast.min(b.contrast) < 2.0 * LEAST_CONTRAST
}

/// Otherwise it is chance which colour is the most frequent.
fn prevails(a: &Ink, b: &Ink) -> bool {
    a.plain.min(b.plain) > 0.3
}

/// Mean of the pixels in the most frequent class of colours.
pub(super) fn background(pixels: &[Lab]) -> (Lab, f32) {
    let mut classes: BTreeMap<[i32; 3], (u32, Lab)> = BTreeMap::new();
    for pixel in pixels {
        let class = classes
            .entry(pixel.map(|channel| (channel / 6.0).floor() as i32))
            .or_insert((0, [0.0; 3]));
        class.0 += 1;
        for (sum, channel) in class.1.iter_mut().zip(pixel) {
            *sum += channel;
        }
    }
    classes
        .into_values()
        .max_by(|a, b| a.0.cmp(&b.0))
        .map_or(([0.0; 3], 0.0), |(count, sum)| {
            (sum.map(|sum| sum / count as f32), count as f32 / pixels.len() as f32)
        })
}
