//! Where the files of a trace are: a folder, or one file that holds them all.

use crate::bodies::{BodyStore, relative_path};
use crate::files::{self, StoreError};
use crate::hash::Sha256;
use crate::layout::{BODIES, Log};
use crate::pack::Pack;
use std::io::Read;
use std::path::{Path, PathBuf};

pub(crate) type Source = Box<dyn Read + Send>;

#[derive(Debug)]
pub(crate) enum Place {
    Folder { folder: PathBuf, bodies: BodyStore },
    Packed(Pack),
}

impl Place {
    pub(crate) fn find(path: &Path) -> Result<Place, StoreError> {
        let about = std::fs::metadata(path).map_err(|error| StoreError::read(path, error))?;
        if about.is_dir() {
            return Ok(Place::Folder {
                folder: path.to_owned(),
                bodies: BodyStore::open(path.join(BODIES)),
            });
        }
        Pack::open(path).map(Place::Packed)
    }

    /// `name` is one of ours, never one from a trace.
    pub(crate) fn open(&self, name: &str) -> Result<Option<Source>, StoreError> {
        match self {
            Place::Folder { folder, .. } => {
                let path = folder.join(name);
                if std::fs::symlink_metadata(&path).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
                    return Ok(None);
                }
                Ok(Some(Box::new(files::open_file(&path)?)))
            }
            Place::Packed(pack) => pack.open_member(name),
        }
    }

    /// The lines of a log, compressed or not.
    pub(crate) fn open_log(&self, log: Log) -> Result<Option<Source>, StoreError> {
        if let Some(plain) = self.open(log.file_name())? {
            return Ok(Some(plain));
        }
        let name = log.compressed_name();
        let Some(compressed) = self.open(&name)? else {
            return Ok(None);
        };
        let mut decoder =
            zstd::stream::read::Decoder::new(compressed).map_err(|error| StoreError::read(Path::new(&name), error))?;
        decoder
            .window_log_max(25)
            .map_err(|error| StoreError::read(Path::new(&name), error))?;
        Ok(Some(Box::new(decoder)))
    }

    pub(crate) fn has_body(&self, hash: &Sha256) -> bool {
        match self {
            Place::Folder { bodies, .. } => bodies.contains(hash),
            Place::Packed(pack) => pack.contains(&body_name(hash)),
        }
    }

    /// The compressed bytes of a body.
    pub(crate) fn body(&self, hash: &Sha256) -> Result<Source, StoreError> {
        match self {
            Place::Folder { bodies, .. } => bodies.compressed(hash),
            Place::Packed(pack) => pack
                .open_member(&body_name(hash))?
                .ok_or_else(|| StoreError::BodyMissing(hash.clone())),
        }
    }
}

pub(crate) fn body_name(hash: &Sha256) -> String {
    format!("{BODIES}/{}", relative_path(hash))
}
