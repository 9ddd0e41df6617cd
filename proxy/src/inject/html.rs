//! Finds the place for the script in an HTML document as it streams by, and widens `<meta>` policies on the way.
//!
//! The tag goes where it is the first thing in `<head>`: after the tag that opens it, or, where there is none, before the
//! first thing that would make a browser open it by itself. White space, comments and the doctype before that stay
//! before it, so that the document's mode and shape are what they would have been. Until the head is over, policies in
//! `<meta>` are looked for (later ones do not count); from then on bytes are only copied.
//!
//! **Declarations of the encoding.** Browsers look for `<meta charset>` in the first 1,024 bytes, and the tag moves what
//! follows it. Where only the document can declare its encoding, what follows the place is held until 1,024 bytes have
//! come (browsers wait for as much), or no more come for the moment and the head is over. A declaration that would be
//! pushed out of reach is repeated inside the script element, where the prescan finds it and the parser takes it for
//! text; or, if even that is too far, the tag goes behind it. Engines that parse instead of scanning (Blink, WebKit) do
//! not see into the script, but they look beyond 1,024 bytes as long as the head lasts. A declaration in the *body* has
//! only the second way, and that only where nothing runs before it.

use super::charset::{Projection, Transport};
use super::csp::{self, Needs};
use super::prescan::{self, WINDOW};
use super::references;
use super::tokens::{Pragma, Token, Tokenizer, What};
use std::ops::Range;

#[derive(Debug)]
pub(super) struct HtmlInjector {
    tag: Tag,
    needs: Needs,
    projection: Projection,
    /// Bytes of the byte-order mark that the tokenizer must not see.
    mark: usize,
    undeclared: bool,
    /// Absent once the head is over: what comes then is copied.
    tokenizer: Option<Tokenizer>,
    /// What came and has not gone out yet, and the offset of its first byte.
    held: Vec<u8>,
    out_at: usize,
    /// The first bytes of an undeclared document.
    window: Vec<u8>,
    scan: Scan,
    /// Changes that have not gone out yet, in the document's order, in bytes.
    edits: Vec<Edit>,
    /// The tag's text is chosen and among the edits, or given up.
    settled: bool,
    /// Why there will be no tag, and what policies were widened.
    pub(super) not_placed: Option<String>,
    pub(super) relaxed: Vec<String>,
}

/// The script's tag, in its variants.
#[derive(Debug, Clone)]
pub(super) struct Tag {
    /// Of a script that runs before ours, in a tag of its own.
    pub(super) first: Option<String>,
    pub(super) path: String,
    /// With it if the document's policies go by nonces.
    pub(super) nonce: Option<String>,
}

/// Where in a document's structure the scan has come to. Offsets are the tokenizer's.
#[derive(Debug, Default)]
struct Scan {
    /// End of the last token, or of the end tags after it.
    accounted: usize,
    place: Option<usize>,
    head_over: Option<usize>,
    /// Depth of `<template>`, whose content is no document's.
    templates: usize,
    /// Where the first thing stands that must not come before the script.
    runs: Option<usize>,
}

#[derive(Debug)]
struct Edit {
    at: Range<usize>,
    with: Vec<u8>,
}

impl HtmlInjector {
    pub(super) fn new(tag: Tag, needs: Needs, transport: Transport) -> HtmlInjector {
        HtmlInjector {
            tag,
            needs,
            projection: transport.projection,
            mark: transport.mark,
            undeclared: transport.undeclared,
            tokenizer: Some(Tokenizer::new()),
            held: Vec::new(),
            out_at: 0,
            window: Vec::new(),
            scan: Scan::default(),
            edits: Vec::new(),
            settled: false,
            not_placed: None,
            relaxed: Vec::new(),
        }
    }

    /// For the rest of a document whose tag stands already: only policies are looked for.
    pub(super) fn behind_the_tag(tag: Tag, needs: Needs, projection: Projection) -> HtmlInjector {
        let transport = Transport {
            projection,
            undeclared: false,
            mark: 0,
        };
        let mut injector = HtmlInjector::new(tag, needs, transport);
        injector.scan.place = Some(0);
        injector.settled = true;
        injector
    }

