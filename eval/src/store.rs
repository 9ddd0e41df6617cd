//! What was measured, one file for each piece, written as soon as it is known.
//!
//! A piece has a key such as `law/todo-list/firefox`. One that is there is not measured again, so that an evaluation goes
//! on where it was stopped; one that could not be measured is tried again the next time.

use crate::machine::{Conditions, conditions};
use anyhow::{Context, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) struct Store {
    folder: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Piece<T> {
    pub(crate) conditions: Conditions,
    #[serde(flatten)]
    pub(crate) outcome: Outcome<T>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome<T> {
    Measured(T),
    NotMeasured(String),
}

impl Store {
    pub(crate) fn open(folder: &Path, fresh: bool) -> Result<Store> {
        if fresh && folder.exists() {
            std::fs::remove_dir_all(folder).with_context(|| format!("emptying {}", folder.display()))?;
        }
        std::fs::create_dir_all(folder.join("pieces")).with_context(|| format!("making {}", folder.display()))?;
        Ok(Store {
            folder: folder.to_owned(),
        })
    }

    /// For what is too large for a piece: traces and replays.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        matches!(self.get::<Value>(key), Ok(Some(piece)) if matches!(piece.outcome, Outcome::Measured(_)))
    }

    pub(crate) fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<Piece<T>>> {
        let path = self.file(key);
        if !path.exists() {
            return Ok(None);
        }
        let unreadable = || format!("{} is not of this build: --fresh measures again", path.display());
        let piece = serde_json::from_slice(&std::fs::read(&path)?).with_context(unreadable)?;
        Ok(Some(piece))
    }

    /// What was measured, or why it was not.
    pub(crate) fn measured<T: DeserializeOwned>(&self, key: &str) -> Result<std::result::Result<T, String>> {
        Ok(match self.get(key)?.map(|piece: Piece<T>| piece.outcome) {
            Some(Outcome::Measured(value)) => Ok(value),
            Some(Outcome::NotMeasured(reason)) => Err(reason),
            None => Err("not measured yet".into()),
        })
    }

    /// Keeps what became of it. A failure is an outcome like any other; only a store that cannot be written to is an error.
    pub(crate) fn keep<T: Serialize>(&self, key: &str, since: Instant, outcome: Result<T>) -> Result<()> {
        let outcome = match outcome {
            Ok(value) => Outcome::Measured(value),
            // Where the files lie is nobody's business who reads the document.
            Err(error) => Outcome::NotMeasured(format!("{error:#}").replace(&self.folder.display().to_string(), "…")),
        };
        let piece = Piece {
            conditions: conditions(since.elapsed().as_secs_f64()),
            outcome,
        };
        let path = self.file(key);
        std::fs::create_dir_all(path.parent().context("a piece lies in a folder")?)?;
        // Another name first: a run that is killed leaves no half of a piece.
        let written = path.with_extension("part");
        std::fs::write(&written, serde_json::to_vec_pretty(&piece)?)?;
        std::fs::rename(&written, &path).with_context(|| format!("keeping {}", path.display()))
    }

    /// All pieces whose key begins so, by key.
    pub(crate) fn all<T: DeserializeOwned>(&self, prefix: &str) -> Result<BTreeMap<String, Piece<T>>> {
        let mut found = BTreeMap::new();
        let mut open = vec![self.folder.join("pieces")];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(&folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|extension| extension == "json") {
                    let key = path.strip_prefix(self.folder.join("pieces"))?.with_extension("");
                    let key = key.to_string_lossy().into_owned();
                    if key.starts_with(prefix) {
                        found.extend(self.get(&key)?.map(|piece| (key, piece)));
                    }
                }
            }
        }
        Ok(found)
    }

    fn file(&self, key: &str) -> PathBuf {
        self.folder.join("pieces").join(format!("{key}.json"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_measured_is_kept_with_its_reason_and_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), false).unwrap();
        let failed: Result<u32> = Err(anyhow::anyhow!("no browser").context("replaying"));
        store.keep("law/car/firefox", Instant::now(), failed).unwrap();
        assert!(!store.has("law/car/firefox"));
        assert_eq!(
            store.measured::<u32>("law/car/firefox").unwrap(),
            Err("replaying: no browser".into())
        );
        store.keep("law/car/firefox", Instant::now(), Ok(7)).unwrap();
        assert!(store.has("law/car/firefox"));
        assert_eq!(store.all::<u32>("law/").unwrap().len(), 1);
        assert_eq!(
            store.measured::<u32>("law/car/webkit").unwrap(),
            Err("not measured yet".into())
        );
    }
}
