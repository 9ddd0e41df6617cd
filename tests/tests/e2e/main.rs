//! End to end, in real browsers, hermetic: everything is served on loopback.

mod agents;
mod charsets;
mod faults;
mod fidelity;
mod hostile_traces;
mod network_namespace;
mod policies;
mod replay_faults;
mod report;
mod sources;
