//! Documents that are to be there: awaited where the page opens them, opened where a person did, and opened all the same
//! where the page did not, because what follows is worth seeing.

use super::ledger::Found;
use super::navigation::{Cause, address_of, asked_first, cause_of, is_reload};
use super::walk::{Stop, Walk};
use crate::browser::{DriverError, History};
use serde_json::Value;
use std::time::Duration;
use xcheck_trace::event::Load;
use xcheck_trace::exchange::ExchangeId;
use xcheck_trace::manifest::Viewport;
use xcheck_trace::run::DivergenceKind;

/// How long a navigation that the page makes may take to begin, when the trace says that it does.
const NAVIGATION: Duration = Duration::from_secs(10);

/// The same where the trace does not say whose doing it was.
const UNSURE_NAVIGATION: Duration = Duration::from_secs(2);

impl<'a> Walk<'a> {
    pub(super) async fn open(&mut self, load: &'a Load) -> Result<(), Stop> {
        if let Some(exchange) = load.exchange {
            self.gate.release(exchange);
        }
        self.documents.look_around();
        if !load.path.is_empty() {
            return self.open_frame(load).await;
        }
        let cause = cause_of(self.trace, load, &self.first_of);
        let patience = match cause {
            Cause::Person => Duration::ZERO,
            Cause::Page => NAVIGATION,
            Cause::Unknown => UNSURE_NAVIGATION,
        };
        let came = patience > Duration::ZERO && self.comes(load, patience).await?;
        let mut step = None;
        if !came {
            if cause == Cause::Page {
                self.navigation_missing(load);
            }
            let exchange = load.exchange.and_then(|exchange| self.trace.exchange(exchange));
            let exchange = exchange.map(|exchange| asked_first(self.trace, exchange));
            // Where the page's script had moved to meanwhile, no list of loads knows.
            let again = exchange.filter(|exchange| is_reload(exchange)).map(|_| History::Reload);
            step = again.or_else(|| self.histories.step_to(load));
            step = step.filter(|_| cause == Cause::Unknown);
            self.go(load, step).await?;
            if self.comes(load, self.options.deadline).await? {
                // A page of the trace's own is what everything after it is compared with again.
                self.ledger.after_divergence |= cause == Cause::Page;
            } else if self.ledger.reached().is_none() {
                return Err(self.no_page(load));
            } else {
                self.not_reached(load);
            }
        }
        self.histories.went(load, step);
        self.fit(load).await
    }

    async fn open_frame(&mut self, load: &Load) -> Result<(), Stop> {
        let parent_is_there = load.parent.is_none_or(|parent| self.documents.page(parent).is_some());
        if !parent_is_there || !self.comes(load, NAVIGATION).await? {
            self.not_reached(load);
        }
        Ok(())
    }

    fn no_page(&self, load: &Load) -> Stop {
        match self.lacking(load) {
            Some(exchange) => Stop::Trace {
                exchange,
                reason: "it is not in the trace".to_owned(),
            },
            None => Stop::NoPage {
                url: load.url.clone(),
                asked: self.seen(),
            },
        }
    }

    /// What there is to go by where nothing came: what was asked for, and which documents came instead.
    fn seen(&self) -> String {
        let instead = self
            .documents
            .strangers
            .iter()
            .map(|url| format!("; {url} came instead"));
        instead.fold(self.asked.to_string(), |all, one| all + &one)
    }

    /// What would bring the document, where the trace lost it: its recording was cut off, or somebody else wrote it.
    fn lacking(&self, load: &Load) -> Option<ExchangeId> {
        load.exchange
            .filter(|exchange| self.trace.exchange(*exchange).is_none())
    }

    /// Whether the document came in time. One whose response the trace cannot give is not waited for.
    async fn comes(&mut self, load: &Load, patience: Duration) -> Result<bool, Stop> {
        if self.lacking(load).is_some() {
            return Ok(false);
        }
        tokio::select! {
            came = self.documents.wait_for(load.load, patience) => Ok(came),
            () = self.departures.damage(&mut self.served) => self.misses().map(|()| false),
        }
    }

    /// The page is left for a document that is no page of the trace, once it has asked for it.
    pub(super) async fn depart(&mut self, exchange: ExchangeId) -> Result<(), Stop> {
        let asked = self.departures.to(exchange, &mut self.served);
        let came = self
            .documents
            .meanwhile(tokio::time::timeout(NAVIGATION, asked))
            .await
            .is_ok();
        self.gate.release(exchange);
        if let (false, Some(exchange)) = (came, self.trace.exchange(exchange)) {
            let url = exchange.request.url.as_str();
            self.ledger
                .diverged(DivergenceKind::NavigationMissing, url, "no navigation");
        }
        Ok(())
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
    pub(super) fn not_reached(&mut self, load: &Load) {
        self.lost.insert(load.load);
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
        let step = match step {
            // It went elsewhere in this browser, and would come from there again.
            Some(History::Reload) if !self.is_at(&load.url).await? => None,
            step => step,
        };
        let gone = match step {
            Some(step) => self.browser.history(step).await,
            None => self.browser.navigate(address_of(self.trace, load)).await,
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

    async fn is_at(&mut self, url: &str) -> Result<bool, Stop> {
        let address = self.browser.evaluate("location.href.split('#')[0]").await?;
        Ok(address.as_str() == url.split('#').next())
    }

    /// Popups have sizes of their own, and a window may have been resized when nothing of ours was in it.
    async fn fit(&mut self, load: &Load) -> Result<(), Stop> {
        let is_first = load.window == 0 && load.sequence == 0;
        match super::conditions::viewport_of(load).filter(|_| !is_first) {
            Some(viewport) => self.resize(load.window, viewport).await,
            None => Ok(()),
        }
    }

    pub(super) async fn resize(&mut self, window: u32, viewport: Viewport) -> Result<(), Stop> {
        if self.sizes.get(&window) != Some(&viewport) && self.windows.switch(self.browser, window).await? {
            self.browser.set_viewport(viewport).await?;
            self.sizes.insert(window, viewport);
        }
        Ok(())
    }
}
