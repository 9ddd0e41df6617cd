//! The time zone and language of the person who records, for the browser that is started for them.

use std::path::Path;

/// IANA name.
pub(in crate::commands) fn time_zone() -> String {
    let named = std::env::var("TZ")
        .ok()
        .map(|zone| zone.trim_start_matches(':').to_owned());
    let from_file = || {
        std::fs::read_to_string("/etc/timezone")
            .ok()
            .map(|zone| zone.trim().to_owned())
    };
    let from_link = || {
        let target = std::fs::read_link("/etc/localtime").ok()?;
        let target = target.to_str()?.to_owned();
        Some(target.split_once("zoneinfo/")?.1.to_owned())
    };
    // The link is what the C library goes by; the file is a hint that may be stale.
    let candidates = [named, from_link(), from_file()];
    let zone = candidates.into_iter().flatten().find(|zone| is_zone(zone));
    zone.unwrap_or_else(|| "UTC".into())
}

/// Browsers take names only, not rules such as `CET-1CEST`.
fn is_zone(name: &str) -> bool {
    let plain = !name.is_empty() && !name.contains("..") && !name.starts_with('/');
    plain && (name == "UTC" || Path::new("/usr/share/zoneinfo").join(name).is_file())
}

/// As `navigator.languages` has them.
pub(in crate::commands) fn languages() -> Vec<String> {
    let variables = ["LC_ALL", "LC_MESSAGES", "LANG"];
    let set = variables
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    languages_of(set.as_deref().unwrap_or_default())
}

fn languages_of(locale: &str) -> Vec<String> {
    let name = locale.split(['.', '@']).next().unwrap_or_default();
    let (language, region) = name
        .split_once('_')
        .map_or((name, None), |(language, region)| (language, Some(region)));
    let is_language = (2..=3).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_language {
        return vec!["en-US".into(), "en".into()];
    }
    let full = region.map(|region| format!("{language}-{region}"));
    full.into_iter().chain([language.to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_becomes_languages() {
        assert_eq!(languages_of("de_AT.UTF-8"), ["de-AT", "de"]);
        assert_eq!(languages_of("fr"), ["fr"]);
        for locale in ["", "C", "C.UTF-8", "POSIX"] {
            assert_eq!(languages_of(locale), ["en-US", "en"], "{locale}");
        }
    }
}
