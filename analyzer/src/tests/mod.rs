//! Whole comparisons of small pages.

mod oracle;
mod quiet;
mod robust;
mod seen;
mod sessions;
