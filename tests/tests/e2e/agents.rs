//! Replays on another machine: the real daemon, a client, and what stands between them.

mod entry;
mod leaving;
mod replaying;

use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;
use xcheck_tests::program::{Running, World};
use xcheck_tests::traces;
use xcheck_trace::runs::{Replay, RunReader};

const TOKEN: &str = "dGhpcyBpcyBhIHRva2Vu";

/// Done when its text says so. `BEHAVIOUR` is there to be replaced in the trace.
const PAGE: (&str, &str) = (
    "page.html",
    r#"<!doctype html><title>page</title><p>text</p><img src="picture.svg"><script src="behaviour.js"></script>"#,
);

const BEHAVIOUR: (&str, &str) = (
    "behaviour.js",
    "/*BEHAVIOUR*/ setTimeout(() => { document.querySelector('p').textContent = 'done ' + Math.random() }, 20)",
);

const DONE: &str = "document.querySelector('p').textContent.startsWith('done')";

pub(crate) async fn recorded(folder: &Path) -> Result<()> {
    // What compresses badly tells whether bodies travel twice.
    let noise: String = (0..40_000_u32)
        .map(|n| format!("{:08x}", n.wrapping_mul(2_654_435_761)))
        .collect();
    let picture = format!("<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><!--{noise}--></svg>");
    traces::record(&[PAGE, BEHAVIOUR, ("picture.svg", &picture)], DONE, folder).await
}

pub(crate) struct Daemon {
    pub(crate) world: World,
    pub(crate) running: Running,
    address: String,
}

async fn daemon(arguments: &[&str]) -> Result<Daemon> {
    let mut command = Command::new(xcheck_tests::xcheck()?);
    command.arg("agent").args(arguments);
    daemon_by(command).await
}

/// By a command that becomes the daemon. Its token is in its folder.
pub(crate) async fn daemon_by(command: Command) -> Result<Daemon> {
    let world = World::new()?;
    std::fs::write(world.path("token"), TOKEN)?;
    let mut running = world.start_command(command)?;
    let mut address = String::new();
    running
        .until("it listens", || {
            let said = std::fs::read_to_string(world.path("stdout"))?;
            let line = said.lines().find_map(|line| line.strip_prefix("listening on "));
            address = line.unwrap_or_default().to_owned();
            Ok(said.ends_with('\n') && !address.is_empty())
        })
        .await?;
    Ok(Daemon {
        world,
        running,
        address,
    })
}

impl Daemon {
    pub(crate) fn browser(&self, name: &str) -> String {
        format!("agent://{}/{name}", self.address)
    }

    /// Told to stop, it does, and nothing of it is left.
    pub(crate) async fn must_end(mut self) -> Result<()> {
        self.running.signal("TERM")?;
        let status = self.running.ended().await?;
        ensure!(status.code() == Some(0), "{status}: {}", self.world.stderr()?);
        self.world.must_be_empty().await
    }
}

pub(crate) fn replays(world: &World) -> Result<Vec<Replay>> {
    let (reader, _) = RunReader::open(&world.path("run"))?;
    let read = |name: &String| Ok(reader.replay(name)?.0);
    reader.run.replays.iter().map(read).collect()
}

pub(crate) async fn replay(world: &World, trace: &Path, on: &[String], more: &[&str]) -> Result<i32> {
    let (trace, on) = (trace.to_string_lossy().into_owned(), on.join(","));
    let arguments = ["replay", &trace, "--on", &on, "--out", "run", "--deadline", "60"];
    let all: Vec<&str> = arguments.iter().chain(more).copied().collect();
    let status = world.start(&all)?.ended().await?;
    status.code().with_context(|| format!("{status}: {:?}", world.stderr()))
}

/// A trace whose page never lets go of the browser.
pub(crate) async fn hanging(folder: &Path) -> Result<()> {
    recorded(folder).await?;
    traces::doctor(folder, "/*BEHAVIOUR*/", "while (true);")
}

/// What is in the agent's own folder, browsers' homes beside it included.
fn left_in(tmp: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(tmp)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        match name.starts_with("xcheck-agent-") {
            true => names.extend(
                std::fs::read_dir(entry.path())?
                    .flatten()
                    .map(|entry| entry.file_name().to_string_lossy().into_owned()),
            ),
            false => names.push(name),
        }
    }
    Ok(names)
}
