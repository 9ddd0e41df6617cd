//! A message of a WebSocket that does not come: only it is missing, or the connection ends where it would have begun.
//!
//! Bytes are passed on as they are, so what a server says around it (pings, fragments, the close) stays what it was.

use super::Faults;

pub(crate) struct Losing {
    /// Messages that still go before it.
    before: u32,
    cut: bool,
    head: Vec<u8>,
    /// Of the frame at hand.
    left: u64,
    /// The frame at hand belongs to the lost message.
    dropping: bool,
    /// So do continuations.
    dropped: bool,
    done: bool,
    faults: Faults,
}

impl Losing {
    pub(super) fn new(nth: u32, cut: bool, faults: Faults) -> Losing {
        Losing {
            before: nth,
            cut,
            head: Vec::new(),
            left: 0,
            dropping: false,
            dropped: false,
            done: false,
            faults,
        }
    }

    /// What goes on of these bytes. `None` after it: the connection ends.
    pub(crate) fn pass(&mut self, mut bytes: &[u8]) -> (Vec<u8>, bool) {
        let mut passed = Vec::with_capacity(bytes.len());
        while !bytes.is_empty() {
            if self.left > 0 {
                let count = (bytes.len() as u64).min(self.left) as usize;
                if !self.dropping {
                    passed.extend_from_slice(&bytes[..count]);
                }
                self.left -= count as u64;
                bytes = &bytes[count..];
                continue;
            }
            self.head.push(bytes[0]);
            bytes = &bytes[1..];
            let Some(length) = length(&self.head) else { continue };
            let head = std::mem::take(&mut self.head);
            if self.begins(head[0]) && self.cut {
                return (passed, false);
            }
            self.left = length;
            if !self.dropping {
                passed.extend_from_slice(&head);
            }
        }
        (passed, true)
    }

    /// Whether the lost message begins with this frame. Says for each frame whether it belongs to it.
    fn begins(&mut self, first: u8) -> bool {
        let (last, kind) = (first & 0x80 != 0, first & 0x0f);
        let is_message = kind == 1 || kind == 2;
        let begins = is_message && self.before == 0 && !self.done;
        if is_message {
            self.dropped = begins;
            self.before = self.before.saturating_sub(1);
        }
        if begins {
            self.done = true;
            self.faults.lost_a_message();
        }
        // Pings, pongs and the close stand between fragments, too.
        self.dropping = self.dropped && kind < 8;
        if self.dropping && last {
            self.dropped = false;
        }
        begins
    }
}

/// Bytes after the head of a frame, once all of the head is there (RFC 6455 section 5.2). Those of a server are not
/// masked; a mask would be counted all the same.
fn length(head: &[u8]) -> Option<u64> {
    let [_, second, rest @ ..] = head else { return None };
    let length = match second & 0x7f {
        126 => u64::from(u16::from_be_bytes(*rest.first_chunk()?)),
        127 => u64::from_be_bytes(*rest.first_chunk()?),
        short => u64::from(short),
    };
    Some(length + if second & 0x80 != 0 { 4 } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(first: u8, content: &str) -> Vec<u8> {
        let mut bytes = vec![first];
        match content.len() {
            short @ 0..126 => bytes.push(short as u8),
            long => {
                bytes.push(126);
                bytes.extend((long as u16).to_be_bytes());
            }
        }
        bytes.extend(content.as_bytes());
        bytes
    }

    /// What comes through of these frames, given byte by byte and all at once.
    #[track_caller]
    fn check(nth: u32, cut: bool, frames: &[Vec<u8>], through: &[usize], open: bool) {
        let expected: Vec<u8> = through.iter().flat_map(|&place| frames[place].clone()).collect();
        let all = frames.concat();
        for size in [1, 3, all.len()] {
            let mut losing = Losing::new(nth, cut, Faults::default());
            let (mut passed, mut goes_on) = (Vec::new(), true);
            for piece in all.chunks(size) {
                let (some, on) = losing.pass(piece);
                passed.extend(some);
                goes_on = on;
                if !on {
                    break;
                }
            }
            assert_eq!((passed, goes_on), (expected.clone(), open), "in pieces of {size}");
        }
    }

    #[test]
    fn one_message_is_lost_and_no_other() {
        let frames = [
            frame(0x81, "a"),
            frame(0x89, "ping"),
            frame(0x82, &"b".repeat(300)),
            frame(0x81, "c"),
        ];
        check(0, false, &frames, &[1, 2, 3], true);
        check(1, false, &frames, &[0, 1, 3], true);
        check(7, false, &frames, &[0, 1, 2, 3], true);
    }

    #[test]
    fn all_fragments_of_it_are_lost_but_not_what_stands_between_them() {
        let frames = [
            frame(0x01, "a"),
            frame(0x89, "ping"),
            frame(0x80, "b"),
            frame(0x81, "c"),
        ];
        check(0, false, &frames, &[1, 3], true);
        check(1, false, &frames, &[0, 1, 2], true);
    }

    #[test]
    fn a_connection_is_cut_where_it_would_have_begun() {
        let frames = [frame(0x81, "a"), frame(0x81, "b"), frame(0x81, "c")];
        check(1, true, &frames, &[0], false);
    }
}
