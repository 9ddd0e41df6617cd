//! Where two replays of one trace do not look the same, as exactly as a person needs it who was not there.

use image::RgbaImage;
use serde_json::Value;
use xcheck_trace::Sha256;
use xcheck_trace::run::{Checkpoint, ReplayedEvent};
use xcheck_trace::runs::RunReader;

/// Values of the page data that are told; a page that differs as a whole would tell thousands.
const TOLD: usize = 8;

pub fn checkpoints(reader: &RunReader, one: &Checkpoint, other: &Checkpoint, events: &[ReplayedEvent]) -> String {
    let label = events
        .iter()
        .find(|event| event.place == one.place)
        .map_or("?", |event| event.label.as_str());
    let mut parts = Vec::new();
    if one.place != other.place {
        parts.push(format!("place: {} and {}", one.place.number, other.place.number));
    }
    if one.url != other.url {
        parts.push(format!("address: {} and {}", one.url, other.url));
    }
    if one.page_sha256 != other.page_sha256 {
        parts.push(format!("page data: {}", pages(reader, one, other)));
    }
    if one.screenshot_sha256 != other.screenshot_sha256 || one.screenshot_sha256.is_none() {
        parts.push(match (&one.screenshot_sha256, &other.screenshot_sha256) {
            (Some(first), Some(second)) => format!("screenshot: {}", pictures(reader, first, second)),
            _ => format!(
                "screenshot missing: {:?} and {:?}",
                one.screenshot_missing, other.screenshot_missing
            ),
        });
    }
    format!(
        "after event {} `{label}` differ\n    {}",
        one.place.number,
        parts.join("\n    ")
    )
}

fn pages(reader: &RunReader, one: &Checkpoint, other: &Checkpoint) -> String {
    let read = |checkpoint: &Checkpoint| reader.page(&checkpoint.page_sha256).map(serde_json::to_value);
    match (read(one), read(other)) {
        (Ok(Ok(first)), Ok(Ok(second))) => {
            let mut found = Vec::new();
            values("", &first, &second, &mut found);
            let more = found.len().saturating_sub(TOLD);
            found.truncate(TOLD);
            format!(
                "{}{}",
                found.join("; "),
                if more > 0 {
                    format!("; and {more} more")
                } else {
                    String::new()
                }
            )
        }
        (first, second) => format!("unreadable: {:?} and {:?}", first.err(), second.err()),
    }
}

fn values(path: &str, one: &Value, other: &Value, found: &mut Vec<String>) {
    match (one, other) {
        (Value::Object(first), Value::Object(second)) => {
            for (name, value) in first {
                let with = second.get(name).unwrap_or(&Value::Null);
                values(&format!("{path}.{name}"), value, with, found);
            }
        }
        (Value::Array(first), Value::Array(second)) if first.len() == second.len() => {
            for (index, (value, with)) in first.iter().zip(second).enumerate() {
                values(&format!("{path}[{index}]"), value, with, found);
            }
        }
        _ if one == other => {}
        _ => found.push(format!("{path} {} and {}", shortened(one), shortened(other))),
    }
}

fn shortened(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn pictures(reader: &RunReader, one: &Sha256, other: &Sha256) -> String {
    match (picture(reader, one), picture(reader, other)) {
        (Ok(first), Ok(second)) if first.dimensions() != second.dimensions() => {
            format!("{:?} and {:?} pixels", first.dimensions(), second.dimensions())
        }
        (Ok(first), Ok(second)) => {
            let differing = first
                .enumerate_pixels()
                .filter(|(x, y, pixel)| second.get_pixel(*x, *y) != *pixel);
            let places: Vec<(u32, u32)> = differing.map(|(x, y, _)| (x, y)).collect();
            let across = places.iter().map(|(x, _)| *x);
            let down = places.iter().map(|(_, y)| *y);
            format!(
                "{} pixels, x {:?} to {:?}, y {:?} to {:?}",
                places.len(),
                across.clone().min(),
                across.max(),
                down.clone().min(),
                down.max()
            )
        }
        (first, second) => format!("unreadable: {:?} and {:?}", first.err(), second.err()),
    }
}

fn picture(reader: &RunReader, hash: &Sha256) -> Result<RgbaImage, String> {
    let png = reader.screenshot(hash).map_err(|error| error.to_string())?;
    let decoded = image::load_from_memory(&png).map_err(|error| error.to_string())?;
    Ok(decoded.into_rgba8())
}
