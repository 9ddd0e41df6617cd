//! For each finding a picture of both browsers side by side, cut out around it: what judging needs first.

use anyhow::{Context, Result};
use image::{ImageFormat, RgbaImage, imageops};
use std::io::Cursor;
use std::path::Path;
use xcheck_analyzer::findings::{Side, Xbi};
use xcheck_trace::runs::RunReader;

/// Around a finding's box, so that it can be seen where it stands.
const MARGIN: f32 = 60.0;
const LARGEST: f32 = 900.0;
const GAP: u32 = 12;
const BEHIND: image::Rgba<u8> = image::Rgba([255, 0, 255, 255]);

/// `NAME.ID.png`; a finding without pictures, such as most behaviour, has none.
pub(crate) fn of_findings(
    found: &[Xbi],
    reference: &RunReader,
    other: &RunReader,
    into: &Path,
    name: &str,
) -> Result<()> {
    std::fs::create_dir_all(into)?;
    for xbi in found {
        let Some(occurrence) = xbi.occurrences.first() else {
            continue;
        };
        let cut = (cut(reference, &occurrence.reference)?, cut(other, &occurrence.other)?);
        if let (Some(left), Some(right)) = cut {
            let file = into.join(format!("{name}.{}.png", xbi.id));
            side_by_side(&left, &right)
                .save_with_format(&file, ImageFormat::Png)
                .with_context(|| file.display().to_string())?;
        }
    }
    Ok(())
}

fn cut(run: &RunReader, side: &Side) -> Result<Option<RgbaImage>> {
    let Some(hash) = &side.screenshot_sha256 else {
        return Ok(None);
    };
    let png = run.screenshot(&hash.parse()?)?;
    let picture = image::ImageReader::with_format(Cursor::new(png), ImageFormat::Png)
        .decode()?
        .into_rgba8();
    let (width, height) = (picture.width() as f32, picture.height() as f32);
    let [x, y, w, h] = side.boxes.first().copied().unwrap_or([0.0, 0.0, width, height]);
    let left = (x - MARGIN).clamp(0.0, width - 1.0);
    let top = (y - MARGIN).clamp(0.0, height - 1.0);
    let right = (x + w.min(LARGEST) + MARGIN).clamp(left + 1.0, width);
    let bottom = (y + h.min(LARGEST) + MARGIN).clamp(top + 1.0, height);
    let (across, down) = ((right - left) as u32, (bottom - top) as u32);
    Ok(Some(
        imageops::crop_imm(&picture, left as u32, top as u32, across.max(1), down.max(1)).to_image(),
    ))
}

fn side_by_side(left: &RgbaImage, right: &RgbaImage) -> RgbaImage {
    let height = left.height().max(right.height());
    let mut both = RgbaImage::from_pixel(left.width() + GAP + right.width(), height, BEHIND);
    imageops::replace(&mut both, left, 0, 0);
    imageops::replace(&mut both, right, i64::from(left.width() + GAP), 0);
    both
}
