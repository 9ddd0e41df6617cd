//! Bodies by SHA-256: each stored once, compressed, however often it passed.
//!
//! A small body is gathered in memory, so that one that is there already costs a hash and nothing else; a large one
//! streams through a temporary file and is renamed when its hash is known. The alternative, one growing pack file, would
//! save inodes but loses whatever follows a torn end, and agents fetch bodies one by one.

use crate::exchange::Body;
use crate::files::{self, StoreError};
use crate::hash::{Hasher, Sha256};
use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tempfile::NamedTempFile;

const IN_MEMORY: usize = 64 * 1024;
/// Level 1 keeps up with a fast network, and its tables are small enough for hundreds of bodies at once.
const LEVEL: i32 = 1;

/// A folder of bodies. Cheap to clone; all clones share what they know to be stored.
#[derive(Debug, Clone)]
pub struct BodyStore {
    folder: Arc<PathBuf>,
    known: Arc<Mutex<HashSet<Sha256>>>,
}

impl BodyStore {
    pub fn create(folder: PathBuf) -> Result<BodyStore, StoreError> {
        files::create_folder(&folder)?;
        Ok(BodyStore::open(folder))
    }

    pub fn open(folder: PathBuf) -> BodyStore {
        BodyStore {
            folder: Arc::new(folder),
            known: Arc::default(),
        }
    }

    pub fn writer(&self) -> BodyWriter {
        BodyWriter {
            store: self.clone(),
            hasher: Hasher::default(),
            bytes: 0,
            kept: Kept::Memory(Vec::new()),
        }
    }

    pub fn put(&self, bytes: &[u8]) -> Result<Sha256, StoreError> {
        let hash = Sha256::of(bytes);
        self.store_small(&hash, bytes)?;
        Ok(hash)
    }

    pub fn contains(&self, hash: &Sha256) -> bool {
        self.known().contains(hash) || self.path(hash).is_file()
    }

    /// Decompresses as it is read; the end of the stream is an error when size or hash are wrong.
    pub fn read(&self, hash: &Sha256) -> Result<BodyReader, StoreError> {
        BodyReader::new(hash.clone(), self.compressed(hash)?)
    }

    /// Bytes on disk, of one that is there.
    pub fn size(&self, hash: &Sha256) -> Option<u64> {
        std::fs::metadata(self.path(hash)).ok().map(|about| about.len())
    }

    /// Makes room. Whoever has a link to it keeps it.
    pub fn remove(&self, hash: &Sha256) -> Result<(), StoreError> {
        self.known().remove(hash);
        let path = self.path(hash);
        std::fs::remove_file(&path).map_err(|error| StoreError::write(&path, error))
    }

    /// The file as it is. Links are not followed, neither that of the file nor those of its folders.
    pub(crate) fn compressed(&self, hash: &Sha256) -> Result<Box<dyn Read + Send>, StoreError> {
        let folder = self.folder.join(&hash[..2]);
        for folder in [self.folder.as_path(), &folder] {
            match std::fs::symlink_metadata(folder) {
                Ok(about) if about.is_dir() => {}
                _ => return Err(StoreError::BodyMissing(hash.clone())),
            }
        }
        let path = self.path(hash);
        if std::fs::symlink_metadata(&path).is_err() {
            return Err(StoreError::BodyMissing(hash.clone()));
        }
        Ok(Box::new(files::open_file(&path)?))
    }

    /// The whole body, checked. Refuses one of more than `limit` bytes, whatever its file claims.
    pub fn bytes(&self, hash: &Sha256, limit: u64) -> Result<Vec<u8>, StoreError> {
        self.read(hash)?.bytes(limit)
    }

    fn path(&self, hash: &Sha256) -> PathBuf {
        self.folder.join(relative_path(hash))
    }

    fn known(&self) -> std::sync::MutexGuard<'_, HashSet<Sha256>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn store_small(&self, hash: &Sha256, bytes: &[u8]) -> Result<(), StoreError> {
        if self.contains(hash) {
            return Ok(());
        }
        let write = || -> io::Result<NamedTempFile> {
            let mut file = NamedTempFile::new_in(self.folder.as_path())?;
            file.write_all(&zstd::bulk::compress(bytes, LEVEL)?)?;
            Ok(file)
        };
        let file = write().map_err(|error| StoreError::write(&self.path(hash), error))?;
        self.keep(hash, file)
    }

    /// Gives a finished file its name. When another thread was first with the same body, theirs is replaced by ours.
    fn keep(&self, hash: &Sha256, file: NamedTempFile) -> Result<(), StoreError> {
        let path = self.path(hash);
        files::create_folder(path.parent().unwrap_or(&self.folder))?;
        file.persist(&path)
            .map_err(|error| StoreError::write(&path, error.error))?;
        self.known().insert(hash.clone());
        Ok(())
    }
}

/// Where a body stands below its store, with `/` between the parts.
pub(crate) fn relative_path(hash: &Sha256) -> String {
    format!("{}/{hash}.zst", &hash[..2])
}

