//! WebKitGTK, WPE, Safari and any remote end by W3C WebDriver.
//!
//! The client is a hundred lines over hyper. The crates for it (thirtyfour, fantoccini) are about elements, which are
//! never needed here, and hide the two things that are: what exactly a driver refused, and extension capabilities.

mod clicks;
mod client;
mod driver;
mod forgotten;
mod picture;
mod start;

pub(crate) use start::launch;
