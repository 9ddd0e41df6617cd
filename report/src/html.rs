//! One HTML file that needs nothing else: opened from disk, sent by mail, kept as a CI artefact.
//!
//! Pictures are written once each, as base64 in inert `<script>` elements, because a browser neither parses nor decodes
//! those until the report's script asks for one. `data:` URLs in the markup would be decoded, and repeated, at once.
//! The page's own policy forbids it to load anything from anywhere.

use crate::view::{self, Step};
use base64::Engine;
use image::ImageReader;
use std::collections::BTreeMap;
use std::io::{self, Cursor, Write};
use xcheck_analyzer::findings::Analysis;

const SHELL: &str = include_str!("../assets/report.html");
const STYLE: &str = include_str!("../assets/report.css");
/// In the order in which they build on each other.
const SCRIPTS: [&str; 7] = [
    include_str!("../assets/model.js"),
    include_str!("../assets/images.js"),
    include_str!("../assets/overview.js"),
    include_str!("../assets/list.js"),
    include_str!("../assets/detail.js"),
    include_str!("../assets/views.js"),
    include_str!("../assets/main.js"),
];

/// Writes the report. `picture` gives a screenshot's PNG by its hash; one that cannot be read is named in what is
/// returned, and is shown as missing.
pub fn write(
    analysis: &Analysis,
    steps: &[Step],
    picture: &dyn Fn(&str) -> Result<Vec<u8>, String>,
    out: &mut dyn Write,
) -> io::Result<Vec<String>> {
    let mut warnings = Vec::new();
    let mut sizes = BTreeMap::new();
    // Read twice rather than held: a session's pictures together may be larger than memory allows.
    for hash in view::pictures(analysis, steps) {
        match picture(&hash).and_then(|png| size(&png)) {
            Ok(size) => {
                sizes.insert(hash, size);
            }
            Err(reason) => warnings.push(format!("screenshot {hash}: {reason}")),
        }
    }
    let hashes: Vec<String> = sizes.keys().cloned().collect();
    let view = view::build(analysis, steps, sizes);
    for part in parts(SHELL) {
        match part {
            Part::Text(text) => out.write_all(text.as_bytes())?,
            Part::Hole("title") => out.write_all(escape(&view.title).as_bytes())?,
            Part::Hole("style") => out.write_all(STYLE.as_bytes())?,
            Part::Hole("data") => out.write_all(inert(&serde_json::to_string(&view)?).as_bytes())?,
            Part::Hole("images") => {
                for hash in &hashes {
                    let png = picture(hash).map_err(io::Error::other)?;
                    write_picture(hash, &png, out)?;
                }
            }
            Part::Hole("script") => write_scripts(out)?,
            Part::Hole(name) => unreachable!("report.html asks for {name}"),
        }
    }
    Ok(warnings)
}

enum Part<'a> {
    Text(&'a str),
    Hole(&'a str),
}

/// The shell's text and its `{{holes}}`, in order.
fn parts(shell: &str) -> impl Iterator<Item = Part<'_>> {
    shell.split("{{").enumerate().flat_map(|(index, piece)| {
        if index == 0 {
            return vec![Part::Text(piece)];
        }
        match piece.split_once("}}") {
            Some((name, text)) => vec![Part::Hole(name), Part::Text(text)],
            None => vec![Part::Text(piece)],
        }
    })
}

/// A picture as an address of its own, for pages that show few.
pub fn data_address(png: &[u8]) -> String {
    let data = base64::engine::general_purpose::STANDARD.encode(png);
    format!("data:image/png;base64,{data}")
}

fn write_picture(hash: &str, png: &[u8], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "<script type=\"text/plain\" id=\"image-{hash}\">")?;
    let encoded = base64::engine::general_purpose::STANDARD.encode(png);
    out.write_all(encoded.as_bytes())?;
    out.write_all(b"</script>\n")
}

fn write_scripts(out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"(() => {\n'use strict';\n")?;
    for script in SCRIPTS {
        out.write_all(script.as_bytes())?;
    }
    out.write_all(b"})();\n")
}

fn size(png: &[u8]) -> Result<[u32; 2], String> {
    let reader = ImageReader::new(Cursor::new(png))
        .with_guessed_format()
        .map_err(|error| error.to_string())?;
    let (width, height) = reader.into_dimensions().map_err(|error| error.to_string())?;
    Ok([width, height])
}

/// JSON that cannot end the script element it stands in.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
