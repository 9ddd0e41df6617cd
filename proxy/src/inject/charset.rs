//! Reading markup in any encoding without decoding it.
//!
//! Only ASCII matters for finding a place in a document, and in nearly every encoding of the web an ASCII byte that means
//! something in markup (`<`, `>`, quotes, `/`, `=`, `-`, `!`) never stands for anything else, not even as the second byte
//! of a Shift_JIS, Big5 or gb18030 character. The two exceptions are read through a *projection*: one byte for each code
//! unit, the ASCII ones as they are and everything else as 0xFF. The document itself is never decoded, so its bytes
//! survive whatever they are; what is inserted is ASCII, in the document's own code units.

use encoding_rs::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// What stands for everything that is not ASCII.
const OPAQUE: u8 = 0xff;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Projection {
    /// ASCII-compatible: bytes as they are.
    Plain,
    Utf16 {
        big_endian: bool,
        half: Option<u8>,
    },
    /// Two-byte characters between escape sequences look like ASCII.
    Iso2022Jp(Escape),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    Ascii,
    Other,
    /// ESC was seen, then `$` or `(`. The flag: ASCII before it.
    Begun(bool),
    Second(bool, u8),
}

/// What the transport says about the encoding: a byte-order mark goes before the content type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Transport {
    pub(super) projection: Projection,
    /// The document's own `<meta charset>` has a say.
    pub(super) undeclared: bool,
    /// Length of the byte-order mark.
    pub(super) mark: usize,
}

/// How many bytes [`transport`] wants to see.
pub(super) const MARK: usize = 6;

/// An encoding in which a browser makes a whole document into a single U+FFFD.
pub(super) fn is_refused(label: &str) -> bool {
    Encoding::for_label(label.as_bytes()) == Some(REPLACEMENT)
}

pub(super) fn transport(label: Option<&str>, first: &[u8]) -> Transport {
    let utf16 = |big_endian| Projection::Utf16 { big_endian, half: None };
    let declared = |projection, mark| Transport {
        projection,
        undeclared: false,
        mark,
    };
    if let Some((encoding, mark)) = Encoding::for_bom(first) {
        let projection = match encoding {
            found if found == UTF_16LE => utf16(false),
            found if found == UTF_16BE => utf16(true),
            _ => Projection::Plain,
        };
        return declared(projection, mark);
    }
    match label.and_then(|label| Encoding::for_label(label.as_bytes())) {
        Some(encoding) if encoding == UTF_16LE => declared(utf16(false), 0),
        Some(encoding) if encoding == UTF_16BE => declared(utf16(true), 0),
        Some(encoding) if encoding == ISO_2022_JP => declared(Projection::Iso2022Jp(Escape::Ascii), 0),
        Some(_) => declared(Projection::Plain, 0),
        // The prescan of the HTML standard knows this much of UTF-16 without a mark.
        None if first.starts_with(b"<\0?\0x\0") => declared(utf16(false), 0),
        None if first.starts_with(b"\0<\0?\0x") => declared(utf16(true), 0),
        None => Transport {
            projection: Projection::Plain,
            undeclared: true,
            mark: 0,
        },
    }
}

/// The encoding a `<meta>` stands for: a document can not say in ASCII that it is UTF-16.
pub(super) fn declared_in_document(label: &[u8]) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(label)?;
    if encoding == UTF_16LE || encoding == UTF_16BE {
        return Some(UTF_8);
    }
    if encoding == encoding_rs::X_USER_DEFINED {
        return Some(WINDOWS_1252);
    }
    Some(encoding)
}

impl Projection {
    /// Bytes of the document for each byte of the projection.
    pub(super) fn unit(&self) -> usize {
        match self {
            Projection::Utf16 { .. } => 2,
            Projection::Plain | Projection::Iso2022Jp(_) => 1,
        }
    }

    /// As it is at a document's beginning.
    pub(super) fn fresh(&self) -> Projection {
        match self {
            Projection::Plain => Projection::Plain,
            Projection::Utf16 { big_endian, .. } => Projection::Utf16 {
                big_endian: *big_endian,
                half: None,
            },
            Projection::Iso2022Jp(_) => Projection::Iso2022Jp(Escape::Ascii),
        }
    }