/// One body on its way into the store. Dropped without `finish`, it leaves nothing behind.
pub struct BodyWriter {
    store: BodyStore,
    hasher: Hasher,
    bytes: u64,
    kept: Kept,
}

enum Kept {
    Memory(Vec<u8>),
    File(Box<zstd::stream::write::Encoder<'static, NamedTempFile>>),
}

impl BodyWriter {
    pub fn write(&mut self, chunk: &[u8]) -> Result<(), StoreError> {
        self.hasher.update(chunk);
        self.bytes += chunk.len() as u64;
        let result = match &mut self.kept {
            Kept::Memory(gathered) if gathered.len() + chunk.len() <= IN_MEMORY => {
                gathered.extend_from_slice(chunk);
                Ok(())
            }
            Kept::Memory(_) => self.spill(chunk),
            Kept::File(encoder) => encoder.write_all(chunk),
        };
        result.map_err(|error| StoreError::write(&self.store.folder, error))
    }

    fn spill(&mut self, chunk: &[u8]) -> io::Result<()> {
        let file = NamedTempFile::new_in(self.store.folder.as_path())?;
        let mut encoder = Box::new(zstd::stream::write::Encoder::new(file, LEVEL)?);
        if let Kept::Memory(gathered) = &self.kept {
            encoder.write_all(gathered)?;
        }
        encoder.write_all(chunk)?;
        self.kept = Kept::File(encoder);
        Ok(())
    }

    /// Bytes written so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The body is all there.
    pub fn finish(self) -> Result<Body, StoreError> {
        self.end(false)
    }

    /// The peer announced more, or was still sending.
    pub fn finish_partial(self) -> Result<Body, StoreError> {
        self.end(true)
    }

    fn end(self, partial: bool) -> Result<Body, StoreError> {
        let sha256 = self.hasher.finish();
        match self.kept {
            Kept::Memory(gathered) => self.store.store_small(&sha256, &gathered)?,
            Kept::File(_) if self.store.contains(&sha256) => {}
            Kept::File(encoder) => {
                let file = encoder
                    .finish()
                    .map_err(|error| StoreError::write(&self.store.folder, error))?;
                self.store.keep(&sha256, file)?;
            }
        }
        Ok(Body {
            sha256,
            bytes: self.bytes,
            partial,
        })
    }
}

/// A body being read. Its last read fails when what came out is not what the hash names.
pub struct BodyReader {
    hash: Sha256,
    decoder: zstd::stream::read::Decoder<'static, io::BufReader<Box<dyn Read + Send>>>,
    hasher: Option<Hasher>,
    bytes: u64,
}

impl BodyReader {
    pub(crate) fn new(hash: Sha256, compressed: Box<dyn Read + Send>) -> Result<BodyReader, StoreError> {
        let decoder = zstd::stream::read::Decoder::new(compressed).and_then(|mut decoder| {
            // What we write needs far less; a file that asks for more wants our memory, not to be read.
            decoder.window_log_max(23)?;
            Ok(decoder)
        });
        match decoder {
            Ok(decoder) => Ok(BodyReader {
                hash,
                decoder,
                hasher: Some(Hasher::default()),
                bytes: 0,
            }),
            Err(error) => Err(StoreError::BodyDamaged {
                hash,
                reason: error.to_string(),
            }),
        }
    }

    pub fn bytes(mut self, limit: u64) -> Result<Vec<u8>, StoreError> {
        let mut bytes = Vec::new();
        let read = (&mut self).take(limit.saturating_add(1)).read_to_end(&mut bytes);
        let damaged = |reason: String| StoreError::BodyDamaged {
            hash: self.hash.clone(),
            reason,
        };
        read.map_err(|error| damaged(error.to_string()))?;
        if bytes.len() as u64 > limit {
            return Err(damaged(format!("it is larger than the {limit} bytes expected here")));
        }
        Ok(bytes)
    }

    /// Reads to the end, keeping nothing, and tells the size.
    pub fn check(mut self) -> Result<u64, StoreError> {
        match io::copy(&mut self, &mut io::sink()) {
            Ok(bytes) => Ok(bytes),
            Err(error) => Err(StoreError::BodyDamaged {
                hash: self.hash,
                reason: error.to_string(),
            }),
        }
    }
}

impl Read for BodyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.bytes += count as u64;
        if let Some(hasher) = &mut self.hasher {
            hasher.update(&buffer[..count]);
        }
        if count > 0 || buffer.is_empty() {
            return Ok(count);
        }
        match self.hasher.take().map(Hasher::finish) {
            Some(actual) if actual != self.hash => Err(io::Error::other(format!("its content has the hash {actual}"))),
            _ => Ok(0),
        }
    }
}

impl std::fmt::Debug for BodyWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BodyWriter({} bytes)", self.bytes)
    }
}

impl AsRef<Path> for BodyStore {
    fn as_ref(&self) -> &Path {
        &self.folder
    }
}
