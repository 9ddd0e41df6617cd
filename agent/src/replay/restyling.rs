//! Style sheets of pages that are loaded come one by one, each after the page was styled without it.

use super::walk::{Stop, Walk};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;
use xcheck_trace::event::LoadId;
use xcheck_trace::exchange::ExchangeId;

/// A browser that has not asked for a style sheet by then has it, or does not want it: after so many frames, which take longer where
/// the machine is busy, or so long where a document has none, being hidden.
const FRAMES_TO_ASK: usize = 30;
const TIME_TO_ASK: Duration = Duration::from_secs(3);

impl Walk<'_> {
    pub(super) async fn sheet(&mut self, load: LoadId, exchange: ExchangeId) -> Result<(), Stop> {
        let recorded = self.trace.exchange(exchange);
        let Some(url) = recorded.map(|recorded| recorded.request.url.as_str()) else {
            return Ok(());
        };
        let (mut frames, since) = (0, Instant::now());
        while !self.gate.waiting().contains(&exchange) && frames < FRAMES_TO_ASK && since.elapsed() < TIME_TO_ASK {
            if self.ask_page(load, "unstyled", json!({"url": url})).await?.is_none() {
                break;
            }
            frames += 1;
        }
        let unstyled = if self.gate.waiting().contains(&exchange) {
            self.ask_page(load, "unstyled", json!({"url": url})).await?
        } else {
            None
        };
        self.gate.release(exchange);
        if let Some(answer) = unstyled {
            let there = json!({"url": url, "before": answer["came"]});
            self.ask_page(load, "styled", there).await?;
        }
        Ok(())
    }

    /// Nothing where the document is not there, or no more.
    async fn ask_page(&mut self, load: LoadId, command: &'static str, what: Value) -> Result<Option<Value>, Stop> {
        self.documents.look_around();
        let Some(page) = self.documents.page(load).cloned() else {
            return Ok(None);
        };
        let asked = page.command(command, what, self.options.deadline);
        match self.patiently(asked).await? {
            Ok(answer) => Ok(Some(answer)),
            Err(error) => {
                self.failed(load, &[], error).await?;
                Ok(None)
            }
        }
    }
}
