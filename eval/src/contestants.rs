//! What a person would otherwise take to record a session, on the same sessions and in the same run: mitmproxy for the
//! proxy, Playwright's trace with a HAR, rrweb for the DOM.
//!
//! All are driven by one script over Playwright (`contestants/play.mjs`), so that they differ in the recording alone; our
//! own proxy takes part in the same way. Packages come from their registries when they are first needed and stay with
//! what is measured. One that cannot be had is said.

use crate::store::Store;
use crate::subjects::{ENGINES, Subject};
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Child;
use xcheck_tests::recording::Recording;
use xcheck_tests::runner;
use xcheck_tests::served::Served;
use xcheck_tests::session::Step;

const PLAYWRIGHT: &str = "playwright-core@1.65.1";
const RRWEB: &str = "rrweb@2.2.2";
const MITMPROXY: &str = "mitmproxy==11.0.2";

/// Without anything first: the others are held against it.
pub(crate) const WAYS: [&str; 5] = ["nothing", "x-check", "mitmproxy", "playwright-trace", "rrweb"];

/// For a whole session on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// One round: every way once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Round {
    pub(crate) ways: BTreeMap<String, std::result::Result<Played, String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Played {
    pub(crate) milliseconds: f64,
    /// Of what was kept.
    pub(crate) bytes: u64,
}

pub(crate) fn prefix(subject: &Subject) -> String {
    format!("contest/{}/", subject.slug())
}

pub(crate) fn key(subject: &Subject, number: usize) -> String {
    format!("{}{number}", prefix(subject))
}

/// A round counts even where one way could not be measured.
pub(crate) async fn round(subject: &Subject, number: usize, store: &Store) -> Result<Round> {
    let home = store.path("contestants");
    let mut ways = BTreeMap::new();
    for turn in 0..WAYS.len() {
        // Another one begins each time.
        let way = WAYS[(turn + number) % WAYS.len()];
        let played = play(subject, way, &home).await.map_err(|error| format!("{error:#}"));
        ways.insert(way.to_owned(), played);
    }
    Ok(Round { ways })
}

async fn play(subject: &Subject, way: &str, home: &Path) -> Result<Played> {
    let modules = packages(home)?;
    let served = Served::start(subject.0.subject, subject.0.prelude).await?;
    let files = tempfile::tempdir()?;
    let mut job = json!({
        "way": way,
        "playwright": modules.join("playwright-core"),
        "rrweb": modules.join("rrweb/dist/rrweb.umd.cjs"),
        "browser": xcheck_agent::find(ENGINES[0], &[])?.binary,
        "folder": files.path(),
        "steps": steps(subject, &served.origin())?,
    });
    match way {
        "x-check" => {
            let recording = Recording::start(&served.origin()).await?;
            job["proxy"] = json!(format!("http://{}", recording.proxy.address()));
            let played = run(&job, files.path()).await?;
            let recorded = recording.finish().await?;
            ensure!(!recorded.trace.events.is_empty(), "nothing was recorded");
            Ok(Played {
                bytes: size_of(&recorded.folder())?,
                ..played
            })
        }
        "mitmproxy" => {
            let flows = files.path().join("flows");
            let (mut process, port) = mitmdump(home, &flows).await?;
            job["proxy"] = json!(format!("http://127.0.0.1:{port}"));
            let played = run(&job, files.path()).await;
            process.kill().await?;
            Ok(Played {
                bytes: std::fs::metadata(&flows)?.len(),
                ..played?
            })
        }
        _ => run(&job, files.path()).await,
    }
}

