//! What the end-to-end tests stand on: real applications and small pages of our own, servers for them, and sessions
//! that a person might have with them, given as data.
//!
//! Everything here runs on loopback. The tests themselves are one binary, `tests/e2e`.

pub mod again;
pub mod archive;
pub mod asked;
pub mod browsers;
pub mod cost;
pub mod coverage;
pub mod crawling;
pub mod differing;
mod django;
pub mod expected;
pub mod labelled;
pub mod maze;
mod node_red;
pub mod old_builds;
pub mod own_server;
pub mod paced;
pub mod page_state;
pub mod program;
pub mod recording;
pub mod replaying;
pub mod served;
pub mod sessions;
pub mod side_by_side;
pub mod site;
pub mod subject;
pub mod traces;

pub use xcheck_demo::{runner, session};

use anyhow::{Result, ensure};
use std::path::{Path, PathBuf};

/// The repository's top folder.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The `xcheck` binary of the same build as the running test.
pub fn xcheck() -> Result<PathBuf> {
    let mut folder = std::env::current_exe()?;
    folder.pop();
    if folder.ends_with("deps") {
        folder.pop();
    }
    let binary = folder.join("xcheck");
    ensure!(
        binary.exists(),
        "{} is not there: `cargo build -p xcheck-cli` makes it",
        binary.display()
    );
    Ok(binary)
}

/// What a bench was asked for; cargo adds a word of its own.
pub fn bench_arguments() -> Vec<String> {
    let arguments = std::env::args().skip(1);
    arguments.filter(|argument| argument != "--bench").collect()
}
