//! The tokens of a document's beginning, as `lol_html` finds them, with their places.
//!
//! `lol_html` is asked where things are and never to change them: bytes are spliced by [`super::html`] alone, which makes
//! it plain that everything else stays as it was, and lets UTF-16 be read through a projection. It reads everything as
//! windows-1252, in which each byte is a character, so that places in its input are places in the document.

use super::csp::Limits;
use super::references;
use lol_html::html_content::{Attribute, Comment, Doctype, TextChunk, TextType};
use lol_html::send::{Element, HtmlRewriter, Settings};
use lol_html::{AsciiCompatibleEncoding, MemorySettings};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A token larger than this (a comment, a tag with its attributes) is given up on.
const MEMORY: usize = 4 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<W = What> {
    pub(super) at: Range<usize>,
    pub(super) what: W,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum What {
    StartTag {
        name: String,
        /// For `<meta http-equiv content>`.
        pragma: Option<Pragma>,
    },
    /// Text outside of `<script>`, `<style>`, `<title>` …: where its first character is that opens a body.
    Text { first: Option<usize> },
    /// Comments, the doctype, and text that is not markup's: of no importance but for its place.
    Nothing,
}

/// What is looked for in all of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inner {
    /// The value of a `srcdoc` whose scripts may run.
    Frame,
    /// A piece of a script that stands in the document; the last one may be empty.
    Script { is_over: bool },
    /// From here on this may be refused.
    Policy(Limits),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pragma {
    pub(super) http_equiv: String,
    /// As written, with its character references.
    pub(super) content: String,
    /// Where the value is, without its quotes.
    pub(super) content_at: Range<usize>,
}

/// What came out since last asked.
#[derive(Debug)]
pub(super) struct Found<W = What> {
    /// In the document's order. End tags are not among them: they are what lies between.
    pub(super) tokens: Vec<Token<W>>,
    /// Everything before this offset belongs to a whole token.
    pub(super) complete: usize,
}

impl<W> Default for Found<W> {
    fn default() -> Self {
        Found {
            tokens: Vec::new(),
            complete: 0,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the HTML parser gave up: a tag or comment is larger than {MEMORY} bytes")]
pub(super) struct GaveUp;

type Sink = Box<dyn FnMut(&[u8]) + Send>;

#[derive(Debug)]
pub(super) struct Tokenizer<W = What> {
    rewriter: HtmlRewriter<'static, Sink>,
    found: Arc<Mutex<Found<W>>>,
}

impl Tokenizer<Inner> {
    /// Finds nothing but where the values of `srcdoc` are, of frames without a sandbox, which may refuse scripts; the text of
    /// scripts; and policies that may refuse either.
    pub(super) fn of_inner_scripts() -> Tokenizer<Inner> {
        let found = Arc::new(Mutex::new(Found::default()));
        let (frame, policy, script) = (pushing(&found), pushing(&found), pushing(&found));
        let is_script = Arc::new(AtomicBool::new(false));
        let is_text_of_one = Arc::clone(&is_script);
        let selector = |text: &str| std::borrow::Cow::Owned(text.parse().expect("a selector"));
        let handlers = lol_html::send::ElementContentHandlers::default;
        let settings = settings()
            .append_element_content_handler((
                selector("iframe[srcdoc]"),
                handlers().element(move |element: &mut Element<'_, '_>| {
                    let value = attribute(element, "srcdoc").and_then(|srcdoc| srcdoc.value_source_location());
                    if let Some(value) = value.filter(|_| attribute(element, "sandbox").is_none()) {
                        frame(value.bytes(), Inner::Frame);
                    }
                    Ok(())
                }),
            ))
            .append_element_content_handler((
                selector("meta[http-equiv][content]"),
                handlers().element(move |element: &mut Element<'_, '_>| {
                    let is_policy = attribute(element, "http-equiv")
                        .is_some_and(|name| name.value().eq_ignore_ascii_case("content-security-policy"));
                    if let Some(content) = attribute(element, "content").filter(|_| is_policy) {
                        let limits = Limits::of(&references::decode(&content.value()));
                        policy(element.source_location().bytes(), Inner::Policy(limits));
                    }
                    Ok(())
                }),
            ))
            .append_element_content_handler((
                selector("script"),
                handlers()
                    .element(move |element: &mut Element<'_, '_>| {
                        is_script.store(holds_script(element), Relaxed);
                        Ok(())
                    })
                    .text(move |chunk: &mut TextChunk<'_>| {
                        if is_text_of_one.load(Relaxed) {
                            let is_over = chunk.last_in_text_node();
                            script(chunk.source_location().bytes(), Inner::Script { is_over });
                        }
                        Ok(())
                    }),
            ));
        Tokenizer::with(settings, found)
    }
}

impl Tokenizer {
    pub(super) fn new() -> Tokenizer {
        let found = Arc::new(Mutex::new(Found::default()));
        let (tag, text, comment, doctype) = (pushing(&found), pushing(&found), pushing(&found), pushing(&found));
        let settings = settings()
            .append_element_content_handler((
                std::borrow::Cow::Owned("*".parse().expect("a selector")),
                lol_html::send::ElementContentHandlers::default().element(move |element: &mut Element<'_, '_>| {
                    tag(element.source_location().bytes(), start_tag(element));
                    Ok(())
                }),
            ))
            .append_document_content_handler(
                lol_html::send::DocumentContentHandlers::default()
                    .text(move |chunk: &mut TextChunk<'_>| {
                        text(chunk.source_location().bytes(), text_token(chunk));
                        Ok(())
                    })
                    .comments(move |seen: &mut Comment<'_>| {
                        comment(seen.source_location().bytes(), What::Nothing);
                        Ok(())
                    })
                    .doctype(move |seen: &mut Doctype<'_>| {
                        doctype(seen.source_location().bytes(), What::Nothing);
                        Ok(())
                    }),
            );
        Tokenizer::with(settings, found)
    }
}

