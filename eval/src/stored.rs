//! A stored replay as the analyzer takes it.

use crate::replays::Stored;
use std::io::Cursor;
use xcheck_analyzer::replay::{Replay, Screenshots, Shown};
use xcheck_trace::manifest::BrowserInfo;
use xcheck_trace::runs::RunReader;

impl Stored {
    pub(crate) fn browser(&self) -> BrowserInfo {
        let outcome = self.replay.outcome.as_ref();
        outcome
            .expect("replays that have not ended are not opened")
            .browser
            .clone()
    }

    pub(crate) fn shown(&self) -> impl Iterator<Item = Shown> + '_ {
        self.replay.checkpoints.iter().map(|checkpoint| Shown {
            checkpoint: checkpoint.clone(),
            page: self
                .run
                .page(&checkpoint.page_sha256)
                .map_err(|error| error.to_string()),
        })
    }

    pub(crate) fn for_analysis<'a>(&'a self, pictures: &'a dyn Screenshots) -> Replay<'a> {
        Replay {
            browser: self.browser(),
            events: &self.replay.events,
            checkpoints: Box::new(self.shown()),
            screenshots: pictures,
        }
    }
}

pub(crate) struct Pictures<'a>(pub(crate) &'a RunReader);

impl Screenshots for Pictures<'_> {
    fn open(&self, sha256: &str) -> Result<image::RgbaImage, String> {
        let hash = sha256.parse().map_err(|error| format!("{error}"))?;
        let png = self.0.screenshot(&hash).map_err(|error| error.to_string())?;
        let reader = image::ImageReader::with_format(Cursor::new(png), image::ImageFormat::Png);
        Ok(reader.decode().map_err(|error| error.to_string())?.into_rgba8())
    }
}
