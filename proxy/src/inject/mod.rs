//! Puts the recorder's (or replayer's) script into documents as they pass, and changes nothing else about them.
//!
//! Pure and synchronous: heads and bytes in, decisions and bytes out. The proxy calls, in this order:
//!
//! 1. [`prepare_request`] on every request, before it goes upstream.
//! 2. [`decide`] with the response's head and no bytes; as long as it answers [`Decision::NeedBytes`], again with all
//!    bytes of the body so far (still encoded, as they came).
//! 3. [`Decision::Pass`]: apply its edits and let the body through untouched.
//!    [`Decision::Inject`]: apply the plan's edits, then give *all* bytes of the body, those shown to [`decide`]
//!    included, to [`Plan::push`], call [`Plan::pause`] when no more come for the moment, and [`Plan::finish`] at their
//!    end, also when upstream broke off.
//!
//! A [`Decoder`] by itself serves whoever has to read a recorded body, or give it to a browser of fewer codings.
//!
//! Responses to CONNECT and 101 never come here. The trace keeps the origin's own head and bytes, not ours.

use xcheck_trace::event::LoadId;

mod charset;
mod coding;
mod csp;
mod decode;
mod headers;
mod html;
mod media_type;
mod plan;
mod prescan;
mod references;
mod request;
mod response;
mod tokens;
mod within;
mod xml;

#[cfg(test)]
mod tests;

pub(crate) use coding::{Coding, content_codings};
pub(crate) use decode::{Decoder, Flow};
pub(crate) use headers::{HeaderEdits, KEPT_APART};
pub(crate) use plan::{Ending, Plan};
pub(crate) use request::{RequestFacts, prepare_request};
pub(crate) use response::{Decision, decide};

/// The script a document gets, and what it needs to be allowed to do.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    /// `/__xcheck/TOKEN.js`: only letters, digits, `_`, `-`, `.` and `/`. Keep it short: it moves what follows.
    pub(crate) path: String,
    /// The document's own origin as the browser sees it: `https://example.org`, `http://127.0.0.1:8080`.
    pub(crate) origin: String,
    /// Put into policies that go by nonces, and then into the tag. Base64 characters, fresh for each response.
    pub(crate) nonce: String,
    pub(crate) talks: Talks,
    /// The document's policies let it open WebSockets as they are.
    pub(crate) sockets: bool,
    /// They let scripts run that stand in it.
    pub(crate) inline: bool,
    /// Scripts that stand in it say what their calls of `import()` promise.
    pub(crate) tells_imports: bool,
    /// What another script, in a tag before this one, has to do first.
    pub(crate) errand: Option<Errand>,
}

/// What is done before a document's script starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Errand {
    /// Telling what stands in databases and caches.
    Keep,
    /// Putting back what this load told.
    Restore(LoadId),
}

impl Script {
    /// For asking whether a script is wanted at all.
    pub(crate) fn none() -> Script {
        Script {
            path: String::new(),
            origin: String::new(),
            nonce: String::new(),
            talks: Talks::ByPost,
            sockets: false,
            inline: false,
            tells_imports: false,
            errand: None,
        }
    }

    /// Of the script that runs before this one.
    fn first_path(&self) -> Option<String> {
        let token = self.path.trim_end_matches(".js");
        self.errand.map(|_| format!("{token}/first.js"))
    }
}

/// How the script reaches the proxy; a policy must allow it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Talks {
    /// `POST` to its own origin (recording). A WebSocket takes its place where policies have nothing against it.
    ByPost,
    /// A WebSocket to its own origin (replaying).
    ByWebSocket,
    /// The one and the other (a live page that is recorded).
    BothWays,
}
