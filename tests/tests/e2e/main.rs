//! End to end, in real browsers, hermetic: everything is served on loopback.

mod charsets;
mod faults;
mod fidelity;
mod policies;
mod report;
mod sources;
