//! One replay for somebody else: the trace arrives, its turn comes, and what is found goes back as it is found.

use super::server::Shared;
use super::wire::{Answer, Ear, Heard, LineError, Mouth, PROTOCOL, Request, Wanted, line};
use super::wire_sink::WireSink;
use crate::find::{Installed, find};
use crate::replay::{Checkpoints, Progress, ReplayOptions, replay};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio_tungstenite::WebSocketStream;
use xcheck_proxy::ServeRules;
use xcheck_trace::manifest::BrowserInfo;
use xcheck_trace::run::{Outcome, ReplayOutcome};
use xcheck_trace::{ArrivingTrace, BodyWriter, Sha256, StoreError, Trace};

/// Replays that may wait for their turn, each with its trace on our disk.
const WAITING: usize = 32;

const MOST_BODIES: usize = 1_000_000;

/// For one step of a replay, whatever the client asks for.
const LONGEST_DEADLINE: Duration = Duration::from_secs(600);

#[derive(Debug, thiserror::Error)]
enum Trouble {
    /// There is nobody to tell.
    #[error(transparent)]
    Line(#[from] LineError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0}")]
    Refused(String),
}

pub(super) async fn run<S>(shared: Arc<Shared>, socket: WebSocketStream<S>)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (mouth, mut ear) = line(socket);
    let mut stopping = shared.stopping.subscribe();
    let _counted = Counted::new(&shared);
    let ended = tokio::select! {
        ended = attempt(&shared, &mouth, &mut ear) => ended,
        _ = stopping.wait_for(|stopping| *stopping) => Err(Trouble::Refused("the agent is being stopped".to_owned())),
    };
    let last = match ended {
        Ok(outcome) => Answer::Ended(outcome),
        Err(Trouble::Line(error)) => {
            tracing::info!(%error, "a client went away, its replay is ended");
            return;
        }
        Err(trouble) => {
            tracing::warn!(%trouble, "a replay was refused");
            Answer::Refused {
                reason: trouble.to_string(),
            }
        }
    };
    // The client closes when it has heard it; one that is gone needs no answer.
    if mouth.say(&last).await.is_ok() {
        let _ = ear.hear::<Request>().await;
    }
}

async fn attempt<S>(shared: &Arc<Shared>, mouth: &Mouth, ear: &mut Ear<S>) -> Result<ReplayOutcome, Trouble>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    let Heard::Text(Request::Replay(wanted)) = ear.hear().await? else {
        return Err(Trouble::Refused("a replay has to be asked for first".to_owned()));
    };
    if wanted.protocol != PROTOCOL {
        return Err(Trouble::Refused(format!(
            "the agent speaks version {PROTOCOL} of the protocol and the client version {}: use the same xcheck on both sides",
            wanted.protocol
        )));
    }
    if shared.replays.load(Ordering::Relaxed) > shared.config.at_once + WAITING {
        return Err(Trouble::Refused(format!("{WAITING} replays are waiting already")));
    }
    let browser = look_up(shared, &wanted.browser).await?;
    // Goes with this errand, however it ends.
    let folder = tempfile::tempdir_in(&shared.folder).map_err(|error| Trouble::Refused(error.to_string()))?;
    let place = folder.path().join("trace");
    receive(shared, mouth, ear, &place, &wanted.bodies).await?;
    let trace = open(place).await?;
    let options = options(&wanted);
    let replayed = take_turn(shared, mouth, &trace, &browser, &options);
    tokio::select! {
        outcome = replayed => outcome,
        error = silence(ear) => Err(error.into()),
    }
}

/// By name only: a path from a client would be a program of its choice.
async fn look_up(shared: &Arc<Shared>, name: &str) -> Result<Installed, Trouble> {
    if name.contains(['/', '\\']) {
        return Err(Trouble::Refused(
            "a browser of the agent is called by its name".to_owned(),
        ));
    }
    let (within, name) = (shared.clone(), name.to_owned());
    // Programs are asked for their versions.
    tokio::task::spawn_blocking(move || find(&name, &within.config.browsers))
        .await
        .map_err(|error| Trouble::Refused(error.to_string()))?
        .map_err(|missing| Trouble::Refused(missing.to_string()))
}

/// What a client sends belongs to what it announced last.
enum Arriving {
    Nothing,
    File,
    Body(Sha256, BodyWriter),
}

async fn receive<S>(
    shared: &Shared,
    mouth: &Mouth,
    ear: &mut Ear<S>,
    place: &Path,
    bodies: &[Sha256],
) -> Result<(), Trouble>
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    if bodies.len() > MOST_BODIES {
        return Err(Trouble::Refused(format!("the trace names {} bodies", bodies.len())));
    }
    let mut trace = ArrivingTrace::create(place)?;
    let mut lacking = Vec::new();
    for hash in bodies {
        if !shared.stock.give(hash, &trace)? {
            lacking.push(hash.clone());
        }
    }
    mouth.say(&Answer::Lacks(lacking.clone())).await?;
    lacking.sort();
    let mut room = shared.config.largest_trace;
    let mut arriving = Arriving::Nothing;
    loop {
        let request = match ear.hear::<Request>().await? {
            Heard::Text(request) => request,
            Heard::Bytes(bytes) => {
                let left = room.checked_sub(bytes.len() as u64);
                room = left.ok_or_else(|| too_large(shared.config.largest_trace))?;
                match &mut arriving {
                    Arriving::Nothing => return Err(Trouble::Refused("bytes came for nothing".to_owned())),
                    Arriving::File => trace.write(&bytes)?,
                    Arriving::Body(_, writer) => writer.write(&bytes)?,
                }
                continue;
            }
        };
        if let Arriving::Body(hash, writer) = std::mem::replace(&mut arriving, Arriving::Nothing) {
            arrived(shared, &trace, &hash, writer)?;
        }
        arriving = match request {
            Request::File { name } => {
                trace.begin(&name)?;
                Arriving::File
            }
            Request::Body { sha256 } if lacking.binary_search(&sha256).is_ok() => {
                Arriving::Body(sha256, shared.stock.writer())
            }
            Request::Body { sha256 } => return Err(Trouble::Refused(format!("nobody asked for body {sha256}"))),
            Request::Go => break,
            Request::Replay(_) => return Err(Trouble::Refused("one connection is one replay".to_owned())),
        };
    }
    Ok(shared.stock.make_room()?)
}

