//! From the command line to replays, and until they have ended.

use super::progress::Board;
use crate::Everywhere;
use crate::commands::agents::Access;
use crate::commands::ca;
use crate::config::Config;
use crate::exit::{Failure, OrUsage};
use crate::signals::Signals;
use crate::terminal;
use anyhow::{Context, anyhow};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use xcheck_agent::find::Driver;
use xcheck_agent::replay::{Checkpoints, Reference, ReplayOptions, ReplayRequest, Watch, default_folder, replay_all};
use xcheck_agent::{Installed, find, find_all};
use xcheck_trace::Trace;
use xcheck_trace::run::ReplayOutcome;

/// The browsers of today, one for each engine: what `--on` means when it is not given.
const USUAL: [&str; 3] = ["chromium", "firefox", "webkit"];

const AT_ONCE: usize = 2;
const DEADLINE_SECONDS: u64 = 30;

#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Replaying {
    /// Browsers to replay in, here or behind an agent (agent://HOST:PORT/BROWSER) [default: chromium, firefox and
    /// webkit, as far as they are here]
    #[arg(long, value_name = "BROWSER,…", value_delimiter = ',')]
    on: Vec<String>,
    /// Where the run goes; must not be there yet [default: beside the trace, numbered]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// How many browsers run at once
    #[arg(long, value_name = "N", default_value_t = AT_ONCE)]
    jobs: usize,
    /// When to collect the page: as the papers do, or after every event
    #[arg(long, value_enum, default_value_t)]
    checkpoints: Collect,
    /// Show the browsers' windows
    #[arg(long)]
    headed: bool,
    #[command(flatten)]
    access: Access,
    #[command(flatten)]
    looking: Looking,
    /// Seconds that a browser or a page may take for one step before it counts as hanging
    #[arg(long, value_name = "SECONDS", default_value_t = DEADLINE_SECONDS)]
    deadline: u64,
}

#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum Collect {
    #[default]
    Papers,
    EveryEvent,
}

/// For a person to look at a divergence.
#[derive(Debug, Clone, Default, clap::Args)]
struct Looking {
    /// Show the browsers' windows, take the time that the recording took, and show the event at hand
    #[arg(long)]
    watch: bool,
    /// Stop behind this event (`1:5` as in `trace show`, or its number in the run), and leave the browser open until it is
    /// closed
    #[arg(long, value_name = "EVENT")]
    until: Option<String>,
}

impl Looking {
    fn watch(&self, trace: &Trace) -> Result<Watch, Failure> {
        let until = self.until.as_ref().map(|text| {
            let found = Watch::find_event(trace, text);
            found
                .ok_or_else(|| Failure::usage(anyhow!("the trace has no event {text}; `xcheck trace show` lists them")))
        });
        Ok(Watch {
            paced: self.watch,
            until: until.transpose()?,
        })
    }
}

/// Replays that have ended.
pub(crate) struct Replayed {
    pub(crate) folder: PathBuf,
    pub(crate) outcomes: Vec<(String, ReplayOutcome)>,
}

/// The trace, with its warnings said.
pub(crate) fn open(path: &Path) -> Result<Arc<Trace>, Failure> {
    let (trace, warnings) = Trace::open(path).map_err(|error| match error {
        error @ xcheck_trace::StoreError::NewerFormat { .. } => Failure::usage(error),
        error => Failure::from(error),
    })?;
    warnings.iter().for_each(terminal::warn);
    Ok(Arc::new(trace))
}

/// The browser that others are compared with: the one named, else the one the trace was recorded in, else the first.
pub(crate) fn reference_of(named: Option<&str>, trace: &Trace, on: &Replaying) -> String {
    let recorded = trace.manifest.browser.as_ref().map(|browser| browser.name.as_str());
    let first = on.on.first().map_or(USUAL[0], String::as_str);
    named.or(recorded).unwrap_or(first).to_owned()
}

