//! Live sessions: a browser whose pages run by themselves, and which is driven and questioned from here.
//!
//! A replay knows from its trace what comes next. Whoever explores an application, disturbs it or watches it does not, so
//! a session waits for signs: the page's own ([`Session::quiet`]), what the proxy answered, and what the browser shows.
//! The proxy may write a trace meanwhile, serve one, or do neither.

mod act;
mod candidates;
mod documents;
mod look;
mod quiet;
mod session;

pub use act::{Acted, Action, Spot, Where};
pub use candidates::{Candidate, Choice};
pub use look::Look;
pub use quiet::{Patience, Popup, Quiet, Shown};
pub use session::{LiveError, Network, Session, SessionOptions};
