//! What was found so far, on disk while it grows: the report can be read at any time, and a run that was stopped goes on.

use super::Args;
use super::judge::{Judge, id};
use crate::commands::invariants::learn::against;
use crate::commands::invariants::model::identity;
use crate::commands::reruns::Session;
use crate::exit::Failure;
use crate::terminal;
use anyhow::Context;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use xcheck_agent::rerun::{Finished, Injection};
use xcheck_report::invariants::{FORMAT, FaultRun, Faults, faults_page};

const RESULT: &str = "faults.json";
const REPORT: &str = "report.html";

/// The report is large; between two versions of it some time goes by.
const REWRITE: Duration = Duration::from_secs(3);

pub(super) struct Keeping {
    folder: PathBuf,
    pub(super) faults: Faults,
    /// By event, without a fault.
    pictures: BTreeMap<u32, Vec<u8>>,
    written: Option<Instant>,
}

impl Keeping {
    pub(super) fn open(
        folder: &Path,
        session: &Session,
        args: &Args,
        judge: &Judge,
        pictures: BTreeMap<u32, Vec<u8>>,
        of: usize,
    ) -> Result<Keeping, Failure> {
        std::fs::create_dir_all(folder.join("pictures"))
            .with_context(|| format!("{} could not be made (--out names another folder)", folder.display()))?;
        let trace_sha256 = identity(&session.trace);
        let before = read(&folder.join(RESULT))
            .filter(|before| before.trace_sha256 == trace_sha256 && before.against == against(args.reruns.is_live()));
        let faults = Faults {
            format: FORMAT,
            trace: args.trace.display().to_string(),
            trace_sha256,
            browser: format!("{} {}", judge.model.browser.name, judge.model.browser.version),
            against: against(args.reruns.is_live()),
            learnt_from: judge.model.curve.len(),
            false_alarms: judge.false_alarms,
            runs: before.map(|before| before.runs).unwrap_or_default(),
            of,
        };
        let mut keeping = Keeping {
            folder: folder.to_owned(),
            faults,
            pictures,
            written: None,
        };
        keeping
            .faults
            .runs
            .retain_mut(|run| run.not_measured.is_none() && with_its_picture(run, folder));
        Ok(keeping)
    }

    pub(super) fn has(&self, injection: &Injection) -> bool {
        let id = id(injection);
        self.faults.runs.iter().any(|run| run.id == id)
    }

    /// Those that showed once, among the faults that are to be tried.
    pub(super) fn to_confirm(&self, all: &[Injection]) -> Vec<usize> {
        let waits = |injection: &Injection| {
            let id = id(injection);
            self.faults.unconfirmed().any(|run| run.id == id)
        };
        (0..all.len()).filter(|number| waits(&all[*number])).collect()
    }

    /// After the second run of a fault that showed.
    pub(super) fn confirm(&mut self, judge: &Judge, injection: &Injection, second: Finished) -> Result<(), Failure> {
        let id = id(injection);
        if let Some(first) = self.faults.runs.iter_mut().find(|run| run.id == id) {
            judge.confirm(injection, first, second);
        }
        self.keep()
    }

    pub(super) fn add(&mut self, run: FaultRun) -> Result<(), Failure> {
        if let Some(picture) = run.shows_at.as_ref().and_then(|shows| shows.picture.as_ref()) {
            self.write(&format!("pictures/{}.png", run.id), picture)?;
        }
        self.faults.runs.push(run);
        // In the trace's order, whatever ended first.
        self.faults
            .runs
            .sort_by(|a, b| (a.event.unwrap_or(u32::MAX), &a.id).cmp(&(b.event.unwrap_or(u32::MAX), &b.id)));
        self.keep()
    }

    fn keep(&mut self) -> Result<(), Failure> {
        let json = serde_json::to_vec_pretty(&self.faults)?;
        self.write(RESULT, &json)?;
        if self.written.is_none_or(|written| written.elapsed() > REWRITE) {
            self.write_report()?;
        }
        Ok(())
    }

    pub(super) fn write_report(&mut self) -> Result<PathBuf, Failure> {
        let page = faults_page(&self.faults, &self.pictures);
        self.write(REPORT, page.as_bytes())?;
        self.written = Some(Instant::now());
        Ok(self.folder.join(REPORT))
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.folder.join(name);
        // Whoever reads meanwhile sees the old one or the new one.
        let partial = self.folder.join(format!("{name}.partial"));
        std::fs::write(&partial, bytes)
            .and_then(|()| std::fs::rename(&partial, &path))
            .with_context(|| format!("{} could not be written", path.display()))?;
        Ok(())
    }
}

/// Whether a kept run still has what it is shown by; it is made again where it has not.
fn with_its_picture(run: &mut FaultRun, folder: &Path) -> bool {
    let Some(shows) = run.shows_at.as_mut().filter(|shows| shows.no_picture.is_none()) else {
        return true;
    };
    let path = folder.join("pictures").join(format!("{}.png", run.id));
    match std::fs::read(&path) {
        Ok(picture) => shows.picture = Some(picture),
        Err(error) => {
            terminal::warn(format!(
                "{} cannot be read, so that `{}` is tried again: {error}",
                path.display(),
                run.id
            ));
        }
    }
    shows.picture.is_some()
}

/// Of an earlier run; one that cannot be read is made again.
fn read(path: &Path) -> Option<Faults> {
    let text = std::fs::read(path).ok()?;
    match serde_json::from_slice(&text) {
        Ok(faults) => Some(faults),
        Err(error) => {
            terminal::warn(format!("{} cannot be gone on with: {error}", path.display()));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcheck_report::invariants::Shows;

    fn shown(no_picture: Option<&str>) -> FaultRun {
        FaultRun {
            id: "7-error".into(),
            event: Some(7),
            target: "XHR GET http://shop.test/api/cart".into(),
            wrong: "error".into(),
            affects: true,
            detected: true,
            confirmed: Some(true),
            finding: None,
            shows_at: Some(Shows {
                event: 9,
                label: "click on #cart".into(),
                nothing_happened: false,
                count: 0,
                deviations: vec![],
                picture: None,
                no_picture: no_picture.map(str::to_owned),
            }),
            diverged: None,
            not_measured: None,
            took_ms: 1,
        }
    }

    #[test]
    fn a_kept_fault_is_tried_again_where_its_picture_is_gone_and_not_where_there_never_was_one() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!with_its_picture(&mut shown(None), folder.path()));
        assert!(with_its_picture(&mut shown(Some("the browser refused")), folder.path()));
        std::fs::create_dir(folder.path().join("pictures")).unwrap();
        std::fs::write(folder.path().join("pictures/7-error.png"), b"png").unwrap();
        let mut run = shown(None);
        assert!(with_its_picture(&mut run, folder.path()));
        assert_eq!(run.shows_at.unwrap().picture.unwrap(), b"png");
    }
}
