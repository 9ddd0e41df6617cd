//! What else is put into a document, behind its head: frames whose document stands in an attribute (`srcdoc`) begin with a
//! script by which their page notices them, before any script of theirs, as the page's own script does where another one makes
//! them; and scripts that stand in it say what their calls of `import()` promise.

use super::charset::Projection;
use super::csp::Limits;
use super::tokens::{Inner, Tokenizer};
use crate::modules::Telling;
use bytes::Bytes;

#[derive(Debug)]
pub(super) struct Within {
    /// Absent where nothing is looked for: what comes is copied.
    tokenizer: Option<Tokenizer<Inner>>,
    projection: Projection,
    /// What came and has not gone out yet, and the offset of its first byte.
    held: Vec<u8>,
    out_at: usize,
    /// What policies have against it.
    limits: Limits,
    tells_imports: bool,
    /// Of the script that is going on.
    calls: Telling,
}

impl Within {
    /// Nothing is put in that a document's policies may refuse: a refusal is an error that pages see.
    pub(super) fn new(projection: Projection, limits: Limits, tells_imports: bool) -> Within {
        Within {
            tokenizer: (!limits.new || !limits.changed).then(Tokenizer::of_inner_scripts),
            limits,
            // Others are not read, only looked at.
            tells_imports: tells_imports && projection == Projection::Plain,
            projection,
            held: Vec::new(),
            out_at: 0,
            calls: Telling::default(),
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let Some(tokenizer) = &mut self.tokenizer else {
            out.extend_from_slice(bytes);
            return;
        };
        self.held.extend_from_slice(bytes);
        let mut seen = Vec::with_capacity(bytes.len());
        self.projection.project(bytes, &mut seen);
        let given_up = tokenizer.write(&seen).is_err();
        let found = tokenizer.take();
        let unit = self.projection.unit();
        for token in found.tokens {
            match token.what {
                Inner::Policy(limits) => self.limits = self.limits.and(limits),
                Inner::Script { is_over } if self.tells_imports && !self.limits.changed => {
                    self.release(token.at.start, out);
                    let text = self.take(token.at.end);
                    out.extend_from_slice(&self.calls.push(text));
                    if is_over {
                        out.extend_from_slice(&self.calls.finish(true).0);
                    }
                }
                Inner::Frame if !self.limits.new => {
                    self.release(token.at.start * unit, out);
                    out.extend(self.projection.encode(&first_script()));
                }
                Inner::Frame | Inner::Script { .. } => {}
            }
        }
        if given_up {
            self.finish(out);
        } else {
            self.release(found.complete * unit, out);
        }
    }

    /// Nothing more comes, or nothing more is looked for.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.calls.rest());
        self.release(self.out_at + self.held.len(), out);
        self.tokenizer = None;
    }

    fn release(&mut self, until: usize, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.take(until));
    }

    fn take(&mut self, until: usize) -> Bytes {
        let length = until.saturating_sub(self.out_at);
        self.out_at += length;
        self.held.drain(..length).collect()
    }
}

/// As it stands in an attribute, whatever its quotes are.
fn first_script() -> String {
    xcheck_replay_js::FIRST_IN_FRAMES
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace(' ', "&#32;")
}
