//! Traces of small pages, and traces that are not what they should be.

use crate::recording::Recording;
use crate::site::{Prelude, Site};
use crate::{browsers, runner};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::path::Path;
use xcheck_trace::{BodyStore, Sha256};

const LARGEST: u64 = 16 * 1024 * 1024;

/// Serves the files, opens the first one in Chromium, waits until the condition holds, and keeps the trace in `folder`.
pub async fn record(files: &[(&str, &str)], until: &str, folder: &Path) -> Result<()> {
    let site = tempfile::tempdir()?;
    for (name, content) in files {
        std::fs::write(site.path().join(name), content)?;
    }
    let (first, _) = files.first().context("there is a page")?;
    record_site(site.path(), &format!("/{first}"), until, folder).await
}

pub async fn record_site(root: &Path, path: &str, until: &str, folder: &Path) -> Result<()> {
    let site = Site::http(root, Prelude::None).await?;
    let recording = Recording::start(&site.url("/")).await?;
    let mut browser = browsers::start("chromium", Some(&recording.proxy)).await?;
    let played = async {
        runner::open(&mut *browser, &site.url(path)).await?;
        runner::until(&mut *browser, until).await
    };
    let played = played.await;
    let left = recording.close(browser).await;
    let recorded = recording.finish().await?;
    played.with_context(|| format!("notices: {:?}", recorded.trace.notices))?;
    left?;
    copy(&recorded.folder(), folder)
}

pub fn copy(from: &Path, to: &Path) -> Result<()> {
    let mut copy = std::process::Command::new("cp");
    crate::archive::run(copy.arg("-r").arg(from).arg(to))
}

/// In the recorded answers, `from` becomes `to`: the browser will get what it did not get when it was recorded.
pub fn doctor(trace: &Path, from: &str, to: &str) -> Result<()> {
    let mut found = false;
    change_bodies(trace, "", |text| {
        found |= text.contains(from);
        text.replace(from, to)
    })?;
    ensure!(found, "no recorded answer has `{from}` in it");
    Ok(())
}

/// Changes the text of recorded answers whose content type begins so.
pub fn change_bodies(trace: &Path, content_type: &str, mut change: impl FnMut(&str) -> String) -> Result<()> {
    let store = BodyStore::open(trace.join("bodies"));
    change_lines(trace, "exchanges.jsonl", |exchange| {
        let response = &mut exchange["response"];
        let is = |header: &Value, name: &str| header[0].as_str().is_some_and(|found| found.eq_ignore_ascii_case(name));
        let headers = response["headers"].as_array().cloned().unwrap_or_default();
        let stated = headers.iter().find(|header| is(header, "content-type"));
        let stated = stated.and_then(|header| header[1].as_str()).unwrap_or_default();
        let body = &response["body"]["sha256"];
        let (Some(hash), true) = (body.as_str(), stated.starts_with(content_type)) else {
            return Ok(());
        };
        let bytes = store.bytes(&Sha256::parse(hash)?, LARGEST)?;
        let text = String::from_utf8_lossy(&bytes);
        let changed = change(&text);
        if changed == text {
            return Ok(());
        }
        response["body"]["sha256"] = json!(store.put(changed.as_bytes())?.to_string());
        response["body"]["bytes"] = json!(changed.len());
        for header in response["headers"].as_array_mut().into_iter().flatten() {
            if is(header, "content-length") {
                header[1] = json!(changed.len().to_string());
            }
        }
        Ok(())
    })
}

/// Changes a log of the trace line by line.
pub fn change_lines(trace: &Path, log: &str, mut change: impl FnMut(&mut Value) -> Result<()>) -> Result<()> {
    let path = trace.join(log);
    let mut text = String::new();
    for line in std::fs::read_to_string(&path)?.lines() {
        let mut value = serde_json::from_str(line)?;
        change(&mut value)?;
        text += &format!("{value}\n");
    }
    Ok(std::fs::write(&path, text)?)
}

pub fn change_manifest(trace: &Path, change: impl FnOnce(&mut Value)) -> Result<()> {
    let path = trace.join("manifest.json");
    let mut manifest = serde_json::from_str(&std::fs::read_to_string(&path)?)?;
    change(&mut manifest);
    Ok(std::fs::write(&path, manifest.to_string())?)
}
