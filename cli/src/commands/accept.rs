//! `xcheck accept`: takes XBIs of a stored result out of the count from now on.

use super::analyze::read_result;
use super::check::Together;
use crate::Everywhere;
use crate::config::{self, Config};
use crate::exit::{Exit, Failure};
use crate::terminal;
use anyhow::{Context, anyhow};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use xcheck_analyzer::IgnoreRule;
use xcheck_analyzer::findings::Analysis;

const EXAMPLES: &str = "\
Example:
  xcheck accept shop.run 3f9a0c1d2b4e --reason \"the vendor's own widget\"

The rule is added to xcheck.toml; `xcheck analyze` and `xcheck check` then list the XBI as ignored.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A run's folder that was analyzed, or that of a crawl's check
    run: PathBuf,
    /// Ids of XBIs, as the summary and the report show them
    #[arg(required = true, value_name = "XBI")]
    ids: Vec<String>,
    /// Why they are no fault, for the next person
    #[arg(long)]
    reason: String,
}

pub(crate) fn run(args: &Args, everywhere: &Everywhere) -> Result<Exit, Failure> {
    let analyses = match Together::read(&args.run)? {
        Some(together) => together.analyses(&args.run)?,
        None => vec![read_result(&args.run)?],
    };
    let path = everywhere
        .config
        .clone()
        .unwrap_or_else(|| PathBuf::from(config::USUAL));
    let known = Config::read(everywhere.config.as_deref().filter(|path| path.exists()))?.ignore;
    let mut text = String::new();
    for id in &args.ids {
        let note = found(&analyses, id).ok_or_else(|| Failure::usage(unknown(&analyses, id)))?;
        if known.iter().any(|rule| rule.id.as_ref() == Some(id)) {
            terminal::say(format!("{id} is ignored already"));
            continue;
        }
        let rule = IgnoreRule {
            reason: args.reason.clone(),
            id: Some(id.clone()),
            ..IgnoreRule::default()
        };
        IgnoreRule::check(std::slice::from_ref(&rule)).map_err(Failure::usage)?;
        text += &format!(
            "\n# {}\n[[ignore]]\n{}",
            note.replace(['\n', '\r'], " "),
            toml::to_string(&rule)?
        );
    }
    let cannot = || format!("the rule could not be added to {}", path.display());
    let mut file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .with_context(cannot)?;
    file.write_all(text.as_bytes()).with_context(cannot)?;
    terminal::say(format!("added to {}", path.display()));
    Ok(Exit::Clean)
}

/// What the XBI says, for the comment above the rule.
fn found(analyses: &[Analysis], id: &str) -> Option<String> {
    let results = analyses.iter().flat_map(|analysis| &analysis.results);
    let mut all = results.flat_map(|result| {
        let ignored = result.ignored.iter().map(|ignored| &ignored.xbi);
        result.xbis.iter().chain(ignored)
    });
    let xbi = all.find(|xbi| xbi.id == id)?;
    Some(format!("{} {}", xbi.selector, xbi.title).trim().to_owned())
}

fn unknown(analyses: &[Analysis], id: &str) -> anyhow::Error {
    let ids = analyses
        .iter()
        .flat_map(|analysis| &analysis.results)
        .flat_map(|result| result.xbis.iter().map(|xbi| xbi.id.as_str()));
    let ids: Vec<&str> = ids.take(10).collect();
    anyhow!(
        "no XBI `{id}` in this analysis; it has {}",
        if ids.is_empty() {
            "none".to_owned()
        } else {
            ids.join(", ")
        }
    )
}
