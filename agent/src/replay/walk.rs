//! Walking through the plan with a browser.

use super::documents::Documents;
use super::hands;
use super::ledger::{Found, Ledger, add_divergence, found_in};
use super::look::{Eyes, offset_of};
use super::navigation::{Cause, Histories, cause_of};
use super::pages::{PageError, Said};
use super::plan::{Step, plan};
use super::windows::Windows;
use super::{Progress, ReplayOptions, Sink, classify};
use crate::browser::{Browser, DriverError, History};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;
use tokio::sync::mpsc;
use xcheck_proxy::{Gate, ServeEvent, Serving};
use xcheck_trace::StoreError;
use xcheck_trace::Trace;
use xcheck_trace::event::{Event, Load, LoadId};
use xcheck_trace::exchange::ExchangeId;
use xcheck_trace::run::{Checkpoint, DivergenceKind};

/// Why a replay could not be gone on with. Not a property of the page, but something that kept us from measuring.
#[derive(Debug, thiserror::Error)]
pub(super) enum Stop {
    #[error(transparent)]
    Driver(#[from] DriverError),
    #[error("{0}; the page hangs in a script, or the machine is overloaded")]
    Page(PageError),
    #[error("the run could not be written: {0}")]
    Sink(#[from] StoreError),
}

/// How long a navigation that the page makes may take to begin, when the trace says that it does.
const NAVIGATION: Duration = Duration::from_secs(10);

/// The same where the trace does not say whose doing it was.
const UNSURE_NAVIGATION: Duration = Duration::from_secs(2);

/// For one event of a run, which may wait for what never comes.
const EVENT: Duration = Duration::from_secs(13);

pub(super) struct Walk<'a> {
    trace: &'a Trace,
    options: &'a ReplayOptions,
    browser: &'a mut dyn Browser,
    documents: Documents<'a>,
    said: mpsc::UnboundedReceiver<Said>,
    served: mpsc::UnboundedReceiver<ServeEvent>,
    gate: Gate,
    windows: Windows,
    histories: Histories,
    first_of: HashMap<ExchangeId, LoadId>,
    eyes: Eyes,
    pub(super) ledger: Ledger<'a>,
    sink: &'a mut dyn Sink,
    progress: &'a (dyn Fn(Progress) + Send + Sync),
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
            gate: serving.gate,
            windows: Windows::default(),
            histories: Histories::default(),
            first_of,
            eyes: Eyes::default(),
            ledger: Ledger::new(trace),
            sink,
            progress,
        }
    }

    pub(super) async fn run(&mut self) -> Result<(), Stop> {
        let plan = plan(self.trace, self.options.checkpoints);
        self.gate.hold(plan.held.iter().copied());
        let total = self.trace.events.len() as u32;
        for step in &plan.steps {
            let started = std::time::Instant::now();
            self.step(step).await?;
            tracing::debug!(took = ?started.elapsed(), ?step, "replayed");
            self.listen();
            (self.progress)(Progress {
                events: self.ledger.count,
                of: total,
                divergences: self.ledger.divergences,
            });
        }
        self.misses();
        self.ledger.write(self.sink)?;
        Ok(())
    }

    async fn step(&mut self, step: &Step<'a>) -> Result<(), Stop> {
        match step {
            Step::Open(load) => self.open(load).await,
            Step::Release(exchange) => {
                self.gate.release(*exchange);
                Ok(())
            }
            Step::Run { load, events } => self.internal(*load, events).await,
            Step::Gesture { load, gesture, derived } => self.gesture(*load, gesture, derived).await,
            Step::Leave { events } => {
                for event in events {
                    self.ledger.ran(event, Found::default());
                }
                Ok(())
            }
            Step::Checkpoint { window } => self.checkpoint(*window).await,
        }
    }

    async fn open(&mut self, load: &'a Load) -> Result<(), Stop> {
        if let Some(exchange) = load.exchange {
            self.gate.release(exchange);
        }
        self.documents.look_around();
        if !load.path.is_empty() {
            self.open_frame(load).await;
            return Ok(());
        }
        let cause = cause_of(self.trace, load, &self.first_of);
        let patience = match cause {
            Cause::Person => Duration::ZERO,
            Cause::Page => NAVIGATION,
            Cause::Unknown => UNSURE_NAVIGATION,
        };
        let came = patience > Duration::ZERO && self.documents.wait_for(load.load, patience).await;
        let mut step = None;
        if !came {
            if cause == Cause::Page {
                self.navigation_missing(load);
            }
            step = self.histories.step_to(load).filter(|_| cause == Cause::Unknown);
            self.go(load, step).await?;
            if self.documents.wait_for(load.load, self.options.deadline).await {
                // A page of the trace's own is what everything after it is compared with again.
                self.ledger.after_divergence |= cause == Cause::Page;
            } else {
                self.not_reached(load);
            }
        }
        self.histories.went(load, step);
        self.fit(load).await
    }

    async fn open_frame(&mut self, load: &Load) {
        let parent_is_there = load.parent.is_none_or(|parent| self.documents.page(parent).is_some());
        if !parent_is_there || !self.documents.wait_for(load.load, NAVIGATION).await {
            self.not_reached(load);
        }
    }

    fn navigation_missing(&mut self, load: &Load) {
        match self.documents.strangers.pop() {
            Some(elsewhere) => self
                .ledger
                .diverged(DivergenceKind::NavigationElsewhere, &load.url, elsewhere),
            None => self
                .ledger
                .diverged(DivergenceKind::NavigationMissing, &load.url, "no navigation"),
        }
    }

    /// The trace has no document to be replayed here, however it was asked for.
    fn not_reached(&mut self, load: &Load) {
        let kind = DivergenceKind::NavigationMissing;
        self.ledger.diverged(
            kind,
            &load.url,
            "the document did not come to life, its events are skipped",
        );
    }

    async fn go(&mut self, load: &Load, step: Option<History>) -> Result<(), Stop> {
        if !self.windows.switch(self.browser, load.window).await? {
            // A popup that did not open: its page can be looked at all the same.
            self.windows.switch(self.browser, 0).await?;
            let url = Value::from(load.url.as_str());
            self.browser.evaluate(&format!("void open({url}, '_blank')")).await?;
            return Ok(());
        }
        let gone = match step {
            Some(step) => self.browser.history(step).await,
            None => self.browser.navigate(&load.url).await,
        };
        match gone {
            // The proxy's own answer to what is not in the trace is an error page.
            Ok(()) | Err(DriverError::Interrupted { .. }) => Ok(()),
            Err(DriverError::Refused { message, .. }) => {
                self.ledger.at_hand(Found {
                    notes: vec![message],
                    ..Found::default()
                });
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Popups have sizes of their own.
    async fn fit(&mut self, load: &Load) -> Result<(), Stop> {
        let viewport = super::viewport_of(load);
        if load.window > 0
            && load.sequence == 0
            && let Some(viewport) = viewport
            && self.windows.switch(self.browser, load.window).await?
        {
            self.browser.set_viewport(viewport).await?;
        }
        Ok(())
    }

    async fn internal(&mut self, load: LoadId, events: &[&'a Event]) -> Result<(), Stop> {
        self.documents.look_around();
        let Some(page) = self.documents.page(load).cloned() else {
            self.skip(load, events);
            return Ok(());
        };
        let ids: Vec<u32> = events.iter().map(|event| event.id).collect();
        let deadline = self.options.deadline + EVENT * events.len() as u32;
        let answer = self
            .patiently(page.command("run", json!({"events": ids}), deadline))
            .await?;
        match answer {
            Ok(answer) => self.outcomes(load, events, &answer),
            Err(error) => self.failed(load, events, error)?,
        }
        Ok(())
    }

    async fn gesture(&mut self, load: LoadId, gesture: &'a Event, derived: &[&'a Event]) -> Result<(), Stop> {
        self.documents.look_around();
        let all: Vec<&Event> = std::iter::once(gesture).chain(derived.iter().copied()).collect();
        let (Some(page), Some(dom)) = (self.documents.page(load).cloned(), classify::dom(gesture)) else {
            self.skip(load, &all);
            return Ok(());
        };
        let deadline = self.options.deadline;
        let aimed = match page.command("aim", json!({"event": gesture.id}), deadline).await {
            Ok(aimed) => aimed,
            Err(error) => return self.failed(load, &all, error),
        };
        let mut notes = found_in(&aimed).notes;
        if aimed["found"] != true {
            // The replayer has found that the target is missing; an empty run makes it say so.
            let asked = page.command("run", json!({"events": []}), deadline).await;
            self.listen();
            return match asked {
                Ok(_) => {
                    self.give_up(&all, notes);
                    Ok(())
                }
                Err(error) => self.failed(load, &all, error),
            };
        }
        let number = |name: &str| aimed[name].as_f64().unwrap_or(0.0);
        let mut point = (number("x"), number("y"));
        if hands::has_place(dom) {
            match self.shift_of(load).await {
                Ok((x, y)) => point = (point.0 + x, point.1 + y),
                Err(error) => return self.failed(load, &all, error),
            }
        }
        let Some(inputs) = hands::inputs(dom, point, self.browser.info().engine) else {
            return self.dispatch(load, gesture, derived, notes).await;
        };
        let ids: Vec<u32> = all.iter().map(|event| event.id).collect();
        if let Err(error) = page.command("gesture", json!({"events": ids}), deadline).await {
            return self.failed(load, &all, error);
        }
        let window = self.trace.load(load).map_or(0, |load| load.window);
        self.windows.switch(self.browser, window).await?;
        notes.extend(self.browser.perform(&inputs).await?);
        match self.patiently(page.command("settle", json!({}), deadline)).await? {
            Ok(answer) => {
                self.ledger.found(
                    load,
                    Some(gesture.id),
                    Found {
                        notes,
                        ..Found::default()
                    },
                );
                self.outcomes(load, &all, &answer);
                Ok(())
            }
            Err(error) => self.failed(load, &all, error),
        }
    }

    /// What no driver can do is done by script, and said.
    async fn dispatch(
        &mut self,
        load: LoadId,
        gesture: &'a Event,
        derived: &[&'a Event],
        notes: Vec<String>,
    ) -> Result<(), Stop> {
        let Some(page) = self.documents.page(load).cloned() else {
            self.skip(load, &[gesture]);
            return Ok(());
        };
        let mut events = vec![gesture];
        events.extend(derived);
        self.ledger.found(
            load,
            Some(gesture.id),
            Found {
                notes,
                ..Found::default()
            },
        );
        for event in events {
            let asked = page
                .command("dispatch", json!({"event": event.id}), self.options.deadline)
                .await;
            match asked {
                Ok(answer) => self.outcomes(load, &[event], &answer),
                Err(error) => self.failed(load, &[event], error)?,
            }
        }
        Ok(())
    }

    /// From a frame's viewport to that of the window.
    async fn shift_of(&mut self, load: LoadId) -> Result<(f64, f64), PageError> {
        let Some(recorded) = self.trace.load(load) else {
            return Ok((0.0, 0.0));
        };
        let path = self
            .documents
            .page(load)
            .map_or_else(|| recorded.path.clone(), |page| page.path.clone());
        let mut shift = (0.0, 0.0);
        for depth in 0..path.len() {
            let Some(parent) = self.documents.at(recorded.window, &path[..depth]).cloned() else {
                continue;
            };
            if let Some((x, y)) = offset_of(&parent, path[depth], self.options.deadline).await? {
                shift = (shift.0 + x, shift.1 + y);
            }
        }
        Ok(shift)
    }

    /// Takes documents as they come while something takes its time, and ends a wait for a page that hangs.
    async fn patiently<T>(
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

    fn outcomes(&mut self, load: LoadId, events: &[&'a Event], answer: &Value) {
        self.listen();
        let answered = answer["events"].as_array().map_or(&[][..], Vec::as_slice);
        for event in events {
            let own = answered.iter().find(|answer| answer["id"] == event.id);
            self.ledger.ran(event, own.map(found_in).unwrap_or_default());
        }
        let asked = |id: &Value| events.iter().any(|event| *id == event.id);
        for other in answered.iter().filter(|answer| !asked(&answer["id"])) {
            let id = other["id"].as_u64().and_then(|id| u32::try_from(id).ok());
            self.ledger.found(load, id, found_in(other));
        }
    }

    /// The document of these events is not there.
    fn skip(&mut self, load: LoadId, events: &[&'a Event]) {
        let notes = match self.documents.page(load) {
            Some(_) => Vec::new(),
            None => vec!["not run: its document is not there".to_owned()],
        };
        self.give_up(events, notes);
    }

    fn give_up(&mut self, events: &[&'a Event], notes: Vec<String>) {
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

    fn failed(&mut self, load: LoadId, events: &[&'a Event], error: PageError) -> Result<(), Stop> {
        self.listen();
        match error {
            PageError::Deadline { .. } => return Err(Stop::Page(error)),
            PageError::Failed { .. } => self.give_up(events, vec![error.to_string()]),
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

    /// In the recording, too, this document had little more to do.
    fn leaves_after(&self, load: LoadId, events: &[&Event]) -> bool {
        let Some(last) = events.last() else { return true };
        let rest = self.trace.events_of(load).iter().filter(|event| event.id > last.id);
        rest.into_iter()
            .all(|event| classify::class_of(event) == classify::Class::Leaving)
    }

    async fn checkpoint(&mut self, window: u32) -> Result<(), Stop> {
        self.documents.look_around();
        let sight = match self.eyes.look(&self.documents, window, self.options.deadline).await {
            Ok(sight) => sight,
            Err(error @ PageError::Deadline { .. }) => return Err(Stop::Page(error)),
            Err(error) => {
                self.ledger.at_hand(Found {
                    notes: vec![format!("no checkpoint: {error}")],
                    ..Found::default()
                });
                None
            }
        };
        self.misses();
        let (Some(mut sight), Some(place)) = (sight, self.ledger.reached()) else {
            self.ledger.write(self.sink)?;
            return Ok(());
        };
        self.ledger.at_hand_notes(std::mem::take(&mut sight.notes));
        let (load, url) = match sight.page.documents.first() {
            Some(top) => (top.load, top.url.clone()),
            None => return Ok(()),
        };
        let picture = self.picture(window, load, sight.changed).await?;
        let checkpoint = Checkpoint {
            place,
            load,
            url,
            page_sha256: self.sink.page(&sight.page)?,
            screenshot_sha256: picture.as_ref().ok().cloned(),
            screenshot_missing: picture.err(),
            after_divergence: self.ledger.after_divergence,
        };
        self.ledger.write(self.sink)?;
        self.sink.checkpoint(&checkpoint)?;
        Ok(())
    }

    async fn picture(
        &mut self,
        window: u32,
        load: LoadId,
        changed: bool,
    ) -> Result<Result<xcheck_trace::hash::Sha256, String>, Stop> {
        if let (false, Some((of, picture))) = (changed, self.eyes.pictures.get(&window))
            && *of == load
        {
            return Ok(picture.clone());
        }
        let picture = if self.windows.switch(self.browser, window).await? {
            match self.browser.screenshot().await {
                Ok(png) => Ok(self.sink.screenshot(&png)?),
                Err(error @ (DriverError::Gone { .. } | DriverError::Deadline { .. })) => return Err(error.into()),
                Err(error) => Err(error.to_string()),
            }
        } else {
            Err("the browser has no such window".to_owned())
        };
        self.eyes.pictures.insert(window, (load, picture.clone()));
        Ok(picture)
    }

    /// What documents said by themselves.
    fn listen(&mut self) {
        while let Ok(Said { load, message }) = self.said.try_recv() {
            let mut found = Found::default();
            let about = if message["divergence"].is_object() {
                add_divergence(&mut found, &message["divergence"]);
                &message["divergence"]
            } else {
                let text = message["note"]["text"].as_str().or(message["note"].as_str());
                found.notes.extend(text.map(str::to_owned));
                &message["note"]
            };
            let event = about["event"].as_u64().and_then(|id| u32::try_from(id).ok());
            self.ledger.found(load, event, found);
        }
    }

    /// Requests that the trace does not have. When exactly a browser asks is its own affair, so they belong to the
    /// checkpoint by which they were made, in a defined order.
    fn misses(&mut self) {
        let mut asked = Vec::new();
        while let Ok(event) = self.served.try_recv() {
            match event {
                ServeEvent::NotInTrace { method, url, .. } => asked.push(format!("{method} {url}")),
                ServeEvent::Damaged { exchange, reason } => {
                    let note = format!("the recorded response {exchange} is damaged: {reason}");
                    self.ledger.at_hand(Found {
                        notes: vec![note],
                        ..Found::default()
                    });
                }
                ServeEvent::WentLive { method, url } => {
                    let note = format!("{method} {url} went to the network");
                    self.ledger.at_hand(Found {
                        notes: vec![note],
                        ..Found::default()
                    });
                }
                ServeEvent::Held { .. } | ServeEvent::Released { .. } => {}
            }
        }
        // Browsers ask for these by themselves, some and sometimes.
        asked.retain(|request| !request.ends_with("/favicon.ico"));
        asked.sort();
        for request in asked {
            self.ledger
                .diverged(DivergenceKind::NotInTrace, "only what was recorded", request);
        }
    }
}
