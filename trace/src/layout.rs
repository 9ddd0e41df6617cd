//! Which files a trace consists of.
//!
//! ```text
//! manifest.json
//! loads.jsonl  events.jsonl  exchanges.jsonl  frames.jsonl  notices.jsonl  sources.jsonl
//! bodies/ab/ab….zst
//! ```
//!
//! A large log is compressed when the recording ends and is then called `events.jsonl.zst`. Should both be there, the
//! recorder died between the two steps and the plain one is whole.

pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const BODIES: &str = "bodies";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Log {
    Loads,
    Events,
    Exchanges,
    Frames,
    Notices,
    Sources,
}

impl Log {
    pub(crate) const ALL: [Log; 6] = [
        Log::Loads,
        Log::Events,
        Log::Exchanges,
        Log::Frames,
        Log::Notices,
        Log::Sources,
    ];

    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Log::Loads => "loads.jsonl",
            Log::Events => "events.jsonl",
            Log::Exchanges => "exchanges.jsonl",
            Log::Frames => "frames.jsonl",
            Log::Notices => "notices.jsonl",
            Log::Sources => "sources.jsonl",
        }
    }

    pub(crate) fn compressed_name(self) -> String {
        format!("{}.zst", self.file_name())
    }
}
