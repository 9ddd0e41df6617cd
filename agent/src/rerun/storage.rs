//! What the recorded browser had kept of the application before the session: without it, nobody is logged in.
//!
//! A page of the origin is needed to put it there, before any of the application's own runs. Addresses below our own
//! prefix are answered by the proxy on every origin, and have no script in them.

use super::run::{Running, Stop};
use crate::browser::DriverError;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use url::Url;
use xcheck_trace::contents::LARGEST;
use xcheck_trace::event::Storage;

const ARRIVES_WITHIN: Duration = Duration::from_secs(5);
/// From one question to the next: a browser that is asked without a pause has less time for what it is asked about.
const PULSE: Duration = Duration::from_millis(5);

impl Running<'_> {
    async fn put(&mut self, origin: &str, storage: &Storage) -> Result<(), Stop> {
        // An earlier page for the same origin is not the one to fill.
        self.browser.evaluate("void (globalThis.left = true)").await?;
        match self.browser.navigate(&format!("{origin}/__xcheck/storage")).await {
            Ok(()) | Err(DriverError::Interrupted { .. } | DriverError::Refused { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        match self.fill(origin, storage).await {
            Err(error @ (DriverError::Gone { .. } | DriverError::Deadline { .. })) => return Err(error.into()),
            Err(error) => self
                .notes
                .push(format!("what {origin} had kept could not be restored: {error}")),
            Ok(Value::Array(notes)) => self.notes.extend(
                notes
                    .iter()
                    .filter_map(Value::as_str)
                    .map(|what| format!("could not be restored of what {origin} had kept: {what}")),
            ),
            Ok(why) => self
                .notes
                .push(format!("what {origin} had kept could not be restored: {why}")),
        }
        Ok(())
    }

    /// Answers with what could not be restored, or why nothing could.
    async fn fill(&mut self, origin: &str, storage: &Storage) -> Result<Value, DriverError> {
        if !self.has_arrived(origin).await? {
            let address = self.browser.evaluate("location.href").await?;
            return Ok(json!(format!("the browser is at {address}")));
        }
        let restoration = self.restoration(origin, storage);
        let script = format!(
            "void (async (kept) => {{
                for (const [name, value] of Object.entries(kept.local ?? {{}})) localStorage.setItem(name, value);
                for (const [name, value] of Object.entries(kept.session ?? {{}})) sessionStorage.setItem(name, value);
                for (const cookie of (kept.cookies ?? '').split('; ')) if (cookie) document.cookie = cookie + '; path=/';
                return await {restoration};
            }})({}).catch(String).then((notes) => {{ globalThis.restored = notes; }})",
            json!(storage),
        );
        self.browser.evaluate(&script).await?;
        let (begun, deadline) = (Instant::now(), self.options.deadline);
        while self.browser.evaluate("'restored' in globalThis").await? != true {
            if begun.elapsed() > deadline {
                return Err(DriverError::Deadline {
                    what: format!("restore what {origin} had kept"),
                    after: deadline,
                });
            }
            tokio::time::sleep(PULSE).await;
        }
        self.browser.evaluate("restored").await
    }

    /// While one document makes way for another there may be neither.
    async fn has_arrived(&mut self, origin: &str) -> Result<bool, DriverError> {
        let arrived = format!("location.origin === {} && !globalThis.left", json!(origin));
        let begun = Instant::now();
        while begun.elapsed() <= ARRIVES_WITHIN {
            match self.browser.evaluate(&arrived).await {
                Ok(Value::Bool(true)) => return Ok(true),
                Ok(_) | Err(DriverError::Interrupted { .. }) => {}
                Err(error) => return Err(error),
            }
            tokio::time::sleep(PULSE).await;
        }
        Ok(false)
    }

    /// An expression that puts back what stood in databases and caches, and says what it could not.
    fn restoration(&mut self, origin: &str, storage: &Storage) -> String {
        let Some(body) = &storage.databases else {
            return "[]".to_owned();
        };
        let bytes = self
            .trace
            .bodies()
            .read(&body.sha256)
            .and_then(|reader| reader.bytes(LARGEST));
        let contents = bytes
            .map_err(|error| error.to_string())
            .and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
        match contents {
            Ok(contents) => xcheck_replay_js::restoration(&contents),
            Err(why) => {
                self.notes.push(format!(
                    "what {origin} had kept in databases and caches could not be restored: {why}"
                ));
                "[]".to_owned()
            }
        }
    }
}

pub(super) async fn restore(running: &mut Running<'_>) -> Result<(), Stop> {
    let trace = running.trace;
    for load in &trace.loads {
        let Some(storage) = &load.storage else { continue };
        let Ok(url) = Url::parse(&load.url) else { continue };
        let own = url.origin().ascii_serialization();
        let origin = match &running.options.at {
            Some(at) if trace.loads.first().is_some_and(|first| first.url.starts_with(&own)) => {
                at.trim_end_matches('/').to_owned()
            }
            _ => own,
        };
        running.put(&origin, storage).await?;
    }
    Ok(())
}
