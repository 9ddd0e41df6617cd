//! The recorded size, language and time zone, for every browser.
//!
//! They come from a trace, which may be anybody's, and go into command lines, environments and preferences: what is not
//! what it should be is refused by its name, and never replaced in silence, because then all would be measured wrongly.

use super::ReplayOptions;
use crate::launch::{Hovering, LaunchOptions, MovingPictures, Painting, ServiceWorkers, TrustedAuthority};
use std::net::SocketAddr;
use xcheck_proxy::{AtOnce, Authority};
use xcheck_trace::Trace;
use xcheck_trace::event::Load;
use xcheck_trace::manifest::Viewport;

/// More than any screen has, and less than what a browser dies of.
const LONGEST_SIDE: u32 = 16_384;

const MOST_LANGUAGES: usize = 32;

pub(crate) fn launch_options(
    trace: &Trace,
    proxy: SocketAddr,
    authority: &Authority,
    options: &ReplayOptions,
) -> Result<LaunchOptions, String> {
    let defaults = LaunchOptions::default();
    let first = trace.loads.first();
    let manifest = &trace.manifest;
    let time_zone = manifest
        .time_zone
        .clone()
        .or_else(|| first.map(|load| load.time_zone.clone()))
        .filter(|zone| !zone.is_empty())
        .unwrap_or(defaults.time_zone);
    let languages = Some(manifest.languages.clone())
        .filter(|languages| !languages.is_empty())
        .or_else(|| first.map(|load| load.languages.clone()))
        .filter(|languages| !languages.is_empty())
        .unwrap_or(defaults.languages);
    Ok(LaunchOptions {
        headless: options.headless,
        viewport: checked_viewport(viewport(trace))?,
        proxy: Some(proxy),
        authority: Some(TrustedAuthority {
            spki_sha256: authority.spki_sha256(),
            pem: authority.certificate_path().to_owned(),
        }),
        time_zone: checked_time_zone(time_zone)?,
        languages: checked_languages(languages)?,
        deadline: options.deadline,
        hovering: Hovering::WhenGiven,
        // The switch that holds the pictures of a page's own text takes the replayer's hand off drawings, too.
        moving_pictures: match trace.has_moving_drawings() {
            true => MovingPictures::Move,
            false => MovingPictures::StandStill,
        },
        painting: Painting::Whole,
        at_once: AtOnce::All,
        service_workers: match manifest.service_workers {
            true => ServiceWorkers::Allowed,
            false => ServiceWorkers::Blocked,
        },
        ..LaunchOptions::default()
    })
}

/// Of the recording's first window, or the usual one.
pub(super) fn viewport(trace: &Trace) -> Viewport {
    recorded_viewport(trace).unwrap_or_default()
}

/// A recording made by a client that is no browser, or one that was cut short, may not say.
pub(super) fn recorded_viewport(trace: &Trace) -> Option<Viewport> {
    let of_page = || {
        trace
            .loads
            .iter()
            .find(|load| load.path.is_empty())
            .and_then(viewport_of)
    };
    trace.manifest.viewport.or_else(of_page)
}

/// Popups have sizes of their own; a page may have asked for any.
pub(super) fn viewport_of(load: &Load) -> Option<Viewport> {
    viewport_from(load.viewport)
}

pub(super) fn viewport_from(sides: [f64; 2]) -> Option<Viewport> {
    let [width, height] = sides.map(|side| side.round() as u32);
    let is_size = |side| (1..=LONGEST_SIDE).contains(&side);
    (is_size(width) && is_size(height)).then_some(Viewport { width, height })
}

fn checked_viewport(viewport: Viewport) -> Result<Viewport, String> {
    let Viewport { width, height } = viewport;
    let is_size = |side| (1..=LONGEST_SIDE).contains(&side);
    if is_size(width) && is_size(height) {
        return Ok(viewport);
    }
    Err(format!("the trace asks for a window of {width} by {height} pixels"))
}

/// `Europe/Paris`, `Etc/GMT+5`; never a path.
fn checked_time_zone(zone: String) -> Result<String, String> {
    let in_name = |c: char| c.is_ascii_alphanumeric() || "_+-/".contains(c);
    if zone.len() <= 64 && zone.chars().all(in_name) && zone.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Ok(zone);
    }
    Err(format!("the trace's time zone is none: {}", shown(&zone)))
}

fn checked_languages(languages: Vec<String>) -> Result<Vec<String>, String> {
    let is_part = |part: &str| (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric());
    let is_tag = |language: &&String| language.len() <= 64 && language.split('-').all(is_part);
    match languages.iter().find(|language| !is_tag(language)) {
        Some(wrong) => Err(format!("a language of the trace is none: {}", shown(wrong))),
        None if languages.len() > MOST_LANGUAGES => Err(format!("the trace has {} languages", languages.len())),
        None => Ok(languages),
    }
}

fn shown(text: &str) -> String {
    format!("{:?}", text.chars().take(80).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_time_zone_or_language_or_size_is_refused_by_its_name() {
        for zone in ["UTC", "Europe/Paris", "Etc/GMT+5", "America/Argentina/Buenos_Aires"] {
            assert!(checked_time_zone(zone.to_owned()).is_ok(), "{zone}");
        }
        for zone in ["../../etc/passwd", "/etc/passwd", ":x", "", "UTC\nX=1"] {
            assert!(checked_time_zone(zone.to_owned()).is_err(), "{zone}");
        }
        assert!(checked_languages(vec!["zh-Hant-TW".to_owned(), "fr".to_owned()]).is_ok());
        for language in ["en\");user_pref(\"x", "--no-sandbox", "../..", ""] {
            assert!(checked_languages(vec![language.to_owned()]).is_err(), "{language}");
        }
        let size = |width, height| checked_viewport(Viewport { width, height });
        assert!(size(1280, 720).is_ok());
        assert!(size(0, 720).is_err() && size(u32::MAX, 1).is_err());
    }
}
