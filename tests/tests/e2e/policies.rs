//! Content-Security-Policies: a page behind one is recorded, works as it did, and what its policy forbids stays
//! forbidden.

use anyhow::{Result, ensure};
use xcheck_agent::Browser;
use xcheck_tests::recording::Recording;
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, runner};

/// Each lets the page's own scripts run, which carry the nonce `abc`, and most forbid one script that does not.
const POLICIES: &[&str] = &[
    "script-src 'nonce-abc'",
    "script-src 'nonce-abc' 'strict-dynamic'",
    "default-src 'nonce-abc'",
    "script-src 'self' 'unsafe-inline'",
    "default-src 'none'; script-src 'nonce-abc'; connect-src 'none'",
    "script-src 'none'; script-src-elem 'nonce-abc'",
    "script-src 'nonce-abc'; require-trusted-types-for 'script'",
    "script-src 'nonce-abc', connect-src 'none'",
    "script-src 'self' 'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' 'nonce-abc'",
    "sandbox allow-scripts; script-src 'nonce-abc'",
];

#[tokio::test(flavor = "multi_thread")]
async fn pages_behind_a_policy_are_recorded_in_chromium() {
    check("chromium").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_behind_a_policy_are_recorded_in_firefox() {
    check("firefox").await.unwrap();
}

async fn check(browser: &str) -> Result<()> {
    let site = Site::http(xcheck_tests::workspace().join("tests/sites"), Prelude::None).await?;
    let mut plain = browsers::start(browser, None).await?;
    let mut unrecorded = Vec::new();
    for path in paths() {
        unrecorded.push(outcome(&mut *plain, &site.url(&path)).await?);
    }
    plain.close().await?;

    let recording = Recording::start(&site.url("/")).await?;
    let mut watched = browsers::start(browser, Some(&recording.proxy)).await?;
    let mut differing = Vec::new();
    for (path, unrecorded) in paths().iter().zip(unrecorded) {
        let recorded = outcome(&mut *watched, &site.url(path)).await?;
        if recorded != unrecorded {
            differing.push(format!("{path}: {unrecorded}, recorded: {recorded}"));
        }
    }
    recording.close(watched).await?;
    let trace = recording.finish().await?.trace;
    for path in paths() {
        let load = trace.loads.iter().find(|load| load.url == site.url(&path));
        let labels: Vec<String> = match load {
            Some(load) => trace
                .events_of(load.load)
                .iter()
                .map(|event| trace.label(event))
                .collect(),
            None => vec![],
        };
        if !labels.iter().any(|label| label.starts_with("timer inside")) {
            differing.push(format!("{path}: not recorded but for {labels:?}"));
        }
    }
    ensure!(
        differing.is_empty(),
        "{}\nnotices: {:#?}",
        differing.join("\n"),
        trace.notices
    );
    Ok(())
}

fn paths() -> Vec<String> {
    let with = |policy: &&str| {
        let encoded: String = policy.bytes().map(|byte| format!("%{byte:02X}")).collect();
        format!("/~/with/Content-Security-Policy%3A{encoded}/inline.html")
    };
    POLICIES
        .iter()
        .map(with)
        .chain(["/meta-policy.html".to_owned()])
        .collect()
}

/// What came of the page: its title once its scripts have run, and whether the forbidden one has.
async fn outcome(browser: &mut dyn Browser, url: &str) -> Result<serde_json::Value> {
    runner::open(browser, url).await?;
    runner::until(browser, "document.title !== 'blocked'").await?;
    Ok(browser
        .evaluate("({title: document.title, forbidden: Boolean(window.forbidden)})")
        .await?)
}
