//! A replay on another machine, as seen from here: the trace goes there, what is found comes back into the same sink that
//! a replay on this machine writes to.

use super::client::{Agent, AgentError, Stream};
use super::wire::{Answer, Ear, Heard, LineError, Mouth, PIECE, PROTOCOL, Request, Wanted, line};
use crate::find::Installed;
use crate::replay::{Checkpoints, Progress, ReplayOptions, Sink, SinkError};
use std::collections::HashSet;
use std::io::Read;
use std::sync::Arc;
use std::time::Instant;
use xcheck_trace::manifest::BrowserInfo;
use xcheck_trace::page::PageData;
use xcheck_trace::run::{Checkpoint, Outcome, ReplayOutcome};
use xcheck_trace::{Sha256, StoreError, Trace};

/// Of one page's data or one screenshot, as the readers of runs have it.
const LARGEST: u64 = 512 * 1024 * 1024;

/// What an agent tells while it is at it.
pub(crate) enum Meanwhile {
    Waiting(usize),
    Progress(Progress),
}

#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error("the agent went away during the replay: {0}")]
    Line(#[from] LineError),
    #[error("the trace could not be sent: {0}")]
    Trace(#[from] StoreError),
    #[error("the trace could not be sent: {0}")]
    Read(#[from] std::io::Error),
    #[error(transparent)]
    Sink(#[from] SinkError),
    #[error("the agent refused: {0}")]
    Refused(String),
    #[error("what the agent sent makes no sense: {0}")]
    Nonsense(String),
}

/// Never fails: what went wrong is the outcome. Dropping it ends the replay there.
pub(crate) async fn replay(
    agent: &Agent,
    browser: &Installed,
    trace: &Arc<Trace>,
    options: &ReplayOptions,
    sink: &mut dyn Sink,
    tell: &(dyn Fn(Meanwhile) + Send + Sync),
) -> ReplayOutcome {
    let started = Instant::now();
    let mut events = 0;
    let counting = |meanwhile: &Meanwhile, events: &mut u32| {
        if let Meanwhile::Progress(progress) = meanwhile {
            *events = progress.events;
        }
    };
    let mut told = |meanwhile: Meanwhile| {
        counting(&meanwhile, &mut events);
        tell(meanwhile);
    };
    let mut outcome = match attempt(agent, browser, trace, options, sink, &mut told).await {
        Ok(outcome) => outcome,
        Err(trouble) => ReplayOutcome {
            browser: BrowserInfo {
                name: String::new(),
                engine: browser.engine,
                version: browser.version.clone(),
                user_agent: String::new(),
            },
            outcome: Outcome::NotMeasured {
                reason: trouble.to_string(),
            },
            wall_ms: 0,
            events,
        },
    };
    // It is called here what the person called it, and took what it took here.
    outcome.browser.name = browser.name.clone();
    outcome.wall_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    outcome
}

async fn attempt(
    agent: &Agent,
    browser: &Installed,
    trace: &Arc<Trace>,
    options: &ReplayOptions,
    sink: &mut dyn Sink,
    tell: &mut (dyn FnMut(Meanwhile) + Send),
) -> Result<ReplayOutcome, Trouble> {
    let (mouth, mut ear) = line(agent.open().await?);
    let there: Vec<Sha256> = trace
        .bodies_named()
        .into_iter()
        .filter(|hash| trace.bodies().contains(hash))
        .collect();
    mouth.say(&Request::Replay(wanted(browser, options, there))).await?;
    let lacking = match next(&mut ear).await? {
        Answer::Lacks(lacking) => lacking,
        other => return Err(Trouble::Nonsense(format!("{other:?} instead of what it lacks"))),
    };
    // A refusal may come at any time, and then nobody takes the rest.
    let sent = send(&mouth, trace, lacking);
    tokio::select! {
        sent = sent => sent?,
        answer = next(&mut ear) => return Err(Trouble::Nonsense(format!("{:?} before everything was sent", answer?))),
    }
    receive(&mut ear, sink, tell).await
}

fn wanted(browser: &Installed, options: &ReplayOptions, bodies: Vec<Sha256>) -> Wanted {
    let name = browser.name.rsplit('/').next().unwrap_or_default();
    Wanted {
        protocol: PROTOCOL,
        browser: name.to_owned(),
        every_event: options.checkpoints == Checkpoints::EveryEvent,
        deadline_ms: u64::try_from(options.deadline.as_millis()).unwrap_or(u64::MAX),
        ignored_parameters: options.rules.ignored_parameters.clone(),
        miss_status: options.rules.miss_status,
        bodies,
    }
}

async fn send(mouth: &Mouth, trace: &Arc<Trace>, lacking: Vec<Sha256>) -> Result<(), Trouble> {
    for file in trace.files()? {
        mouth.say(&Request::File { name: file.name }).await?;
        pour(mouth, file.content).await?;
    }
    let named = trace.bodies_named();
    for sha256 in lacking.into_iter().filter(|hash| named.contains(hash)) {
        let content = match trace.bodies().read(&sha256) {
            Ok(content) => content,
            // The agent will say so, where and when it matters.
            Err(StoreError::BodyMissing(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        mouth.say(&Request::Body { sha256 }).await?;
        pour(mouth, Box::new(content)).await?;
    }
    Ok(mouth.say(&Request::Go).await?)
}

/// Disks are slower than anything else here, and decompressing takes its time.
async fn pour(mouth: &Mouth, mut content: Box<dyn Read + Send>) -> Result<(), Trouble> {
    loop {
        let (piece, rest) = tokio::task::spawn_blocking(move || {
            let mut piece = Vec::with_capacity(PIECE);
            let read = content.by_ref().take(PIECE as u64).read_to_end(&mut piece);
            (read.map(|_| piece), content)
        })
        .await
        .map_err(std::io::Error::other)?;
        let piece = piece?;
        if piece.is_empty() {
            return Ok(());
        }
        mouth.bytes(piece.into()).await?;
        content = rest;
    }
}

async fn receive(
    ear: &mut Ear<Box<dyn Stream>>,
    sink: &mut dyn Sink,
    tell: &mut (dyn FnMut(Meanwhile) + Send),
) -> Result<ReplayOutcome, Trouble> {
    let mut arrived = HashSet::new();
    loop {
        match next(ear).await? {
            Answer::Waiting { ahead } => tell(Meanwhile::Waiting(ahead)),
            Answer::Progress(progress) => tell(Meanwhile::Progress(progress)),
            Answer::Event(event) => sink.event(&event).await?,
            Answer::Page { sha256, bytes } => {
                let content = content(ear, bytes).await?;
                let page = PageData::from_bytes(&content).map_err(|error| Trouble::Nonsense(error.to_string()))?;
                same(&sha256, sink.page(&page).await?)?;
                arrived.insert(sha256);
            }
            Answer::Screenshot { sha256, bytes } => {
                let content = content(ear, bytes).await?;
                same(&sha256, sink.screenshot(&content).await?)?;
                arrived.insert(sha256);
            }
            Answer::Checkpoint(checkpoint) => {
                if let Some(missing) = names(&checkpoint).find(|hash| !arrived.contains(hash)) {
                    return Err(Trouble::Nonsense(format!(
                        "a checkpoint names {missing}, which did not come"
                    )));
                }
                sink.checkpoint(&checkpoint).await?;
            }
            Answer::Ended(outcome) => return Ok(outcome),
            other @ (Answer::Lacks(_) | Answer::Refused { .. }) => {
                return Err(Trouble::Nonsense(format!("{other:?} during a replay")));
            }
        }
    }
}

fn names(checkpoint: &Checkpoint) -> impl Iterator<Item = Sha256> {
    let page = checkpoint.page_sha256.clone();
    [Some(page), checkpoint.screenshot_sha256.clone()].into_iter().flatten()
}

fn same(announced: &Sha256, stored: Sha256) -> Result<(), Trouble> {
    if *announced == stored {
        return Ok(());
    }
    Err(Trouble::Nonsense(format!("{announced} arrived with the hash {stored}")))
}

async fn next(ear: &mut Ear<Box<dyn Stream>>) -> Result<Answer, Trouble> {
    match ear.hear().await? {
        Heard::Text(Answer::Refused { reason }) => Err(Trouble::Refused(reason)),
        Heard::Text(answer) => Ok(answer),
        Heard::Bytes(_) => Err(Trouble::Nonsense("bytes that were not announced".to_owned())),
    }
}

async fn content(ear: &mut Ear<Box<dyn Stream>>, bytes: u64) -> Result<Vec<u8>, Trouble> {
    if bytes > LARGEST {
        return Err(Trouble::Nonsense(format!("{bytes} bytes at once")));
    }
    let mut content = Vec::new();
    while (content.len() as u64) < bytes {
        match ear.hear::<Answer>().await? {
            Heard::Bytes(piece) => content.extend_from_slice(&piece),
            Heard::Text(answer) => return Err(Trouble::Nonsense(format!("{answer:?} between bytes"))),
        }
    }
    if content.len() as u64 > bytes {
        return Err(Trouble::Nonsense("more bytes than were announced".to_owned()));
    }
    Ok(content)
}
