//! The script in XHTML and SVG: documents that must stay well-formed.
//!
//! Only the beginning is read, by hand, since an HTML parser takes processing instructions and internal subsets for
//! something else: up to the root element, and in XHTML up to its `<head>`. A document whose root is neither XHTML nor
//! SVG (a feed, an answer of an API) runs no scripts and is left alone.

use super::charset::{Projection, Transport};
use super::csp::Needs;
use super::html::{HtmlInjector, Tag};

/// A beginning longer than this is given up on.
const LONGEST_BEGINNING: usize = 256 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// The tag goes at this offset.
    At(usize),
    /// The element there closes itself: its last two bytes become `>`, the tag, and this end tag.
    Open { slash: usize, end_tag: String },
    /// Nothing in this document runs scripts, or it is not well-formed.
    Nowhere(&'static str),
    /// More of the document is needed.
    Unknown,
}

const XHTML: &[u8] = b"http://www.w3.org/1999/xhtml";
const SVG: &[u8] = b"http://www.w3.org/2000/svg";

/// `text` is the document's beginning, projected.
pub(super) fn place(text: &[u8]) -> Place {
    let mut reader = Reader { text, at: 0 };
    let root = match reader.next_tag() {
        Ok(tag) => tag,
        Err(place) => return place,
    };
    let attributes = &text[root.name_end..root.end];
    let declares = |namespace: &[u8]| attributes.windows(namespace.len()).any(|window| window == namespace);
    if !declares(XHTML) && !declares(SVG) {
        return Place::Nowhere("its root is neither XHTML nor SVG");
    }
    let inside_root = root.inside(text);
    let name = root.name(text);
    let (prefix, local) = name.rsplit_once(':').unwrap_or(("", &name));
    if local != "html" || root.closes_itself {
        return inside_root;
    }
    let head_name = if prefix.is_empty() {
        "head".to_owned()
    } else {
        format!("{prefix}:head")
    };
    match reader.next_tag() {
        Ok(tag) if tag.name(text) == head_name => tag.inside(text),
        Err(Place::Unknown) => Place::Unknown,
        _ => inside_root,
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

struct StartTag {
    start: usize,
    name_end: usize,
    /// After the `>`.
    end: usize,
    closes_itself: bool,
}

impl StartTag {
    fn name(&self, text: &[u8]) -> String {
        String::from_utf8_lossy(&text[self.start + 1..self.name_end]).into_owned()
    }

    fn inside(&self, text: &[u8]) -> Place {
        if self.closes_itself {
            Place::Open {
                slash: self.end - 2,
                end_tag: format!("</{}>", self.name(text)),
            }
        } else {
            Place::At(self.end)
        }
    }
}

impl Reader<'_> {
    /// The next start tag, over white space, comments, processing instructions and a doctype.
    fn next_tag(&mut self) -> Result<StartTag, Place> {
        loop {
            let rest = &self.text[self.at..];
            let skipped = rest
                .iter()
                .position(|byte| !byte.is_ascii_whitespace())
                .ok_or(Place::Unknown)?;
            self.at += skipped;
            let rest = &rest[skipped..];
            let undecided = ["<?", "<!--", "<!DOCTYPE"]
                .iter()
                .any(|open| open.as_bytes().starts_with(rest));
            if undecided {
                return Err(Place::Unknown);
            }
            if rest.starts_with(b"<?") {
                let length = self.skip(2, b"?>")?;
                if is_transformation(&rest[..length]) {
                    return Err(Place::Nowhere("an XSLT style sheet makes another document of it"));
                }
            } else if rest.starts_with(b"<!--") {
                self.skip(4, b"-->")?;
            } else if rest.starts_with(b"<!DOCTYPE") {
                self.skip_doctype()?;
            } else {
                return self.start_tag();
            }
        }
    }

    /// Past the next `close`, `open` bytes on from here. Returns the length of it all.
    fn skip(&mut self, open: usize, close: &[u8]) -> Result<usize, Place> {
        let rest = &self.text[self.at + open..];
        let end = rest
            .windows(close.len())
            .position(|window| window == close)
            .ok_or(Place::Unknown)?;
        let length = open + end + close.len();
        self.at += length;
        Ok(length)
    }

    /// A doctype, with its internal subset if it has one.
    fn skip_doctype(&mut self) -> Result<(), Place> {
        let mut depth = 0_usize;
        while let Some(byte) = self.text.get(self.at) {
            match byte {
                b'"' | b'\'' => {
                    self.skip(1, &[*byte])?;
                    continue;
                }
                b'<' if self.text[self.at..].starts_with(b"<!--") => {
                    self.skip(4, b"-->")?;
                    continue;
                }
                b'<' if self.text[self.at..].starts_with(b"<?") => {
                    self.skip(2, b"?>")?;
                    continue;
                }
                b'<' | b'[' => depth += 1,
                b'>' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 && *byte == b'>' {
                return Ok(());
            }
        }
        Err(Place::Unknown)
    }

    fn start_tag(&mut self) -> Result<StartTag, Place> {
        let start = self.at;
        let names = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_' || *byte >= 0x80;
        match (self.text[start], self.text.get(start + 1)) {
            (b'<', Some(first)) if names(first) => {}
            (b'<', None) => return Err(Place::Unknown),
            _ => return Err(Place::Nowhere("it is not well-formed")),
        }
        let ends_name = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
        let name_end = start + self.text[start..].iter().position(ends_name).ok_or(Place::Unknown)?;
        self.at = name_end;
        while let Some(byte) = self.text.get(self.at) {
            match byte {
                b'"' | b'\'' => {
                    self.skip(1, &[*byte])?;
                }
                b'>' => {
                    self.at += 1;
                    return Ok(StartTag {
                        start,
                        name_end,
                        end: self.at,
                        closes_itself: self.text[self.at - 2] == b'/',
                    });
                }
                _ => self.at += 1,
            }
        }
        Err(Place::Unknown)
    }
}

fn is_transformation(instruction: &[u8]) -> bool {
    let has = |wanted: &[u8]| instruction.windows(wanted.len()).any(|window| window == wanted);
    instruction.starts_with(b"<?xml-stylesheet") && (has(b"text/xsl") || has(b"xslt+xml") || has(b"text/xml"))
}

/// Holds the beginning until the place is known; then looks for policies in what follows, as in HTML, and copies.
#[derive(Debug)]
pub(super) struct XmlInjector {
    tag: Tag,
    needs: Needs,
    projection: Projection,
    mark: usize,
    held: Vec<u8>,
    done: bool,
    /// What follows the tag.
    head: Option<Box<HtmlInjector>>,
    pub(super) not_placed: Option<String>,
}

impl XmlInjector {
    pub(super) fn new(tag: Tag, needs: Needs, transport: Transport) -> XmlInjector {
        XmlInjector {
            tag,
            needs,
            projection: transport.projection,
            mark: transport.mark,
            held: Vec::new(),
            done: false,
            head: None,
            not_placed: None,
        }
    }

    /// What policies were widened, since last asked.
    pub(super) fn take_relaxed(&mut self) -> Vec<String> {
        let head = self.head.as_mut();
        head.map(|head| std::mem::take(&mut head.relaxed)).unwrap_or_default()
    }

    pub(super) fn pause(&mut self, out: &mut Vec<u8>) {
        if let Some(head) = &mut self.head {
            head.pause(out);
        }
    }

    pub(super) fn push(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) {
        while !self.done && !bytes.is_empty() {
            let (piece, rest) = bytes.split_at(bytes.len().min(4096));
            self.held.extend_from_slice(piece);
            bytes = rest;
            match place(&projected(&self.projection, self.mark, &self.held)) {
                Place::Unknown if self.held.len() < LONGEST_BEGINNING => {}
                Place::Unknown => self.pass("its beginning is too long", out),
                Place::Nowhere(why) => self.pass(why, out),
                Place::At(at) => self.splice(at, at, &self.tag.xml(), out),
                Place::Open { slash, end_tag } => {
                    self.splice(slash, slash + 2, &format!(">{}{end_tag}", self.tag.xml()), out);
                }
            }
        }
        match &mut self.head {
            Some(head) => head.push(bytes, out),
            None => out.extend_from_slice(bytes),
        }
    }

    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        if !self.done {
            self.pass("it ends before its root element begins", out);
        }
        if let Some(head) = &mut self.head {
            head.finish(out);
        }
    }

    fn splice(&mut self, start: usize, end: usize, text: &str, out: &mut Vec<u8>) {
        let unit = self.projection.unit();
        out.extend_from_slice(&self.held[..start * unit]);
        out.extend(self.projection.encode(text));
        let rest = self.held.split_off(end * unit);
        self.held = Vec::new();
        self.done = true;
        let mut head = HtmlInjector::behind_the_tag(self.tag.clone(), self.needs.clone(), self.projection.fresh());
        head.push(&rest, out);
        self.head = Some(Box::new(head));
    }

    fn pass(&mut self, why: &str, out: &mut Vec<u8>) {
        self.not_placed = Some(why.to_owned());
        out.append(&mut self.held);
        self.done = true;
    }
}

/// A document's beginning as [`place`] reads it: without its byte-order mark, but with the same offsets.
pub(super) fn projected(projection: &Projection, mark: usize, bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(bytes.len());
    projection.fresh().project(bytes, &mut text);
    let marked = (mark / projection.unit()).min(text.len());
    text[..marked].fill(b' ');
    text
}
