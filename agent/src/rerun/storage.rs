//! What the recorded browser had kept of the application before the session: without it, nobody is logged in.
//!
//! A page of the origin is needed to put it there, before any of the application's own runs. Addresses below our own
//! prefix are answered by the proxy on every origin, and have no script in them.

use super::run::{Running, Stop};
use crate::browser::DriverError;
use serde_json::{Value, json};
use url::Url;
use xcheck_trace::contents::LARGEST;
use xcheck_trace::event::Storage;

impl Running<'_> {
    async fn put(&mut self, origin: &str, storage: &Storage) -> Result<(), Stop> {
        match self.browser.navigate(&format!("{origin}/__xcheck/storage")).await {
            Ok(()) | Err(DriverError::Interrupted { .. } | DriverError::Refused { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let restoration = self.restoration(origin, storage);
        let script = format!(
            "(async (origin, kept) => {{
                const until = Date.now() + 5000;
                while (location.origin !== origin) {{
                    if (Date.now() > until) return location.href;
                    await new Promise((go) => setTimeout(go, 5));
                }}
                for (const [name, value] of Object.entries(kept.local ?? {{}})) localStorage.setItem(name, value);
                for (const [name, value] of Object.entries(kept.session ?? {{}})) sessionStorage.setItem(name, value);
                for (const cookie of (kept.cookies ?? '').split('; ')) if (cookie) document.cookie = cookie + '; path=/';
                return await {restoration};
            }})({}, {})",
            json!(origin),
            json!(storage),
        );
        match self.browser.evaluate(&script).await {
            Ok(Value::Array(notes)) => self.notes.extend(
                notes
                    .iter()
                    .filter_map(Value::as_str)
                    .map(|what| format!("could not be restored of what {origin} had kept: {what}")),
            ),
            Ok(elsewhere) => self
                .notes
                .push(format!("what {origin} had kept could not be restored (at {elsewhere})")),
            Err(error @ (DriverError::Gone { .. } | DriverError::Deadline { .. })) => return Err(error.into()),
            Err(error) => self
                .notes
                .push(format!("what {origin} had kept could not be restored: {error}")),
        }
        Ok(())
    }
}

impl Running<'_> {
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