async fn run(job: &Value, folder: &Path) -> Result<Played> {
    let file = folder.join("job.json");
    std::fs::write(&file, job.to_string())?;
    let script = xcheck_tests::workspace().join("eval/contestants/play.mjs");
    let mut node = tokio::process::Command::new("node");
    node.arg(script).arg(&file).env("TMPDIR", folder).kill_on_drop(true);
    let output = tokio::time::timeout(PATIENCE, node.output()).await;
    let output = output.context("the session did not end")?.context("starting node")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let error = said.lines().find(|line| line.contains("Error")).unwrap_or("it failed");
        bail!("{error}");
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The session's steps as the script takes them.
fn steps(subject: &Subject, origin: &str) -> Result<Vec<Value>> {
    let mut steps = Vec::new();
    for step in subject.0.session.steps {
        let at = runner::expression_for;
        let last = match step {
            Step::Open(path) => json!({"open": format!("{origin}{path}")}),
            Step::Click(spot) => json!({"at": at(spot)?, "clicks": 1}),
            Step::DoubleClick(spot) => json!({"at": at(spot)?, "clicks": 2}),
            Step::Hover(spot) => json!({"at": at(spot)?, "clicks": 0}),
            Step::Drag(from, to) => json!({"at": at(from)?, "drag": at(to)?}),
            Step::Wheel(spot, dx, dy) => json!({"at": at(spot)?, "wheel": [dx, dy]}),
            Step::Type(text) => json!({"type": text}),
            Step::Press(chord) => json!({"press": chord}),
            Step::Back => json!({"back": true}),
            Step::Until(condition) => json!({"until": condition}),
            Step::Fill(selector, text) => {
                steps.push(json!({"at": at(&xcheck_tests::session::on(selector))?, "clicks": 1}));
                steps.push(json!({"press": "Control+a"}));
                json!({"type": text})
            }
            Step::ContextClick(_) | Step::Tap(_) | Step::Compose(_) | Step::Choose(..) => {
                bail!("the script cannot do what no subject's session does: {step:?}")
            }
        };
        steps.push(last);
    }
    Ok(steps)
}

/// Where the packages are, installed at the first call.
fn packages(home: &Path) -> Result<PathBuf> {
    let modules = home.join("node_modules");
    if !(modules.join("playwright-core").exists() && modules.join("rrweb").exists()) {
        std::fs::create_dir_all(home)?;
        let mut npm = Command::new("npm");
        npm.args([
            "install",
            "--no-save",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--silent",
            "--prefix",
        ]);
        installed(npm.arg(home).args([PLAYWRIGHT, RRWEB])).context("installing Playwright and rrweb")?;
    }
    Ok(modules)
}

fn installed(command: &mut Command) -> Result<()> {
    let output = command
        .output()
        .with_context(|| format!("starting {:?}", command.get_program()))?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

async fn mitmdump(home: &Path, flows: &Path) -> Result<(Child, u16)> {
    let venv = home.join("mitmproxy");
    let program = venv.join("bin/mitmdump");
    if !program.exists() {
        installed(Command::new("python3").args(["-m", "venv"]).arg(&venv)).context("making room for mitmproxy")?;
        let mut pip = Command::new(venv.join("bin/python"));
        installed(pip.args(["-m", "pip", "install", "--quiet", MITMPROXY])).context("installing mitmproxy")?;
    }
    let mut process = tokio::process::Command::new(program);
    process
        .args(["--listen-host", "127.0.0.1", "--listen-port", "0", "-w"])
        .arg(flows)
        .args(["--set", "confdir=."])
        .current_dir(flows.parent().context("flows lie in a folder")?)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let mut process = process.spawn().context("starting mitmdump")?;
    let mut lines = BufReader::new(process.stdout.take().context("its output is piped")?).lines();
    while let Some(line) = lines.next_line().await? {
        if let Some((_, address)) = line.split_once("listening at ") {
            let port = address
                .trim_end_matches('.')
                .rsplit(':')
                .next()
                .context("it names a port")?;
            let port = port.trim().parse().with_context(|| format!("its port: {line}"))?;
            // It would stop when nobody reads what it says.
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok((process, port));
        }
    }
    bail!("mitmdump ended before it listened")
}

fn size_of(folder: &Path) -> Result<u64> {
    crate::recorded::bytes_in(folder)
}
