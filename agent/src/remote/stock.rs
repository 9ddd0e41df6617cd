//! Bodies that clients have sent, kept for the next trace that names them.
//!
//! A replay gets links to the bodies it names, so that making room here takes nothing away from it. The stock lives as
//! long as the daemon: bodies can hold secrets, and a restart costs one transfer.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use xcheck_trace::{ArrivingTrace, BodyStore, BodyWriter, Sha256, StoreError};

pub(super) struct Stock {
    store: BodyStore,
    /// Bytes on disk.
    limit: u64,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    bodies: HashMap<Sha256, Entry>,
    bytes: u64,
    turn: u64,
}

struct Entry {
    bytes: u64,
    last_used: u64,
}

impl Stock {
    pub(super) fn create(folder: &Path, limit: u64) -> Result<Stock, StoreError> {
        Ok(Stock {
            store: BodyStore::create(folder.to_owned())?,
            limit,
            held: Mutex::default(),
        })
    }

    pub(super) fn writer(&self) -> BodyWriter {
        self.store.writer()
    }

    /// Gives the body to the trace. Whether it is there.
    pub(super) fn give(&self, hash: &Sha256, trace: &ArrivingTrace) -> Result<bool, StoreError> {
        let given = trace.take_body(hash, &self.store)?;
        if given {
            let mut held = self.held();
            held.turn += 1;
            let turn = held.turn;
            if let Some(entry) = held.bodies.get_mut(hash) {
                entry.last_used = turn;
            }
        }
        Ok(given)
    }

    /// A body is all there, under the hash that it has.
    pub(super) fn keep(&self, body: BodyWriter) -> Result<Sha256, StoreError> {
        let hash = body.finish()?.sha256;
        let bytes = self
            .store
            .size(&hash)
            .ok_or_else(|| StoreError::BodyMissing(hash.clone()))?;
        let mut held = self.held();
        held.turn += 1;
        let entry = Entry {
            bytes,
            last_used: held.turn,
        };
        held.bytes += bytes;
        if let Some(before) = held.bodies.insert(hash.clone(), entry) {
            held.bytes -= before.bytes;
        }
        Ok(hash)
    }

    /// To be called between traces rather than between bodies: so a trace larger than the limit still comes through.
    pub(super) fn make_room(&self) -> Result<(), StoreError> {
        let mut held = self.held();
        while held.bytes > self.limit {
            let oldest = held.bodies.iter().min_by_key(|(_, entry)| entry.last_used);
            let Some(oldest) = oldest.map(|(hash, _)| hash.clone()) else {
                return Ok(());
            };
            if let Some(entry) = held.bodies.remove(&oldest) {
                held.bytes -= entry.bytes;
            }
            self.store.remove(&oldest)?;
        }
        Ok(())
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Held> {
        // Numbers about files: worst comes to worst a body is kept for too long.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_for_longest_makes_room_and_traces_keep_what_they_were_given() {
        let folder = tempfile::tempdir().unwrap();
        let stock = Stock::create(&folder.path().join("stock"), 60).unwrap();
        let keep = |bytes: &[u8]| {
            let mut writer = stock.writer();
            writer.write(bytes).unwrap();
            stock.keep(writer).unwrap()
        };
        let (first, second) = (keep(b"one of the bodies"), keep(b"another of the bodies"));
        let trace = ArrivingTrace::create(&folder.path().join("trace")).unwrap();
        assert!(stock.give(&first, &trace).unwrap());
        let third = keep(b"and a third one of them");
        stock.make_room().unwrap();
        let later = ArrivingTrace::create(&folder.path().join("later")).unwrap();
        let there = [&first, &second, &third].map(|hash| stock.give(hash, &later).unwrap());
        assert_eq!(there, [true, false, true]);
        keep(&[7; 100]);
        keep(&[8; 100]);
        stock.make_room().unwrap();
        let own = BodyStore::open(folder.path().join("trace/bodies"));
        assert_eq!(own.bytes(&first, 100).unwrap(), b"one of the bodies");
    }
}
