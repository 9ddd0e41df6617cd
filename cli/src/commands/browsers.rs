//! `xcheck browsers`: what is installed, what is missing, and the command that brings it.

use crate::Everywhere;
use crate::commands::Format;
use crate::commands::agents::Access;
use crate::config::Config;
use crate::exit::{Exit, Failure};
use crate::terminal::{self, BOLD, DIM, GOOD, WARNING, styled};
use serde_json::{Value, json};
use std::io::{self, Write};
use xcheck_agent::find::Driver;
use xcheck_agent::remote::RemoteBrowser;
use xcheck_agent::{CustomBrowser, Installed, Missing, find_all, install};

const EXAMPLES: &str = "\
Examples:
  xcheck browsers
  xcheck browsers --install      brings what is missing (Debian, Ubuntu)
  xcheck browsers --format json";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Install what is missing, where this system has a command for it (Debian, Ubuntu)
    #[arg(long)]
    install: bool,
    /// Those of an agent instead: agent://HOST:PORT
    #[arg(long, value_name = "AGENT", conflicts_with = "install")]
    on: Option<String>,
    #[command(flatten)]
    access: Access,
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(args: &Args, everywhere: &Everywhere) -> Result<Exit, Failure> {
    let config = Config::read(everywhere.config.as_deref())?;
    if let Some(address) = &args.on {
        return remote(args, address, &config);
    }
    let failed = args.install && !install_all(&missing(&config.browsers));
    let browsers = find_all(&config.browsers);
    let mut out = terminal::stdout();
    match args.format {
        Format::Json => {
            let browsers: Vec<Value> = browsers.iter().map(as_json).collect();
            serde_json::to_writer_pretty(&mut out, &json!({"browsers": browsers}))?;
            writeln!(out)?;
        }
        Format::Text => as_text(&mut out, &browsers)?,
    }
    out.flush()?;
    Ok(if failed { Exit::NotMeasured } else { Exit::Clean })
}

fn missing(custom: &[CustomBrowser]) -> Vec<Missing> {
    find_all(custom).into_iter().filter_map(Result::err).collect()
}

fn remote(args: &Args, address: &str, config: &Config) -> Result<Exit, Failure> {
    let (agent, _) = args.access.agent(address, config)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let browsers = runtime.block_on(agent.browsers())?;
    let name = |browser: &RemoteBrowser| format!("agent://{}/{}", agent.address, browser.name);
    let mut out = terminal::stdout();
    if args.format == Format::Json {
        let as_json = |browser: &RemoteBrowser| json!({"name": name(browser), "installed": true, "engine": browser.engine, "version": browser.version});
        let browsers: Vec<Value> = browsers.iter().map(as_json).collect();
        serde_json::to_writer_pretty(&mut out, &json!({"browsers": browsers}))?;
        writeln!(out)?;
    } else {
        for browser in &browsers {
            let engine = json!(browser.engine);
            let engine = engine.as_str().unwrap_or_default();
            let version = terminal::printable(&browser.version);
            let name = terminal::printable(&name(browser));
            writeln!(out, "{} {name}  {engine}  {version}", styled(GOOD, "✓"))?;
        }
    }
    out.flush()?;
    Ok(Exit::Clean)
}

/// Whether all that can be installed here was: by one command, and one by one where that fails, so that one that cannot be
/// had does not keep the others away.
pub(super) fn install_all(missing: &[Missing]) -> bool {
    // On a system that has no command for it, there is nothing to be done and nothing failed.
    let missing: Vec<Missing> = missing
        .iter()
        .filter(|missing| missing.command().is_some())
        .cloned()
        .collect();
    if missing.is_empty() || install_these(&missing) {
        return true;
    }
    if missing.len() == 1 {
        return false;
    }
    terminal::warn("not all of them could be installed at once; trying one after the other");
    // Each is tried, whatever came of the others.
    let installed = missing
        .iter()
        .filter(|missing| install_these(std::slice::from_ref(missing)));
    installed.count() == missing.len()
}

fn install_these(missing: &[Missing]) -> bool {
    let command = xcheck_agent::install::command_for_all(missing).unwrap_or_default();
    terminal::say(format!("{} {command}", styled(BOLD, "running")));
    match install(missing) {
        Ok(()) => true,
        Err(error) => {
            let names: Vec<&str> = missing.iter().map(|missing| missing.name.as_str()).collect();
            let what = format!("{}: was not installed", names.join(", "));
            terminal::error(&anyhow::Error::new(error).context(what));
            false
        }
    }
}

fn as_json(browser: &Result<Installed, Missing>) -> Value {
    match browser {
        Ok(browser) => json!({
            "name": browser.name,
            "installed": true,
            "engine": browser.engine,
            "version": browser.version,
            "path": browser.binary,
            "driver": driver(&browser.driver),
        }),
        Err(missing) => json!({
            "name": missing.name,
            "installed": false,
            "reason": missing.reason,
            "install": missing.command(),
        }),
    }
}

fn as_text(out: &mut impl Write, browsers: &[Result<Installed, Missing>]) -> io::Result<()> {
    let name = |browser: &Result<Installed, Missing>| match browser {
        Ok(browser) => browser.name.chars().count(),
        Err(missing) => missing.name.chars().count(),
    };
    let width = browsers.iter().map(name).max().unwrap_or_default();
    for browser in browsers.iter().filter_map(|browser| browser.as_ref().ok()) {
        let engine = json!(browser.engine);
        writeln!(
            out,
            "{} {:width$}  {:<7} {:<16} {}  {}",
            styled(GOOD, "✓"),
            browser.name,
            engine.as_str().unwrap_or_default(),
            browser.version,
            browser.binary.display(),
            styled(DIM, driver(&browser.driver)),
        )?;
    }
    for missing in browsers.iter().filter_map(|browser| browser.as_ref().err()) {
        writeln!(
            out,
            "{} {:width$}  {}",
            styled(WARNING, "–"),
            missing.name,
            missing.reason
        )?;
        if let Some(command) = missing.command() {
            writeln!(out, "  {:width$}  {}", "", styled(BOLD, &command))?;
        }
    }
    Ok(())
}

fn driver(driver: &Driver) -> String {
    match driver {
        Driver::DevTools => "DevTools protocol".into(),
        Driver::BiDi => "WebDriver BiDi".into(),
        Driver::WebDriver { program, .. } => format!("WebDriver by {}", program.display()),
        Driver::Remote { url, .. } => format!("WebDriver at {url}"),
        Driver::Agent(agent) => format!("agent at {}", agent.address),
    }
}
