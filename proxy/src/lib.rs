//! The intercepting proxy: it stands between a browser and the world, puts our script into documents, and keeps what
//! passes (recording) or answers from what was kept (serving a trace).

pub mod ca;
mod random;

pub use ca::{Authority, CaError};
