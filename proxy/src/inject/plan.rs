//! How one document is instrumented: its new head, and its bytes on their way.

use super::Script;
use hyper::header::{CONTENT_LENGTH, HeaderMap};
use xcheck_trace::notice::Notice;

/// Changes to a response's head.
#[derive(Debug, Default)]
pub(crate) struct HeaderEdits {
    remove: Vec<hyper::header::HeaderName>,
}

impl HeaderEdits {
    pub(crate) fn apply(&self, headers: &mut HeaderMap) {
        for name in &self.remove {
            headers.remove(name);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// All input was taken and nothing is pending: bring more, or finish.
    Hungry,
    /// There is more to come from what was given: send what is in `out`, then call again with the rest of the input.
    Full,
}

/// How the document ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Whole,
    /// The coding was truncated or corrupt: what could be decoded went out, and a notice says so. The browser
    /// should see a broken response as it would have from the origin.
    Broken,
}

#[derive(Debug)]
pub(crate) struct Plan {
    edits: HeaderEdits,
    tag: Option<Vec<u8>>,
    notices: Vec<Notice>,
}

impl Plan {
    pub(super) fn new(script: &Script) -> Plan {
        Plan {
            edits: HeaderEdits {
                remove: vec![CONTENT_LENGTH],
            },
            tag: Some(format!("<script src=\"{}\"></script>", script.path).into_bytes()),
            notices: Vec::new(),
        }
    }

    pub(crate) fn edits(&self) -> &HeaderEdits {
        &self.edits
    }

    /// Takes from the front of `input` and appends to `out`, at most some 64 KiB at a time.
    pub(crate) fn push(&mut self, input: &mut &[u8], out: &mut Vec<u8>) -> Flow {
        if let Some(tag) = self.tag.take() {
            out.extend_from_slice(&tag);
        }
        out.extend_from_slice(input);
        *input = &[];
        Flow::Hungry
    }

    /// Appends what was held back. Call once, after `push` said [`Flow::Hungry`] and the body ended.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) -> Ending {
        if let Some(tag) = self.tag.take() {
            out.extend_from_slice(&tag);
        }
        Ending::Whole
    }

    /// What a person should know, since it was last asked: relaxed policies, and (later) broken codings.
    pub(crate) fn take_notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }
}
