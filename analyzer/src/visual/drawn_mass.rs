//! How much is drawn where on a canvas: letters of another size, strokes of another width. Such are too thin to fill a square, and no
//! two engines smooth them alike, or set them at the same pixel; but as much of them is wherever one looks.

use super::colour::{Lab, distance};
use super::crops::Crop;
use super::ink;
use crate::tolerances::Tolerances;

/// Side of a part, in pixels of the screenshot.
const PART: usize = 96;

/// From one part to the next.
const NEXT: usize = 32;

/// As far away from its place a part is looked for in the other picture.
const AWAY: usize = 8;

/// So many times as much ink, for letters smoothed otherwise.
const MORE: f32 = 1.7;

/// And so many pixels more, for a stroke that is in a part here and just not there.
const LEAST: f32 = 150.0;

/// A distance from the ground that is ink and nothing else.
const FULL: f32 = 40.0;

/// How many pixels of the screenshot stand in parts with far more ink in one picture, where there are more than one.
pub(super) fn difference(a: &Crop, b: &Crop, tolerances: &Tolerances) -> Option<usize> {
    if (a.width, a.height, a.step) != (b.width, b.height, b.step) {
        return None;
    }
    let grounds = [a, b].map(|crop| ink::background(&crop.pixels).0);
    if distance(grounds[0], grounds[1]) > tolerances.background {
        return None;
    }
    let (a, b) = (Sums::of(a, grounds[0]), Sums::of(b, grounds[1]));
    let step = a.step;
    let (part, next) = (PART / step, (NEXT / step).max(1));
    let rows = (0..a.height.saturating_sub(part)).step_by(next);
    let places = rows.flat_map(|top| {
        (0..a.width.saturating_sub(part))
            .step_by(next)
            .map(move |left| (left, top))
    });
    let other = places
        .filter(|&at| a.has_far_more(at, &b, part) || b.has_far_more(at, &a, part))
        .count();
    (other > 1).then_some(other * NEXT * NEXT)
}

/// Ink above and to the left of each pixel.
struct Sums {
    width: usize,
    height: usize,
    step: usize,
    sums: Vec<f64>,
}

impl Sums {
    fn of(crop: &Crop, ground: Lab) -> Sums {
        let (width, height) = (crop.width, crop.height);
        let mut sums = vec![0.0; (width + 1) * (height + 1)];
        for y in 0..height {
            let mut row = 0.0;
            for x in 0..width {
                let share = distance(crop.pixels[y * width + x], ground) / FULL;
                row += f64::from(if share < 0.1 { 0.0 } else { share.min(1.0) });
                sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
            }
        }
        Sums {
            width,
            height,
            step: crop.step.max(1) as usize,
            sums,
        }
    }

    /// In pixels of the screenshot.
    fn within(&self, (left, top): (usize, usize), side: usize) -> f32 {
        let at = |x: usize, y: usize| self.sums[y.min(self.height) * (self.width + 1) + x.min(self.width)];
        let (right, bottom) = (left + side, top + side);
        let sum = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
        sum as f32 * (self.step * self.step) as f32
    }

    /// Than the other has anywhere near.
    fn has_far_more(&self, (left, top): (usize, usize), other: &Sums, side: usize) -> bool {
        let away = AWAY.div_ceil(self.step);
        // Wherever in a part as much larger on all sides: what is at its edge here may be outside it there.
        let grown = (left.saturating_sub(away), top.saturating_sub(away));
        self.within((left, top), side) > LEAST + MORE * other.within(grown, side + 2 * away)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};

    /// A word in letters of a height, each of a stroke a sixth as wide, from a place on.
    fn picture(height: u32, left: u32, ink: [u8; 3]) -> Crop {
        let [r, g, b] = ink;
        Crop::whole(&RgbaImage::from_fn(400, 300, |x, y| {
            let (stroke, end) = (height / 6, left + 5 * height);
            let is_letter = (left..end).contains(&x) && (100..100 + height).contains(&y);
            let is_stroke = is_letter && (x - left) % (height / 2) < stroke;
            if is_stroke {
                Rgba([r, g, b, 255])
            } else {
                Rgba([5, 5, 18, 255])
            }
        }))
    }

    #[test]
    fn letters_of_another_size_are_seen_and_as_large_ones_elsewhere_are_not() {
        let tolerances = Tolerances::default();
        let (pale, bright) = ([230, 225, 190], [255, 250, 215]);
        let found = |other: &Crop| difference(&picture(30, 60, pale), other, &tolerances);
        assert!(found(&picture(18, 60, pale)).is_some());
        assert!(difference(&picture(18, 60, pale), &picture(30, 60, pale), &tolerances).is_some());
        assert_eq!(found(&picture(30, 66, bright)), None);
        assert_eq!(found(&picture(31, 58, pale)), None);
    }
}