fn too_large(limit: u64) -> Trouble {
    Trouble::Refused(format!("the agent takes traces of up to {limit} bytes"))
}

fn arrived(shared: &Shared, trace: &ArrivingTrace, expected: &Sha256, writer: BodyWriter) -> Result<(), Trouble> {
    let hash = shared.stock.keep(writer)?;
    if hash != *expected {
        return Err(Trouble::Refused(format!(
            "body {expected} arrived with the hash {hash}"
        )));
    }
    shared.stock.give(&hash, trace)?;
    Ok(())
}

async fn open(place: PathBuf) -> Result<Arc<Trace>, Trouble> {
    let opened = tokio::task::spawn_blocking(move || Trace::open(&place))
        .await
        .map_err(|error| Trouble::Refused(error.to_string()))?;
    match opened {
        // The client knows the warnings already: it has opened the same trace.
        Ok((trace, _)) => Ok(Arc::new(trace)),
        Err(StoreError::NewerFormat { found, ours, .. }) => Err(Trouble::Refused(format!(
            "the trace has format {found}, and the agent reads traces up to format {ours}: it needs a newer xcheck"
        ))),
        Err(error) => Err(error.into()),
    }
}

/// Never `live`: nothing that a client sends makes this machine talk to others.
fn options(wanted: &Wanted) -> ReplayOptions {
    ReplayOptions {
        checkpoints: if wanted.every_event {
            Checkpoints::EveryEvent
        } else {
            Checkpoints::WhereItMatters
        },
        rules: ServeRules {
            ignored_parameters: wanted.ignored_parameters.clone(),
            miss_status: wanted.miss_status,
            ..ServeRules::default()
        },
        deadline: Duration::from_millis(wanted.deadline_ms).clamp(Duration::from_secs(1), LONGEST_DEADLINE),
        ..ReplayOptions::default()
    }
}

async fn take_turn(
    shared: &Shared,
    mouth: &Mouth,
    trace: &Arc<Trace>,
    browser: &Installed,
    options: &ReplayOptions,
) -> Result<ReplayOutcome, Trouble> {
    let _turn = match shared.turns.clone().try_acquire_owned() {
        Ok(turn) => turn,
        Err(_) => {
            let others = shared.replays.load(Ordering::Relaxed).saturating_sub(1);
            mouth.say(&Answer::Waiting { ahead: others }).await?;
            let turn = shared.turns.clone().acquire_owned().await;
            turn.expect("the semaphore is never closed")
        }
    };
    let (tell, mut told) = watch::channel(None);
    let progress = move |progress: Progress| {
        tell.send_replace(Some(progress));
    };
    let mut sink = WireSink::new(mouth.clone());
    let replayed = replay(trace, browser, &shared.config.authority, options, &mut sink, &progress);
    // How far it is may be told late or not at all; it never keeps the replay waiting.
    let telling = async {
        while told.changed().await.is_ok() {
            let progress = *told.borrow_and_update();
            if let Some(progress) = progress {
                mouth.say(&Answer::Progress(progress)).await?;
            }
        }
        std::future::pending::<Result<ReplayOutcome, Trouble>>().await
    };
    tokio::select! {
        ended = tokio::time::timeout(shared.config.longest, replayed) => Ok(ended.unwrap_or_else(|_| too_long(shared, browser))),
        error = telling => error,
    }
}

fn too_long(shared: &Shared, browser: &Installed) -> ReplayOutcome {
    let longest = shared.config.longest;
    ReplayOutcome {
        browser: BrowserInfo {
            name: browser.name.clone(),
            engine: browser.engine,
            version: browser.version.clone(),
            user_agent: String::new(),
        },
        outcome: Outcome::NotMeasured {
            reason: format!("the agent ends replays after {} s", longest.as_secs()),
        },
        wall_ms: u64::try_from(longest.as_millis()).unwrap_or(u64::MAX),
        events: 0,
    }
}

/// Returns when the client is gone, or says what it should not.
async fn silence<S>(ear: &mut Ear<S>) -> LineError
where
    S: AsyncRead + AsyncWrite + Unpin,
{
    match ear.hear::<Request>().await {
        Ok(_) => LineError::Nonsense("more came after `go`".to_owned()),
        Err(error) => error,
    }
}

/// A replay that runs or waits, for as long as it does.
struct Counted<'s>(&'s Shared);

impl Counted<'_> {
    fn new(shared: &Shared) -> Counted<'_> {
        shared.replays.fetch_add(1, Ordering::Relaxed);
        Counted(shared)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.replays.fetch_sub(1, Ordering::Relaxed);
    }
}
