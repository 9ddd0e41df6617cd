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

#[tokio::test(flavor = "multi_thread")]
async fn the_demonstration_finds_what_is_in_its_list_and_nothing_else() {
    let command = Command::new(xcheck_tests::xcheck().unwrap());
    let (status, said, world) = run(command).await.unwrap();
    let all = xcheck_demo::differences::list().len();
    assert!(said.contains(&format!("{all} of {all} found, 0 false")), "{said}");
    assert_eq!(status, 0, "{said}");
    assert!(world.path("demo/run/report.html").exists());
    world.must_be_empty().await.unwrap();
}
