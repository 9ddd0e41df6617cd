//! An application that is a process of its own, with what its pages are given first and what they report.

use crate::site::Prelude;
use anyhow::{Context, Result};
use std::path::Path;
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// Ended when it is dropped, its files with it.
#[derive(Debug)]
pub struct OwnServer {
    origin: String,
    files: TempDir,
    _process: Child,
}

impl OwnServer {
    /// `command` is made for a folder in which the process is started. Its last two arguments are added here: a file with a
    /// script for each page's head, and one for what pages report. The first line it prints is its port.
    pub(crate) async fn start(prelude: Prelude, command: impl FnOnce(&Path) -> Result<Command>) -> Result<OwnServer> {
        let files = tempfile::tempdir()?;
        let file = |name: &str| files.path().join(name);
        std::fs::write(file("prelude.js"), prelude.script().unwrap_or_default())?;
        std::fs::write(file("errors"), "")?;
        let mut command = command(files.path())?;
        let program = command.as_std().get_program().to_string_lossy().into_owned();
        let mut process = command
            .args(["prelude.js", "errors"].map(file))
            .current_dir(files.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(file("said"))?)
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("starting {program}"))?;
        let output = process.stdout.take().context("its output is piped")?;
        let port = BufReader::new(output).lines().next_line().await?.with_context(|| {
            let said = std::fs::read_to_string(file("said"));
            format!("{program} ended before it listened: {said:?}")
        })?;
        Ok(OwnServer {
            origin: format!("http://127.0.0.1:{port}"),
            files,
            _process: process,
        })
    }

    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// What the pages' preludes reported so far.
    pub fn errors(&self) -> Result<Vec<String>> {
        let told = std::fs::read_to_string(self.files.path().join("errors"))?;
        Ok(told.lines().map(str::to_owned).collect())
    }
}
