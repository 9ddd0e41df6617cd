//! A replay that a person looks at: it takes the time that the recording took, says what happens, and can stop.
//!
//! What happens is said in a window of its own. Anything in the page, or drawn over it, would be in the way of input and
//! of what the page can see of itself, and no two engines offer the same thing for it.

use super::plan::Step;
use super::walk::{Stop, Walk};
use crate::browser::{Browser, DriverError};
use crate::find::Installed;
use crate::launch::{LaunchError, LaunchOptions, launch};
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;
use xcheck_trace::Trace;
use xcheck_trace::event::{Event, EventId, LoadId};
use xcheck_trace::manifest::Viewport;

/// How a replay is looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Watch {
    /// As fast as it was, rather than as fast as it can be; and the event at hand is shown.
    pub paced: bool,
    /// The last event to run. The browser stays until it is closed.
    pub until: Option<(LoadId, EventId)>,
}

impl Watch {
    /// Step by step is only for people.
    pub(super) fn is_on(&self) -> bool {
        self.paced || self.until.is_some()
    }

    /// `12`, the number in the trace's order as `xcheck run show` has it, or `1:5`, document and event as `xcheck trace
    /// show` does.
    pub fn find_event(trace: &Trace, text: &str) -> Option<(LoadId, EventId)> {
        let order = trace.order();
        let found = match text.split_once(':') {
            Some((load, event)) => trace.event(load.parse().ok()?, event.parse().ok()?)?,
            None => order.get(text.parse::<usize>().ok()?)?,
        };
        Some((found.load, found.id))
    }
}

/// A small window that says what happens in the other one.
pub(super) struct Caption(Box<dyn Browser>);

const SIZE: Viewport = Viewport {
    width: 560,
    height: 120,
};

/// So far below the page's own height is the end of its window, with its tool bars.
const BELOW: u32 = 100;

const PAGE: &str = "data:text/html,<!doctype html><meta charset=utf-8><title>xcheck</title>\
    <body style='font:18px sans-serif;margin:16px'>";

impl Caption {
    pub(super) async fn open(browser: &Installed, options: &LaunchOptions) -> Result<Caption, LaunchError> {
        let options = LaunchOptions {
            viewport: SIZE,
            corner: Some([0, options.viewport.height + BELOW]),
            proxy: None,
            authority: None,
            gate: None,
            ..options.clone()
        };
        let mut caption = launch(browser, &options).await?;
        caption.navigate(PAGE).await?;
        Ok(Caption(caption))
    }

    pub(super) async fn show(&mut self, text: &str) -> Result<(), DriverError> {
        let set = format!("void (document.body.textContent = {})", json!(text));
        self.0.evaluate(&set).await.map(|_| ())
    }

    pub(super) async fn close(self) -> Result<(), DriverError> {
        self.0.close().await
    }
}

impl<'a> Walk<'a> {
    /// Event by event. Returns whether the last one that was asked for has run.
    pub(super) async fn watched(&mut self, step: &Step<'a>) -> Result<bool, Stop> {
        if let Step::Run { load, events } = step {
            for event in events {
                self.announce(event).await?;
                let single = Step::Run {
                    load: *load,
                    events: vec![event],
                };
                self.step(&single).await?;
                if self.is_last(event) {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let events = step.events();
        if let Some(first) = events.first() {
            self.announce(first).await?;
        }
        self.step(step).await?;
        Ok(events.iter().any(|event| self.is_last(event)))
    }

    fn is_last(&self, event: &Event) -> bool {
        self.options.watch.until == Some((event.load, event.id))
    }

    /// Says what comes next, at the time at which it came.
    async fn announce(&mut self, event: &Event) -> Result<(), Stop> {
        if !self.options.watch.paced {
            return Ok(());
        }
        let (began, at) = *self.began.get_or_insert((Instant::now(), event.at));
        let due = began + Duration::try_from_secs_f64((event.at - at).max(0.0) / 1000.0).unwrap_or_default();
        self.documents.meanwhile(tokio::time::sleep_until(due)).await;
        let label = self.trace.label(event);
        if let Some(caption) = &mut self.caption
            && let Err(error) = caption.show(&format!("{}:{}  {label}", event.load, event.id)).await
        {
            // A person may close it; the page is what is looked at.
            tracing::debug!(%error, "what happens cannot be shown");
            self.caption = None;
        }
        Ok(())
    }

    /// Everything stays as it is until a person has seen enough and closes the browser, or ends the program.
    pub(super) async fn linger(&mut self) -> Stop {
        if let Err(error) = self.ledger.write(self.sink).await {
            return error.into();
        }
        let place = self.ledger.reached();
        self.browser.gone().await;
        let event = place.and_then(|place| self.trace.event(place.load, place.event));
        Stop::Asked(event.map_or_else(String::new, |event| {
            format!("{}:{} {}", event.load, event.id, self.trace.label(event))
        }))
    }
}
