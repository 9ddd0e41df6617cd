//! What a browser works out at its first start and only reads at the next, were its home not a new one each time: kept
//! outside, and given to each new home. For Firefox this is half of a start.
//!
//! Kept is what a browser makes of its own files and of the system's, never what a page left behind, so that homes are
//! as fresh as before. Nothing here can fail a start or an end: without it, both take longer.

use super::LaunchOptions;
use super::environment::Home;
use crate::find::Installed;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use xcheck_trace::Sha256;

/// Of different versions, languages and settings of browsers; those that were made first go.
const AT_MOST: usize = 8;

pub(crate) struct Kept {
    /// Outside; not there until something was kept.
    folder: PathBuf,
    home: PathBuf,
    /// Files and folders, below the home.
    parts: &'static [&'static str],
}

impl Kept {
    /// Gives what was kept of this browser, started like this, to a home. `None` where there is no place for it.
    pub(crate) fn give(
        browser: &Installed,
        options: &LaunchOptions,
        home: &Home,
        parts: &'static [&'static str],
    ) -> Option<Kept> {
        let identity = identity(browser, &options.languages)?;
        let kept = Kept {
            folder: options.cache.as_ref()?.join("browsers").join(identity),
            home: home.path().to_owned(),
            parts,
        };
        if kept.is_there()
            && let Err(error) = kept.copy(&kept.folder, &kept.home)
        {
            tracing::debug!(%error, "what was kept of an earlier start cannot be given");
            for part in parts {
                let _ = remove(&kept.home.join(part));
            }
        }
        Some(kept)
    }

    pub(crate) fn is_there(&self) -> bool {
        self.folder.is_dir()
    }

    /// Keeps what is there now, if it is all there and nothing was kept before.
    pub(crate) fn take(&self) {
        if self.is_there() || !self.parts.iter().all(|part| has_content(&self.home.join(part))) {
            return;
        }
        if let Err(error) = self.store() {
            tracing::debug!(%error, "nothing is kept of this start");
        }
    }

    /// Whole or not at all, also where two do it at once.
    fn store(&self) -> io::Result<()> {
        let all = self.folder.parent().unwrap_or(&self.folder);
        fs::create_dir_all(all)?;
        let unfinished = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(all)?;
        self.copy(&self.home, unfinished.path())?;
        match fs::rename(unfinished.path(), &self.folder) {
            Ok(()) => {
                let _ = unfinished.keep();
            }
            Err(_) if self.is_there() => {}
            Err(error) => return Err(error),
        }
        thin_out(all, AT_MOST)
    }

    fn copy(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.parts
            .iter()
            .try_for_each(|part| copy(&from.join(part), &to.join(part)))
    }
}

const UNFINISHED: &str = "unfinished-";

/// `$XDG_CACHE_HOME/xcheck`, or `~/.cache/xcheck`.
pub(super) fn cache_folder() -> Option<PathBuf> {
    let absolute = |name: &str| {
        std::env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    absolute("XDG_CACHE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
        .map(|cache| cache.join("xcheck"))
}

/// What was made by one program is of no use to another, nor to itself once it was replaced, nor where it speaks another
/// language or was told to be otherwise.
fn identity(browser: &Installed, languages: &[String]) -> Option<String> {
    let binary = fs::canonicalize(&browser.binary).ok()?;
    let made = fs::metadata(&binary).ok()?.modified().ok()?;
    let seconds = made.duration_since(UNIX_EPOCH).ok()?.as_secs();
    let told = (&browser.arguments, &browser.preferences, languages);
    let text = format!("{binary:?} {seconds} {} {told:?}", browser.version);
    Some(Sha256::of(text.as_bytes()).to_string())
}

fn has_content(part: &Path) -> bool {
    match fs::read_dir(part) {
        Ok(mut entries) => entries.next().is_some(),
        Err(_) => part.is_file(),
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        fs::create_dir_all(to.parent().unwrap_or(to))?;
        return fs::copy(from, to).map(|_| ());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

fn remove(part: &Path) -> io::Result<()> {
    match part.is_dir() {
        true => fs::remove_dir_all(part),
        false => fs::remove_file(part),
    }
}

/// Somebody may be reading what goes: she has an error then, and starts without it.
fn thin_out(all: &Path, at_most: usize) -> io::Result<()> {
    let mut kept = Vec::new();
    for entry in fs::read_dir(all)? {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
            kept.push((entry.metadata()?.modified()?, entry.path()));
        }
    }
    kept.sort();
    let too_many = kept.len().saturating_sub(at_most);
    kept.iter()
        .take(too_many)
        .try_for_each(|(_, folder)| fs::remove_dir_all(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARTS: &[&str] = &["profile/cache", "profile/version"];

    fn kept(outside: &Path, home: &Path) -> Kept {
        Kept {
            folder: outside.join("browsers/one"),
            home: home.to_owned(),
            parts: PARTS,
        }
    }

    fn write(path: PathBuf, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn only_what_is_whole_is_kept_and_only_once() {
        let (outside, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let kept = kept(outside.path(), home.path());
        fs::create_dir_all(home.path().join("profile/cache")).unwrap();
        write(home.path().join("profile/version"), "1");
        kept.take();
        assert!(!kept.is_there(), "an empty folder is nothing to keep");
        write(home.path().join("profile/cache/a/b"), "first");
        write(home.path().join("profile/cookies"), "a page's");
        kept.take();
        write(home.path().join("profile/cache/a/b"), "second");
        kept.take();
        let stored = |name: &str| fs::read_to_string(kept.folder.join("profile").join(name)).ok();
        assert_eq!(stored("cache/a/b").as_deref(), Some("first"));
        assert_eq!(stored("version").as_deref(), Some("1"));
        assert_eq!(stored("cookies"), None);
        let left = fs::read_dir(outside.path().join("browsers")).unwrap().count();
        assert_eq!(left, 1, "nothing unfinished stays");
    }

    #[test]
    fn of_many_those_that_were_made_first_go() {
        let outside = tempfile::tempdir().unwrap();
        for (age, name) in [(3, "oldest"), (1, "newest"), (2, "older")] {
            let folder = outside.path().join(name);
            fs::create_dir(&folder).unwrap();
            let made = std::time::SystemTime::now() - std::time::Duration::from_secs(age * 60);
            fs::File::open(&folder).unwrap().set_modified(made).unwrap();
        }
        thin_out(outside.path(), 2).unwrap();
        let there = |name: &str| outside.path().join(name).is_dir();
        assert!(there("newest") && there("older") && !there("oldest"));
    }
}
