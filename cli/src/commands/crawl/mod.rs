//! `xcheck crawl`: an application explored by itself.

mod live;

use super::record::{locale, parse_url, viewport};
use super::{Format, ca};
use crate::Everywhere;
use crate::config::Config;
use crate::exit::{Exit, Failure, OrUsage};
use crate::signals::Signals;
use crate::terminal::{self, count};
use anyhow::{Context, anyhow};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use xcheck_agent::LaunchOptions;
use xcheck_agent::launch::{Downloads, ServiceWorkers};
use xcheck_agent::live::{Network, Patience, SessionOptions};
use xcheck_crawler::{Back, CrawlError, Crawled, Limits, Progress, Request, Settings, WaysBack, crawl};
use xcheck_proxy::{UpstreamProxy, UpstreamTrust};
use xcheck_trace::Trace;
use xcheck_trace::manifest::Viewport;

const EXAMPLES: &str = "\
Examples:
  xcheck crawl localhost:3000 --out shop.crawl            explore, with traces below shop.crawl/traces
  xcheck crawl localhost:3000 --out shop.crawl --resume   go on where the last one ended
  xcheck crawl https://shop.example --out shop.crawl --after login.trace --never '#footer' --states 100
  xcheck crawl localhost:3000 --out shop.crawl --live-crawl firefox,webkit
  xcheck check shop.crawl/traces/0001.trace --on firefox,webkit

What looks as if it deletes, pays or logs out is left alone without --destructive, and robots.txt is heeded without --ignore-robots.
The folder has index.html (the states with their pictures), model.json, model.graphml and model.dot.

Exit codes: 0 crawled, 1 with --live-crawl: the models differ, 2 usage, 3 the crawl ended since something broke.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where to begin; `https://` may be left out
    url: String,
    /// The folder to make for the model and the traces
    #[arg(long, short, value_name = "DIR")]
    out: PathBuf,
    /// What is typed and chosen follows from it: the same seed, the same crawl
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Go on with the crawl that is in the folder
    #[arg(long)]
    resume: bool,
    /// As text, or the model as JSON
    #[arg(long, value_enum, default_value_t)]
    format: Format,

    /// Act on what this selector names, too (may be repeated)
    #[arg(long, value_name = "SELECTOR", help_heading = "What is done")]
    click: Vec<String>,
    /// Leave alone what this selector names, and what is in it (may be repeated)
    #[arg(long, value_name = "SELECTOR", help_heading = "What is done")]
    never: Vec<String>,
    /// Do what this trace recorded before each way begins, such as signing in
    #[arg(long, value_name = "TRACE", help_heading = "What is done")]
    after: Option<PathBuf>,
    /// Do what looks as if it could not be undone: delete, pay, log out
    #[arg(long, help_heading = "What is done")]
    destructive: bool,
    /// Ask for what robots.txt asks machines not to
    #[arg(long, help_heading = "What is done")]
    ignore_robots: bool,
    /// How states are returned to: by the live server, or by what was recorded on the way, where the server's state allows it
    #[arg(long, value_enum, default_value_t, help_heading = "What is done")]
    back: By,
    /// Only follow links, for comparison
    #[arg(long, help_heading = "What is done")]
    links_only: bool,

    /// Another host that belongs to the application, with its port if it has one (may be repeated)
    #[arg(long, value_name = "HOST", help_heading = "Limits")]
    host: Vec<String>,
    /// States to find
    #[arg(long, value_name = "N", default_value_t = Limits::default().states, help_heading = "Limits")]
    states: usize,
    /// Actions from the start page
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth, help_heading = "Limits")]
    depth: usize,
    /// Seconds
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().time.as_secs(), help_heading = "Limits")]
    time: u64,
    /// Different addresses
    #[arg(long, value_name = "N", default_value_t = Limits::default().pages, help_heading = "Limits")]
    pages: usize,
    /// States of one URL pattern, such as /item/0
    #[arg(long, value_name = "N", default_value_t = Limits::default().per_pattern, help_heading = "Limits")]
    per_pattern: usize,
    /// New states of one URL pattern that one action may lead to, such as `next` in a calendar
    #[arg(long, value_name = "N", default_value_t = Limits::default().per_action, help_heading = "Limits")]
    per_action: usize,

    /// `chromium`, `firefox`, `webkit`, a path, or a name from xcheck.toml
    #[arg(long, default_value = "chromium", help_heading = "Browser")]
    browser: String,
    /// Crawl the live application in these, too, each by itself and in identical fashion, and compare the models
    #[arg(long, value_name = "BROWSER,…", value_delimiter = ',', help_heading = "Browser")]
    live_crawl: Vec<String>,
    /// With a window, to watch
    #[arg(long, help_heading = "Browser")]
    headed: bool,
    /// Size of the page's area
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = viewport, help_heading = "Browser")]
    viewport: Viewport,
    /// Keep no pictures of the states
    #[arg(long, help_heading = "Browser")]
    no_pictures: bool,

    /// Trust this authority upstream, too (PEM; may be repeated)
    #[arg(long, value_name = "FILE", help_heading = "Network")]
    ca_extra: Vec<PathBuf>,
    /// Accept any certificate upstream
    #[arg(long, help_heading = "Network")]
    insecure_upstream: bool,
    /// Reach servers through this proxy, `none` for none [default: as HTTP_PROXY and its relatives say]
    #[arg(long, value_name = "URL", help_heading = "Network")]
    upstream_proxy: Option<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum By {
    #[default]
    Live,
    Trace,
}

