//! Django's admin as a process of its own: log-in, CSRF tokens, cookies, and a server that changes with what is done.

use crate::site::Prelude;
use crate::subject::DJANGO;
use anyhow::{Context, Result};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

const SERVE: &str = include_str!("django/serve.py");

/// A server with a database of its own, ended when it is dropped.
#[derive(Debug)]
pub struct Django {
    origin: String,
    files: TempDir,
    _process: Child,
}

impl Django {
    pub async fn start(prelude: Prelude) -> Result<Django> {
        let subject = DJANGO.folder()?;
        let files = tempfile::tempdir()?;
        let file = |name: &str| files.path().join(name);
        std::fs::copy(subject.join("database"), file("database"))?;
        std::fs::write(file("prelude.js"), prelude.script().unwrap_or_default())?;
        std::fs::write(file("errors"), "")?;
        std::fs::write(file("said"), "")?;
        let mut process = Command::new("python3")
            .args(["-c", SERVE, "run"])
            .args(["database", "prelude.js", "errors"].map(file))
            .env("PYTHONPATH", &subject)
            .current_dir(files.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(file("said"))?)
            .kill_on_drop(true)
            .spawn()
            .context("starting python3")?;
        let output = process.stdout.take().context("its output is piped")?;
        let port = BufReader::new(output).lines().next_line().await?.with_context(|| {
            let said = std::fs::read_to_string(file("said"));
            format!("Django ended before it listened: {said:?}")
        })?;
        Ok(Django {
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

/// Makes the database once: migrating takes seconds, copying it none.
pub(crate) fn make_database(subject: &std::path::Path) -> Result<()> {
    let mut python = std::process::Command::new("python3");
    python
        .args(["-c", SERVE, "prepare"])
        .arg(subject.join("database"))
        .env("PYTHONPATH", subject);
    crate::archive::run(&mut python)
}
