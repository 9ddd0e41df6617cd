//! Where a replay puts what it finds: a run's folder, or the wire to whoever asked for it.

use xcheck_trace::Sha256;
use xcheck_trace::StoreError;
use xcheck_trace::page::PageData;
use xcheck_trace::run::{Checkpoint, ReplayedEvent};
use xcheck_trace::runs::ReplayWriter;

pub trait Sink: Send {
    fn event(&mut self, event: &ReplayedEvent) -> Result<(), StoreError>;

    fn page(&mut self, page: &PageData) -> Result<Sha256, StoreError>;

    fn screenshot(&mut self, png: &[u8]) -> Result<Sha256, StoreError>;

    /// Its page and its screenshot were given before.
    fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), StoreError>;
}

impl Sink for ReplayWriter {
    fn event(&mut self, event: &ReplayedEvent) -> Result<(), StoreError> {
        ReplayWriter::event(self, event)
    }

    fn page(&mut self, page: &PageData) -> Result<Sha256, StoreError> {
        ReplayWriter::page(self, page)
    }

    fn screenshot(&mut self, png: &[u8]) -> Result<Sha256, StoreError> {
        ReplayWriter::screenshot(self, png)
    }

    fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), StoreError> {
        ReplayWriter::checkpoint(self, checkpoint)
    }
}
