//! Compares what two browsers did and showed when given the same inputs.
//!
//! Page data in, findings out: no files, no clock, no randomness, nothing asynchronous. [`findings`] is the result's
//! vocabulary, [`replay`] the input's. The private modules stand in the order in which data passes them.
//!
//! ```text
//! checkpoints ─► state ─► matching ─► behaviour, text, structure, visual ─► explain ─► cluster ─► findings
//! ```

mod compare;
pub mod diff;
pub mod findings;
mod hand;
mod ignore;
pub mod navigation;
mod noise;
pub mod replay;
mod rewritten;
pub mod tolerances;

mod state;

mod focus;
mod locator;
mod matching;
mod measured;
mod numbers;
mod scene;

mod behaviour;
mod pointer_edge;
mod quiet;
mod skipped;
mod structure;
mod style;
mod text;
mod view;
mod visual;

mod cluster;
mod explain;
mod spot;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use compare::{Options, compare, measured, noise};
pub use ignore::{BadRule, IgnoreRule};
pub use noise::Mask;
pub use visual::tree;