/// For one thing that a page is asked for: one that takes longer hangs, and is left.
const PAGE: Duration = Duration::from_secs(10);

/// For a page's last words; what was flushed before is kept anyway.
const LAST_WORDS: Duration = Duration::from_secs(2);

pub(super) fn run(args: &Args, everywhere: &Everywhere) -> Result<Exit, Failure> {
    let others = live::browsers(args, everywhere)?;
    let stop = Arc::new(AtomicBool::new(false));
    let crawled = explore(args, everywhere, &args.browser, &args.out, args.resume, &stop)?;
    if others.is_empty() {
        say(args, &crawled)?;
        return Ok(measured(crawled.broken).map_or(Exit::NotMeasured, |()| Exit::Clean));
    }
    if args.format == Format::Text {
        terminal::say(said(&crawled));
    }
    live::run(args, everywhere, &crawled, others, &stop)
}

fn measured(broken: bool) -> Result<(), String> {
    match broken {
        false => Ok(()),
        true => Err("its crawl ended since something broke".to_owned()),
    }
}

/// In one browser, until it has ended or the person wants it to.
fn explore(
    args: &Args,
    everywhere: &Everywhere,
    browser: &str,
    folder: &Path,
    resume: bool,
    stop: &Arc<AtomicBool>,
) -> Result<Crawled, Failure> {
    let mut request = request(args, everywhere, browser, stop.clone())?;
    request.folder = folder.to_owned();
    request.resume = resume;
    let limits = request.settings.limits.clone();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let crawled = runtime.block_on(async {
        let mut signals = Signals::catch()?;
        let line = terminal::live_line();
        let show = move |progress: Progress| line.set_message(shown(&progress, &limits));
        let crawling = crawl(request, &show);
        tokio::pin!(crawling);
        tokio::select! {
            crawled = &mut crawling => return crawled.map_err(anyhow::Error::from),
            () = signals.stop() => {}
        }
        stop.store(true, Ordering::Relaxed);
        terminal::say("Stopping after this action; once more to stop now.");
        tokio::select! {
            crawled = &mut crawling => crawled.map_err(anyhow::Error::from),
            () = signals.stop() => Err(anyhow!("stopped; what was saved last can be gone on with: --resume")),
        }
    });
    terminal::live_line().finish_and_clear();
    crawled.map_err(|error| match error.downcast_ref::<CrawlError>() {
        Some(CrawlError::Taken(_) | CrawlError::NotACrawl(..)) => Failure::usage(error),
        Some(CrawlError::File { .. }) => error
            .context("the crawl could not be written (--out names another folder)")
            .into(),
        _ => error.into(),
    })
}

