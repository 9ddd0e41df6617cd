//! Chromium and its relatives by the Chrome DevTools Protocol.
//!
//! The connection is chromiumoxide's; its `Browser` and `Handler` are not used. They initialise every target with
//! commands that old builds do not have, do not see frames in processes of their own, and drop what they cannot decode,
//! and an old build is a browser like any other here. Site isolation is off, so that a page with all its frames is one
//! session.

mod connection;
mod driver;
mod input;
mod keys;
mod preferences;
mod start;
mod targets;

pub(crate) use start::launch;
