//! Where each browser is found on each system. Linux is tried; macOS and Windows are written from the vendors' install
//! locations and not tried.

use super::Flavour;
use std::path::{Path, PathBuf};
use xcheck_trace::manifest::Engine;

pub(super) struct Place {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) engine: Engine,
    pub(super) system: System,
    pub(super) programs: &'static [&'static str],
    /// The WebDriver that starts it, where the browser does not speak for itself.
    pub(super) flavour: Option<Flavour>,
    pub(super) drivers: &'static [&'static str],
    /// Debian's and Ubuntu's, with the fonts that every engine is given.
    pub(super) packages: &'static [&'static str],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum System {
    Linux,
    MacOs,
    Windows,
}

pub(super) fn known() -> impl Iterator<Item = &'static Place> {
    let system = if cfg!(target_os = "macos") {
        System::MacOs
    } else if cfg!(windows) {
        System::Windows
    } else {
        System::Linux
    };
    on(system)
}

pub(super) fn on(system: System) -> impl Iterator<Item = &'static Place> {
    PLACES.iter().filter(move |place| place.system == system)
}

const fn own_protocol(
    system: System,
    name: &'static str,
    title: &'static str,
    engine: Engine,
    programs: &'static [&'static str],
    packages: &'static [&'static str],
) -> Place {
    Place {
        name,
        title,
        engine,
        system,
        programs,
        flavour: None,
        drivers: &[],
        packages,
    }
}

use Engine::{Blink, Gecko, WebKit};
use System::{Linux, MacOs, Windows};

static PLACES: &[Place] = &[
    own_protocol(
        Linux,
        "chromium",
        "Chromium",
        Blink,
        &["chromium", "chromium-browser"],
        &["chromium", "fonts-liberation", "fonts-dejavu-core"],
    ),
    own_protocol(
        Linux,
        "chrome",
        "Google Chrome",
        Blink,
        &["google-chrome-stable", "google-chrome", "/opt/google/chrome/chrome"],
        &[],
    ),
    own_protocol(
        Linux,
        "edge",
        "Microsoft Edge",
        Blink,
        &[
            "microsoft-edge-stable",
            "microsoft-edge",
            "/opt/microsoft/msedge/msedge",
        ],
        &[],
    ),
    own_protocol(
        Linux,
        "firefox",
        "Firefox",
        Gecko,
        &["firefox-esr", "firefox", "/usr/lib/firefox/firefox"],
        &["firefox-esr", "fonts-liberation", "fonts-dejavu-core"],
    ),
    Place {
        name: "webkit",
        title: "WebKitGTK",
        engine: WebKit,
        system: Linux,
        programs: &[
            "/usr/lib/{}/webkit2gtk-4.1/MiniBrowser",
            "/usr/lib/{}/webkitgtk-6.0/MiniBrowser",
            "/usr/lib/{}/webkit2gtk-4.0/MiniBrowser",
            "/usr/libexec/webkit2gtk-4.1/MiniBrowser",
            "/usr/lib/webkit2gtk-4.1/MiniBrowser",
        ],
        flavour: Some(Flavour::Gtk),
        drivers: &["WebKitWebDriver"],
        packages: &["webkit2gtk-driver", "xvfb", "fonts-liberation", "fonts-dejavu-core"],
    },
    Place {
        name: "wpe",
        title: "WPE WebKit",
        engine: WebKit,
        system: Linux,
        programs: &[
            "/usr/lib/{}/wpe-webkit-{}/MiniBrowser",
            "/usr/libexec/wpe-webkit-{}/MiniBrowser",
        ],
        flavour: Some(Flavour::Wpe),
        drivers: &["WPEWebDriver"],
        packages: &["wpewebkit-driver", "libwpewebkit-1.1-0"],
    },
    own_protocol(
        MacOs,
        "chromium",
        "Chromium",
        Blink,
        &["/Applications/Chromium.app/Contents/MacOS/Chromium"],
        &[],
    ),
    own_protocol(
        MacOs,
        "chrome",
        "Google Chrome",
        Blink,
        &["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
        &[],
    ),
    own_protocol(
        MacOs,
        "edge",
        "Microsoft Edge",
        Blink,
        &["/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"],
        &[],
    ),
    own_protocol(
        MacOs,
        "firefox",
        "Firefox",
        Gecko,
        &["/Applications/Firefox.app/Contents/MacOS/firefox"],
        &[],
    ),
    Place {
        name: "safari",
        title: "Safari",
        engine: WebKit,
        system: MacOs,
        programs: &["/Applications/Safari.app/Contents/MacOS/Safari"],
        flavour: Some(Flavour::Safari),
        drivers: &["/usr/bin/safaridriver"],
        packages: &[],
    },
    own_protocol(
        Windows,
        "chromium",
        "Chromium",
        Blink,
        &[r"%LOCALAPPDATA%\Chromium\Application\chrome.exe"],
        &[],
    ),
    own_protocol(
        Windows,
        "chrome",
        "Google Chrome",
        Blink,
        &[
            r"%PROGRAMFILES%\Google\Chrome\Application\chrome.exe",
            r"%PROGRAMFILES(X86)%\Google\Chrome\Application\chrome.exe",
            r"%LOCALAPPDATA%\Google\Chrome\Application\chrome.exe",
        ],
        &[],
    ),
    own_protocol(
        Windows,
        "edge",
        "Microsoft Edge",
        Blink,
        &[
            r"%PROGRAMFILES(X86)%\Microsoft\Edge\Application\msedge.exe",
            r"%PROGRAMFILES%\Microsoft\Edge\Application\msedge.exe",
        ],
        &[],
    ),
    own_protocol(
        Windows,
        "firefox",
        "Firefox",
        Gecko,
        &[
            r"%PROGRAMFILES%\Mozilla Firefox\firefox.exe",
            r"%PROGRAMFILES(X86)%\Mozilla Firefox\firefox.exe",
        ],
        &[],
    ),
    // No WebKit browser is sold for Windows; the entry says so when somebody asks for one.
    Place {
        name: "webkit",
        title: "a WebKit browser (there is none for Windows; use an agent on Linux or macOS)",
        engine: WebKit,
        system: Windows,
        programs: &[],
        flavour: Some(Flavour::Gtk),
        drivers: &[],
        packages: &[],
    },
];

/// Fills in `%VARIABLE%` and tries every folder for a `{}`; the last in alphabetical order wins, so that of two
/// versions the newer is taken.
pub(super) fn expand(pattern: &str) -> Option<PathBuf> {
    let pattern = fill_variables(pattern, |name| std::env::var(name).ok())?;
    if !pattern.contains("{}") {
        return Some(PathBuf::from(pattern)).filter(|path| path.is_file());
    }
    let mut candidates = vec![PathBuf::from("/")];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        candidates = candidates.iter().flat_map(|folder| matching(folder, part)).collect();
    }
    candidates.into_iter().rfind(|path| path.is_file())
}

