//! Makes the assembled script smaller: what separates tokens goes, and variables get short names.
//!
//! A minifier off the shelf would mean npm in the build. This one does what most of their gain comes from: a third of the
//! script is names. It knows brackets, scopes and patterns, but no expressions, and so changes none.
//!
//! Properties, keys and names of the browser stay as they are, but for members of our own that are listed. So a name that is not declared in the script is never renamed,
//! and what renaming could break fails as soon as the script is run.

mod members;
mod names;
mod scopes;
#[cfg(test)]
mod tests;
mod tokens;
mod write;

/// Names by which the library calls into the script.
const ENTRIES: &[&str] = &[
    "startLive",
    "startRecorder",
    "startKeeper",
    "startRestorer",
    "restoreContents",
    "startReplayer",
    "startWorker",
    "startServiceWorker",
    "collectOnce",
];

pub(crate) fn shorten(script: &str) -> String {
    let tokens = tokens::tokens(script);
    let scopes = scopes::find(&tokens);
    let names = names::choose(&tokens, &scopes, ENTRIES);
    let members = members::choose(&tokens, &scopes.uses);
    write::write(&tokens, &scopes, &names, &members)
}
