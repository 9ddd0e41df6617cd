//! End to end, in real browsers, hermetic: everything is served on loopback.

mod agents;
mod carets;
mod charsets;
mod coverage;
mod crawl;
mod crawled_back;
mod demo;
mod examples;
mod faults;
mod fidelity;
mod first_run;
mod hostile_traces;
mod invariants;
mod kept_storage;
mod last_words;
mod network_namespace;
mod old_webkit;
mod open_lists;
mod policies;
mod readme;
mod replay_faults;
mod report;
mod sources;
mod test_driver;
mod window;
