//! What `xcheck faults` gives: the table and the findings as text, or JSON, and the report's path.

use super::keeping::Keeping;
use crate::exit::{Exit, Failure};
use crate::terminal::{self, BAD, BOLD, DIM, GOOD, WARNING, count, printable, styled};
use anyhow::Context;
use std::io::Write;
use std::path::{Path, PathBuf};
use xcheck_agent::rerun::Injection;
use xcheck_report::invariants::Faults;

#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct Output {
    #[arg(long, value_enum, default_value_t)]
    format: crate::commands::Format,
    /// Write the machine's format here rather than to standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where results and report go, and where a stopped run goes on [default: beside the trace]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Output {
    pub(super) fn folder(&self, trace: &Path) -> PathBuf {
        let beside = || {
            let name = trace
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            trace.with_file_name(format!("{name}-faults"))
        };
        self.out.clone().unwrap_or_else(beside)
    }

    pub(super) fn give(&self, keeping: &Keeping) -> Result<Exit, Failure> {
        let faults = &keeping.faults;
        let text = match self.format {
            crate::commands::Format::Text => text(faults),
            crate::commands::Format::Json => serde_json::to_string_pretty(faults)? + "\n",
        };
        match &self.output {
            Some(path) => {
                std::fs::write(path, text).with_context(|| format!("{} could not be written", path.display()))?
            }
            None => {
                let mut out = terminal::stdout();
                out.write_all(text.as_bytes())?;
                out.flush()?;
            }
        }
        Ok(match (faults.findings().count(), faults.not_measured()) {
            (0, 0) => Exit::Clean,
            (0, _) => Exit::NotMeasured,
            _ => Exit::Found,
        })
    }
}

pub(super) fn list(all: &[Injection]) -> Result<Exit, Failure> {
    let mut out = terminal::stdout();
    for injection in all {
        let event = injection
            .place
            .map_or_else(String::new, |place| place.number.to_string());
        writeln!(
            out,
            "{event:>5}  {:<14}  {}",
            injection.wrong.name(),
            printable(&injection.target)
        )?;
    }
    writeln!(out, "{}", count(all.len() as u64, "fault"))?;
    out.flush()?;
    Ok(Exit::Clean)
}

fn text(faults: &Faults) -> String {
    let mut lines = vec![format!(
        "{:>5}  {:<14}  {:<7}  {:<8}  disturbed",
        "event", "fault", "affects", "detected"
    )];
    for run in &faults.runs {
        let event = run.event.map_or_else(String::new, |event| event.to_string());
        let word = |yes: bool| if yes { "yes" } else { "no" };
        let once = if run.confirmed == Some(false) {
            " (in one run of two)"
        } else {
            ""
        };
        let line = format!(
            "{event:>5}  {:<14}  {:<7}  {:<8}  {}{once}",
            run.wrong,
            word(run.affects),
            word(run.detected),
            printable(&run.target)
        );
        lines.push(match (&run.not_measured, run.detected) {
            (Some(why), _) => styled(WARNING, format!("{line} (not measured: {})", printable(why))),
            (None, true) => styled(BAD, line),
            (None, false) => styled(DIM, line),
        });
    }
    let findings: Vec<String> = faults.findings().filter_map(|run| run.finding.clone()).collect();
    if !findings.is_empty() {
        lines.push(String::new());
        lines.extend(findings.iter().map(|finding| format!("- {}", printable(finding))));
    }
    lines.push(String::new());
    let [detected, affecting] = faults.coverage();
    let tried = count(faults.runs.len() as u64, "fault");
    lines.push(match findings.len() {
        0 => styled(GOOD, format!("none of {tried} shows")),
        some => styled(
            BOLD,
            format!("{some} of {tried} show, each in two runs of two; {affecting} change the page, {detected} of them detected"),
        ),
    });
    lines.join("\n") + "\n"
}
