//! A trace on its way to another machine: its files one by one, its bodies only where they are wanted.
//!
//! The files go as they are stored, so that what arrives has the same identity. The receiving side trusts nothing that it
//! is told: names are looked up among those a trace may have, sizes are counted while they come, and a body is kept only
//! under the hash that it turns out to have.

use crate::bodies::{BodyStore, relative_path};
use crate::exchange::{Body, Payload};
use crate::files::{self, StoreError};
use crate::hash::Sha256;
use crate::layout::{BODIES, Log, MANIFEST};
use crate::place::Place;
use crate::trace::Trace;
use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// A file of a trace, the manifest or a log, as it is stored.
pub struct TraceFile {
    pub name: String,
    pub content: Box<dyn Read + Send>,
}

/// Everything but the bodies. A log that the trace does not have is not among them.
pub(crate) fn files_of(place: &Place) -> Result<Vec<TraceFile>, StoreError> {
    let mut files = Vec::new();
    let mut add = |name: String| -> Result<bool, StoreError> {
        let content = place.open(&name)?;
        let found = content.is_some();
        files.extend(content.map(|content| TraceFile { name, content }));
        Ok(found)
    };
    add(MANIFEST.to_owned())?;
    for log in Log::ALL {
        if !add(log.file_name().to_owned())? {
            add(log.compressed_name())?;
        }
    }
    Ok(files)
}

/// The bodies that a trace's exchanges, frames and loads name, there or not.
pub(crate) fn bodies_named(trace: &Trace) -> BTreeSet<Sha256> {
    let of_exchanges = trace.exchanges.iter().flat_map(|exchange| {
        let response = exchange.response.as_ref().and_then(|response| response.body.as_ref());
        exchange.request.body.iter().chain(response)
    });
    let of_frames = trace.frames.iter().filter_map(|frame| match &frame.payload {
        Payload::Binary { body } => Some(body),
        _ => None,
    });
    let of_loads = trace
        .loads
        .iter()
        .filter_map(|load| load.storage.as_ref()?.databases.as_ref());
    let hash = |body: &Body| body.sha256.clone();
    of_exchanges.chain(of_frames).chain(of_loads).map(hash).collect()
}

/// A trace that arrives, in a folder of its own.
pub struct ArrivingTrace {
    folder: PathBuf,
    arrived: HashSet<String>,
    /// The file that is being written.
    open: Option<(PathBuf, File)>,
}

impl ArrivingTrace {
    /// `folder` must not be there yet, or be empty.
    pub fn create(folder: &Path) -> Result<ArrivingTrace, StoreError> {
        files::create_new_folder(folder)?;
        files::create_folder(&folder.join(BODIES))?;
        Ok(ArrivingTrace {
            folder: folder.to_owned(),
            arrived: HashSet::new(),
            open: None,
        })
    }

    /// Begins one of the files that a trace may have, each once; the one before it is complete.
    pub fn begin(&mut self, name: &str) -> Result<(), StoreError> {
        let mut names = Log::ALL
            .iter()
            .flat_map(|log| [log.file_name().to_owned(), log.compressed_name()])
            .chain([MANIFEST.to_owned()]);
        let name = names.find(|known| known == name).ok_or_else(|| {
            let shown: String = name.chars().take(120).collect();
            self.refused(format!("{shown:?} is no part of a trace"))
        })?;
        if !self.arrived.insert(name.clone()) {
            return Err(self.refused(format!("{name} came twice")));
        }
        let path = self.folder.join(name);
        self.open = Some((path.clone(), files::create_file(&path)?));
        Ok(())
    }

    /// More of the file that was begun last.
    pub fn write(&mut self, chunk: &[u8]) -> Result<(), StoreError> {
        let Some((path, file)) = &mut self.open else {
            return Err(self.refused("bytes came for no file".to_owned()));
        };
        file.write_all(chunk).map_err(|error| StoreError::write(path, error))
    }

    /// Takes a body from a store on the same disk, without a copy. Whether the store has it.
    pub fn take_body(&self, hash: &Sha256, store: &BodyStore) -> Result<bool, StoreError> {
        let target = self.folder.join(BODIES).join(relative_path(hash));
        if target.exists() {
            return Ok(true);
        }
        files::create_folder(target.parent().unwrap_or(&self.folder))?;
        match std::fs::hard_link(store.as_ref().join(relative_path(hash)), &target) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(StoreError::write(&target, error)),
        }
    }

    fn refused(&self, reason: String) -> StoreError {
        StoreError::Not {
            path: self.folder.clone(),
            expected: "a trace",
            reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arriving() -> (tempfile::TempDir, ArrivingTrace) {
        let folder = tempfile::tempdir().unwrap();
        let trace = ArrivingTrace::create(&folder.path().join("trace")).unwrap();
        (folder, trace)
    }

    #[test]
    fn only_the_names_of_a_traces_files_are_taken_and_each_once() {
        let (_folder, mut trace) = arriving();
        assert!(trace.write(b"too early").is_err());
        for name in ["../manifest.json", "/etc/passwd", "bodies/ab", "", "events.jsonl\0"] {
            assert!(trace.begin(name).is_err(), "{name}");
        }
        assert!(trace.begin("events.jsonl").is_ok());
        assert!(trace.begin("events.jsonl").is_err());
        assert!(trace.begin("exchanges.jsonl.zst").is_ok());
    }

    #[test]
    fn a_body_is_taken_from_a_store_that_has_it() {
        let (folder, trace) = arriving();
        let store = BodyStore::create(folder.path().join("store")).unwrap();
        let hash = store.put(b"body").unwrap();
        assert!(trace.take_body(&hash, &store).unwrap());
        assert!(trace.take_body(&hash, &store).unwrap(), "again");
        assert!(!trace.take_body(&Sha256::of(b"other"), &store).unwrap());
        let own = BodyStore::open(folder.path().join("trace/bodies"));
        assert_eq!(own.bytes(&hash, 10).unwrap(), b"body");
    }
}
