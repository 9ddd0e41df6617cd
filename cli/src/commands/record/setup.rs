//! What every recording begins and ends with: a trace, a proxy that fills it, a live line, a summary.

use super::{Args, locale, name, summary};
use crate::Everywhere;
use crate::commands::ca;
use crate::config::Config;
use crate::exit::{Exit, Failure, OrUsage};
use crate::signals::Signals;
use crate::terminal::{self, bytes, count};
use anyhow::{Context, anyhow};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use url::Url;
use xcheck_agent::launch::{Downloads, Peers, ServiceWorkers};
use xcheck_agent::{Browser, Installed, LaunchOptions, TrustedAuthority};
use xcheck_proxy::{Authority, Mode, Profiles, Proxy, StartError, UpstreamProxy, UpstreamTrust};
use xcheck_trace::manifest::{FORMAT, Manifest};
use xcheck_trace::redact::Redaction;
use xcheck_trace::{StoreError, TraceWriter};

/// Everything that was asked for and checked; nothing is running and nothing was made yet.
pub(super) struct Setup {
    authority: Arc<Authority>,
    redaction: Redaction,
    out: PathBuf,
    listen: SocketAddr,
    upstream_proxy: UpstreamProxy,
    upstream_trust: UpstreamTrust,
    start_url: Option<String>,
    pub(super) browser: Option<Installed>,
    launch: LaunchOptions,
    pub(super) signals: Signals,
}

/// A recording that goes on.
pub(super) struct Recording {
    pub(super) proxy: Proxy,
    pub(super) trace: TraceWriter,
    pub(super) authority: Arc<Authority>,
    pub(super) signals: Signals,
    pub(super) launch: LaunchOptions,
    live: tokio::task::JoinHandle<()>,
    started: Instant,
}

impl Setup {
    pub(super) fn prepare(args: &Args, url: Option<&Url>, everywhere: &Everywhere) -> Result<Setup, Failure> {
        let opens_browser = url.is_some() && args.command.is_empty();
        let browser = match opens_browser {
            false => None,
            true => {
                let config = Config::read(everywhere.config.as_deref())?;
                Some(xcheck_agent::find(&args.browser, &config.browsers)?)
            }
        };
        let listen = args.listen.unwrap_or(SocketAddr::from(([127, 0, 0, 1], 0)));
        warn_of_risks(args, listen);
        Ok(Setup {
            authority: ca::open(everywhere)?,
            redaction: redaction(args.redact.as_deref()).or_usage()?,
            out: args
                .out
                .clone()
                .unwrap_or_else(|| name::unused(url.and_then(Url::host_str))),
            listen,
            upstream_proxy: match args.upstream_proxy.as_deref() {
                None => UpstreamProxy::Environment,
                Some("none") => UpstreamProxy::Direct,
                Some(proxy) => UpstreamProxy::Fixed {
                    url: proxy.to_owned(),
                    no_proxy: String::new(),
                },
            },
            upstream_trust: UpstreamTrust {
                extra_ca: args.ca_extra.clone(),
                insecure: args.insecure_upstream,
            },
            start_url: url.map(ToString::to_string),
            browser,
            launch: LaunchOptions {
                headless: args.headless,
                viewport: args.viewport,
                time_zone: locale::time_zone(),
                languages: locale::languages(),
                service_workers: match args.service_workers {
                    true => ServiceWorkers::Allowed,
                    false => ServiceWorkers::Blocked,
                },
                downloads: Downloads::Allowed,
                peers: Peers::Reachable,
                ..LaunchOptions::default()
            },
            signals: Signals::catch()?,
        })
    }

    /// Makes the trace and starts the proxy. On failure the trace's folder is gone again.
    pub(super) async fn start(self) -> Result<Recording, Failure> {
        let trace = TraceWriter::create(&self.out, self.manifest(), self.redaction).map_err(cannot_create)?;
        let proxy = Proxy::start(xcheck_proxy::Config {
            listen: self.listen,
            authority: self.authority.clone(),
            mode: Mode::Record(trace.clone()),
            // The browser that we start has a profile of its own; of any other nobody knows.
            profiles: match self.browser {
                Some(_) => Profiles::New,
                None => Profiles::Used,
            },
            live: None,
            upstream_proxy: self.upstream_proxy,
            upstream_trust: self.upstream_trust,
            faults: xcheck_proxy::Faults::default(),
        })
        .await;
        let proxy = match proxy {
            Ok(proxy) => proxy,
            Err(error) => {
                discard(&trace);
                return Err(cannot_start(error));
            }
        };
        let launch = LaunchOptions {
            proxy: Some(proxy.address()),
            authority: Some(TrustedAuthority {
                spki_sha256: self.authority.spki_sha256(),
                pem: self.authority.certificate_path().to_owned(),
            }),
            ..self.launch
        };
        Ok(Recording {
            live: tokio::spawn(live_line(proxy.counts())),
            proxy,
            trace,
            authority: self.authority,
            signals: self.signals,
            launch,
            started: Instant::now(),
        })
    }

