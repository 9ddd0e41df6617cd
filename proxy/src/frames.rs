//! Reads WebSocket messages (RFC 6455) out of bytes that pass by. Changes nothing, answers nothing.

/// Messages beyond this are not kept.
const LONGEST: usize = 64 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Message {
    Text(String),
    Binary(Vec<u8>),
    /// 1005 stands for a close frame without a code.
    Close {
        code: u16,
        reason: String,
    },
}

/// One direction of one connection.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    head: Vec<u8>,
    frame: Option<Current>,
    /// Kind and content of a message whose last fragment has not come yet.
    message: Option<(u8, Vec<u8>)>,
    lost: bool,
}

#[derive(Debug)]
struct Current {
    last: bool,
    kind: u8,
    left: u64,
    mask: [u8; 4],
    at: usize,
    payload: Vec<u8>,
}

const CONTINUATION: u8 = 0;
const TEXT: u8 = 1;
const CLOSE: u8 = 8;

impl Reader {
    /// Appends the messages that `bytes` complete. Says once why it cannot go on, if so.
    pub(crate) fn read(&mut self, mut bytes: &[u8], messages: &mut Vec<Message>) -> Option<&'static str> {
        while !bytes.is_empty() && !self.lost {
            match &mut self.frame {
                None => {
                    self.head.push(bytes[0]);
                    bytes = &bytes[1..];
                    self.frame = head(&self.head);
                }
                Some(frame) => bytes = frame.take(bytes),
            }
            if self
                .frame
                .as_ref()
                .is_some_and(|frame| frame.left as usize > LONGEST || self.too_long(frame))
            {
                self.lost = true;
                self.message = None;
                return Some("one is larger than 64 MiB");
            }
            if let Some(frame) = self.frame.take_if(|frame| frame.left == 0) {
                self.head.clear();
                if let Err(why) = self.complete(frame, messages) {
                    self.lost = true;
                    return Some(why);
                }
            }
        }
        None
    }

    fn too_long(&self, frame: &Current) -> bool {
        let before = self.message.as_ref().map_or(0, |(_, content)| content.len());
        before + frame.payload.len() + frame.left as usize > LONGEST
    }

    fn complete(&mut self, frame: Current, messages: &mut Vec<Message>) -> Result<(), &'static str> {
        match frame.kind {
            CLOSE => messages.push(close(&frame.payload)),
            // Pings and pongs are between the two ends.
            kind if kind > CLOSE => {}
            CONTINUATION => {
                let Some((_, content)) = &mut self.message else {
                    return Err("a fragment belongs to no message");
                };
                content.extend_from_slice(&frame.payload);
            }
            kind => self.message = Some((kind, frame.payload)),
        }
        if frame.last
            && frame.kind < CLOSE
            && let Some((kind, content)) = self.message.take()
        {
            messages.push(message(kind, content));
        }
        Ok(())
    }
}

impl Current {
    fn take<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let count = (bytes.len() as u64).min(self.left) as usize;
        self.payload.extend(
            bytes[..count]
                .iter()
                .enumerate()
                .map(|(i, byte)| byte ^ self.mask[(self.at + i) % 4]),
        );
        self.at += count;
        self.left -= count as u64;
        &bytes[count..]
    }
}

/// Reads the head of a frame once all of it is there.
fn head(bytes: &[u8]) -> Option<Current> {
    let [first, second, rest @ ..] = bytes else { return None };
    let (left, rest) = match second & 0x7f {
        126 => (u64::from(u16::from_be_bytes(*rest.first_chunk()?)), &rest[2..]),
        127 => (u64::from_be_bytes(*rest.first_chunk()?), &rest[8..]),
        short => (u64::from(short), rest),
    };
    let mask = if second & 0x80 != 0 {
        *rest.first_chunk()?
    } else {
        [0; 4]
    };
    Some(Current {
        last: first & 0x80 != 0,
        kind: first & 0x0f,
        left,
        mask,
        at: 0,
        payload: Vec::new(),
    })
}

fn message(kind: u8, content: Vec<u8>) -> Message {
    if kind != TEXT {
        return Message::Binary(content);
    }
    // Text that is not UTF-8 ends the connection at its receiver; what was sent is kept as the bytes it was.
    String::from_utf8(content).map_or_else(|error| Message::Binary(error.into_bytes()), Message::Text)
}

fn close(payload: &[u8]) -> Message {
    match payload.split_first_chunk::<2>() {
        Some((code, reason)) => Message::Close {
            code: u16::from_be_bytes(*code),
            reason: String::from_utf8_lossy(reason).into_owned(),
        },
        None => Message::Close {
            code: 1005,
            reason: String::new(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], expected: &[Message]) {
        for split in 1..=bytes.len() {
            let (mut reader, mut messages) = (Reader::default(), Vec::new());
            for chunk in bytes.chunks(split) {
                assert_eq!(reader.read(chunk, &mut messages), None);
            }
            assert_eq!(messages, expected, "in chunks of {split}");
        }
    }

    #[test]
    fn messages_are_read_whatever_the_chunks() {
        check(b"\x81\x05Hello", &[Message::Text("Hello".into())]);
        check(
            b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58",
            &[Message::Text("Hello".into())],
        );
        check(
            b"\x82\x00\x81\x00",
            &[Message::Binary(vec![]), Message::Text(String::new())],
        );
        let long = [&b"\x82\x7e\x01\x00"[..], &[7; 256]].concat();
        check(&long, &[Message::Binary(vec![7; 256])]);
        let longer = [&b"\x82\x7f\0\0\0\0\0\x01\0\0"[..], &[7; 65536]].concat();
        let (mut reader, mut messages) = (Reader::default(), Vec::new());
        assert_eq!(reader.read(&longer, &mut messages), None);
        assert_eq!(messages, [Message::Binary(vec![7; 65536])]);
    }

    #[test]
    fn fragments_are_joined_around_a_ping() {
        check(b"\x01\x03Hel\x89\x01x\x80\x02lo", &[Message::Text("Hello".into())]);
    }

    #[test]
    fn a_close_has_a_code_or_stands_for_1005() {
        check(
            b"\x88\x05\x03\xe8bye",
            &[Message::Close {
                code: 1000,
                reason: "bye".into(),
            }],
        );
        check(
            b"\x88\x00",
            &[Message::Close {
                code: 1005,
                reason: String::new(),
            }],
        );
    }

    #[test]
    fn what_cannot_be_kept_is_said_once() {
        let (mut reader, mut messages) = (Reader::default(), Vec::new());
        assert!(reader.read(b"\x82\x7f\0\0\x01\0\0\0\0\0", &mut messages).is_some());
        assert!(reader.read(b"more", &mut messages).is_none());
        let mut reader = Reader::default();
        assert!(reader.read(b"\x80\x01x", &mut messages).is_some());
    }
}
