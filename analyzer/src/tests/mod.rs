//! Whole comparisons of small pages.

mod beside;
mod consequences;
mod edges;
mod followed;
mod lacking;
mod oracle;
mod painted;
mod painted_controls;
mod painted_drawings;
mod painted_words;
mod pointed;
mod quiet;
mod redrawn;
mod robust;
mod scrolled;
mod seen;
mod sessions;
mod skipped;
mod together;
mod unheard;
mod written;