    /// As it is at the document's beginning.
    pub(super) fn projection(&self) -> Projection {
        self.projection.fresh()
    }

    pub(super) fn push(&mut self, mut bytes: &[u8], out: &mut Vec<u8>) {
        // Small pieces, so that little is parsed that need not be: the head is over early in most documents.
        while self.tokenizer.is_some() && !bytes.is_empty() {
            let (piece, rest) = bytes.split_at(bytes.len().min(4096));
            self.scan(piece);
            self.put_out(out);
            bytes = rest;
        }
        out.extend_from_slice(bytes);
    }

    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        if self.tokenizer.is_some() {
            self.place_at_end();
            self.settle(true);
            self.release(self.out_at + self.held.len(), out);
            self.tokenizer = None;
        }
    }

    fn scan(&mut self, piece: &[u8]) {
        if self.undeclared {
            self.window
                .extend_from_slice(&piece[..piece.len().min(WINDOW - self.window.len())]);
        }
        self.held.extend_from_slice(piece);
        let mut seen = Vec::with_capacity(piece.len());
        self.projection.project(piece, &mut seen);
        let marked = (self.mark / self.projection.unit()).min(seen.len());
        seen[..marked].fill(b' ');
        self.mark -= marked * self.projection.unit();

        let Some(tokenizer) = &mut self.tokenizer else { return };
        let result = tokenizer.write(&seen);
        let found = tokenizer.take();
        for token in found.tokens {
            self.end_tags(token.at.start);
            self.token(&token);
            self.scan.accounted = token.at.end;
            if self.scan.head_over.is_some() && !self.undeclared {
                return;
            }
        }
        self.end_tags(found.complete);
        self.scan.accounted = found.complete;
        if result.is_err() && self.scan.head_over.is_none() {
            self.give_up(found.complete);
        }
    }

    /// What lies between two tokens is end tags.
    fn end_tags(&mut self, until: usize) {
        let start = self.scan.accounted;
        if until <= start || self.scan.head_over.is_some() {
            return;
        }
        let unit = self.projection.unit();
        let text = self.seen(start * unit..until * unit);
        for (at, name) in prescan::end_tags(&text) {
            self.end_tag(&name, start + at);
        }
    }

    fn end_tag(&mut self, name: &[u8], at: usize) {
        match name {
            b"template" => self.scan.templates = self.scan.templates.saturating_sub(1),
            b"head" => self.scan.must_stand_before(at),
            // Before the head these make a browser open it; within it they end it.
            b"body" | b"html" | b"br" if self.scan.templates == 0 => {
                self.scan.must_stand_before(at);
                self.scan.head_over = Some(at);
            }
            _ => {}
        }
    }

    fn token(&mut self, token: &Token) {
        let scan = &mut self.scan;
        if scan.head_over.is_some() {
            if let What::StartTag { name, .. } = &token.what
                && RUNS_IN_BODY.contains(&name.as_str())
            {
                scan.runs.get_or_insert(token.at.start);
            }
            return;
        }
        match &token.what {
            What::Nothing | What::Text { first: None } => {}
            What::Text { first: Some(first) } => {
                if scan.templates == 0 {
                    scan.must_stand_before(*first);
                    scan.head_over = Some(*first);
                }
            }
            What::StartTag { name, pragma } => match name.as_str() {
                "html" => {}
                "head" => scan.must_stand_before(token.at.end),
                "template" => {
                    scan.must_stand_before(token.at.start);
                    scan.templates += 1;
                }
                _ if scan.templates > 0 => {}
                "meta" => {
                    scan.must_stand_before(token.at.start);
                    if let Some(pragma) = pragma {
                        self.widen(pragma);
                    }
                }
                "title" | "noscript" | "noframes" | "basefont" | "bgsound" => scan.must_stand_before(token.at.start),
                "script" | "style" | "link" | "base" => {
                    scan.must_stand_before(token.at.start);
                    scan.runs.get_or_insert(token.at.start);
                }
                _ => {
                    scan.must_stand_before(token.at.start);
                    scan.head_over = Some(token.at.start);
                    if RUNS_IN_BODY.contains(&name.as_str()) {
                        scan.runs.get_or_insert(token.at.start);
                    }
                }
            },
        }
    }

    fn widen(&mut self, pragma: &Pragma) {
        if !pragma.http_equiv.eq_ignore_ascii_case("content-security-policy") {
            return;
        }
        let relaxed = csp::relax_connections(&references::decode(&pragma.content), &self.needs);
        if relaxed.changes.is_empty() {
            return;
        }
        let unit = self.projection.unit();
        let start = pragma.content_at.start * unit;
        let value = references::encode(&relaxed.policy);
        let quoted = matches!(self.seen(start - unit..start)[..], [b'"' | b'\'']);
        let with = if quoted { value } else { format!("\"{value}\"") };
        self.edits.push(Edit {
            at: start..pragma.content_at.end * unit,
            with: self.projection.encode(&with),
        });
        self.relaxed.extend(relaxed.changes);
    }

    /// No more input is there for the moment: what was only held to see more of a body goes out.
    pub(super) fn pause(&mut self, out: &mut Vec<u8>) {
        if self.tokenizer.is_some() && self.scan.head_over.is_some() {
            self.settle(true);
            self.put_out(out);
        }
    }

    /// Chooses the tag's text and final place, as soon as nothing that is still to come could change them, or it has to
    /// be done now.
    fn settle(&mut self, now: bool) {
        let Some(place) = self.scan.place else { return };
        let unit = self.projection.unit();
        let known = now || !self.undeclared || self.scan.accounted >= WINDOW;
        if self.settled || !known {
            return;
        }
        self.settled = true;
        let declared = prescan::declaration(&self.window).filter(|declared| declared.end > place);
        let plain = self.tag.html("");
        let Some(declared) = declared else {
            return self.insert(place * unit, &plain);
        };
        let before = self.edits.iter().filter(|edit| edit.at.end <= declared.end);
        let moved = before.fold(declared.end, |end, edit| end + edit.with.len() - edit.at.len());
        let repeated = self.tag.html(&format!("<meta charset={}>", declared.encoding.name()));
        let runs_before = self.scan.runs.is_some_and(|runs| runs < declared.end);
        let in_body = self.scan.head_over.is_some_and(|over| over < declared.end);
        let repetition_helps = place + repeated.len() <= WINDOW && !in_body;
        if moved + plain.len() <= WINDOW {
            self.insert(place, &plain);
        } else if runs_before || repetition_helps {
            self.insert(place, &repeated);
        } else {
            self.insert(declared.end, &plain);
        }
    }

    fn insert(&mut self, at: usize, text: &str) {
        let index = self.edits.partition_point(|edit| edit.at.start < at);
        let with = self.projection.encode(text);
        self.edits.insert(index, Edit { at: at..at, with });
    }

    /// The body ended and nothing in it made a browser open a head.
    fn place_at_end(&mut self) {
        if self.scan.place.is_some() || self.settled {
            return;
        }
        let unit = self.projection.unit();
        let complete = self.scan.accounted;
        let text = self.seen(complete * unit..self.out_at + self.held.len());
        let total = complete + text.len();
        if let Some(close) = closes_comment(&text) {
            // An open comment reaches to the end: closing it there changes nothing of it.
            self.settled = true;
            self.insert(total * unit, &format!("{close}{}", self.tag.html("")));
        } else if text.starts_with(b"<!") {
            self.give_up(complete);
        } else {
            self.scan.place = Some(complete);
        }
    }

    /// Nothing more will be read. A tag that still has no place gets one only where it can do no harm.
    fn give_up(&mut self, complete: usize) {
        if self.scan.place.is_none() {
            let start = complete * self.projection.unit();
            let text = self.seen(start..(start + 8).min(self.out_at + self.held.len()));
            if text.len() > 1 && text[0] == b'<' && text[1].is_ascii_alphabetic() {
                self.scan.place = Some(complete);
            } else {
                self.settled = true;
                self.not_placed = Some(
                    "it begins with a comment or doctype that is not closed, or larger than can be read".to_owned(),
                );
            }
        }
        self.scan.head_over = Some(complete);
    }

    /// Held bytes as the tokenizer saw them. Tokens begin at whole units and outside of escape sequences.
    fn seen(&self, at: Range<usize>) -> Vec<u8> {
        let mut text = Vec::new();
        let bytes = &self.held[at.start - self.out_at..at.end - self.out_at];
        self.projection.fresh().project(bytes, &mut text);
        text
    }

    /// Puts out what can not change any more.
    fn put_out(&mut self, out: &mut Vec<u8>) {
        self.settle(false);
        let unit = self.projection.unit();
        if self.scan.head_over.is_some() && self.settled {
            self.release(self.out_at + self.held.len(), out);
            self.tokenizer = None;
            self.held = Vec::new();
            return;
        }
        let until = match self.scan.place {
            Some(place) if !self.settled => place.min(self.scan.accounted),
            _ => self.scan.accounted,
        };
        self.release(until * unit, out);
    }

    fn release(&mut self, until: usize, out: &mut Vec<u8>) {
        let start = self.out_at;
        let mut taken = start;
        let due = self.edits.partition_point(|edit| edit.at.end <= until);
        for edit in self.edits.drain(..due) {
            out.extend_from_slice(&self.held[taken - start..edit.at.start - start]);
            out.extend_from_slice(&edit.with);
            taken = edit.at.end;
        }
        if until > taken {
            out.extend_from_slice(&self.held[taken - start..until - start]);
            taken = until;
        }
        self.held.drain(..taken - start);
        self.out_at = taken;
    }
}

