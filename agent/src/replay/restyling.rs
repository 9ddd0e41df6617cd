//! Style sheets of pages that are loaded come one by one, each after the page was styled without it.

use super::look::texts_in;
use super::walk::{Stop, Walk};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::Instant;
use xcheck_trace::event::{Event, LoadId};
use xcheck_trace::exchange::{Exchange, ExchangeId};

/// A browser that has not asked for a style sheet by then has it, or does not want it: after so many frames, which take longer where
/// the machine is busy, or so long where a document has none, being hidden.
const FRAMES_TO_ASK: usize = 30;
const TIME_TO_ASK: Duration = Duration::from_secs(3);

impl Walk<'_> {
    pub(super) async fn sheet(&mut self, load: LoadId, exchange: ExchangeId) -> Result<(), Stop> {
        // What something that has loaded awaited has come before.
        let recorded = self.trace.exchange(exchange).filter(|_| self.gate.holds(exchange));
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

    /// Lets come, of these, what something waits for that tells next that it is loaded.
    pub(super) async fn awaited(&mut self, event: &Event, sheets: &[ExchangeId]) -> Result<(), Stop> {
        let answer = self
            .ask_page(event.load, "sheetsOf", json!({"event": event.id}))
            .await?;
        // A document that is not there waits for nothing.
        let Some(answer) = answer else { return Ok(()) };
        let asked = texts_in(&answer["addresses"]);
        let recorded = sheets.iter().filter_map(|sheet| self.trace.exchange(*sheet));
        for sheet in belonging_to(asked, recorded) {
            self.sheet(event.load, sheet).await?;
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

/// Which of these style sheets, in the order in which they ended, are at these addresses, or imported by such.
fn belonging_to<'t>(addresses: Vec<String>, sheets: impl Iterator<Item = &'t Exchange>) -> Vec<ExchangeId> {
    let mut theirs = addresses;
    let mut found = Vec::new();
    for sheet in sheets {
        let url = &sheet.request.url;
        let importer = sheet.request.header("referer");
        if theirs.iter().any(|one| one == url || Some(one.as_str()) == importer) {
            theirs.push(url.clone());
            found.push(sheet.id);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(id: u64, name: &str, referrer: &str) -> Exchange {
        let request = json!({"method": "GET", "url": format!("http://a.test/{name}"), "version": "HTTP/1.1",
            "headers": [["referer", format!("http://a.test/{referrer}")]]});
        serde_json::from_value(
            json!({"id": id, "started_ms": 0, "finished_order": id, "end": {"end": "complete"}, "request": request}),
        )
        .unwrap()
    }

    #[test]
    fn what_is_imported_belongs_to_what_imports_it() {
        let sheets = [
            sheet(1, "frame.css", "page"),
            sheet(2, "page.css", "page"),
            sheet(3, "colours.css", "frame.css"),
            sheet(4, "fonts.css", "page.css"),
            sheet(5, "dark.css", "colours.css"),
        ];
        let asked = |names: &[&str]| {
            let addresses = names.iter().map(|name| format!("http://a.test/{name}"));
            belonging_to(addresses.collect(), sheets.iter())
        };
        assert_eq!(asked(&["frame.css"]), [1, 3, 5]);
        assert_eq!(asked(&["page.css", "gone.css"]), [2, 4]);
        assert!(asked(&[]).is_empty());
    }
}
