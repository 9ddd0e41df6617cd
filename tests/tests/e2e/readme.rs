//! Every command of the README is run, in the order of the README, by a shell, in a folder of its own.
//!
//! What cannot stand in a test is declared in [`PLACEHOLDERS`] and [`ELSEWHERE`]: names of servers and of tests that are
//! somebody else's, and commands that other tests run.

use anyhow::{Context, Result, ensure};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use xcheck_tests::program::{LONG, Running, World};
use xcheck_tests::site::{Prelude, Site};

/// What stands in the README, and what the test puts in its place. `{site}` is a server of the test's own.
const PLACEHOLDERS: [(&str, &str); 4] = [
    // A window needs a person to close it.
    ("record https://shop.example", "record {site} --headless"),
    ("npx playwright test", "curl -sf -o page.html {site}"),
    ("python3 test_shop.py", "curl -sf -o page.html {site}"),
    // The agent's own machine is this one, on whatever port is free.
    ("--listen 0.0.0.0:7433", "--listen 127.0.0.1:0"),
];

/// Commands that are run by other tests, and by which.
const ELSEWHERE: [(&str, &str); 3] = [
    ("cargo run --release -- demo --install-browsers", "demo.rs"),
    ("./check", "runs this test"),
    ("cargo install --path cli", "makes the program that all these tests run"),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_command_of_the_readme_works() {
    let pages = tempfile::tempdir().unwrap();
    std::fs::write(pages.path().join("index.html"), PAGE).unwrap();
    let site = Site::http(pages.path(), Prelude::None).await.unwrap();
    let lab = World::new().unwrap();
    let here = World::new().unwrap();
    let mut agent: Option<(Running, String, String)> = None;
    let mut run = 0;
    for line in commands().unwrap() {
        if ELSEWHERE.iter().any(|(command, _)| *command == line) {
            continue;
        }
        run += 1;
        let mut command = line.clone();
        for (written, instead) in PLACEHOLDERS {
            command = command.replace(written, &instead.replace("{site}", &site.url("/index.html")));
        }
        if let Some((_, address, fingerprint)) = &agent {
            command = command.replace("lab:7433", address).replace("AB:CD:EF", fingerprint);
        }
        let done = match () {
            () if command.contains(" agent ") => offer(&lab, &command).await.map(|started| agent = Some(started)),
            () if command.contains("--headless") => browse(&here, &command).await,
            // The token is made where the agent is, and copied.
            () if command.contains("> lab.token") => match finish(&lab, &command).await {
                Ok(()) => std::fs::copy(lab.path("lab.token"), here.path("lab.token"))
                    .map(drop)
                    .map_err(Into::into),
                Err(error) => Err(error),
            },
            () => finish(&here, &command).await,
        };
        done.with_context(|| format!("`{line}`, run as `{command}`")).unwrap();
    }
    assert!(run >= 7, "only {run} commands of the README were run");
    let check = xcheck_tests::workspace().join("check");
    assert!(
        check.metadata().unwrap().permissions().mode() & 0o100 != 0,
        "./check can be run"
    );
}

/// With a font that is named: what a page without one looks like is each browser's own affair.
const PAGE: &str = "<!doctype html><meta charset=utf-8><title>Shop</title>\
    <style>body { font: 16px/24px Arial }</style><h1>Shop</h1><p>Open.</p>";

/// Lines of the `sh` blocks.
fn commands() -> Result<Vec<String>> {
    let text = std::fs::read_to_string(xcheck_tests::workspace().join("README.md"))?;
    let blocks = text
        .split("\n```sh\n")
        .skip(1)
        .filter_map(|block| block.split("\n```").next());
    let lines: Vec<String> = blocks.flat_map(str::lines).map(str::to_owned).collect();
    for (command, _) in ELSEWHERE {
        ensure!(
            lines.iter().any(|line| line == command),
            "the README no longer has `{command}`"
        );
    }
    for (written, _) in PLACEHOLDERS {
        ensure!(
            lines.iter().any(|line| line.contains(written)),
            "the README no longer has `{written}`"
        );
    }
    Ok(lines)
}

/// As in a shell in which `xcheck` is installed.
fn start(world: &World, command: &str) -> Result<Running> {
    let bin = world.path("bin");
    if !bin.exists() {
        std::fs::create_dir(&bin)?;
        symlink(xcheck_tests::xcheck()?.canonicalize()?, bin.join("xcheck"))?;
    }
    let path = std::env::var("PATH")?;
    // The program takes the shell's place, so that Ctrl-C ends it and not the shell that waits for it.
    let own = if command.starts_with("xcheck ") { "exec " } else { "" };
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{own}{command}")]);
    shell.env("PATH", format!("{}:{path}", bin.display()));
    world.start_command(shell)
}

async fn finish(world: &World, command: &str) -> Result<()> {
    let mut running = start(world, command)?;
    let status = running.ended_within(LONG).await?;
    ensure!(status.success(), "{status}: {}", world.stderr()?);
    Ok(())
}

/// A person who looks at a page and closes the browser.
async fn browse(world: &World, command: &str) -> Result<()> {
    let mut running = start(world, command)?;
    let log = world.path("shop.trace/events.jsonl");
    let has_events = || Ok(Path::new(&log).metadata().is_ok_and(|file| file.len() > 0));
    running.until("the page is recorded", has_events).await?;
    running.interrupt_group()?;
    let status = running.ended().await?;
    ensure!(status.success(), "{status}: {}", world.stderr()?);
    Ok(())
}

/// An agent that goes on, its address and its fingerprint.
async fn offer(world: &World, command: &str) -> Result<(Running, String, String)> {
    let mut running = start(world, command)?;
    let stdout = world.path("stdout");
    let said = || Ok::<_, anyhow::Error>(std::fs::read_to_string(&stdout)?.contains("listening on"));
    running.until("it listens", said).await?;
    let stdout = std::fs::read_to_string(&stdout)?;
    let address = stdout.trim().rsplit(' ').next().context("it says where")?.to_owned();
    let stderr = world.stderr()?;
    let fingerprint = stderr.lines().find_map(|line| line.split_once("fingerprint"));
    let (_, fingerprint) = fingerprint.context("it says its fingerprint")?;
    Ok((running, address, fingerprint.trim().to_owned()))
}
