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
        let folder = tempfile::Builder::new()
            .prefix("xcheck-browser-")
            .tempdir()
            .map_err(LaunchError::Folder)?;
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
    fn languages_become_the_locale_of_the_environment() {
        check(&["en-US", "en"], "en_US.UTF-8", "en_US:en");
        check(&["zh-Hant-TW"], "zh_TW.UTF-8", "zh_Hant_TW");
        check(&["de"], "de.UTF-8", "de");
        check(&[], "en_US.UTF-8", "");
        check(&["../../etc"], "en.UTF-8", "");
    }
}
