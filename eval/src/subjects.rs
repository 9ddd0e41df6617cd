//! The development subjects under names that files can have.

use xcheck_tests::old_builds;
use xcheck_tests::sessions::{self, Case};

/// The reference first: the others are compared with it.
pub(crate) const ENGINES: [&str; 3] = ["chromium", "firefox", "webkit"];

/// All that are replayed in: those of today, and builds of years ago, which are asked what is found in them and nothing else.
pub(crate) fn engines() -> impl Iterator<Item = &'static str> {
    ENGINES.into_iter().chain(old_builds::NAMES)
}

pub(crate) fn is_old(engine: &str) -> bool {
    old_builds::NAMES.contains(&engine)
}

/// An application with its session.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject(pub(crate) Case);

pub(crate) fn all() -> Vec<Subject> {
    sessions::all().into_iter().map(Subject).collect()
}

impl Subject {
    pub(crate) fn name(&self) -> &'static str {
        self.0.session.name
    }

    pub(crate) fn application(&self) -> &'static str {
        self.0.subject.name
    }

    /// The name as a file's.
    pub(crate) fn slug(&self) -> String {
        self.name().replace(' ', "-")
    }
}
