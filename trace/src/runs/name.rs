//! The folder of a replay is named for its browser; browsers are named by people, and runs come from other people.

use super::{RUN, STORE};

const LONGEST: usize = 64;

/// A folder for another replay of `browser` that is not among `taken`: `firefox`, then `firefox-2`.
pub fn folder_name(browser: &str, taken: &[String]) -> String {
    let allowed = |c: char| {
        if c.is_ascii_alphanumeric() || "._-".contains(c) {
            c
        } else {
            '-'
        }
    };
    let mut name: String = browser.chars().map(allowed).take(LONGEST - 8).collect();
    name = name.trim_matches(['.', '-']).to_owned();
    if name.is_empty() || is_ours(&name) {
        name = format!("browser-{name}").trim_end_matches('-').to_owned();
    }
    // Some file systems do not tell upper from lower case.
    let is_free = |name: &str| !taken.iter().any(|taken| taken.eq_ignore_ascii_case(name));
    if is_free(&name) {
        return name;
    }
    (2_u32..)
        .map(|number| format!("{name}-{number}"))
        .find(|name| is_free(name))
        .unwrap_or(name)
}

/// Whether a name in a run may be used as a folder's.
pub(super) fn is_folder_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=LONGEST).contains(&name.len()) && name.bytes().all(allowed) && !name.starts_with('.') && !is_ours(name)
}

fn is_ours(name: &str) -> bool {
    name.eq_ignore_ascii_case(STORE) || name.eq_ignore_ascii_case(RUN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_made_is_one_that_is_accepted() {
        let long = "x".repeat(500);
        let strange = [
            "firefox",
            "agent://host:1/firefox",
            "../..",
            "",
            ".",
            "store",
            "RUN.json",
            "日本",
            &long,
        ];
        let mut taken = Vec::new();
        for browser in strange.iter().chain(&strange) {
            let name = folder_name(browser, &taken);
            assert!(is_folder_name(&name), "{browser} became {name}");
            assert!(!taken.contains(&name), "{browser} became {name}");
            taken.push(name);
        }
        assert_eq!(taken[0], "firefox");
        assert!(taken.contains(&"firefox-2".to_owned()));
    }

    #[test]
    fn paths_are_no_names() {
        for name in ["..", "a/b", "/etc", "a\\b", "store", "", ".hidden"] {
            assert!(!is_folder_name(name), "{name}");
        }
    }
}
