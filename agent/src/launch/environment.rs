//! What a browser finds around it: a home of its own, and the same fonts, locale and time zone as all the others.

use super::{LaunchError, LaunchOptions, fonts};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub(crate) type Variables = Vec<(&'static str, Option<OsString>)>;

/// Where a browser may leave what it likes; removed with it.
pub(crate) struct Home {
    folder: Option<tempfile::TempDir>,
}

impl Home {
    pub(crate) fn make() -> Result<Home, LaunchError> {
        let whose = Owner::ourselves();
        sweep(&std::env::temp_dir(), &whose);
        let folder = tempfile::Builder::new()
            .prefix(PREFIX)
            .tempdir()
            .map_err(LaunchError::Folder)?;
        whose.sign(folder.path()).map_err(LaunchError::Folder)?;
        for name in ["profile", "config", "cache", "data", "run", "tmp"] {
            std::fs::create_dir(folder.path().join(name)).map_err(LaunchError::Folder)?;
        }
        Ok(Home { folder: Some(folder) })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.as_ref().expect("taken only by `hand_over`").path()
    }

    pub(crate) fn profile(&self) -> PathBuf {
        self.path().join("profile")
    }

    /// From here on the guard of the browser's processes removes it.
    pub(crate) fn hand_over(mut self) -> PathBuf {
        self.folder.take().expect("taken only once").keep()
    }
}

const PREFIX: &str = "xcheck-browser-";
const SIGNATURE: &str = "owner";

/// Whom a home belongs to, as a file in it says; in its name it would make the paths of sockets too long. Process numbers mean something within one namespace only, and containers
/// may share a folder for temporary files.
#[derive(Debug, PartialEq, Eq)]
struct Owner {
    namespace: u64,
    pid: u32,
}

impl Owner {
    fn ourselves() -> Owner {
        let namespace = std::fs::read_link("/proc/self/ns/pid")
            .ok()
            .and_then(|link| link.to_str()?.trim_end_matches(']').rsplit('[').next()?.parse().ok());
        Owner {
            namespace: namespace.unwrap_or(0),
            pid: std::process::id(),
        }
    }

    fn sign(&self, home: &Path) -> std::io::Result<()> {
        std::fs::write(home.join(SIGNATURE), format!("{} {}", self.namespace, self.pid))
    }

    fn of(home: &Path) -> Option<Owner> {
        let text = std::fs::read_to_string(home.join(SIGNATURE)).ok()?;
        let (namespace, pid) = text.split_once(' ')?;
        Some(Owner {
            namespace: namespace.parse().ok()?,
            pid: pid.parse().ok()?,
        })
    }

    fn is_dead(&self) -> bool {
        // Without /proc nobody can be told dead.
        Path::new("/proc/self").exists() && !Path::new("/proc").join(self.pid.to_string()).exists()
    }
}

/// Removes homes that a killed xcheck left behind together with the guard that should have removed them.
fn sweep(temporary: &Path, whose: &Owner) {
    for entry in std::fs::read_dir(temporary).into_iter().flatten().flatten() {
        let is_home = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        let owner = Owner::of(&entry.path()).filter(|_| is_home);
        let orphaned = owner.is_some_and(|owner| owner.namespace == whose.namespace && owner.is_dead());
        if orphaned && let Err(error) = std::fs::remove_dir_all(entry.path()) {
            tracing::debug!(%error, "a browser's folder that nobody owns is left behind");
        }
    }
}

pub(crate) fn variables(home: &Home, options: &LaunchOptions) -> Result<Variables, LaunchError> {
    let at = |name: &str| Some(home.path().join(name).into_os_string());
    let locale = locale_name(&options.languages);
    let locales = home.path().join("locales");
    make_locale(&locales, &locale).map_err(LaunchError::Folder)?;
    let fonts = fonts::write(home.path()).map_err(LaunchError::Folder)?;
    let mut variables: Variables = vec![
        ("HOME", at("")),
        ("XDG_CONFIG_HOME", at("config")),
        ("XDG_CACHE_HOME", at("cache")),
        ("XDG_DATA_HOME", at("data")),
        ("XDG_RUNTIME_DIR", at("run")),
        ("TMPDIR", at("tmp")),
        ("FONTCONFIG_FILE", Some(fonts.into_os_string())),
        ("TZ", Some(options.time_zone.clone().into())),
        ("LANG", Some(locale.clone().into())),
        ("LC_ALL", Some(locale.clone().into())),
        ("LANGUAGE", Some(language_list(&options.languages).into())),
        ("LOCPATH", Some(locales.into_os_string())),
        // No accessibility bus, no session bus: they would be started, outlive the browser, and change how it behaves.
        ("NO_AT_BRIDGE", Some("1".into())),
        ("GTK_A11Y", Some("none".into())),
        ("DBUS_SESSION_BUS_ADDRESS", Some("disabled:".into())),
        ("GTK_THEME", Some("Adwaita".into())),
        ("GSETTINGS_BACKEND", Some("memory".into())),
    ];
    // Ours is given on the command line or by preferences, for every address.
    for name in [
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "no_proxy",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "NO_PROXY",
    ] {
        variables.push((name, None));
    }
    Ok(variables)
}

/// `["fr-CA", "en"]` → `fr_CA.UTF-8`.
fn locale_name(languages: &[String]) -> String {
    let first = languages.first().map_or("en-US", String::as_str);
    let mut parts = first.split('-');
    let language = parts.next().filter(|part| is_word(part)).unwrap_or("en");
    let region = parts.rev().find(|part| part.len() == 2 && is_word(part));
    match region {
        Some(region) => format!("{language}_{}.UTF-8", region.to_uppercase()),
        None => format!("{language}.UTF-8"),
    }
}

/// As GNU gettext reads `LANGUAGE`.
fn language_list(languages: &[String]) -> String {
    let names: Vec<String> = languages
        .iter()
        .filter(|language| language.split('-').all(is_word))
        .map(|language| language.replace('-', "_"))
        .collect();
    names.join(":")
}

/// The languages come from a trace, which may be anybody's, and become a file name.
fn is_word(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Engines that take their language from the C library get it only if a locale of that name can be loaded. Few
/// machines have many, but every one has `C.UTF-8`, and only the *name* matters: formatting is ICU's.
fn make_locale(folder: &Path, name: &str) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let original = ["/usr/lib/locale/C.utf8", "/usr/lib/locale/C.UTF-8"]
        .iter()
        .map(Path::new)
        .find(|path| path.is_dir());
    match original {
        #[cfg(unix)]
        Some(original) => std::os::unix::fs::symlink(original, folder.join(name)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(languages: &[&str], locale: &str, list: &str) {
        let languages: Vec<String> = languages.iter().map(|language| language.to_string()).collect();
        assert_eq!(locale_name(&languages), locale);
        assert_eq!(language_list(&languages), list);
    }

    #[test]
    fn what_the_dead_left_behind_is_swept_and_nothing_else() {
        let temporary = tempfile::tempdir().unwrap();
        let ours = Owner::ourselves();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let home = |name: &str, namespace: u64, pid: u32| {
            let path = temporary.path().join(name);
            std::fs::create_dir_all(path.join("profile")).unwrap();
            Owner { namespace, pid }.sign(&path).unwrap();
            path
        };
        let swept = home("xcheck-browser-dead", ours.namespace, child.id());
        let kept = [
            home("xcheck-browser-alive", ours.namespace, ours.pid),
            home("xcheck-browser-elsewhere", ours.namespace + 1, child.id()),
            home("else", ours.namespace, child.id()),
        ];
        sweep(temporary.path(), &ours);
        assert!(!swept.exists());
        for home in kept {
            assert!(home.exists(), "{}", home.display());
        }
    }

    #[test]
    fn languages_become_the_locale_of_the_environment() {
        check(&["en-US", "en"], "en_US.UTF-8", "en_US:en");
        check(&["zh-Hant-TW"], "zh_TW.UTF-8", "zh_Hant_TW");
        check(&["de"], "de.UTF-8", "de");
        check(&[], "en_US.UTF-8", "");
        check(&["../../etc"], "en.UTF-8", "");
    }
}