fn matching(folder: &Path, part: &str) -> Vec<PathBuf> {
    let Some((before, after)) = part.split_once("{}") else {
        return vec![folder.join(part)];
    };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            name.starts_with(before) && name.ends_with(after)
        })
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

fn fill_variables(pattern: &str, value: impl Fn(&str) -> Option<String>) -> Option<String> {
    let mut filled = String::new();
    for (index, part) in pattern.split('%').enumerate() {
        if index % 2 == 0 {
            filled.push_str(part);
        } else {
            filled.push_str(&value(part)?);
        }
    }
    Some(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_knows_every_engine_and_names_are_unique() {
        for system in [Linux, MacOs, Windows] {
            for engine in [Blink, Gecko, WebKit] {
                assert!(on(system).any(|place| place.engine == engine), "{system:?} {engine:?}");
            }
            let mut names: Vec<_> = on(system).map(|place| place.name).collect();
            let count = names.len();
            names.sort();
            names.dedup();
            assert_eq!(names.len(), count);
        }
    }

    #[test]
    fn a_place_in_a_folder_whose_name_is_open_is_found() {
        let folder = tempfile::tempdir().unwrap();
        for version in ["wpe-1.0", "wpe-1.1"] {
            let place = folder.path().join("x86_64").join(version);
            std::fs::create_dir_all(&place).unwrap();
            std::fs::write(place.join("MiniBrowser"), "").unwrap();
        }
        let pattern = format!("{}/{{}}/wpe-{{}}/MiniBrowser", folder.path().display());
        let found = expand(&pattern).unwrap();
        assert!(found.ends_with("x86_64/wpe-1.1/MiniBrowser"), "{found:?}");
    }

    #[test]
    fn variables_of_windows_are_filled_in_and_a_missing_one_means_not_found() {
        let value = |name: &str| (name == "PROGRAMFILES(X86)").then(|| r"C:\P".to_owned());
        assert_eq!(
            fill_variables(r"%PROGRAMFILES(X86)%\a.exe", value).as_deref(),
            Some(r"C:\P\a.exe")
        );
        assert_eq!(fill_variables(r"%OTHER%\a.exe", value), None);
    }
}
