//! Published packages, fetched by name and version through their registry's own client and checked by hash.
//!
//! The subjects are other people's programs: they are never committed here, and which registry or mirror answers is the
//! machine's configuration. The hash makes a pinned version mean the same bytes everywhere. Archives and what was
//! unpacked from them stay below `target/subjects` (or `XCHECK_SUBJECTS`), so that a second run needs no network.

use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registry {
    Npm,
    PyPi,
    Debian,
}

#[derive(Debug, Clone, Copy)]
pub struct Archive {
    pub registry: Registry,
    pub name: &'static str,
    pub version: &'static str,
    pub sha256: &'static str,
}

/// Where subjects are kept between runs.
pub fn store() -> PathBuf {
    match std::env::var_os("XCHECK_SUBJECTS") {
        Some(folder) => folder.into(),
        None => crate::workspace().join("target/subjects"),
    }
}

impl Archive {
    /// Adds the archive's files to `folder`, as they lie below the package's own top folder.
    pub(crate) fn unpack_into(&self, folder: &Path) -> Result<()> {
        let file = self.fetch()?;
        let mut command = match self.registry {
            Registry::Npm => {
                let mut tar = Command::new("tar");
                tar.arg("xzf")
                    .arg(&file)
                    .arg("--strip-components=1")
                    .arg("-C")
                    .arg(folder);
                tar
            }
            Registry::PyPi => {
                let mut python = Command::new("python3");
                python.args(["-m", "zipfile", "-e"]).arg(&file).arg(folder);
                python
            }
            Registry::Debian => {
                let mut dpkg = Command::new("dpkg-deb");
                dpkg.arg("-x").arg(&file).arg(folder);
                dpkg
            }
        };
        run(&mut command).with_context(|| format!("unpacking {} {}", self.name, self.version))
    }

    /// The archive's file, from the store or from its registry.
    fn fetch(&self) -> Result<PathBuf> {
        let kept = store().join("archives").join(&self.sha256[..16]);
        if kept.exists() {
            return Ok(kept);
        }
        std::fs::create_dir_all(store().join("archives"))?;
        let download = tempfile::tempdir_in(store())?;
        self.download(download.path())
            .with_context(|| format!("fetching {} {} from {:?}", self.name, self.version, self.registry))?;
        let files = files_in(download.path())?;
        let [file] = files.as_slice() else {
            bail!(
                "{} {} came as {} files, not as one",
                self.name,
                self.version,
                files.len()
            );
        };
        let found = hex(&Sha256::digest(std::fs::read(file)?));
        ensure!(
            found == self.sha256,
            "{} {} is not the archive that was pinned: its SHA-256 is {found}, expected {}",
            self.name,
            self.version,
            self.sha256
        );
        std::fs::rename(file, &kept)?;
        Ok(kept)
    }

    fn download(&self, folder: &Path) -> Result<()> {
        match self.registry {
            Registry::Npm => run(Command::new("npm")
                .args(["pack", "--silent", &format!("{}@{}", self.name, self.version)])
                .current_dir(folder)),
            Registry::PyPi => run(Command::new("python3")
                .args([
                    "-m",
                    "pip",
                    "download",
                    "--quiet",
                    "--no-deps",
                    "--only-binary",
                    ":all:",
                ])
                .arg(format!("{}=={}", self.name, self.version))
                .current_dir(folder)),
            Registry::Debian => {
                let package = format!("{}={}", self.name, self.version);
                let apt = |arguments: &[&str]| run(Command::new("apt-get").args(arguments).current_dir(folder));
                apt(&["download", "-q", &package]).or_else(|first| {
                    // A new machine has no package lists yet.
                    apt(&["update", "-q"]).context(first)?;
                    apt(&["download", "-q", &package])
                })
            }
        }
    }
}

/// Makes `folder` by `fill`ing a temporary one beside it: a folder that exists is complete, also after a crash.
pub(crate) fn complete_folder(folder: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    if folder.exists() {
        return Ok(());
    }
    let parent = folder.parent().context("a folder has a parent")?;
    std::fs::create_dir_all(parent)?;
    let filling = tempfile::tempdir_in(parent)?;
    fill(filling.path())?;
    match std::fs::rename(filling.keep(), folder) {
        // Another process was faster, with the same content.
        Err(error) if !folder.exists() => Err(error).with_context(|| format!("keeping {}", folder.display())),
        _ => Ok(()),
    }
}

pub(crate) fn run(command: &mut Command) -> Result<()> {
    let output = command
        .output()
        .with_context(|| format!("starting {:?}", command.get_program()))?;
    ensure!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        files.push(entry?.path());
    }
    Ok(files)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
