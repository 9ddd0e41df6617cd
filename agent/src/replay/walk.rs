//! Walking through the plan with a browser.

use super::conditions::recorded_viewport;
use super::departures::Departures;
use super::documents::Documents;
use super::ledger::{Found, Ledger, add_complaint, add_divergence, found_in, missing};
use super::look::Eyes;
use super::modifiers::Modifiers;
use super::modules::Modules;
use super::navigation::Histories;
use super::plan::{LateModules, Step, plan};
use super::pointer::{Pointer, clicks_ahead};
use super::watching::Caption;
use super::windows::Windows;
use super::{Progress, ReplayOptions, Sink, SinkError, classify};
use crate::browser::{Browser, DriverError};
use crate::pages::{PageError, Said};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;
use xcheck_proxy::{Asked, Gate, ServeEvent, Serving};
use xcheck_trace::Trace;
use xcheck_trace::event::{Event, LoadId};
use xcheck_trace::exchange::ExchangeId;
use xcheck_trace::manifest::Viewport;
use xcheck_trace::run::DivergenceKind;

/// Why a replay could not be gone on with. Not a property of the page, but something that kept us from measuring.
#[derive(Debug, thiserror::Error)]
pub(super) enum Stop {
    #[error(transparent)]
    Driver(#[from] DriverError),
    #[error("{0}; the page hangs in a script, or the machine is overloaded")]
    Page(PageError),
    /// Then nothing can be said about this browser, least of all that it behaves like another.
    #[error("the first page of the trace did not come to life: {url}; {asked}")]
    NoPage { url: String, asked: String },
    /// What the page then shows is not what was recorded, and no fault of the browser.
    #[error("the trace's response {exchange} cannot be given: {reason}")]
    Trace { exchange: ExchangeId, reason: String },
    /// By a person, who wants to look at it.
    #[error("stopped behind {0}, as asked")]
    Asked(String),
    #[error(transparent)]
    Sink(#[from] SinkError),
}

/// For one event of a run, which may wait for what never comes.
const EVENT: Duration = Duration::from_secs(13);

pub(super) struct Walk<'a> {
    pub(super) trace: &'a Trace,
    pub(super) options: &'a ReplayOptions,
    pub(super) browser: &'a mut dyn Browser,
    pub(super) documents: Documents<'a>,
    pub(super) said: mpsc::UnboundedReceiver<Said>,
    pub(super) served: mpsc::UnboundedReceiver<ServeEvent>,
    pub(super) departures: Departures,
    pub(super) gate: Gate,
    pub(super) asked: Asked,
    pub(super) modules: Modules,
    pub(super) windows: Windows,
    /// How large each window was made, if not as its browser was started.
    pub(super) sizes: HashMap<u32, Viewport>,
    pub(super) pointer: Pointer,
    pub(super) modifiers: Modifiers,
    /// The driver holds nothing of what was pressed last.
    pub(super) pressed_by_script: bool,
    pub(super) histories: Histories,
    pub(super) first_of: HashMap<ExchangeId, LoadId>,
    pub(super) eyes: Eyes,
    pub(super) ledger: Ledger<'a>,
    /// When the first event was, here and in the recording, in milliseconds.
    pub(super) began: Option<(Instant, f64)>,
    pub(super) caption: Option<Caption>,
    /// Documents that are known not to be there.
    pub(super) lost: HashSet<LoadId>,
    pub(super) sink: &'a mut dyn Sink,
    pub(super) progress: &'a (dyn Fn(Progress) + Send + Sync),
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        trace: &'a Trace,
        options: &'a ReplayOptions,
        browser: &'a mut dyn Browser,
        mut serving: Serving,
        sink: &'a mut dyn Sink,
        progress: &'a (dyn Fn(Progress) + Send + Sync),
    ) -> Walk<'a> {
        let (documents, said) = Documents::new(trace, &mut serving);
        let mut first_of = HashMap::new();
        for load in &trace.loads {
            if let Some(exchange) = load.exchange {
                first_of.entry(exchange).or_insert(load.load);
            }
        }
        Walk {
            trace,
            options,
            browser,
            documents,
            said,
            served: serving.events,
            departures: Departures::default(),
            gate: serving.gate,
            asked: serving.asked,
            modules: Modules::of(trace),
            windows: Windows::default(),
            sizes: HashMap::from([(0, super::conditions::viewport(trace))]),
            pointer: Pointer::default(),
            modifiers: Modifiers::default(),
            pressed_by_script: false,
            histories: Histories::default(),
            first_of,
            eyes: Eyes::default(),
            ledger: Ledger::new(trace),
            began: None,
            caption: None,
            lost: HashSet::new(),
            sink,
            progress,
        }
    }

    pub(super) async fn run(&mut self) -> Result<(), Stop> {
        if recorded_viewport(self.trace).is_none() {
            let Viewport { width, height } = Viewport::default();
            let note = format!("the trace does not say how large the window was: it is {width} by {height} here");
            self.ledger.at_hand(Found {
                notes: vec![note],
                ..Found::default()
            });
        }
        let Err(stop) = self.take_steps().await else {
            return Ok(());
        };
        // What else went wrong may come of the trace: a document that cannot be given never comes to life.
        self.misses()?;
        self.ledger.write(self.sink).await?;
        Err(stop)
    }

    async fn take_steps(&mut self) -> Result<(), Stop> {
        let modules = LateModules::of(self.browser.info().engine);
        let plan = plan(self.trace, self.options.checkpoints, modules, &self.modules.graph);
        self.gate.hold(plan.held.iter().copied());
        self.gate.ask_again(plan.asked_again.iter().copied());
        self.modules.note_steps(&plan.steps, &plan.held);
        self.gate.end_with(self.modules.endings());
        self.departures.note_steps(&plan.steps);
        let total = self.trace.events.len() as u32;
        for (step, clicks_again) in plan.steps.iter().zip(clicks_ahead(&plan.steps)) {
            self.pointer.in_double_click = clicks_again;
            let started = std::time::Instant::now();
            let stops_here = if self.options.watch.is_on() {
                self.watched(step).await?
            } else {
                self.step(step).await?;
                false
            };
            tracing::debug!(took = ?started.elapsed(), ?step, "replayed");
            self.listen();
            (self.progress)(Progress {
                events: self.ledger.count,
                of: total,
                divergences: self.ledger.divergences,
                reached: self.ledger.reached(),
            });
            if stops_here {
                return Err(self.linger().await);
            }
        }
        self.misses()?;
        self.ledger.write(self.sink).await?;
        Ok(())
    }

    pub(super) async fn step(&mut self, step: &Step<'a>) -> Result<(), Stop> {
        match step {
            Step::Open(load) => self.open(load).await,
            Step::Hold(exchange) => {
                self.gate.hold([*exchange]);
                Ok(())
            }
            Step::Release(exchange) => {
                self.gate.release(*exchange);
                Ok(())
            }
            Step::Module { load, exchange } => self.module(*load, *exchange).await,
            Step::Sheet { load, exchange } => self.sheet(*load, *exchange).await,
            Step::Awaited { event, sheets } => self.awaited(event, sheets).await,
            Step::LateModules(load) => self.late_modules(*load).await,
            Step::Depart { exchange, .. } => self.depart(*exchange).await,
            Step::Run { load, events } => self.internal(*load, events).await,
            Step::Pass { load, events, moves } => self.pass(*load, events, *moves).await,
            Step::Gesture { load, gesture, derived } => self.gesture(*load, gesture, derived).await,
            Step::Resize { window, viewport } => self.resize(*window, *viewport).await,
            Step::Leave { events } => {
                for event in events {
                    self.ledger.ran(event, Found::default());
                }
                Ok(())
            }
            Step::Checkpoint { window } => self.checkpoint(*window).await,
        }
    }

    async fn internal(&mut self, load: LoadId, events: &[&'a Event]) -> Result<(), Stop> {
        self.documents.look_around();
        let Some(page) = self.documents.page(load).cloned() else {
            return self.skip(load, events).await;
        };
        let ids: Vec<u32> = events.iter().map(|event| event.id).collect();
        let deadline = self.options.deadline + EVENT * events.len() as u32;
        let answer = self
            .patiently(page.command("run", json!({"events": ids}), deadline))
            .await?;
        match answer {
            Ok(answer) => self.outcomes(load, events, &answer),
            Err(error) => self.failed(load, events, error).await?,
        }
        Ok(())
    }

    /// Takes documents as they come while something takes its time, and ends a wait for a page that hangs.
    pub(super) async fn patiently<T>(
        &mut self,
        asked: impl Future<Output = Result<T, PageError>>,
    ) -> Result<Result<T, PageError>, Stop> {
        tokio::pin!(asked);
        loop {
            let waited = tokio::time::timeout(self.options.deadline, &mut asked);
            match self.documents.meanwhile(waited).await {
                Ok(answer) => return Ok(answer),
                // A page that waits for something still answers; one that hangs does not.
                Err(_) => match self.browser.evaluate("1").await {
                    Ok(_) | Err(DriverError::Interrupted { .. } | DriverError::Thrown(_)) => {}
                    Err(error) => return Err(error.into()),
                },
            }
        }
    }

    pub(super) fn outcomes(&mut self, load: LoadId, events: &[&'a Event], answer: &Value) {
        self.listen();
        let answered = answer["events"].as_array().map_or(&[][..], Vec::as_slice);
        for event in events {
            let own = answered.iter().find(|answer| answer["id"] == event.id);
            let silent = || missing(self.trace.label(event), "the document did not say what became of it");
            let found = own.map_or_else(silent, found_in);
            self.ledger.ran(event, found);
        }
        let asked = |id: &Value| events.iter().any(|event| *id == event.id);
        for other in answered.iter().filter(|answer| !asked(&answer["id"])) {
            let id = other["id"].as_u64().and_then(|id| u32::try_from(id).ok());
            self.ledger.found(load, id, found_in(other));
        }
    }

    /// The document of these events is not there. Said once for each document; the rest is its consequence.
    pub(super) async fn skip(&mut self, load: LoadId, events: &[&'a Event]) -> Result<(), Stop> {
        let why = "not run: its document is not there";
        let mut rest = events;
        if let (Some((first, others)), true) = (events.split_first(), self.lost.insert(load)) {
            self.still_there().await?;
            self.ledger.ran(first, missing(self.trace.label(first), why));
            rest = others;
        }
        self.give_up(rest, vec![why.to_owned()]);
        Ok(())
    }

    pub(super) fn give_up(&mut self, events: &[&'a Event], notes: Vec<String>) {
        for event in events {
            self.ledger.ran(
                event,
                Found {
                    notes: notes.clone(),
                    ..Found::default()
                },
            );
        }
    }

    pub(super) async fn failed(&mut self, load: LoadId, events: &[&'a Event], error: PageError) -> Result<(), Stop> {
        self.listen();
        if let PageError::Gone(_) = error {
            self.still_there().await?;
        }
        match error {
            PageError::Deadline { .. } => return Err(Stop::Page(error)),
            PageError::Failed { .. } => {
                for event in events {
                    let found = missing(self.trace.label(event), error.to_string());
                    self.ledger.ran(event, found);
                }
            }
            PageError::Gone(_) if self.leaves_after(load, events) => self.give_up(events, Vec::new()),
            PageError::Gone(_) => {
                self.give_up(events, vec![error.to_string()]);
                self.documents.look_around();
                let elsewhere = self.documents.strangers.last().cloned();
                self.ledger.diverged(
                    DivergenceKind::NavigationElsewhere,
                    "the page stays",
                    elsewhere.unwrap_or_else(|| "the page went away".to_owned()),
                );
            }
        }
        Ok(())
    }

    /// A browser that ended takes its documents with it, and that is nothing the page did.
    pub(super) async fn still_there(&mut self) -> Result<(), Stop> {
        match self.browser.evaluate("1").await {
            Err(error @ (DriverError::Gone { .. } | DriverError::Deadline { .. })) => Err(error.into()),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// In the recording, too, this document had little more to do.
    pub(super) fn leaves_after(&self, load: LoadId, events: &[&Event]) -> bool {
        let Some(last) = events.last() else { return true };
        let rest = self.trace.events_of(load).iter().filter(|event| event.id > last.id);
        rest.into_iter()
            .all(|event| classify::class_of(event) == classify::Class::Leaving)
    }

    /// What documents said by themselves.
    pub(super) fn listen(&mut self) {
        while let Ok(Said { load, message }) = self.said.try_recv() {
            let mut found = Found::default();
            let about = if message["divergence"].is_object() {
                add_divergence(&mut found, &message["divergence"]);
                &message["divergence"]
            } else if message["complaint"].is_object() {
                add_complaint(&mut found, &message["complaint"]);
                &message["complaint"]
            } else {
                let text = message["note"]["text"].as_str().or(message["note"].as_str());
                found.notes.extend(text.map(str::to_owned));
                &message["note"]
            };
            let event = about["event"].as_u64().and_then(|id| u32::try_from(id).ok());
            self.ledger.found(load, event, found);
        }
    }
}
