//! Explores an application by itself: what can be done in a state is done, once, and where it leads is the next state.
//!
//! The application is crawled in one browser through the recording proxy, and each way from the start page is a trace of its
//! own, ready to be replayed in others. Backtracking is what makes it sound: a state is returned to by the way that led
//! there, from the start page in a new session, and what is met on the way has to be what was met before.
//!
//! A crawl's way: [`crawl`] decides what is done next from the [`atlas`], `visit` does it in a live session of the agent,
//! `actions` says what can be done, and `state` when two pages are the same place.

mod actions;
mod atlas;
mod back;
mod compare;
mod consent;
mod crawl;
mod export;
mod forms;
mod login;
mod marked;
mod model;
mod random;
mod replayed;
mod robots;
mod scope;
mod settings;
mod state;
mod visit;

pub use back::{Back, WaysBack};
pub use compare::{Difference, compare};
pub use crawl::{CrawlError, Crawled, Progress, Request, crawl};
pub use export::{compared_html, dot, graph, graphml, html, thumbnail};
pub use forms::Value;
pub use marked::{Marked, Marks};
pub use model::{Edge, FORMAT, Label, Model, Path, Skipped, State, Step};
pub use replayed::{Departed, Departure, Element, Place, Replays, Seen, Taken, Way, departures};
pub use robots::Robots;
pub use scope::Scope;
pub use settings::{Limits, Settings};
