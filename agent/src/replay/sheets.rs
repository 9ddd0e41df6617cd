//! Style sheets of other sites, which a page may not read. Their text is in the trace.
//!
//! A document that does not know whom they mean reads the styles of all its elements anew after each change.

use super::look::{Seats, texts_in};
use super::walk::{Stop, Walk};
use crate::pages::PageError;
use serde_json::json;
use xcheck_trace::Trace;
use xcheck_trace::event::LoadId;
use xcheck_trace::exchange::{End, Exchange};

/// Longer ones are not worth their way.
const LONGEST: u64 = 4 << 20;

impl Walk<'_> {
    /// Before a document is looked at for the first time.
    pub(super) async fn tell_newcomers(&mut self, window: u32) -> Result<(), Stop> {
        let mut pages = self.documents.frames_of(window);
        pages.extend(self.documents.at(window, &[]).cloned());
        pages.retain(|page| !self.eyes.know(page.load));
        for page in pages {
            let asked = page.command("unheard", json!({}), self.options.deadline);
            match self.patiently(asked).await? {
                Ok(answer) => self.tell_sheets(page.load, &texts_in(&answer["addresses"])).await?,
                Err(error @ PageError::Deadline { .. }) => return Err(Stop::Page(error)),
                // One that went away has nothing to be told.
                Err(_) => {}
            }
        }
        Ok(())
    }

    pub(super) async fn tell_sheets(&mut self, load: LoadId, addresses: &[String]) -> Result<(), Stop> {
        let Some(page) = self.documents.page(load).filter(|_| !addresses.is_empty()).cloned() else {
            return Ok(());
        };
        let texts: Vec<(&String, Option<String>)> = addresses
            .iter()
            .map(|address| (address, text_of(self.trace, address)))
            .collect();
        let told = page.command("sheets", json!({"texts": texts}), self.options.deadline);
        match self.patiently(told).await? {
            Err(error @ PageError::Deadline { .. }) => Err(Stop::Page(error)),
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

/// What every browser gets from this address; nothing where that is not certain.
fn text_of(trace: &Trace, address: &str) -> Option<String> {
    let asked = |exchange: &&Exchange| exchange.request.method == "GET" && exchange.request.url == address;
    let answers = trace.exchanges.iter().filter(asked);
    the_only_one(answers.map(|exchange| sheet_in(exchange, || trace.response_body(exchange, LONGEST))))
}

fn the_only_one(mut texts: impl Iterator<Item = Option<String>>) -> Option<String> {
    let first = texts.next()??;
    texts.all(|other| other.as_ref() == Some(&first)).then_some(first)
}

fn sheet_in(exchange: &Exchange, body: impl FnOnce() -> Option<Vec<u8>>) -> Option<String> {
    match (&exchange.response, &exchange.end) {
        // What did not come, or not as it should, is an empty sheet.
        (None, End::Failed { .. }) => Some(String::new()),
        (Some(response), End::Complete) if response.status >= 400 => Some(String::new()),
        (Some(response), End::Complete) if response.status == 200 => {
            let text = String::from_utf8_lossy(&body()?).into_owned();
            // What it imports would have to be told as well.
            let imports = text.to_ascii_lowercase().contains("@import");
            (!imports).then_some(text)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(status: Option<u16>, end: &serde_json::Value, body: &str) -> Option<String> {
        let mut exchange = json!({"id": 1, "started_ms": 0, "finished_order": 1, "end": end,
            "request": {"method": "GET", "url": "http://a.test/a.css", "version": "HTTP/1.1", "headers": []}});
        if let Some(status) = status {
            exchange["response"] = json!({"status": status, "version": "HTTP/1.1", "headers": []});
        }
        let exchange = serde_json::from_value(exchange).unwrap();
        sheet_in(&exchange, || Some(body.as_bytes().to_vec()))
    }

    #[test]
    fn only_what_is_certain_of_a_sheet_is_told() {
        let complete = json!({"end": "complete"});
        let failed = json!({"end": "failed", "reason": "no host"});
        assert_eq!(told(Some(200), &complete, "p{}").as_deref(), Some("p{}"));
        assert_eq!(told(Some(404), &complete, "<p>").as_deref(), Some(""));
        assert_eq!(told(None, &failed, "").as_deref(), Some(""));
        assert_eq!(told(Some(200), &failed, "p{"), None, "it broke off");
        assert_eq!(told(Some(302), &complete, ""), None);
        assert_eq!(told(Some(200), &complete, "@IMPORT 'b.css';"), None);
    }

    #[test]
    fn a_sheet_that_was_another_one_later_is_not_told() {
        let one = |texts: &[Option<&str>]| the_only_one(texts.iter().map(|text| text.map(str::to_owned)));
        assert_eq!(one(&[Some("a"), Some("a")]).as_deref(), Some("a"));
        assert_eq!(one(&[Some("a"), Some("b")]), None);
        assert_eq!(one(&[None, Some("a")]), None);
        assert_eq!(one(&[]), None);
    }
}
