//! End to end, in real browsers, hermetic: everything is served on loopback.

mod fidelity;
