//! Screenshots, opened when first needed, and the pieces of them that boxes cover.

use super::colour::{Lab, LabCache};
use super::repainted::Repainted;
use crate::replay::Screenshots;
use crate::state::Rect;
use image::RgbaImage;
use std::rc::Rc;

/// Larger crops are sampled down to about this many pixels.
const MOST: u32 = 160_000;

/// The screenshots of one checkpoint in both browsers.
pub(crate) struct Shots<'a> {
    reference: Source<'a>,
    other: Source<'a>,
    pub(crate) compared: u64,
}

struct Source<'a> {
    screenshots: &'a dyn Screenshots,
    wanted: Option<String>,
    /// The latest first: the one that is compared, and the one before it.
    open: Vec<(String, Result<Rc<RgbaImage>, String>)>,
    /// Between which two pictures, and how they differ.
    repainted: Option<([String; 2], Rc<Repainted>)>,
}

/// A piece of a screenshot in Lab, row by row.
pub(super) struct Crop {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: Vec<Lab>,
    /// Pixels of the screenshot from one of these to the next.
    pub(super) step: u32,
    /// For exact comparison, before any sampling.
    raw: (u32, u32, Vec<u8>),
}

impl<'a> Shots<'a> {
    pub(crate) fn new(reference: &'a dyn Screenshots, other: &'a dyn Screenshots) -> Self {
        let source = |screenshots| Source {
            screenshots,
            wanted: None,
            open: Vec::new(),
            repainted: None,
        };
        Shots {
            reference: source(reference),
            other: source(other),
            compared: 0,
        }
    }

    /// The screenshots that the next crops are from. An image that stays the same is not opened again.
    pub(crate) fn turn_to(&mut self, reference: Option<&str>, other: Option<&str>) {
        self.reference.wanted = reference.map(str::to_owned);
        self.other.wanted = other.map(str::to_owned);
    }

    /// Whether there is something to cut from at all.
    pub(super) fn are_there(&self) -> bool {
        self.reference.wanted.is_some() && self.other.wanted.is_some()
    }

    /// Why the current screenshots could not be opened, once they were asked for: the reference's, the other's.
    pub(crate) fn failures(&self) -> [Option<String>; 2] {
        [&self.reference, &self.other].map(|source| {
            let wanted = source.wanted.as_ref()?;
            source.opened(wanted)?.as_ref().err().cloned()
        })
    }

    /// Where the picture of one side is another than an earlier one of it. Nothing where one of them is missing.
    pub(super) fn repainted(&mut self, side: usize, before: &str) -> Option<Rc<Repainted>> {
        let source = if side == 0 {
            &mut self.reference
        } else {
            &mut self.other
        };
        source.repainted(before)
    }

    /// What two boxes look like, with `margin` px around. Nothing where a screenshot is missing, ends before, or is
    /// transparent, which is where the page was not seen.
    pub(super) fn crops(&mut self, a: Rect, b: Rect, margin: f32) -> Option<(Crop, Crop)> {
        let a = cut(&*self.reference.image()?, a, margin)?;
        let b = cut(&*self.other.image()?, b, margin)?;
        self.compared += 1;
        Some((a, b))
    }
}

impl Source<'_> {
    fn image(&mut self) -> Option<Rc<RgbaImage>> {
        let wanted = self.wanted.clone()?;
        self.picture(&wanted)
    }

    fn picture(&mut self, sha256: &str) -> Option<Rc<RgbaImage>> {
        if self.opened(sha256).is_none() {
            let image = self.screenshots.open(sha256).map(Rc::new);
            self.open.insert(0, (sha256.to_owned(), image));
            self.open.truncate(2);
        }
        self.opened(sha256)?.as_ref().ok().cloned()
    }

    fn opened(&self, sha256: &str) -> Option<&Result<Rc<RgbaImage>, String>> {
        let found = self.open.iter().find(|(open, _)| open == sha256);
        found.map(|(_, image)| image)
    }

    fn repainted(&mut self, before: &str) -> Option<Rc<Repainted>> {
        let pictures = [before.to_owned(), self.wanted.clone()?];
        if pictures[0] == pictures[1] {
            return None;
        }
        if let Some((_, known)) = self.repainted.as_ref().filter(|(of, _)| *of == pictures) {
            return Some(known.clone());
        }
        let [a, b] = [self.picture(&pictures[0])?, self.picture(&pictures[1])?];
        let repainted = Rc::new(Repainted::between(&a, &b));
        self.repainted = Some((pictures, repainted.clone()));
        Some(repainted)
    }
}

