//! What an analysis gives: text or a machine's format on standard output or in a file, and the report.

use crate::exit::{Exit, Failure};
use crate::terminal::{self, BOLD, styled};
use anyhow::Context;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use xcheck_analyzer::findings::Analysis;
use xcheck_report::{Step, html, json, junit, sarif, terminal as text, verdict};
use xcheck_trace::runs::RunReader;

pub(in crate::commands) const REPORT: &str = "report.html";

#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Output {
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write the machine's format here rather than to standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Where the HTML report goes [default: report.html in the run's folder]
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write no HTML report
    #[arg(long, conflicts_with = "report")]
    no_report: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    #[default]
    Text,
    Json,
    Junit,
    Sarif,
}

impl Output {
    pub(crate) fn give(&self, run: &Path, analysis: &Analysis) -> Result<Exit, Failure> {
        self.deliver(
            run,
            &|path| write_report(run, analysis, path),
            &|format, out| match format {
                Format::Text => out.write_all(text::summary(analysis).as_bytes()),
                Format::Json => json::write(analysis, out),
                Format::Junit => junit::write(analysis, out),
                Format::Sarif => sarif::write(analysis, out),
            },
        )?;
        Ok(exit(analysis))
    }

    /// The report where it was wanted, or else in the folder, and what `write` makes of a format.
    pub(crate) fn deliver(
        &self,
        folder: &Path,
        report: &dyn Fn(&Path) -> Result<(), Failure>,
        write: &dyn Fn(Format, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let path = match (self.no_report, &self.report) {
            (true, _) => None,
            (false, Some(path)) => Some(path.clone()),
            (false, None) => Some(folder.join(REPORT)),
        };
        if let Some(path) = &path {
            report(path)?;
        }
        match &self.output {
            Some(path) => {
                let cannot = || format!("{} could not be written", path.display());
                let mut out = BufWriter::new(File::create(path).with_context(cannot)?);
                write(self.format, &mut out)?;
                out.flush()?;
            }
            None => {
                let mut out = terminal::stdout();
                write(self.format, &mut out)?;
                out.flush()?;
            }
        }
        if let Some(path) = &path {
            let path = path.canonicalize().unwrap_or_else(|_| path.clone());
            terminal::say(format!("{} file://{}", styled(BOLD, "report:"), path.display()));
        }
        Ok(())
    }

    /// The report of one of several runs, in its folder, if reports are wanted.
    pub(crate) fn report_of_one(&self, run: &Path, analysis: &Analysis) -> Result<(), Failure> {
        match self.no_report {
            true => Ok(()),
            false => write_report(run, analysis, &run.join(REPORT)),
        }
    }
}

/// Found is found; nothing found counts only where everything was measured.
pub(in crate::commands) fn exit(analysis: &Analysis) -> Exit {
    let verdict = verdict(analysis);
    match (verdict.xbis, verdict.not_measured) {
        (0, 0) => Exit::Clean,
        (0, _) => Exit::NotMeasured,
        _ => Exit::Found,
    }
}

fn write_report(folder: &Path, analysis: &Analysis, path: &Path) -> Result<(), Failure> {
    let (run, _) = RunReader::open(folder)?;
    let steps = steps(&run, analysis)?;
    let picture = |sha256: &str| {
        let hash = sha256.parse().map_err(|error| format!("{error}"))?;
        run.screenshot(&hash).map_err(|error| error.to_string())
    };
    let cannot = || format!("the report could not be written to {}", path.display());
    let mut out = BufWriter::new(File::create(path).with_context(cannot)?);
    let warnings = html::write(analysis, &steps, &picture, &mut out).with_context(cannot)?;
    out.flush().with_context(cannot)?;
    warnings.iter().for_each(terminal::warn);
    Ok(())
}

/// The session as the reference showed it.
fn steps(run: &RunReader, analysis: &Analysis) -> Result<Vec<Step>, Failure> {
    for name in &run.run.replays {
        let (replay, _) = run.replay(name)?;
        let browser = replay.outcome.as_ref().map(|outcome| outcome.browser.name.as_str());
        if browser != Some(analysis.reference.browser.as_str()) {
            continue;
        }
        let label = |number: u32| {
            let event = replay.events.iter().find(|event| event.place.number == number);
            event.map_or_else(String::new, |event| event.label.clone())
        };
        let step = |checkpoint: &xcheck_trace::run::Checkpoint| Step {
            event: checkpoint.place.number,
            label: label(checkpoint.place.number),
            image: checkpoint.screenshot_sha256.as_ref().map(ToString::to_string),
        };
        return Ok(replay.checkpoints.iter().map(step).collect());
    }
    Ok(Vec::new())
}