/// What ends a comment that a document breaks off in, if it can be ended without becoming another.
fn closes_comment(tail: &[u8]) -> Option<&'static str> {
    match tail {
        [b'<', b'!', b'-', b'-', .., last] => (tail.len() > 6 && !b"-!<".contains(last)).then_some("-->"),
        [b'<', b'!', b'-', b'-'] => None,
        [b'<', b'!', rest @ ..] if rest.len() >= 7 && rest[..7].eq_ignore_ascii_case(b"doctype") => None,
        [b'<', b'!' | b'?', ..] => Some(">"),
        [b'<', b'/', first, ..] if !first.is_ascii_alphabetic() => Some(">"),
        _ => None,
    }
}

/// What may run scripts, or has to be loaded, in a body.
const RUNS_IN_BODY: [&str; 12] = [
    "script", "style", "link", "base", "iframe", "frameset", "object", "embed", "img", "video", "audio", "svg",
];

impl Scan {
    fn must_stand_before(&mut self, at: usize) {
        self.place.get_or_insert(at);
    }
}

impl Tag {
    fn html(&self, content: &str) -> String {
        let nonce = self.nonce();
        let tag = |path: &str, content: &str| format!("<script src=\"{path}\"{nonce}>{content}</script>");
        let first = self.first.as_deref().map(|path| tag(path, ""));
        first.unwrap_or_default() + &tag(&self.path, content)
    }

    /// For XML: closed by itself, and in its namespace whatever surrounds it.
    pub(super) fn xml(&self) -> String {
        let nonce = self.nonce();
        let tag = |path: &String| format!("<script xmlns=\"http://www.w3.org/1999/xhtml\" src=\"{path}\"{nonce}/>");
        self.first.iter().chain([&self.path]).map(tag).collect()
    }

    fn nonce(&self) -> String {
        let nonce = self.nonce.as_ref();
        nonce.map(|nonce| format!(" nonce=\"{nonce}\"")).unwrap_or_default()
    }
}
