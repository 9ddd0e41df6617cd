//! `xcheck trace pack` and `xcheck trace unpack`.

use crate::exit::{Exit, Failure, OrUsage};
use crate::terminal;
use anyhow::anyhow;
use std::path::{Path, PathBuf};

const PACKED: &str = "xcheck.tar";

const PACK: &str = "\
Examples:
  xcheck trace pack shop.trace                  shop.trace.xcheck.tar, which other commands take as it is";

#[derive(Debug, clap::Args)]
#[command(after_help = PACK)]
pub(crate) struct PackArgs {
    /// A trace's folder
    trace: PathBuf,
    /// The file to write [default: the folder's name with .xcheck.tar]
    file: Option<PathBuf>,
}

const UNPACK: &str = "\
Examples:
  xcheck trace unpack shop.trace.xcheck.tar";

#[derive(Debug, clap::Args)]
#[command(after_help = UNPACK)]
pub(crate) struct UnpackArgs {
    /// A packed trace
    file: PathBuf,
    /// The folder to make [default: the file's name without .xcheck.tar]
    folder: Option<PathBuf>,
}

pub(super) fn pack(args: &PackArgs) -> Result<Exit, Failure> {
    if args.trace.is_file() {
        let error = anyhow!("{} is a file: is it packed already?", args.trace.display());
        return Err(Failure::usage(error));
    }
    let target = match &args.file {
        Some(file) => file.clone(),
        None => beside(&args.trace, |name| format!("{name}.{PACKED}")).or_usage()?,
    };
    xcheck_trace::pack(&args.trace, &target)?;
    let size = std::fs::metadata(&target)?.len();
    terminal::say(format!("Packed into {} ({}).", target.display(), terminal::bytes(size)));
    Ok(Exit::Clean)
}

pub(super) fn unpack(args: &UnpackArgs) -> Result<Exit, Failure> {
    let without = |name: &str| {
        let name = name.strip_suffix(PACKED).unwrap_or(name).trim_end_matches('.');
        let name = name.strip_suffix(".tar").unwrap_or(name);
        if name.is_empty() {
            "unpacked".to_owned()
        } else {
            name.to_owned()
        }
    };
    let target = match &args.folder {
        Some(folder) => folder.clone(),
        None => beside(&args.file, without).or_usage()?,
    };
    xcheck_trace::unpack(&args.file, &target)?;
    terminal::say(format!("Unpacked into {}.", target.display()));
    Ok(Exit::Clean)
}

/// A path in the same folder, its name made of the old one.
fn beside(path: &Path, rename: impl Fn(&str) -> String) -> anyhow::Result<PathBuf> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| anyhow!("{} has no name to go by: give the target, too", path.display()))?;
    Ok(path.with_file_name(rename(name)))
}
