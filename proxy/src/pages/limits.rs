//! How much pages may send us. Generous for a recorder, and an end to a page that wants to fill the disk.

/// One batch, one load, one session, in bytes of log.
pub(super) const BATCH: usize = 16 * 1024 * 1024;
pub(super) const LOAD: u64 = 256 * 1024 * 1024;
pub(super) const SESSION: u64 = 4 * 1024 * 1024 * 1024;

/// Documents that may come to life in one session, and copies of one response that may (back, cache).
pub(super) const LOADS: u32 = 100_000;
pub(super) const LOADS_PER_DOCUMENT: u32 = 1_000;

/// Refusals that are told of, for each load; the others would only repeat them.
pub(super) const REFUSALS_TOLD: u32 = 5;

/// Numbers of batches kept for each load, so that one that is sent again is known.
pub(super) const BATCHES_REMEMBERED: usize = 64;
