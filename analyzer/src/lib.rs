//! Compares what two browsers did and showed when given the same inputs.
//!
//! Page data in, findings out: no files, no clock, no randomness, nothing asynchronous. [`findings`] is the result's
//! vocabulary, [`replay`] the input's.

pub mod findings;
pub mod replay;
