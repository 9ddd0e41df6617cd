//! Pages that say what a person sees in them, and how the analysis does on them.
//!
//! A page is recorded in the reference with what its label says is done there, replayed twice in the reference and once
//! in each other browser, and analyzed by the `xcheck` program, as a person would do it. What is found is then held
//! against the label: [`Score`] counts.

mod label;
mod page;
mod place;
mod score;

pub use label::Label;
pub use page::{Kept, Page};
pub use place::Place;
pub use score::{Score, Verdict};

use anyhow::{Context, Result, ensure};
use std::path::PathBuf;

/// What the others are compared with.
pub const REFERENCE: &str = "chromium";

/// Browsers that every page is replayed in.
pub const OTHERS: [&str; 2] = ["firefox", "webkit"];

/// Where the pages and their labels lie.
pub fn folder() -> PathBuf {
    crate::workspace().join("tests/labelled")
}

/// Every page whose name contains one of the words, in alphabetical order; all of them without any.
pub fn pages(words: &[String]) -> Result<Vec<Page>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder())? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str());
        let name = name.with_context(|| format!("{} has no name", path.display()))?;
        let is_label = path.extension().is_some_and(|extension| extension == "toml") && name != "xcheck";
        if is_label && (words.is_empty() || words.iter().any(|word| name.contains(word.as_str()))) {
            names.push(name.to_owned());
        }
    }
    ensure!(!names.is_empty(), "no page has {} in its name", words.join(" or "));
    names.sort();
    names.into_iter().map(Page::read).collect()
}
