//! A stored replay as the analyzer takes it.

use crate::replays::Stored;
use std::io::Cursor;
use xcheck_analyzer::replay::{Replay, Screenshots, Shown};
use xcheck_trace::manifest::BrowserInfo;
use xcheck_trace::run::{Divergence, Place};
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

    /// Nothing that a person could see or a page could tell: the same divergences, and every picture byte by byte.
    pub(crate) fn does_as(&self, other: &Stored) -> bool {
        let (own, others) = (&self.replay, &other.replay);
        let looks = own.checkpoints.len() == others.checkpoints.len()
            && own.checkpoints.iter().zip(&others.checkpoints).all(|(own, other)| {
                own.screenshot_sha256.is_some() && own.screenshot_sha256 == other.screenshot_sha256
            });
        looks && diverged(own).eq(diverged(others))
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

fn diverged(replay: &xcheck_trace::runs::Replay) -> impl Iterator<Item = (Place, &[Divergence])> {
    let events = replay.events.iter();
    let diverged = events.filter(|event| !event.divergences.is_empty());
    diverged.map(|event| (event.place, event.divergences.as_slice()))
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