impl Crop {
    #[cfg(test)]
    pub(super) fn whole(image: &RgbaImage) -> Crop {
        let rect = Rect {
            x: 0.0,
            y: 0.0,
            width: image.width() as f32,
            height: image.height() as f32,
        };
        cut(image, rect, 0.0).unwrap()
    }

    pub(super) fn same_pixels(&self, other: &Crop) -> bool {
        self.raw == other.raw
    }

    /// Takes out the pixels of two parts. What is left has no rows any more.
    pub(super) fn cut_out(&mut self, whole: Rect, parts: [Rect; 2]) {
        let is_in = parts.map(|part| self.part(whole, part));
        let mut at = 0;
        self.pixels.retain(|_| {
            at += 1;
            !is_in.iter().any(|is_in| is_in(at - 1))
        });
    }

    pub(super) fn recoloured(mut self, of: impl Fn(Lab) -> Lab) -> Crop {
        for pixel in &mut self.pixels {
            *pixel = of(*pixel);
        }
        self
    }

    /// Makes the pixels of a part all the same.
    pub(super) fn blank(&mut self, whole: Rect, part: Rect) {
        let is_in = self.part(whole, part);
        for (at, pixel) in self.pixels.iter_mut().enumerate() {
            if is_in(at) {
                *pixel = [50.0, 0.0, 0.0];
            }
        }
    }

    /// Whether a pixel is in a part of the whole, or close to it.
    fn part(&self, whole: Rect, part: Rect) -> impl Fn(usize) -> bool + use<> {
        let (width, height) = (self.width as f32, self.height as f32);
        let across = |x: f32| (x - whole.x) / whole.width.max(1.0) * width;
        let down = |y: f32| (y - whole.y) / whole.height.max(1.0) * height;
        let margin = 3.0;
        let (left, right) = (across(part.x) - margin, across(part.right()) + margin);
        let (top, bottom) = (down(part.y) - margin, down(part.bottom()) + margin);
        let columns = self.width;
        move |at| {
            let (x, y) = ((at % columns) as f32, (at / columns) as f32);
            x >= left && x <= right && y >= top && y <= bottom
        }
    }

    /// The mean colour of each cell of a grid laid over the whole.
    pub(super) fn grid(&self, columns: usize, rows: usize) -> Vec<Lab> {
        let mut cells = vec![([0.0_f32; 3], 0.0_f32); columns * rows];
        for (at, pixel) in self.pixels.iter().enumerate() {
            let (x, y) = (at % self.width, at / self.width);
            let cell = (y * rows / self.height) * columns + x * columns / self.width;
            let (sum, count) = &mut cells[cell];
            for (sum, channel) in sum.iter_mut().zip(pixel) {
                *sum += channel;
            }
            *count += 1.0;
        }
        cells
            .into_iter()
            .map(|(sum, count)| sum.map(|sum| sum / f32::max(count, 1.0)))
            .collect()
    }
}

fn cut(image: &RgbaImage, rect: Rect, margin: f32) -> Option<Crop> {
    let edge = |value: f32, most: u32| (value.round().max(0.0) as u32).min(most);
    let (left, right) = (
        edge(rect.x - margin, image.width()),
        edge(rect.right() + margin, image.width()),
    );
    let (top, bottom) = (
        edge(rect.y - margin, image.height()),
        edge(rect.bottom() + margin, image.height()),
    );
    let (width, height) = (right.saturating_sub(left), bottom.saturating_sub(top));
    if width < 2 || height < 2 {
        return None;
    }
    let step = (width.saturating_mul(height) as f32 / MOST as f32)
        .sqrt()
        .ceil()
        .max(1.0) as u32;
    let mut cache = LabCache::default();
    let mut pixels = Vec::new();
    let mut raw = Vec::with_capacity((width * height * 3) as usize);
    for y in top..bottom {
        for x in left..right {
            let [r, g, b, seen] = image.get_pixel(x, y).0;
            if seen == 0 {
                return None;
            }
            raw.extend([r, g, b]);
            if (y - top) % step == 0 && (x - left) % step == 0 {
                pixels.push(cache.lab([r, g, b]));
            }
        }
    }
    Some(Crop {
        width: width.div_ceil(step) as usize,
        height: height.div_ceil(step) as usize,
        pixels,
        step,
        raw: (width, height, raw),
    })
}
