//! The intercepting proxy: it stands between a browser and the world, puts our script into documents, and keeps what
//! passes (recording) or answers from what was kept (serving a trace).
//!
//! A request's way: [`connection`] reads it (through [`connect`] when it comes in a tunnel), [`target`] says what for,
//! [`pages`] answers what is ours, [`forward`] asks the origin by [`upstream`], [`instrument`] puts the script in, and
//! [`record`] keeps both directions as they were before we touched them. When serving a trace, [`from_trace`] and [`serve`]
//! stand where `forward`, `upstream` and `record` do.

pub mod ca;
mod config;
mod proxy;

mod connect;
mod connection;
mod prefixed;
mod query;
mod refused;
mod sniff;
mod target;

mod background;
mod body;
mod channel;
mod earlier;
mod expect;
mod failure;
mod faults;
mod forward;
mod frames;
mod from_trace;
mod headers;
mod inject;
mod instrument;
mod judge;
pub mod live;
mod modules;
mod pages;
mod record;
pub mod serve;
mod service_workers;
mod session;
mod tasks;
mod upgrade;
mod upstream;

mod random;
mod user_agent;

pub use ca::{Authority, CaError};
pub use channel::{PageChannel, PageGone, PageNews, PageReceiver, PageSender};
pub use config::{Config, Mode, Profiles};
pub use earlier::Sent;
pub use faults::{Address, At, Fault, Faults, How};
pub use judge::{Shown, judged_by};
pub use live::{DocumentAnswer, Live, LivePages};
pub use proxy::{Proxy, StartError};
pub use query::Query;
pub use record::{Counts, Summary};
pub use serve::{Asked, AtOnce, Gate, Serve, ServeEvent, ServeRules, Serving};
pub use upstream::{UpstreamError, UpstreamProxy, UpstreamTrust};
