//! Where and under what conditions something was measured: without them a figure means nothing.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::process::Command;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use xcheck_tests::old_builds;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Conditions {
    /// When it was done.
    pub(crate) at: String,
    /// The commit that was checked out, with `+` where files were changed.
    pub(crate) commit: String,
    pub(crate) optimised: bool,
    /// Processes that wanted a core, averaged over the minute before.
    pub(crate) load: f64,
    pub(crate) took_s: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) system: String,
    pub(crate) cores: usize,
    /// Versions by name; why not, where one is missing.
    pub(crate) browsers: BTreeMap<String, String>,
}

pub(crate) fn conditions(took_s: f64) -> Conditions {
    Conditions {
        at: OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default(),
        commit: commit(),
        optimised: !cfg!(debug_assertions),
        load: load(),
        took_s,
    }
}

pub(crate) fn machine() -> Machine {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let system = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let version = |name: &str| match old_builds::installed(name) {
        Ok(found) => (name.to_owned(), found.version),
        Err(missing) => (name.to_owned(), missing.to_string()),
    };
    Machine {
        system: system
            .map_or(std::env::consts::OS, |name| name.trim_matches('"'))
            .to_owned(),
        cores: std::thread::available_parallelism().map_or(1, usize::from),
        browsers: crate::subjects::engines().map(version).collect(),
    }
}

fn commit() -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(xcheck_tests::workspace())
            .output();
        output.map_or_else(
            |_| String::new(),
            |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        )
    };
    let name = git(&["rev-parse", "--short=12", "HEAD"]);
    let changed = !git(&["status", "--porcelain", "--untracked-files=no"]).is_empty();
    format!("{name}{}", if changed { "+" } else { "" })
}

/// Not known on systems that have no such file.
pub(crate) fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ')
        .next()
        .and_then(|first| first.parse().ok())
        .unwrap_or(f64::NAN)
}
