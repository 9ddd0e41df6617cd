//! Browsers: what is installed, how to get what is not, starting one so that it can be compared with the others, and
//! driving it.
//!
//! The modules stand in the order in which a replay needs them. Each driver has a folder of its own, and the JSON of
//! its protocol does not leave it: the rest of the program sees the [`Browser`] trait.

pub mod browser;
pub mod find;
pub mod install;
pub mod launch;
pub mod live;
pub mod remote;
pub mod replay;
pub mod rerun;

mod actions;
mod answers;
mod bidi;
mod caret;
mod cdp;
pub mod keys;
mod pages;
mod still;
mod webdriver;

pub use browser::{Browser, DriverError, History, Input, PointerButton, WindowId};
pub use find::{CustomBrowser, Installed, Missing, find, find_all, find_remote};
pub use install::install;
pub use launch::{LaunchError, LaunchOptions, TrustedAuthority, launch};
