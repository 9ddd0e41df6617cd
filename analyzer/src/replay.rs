//! The analyzer's input: replays as streams, so that a thousand checkpoints never stand in memory together.

use image::RgbaImage;
use xcheck_trace::manifest::BrowserInfo;
use xcheck_trace::page::PageData;
use xcheck_trace::run::{Checkpoint, ReplayedEvent};

/// One browser's replay of a trace.
pub struct Replay<'a> {
    pub browser: BrowserInfo,
    /// In the trace's order.
    pub events: &'a [ReplayedEvent],
    /// In the trace's order, each with what the page store has for it.
    pub checkpoints: Box<dyn Iterator<Item = Shown> + 'a>,
    pub screenshots: &'a dyn Screenshots,
}

/// What a browser showed at a checkpoint. Page data as stored: whole at first, then only what changed.
#[derive(Debug, Clone)]
pub struct Shown {
    pub checkpoint: Checkpoint,
    /// The reason when it cannot be read.
    pub page: Result<PageData, String>,
}

/// Opens screenshots by hash when a crop is needed, which is seldom.
pub trait Screenshots {
    fn open(&self, sha256: &str) -> Result<RgbaImage, String>;
}

/// For runs without screenshots.
pub struct NoScreenshots;

impl Screenshots for NoScreenshots {
    fn open(&self, sha256: &str) -> Result<RgbaImage, String> {
        Err(format!("this run keeps no screenshots ({sha256})"))
    }
}
