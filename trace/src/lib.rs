//! The vocabulary of xcheck: what a recording, a replay and a page look like, in memory and on disk.
//!
//! Everything else speaks to its neighbours in these types. There is no async here and no decision about when to
//! write: the proxy and the agent own that. The modules stand in the order in which data comes into being.

pub mod contents;
pub mod event;
pub mod exchange;
pub mod hash;
pub mod manifest;
pub mod notice;
pub mod page;
pub mod run;

mod bodies;
mod clicks;
mod content;
mod drawings;
mod files;
mod form_text;
mod har;
mod label;
mod layout;
mod lines;
mod log;
mod order;
mod pack;
mod place;
mod recorded_body;
pub mod redact;
pub mod runs;
mod tar;
mod trace;
mod transfer;
mod verify;
mod warning;
mod writer;

pub use bodies::{BodyReader, BodyStore, BodyWriter};
pub use files::StoreError;
pub use har::export_har;
pub use hash::Sha256;
pub use pack::{pack, unpack};
pub use recorded_body::RecordedBody;
pub use trace::{Bodies, Trace};
pub use transfer::{ArrivingTrace, TraceFile};
pub use verify::{Problem, Verification, verify};
pub use warning::Warning;
pub use writer::{TraceWriter, Written};
