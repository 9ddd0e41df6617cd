//! Builds of years ago, beside those of today: what many people's browsers were then, and what their pages lacked.
//!
//! The old WebKit is a package of the system's; old builds of Chromium come within packages of their registry, fetched and
//! checked like every subject.

use crate::archive::{Archive, complete_folder, run, store};
use crate::subject::npm;
use anyhow::{Context, Result};
use std::fs::{File, Permissions};
use std::io::BufReader;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use xcheck_agent::{CustomBrowser, Installed};
use xcheck_trace::manifest::Engine;

/// WebKit of 2022, and Chromium of 2021 and 2024.
pub const NAMES: [&str; 3] = ["wpe", "chromium-92", "chromium-123"];

/// A build and what draws in it, each in a file compressed by Brotli.
const CHROMIUMS: [(&str, Archive); 2] = [
    (
        "chromium-92",
        npm(
            "chrome-aws-lambda",
            "10.1.0",
            "6745d06176d629be7021538a901a5a969f335c5a8c10a581b40862e7ed66996e",
        ),
    ),
    (
        "chromium-123",
        npm(
            "@sparticuz/chromium",
            "123.0.1",
            "aaea4974705da9ab96532b6aceda68afdcc83bb5139f1921f03b3530a0bf7a69",
        ),
    ),
];

/// A build by its name, fetched at the first call; any other browser as it is installed.
pub fn installed(name: &str) -> Result<Installed> {
    let Some((name, archive)) = CHROMIUMS.iter().find(|(known, _)| *known == name) else {
        return Ok(xcheck_agent::find(name, &[])?);
    };
    let folder = store().join(format!("{name}-{}", archive.version));
    complete_folder(&folder, |filling| unpack(archive, filling)).with_context(|| format!("preparing {name}"))?;
    let browser = CustomBrowser {
        name: (*name).to_owned(),
        engine: Engine::Blink,
        binary: Some(folder.join("chromium")),
        arguments: Vec::new(),
        preferences: [].into(),
    };
    Ok(xcheck_agent::find(name, &[browser])?)
}

fn unpack(archive: &Archive, into: &Path) -> Result<()> {
    let package = tempfile::tempdir_in(into)?;
    archive.unpack_into(package.path())?;
    let packed = package.path().join("bin");
    let binary = into.join("chromium");
    decompress(&packed.join("chromium.br"), &binary)?;
    std::fs::set_permissions(&binary, Permissions::from_mode(0o755))?;
    let libraries = package.path().join("libraries.tar");
    decompress(&packed.join("swiftshader.tar.br"), &libraries)?;
    run(Command::new("tar").arg("xf").arg(&libraries).arg("-C").arg(into))
}

fn decompress(from: &Path, to: &Path) -> Result<()> {
    let packed = File::open(from).with_context(|| format!("opening {}", from.display()))?;
    std::io::copy(
        &mut brotli::Decompressor::new(BufReader::new(packed), 1 << 16),
        &mut File::create(to)?,
    )?;
    Ok(())
}
