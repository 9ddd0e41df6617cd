//! Lets frames whose document stands in an attribute (`srcdoc`) begin with a script by which their page notices them, before
//! any script of theirs, as the page's own script does where another one makes them.

use super::charset::Projection;
use super::tokens::Tokenizer;

#[derive(Debug)]
pub(super) struct Frames {
    /// Absent where nothing is looked for: what comes is copied.
    tokenizer: Option<Tokenizer>,
    projection: Projection,
    /// What came and has not gone out yet, and the offset of its first byte.
    held: Vec<u8>,
    out_at: usize,
}

impl Frames {
    /// Of a document whose policies may refuse the script, nothing is changed: a refusal is an error that pages see.
    pub(super) fn new(projection: Projection, limits_inline: bool) -> Frames {
        Frames {
            tokenizer: (!limits_inline).then(Tokenizer::of_frames),
            projection,
            held: Vec::new(),
            out_at: 0,
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
            self.release(token.at.start * unit, out);
            out.extend(self.projection.encode(&first_script()));
        }
        if given_up {
            self.finish(out);
        } else {
            self.release(found.complete * unit, out);
        }
    }

    /// Nothing more comes, or nothing more is looked for.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        self.release(self.out_at + self.held.len(), out);
        self.tokenizer = None;
    }

    fn release(&mut self, until: usize, out: &mut Vec<u8>) {
        let length = until.saturating_sub(self.out_at);
        out.extend(self.held.drain(..length));
        self.out_at += length;
    }
}

/// As it stands in an attribute, whatever its quotes are.
fn first_script() -> String {
    xcheck_replay_js::FIRST_IN_FRAMES
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace(' ', "&#32;")
}
