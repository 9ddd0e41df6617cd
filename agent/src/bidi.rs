//! Firefox by WebDriver BiDi, straight to the browser: no geckodriver, no WebDriver classic.
//!
//! The client is our own because the crates there are attach only through a WebDriver server or limit the size of a
//! message, and a screenshot of a long page is one message. It is small because replay needs few commands.

mod connection;
mod driver;
mod preferences;
mod start;
mod value;

pub(crate) use start::launch;
