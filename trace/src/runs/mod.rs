//! A run on disk: what each browser did and showed when a trace was replayed in it.
//!
//! ```text
//! run.json
//! chromium/outcome.json  chromium/events.jsonl  chromium/checkpoints.jsonl
//! firefox/…
//! store/ab/ab….zst        page data (postcard) and screenshots (PNG), by SHA-256, each once for all browsers
//! ```
//!
//! A line is on disk as soon as it is appended, and what it refers to is there before it, so that a run can be read while
//! it grows.

mod name;
mod reader;
mod whole;
mod writer;

pub use name::folder_name;
pub use reader::{Replay, RunReader};
pub use whole::{WholePage, WholePages};
pub use writer::{ReplayWriter, RunWriter};

const RUN: &str = "run.json";
const OUTCOME: &str = "outcome.json";
const EVENTS: &str = "events.jsonl";
const CHECKPOINTS: &str = "checkpoints.jsonl";
const STORE: &str = "store";