    /// Text of ours in the document's code units. It is ASCII but for what the tokenizer read from the document itself,
    /// as windows-1252.
    pub(super) fn encode(&self, text: &str) -> Vec<u8> {
        let (bytes, ..) = WINDOWS_1252.encode(text);
        match self {
            Projection::Plain | Projection::Iso2022Jp(_) => bytes.into_owned(),
            Projection::Utf16 { big_endian: true, .. } => bytes.iter().flat_map(|byte| [0, *byte]).collect(),
            Projection::Utf16 { big_endian: false, .. } => bytes.iter().flat_map(|byte| [*byte, 0]).collect(),
        }
    }

    /// Appends what `bytes` look like.
    pub(super) fn project(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        match self {
            Projection::Plain => out.extend_from_slice(bytes),
            Projection::Utf16 { big_endian, half } => {
                for byte in bytes {
                    let Some(first) = half.take() else {
                        *half = Some(*byte);
                        continue;
                    };
                    let (high, low) = if *big_endian { (first, *byte) } else { (*byte, first) };
                    out.push(if high == 0 && low < 0x80 { low } else { OPAQUE });
                }
            }
            Projection::Iso2022Jp(escape) => out.extend(bytes.iter().map(|byte| escape.step(*byte))),
        }
    }
}

impl Escape {
    /// Escape sequences look like white space when they lead back to ASCII and like text when they lead away from it, so
    /// that text of ours never gets behind one that would garble it.
    fn step(&mut self, byte: u8) -> u8 {
        let (next, seen) = match (*self, byte) {
            (Escape::Ascii | Escape::Begun(true), 0x1b) => (Escape::Begun(true), OPAQUE),
            (Escape::Other | Escape::Begun(false), 0x1b) => (Escape::Begun(false), OPAQUE),
            (Escape::Begun(ascii), b'$' | b'(') => (Escape::Second(ascii, byte), OPAQUE),
            (Escape::Second(_, b'('), b'B' | b'J') => (Escape::Ascii, b' '),
            (Escape::Second(_, b'('), b'I') | (Escape::Second(_, b'$'), b'@' | b'B') => (Escape::Other, OPAQUE),
            (Escape::Ascii | Escape::Begun(true) | Escape::Second(true, _), _) => (Escape::Ascii, byte),
            (Escape::Other | Escape::Begun(false) | Escape::Second(false, _), _) => (Escape::Other, OPAQUE),
        };
        *self = next;
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mut projection: Projection, bytes: &[u8], expected: &[u8]) {
        let mut whole = Vec::new();
        projection.clone().project(bytes, &mut whole);
        assert_eq!(whole, expected);
        let mut piecewise = Vec::new();
        for byte in bytes {
            projection.project(&[*byte], &mut piecewise);
        }
        assert_eq!(piecewise, expected);
    }

    #[test]
    fn utf16_shows_its_ascii_and_hides_the_rest() {
        let little = Projection::Utf16 {
            big_endian: false,
            half: None,
        };
        check(little.clone(), b"<\0p\0>\0\x3c\x4e", b"<p>\xff");
        assert_eq!(little.encode("<a>"), b"<\0a\0>\0");
        check(
            Projection::Utf16 {
                big_endian: true,
                half: None,
            },
            b"\0<\x4e\x3c\0",
            b"<\xff",
        );
    }

    #[test]
    fn two_byte_characters_of_iso_2022_jp_are_no_markup() {
        let bytes = b"<a>\x1b$B<~<s\x1b(B</a>";
        check(
            Projection::Iso2022Jp(Escape::Ascii),
            bytes,
            b"<a>\xff\xff\xff\xff\xff\xff\xff\xff\xff </a>",
        );
    }

    #[test]
    fn a_byte_order_mark_goes_before_the_content_type() {
        let utf8 = transport(Some("gbk"), b"\xef\xbb\xbf<p>");
        assert_eq!(
            (utf8.projection, utf8.undeclared, utf8.mark),
            (Projection::Plain, false, 3)
        );
        let utf16 = transport(None, b"\xff\xfe<\0");
        assert_eq!((utf16.projection.unit(), utf16.mark), (2, 2));
    }

    #[test]
    fn an_unknown_label_declares_nothing() {
        for label in [None, Some("utf-7"), Some("nonsense")] {
            assert!(transport(label, b"<html>").undeclared);
        }
        assert!(!transport(Some("Shift_JIS"), b"<html>").undeclared);
        assert!(is_refused("iso-2022-kr") && !is_refused("euc-kr"));
    }
}
