//! Files that are private to the user, and errors that say what to do about them.
//!
//! Bodies can hold passwords, so everything is made with 0600 (folders 0700), whatever the umask says. Traces come
//! from other people, so reading never follows a symbolic link, nor opens a pipe or a device.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What went wrong with a trace or a run on disk.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{} is already there and not empty: choose another name, or remove it first", .0.display())]
    Exists(PathBuf),
    #[error("the disk that holds {} is full. What was written so far stays readable: free some space and try again", .0.display())]
    DiskFull(PathBuf),
    #[error("{} may not be written: choose a place you may write to, or change its permissions", .0.display())]
    NotPermitted(PathBuf),
    #[error("{} could not be written: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} could not be read: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{} is not {expected}: {reason}", path.display())]
    Not {
        path: PathBuf,
        expected: &'static str,
        reason: String,
    },
    #[error(
        "{} has format {found}, and this xcheck reads {what} up to format {ours}: use a newer xcheck",
        path.display()
    )]
    NewerFormat {
        path: PathBuf,
        what: &'static str,
        found: crate::manifest::Format,
        ours: crate::manifest::Format,
    },
    #[error("{} has format {found}, whose page data this xcheck no longer reads: replay the trace again", path.display())]
    OlderFormat {
        path: PathBuf,
        found: crate::manifest::Format,
    },
    #[error("body {0} is missing from the store")]
    BodyMissing(crate::hash::Sha256),
    #[error("body {hash} is damaged: {reason}")]
    BodyDamaged { hash: crate::hash::Sha256, reason: String },
    #[error("{} was finished: nothing more can be written to it", .0.display())]
    Finished(PathBuf),
}

impl StoreError {
    pub(crate) fn write(path: &Path, source: io::Error) -> StoreError {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::DiskFull(path),
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => StoreError::NotPermitted(path),
            _ => StoreError::Write { path, source },
        }
    }

    pub(crate) fn read(path: &Path, source: io::Error) -> StoreError {
        StoreError::Read {
            path: path.to_owned(),
            source,
        }
    }
}

/// Makes `path` as a new private folder. One that is there already is taken when it is empty.
pub(crate) fn create_new_folder(path: &Path) -> Result<(), StoreError> {
    if let Ok(mut entries) = fs::read_dir(path) {
        if entries.next().is_some() {
            return Err(StoreError::Exists(path.to_owned()));
        }
        return restrict(path).map_err(|error| StoreError::write(path, error));
    }
    if fs::symlink_metadata(path).is_ok() {
        return Err(StoreError::Exists(path.to_owned()));
    }
    create_folder(path)
}

/// Makes `path` and what is missing above it. What is there already stays as it is.
pub(crate) fn create_folder(path: &Path) -> Result<(), StoreError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|error| StoreError::write(path, error))
}

#[cfg(unix)]
fn restrict(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))
}

#[cfg(not(unix))]
fn restrict(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// A new private file; an error when there is one of that name.
pub(crate) fn create_file(path: &Path) -> Result<File, StoreError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| StoreError::write(path, error))
}

/// Writes the whole file or leaves what was there: through a temporary file and a rename.
pub(crate) fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let write = || -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    };
    write().map_err(|error| StoreError::write(path, error))
}

/// Opens a file of a trace that may come from anywhere: only regular files, never through a link.
pub(crate) fn open_file(path: &Path) -> Result<File, StoreError> {
    let open = || -> io::Result<File> {
        if !fs::symlink_metadata(path)?.is_file() {
            return Err(io::Error::other("it is a link or a device, not a file of its own"));
        }
        File::open(path)
    };
    open().map_err(|error| StoreError::read(path, error))
}