    fn manifest(&self) -> Manifest {
        let own = self.browser.is_some();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Manifest {
            format: FORMAT,
            recorder: env!("CARGO_PKG_VERSION").into(),
            browser: None,
            viewport: own.then_some(self.launch.viewport),
            start_url: self.start_url.clone(),
            time_zone: own.then(|| self.launch.time_zone.clone()),
            languages: if own { self.launch.languages.clone() } else { Vec::new() },
            started_at_ms: now.as_millis() as u64,
            finished_at_ms: None,
            service_workers: self.launch.service_workers == ServiceWorkers::Allowed,
            redactions: Vec::new(),
        }
    }
}

/// How long a browser that goes on may take to leave its pages. Usually that is over at once, but not where a machine is
/// busy, and whoever does not want to wait presses Ctrl-C again.
const LEAVING: Duration = Duration::from_secs(10);

/// How long what pages still have to say may take to arrive: the recorder sends what it has ten times a second.
const LAST_WORDS: Duration = Duration::from_secs(1);

impl Recording {
    /// Takes the pages' last words before their browser is ended. One that a person has closed has nothing to leave.
    pub(super) async fn hear_last_words(&mut self, browser: &mut dyn Browser) {
        let leaving = async {
            if let Err(error) = browser.leave().await {
                tracing::debug!(%error, "the pages could not be left");
            }
            self.proxy.settled(LEAVING).await;
        };
        tokio::select! {
            _ = tokio::time::timeout(LEAVING, leaving) => {}
            () = self.signals.stop() => {}
        }
    }

    /// Ends the proxy, closes the trace and says what came of it.
    pub(super) async fn finish(self) -> Result<Exit, Failure> {
        self.proxy.settled(LAST_WORDS).await;
        let summary = self.proxy.stop().await;
        self.live.abort();
        terminal::live_line().finish_and_clear();
        let summary = summary.ok_or_else(|| anyhow!("the trace could not be closed; what was flushed is readable"))?;
        summary::print(&summary, self.started.elapsed());
        Ok(match summary.not_written.is_empty() {
            true => Exit::Clean,
            false => Exit::NotMeasured,
        })
    }

    /// Nothing was recorded: no empty trace is left behind.
    pub(super) async fn give_up(self) {
        self.proxy.stop().await;
        self.live.abort();
        terminal::live_line().finish_and_clear();
        discard(&self.trace);
    }
}

/// `record --listen`: whoever comes, until we are told to stop.
pub(super) async fn record_anybody(setup: Setup) -> Result<Exit, Failure> {
    let mut recording = setup.start().await?;
    let address = recording.proxy.address();
    terminal::say(format!(
        "Recording everything that goes through http://{address} (press Ctrl-C to finish).\n\
         Clients have to trust {} (see `xcheck ca`).",
        recording.authority.certificate_path().display()
    ));
    recording.signals.stop().await;
    recording.finish().await
}

fn redaction(path: Option<&Path>) -> anyhow::Result<Redaction> {
    let Some(path) = path else {
        return Ok(Redaction::none());
    };
    let text = std::fs::read_to_string(path).with_context(|| format!("{} could not be read", path.display()))?;
    Redaction::parse(&text).with_context(|| path.display().to_string())
}

fn warn_of_risks(args: &Args, listen: SocketAddr) {
    if args.insecure_upstream {
        terminal::warn(
            "--insecure-upstream: servers are not checked, anybody between here and there can pretend to be them",
        );
    }
    if !listen.ip().is_loopback() {
        terminal::warn(format!(
            "{listen} can be reached from other machines: whoever does can use this as a proxy"
        ));
    }
}

/// The folder is what the user gave, or may be changed by giving one.
fn cannot_create(error: StoreError) -> Failure {
    Failure::usage(anyhow::Error::new(error).context("the trace could not be made (--out names another folder)"))
}

fn cannot_start(error: StartError) -> Failure {
    match error {
        StartError::Thread(_) => Failure::from(error),
        _ => Failure::usage(error),
    }
}

/// `TraceWriter::create` took only a folder that was not there or was empty, so all that is in it is ours.
fn discard(trace: &TraceWriter) {
    if let Err(error) = std::fs::remove_dir_all(trace.folder()) {
        terminal::warn(format!(
            "the empty trace {} is left behind: {error}",
            trace.folder().display()
        ));
    }
}

async fn live_line(mut counts: tokio::sync::watch::Receiver<xcheck_proxy::Counts>) {
    let line = terminal::live_line();
    loop {
        let now = *counts.borrow_and_update();
        line.set_message(format!(
            "{}, {}, {}, {}",
            count(now.pages, "page"),
            count(now.events, "event"),
            count(now.requests, "request"),
            bytes(now.bytes)
        ));
        if counts.changed().await.is_err() {
            return;
        }
    }
}
