//! Where a replay puts what it finds: a run's folder, or the wire to whoever asked for it.

use async_trait::async_trait;
use xcheck_trace::Sha256;
use xcheck_trace::StoreError;
use xcheck_trace::page::PageData;
use xcheck_trace::run::{Checkpoint, ReplayedEvent};
use xcheck_trace::runs::ReplayWriter;

/// Each call returns when what it was given is taken, so that a replay is never far ahead of a slow taker.
#[async_trait]
pub trait Sink: Send {
    async fn event(&mut self, event: &ReplayedEvent) -> Result<(), SinkError>;

    async fn page(&mut self, page: &PageData) -> Result<Sha256, SinkError>;

    async fn screenshot(&mut self, png: &[u8]) -> Result<Sha256, SinkError>;

    /// Its page and its screenshot were given before.
    async fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), SinkError>;
}

#[derive(Debug, thiserror::Error)]
pub enum SinkError {
    #[error("the run could not be written: {0}")]
    Store(#[from] StoreError),
    #[error("page data could not be put into bytes: {0}")]
    Page(String),
    /// Nobody will read this, but the replay has to end.
    #[error("whoever asked for the replay went away")]
    NobodyThere,
}

#[async_trait]
impl Sink for ReplayWriter {
    async fn event(&mut self, event: &ReplayedEvent) -> Result<(), SinkError> {
        Ok(ReplayWriter::event(self, event)?)
    }

    async fn page(&mut self, page: &PageData) -> Result<Sha256, SinkError> {
        Ok(ReplayWriter::page(self, page)?)
    }

    async fn screenshot(&mut self, png: &[u8]) -> Result<Sha256, SinkError> {
        Ok(ReplayWriter::screenshot(self, png)?)
    }

    async fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), SinkError> {
        Ok(ReplayWriter::checkpoint(self, checkpoint)?)
    }
}
