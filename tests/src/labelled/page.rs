//! One labelled page: recorded, replayed, analyzed. Each stage leaves a folder behind, so that the next can be repeated.

use super::{Label, OTHERS, Place, REFERENCE, folder};
use crate::recording::Recording;
use crate::site::Site;
use crate::{browsers, runner};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use xcheck_agent::CustomBrowser;
use xcheck_agent::replay::{Reference, ReplayOptions, ReplayRequest, replay_all};
use xcheck_analyzer::findings::Analysis;
use xcheck_proxy::Authority;
use xcheck_trace::Trace;
use xcheck_trace::runs::RunReader;

/// For one answer of a browser, on a machine that does other things as well.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Page {
    pub name: String,
    pub label: Label,
}

/// Where a page's stages are kept.
pub struct Kept(PathBuf);

#[derive(Deserialize)]
struct Config {
    browser: Vec<CustomBrowser>,
}

impl Page {
    pub(super) fn read(name: String) -> Result<Page> {
        let path = folder().join(format!("{name}.toml"));
        let text = std::fs::read_to_string(&path)?;
        let label = toml::from_str(&text).with_context(|| path.display().to_string())?;
        Ok(Page { name, label })
    }

    /// Where its stages are kept, there or not.
    pub fn kept(&self) -> Kept {
        Kept(crate::workspace().join("target/labelled").join(&self.name))
    }

    /// The browsers that are compared with the reference.
    pub fn others(&self) -> impl Iterator<Item = &str> {
        OTHERS.into_iter().chain(self.label.also.iter().map(String::as_str))
    }

    /// Records the page, and finds out where its label's element stands in the end.
    pub async fn record(&self, site: &Site, kept: &Kept) -> Result<()> {
        let url = site.url(&format!("/{}.html", self.name));
        let recording = Recording::start(&url).await?;
        let mut browser = browsers::start(REFERENCE, Some(&recording.proxy)).await?;
        runner::open(&mut *browser, &url).await?;
        for step in self.label.steps()? {
            runner::take(&mut *browser, "", &step)
                .await
                .with_context(|| format!("{step:?}"))?;
        }
        let selector = serde_json::to_string(&self.label.selector)?;
        let names = browser.evaluate(&format!("({NAMES})({selector})")).await?;
        recording.close(browser).await?;
        let recorded = recording.finish().await?;
        if kept.0.exists() {
            std::fs::remove_dir_all(&kept.0)?;
        }
        std::fs::create_dir_all(&kept.0)?;
        crate::archive::run(Command::new("cp").arg("-r").arg(recorded.folder()).arg(kept.trace()))?;
        let names = names
            .as_str()
            .context("the page did not name the element of its label")?;
        std::fs::write(kept.element(), names)?;
        Ok(())
    }

    pub async fn replay(&self, kept: &Kept, at_once: usize) -> Result<()> {
        let (trace, warnings) = Trace::open(&kept.trace())?;
        anyhow::ensure!(warnings.is_empty(), "the trace has warnings: {warnings:?}");
        anyhow::ensure!(!trace.events.is_empty(), "the recording has no event");
        let text = std::fs::read_to_string(folder().join("xcheck.toml"))?;
        let custom = toml::from_str::<Config>(&text)?.browser;
        let mut installed = Vec::new();
        for name in std::iter::once(REFERENCE).chain(self.others()) {
            installed.push(xcheck_agent::find(name, &custom).with_context(|| format!("{name} is needed"))?);
        }
        if kept.run().exists() {
            std::fs::remove_dir_all(kept.run())?;
        }
        let files = TempDir::new()?;
        let request = ReplayRequest {
            trace: Arc::new(trace),
            trace_path: PathBuf::from(&self.name),
            browsers: installed,
            reference: Reference::Twice(REFERENCE.to_owned()),
            authority: Authority::open(files.path())?,
            options: ReplayOptions {
                deadline: PATIENCE,
                ..ReplayOptions::default()
            },
            at_once,
            folder: kept.run(),
        };
        replay_all(request, Arc::new(|_| {})).await?;
        Ok(())
    }

    /// By the program itself, as a person would have it.
    pub fn analyze(&self, kept: &Kept) -> Result<Analysis> {
        let output = Command::new(crate::xcheck()?)
            .args(["analyze", "--format", "json"])
            .arg(kept.run())
            .arg("--config")
            .arg(folder().join("xcheck.toml"))
            .output()?;
        if !matches!(output.status.code(), Some(0 | 1 | 3)) {
            bail!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// The last picture of each replay, to be looked at.
    pub fn pictures(&self, kept: &Kept, into: &Path) -> Result<()> {
        std::fs::create_dir_all(into)?;
        let (run, _) = RunReader::open(&kept.run())?;
        for name in &run.run.replays {
            let (replay, _) = run.replay(name)?;
            let last = replay
                .checkpoints
                .iter()
                .rev()
                .find_map(|point| point.screenshot_sha256.as_ref());
            let last = last.with_context(|| format!("{}: no picture of {name}", self.name))?;
            std::fs::write(into.join(format!("{}.{name}.png", self.name)), run.screenshot(last)?)?;
        }
        Ok(())
    }
}

impl Kept {
    pub fn trace(&self) -> PathBuf {
        self.0.join("trace")
    }

    pub fn run(&self) -> PathBuf {
        self.0.join("run")
    }

    /// The path of the label's element in the reference, in the end, and below it its selector.
    fn element(&self) -> PathBuf {
        self.0.join("element")
    }

    pub fn place(&self) -> Result<Place> {
        Ok(Place::new(&std::fs::read_to_string(self.element())?))
    }
}

/// As the analysis writes paths and selectors: a tag, and its place among its like where there are several; a selector begins at
/// the nearest id.
const NAMES: &str = r#"(selector) => {
  let element = selector && document.querySelector(selector), path = '';
  const steps = [];
  for (let named = false; element; element = element.parentElement) {
    const alike = element.parentElement ? Array.from(element.parentElement.children).filter((other) => other.tagName === element.tagName) : [];
    const tag = element.tagName.toLowerCase(), place = alike.indexOf(element) + 1;
    path = '/' + tag + (alike.length > 1 ? `[${place}]` : '') + path;
    if (!named) steps.unshift(element.id ? '#' + element.id : tag + (alike.length > 1 ? `:nth-of-type(${place})` : ''));
    named ||= element.id !== '';
  }
  return path + '\n' + steps.join(' > ');
}"#;