impl<W: Send + 'static> Tokenizer<W> {
    fn with(settings: Settings<'static, 'static>, found: Arc<Mutex<Found<W>>>) -> Tokenizer<W> {
        let counted = Arc::clone(&found);
        let sink: Sink = Box::new(move |bytes: &[u8]| lock(&counted).complete += bytes.len());
        Tokenizer {
            rewriter: HtmlRewriter::new(settings, sink),
            found,
        }
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), GaveUp> {
        self.rewriter.write(bytes).map_err(|_| GaveUp)
    }

    /// Tokens since last asked.
    pub(super) fn take(&mut self) -> Found<W> {
        let mut found = lock(&self.found);
        Found {
            tokens: std::mem::take(&mut found.tokens),
            complete: found.complete,
        }
    }
}

fn pushing<W>(found: &Arc<Mutex<Found<W>>>) -> impl Fn(Range<usize>, W) + Send + 'static + use<W>
where
    W: Send + 'static,
{
    let found = Arc::clone(found);
    move |at, what| lock(&found).tokens.push(Token { at, what })
}

/// Nothing here panics while it holds the lock, and what it guards is whole after each step.
fn lock<W>(found: &Mutex<Found<W>>) -> MutexGuard<'_, Found<W>> {
    found.lock().unwrap_or_else(PoisonError::into_inner)
}

fn settings() -> Settings<'static, 'static> {
    let memory = MemorySettings::new().with_max_allowed_memory_usage(MEMORY);
    Settings::new_send()
        .with_encoding(windows_1252())
        .with_strict(false)
        .with_memory_settings(memory)
}

fn windows_1252() -> AsciiCompatibleEncoding {
    AsciiCompatibleEncoding::new(encoding_rs::WINDOWS_1252).unwrap_or_else(AsciiCompatibleEncoding::utf_8)
}

fn attribute<'e, 'r>(element: &'e Element<'_, 'r>, wanted: &str) -> Option<&'e Attribute<'r>> {
    element.attributes().iter().find(|attribute| attribute.name() == wanted)
}

/// Rather than data, or another one's address.
fn holds_script(element: &Element<'_, '_>) -> bool {
    let kind = attribute(element, "type").map(|kind| kind.value().trim().to_ascii_lowercase());
    let is_script = kind.is_none_or(|kind| matches!(kind.as_str(), "" | "module") || kind.contains("javascript"));
    is_script && attribute(element, "src").is_none()
}

fn start_tag(element: &Element<'_, '_>) -> What {
    let name = element.tag_name();
    let first = |wanted: &str| attribute(element, wanted);
    let pragma = (name == "meta")
        .then(|| {
            let content = first("content")?;
            Some(Pragma {
                http_equiv: first("http-equiv")?.value(),
                content: content.value(),
                content_at: content.value_source_location()?.bytes(),
            })
        })
        .flatten();
    What::StartTag { name, pragma }
}

fn text_token(chunk: &TextChunk<'_>) -> What {
    if chunk.text_type() != TextType::Data {
        return What::Nothing;
    }
    let start = chunk.source_location().bytes().start;
    // White space is ASCII: the characters before the first other one are bytes. Browsers drop U+0000 here, though the
    // standard lets it open a body.
    let first = chunk
        .as_str()
        .find(|c| !matches!(c, '\t' | '\n' | '\x0c' | '\r' | ' ' | '\0'));
    What::Text {
        first: first.map(|index| start + index),
    }
}
