//! Reads a run, finished or not.

use super::name::is_folder_name;
use super::whole::WholePages;
use super::{CHECKPOINTS, EVENTS, OUTCOME, RUN, STORE};
use crate::bodies::BodyStore;
use crate::files::{self, StoreError};
use crate::hash::{Hasher, Sha256};
use crate::lines;
use crate::manifest::Format;
use crate::page::PageData;
use crate::run::{Checkpoint, FORMAT, ReplayOutcome, ReplayedEvent, Run};
use crate::warning::Warning;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::io::Read;
use std::path::{Path, PathBuf};

const LARGEST_JSON: u64 = 1024 * 1024;
const LARGEST_PAGE: u64 = 512 * 1024 * 1024;
const LARGEST_SCREENSHOT: u64 = 512 * 1024 * 1024;

#[derive(Debug, Clone)]
pub struct RunReader {
    pub run: Run,
    folder: PathBuf,
    store: BodyStore,
}

/// One browser's replay, its page data and screenshots by hash.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// The name of its folder.
    pub name: String,
    /// Absent while it goes on, or when it was killed.
    pub outcome: Option<ReplayOutcome>,
    /// In the trace's order.
    pub events: Vec<ReplayedEvent>,
    pub checkpoints: Vec<Checkpoint>,
}

impl RunReader {
    pub fn open(folder: &Path) -> Result<(RunReader, Vec<Warning>), StoreError> {
        let mut warnings = Vec::new();
        let not_a_run = |reason: String| StoreError::Not {
            path: folder.to_owned(),
            expected: "a run",
            reason,
        };
        if !folder.join(RUN).exists() {
            return Err(not_a_run(format!("it has no {RUN}")));
        }
        let text = small_file(&folder.join(RUN))?;
        let unreadable = |error: serde_json::Error| not_a_run(format!("its {RUN} cannot be read: {error}"));
        let found = serde_json::from_slice::<OnlyFormat>(&text).map_err(unreadable)?.format;
        if found.major > FORMAT.major {
            return Err(StoreError::NewerFormat {
                path: folder.to_owned(),
                what: "runs",
                found,
                ours: FORMAT,
            });
        }
        if found.major < FORMAT.major {
            let path = folder.to_owned();
            return Err(StoreError::OlderFormat { path, found });
        }
        if found.minor > FORMAT.minor {
            warnings.push(Warning::NewerMinor { found });
        }
        let run: Run = serde_json::from_slice(&text).map_err(unreadable)?;
        if let Some(name) = run.replays.iter().find(|name| !is_folder_name(name)) {
            return Err(not_a_run(format!("{name:?} cannot be the name of a replay")));
        }
        let reader = RunReader {
            run,
            folder: folder.to_owned(),
            store: BodyStore::open(folder.join(STORE)),
        };
        Ok((reader, warnings))
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is there of a replay now. `name` is one of `run.replays`.
    pub fn replay(&self, name: &str) -> Result<(Replay, Vec<Warning>), StoreError> {
        let mut warnings = Vec::new();
        let mut replay = Replay {
            name: name.to_owned(),
            outcome: None,
            events: Vec::new(),
            checkpoints: Vec::new(),
        };
        let folder = self.folder.join(name);
        let is_folder = std::fs::symlink_metadata(&folder).is_ok_and(|about| about.is_dir());
        if !self.run.replays.iter().any(|known| known == name) || !is_folder || !folder.join(EVENTS).exists() {
            warnings.push(Warning::ReplayMissing { replay: name.into() });
            return Ok((replay, warnings));
        }
        replay.events = log(&folder, EVENTS, &mut warnings)?;
        replay.checkpoints = log(&folder, CHECKPOINTS, &mut warnings)?;
        let outcome = folder.join(OUTCOME);
        if outcome.exists() {
            let unreadable = |error: serde_json::Error| StoreError::Not {
                path: outcome.clone(),
                expected: "the outcome of a replay",
                reason: error.to_string(),
            };
            replay.outcome = Some(serde_json::from_slice(&small_file(&outcome)?).map_err(unreadable)?);
        } else {
            warnings.push(Warning::ReplayUnfinished { replay: name.into() });
        }
        Ok((replay, warnings))
    }

    /// Page data as stored: whole when a document first appears, then only what changed.
    pub fn page(&self, hash: &Sha256) -> Result<PageData, StoreError> {
        let bytes = self.store.bytes(hash, LARGEST_PAGE)?;
        PageData::from_bytes(&bytes).map_err(|error| StoreError::BodyDamaged {
            hash: hash.clone(),
            reason: format!("it is no page data ({error})"),
        })
    }

    /// A PNG.
    pub fn screenshot(&self, hash: &Sha256) -> Result<Vec<u8>, StoreError> {
        self.store.bytes(hash, LARGEST_SCREENSHOT)
    }

    /// Each checkpoint with all of its page, however little of it was stored.
    pub fn whole_pages<'a>(&'a self, replay: &'a Replay) -> WholePages<'a> {
        WholePages::new(self, &replay.checkpoints)
    }
}

#[derive(Deserialize)]
struct OnlyFormat {
    format: Format,
}

fn small_file(path: &Path) -> Result<Vec<u8>, StoreError> {
    let mut text = Vec::new();
    files::open_file(path)?
        .take(LARGEST_JSON)
        .read_to_end(&mut text)
        .map_err(|error| StoreError::read(path, error))?;
    Ok(text)
}

fn log<T: DeserializeOwned>(
    folder: &Path,
    file: &'static str,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<T>, StoreError> {
    let path = folder.join(file);
    if !path.exists() {
        warnings.push(Warning::LogMissing { file });
        return Ok(Vec::new());
    }
    let source = files::open_file(&path)?;
    let (records, failure) = lines::read(file, source, &mut Hasher::default(), warnings);
    failure.map_or(Ok(records), |error| Err(StoreError::read(&path, error)))
}
