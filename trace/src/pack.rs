//! A trace as one file, for sharing: a tar archive of the folder, its logs compressed.
//!
//! An archive comes from anywhere. Its names are not paths but are looked up in what a trace may consist of; any
//! other name makes it refused. Nothing in it can be larger than the archive itself, because its own members are
//! not expanded when it is unpacked.

use crate::files::{self, StoreError};
use crate::hash::Sha256;
use crate::layout::{BODIES, Log, MANIFEST};
use crate::place::{Source, body_name};
use crate::tar::{self, Member};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// An archive that is read in place.
#[derive(Debug)]
pub(crate) struct Pack {
    path: PathBuf,
    members: BTreeMap<String, Member>,
}

impl Pack {
    pub(crate) fn open(path: &Path) -> Result<Pack, StoreError> {
        let refused = |reason: String| StoreError::Not {
            path: path.to_owned(),
            expected: "a packed trace",
            reason,
        };
        let about = fs::metadata(path).map_err(|error| StoreError::read(path, error))?;
        if !about.is_file() {
            return Err(refused("it is neither a file nor a folder".into()));
        }
        let mut file = File::open(path).map_err(|error| StoreError::read(path, error))?;
        let mut members = BTreeMap::new();
        for member in tar::members(&mut file).map_err(|error| refused(error.to_string()))? {
            if !belongs(&member.name) {
                let shown: String = member.name.chars().take(120).collect();
                return Err(refused(format!("{shown:?} is no part of a trace")));
            }
            if let Some(first) = members.insert(member.name.clone(), member) {
                return Err(refused(format!("{} is there twice", first.name)));
            }
        }
        Ok(Pack {
            path: path.to_owned(),
            members,
        })
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    pub(crate) fn open_member(&self, name: &str) -> Result<Option<Source>, StoreError> {
        let part = self.members.get(name).map(|member| self.part(member));
        part.transpose()
    }

    fn part(&self, member: &Member) -> Result<Source, StoreError> {
        // Opened anew each time: readers in several threads must not share a position.
        let open = || -> io::Result<Source> {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(member.start))?;
            Ok(Box::new(file.take(member.size)))
        };
        open().map_err(|error| StoreError::read(&self.path, error))
    }
}

/// Whether a trace may hold a file of this name.
fn belongs(name: &str) -> bool {
    if name == MANIFEST {
        return true;
    }
    if Log::ALL
        .iter()
        .any(|log| name == log.file_name() || name == log.compressed_name())
    {
        return true;
    }
    let hash = name.strip_suffix(".zst").and_then(|name| name.rsplit('/').next());
    hash.and_then(|hash| Sha256::parse(hash).ok())
        .is_some_and(|hash| body_name(&hash) == name)
}

/// Packs the trace in `folder` into the new file `target`.
pub fn pack(folder: &Path, target: &Path) -> Result<(), StoreError> {
    // Says so now when it is no trace, or one that we do not understand.
    crate::trace::Trace::open(folder)?;
    let unwritten = |error| StoreError::write(target, error);
    let unread = |error| StoreError::read(folder, error);
    let mut archive = BufWriter::new(files::create_file(target)?);
    let mut add = |name: &str, mut file: File| -> Result<(), StoreError> {
        let size = file.metadata().map_err(unread)?.len();
        tar::append(&mut archive, name, size, &mut file).map_err(unwritten)
    };
    add(MANIFEST, files::open_file(&folder.join(MANIFEST))?)?;
    for log in Log::ALL {
        let plain = folder.join(log.file_name());
        let compressed = folder.join(log.compressed_name());
        if plain.exists() {
            let source = files::open_file(&plain)?;
            add(&log.compressed_name(), compressed_copy(source).map_err(unwritten)?)?;
        } else if compressed.exists() {
            add(&log.compressed_name(), files::open_file(&compressed)?)?;
        }
    }
    for hash in stored_bodies(folder)? {
        let name = body_name(&hash);
        add(&name, files::open_file(&folder.join(&name))?)?;
    }
    tar::finish(&mut archive).map_err(unwritten)
}

/// Makes the folder `target` of a packed trace. It must not be there yet, or be empty.
pub fn unpack(packed: &Path, target: &Path) -> Result<(), StoreError> {
    crate::trace::Trace::open(packed)?;
    let pack = Pack::open(packed)?;
    files::create_new_folder(target)?;
    for (name, member) in &pack.members {
        let path = target.join(name);
        files::create_folder(path.parent().unwrap_or(target))?;
        let mut source = pack.part(member)?;
        io::copy(&mut source, &mut files::create_file(&path)?).map_err(|error| StoreError::write(&path, error))?;
    }
    files::create_folder(&target.join(BODIES))
}

fn compressed_copy(mut source: File) -> io::Result<File> {
    let mut encoder = zstd::stream::write::Encoder::new(tempfile::tempfile()?, 9)?;
    io::copy(&mut source, &mut encoder)?;
    let mut file = encoder.finish()?;
    file.rewind()?;
    Ok(file)
}

/// The bodies in a trace's folder, sorted. What is no body (a temporary file of a killed recorder) is passed over.
pub(crate) fn stored_bodies(folder: &Path) -> Result<Vec<Sha256>, StoreError> {
    let bodies = folder.join(BODIES);
    let mut hashes = Vec::new();
    let mut read = || -> io::Result<()> {
        for shelf in fs::read_dir(&bodies)? {
            let shelf = shelf?;
            if !shelf.file_type()?.is_dir() {
                continue;
            }
            for file in fs::read_dir(shelf.path())? {
                let name = file?.file_name();
                let hash = name.to_str().and_then(|name| name.strip_suffix(".zst"));
                hashes.extend(hash.and_then(|hash| Sha256::parse(hash).ok()));
            }
        }
        Ok(())
    };
    read().map_err(|error| StoreError::read(&bodies, error))?;
    hashes.sort();
    hashes.retain(|hash| folder.join(body_name(hash)).exists());
    Ok(hashes)
}
