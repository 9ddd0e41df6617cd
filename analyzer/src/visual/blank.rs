//! Parts of a picture where one browser shows nothing at all and the other does: words in the colour of their ground, a mark that is not painted.
//! Their strokes are too thin to make up a share of the picture.

use super::colour::{Lab, distance};
use super::crops::Crop;
use super::own_paint::SEEN;

/// Side of a part, in pixels of the screenshot.
const PART: usize = 32;

/// So far around it nothing is shown either: engines set words some pixels away from each other.
const AROUND: usize = 16;

/// Colour differences (CIE76) within what is blank.
const BLANK: f32 = 6.0;

/// What small letters cover of a part.
const COVERED: f32 = 0.08;

/// How many pixels of the screenshot stand in such parts, where there is more than one.
pub(super) fn in_one(a: &Crop, b: &Crop) -> Option<usize> {
    let step = a.step.max(1) as usize;
    let (width, height) = (a.width.min(b.width), a.height.min(b.height));
    let side = PART.div_ceil(step);
    let corners = (0..height / side).flat_map(|row| (0..width / side).map(move |column| (column * side, row * side)));
    let parts = corners.filter(|&at| is_blank_beside(a, b, at, side) || is_blank_beside(b, a, at, side));
    let parts = parts.count();
    (parts > 1).then_some(parts * PART * PART)
}

fn is_blank_beside(blank: &Crop, painted: &Crop, (left, top): (usize, usize), side: usize) -> bool {
    let ground = blank.pixels[top * blank.width + left];
    let around = AROUND.div_ceil(blank.step.max(1) as usize);
    let grown = (left.saturating_sub(around), top.saturating_sub(around));
    let mut beside = pixels(blank, grown, side + 2 * around);
    if !beside.all(|pixel| distance(pixel, ground) <= BLANK) {
        return false;
    }
    let seen = pixels(painted, (left, top), side).filter(|&pixel| distance(pixel, ground) > SEEN);
    let share = seen.count() as f32 / (side * side) as f32;
    // All of it in another colour is another ground.
    (COVERED..=1.0 - COVERED).contains(&share)
}

fn pixels(of: &Crop, (left, top): (usize, usize), side: usize) -> impl Iterator<Item = Lab> {
    let rows = top..(top + side).min(of.height);
    rows.flat_map(move |row| {
        let start = row * of.width;
        of.pixels[start + left..start + (left + side).min(of.width)]
            .iter()
            .copied()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};

    fn picture(size: u32, paint: impl Fn(u32, u32) -> bool) -> Crop {
        Crop::whole(&RgbaImage::from_fn(size, size, |x, y| {
            if paint(x, y) {
                Rgba([255, 255, 255, 255])
            } else {
                Rgba([40, 60, 120, 255])
            }
        }))
    }

    /// Strokes of four pixels.
    fn words(x: u32, y: u32) -> bool {
        (96..160).contains(&x) && (100..120).contains(&y) && x % 12 < 4
    }

    #[test]
    fn words_that_only_one_shows_are_told_also_of_a_large_picture() {
        for size in [256, 600] {
            let (with, without) = (picture(size, words), picture(size, |_, _| false));
            assert!(in_one(&with, &without).is_some());
            assert!(in_one(&without, &with).is_some());
        }
    }

    #[test]
    fn words_some_pixels_away_and_another_ground_are_not() {
        let with = picture(256, words);
        assert_eq!(in_one(&with, &picture(256, |x, y| words(x + 6, y + 3))), None);
        assert_eq!(in_one(&with, &with), None);
        let [all, none] = [true, false].map(|paints| picture(256, |_, _| paints));
        assert_eq!(in_one(&all, &none), None);
    }
}
