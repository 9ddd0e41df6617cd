//! Node-RED: an editor of its own size, with a WebSocket, ids made up by chance, and things dragged from a palette.

use crate::own_server::OwnServer;
use crate::site::Prelude;
use crate::subject::NODE_RED;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::Path;
use std::process::Command;

const SERVE: &str = include_str!("node_red/serve.js");
/// One empty flow, so that its id is no matter of chance.
const FLOWS: &str =
    r#"[{"id": "f100000000000001", "type": "tab", "label": "Flow 1", "disabled": false, "info": "", "env": []}]"#;

/// What it needs is named by ranges of versions: those of this day are taken, and their hashes have to be these.
const AS_OF: &str = "2026-11-01";
const DEPENDENCIES_SHA256: &str = "828de73f35dd8e22fd7e5eedecc3e5312d7a9e69460fefeaafddb09c04620745";

/// Tips change by the clock.
const USERS: &str = r#"{"_": {"editor": {"view": {"view-show-tips": false}}}}"#;

/// With flows of its own.
pub(crate) async fn serve(prelude: Prelude) -> Result<OwnServer> {
    let subject = NODE_RED.folder()?;
    OwnServer::start(prelude, |folder| {
        std::fs::write(folder.join("flows.json"), FLOWS)?;
        std::fs::write(folder.join(".config.users.json"), USERS)?;
        std::fs::write(folder.join("serve.js"), SERVE)?;
        let mut node = tokio::process::Command::new("node");
        node.arg("serve.js").env("NODE_RED", &subject);
        Ok(node)
    })
    .await
}

pub(crate) fn install_dependencies(subject: &Path) -> Result<()> {
    let mut npm = Command::new("npm");
    npm.args([
        "install",
        "--omit=dev",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--silent",
    ])
    .arg(format!("--before={AS_OF}"))
    .current_dir(subject);
    crate::archive::run(&mut npm)?;
    let found = digest_of_installed(subject)?;
    ensure!(
        found == DEPENDENCIES_SHA256,
        "npm installed other dependencies than those pinned: their SHA-256 is {found}, expected {DEPENDENCIES_SHA256}"
    );
    Ok(())
}

/// Of each package's place, version and hash, by which npm has checked what it fetched.
fn digest_of_installed(subject: &Path) -> Result<String> {
    let list = subject.join("node_modules/.package-lock.json");
    let list: Value = serde_json::from_slice(&std::fs::read(&list).context("npm's list of what it installed")?)?;
    let packages = list["packages"].as_object().context("packages by place")?;
    let mut lines: Vec<String> = packages
        .iter()
        .map(|(place, package)| format!("{place} {} {}\n", package["version"], package["integrity"]))
        .collect();
    lines.sort();
    Ok(crate::archive::hex(&Sha256::digest(lines.concat())))
}
