//! The gestures of a trace, given again to a page that runs by itself: against the application, or against what was
//! recorded of it. Where a replay holds everything but the browser still, here nothing is held: what differs from run
//! to run is what there is to learn, and what differs when something goes wrong is what there is to find.

mod actions;
mod injections;

mod documents;
mod hand;
mod pool;
mod rest;
mod run;
mod storage;
mod worker;

#[cfg(test)]
mod testing;

pub use actions::{Action, Does, actions};
pub use documents::put_together;
pub use injections::{Asked, Done, Injection, Runs, Slowness, Wrong, injections};
pub use pool::{AHEAD, Finished, Job, Pool, Watching};
pub use run::{Ended, Look, Onlooker, Ran, RerunOptions, Wants};
pub use worker::{Rerunning, Worker};
