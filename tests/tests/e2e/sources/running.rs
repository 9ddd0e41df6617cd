//! How a session is recorded and replayed, and what has to hold of it then.

use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use xcheck_tests::recording::{Recorded, Recording};
use xcheck_tests::replaying::twice;
use xcheck_tests::session::Step;
use xcheck_tests::site::{Prelude, Site};
use xcheck_tests::{browsers, expected, runner};
use xcheck_trace::run::DivergenceKind as D;

fn sites() -> PathBuf {
    xcheck_tests::workspace().join("tests/sites")
}

/// The steps, recorded; each document's events are as its file expects.
pub(super) async fn recorded(browser: &str, session: &str, steps: &[Step]) -> Result<Recorded> {
    let recorded = record(browser, steps).await?;
    let trace = &recorded.trace;
    let opened = steps.iter().filter(|step| matches!(step, Step::Open(_))).count();
    let loads = trace.loads.len();
    ensure!(
        loads >= opened,
        "{loads} documents of {opened} were recorded: {:?}",
        trace.notices
    );
    for load in &trace.loads {
        let Some(path) = load.url.split(['?', '#']).next().and_then(|url| url.rsplit('/').next()) else {
            continue;
        };
        let file = sites().join(path);
        if file.is_file() {
            expected::must_hold(trace, load.load, &file).with_context(|| format!("{session} in {browser}"))?;
        }
    }
    Ok(recorded)
}

/// What an engine does otherwise than Chromium in these sessions, by itself or because of a gap of ours.
const OTHERWISE: [(&str, &str, &[D]); 4] = [
    // It gives each field with `autofocus` the focus. What that begins comes as it was recorded.
    ("focus_of_itself", "webkit", &[D::EventExtra]),
    // It has no `cancelIdleCallback`.
    ("idle", "webkit", &[D::ExceptionOnlyHere, D::CallbackMissing]),
    // It has no `navigation`.
    ("navigating", "webkit", &[D::ScriptMissing, D::CallbackMissing]),
    // The page waits for its databases there, and asks for everything later.
    (
        "opened_later",
        "webkit",
        &[D::CallbackExtra, D::CallbackMissing, D::WrongCallback],
    ),
];

/// It is replayed twice in each engine: both times the same, to the byte, and just as it was recorded.
pub(super) async fn replay(session: &str, recorded: &Recorded, engines: &[&str]) -> Result<()> {
    let runs = tempfile::tempdir()?;
    for engine in engines {
        let replays = twice(&recorded.trace, engine, &runs.path().join(engine)).await;
        let replays = replays.with_context(|| format!("{session} in {engine}"))?;
        let (same, of) = replays.identical();
        let mut otherwise = OTHERWISE.iter().filter(|(of, at, _)| of == &session && at == engine);
        let allowed = otherwise.next().map_or(&[][..], |(.., kinds)| kinds);
        let diverged = replays.kinds().iter().any(|kind| !allowed.contains(kind));
        ensure!(
            same == of && of > 0 && replays.same_outcomes() && !diverged && !replays.waited_in_vain(),
            "{session} in {engine}: {same} of {of} checkpoints are the same\n  {}",
            replays.first_problems().join("\n  ")
        );
    }
    Ok(())
}

pub(super) async fn record(browser: &str, steps: &[Step]) -> Result<Recorded> {
    let site = Site::http(sites(), Prelude::None).await?;
    let recording = Recording::start(&site.url("/")).await?;
    let mut browser = browsers::start(browser, Some(&recording.proxy)).await?;
    let mut played = Ok(());
    for step in steps {
        if played.is_ok() {
            played = runner::take(&mut *browser, &site.url(""), step).await;
        }
    }
    let left = recording.close(browser).await;
    let recorded = recording.finish().await?;
    played.with_context(|| format!("notices: {:?}", recorded.trace.notices))?;
    left?;
    Ok(recorded)
}
