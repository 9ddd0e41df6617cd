//! What a newcomer meets first when something is missing: a sentence that says what to do. Tried with a fresh home, and with
//! browsers hidden from the program by a mount namespace, as if they had never been installed.

use anyhow::{Result, ensure};
use std::path::PathBuf;
use std::process::Command;
use xcheck_tests::program::{LONG, World};

/// All that the three engines are found by.
fn programs(engine: &str) -> Vec<PathBuf> {
    let names: &[&str] = match engine {
        "chromium" => &["/usr/bin/chromium", "/usr/bin/chromium-browser"],
        "firefox" => &["/usr/bin/firefox-esr", "/usr/bin/firefox", "/usr/lib/firefox/firefox"],
        _ => &["/usr/bin/WebKitWebDriver"],
    };
    names.iter().map(PathBuf::from).filter(|path| path.exists()).collect()
}

/// The program where these engines are not.
fn without(engines: &[&str]) -> Result<Command> {
    let mut command = Command::new("bwrap");
    command.args(["--dev-bind", "/", "/"]);
    for program in engines.iter().flat_map(|engine| programs(engine)) {
        command.arg("--bind").arg("/dev/null").arg(program);
    }
    command.arg(xcheck_tests::xcheck()?.canonicalize()?);
    Ok(command)
}

/// Exit status, and everything that was said.
async fn run(world: &World, mut command: Command, arguments: &[&str]) -> Result<(i32, String)> {
    std::fs::create_dir_all(world.path("home"))?;
    command.args(arguments).env("HOME", world.path("home"));
    for display in ["DISPLAY", "WAYLAND_DISPLAY"] {
        command.env_remove(display);
    }
    let mut running = world.start_command(command)?;
    let status = running.ended_within(LONG).await?;
    let said = world.stderr()? + &std::fs::read_to_string(world.path("stdout"))?;
    ensure!(status.code().is_some(), "{status}: {said}");
    Ok((status.code().unwrap_or(-1), said))
}

async fn check(command: Command, arguments: &[&str], status: i32, says: &[&str]) -> World {
    let world = World::new().unwrap();
    let (ended, said) = run(&world, command, arguments).await.unwrap();
    for expected in says {
        assert!(
            said.contains(expected),
            "{arguments:?} does not say `{expected}`:\n{said}"
        );
    }
    assert_eq!(ended, status, "{arguments:?}: {said}");
    world
}

fn plain() -> Command {
    Command::new(xcheck_tests::xcheck().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn without_any_browser_each_command_says_how_to_get_one() {
    let none = || without(&["chromium", "firefox", "webkit"]).unwrap();
    let trace = xcheck_tests::workspace().join("trace/tests/fixtures/whole-1.0");
    let trace = trace.canonicalize().unwrap();
    let install = "apt-get install";
    check(
        none(),
        &["demo"],
        3,
        &["no browser is here", "--install-browsers", install],
    )
    .await;
    check(
        none(),
        &["record", "http://127.0.0.1:9/"],
        3,
        &["Chromium is not installed", install],
    )
    .await;
    let replay = ["replay", trace.to_str().unwrap(), "--out", "run"];
    check(none(), &replay, 3, &["no browser is here", "xcheck browsers --install"]).await;
    check(none(), &["browsers"], 0, &["Firefox is not installed", install]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_not_root_is_told_how_to_install_as_root() {
    // A user of its own, for whom there is no `sudo` and nobody who could type root's password.
    let mut nobody = Command::new("bwrap");
    nobody.args([
        "--dev-bind",
        "/",
        "/",
        "--unshare-user",
        "--uid",
        "1000",
        "--gid",
        "1000",
    ]);
    for program in ["chromium", "firefox", "webkit"]
        .iter()
        .flat_map(|engine| programs(engine))
    {
        nobody.arg("--bind").arg("/dev/null").arg(program);
    }
    nobody.arg(xcheck_tests::xcheck().unwrap().canonicalize().unwrap());
    let says = [
        "was not installed",
        "apt-get install",
        "Run it in a terminal",
        "no browser is here",
    ];
    check(nobody, &["demo", "--install-browsers"], 3, &says).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_one_engine_the_demonstration_runs_against_itself_and_says_what_a_second_would_add() {
    let one = without(&["firefox", "webkit"]).unwrap();
    let arguments = ["demo", "--no-open", "--out", "demo"];
    let says = [
        "firefox: Firefox is not installed",
        "apt-get install",
        "chromium against itself: no incompatibility",
        "A second engine (firefox or webkit) would show",
    ];
    let world = check(one, &arguments, 0, &says).await;
    world.must_be_empty().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_needs_a_display() {
    let says = ["there is no display", "run headless", "xvfb-run"];
    check(plain(), &["record", "http://127.0.0.1:9/"], 3, &says).await;
    check(plain(), &["demo", "--headed"], 3, &["there is no display"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_or_folder_that_cannot_be_had_is_named_with_the_way_out() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    check(
        plain(),
        &["record", "--listen", &address],
        2,
        &[&address, "is taken", "choose another port"],
    )
    .await;
    // Nobody may make folders there, root included.
    let says = ["/proc/here", "--out names another folder"];
    check(
        plain(),
        &["record", "--listen", "127.0.0.1:0", "--out", "/proc/here"],
        2,
        &says,
    )
    .await;
    check(plain(), &["demo", "--out", "/proc/here"], 2, &says).await;
    check(plain(), &["init", "--out", "/proc/here"], 2, &["/proc/here"]).await;
    let crawl = ["crawl", "http://127.0.0.1:1/", "--out", "/proc/here"];
    check(plain(), &crawl, 3, &says).await;
    let trace = xcheck_tests::workspace().join("trace/tests/fixtures/whole-1.0");
    let trace = trace.canonicalize().unwrap();
    let replay = [
        "replay",
        trace.to_str().unwrap(),
        "--on",
        "chromium",
        "--out",
        "/proc/here",
    ];
    check(plain(), &replay, 3, &says).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_named_and_the_demonstration_leaves_nothing_running() {
    let mut full = Command::new("bwrap");
    full.args(["--dev-bind", "/", "/", "--size", "65536", "--tmpfs", "/mnt"]);
    full.arg(xcheck_tests::xcheck().unwrap().canonicalize().unwrap());
    let world = check(
        full,
        &["demo", "--no-open", "--out", "/mnt/demo"],
        3,
        &["/mnt/demo", "is full", "free some space"],
    )
    .await;
    world.must_be_empty().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_that_refuses_to_be_crawled_is_named_with_what_to_look_at() {
    let refusing = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", refusing.local_addr().unwrap());
    drop(refusing);
    let says = [&url, "was not answered", "Is the application running"];
    check(plain(), &["crawl", &url, "--out", "crawl"], 3, &says).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_that_refuses_is_said_while_recording() {
    let refusing = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", refusing.local_addr().unwrap());
    drop(refusing);
    let world = World::new().unwrap();
    let mut command = plain();
    command.args(["record", &url, "--headless", "--out", "trace"]);
    let mut running = world.start_command(command).unwrap();
    let asked = || Ok(std::fs::read_to_string(world.path("trace/exchanges.jsonl")).is_ok_and(|log| !log.is_empty()));
    running.until("the refusal is in the trace", asked).await.unwrap();
    running.interrupt_group().unwrap();
    running.ended().await.unwrap();
    let said = world.stderr().unwrap();
    assert!(
        said.contains("could not be reached") && said.contains("refused"),
        "{said}"
    );
}
