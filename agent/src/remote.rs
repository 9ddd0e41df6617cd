//! Replaying on another machine: the daemon there, and its client here.
//!
//! Both ends run the same replay: the daemon's writes to a [`crate::replay::Sink`] that sends, and what arrives here is
//! written to the sink of the run's folder. One WebSocket is one replay (`wire` has its messages), for its whole life: so
//! there are no numbers to be guessed, no state to be tidied up later, and a client that goes away takes its replay, its
//! browser and its files with it. A WebSocket rather than our own framing, because reverse proxies let it through.
//!
//! ```text
//! GET /v1/browsers   what the machine has, as JSON
//! GET /v1/replay     the WebSocket
//! ```
//!
//! **Neither end trusts the other.** The daemon looks browsers up by name (a path would run any program), files of a trace
//! by the names they may have, keeps bodies under the hash they turn out to have, bounds every size, never lets a replay
//! reach the network, and says nothing at all to whoever has no token. The client checks the certificate before the token
//! leaves, and the hash of all that comes back.

mod client;
mod door;
mod errand;
mod replaying;
mod server;
mod stock;
mod token;
mod trust;
mod wire;
mod wire_sink;

pub use client::{Agent, AgentAddress, AgentError, NotAnAddress, RemoteBrowser};
pub use server::{Daemon, DaemonConfig, DaemonError, ServerTls};
pub use token::{Token, TokenError};
pub use trust::{Trust, TrustError};

pub(crate) use replaying::{Meanwhile, replay};