fn request(args: &Args, everywhere: &Everywhere, browser: &str, stop: Arc<AtomicBool>) -> Result<Request, Failure> {
    let url = parse_url(&args.url).or_usage()?;
    let config = Config::read(everywhere.config.as_deref())?;
    let browser = xcheck_agent::find(browser, &config.browsers)?;
    let after = match &args.after {
        None => None,
        Some(path) => {
            let (trace, warnings) = Trace::open(path)
                .with_context(|| format!("{} cannot be read", path.display()))
                .or_usage()?;
            warnings.iter().for_each(terminal::warn);
            Some(trace)
        }
    };
    let launch = LaunchOptions {
        headless: !args.headed,
        viewport: args.viewport,
        time_zone: locale::time_zone(),
        languages: locale::languages(),
        service_workers: ServiceWorkers::Blocked,
        downloads: Downloads::Denied,
        deadline: PAGE,
        ..LaunchOptions::default()
    };
    let network = Network {
        proxy: match args.upstream_proxy.as_deref() {
            None => UpstreamProxy::Environment,
            Some("none") => UpstreamProxy::Direct,
            Some(proxy) => UpstreamProxy::Fixed {
                url: proxy.to_owned(),
                no_proxy: String::new(),
            },
        },
        trust: UpstreamTrust {
            extra_ca: args.ca_extra.clone(),
            insecure: args.insecure_upstream,
        },
    };
    Ok(Request {
        start_url: url.to_string(),
        browser,
        authority: ca::open(everywhere)?,
        session: SessionOptions {
            launch,
            network,
            deadline: PAGE,
            last_words: LAST_WORDS,
        },
        patience: Patience::default(),
        folder: args.out.clone(),
        settings: Settings {
            seed: args.seed,
            click: args.click.clone(),
            never: args.never.clone(),
            values: config.values,
            destructive: args.destructive,
            ignore_robots: args.ignore_robots,
            hosts: args.host.clone(),
            limits: Limits {
                states: args.states,
                depth: args.depth,
                time: Duration::from_secs(args.time),
                pages: args.pages,
                per_pattern: args.per_pattern,
                per_action: args.per_action,
                ..Limits::default()
            },
            pictures: !args.no_pictures,
            links_only: args.links_only,
            back: match args.back {
                By::Live => Back::Live,
                By::Trace => Back::Trace,
            },
        },
        after,
        resume: args.resume,
        stop,
    })
}

fn shown(progress: &Progress, limits: &Limits) -> String {
    let left = limits.time.saturating_sub(progress.elapsed).as_secs();
    format!(
        "{}, {}, {} to try, {}, {} s left at most",
        count(progress.states as u64, "state"),
        count(progress.edges as u64, "transition"),
        progress.untried,
        count(progress.traces as u64, "trace"),
        left
    )
}

fn say(args: &Args, crawled: &Crawled) -> Result<(), Failure> {
    let mut out = terminal::stdout();
    match args.format {
        Format::Json => serde_json::to_writer_pretty(&mut out, &crawled.model)?,
        Format::Text => out.write_all(said(crawled).as_bytes())?,
    }
    writeln!(out)?;
    Ok(out.flush()?)
}

fn said(crawled: &Crawled) -> String {
    let model = &crawled.model;
    let seconds = crawled.elapsed.as_secs_f64();
    let mut lines = vec![format!(
        "{} and {} in {} ({} in {seconds:.0} s, {:.1} a second). Ended: {}.",
        count(model.states.len() as u64, "state"),
        count(model.edges.len() as u64, "transition"),
        count(model.traces.len() as u64, "trace"),
        count(crawled.actions, "action"),
        crawled.actions as f64 / seconds.max(0.001),
        terminal::printable(&model.ended)
    )];
    lines.extend(said_of_ways_back(&crawled.ways_back));
    for skipped in model.skipped.iter().take(MOST_SKIPPED) {
        let (what, reason) = (terminal::printable(&skipped.what), terminal::printable(&skipped.reason));
        lines.push(format!("  not done: {what}: {reason}"));
    }
    if model.skipped.len() > MOST_SKIPPED {
        let more = model.skipped.len() - MOST_SKIPPED;
        lines.push(format!("  and {more} more, see index.html"));
    }
    let folder = crawled.folder.display();
    lines.push(format!(
        "{folder}/index.html shows the states; {folder}/traces can be replayed and checked."
    ));
    lines.join("\n")
}

/// Nothing where all of them were to be live.
fn said_of_ways_back(ways: &WaysBack) -> Option<String> {
    let live: usize = ways.live.values().sum();
    if ways.by_trace + live == 0 {
        return None;
    }
    let reasons = ways.live.iter();
    let reasons: Vec<String> = reasons
        .map(|(why, times)| format!("{times} because {}", terminal::printable(why)))
        .collect();
    let because = match reasons.is_empty() {
        true => String::new(),
        false => format!(": {}", reasons.join(", ")),
    };
    let by_trace = count(ways.by_trace as u64, "way");
    Some(format!("{by_trace} back by the trace, {live} live{because}."))
}

const MOST_SKIPPED: usize = 8;
