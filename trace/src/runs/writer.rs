//! Writes a run while its replays go on, possibly several at once.

use super::name::is_folder_name;
use super::{CHECKPOINTS, EVENTS, OUTCOME, RUN, STORE};
use crate::bodies::BodyStore;
use crate::files::{self, StoreError};
use crate::hash::Sha256;
use crate::log::LogWriter;
use crate::page::PageData;
use crate::run::{Checkpoint, ReplayOutcome, ReplayedEvent, Run};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone)]
pub struct RunWriter {
    folder: PathBuf,
    store: BodyStore,
}

impl RunWriter {
    /// Makes the folder, which must not be there yet or be empty, with an empty folder for each replay.
    pub fn create(folder: &Path, run: &Run) -> Result<RunWriter, StoreError> {
        files::create_new_folder(folder)?;
        for replay in &run.replays {
            files::create_folder(&folder.join(checked(folder, replay)?))?;
        }
        let writer = RunWriter {
            folder: folder.to_owned(),
            store: BodyStore::create(folder.join(STORE))?,
        };
        write_json(&folder.join(RUN), run)?;
        Ok(writer)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Starts the replay of one of the names that the run was created with.
    pub fn replay(&self, name: &str) -> Result<ReplayWriter, StoreError> {
        let folder = self.folder.join(checked(&self.folder, name)?);
        Ok(ReplayWriter {
            events: LogWriter::create(&folder.join(EVENTS))?,
            checkpoints: LogWriter::create(&folder.join(CHECKPOINTS))?,
            store: self.store.clone(),
            folder,
        })
    }

    /// Page data and screenshots of all replays.
    pub fn store(&self) -> &BodyStore {
        &self.store
    }
}

/// One replay being written.
pub struct ReplayWriter {
    folder: PathBuf,
    store: BodyStore,
    events: LogWriter,
    checkpoints: LogWriter,
}

impl ReplayWriter {
    pub fn event(&mut self, event: &ReplayedEvent) -> Result<(), StoreError> {
        self.events.append(event)?;
        self.events.flush()
    }

    /// Its page and screenshot are stored first, by [`Self::page`] and [`Self::screenshot`].
    pub fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        self.checkpoints.append(checkpoint)?;
        self.checkpoints.flush()
    }

    pub fn page(&self, page: &PageData) -> Result<Sha256, StoreError> {
        let bytes = page.to_bytes().map_err(|error| StoreError::Write {
            path: self.folder.clone(),
            source: std::io::Error::other(error),
        })?;
        self.store.put(&bytes)
    }

    pub fn screenshot(&self, png: &[u8]) -> Result<Sha256, StoreError> {
        self.store.put(png)
    }

    pub fn finish(self, outcome: &ReplayOutcome) -> Result<(), StoreError> {
        write_json(&self.folder.join(OUTCOME), outcome)
    }
}

fn checked<'a>(folder: &Path, name: &'a str) -> Result<&'a str, StoreError> {
    if is_folder_name(name) {
        return Ok(name);
    }
    Err(StoreError::Not {
        path: folder.to_owned(),
        expected: "a run",
        reason: format!("{name:?} cannot be the name of a replay"),
    })
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
    let mut text = serde_json::to_vec_pretty(value).map_err(|error| StoreError::write(path, error.into()))?;
    text.push(b'\n');
    files::replace_file(path, &text)
}