impl Replaying {
    /// As the command line's defaults have it, for a command that has no such options of its own.
    pub(crate) fn usual(on: Vec<String>, out: PathBuf, headed: bool) -> Replaying {
        Replaying {
            access: Access::default(),
            looking: Looking::default(),
            on,
            out: Some(out),
            jobs: AT_ONCE,
            checkpoints: Collect::default(),
            headed,
            deadline: DEADLINE_SECONDS,
        }
    }

    /// Where the run was told to go.
    pub(crate) fn out(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    /// The same, into another folder.
    pub(crate) fn with_out(&self, out: PathBuf) -> Replaying {
        Replaying {
            out: Some(out),
            ..self.clone()
        }
    }

    pub(crate) fn run(
        &self,
        trace: Arc<Trace>,
        path: &Path,
        reference: Reference,
        everywhere: &Everywhere,
    ) -> Result<Replayed, Failure> {
        let config = Config::read(everywhere.config.as_deref())?;
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let browsers = runtime.block_on(self.browsers(&reference, &config))?;
        let watch = self.looking.watch(&trace)?;
        if watch != Watch::default()
            && browsers
                .iter()
                .any(|browser| matches!(browser.driver, Driver::Agent(_)))
        {
            let error = anyhow!(
                "a browser behind an agent cannot be looked at from here: --watch and --until are for browsers of this machine"
            );
            return Err(Failure::usage(error));
        }
        let folder = self.out.clone().unwrap_or_else(|| default_folder(path));
        let board = Arc::new(Board::start(
            trace.clone(),
            browsers.iter().map(|browser| browser.name.clone()),
        ));
        let request = ReplayRequest {
            trace,
            trace_path: path.to_owned(),
            browsers,
            reference,
            authority: ca::open(everywhere)?,
            options: ReplayOptions {
                headless: !self.headed && !watch.paced && watch.until.is_none(),
                watch,
                checkpoints: match self.checkpoints {
                    Collect::Papers => Checkpoints::default(),
                    Collect::EveryEvent => Checkpoints::EveryEvent,
                },
                deadline: Duration::from_secs(self.deadline.max(1)),
                ..ReplayOptions::default()
            },
            at_once: self.jobs,
            folder: folder.clone(),
        };
        let outcomes = runtime.block_on(async {
            let mut signals = Signals::catch()?;
            let news = board.clone();
            tokio::select! {
                replayed = replay_all(request, Arc::new(move |message| news.tell(message))) => {
                    let cannot = || format!("the run could not be written to {} (--out names another folder)", folder.display());
                    let (_, outcomes) = replayed.with_context(cannot)?;
                    Ok::<_, anyhow::Error>(outcomes)
                }
                // Dropping the replays ends their browsers.
                () = signals.stop() => Err(anyhow!("stopped; {} holds what was replayed until then", folder.display())),
            }
        });
        board.end();
        Ok(Replayed {
            folder,
            outcomes: outcomes?,
        })
    }

    async fn browsers(&self, reference: &Reference, config: &Config) -> Result<Vec<Installed>, Failure> {
        let custom = &config.browsers;
        let mut names = self.on.clone();
        if names.is_empty() {
            let here = find_all(custom)
                .into_iter()
                .filter_map(Result::ok)
                .map(|browser| browser.name);
            names = here.filter(|name| USUAL.contains(&name.as_str())).collect();
        }
        if let Reference::Twice(name) = reference
            && !names.contains(name)
        {
            names.insert(0, name.clone());
        }
        if names.is_empty() {
            let error = anyhow!("no browser is here; `xcheck browsers --install` brings them");
            return Err(error.into());
        }
        let mut browsers = Vec::new();
        for name in &names {
            browsers.push(match name.starts_with("agent://") {
                true => self.access.browser(name, config).await?,
                false => find(name, custom).or_usage()?,
            });
        }
        Ok(browsers)
    }
}
