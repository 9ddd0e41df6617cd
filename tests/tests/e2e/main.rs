//! End to end, in real browsers, hermetic: everything is served on loopback.

mod agents;
mod charsets;
mod demo;
mod faults;
mod fidelity;
<<<<<<< HEAD
mod hostile_traces;
mod network_namespace;
mod policies;
mod replay_faults;
mod report;
=======
mod first_run;
mod policies;
mod readme;
>>>>>>> eb87c36 (tests: the README's commands, the demonstration, and what a newcomer meets first)
mod sources;
