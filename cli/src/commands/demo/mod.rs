//! `xcheck demo`: records the demonstration's applications, replays them in every engine found, compares, and holds the
//! result against the list of what really differs.

mod browsers;
mod verdict;

use super::analyze::{Output, Settings, analyze};
use super::ca;
use super::replay::{Replaying, open, say_outcomes};
use crate::Everywhere;
use crate::config::Config;
use crate::exit::{Exit, Failure, OrUsage};
use crate::terminal::{self, BOLD, styled};
use anyhow::{Context, anyhow};
use std::path::{Path, PathBuf};
use std::time::Instant;
use xcheck_agent::Installed;
use xcheck_agent::replay::Reference;

const EXAMPLES: &str = "\
Examples:
  xcheck demo                        in the engines that are here
  xcheck demo --install-browsers     install the missing ones first (Debian, Ubuntu)
  xcheck demo --headed               watch it being done
  xcheck demo --out look-at-this     keep trace, run and report there

Two small applications, made here, are used by a scripted person with real input. What differs in them between today's
engines is in a list, and the summary says how the findings stand to it.

Exit codes: 0 the findings are those of the list, 1 they are not, 2 usage, 3 something could not be measured.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Install the engines that are missing, where this system has a command for it (Debian, Ubuntu)
    #[arg(long)]
    install_browsers: bool,
    /// Show the browsers' windows
    #[arg(long)]
    headed: bool,
    /// The folder to make for trace, run and report [default: xcheck-demo, numbered]
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Do not open the report
    #[arg(long)]
    no_open: bool,
}

pub(super) fn run(args: &Args, everywhere: &Everywhere) -> Result<Exit, Failure> {
    let started = Instant::now();
    let browsers = browsers::here(args.install_browsers)?;
    let folder = args.out.clone().unwrap_or_else(unused);
    make(&folder).or_usage()?;
    let first = &browsers[0];
    let trace_path = folder.join("demo.trace");
    terminal::say(format!("Recording Book Manager and MyRestaurant in {} …", named(first)));
    record(first, &trace_path, args.headed, everywhere)?;

    let on: Vec<String> = browsers.iter().map(|browser| browser.name.clone()).collect();
    terminal::say(format!(
        "Replaying in {}, with no server and no network …",
        on.join(", ")
    ));
    let replaying = Replaying::usual(on, folder.join("run"), args.headed);
    let trace = open(&trace_path)?;
    let reference = Reference::Twice(first.name.clone());
    let replayed = replaying.run(trace, &trace_path, reference, everywhere)?;
    say_outcomes(&replayed.outcomes);

    // The list was written for the defaults: what an `xcheck.toml` here says of other applications is not for this one.
    let options = Settings::default().options(&Config::default())?;
    let analysis = analyze(&replayed.folder, None, None, &options)?;
    let report = Output::default().give(&replayed.folder, &analysis)?;
    terminal::say("");
    let exit = verdict::say(&analysis, &browsers);
    terminal::say(format!(
        "The demonstration took {:.1} s.",
        started.elapsed().as_secs_f64()
    ));
    if !args.no_open && report != Exit::Clean {
        show(&replayed.folder.join("report.html"));
    }
    Ok(exit)
}

fn record(browser: &Installed, trace: &Path, headed: bool, everywhere: &Everywhere) -> Result<(), Failure> {
    let authority = ca::open(everywhere)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut signals = crate::signals::Signals::catch()?;
        tokio::select! {
            recorded = xcheck_demo::recording::record(browser, &authority, trace, headed) => {
                Ok(recorded.context("the demonstration could not be recorded")?)
            }
            // Dropping the recording ends its browser.
            () = signals.stop() => Err(anyhow!("stopped; {} is not whole", trace.display()).into()),
        }
    })
}

fn named(browser: &Installed) -> String {
    styled(BOLD, format!("{} {}", browser.name, browser.version))
}

/// `xcheck-demo`, or the first `xcheck-demo-N` that is free.
fn unused() -> PathBuf {
    let numbered = (2..).map(|number| format!("xcheck-demo-{number}"));
    let mut names = std::iter::once("xcheck-demo".to_owned()).chain(numbered);
    let free = names.find(|name| !Path::new(name).exists());
    PathBuf::from(free.unwrap_or_default())
}

fn make(folder: &Path) -> anyhow::Result<()> {
    let cannot = || format!("{} could not be made (--out names another folder)", folder.display());
    let mut maker = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut maker, 0o700);
    maker.create(folder).with_context(cannot)
}

/// Where there is a person at a screen.
fn show(report: &Path) {
    use std::io::IsTerminal;
    let has_display = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    let program = match () {
        () if !std::io::stdout().is_terminal() => return,
        () if cfg!(target_os = "macos") => "open",
        () if cfg!(windows) => "explorer",
        () if has_display => "xdg-open",
        () => return,
    };
    let quiet = std::process::Stdio::null;
    let opened = std::process::Command::new(program)
        .arg(report)
        .stdout(quiet())
        .stderr(quiet())
        .spawn();
    if let Err(error) = opened {
        tracing::debug!(%error, program, "the report could not be opened");
    }
}
