//! The sink of a replay that somebody else asked for.

use super::wire::{Answer, LineError, Mouth};
use crate::replay::{Sink, SinkError};
use async_trait::async_trait;
use std::collections::HashSet;
use xcheck_trace::Sha256;
use xcheck_trace::page::PageData;
use xcheck_trace::run::{Checkpoint, ReplayedEvent};

pub(super) struct WireSink {
    mouth: Mouth,
    /// What looks the same again is not sent again.
    sent: HashSet<Sha256>,
}

impl WireSink {
    pub(super) fn new(mouth: Mouth) -> WireSink {
        WireSink {
            mouth,
            sent: HashSet::new(),
        }
    }

    async fn bytes(&mut self, bytes: Vec<u8>, announce: impl Fn(Sha256, u64) -> Answer) -> Result<Sha256, SinkError> {
        let sha256 = Sha256::of(&bytes);
        if self.sent.insert(sha256.clone()) {
            let message = announce(sha256.clone(), bytes.len() as u64);
            self.mouth.say(&message).await.map_err(nobody)?;
            self.mouth.bytes(bytes.into()).await.map_err(nobody)?;
        }
        Ok(sha256)
    }
}

#[async_trait]
impl Sink for WireSink {
    async fn event(&mut self, event: &ReplayedEvent) -> Result<(), SinkError> {
        self.mouth.say(&Answer::Event(event.clone())).await.map_err(nobody)
    }

    async fn page(&mut self, page: &PageData) -> Result<Sha256, SinkError> {
        let bytes = page.to_bytes().map_err(|error| SinkError::Page(error.to_string()))?;
        self.bytes(bytes, |sha256, bytes| Answer::Page { sha256, bytes }).await
    }

    async fn screenshot(&mut self, png: &[u8]) -> Result<Sha256, SinkError> {
        self.bytes(png.to_vec(), |sha256, bytes| Answer::Screenshot { sha256, bytes })
            .await
    }

    async fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), SinkError> {
        self.mouth
            .say(&Answer::Checkpoint(checkpoint.clone()))
            .await
            .map_err(nobody)
    }
}

fn nobody(_: LineError) -> SinkError {
    SinkError::NobodyThere
}
