//! Waiting until a window has come to rest: all its documents, also those that come while one waits.

use super::run::{Running, Stop};
use crate::pages::PageError;
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;

/// So long nothing must happen.
const STILL_MS: u64 = 60;

/// Timers of a person's patience: longer ones do not count, however long the recording waited.
const LONGEST_TIMER_MS: f64 = 5_000.0;
const SHORTEST_TIMER_MS: f64 = 600.0;

/// A page that has said that it is being left is left in this time, or stays.
const LEAVING: Duration = Duration::from_secs(5);

impl Running<'_> {
    /// Says what kept the page from coming to rest, if something did.
    pub(super) async fn rest(&mut self, window: u32, waits_ms: f64) -> Result<Vec<String>, Stop> {
        let until = Instant::now() + self.options.patience;
        let timers_ms = waits_ms.clamp(SHORTEST_TIMER_MS, LONGEST_TIMER_MS);
        let (mut stays, mut notes) = (false, Vec::new());
        loop {
            self.documents.look_around();
            let arrivals = self.documents.arrivals;
            let pages = self.documents.of_window(window);
            if pages.is_empty() {
                return Err(self.page_is_missing("the page went away"));
            }
            let mut again = false;
            for page in pages {
                let left = until.saturating_duration_since(Instant::now());
                let asked = json!({
                    "for_ms": STILL_MS,
                    "deadline_ms": left.as_millis() as u64,
                    "timers_ms": timers_ms,
                    "open_ms": self.options.open.as_millis() as u64,
                    "stays": stays,
                });
                let seat = (page.window, page.path.clone());
                let answer = page.command("quiet", asked, left + self.options.deadline).await;
                let leaves = match &answer {
                    Ok(answer) => answer["leaving"] == true,
                    Err(PageError::Gone(_)) => true,
                    Err(_) => false,
                };
                if leaves {
                    let patience = if answer.is_ok() { LEAVING } else { self.options.deadline };
                    if !self.documents.another(&seat, Some(page.load), patience).await {
                        match answer {
                            // A download, or an answer without a document.
                            Ok(_) if self.documents.failure().is_none() => stays = true,
                            _ if page.path.is_empty() => return Err(self.page_is_missing("the page went away")),
                            _ => {}
                        }
                    }
                    again = true;
                    break;
                }
                let answer = answer.map_err(Stop::page)?;
                if answer["quiet"] != true {
                    let busy: Vec<&str> = answer["busy"]
                        .as_array()
                        .into_iter()
                        .flatten()
                        .filter_map(|what| what.as_str())
                        .collect();
                    notes.push(format!("the page did not come to rest: {}", busy.join(", ")));
                }
            }
            self.documents.look_around();
            if !again && self.documents.arrivals == arrivals || Instant::now() >= until {
                return Ok(notes);
            }
        }
    }

    /// Nothing of ours is in the window.
    pub(super) fn page_is_missing(&self, what: &str) -> Stop {
        let why = self.documents.failure();
        Stop::Diverged(why.map_or_else(|| format!("{what}, and no other came"), |why| format!("{what}: {why}")))
    }
}
