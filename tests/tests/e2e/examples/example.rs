//! One example: recorded once, and replayed beside itself in browsers that have everything and in some that lack one thing.

use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use xcheck_agent::{CustomBrowser, Installed};
use xcheck_tests::recording::{Recorded, Recording};
use xcheck_tests::session::Step;
use xcheck_tests::side_by_side::{self, Seen};
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, runner};
use xcheck_trace::manifest::Engine;

/// Where `api.js` calls what is not there.
const CAUSE: &str = "api.js:3";

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cause {
    /// All that diverged comes of the incompatible call.
    TheCall,
    /// Nothing was thrown.
    Nothing,
}

pub(super) struct Example {
    pub(super) recorded: Recorded,
    /// Those that have everything first, then those that lack something.
    pub(super) complete: Vec<Seen>,
    pub(super) lacking: Vec<Seen>,
    _run: tempfile::TempDir,
}

impl Example {
    pub(super) async fn play(steps: &[Step]) -> Result<Example> {
        let without = CustomBrowser {
            arguments: vec!["--disable-blink-features=EyeDropperAPI".to_owned()],
            ..custom("chromium-without", Engine::Blink)
        };
        let lacking = ["chromium-without", "firefox", "webkit"];
        Example::play_in(steps, &["chromium"], &lacking, &[without]).await
    }

    pub(super) async fn play_in(
        steps: &[Step],
        complete: &[&str],
        lacking: &[&str],
        custom: &[CustomBrowser],
    ) -> Result<Example> {
        let recorded = record(steps).await?;
        let needed = |name| xcheck_agent::find(name, custom).with_context(|| format!("{name} is needed for this test"));
        let installed: Result<Vec<Installed>> = complete.iter().chain(lacking).map(|name| needed(name)).collect();
        let run = tempfile::tempdir()?;
        let mut seen = side_by_side::replay(&recorded, installed?, &run.path().join("run")).await?;
        let lacking = seen.split_off(complete.len());
        Ok(Example {
            recorded,
            complete: seen,
            lacking,
            _run: run,
        })
    }

    /// These events came in this order, others between them.
    pub(super) fn was_recorded_as(&self, labels: &[&str]) -> Result<()> {
        let trace = &self.recorded.trace;
        let all: Vec<String> = trace.order().iter().map(|event| trace.label(event)).collect();
        let mut rest = all.iter();
        let in_order = labels.iter().all(|label| rest.any(|known| known == label));
        ensure!(in_order, "another order was recorded: {all:?}");
        Ok(())
    }

    /// Nothing but this in browsers that lack something, and nothing at all in the others; every event was replayed.
    pub(super) fn diverges(&self, expected: &[&str], cause: Cause) -> Result<()> {
        let cause = (cause == Cause::TheCall).then(|| CAUSE.to_owned());
        for (all, expected) in [(&self.complete, &[][..]), (&self.lacking, expected)] {
            for seen in all {
                let name = &seen.replay.name;
                let mut found = seen.divergences();
                found.sort();
                ensure!(found == expected, "{name}: {found:#?}");
                let causes = seen.causes();
                ensure!(causes.iter().all(|known| *known == cause), "{name}: {causes:?}");
                let replayed = seen.replay.outcome.as_ref().map(|outcome| outcome.events as usize);
                let recorded = self.recorded.trace.order().len();
                ensure!(replayed == Some(recorded), "{name}: {replayed:?} of {recorded} events");
            }
        }
        Ok(())
    }

    /// The first number that an event was given when it was recorded.
    pub(super) fn random(&self, label: &str) -> Result<String> {
        let trace = &self.recorded.trace;
        let event = trace.events.iter().find(|event| trace.label(event) == label);
        let event = event.with_context(|| format!("no `{label}` was recorded"))?;
        let number = event.local.random.first();
        Ok(number
            .with_context(|| format!("`{label}` asked for no number"))?
            .to_string())
    }

    pub(super) fn complete_shows(&self, id: &str, texts: &[&str]) -> Result<()> {
        shows(&self.complete, id, texts)
    }

    pub(super) fn lacking_shows(&self, id: &str, texts: &[&str]) -> Result<()> {
        shows(&self.lacking, id, texts)
    }

    pub(super) fn all_show(&self, id: &str, texts: &[&str]) -> Result<()> {
        shows(&self.complete, id, texts)?;
        shows(&self.lacking, id, texts)
    }
}

/// What stood in the element, one after the other.
fn shows(all: &[Seen], id: &str, texts: &[&str]) -> Result<()> {
    for seen in all {
        let shown = seen.texts(id);
        ensure!(
            shown == texts,
            "#{id} in {}: {shown:?}, not {texts:?}",
            seen.replay.name
        );
    }
    Ok(())
}

pub(super) fn custom(name: &str, engine: Engine) -> CustomBrowser {
    CustomBrowser {
        name: name.to_owned(),
        engine,
        binary: None,
        arguments: Vec::new(),
        preferences: [].into(),
    }
}

pub(super) async fn record(steps: &[Step]) -> Result<Recorded> {
    let sites: PathBuf = xcheck_tests::workspace().join("tests/sites");
    let site = Site::http(sites, Prelude::None).await?;
    let recording = Recording::start(&site.url("/")).await?;
    let mut browser = browsers::start("chromium", Some(&recording.proxy)).await?;
    for step in steps {
        runner::take(&mut *browser, &site.url(""), step).await?;
    }
    recording.close(browser).await?;
    recording.finish().await
}
