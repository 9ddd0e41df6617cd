//! `record -- COMMAND`: any client, with the proxy in its environment.
//!
//! The command shares our terminal and process group, so that Ctrl-C reaches it as it would without us. Told to stop, we
//! tell it, too, and wait; what it leaves behind then is found by a mark in its environment and ended.

use super::environment::{self, TAKEN_AWAY};
use super::setup::Setup;
use crate::exit::{Exit, Failure, OrUsage};
use crate::terminal::{self, count};
use anyhow::{Context, anyhow};
use std::ffi::OsString;
use std::net::SocketAddr;
use std::process::ExitStatus;
use std::time::Duration;
use tokio::process::{Child, Command};
use url::Url;

/// How long a command that was told to stop may take to clean up.
const GRACE: Duration = Duration::from_secs(5);
const LOOK_AGAIN: Duration = Duration::from_millis(10);

pub(super) async fn record(setup: Setup, url: Option<&Url>, command: &[OsString]) -> Result<Exit, Failure> {
    let [program, arguments @ ..] = command else {
        return Err(Failure::usage(anyhow!("no command was given after `--`")));
    };
    let mut recording = setup.start().await?;
    // Files that it needs while it runs, private and gone afterwards.
    let prepared = tempfile::tempdir().map_err(anyhow::Error::from).and_then(|folder| {
        let address = recording.proxy.address();
        let variables = environment::variables(address, &recording.authority, url, folder.path())?;
        Ok((folder, variables))
    });
    let (folder, variables) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            recording.give_up().await;
            return Err(error.into());
        }
    };
    let mut spawning = Command::new(program);
    spawning.args(arguments).envs(variables).kill_on_drop(true);
    for name in TAKEN_AWAY {
        spawning.env_remove(name);
    }
    let mut child = match spawning.spawn() {
        Ok(child) => child,
        Err(error) => {
            recording.give_up().await;
            let shown = program.to_string_lossy().into_owned();
            return Err(error)
                .with_context(|| format!("{shown} could not be started"))
                .or_usage();
        }
    };
    let status = tokio::select! {
        status = child.wait() => status,
        () = recording.signals.stop() => {
            let status = stop(&mut child).await;
            end_leftovers(recording.proxy.address()).await;
            status
        }
    };
    let recorded = recording.finish().await?;
    drop(folder);
    let status = status.context("the command could not be waited for")?;
    Ok(match exit_of(status) {
        0 => recorded,
        status => {
            terminal::say(format!("The command ended with status {status}."));
            Exit::Passed(status)
        }
    })
}

/// Asks, waits, insists.
async fn stop(child: &mut Child) -> std::io::Result<ExitStatus> {
    ask_to_end(child);
    match tokio::time::timeout(GRACE, child.wait()).await {
        Ok(status) => status,
        Err(_) => {
            child.start_kill()?;
            child.wait().await
        }
    }
}

#[cfg(unix)]
fn ask_to_end(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process};
    let pid = child.id().and_then(|id| Pid::from_raw(id as i32));
    if let Some(pid) = pid
        && let Err(error) = kill_process(pid, Signal::TERM)
    {
        tracing::debug!(%error, "the command is gone already");
    }
}

#[cfg(not(unix))]
fn ask_to_end(_child: &Child) {}

/// As shells have it: 128 and the signal for what was killed.
fn exit_of(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128_u8.saturating_add(signal as u8);
    }
    status.code().map_or(1, |code| code as u8)
}

/// What a command that was stopped left running: servers it started, browsers of a test runner.
#[cfg(target_os = "linux")]
async fn end_leftovers(proxy: SocketAddr) {
    use rustix::process::{Signal, kill_process};
    let mark = format!("XCHECK_PROXY={}", environment::proxy_url(proxy));
    let deadline = tokio::time::Instant::now() + GRACE;
    // Again and again until none is found: a process may start another while we look, and dying takes a moment.
    loop {
        let marked = marked_processes(&mark);
        if marked.is_empty() {
            return;
        }
        if tokio::time::Instant::now() > deadline {
            terminal::warn(format!(
                "{} of the command could not be ended",
                count(marked.len() as u64, "process")
            ));
            return;
        }
        for process in marked {
            if let Err(error) = kill_process(process, Signal::KILL) {
                tracing::debug!(%error, "a process that the command left is gone already");
            }
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

#[cfg(target_os = "linux")]
fn marked_processes(mark: &str) -> Vec<rustix::process::Pid> {
    let own = std::process::id();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|process| {
            let pid: u32 = process.file_name().to_str()?.parse().ok()?;
            // Other people's processes cannot be read, and are none of ours.
            let environment = std::fs::read(process.path().join("environ")).ok()?;
            let marked = environment
                .split(|byte| *byte == 0)
                .any(|variable| variable == mark.as_bytes());
            let pid = rustix::process::Pid::from_raw(pid as i32).filter(|_| pid != own);
            pid.filter(|_| marked)
        })
        .collect()
}

#[cfg(not(target_os = "linux"))]
async fn end_leftovers(_proxy: SocketAddr) {}
