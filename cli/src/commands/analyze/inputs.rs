//! A stored replay as the analyzer reads it.

use std::io::Cursor;
use xcheck_analyzer::replay::{self, Screenshots, Shown};
use xcheck_trace::manifest::{BrowserInfo, Engine};
use xcheck_trace::runs::{Replay, RunReader};

/// Pages are read one at a time, screenshots only when a crop is asked for.
pub(super) fn with<T>(run: &RunReader, replay: &Replay, use_it: impl FnOnce(replay::Replay<'_>) -> T) -> T {
    let browser = match &replay.outcome {
        Some(outcome) => outcome.browser.clone(),
        None => BrowserInfo {
            name: replay.name.clone(),
            engine: Engine::Blink,
            version: String::new(),
            user_agent: String::new(),
        },
    };
    let checkpoints = replay.checkpoints.iter().map(|checkpoint| Shown {
        checkpoint: checkpoint.clone(),
        page: run.page(&checkpoint.page_sha256).map_err(|error| error.to_string()),
    });
    use_it(replay::Replay {
        browser,
        events: &replay.events,
        checkpoints: Box::new(checkpoints),
        screenshots: &Stored(run),
    })
}

struct Stored<'a>(&'a RunReader);

impl Screenshots for Stored<'_> {
    fn open(&self, sha256: &str) -> Result<image::RgbaImage, String> {
        let hash = sha256.parse().map_err(|error| format!("{error}"))?;
        let png = self.0.screenshot(&hash).map_err(|error| error.to_string())?;
        let decoded = image::ImageReader::new(Cursor::new(png)).with_guessed_format();
        let decoded = decoded.map_err(|error| error.to_string())?.decode();
        Ok(decoded.map_err(|error| error.to_string())?.into_rgba8())
    }
}
