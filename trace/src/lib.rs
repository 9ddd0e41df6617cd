//! The vocabulary of xcheck: what a recording, a replay and a page look like, in memory and on disk.
//!
//! Everything else speaks to its neighbours in these types. There is no async here and no decision about when to
//! write: the proxy and the agent own that. The modules stand in the order in which data comes into being.

pub mod event;
pub mod exchange;
pub mod manifest;
pub mod notice;
pub mod page;
pub mod run;
