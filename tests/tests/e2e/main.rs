//! End to end, in real browsers, hermetic: everything is served on loopback.

mod charsets;
mod fidelity;
mod policies;
mod sources;
