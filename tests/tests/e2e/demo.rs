//! The demonstration, as a newcomer starts it: the program, every engine, and the list of what really differs.

use anyhow::{Result, ensure};
use std::process::Command;
use xcheck_tests::program::{LONG, World};

/// The README's first command, run as what it builds.
const ARGUMENTS: [&str; 5] = ["demo", "--install-browsers", "--no-open", "--out", "demo"];

async fn run(mut command: Command) -> Result<(i32, String, World)> {
    let world = World::new()?;
    let mut running = {
        command.args(ARGUMENTS);
        world.start_command(command)?
    };
    let status = running.ended_within(LONG).await?;
    let said = world.stderr()?;
    ensure!(status.code().is_some(), "{status}: {said}");
    Ok((status.code().unwrap_or(-1), said, world))
}

/// Lines of the summary that should not be there, and why they are: the gaps of the analyzer in `docs/known-gaps.md`.
const KNOWN_GAPS: [&str; 1] = ["missed: firefox at #cover"];

#[tokio::test(flavor = "multi_thread")]
async fn the_demonstration_finds_what_is_in_its_list_and_nothing_else_but_for_known_gaps() {
    let command = Command::new(xcheck_tests::xcheck().unwrap());
    let (status, said, world) = run(command).await.unwrap();
    let wrong = |line: &&str| line.starts_with("missed:") || line.starts_with("false:");
    let wrong: Vec<&str> = said.lines().map(str::trim).filter(wrong).collect();
    for line in &wrong {
        assert!(KNOWN_GAPS.iter().any(|known| line.starts_with(known)), "{line}\n{said}");
    }
    let all = xcheck_demo::differences::list().len();
    assert!(said.contains(&format!("of {all} found")), "{said}");
    assert_eq!(status, i32::from(!wrong.is_empty()), "{said}");
    assert!(world.path("demo/run/report.html").exists());
    world.must_be_empty().await.unwrap();
}
