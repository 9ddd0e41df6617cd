//! The demonstration: two small applications as people write them today, a session with them, and the list of what
//! really differs in them between engines.
//!
//! The applications are the papers' own examples brought to today: *Book Manager* (X-Check) and *MyRestaurant*
//! (CrossCheck). Every difference is one that people ship, made by a feature that an engine lacks or reads otherwise;
//! nobody is served another page. `differences.txt` was written from what a person sees in the three browsers, so that
//! the demonstration can be wrong.
//!
//! The scripted person (`session`, `runner`) also plays the end-to-end tests' sessions.

pub mod differences;
pub mod recording;
pub mod runner;
pub mod server;
pub mod session;

mod files;
mod visit;

pub use visit::VISIT;
