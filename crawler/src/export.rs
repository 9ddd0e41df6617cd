//! The model as files for people and for other programs.

mod dot;
mod graph;
mod graphml;
mod html;

pub use dot::dot;
pub use graph::graph;
pub use graphml::graphml;
pub use html::{compared_html, html};

use crate::model::Model;
use image::imageops::FilterType;
use image::{ImageError, RgbaImage};
use std::io;
use std::path::{Path, PathBuf};

pub(crate) const MODEL: &str = "model.json";

/// Wide enough to know a page again.
const THUMBNAIL: u32 = 240;

/// Higher ones are cut off.
const HIGHEST: u32 = 4 * THUMBNAIL;

pub(crate) fn write_all(folder: &Path, model: &Model) -> Result<(), (PathBuf, io::Error)> {
    let files = [
        ("model.graphml", graphml(model)),
        ("model.dot", dot(model)),
        ("index.html", html(model)),
    ];
    for (name, text) in files {
        let path = folder.join(name);
        replace(&path, &text).map_err(|error| (path, error))?;
    }
    Ok(())
}

/// A reader sees the old text or the new one.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_extension("new");
    std::fs::write(&new, text)?;
    std::fs::rename(&new, path)
}

/// A small picture of a page's, to know it again by.
pub fn thumbnail(png: &[u8]) -> Result<RgbaImage, ImageError> {
    let picture = image::load_from_memory_with_format(png, image::ImageFormat::Png)?;
    let height = (u64::from(picture.height()) * u64::from(THUMBNAIL) / u64::from(picture.width().max(1))) as u32;
    let small = picture.resize_exact(THUMBNAIL, height.clamp(1, 16_384), FilterType::Triangle);
    Ok(small.crop_imm(0, 0, THUMBNAIL, height.clamp(1, HIGHEST)).into_rgba8())
}

/// Text between tags, or in a quoted attribute.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // No XML has them.
            c if c.is_control() && !matches!(c, '\n' | '\t') => {}
            c => safe.push(c),
        }
    }
    safe
}
