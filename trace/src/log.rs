//! One JSON Lines file that grows.
//!
//! Lines are kept in memory until there are enough of them or somebody asks for a flush. When the disk is full the
//! file ends in the middle of a line at worst: what was not written is kept and goes on from exactly there, so that a
//! disk that gets room again leaves no hole. New lines are refused (and the caller told) once too much is waiting.

use crate::files::{self, StoreError};
use serde::Serialize;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

const WRITE_AT: usize = 64 * 1024;
const MOST_WAITING: usize = 8 * 1024 * 1024;

#[derive(Debug)]
pub(crate) struct LogWriter {
    path: PathBuf,
    file: File,
    waiting: Vec<u8>,
    written: u64,
}

impl LogWriter {
    pub(crate) fn create(path: &Path) -> Result<LogWriter, StoreError> {
        Ok(LogWriter {
            path: path.to_owned(),
            file: files::create_file(path)?,
            waiting: Vec::new(),
            written: 0,
        })
    }

    pub(crate) fn append(&mut self, line: &impl Serialize) -> Result<(), StoreError> {
        if self.waiting.len() > MOST_WAITING {
            self.flush()?;
        }
        let before = self.waiting.len();
        if let Err(error) = serde_json::to_writer(&mut self.waiting, line) {
            self.waiting.truncate(before);
            return Err(StoreError::write(&self.path, error.into()));
        }
        self.waiting.push(b'\n');
        if self.waiting.len() >= WRITE_AT {
            self.flush()?;
        }
        Ok(())
    }

    /// Hands what is waiting to the operating system: from here on it survives our own death.
    pub(crate) fn flush(&mut self) -> Result<(), StoreError> {
        let mut done = 0;
        let mut result = Ok(());
        while done < self.waiting.len() {
            match self.file.write(&self.waiting[done..]) {
                Ok(0) => {
                    result = Err(std::io::Error::from(std::io::ErrorKind::WriteZero));
                    break;
                }
                Ok(count) => done += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    result = Err(error);
                    break;
                }
            }
        }
        self.waiting.drain(..done);
        self.written += done as u64;
        result.map_err(|error| StoreError::write(&self.path, error))
    }

    /// Bytes handed over and waiting.
    pub(crate) fn bytes(&self) -> u64 {
        self.written + self.waiting.len() as u64
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}
