//! The arrows of `ARCHITECTURE.md`: who may use whom. A new one is a decision, to be written down here and there.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

const MAY_USE: [(&str, &[&str]); 9] = [
    ("trace", &[]),
    ("replay-js", &["trace"]),
    ("proxy", &["trace", "replay-js"]),
    ("agent", &["proxy", "trace", "replay-js"]),
    ("analyzer", &["trace"]),
    ("invariants", &["trace"]),
    ("crawler", &["agent", "proxy", "invariants", "trace"]),
    ("report", &["analyzer", "trace"]),
    ("demo", &["agent", "proxy", "analyzer", "trace"]),
];

/// Crates that only one other may know: a protocol or a parser stays behind the interface that hides it.
const KEPT_BY: [(&str, &[&str]); 5] = [
    ("chromiumoxide", &["agent"]),
    ("lol_html", &["proxy"]),
    ("hyper-rustls", &["proxy"]),
    ("clap", &["cli", "eval"]),
    ("anyhow", &["cli", "demo", "tests", "eval"]),
];

/// For each crate of ours, what it depends on outside tests.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata is JSON");
    let text = |value: &Value| value.as_str().expect("a name").to_owned();
    let ours = metadata["packages"].as_array().expect("packages").iter();
    ours.map(|package| {
        let dependencies = package["dependencies"].as_array().expect("dependencies").iter();
        let used = dependencies.filter(|dependency| dependency["kind"].is_null());
        let used = used.map(|dependency| short(&text(&dependency["name"]))).collect();
        (short(&text(&package["name"])), used)
    })
    .collect()
}

fn short(name: &str) -> String {
    name.strip_prefix("xcheck-").unwrap_or(name).to_owned()
}

#[test]
fn crates_use_only_those_before_them() {
    let dependencies = dependencies();
    let ours: BTreeSet<&String> = dependencies.keys().collect();
    for (name, allowed) in MAY_USE {
        let used = &dependencies[name];
        for other in used.iter().filter(|other| ours.contains(other)) {
            assert!(allowed.contains(&other.as_str()), "{name} may not use {other}");
        }
    }
    let known = MAY_USE.iter().map(|(name, _)| *name).chain(["cli", "tests", "eval"]);
    let known: BTreeSet<String> = known.map(str::to_owned).collect();
    let unknown: Vec<_> = ours.iter().filter(|name| !known.contains(**name)).collect();
    assert!(unknown.is_empty(), "{unknown:?} must be given a place among the others");
}

#[test]
fn what_is_hidden_behind_an_interface_stays_there() {
    let dependencies = dependencies();
    for (hidden, keepers) in KEPT_BY {
        for (name, used) in &dependencies {
            assert!(
                !used.contains(hidden) || keepers.contains(&name.as_str()),
                "{name} may not use {hidden}"
            );
        }
    }
}

#[test]
fn traces_and_findings_know_no_async() {
    let dependencies = dependencies();
    for name in ["trace", "replay-js", "analyzer", "report"] {
        let used = &dependencies[name];
        for other in ["tokio", "futures-util", "hyper", "reqwest"] {
            assert!(!used.contains(other), "{name} may not use {other}");
        }
    }
}
