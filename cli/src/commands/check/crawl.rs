//! All the traces of a crawl, one after the other, and then what was found in all of them together.

use super::Args;
use super::together::Together;
use crate::Everywhere;
use crate::commands::analyze::analyze;
use crate::commands::replay::{open, reference_of, say_outcomes};
use crate::exit::{Exit, Failure, OrUsage};
use crate::terminal::{self, BOLD, count, styled};
use anyhow::{Context, anyhow};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use xcheck_agent::replay::{Reference, default_folder};
use xcheck_analyzer::Options;
use xcheck_crawler::Model;

const MODEL: &str = "model.json";

pub(super) fn is_crawl(folder: &Path) -> bool {
    folder.join(MODEL).exists() && folder.join("traces").is_dir()
}

/// Each trace is a run of its own in the folder, with its report.
pub(super) fn check(args: &Args, everywhere: &Everywhere, options: &Options) -> Result<Exit, Failure> {
    if args.settings.invariants.is_some() {
        return Err(Failure::usage(anyhow!(
            "a model of invariants is of one trace: give that trace"
        )));
    }
    let traces = traces(&args.trace)?;
    let into = match args.replaying.out() {
        Some(folder) => folder.to_owned(),
        None => default_folder(&args.trace),
    };
    if into.exists() {
        return Err(Failure::usage(anyhow!("{} is there already", into.display())));
    }
    std::fs::create_dir_all(&into).with_context(|| format!("{} cannot be made", into.display()))?;
    let mut together = Together::of(&args.trace);
    for (at, (path, name)) in traces.iter().enumerate() {
        let trace = open(path)?;
        let reference = reference_of(args.settings.reference.as_deref(), &trace, &args.replaying);
        terminal::say(styled(
            BOLD,
            format!("trace {} of {}: {}", at + 1, traces.len(), path.display()),
        ));
        let replayed =
            args.replaying
                .with_out(into.join(name))
                .run(trace, path, Reference::Twice(reference), everywhere)?;
        say_outcomes(&replayed.outcomes);
        let analysis = analyze(&replayed.folder, None, None, options)?;
        for result in &analysis.results {
            let found = count(result.xbis.len() as u64, "finding");
            terminal::say(format!("{}: {found}", result.browser));
        }
        args.output.report_of_one(&replayed.folder, &analysis)?;
        together.add(path, name);
    }
    together.keep(&into)?;
    together.give(&into, &args.output)
}

/// Each with the name of its run, which is that of its file.
fn traces(folder: &Path) -> Result<Vec<(PathBuf, OsString)>, Failure> {
    let file = folder.join(MODEL);
    let text = std::fs::read_to_string(&file).with_context(|| format!("{} cannot be read", file.display()));
    let model: Model = serde_json::from_str(&text.or_usage()?)
        .with_context(|| format!("{} is no navigation model", file.display()))
        .or_usage()?;
    if model.traces.is_empty() {
        return Err(Failure::usage(anyhow!("{} has no traces", folder.display())));
    }
    let mut traces: Vec<(PathBuf, OsString)> = Vec::new();
    for written in &model.traces {
        let path = folder.join(&written.trace);
        let name = Path::new(&written.trace).file_stem().map(OsString::from);
        let refused =
            |why: &str| Failure::usage(anyhow!("{} names the trace {:?}, {why}", file.display(), written.trace));
        let name = name.ok_or_else(|| refused("which is no file"))?;
        if traces.iter().any(|(_, known)| *known == name) {
            return Err(refused("and another one of the same name: their runs would be one"));
        }
        traces.push((path, name));
    }
    Ok(traces)
}
