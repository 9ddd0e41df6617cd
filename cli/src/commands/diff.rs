//! `xcheck diff`: yesterday's findings and today's.

use super::Format;
use super::analyze::read_result;
use crate::exit::{Exit, Failure, OrUsage};
use crate::terminal::{self, BAD, DIM, GOOD, WARNING, styled};
use std::io::{self, Write};
use std::path::PathBuf;
use xcheck_analyzer::diff::{BrowserDiff, diff};
use xcheck_analyzer::findings::Xbi;

const EXAMPLES: &str = "\
Examples:
  xcheck diff yesterday.run today.run
  xcheck diff before.json after.json --format json

Exit codes: 0 nothing new, 1 new incompatibilities, 2 usage or analyses of different traces, 3 a browser is
missing on one side.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A run's folder that was analyzed, or a file with an analysis in JSON
    before: PathBuf,
    after: PathBuf,
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let (before, after) = (read_result(&args.before)?, read_result(&args.after)?);
    let found = diff(&before, &after).or_usage()?;
    let mut out = terminal::stdout();
    match args.format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, &found)?;
            writeln!(out)?;
        }
        Format::Text => found
            .browsers
            .iter()
            .try_for_each(|browser| as_text(&mut out, browser))?,
    }
    out.flush()?;
    let new = found.browsers.iter().any(|browser| !browser.new.is_empty());
    let unknown = found.browsers.iter().any(|browser| browser.not_compared.is_some());
    Ok(match (new, unknown) {
        (true, _) => Exit::Found,
        (false, true) => Exit::NotMeasured,
        (false, false) => Exit::Clean,
    })
}

fn as_text(out: &mut impl Write, browser: &BrowserDiff) -> io::Result<()> {
    if let Some(reason) = &browser.not_compared {
        return writeln!(
            out,
            "{}: {}",
            browser.browser,
            styled(WARNING, format!("not compared: {reason}"))
        );
    }
    let version = |version: &Option<String>| version.clone().unwrap_or_default();
    let (new, gone, stay) = (browser.new.len(), browser.gone.len(), browser.persisting.len());
    let versions = match browser.before == browser.after {
        true => version(&browser.after),
        false => format!("{} → {}", version(&browser.before), version(&browser.after)),
    };
    writeln!(
        out,
        "{} {versions}: {new} new, {gone} gone, {stay} persisting",
        browser.browser
    )?;
    let mut list = |style, sign: &str, xbis: &[Xbi]| {
        xbis.iter().try_for_each(|xbi| {
            let line = format!("  {sign} [{}] {} {}", xbi.id, xbi.selector, xbi.title);
            writeln!(out, "{}", styled(style, line))
        })
    };
    list(BAD, "+", &browser.new)?;
    list(GOOD, "-", &browser.gone)?;
    list(DIM, " ", &browser.persisting)
}
