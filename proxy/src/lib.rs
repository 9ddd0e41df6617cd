//! The intercepting proxy: it stands between a browser and the world, puts our script into documents, and keeps what
//! passes (recording) or answers from what was kept (serving a trace).

pub mod ca;
#[allow(dead_code, unused_imports, reason = "its callers come next")]
mod inject;
mod random;

pub use ca::{Authority, CaError};
