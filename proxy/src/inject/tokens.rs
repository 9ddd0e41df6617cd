//! The tokens of a document's beginning, as `lol_html` finds them, with their places.
//!
//! `lol_html` is asked where things are and never to change them: bytes are spliced by [`super::html`] alone, which makes
//! it plain that everything else stays as it was, and lets UTF-16 be read through a projection. It reads everything as
//! windows-1252, in which each byte is a character, so that places in its input are places in the document.

use lol_html::html_content::{Comment, Doctype, TextChunk, TextType};
use lol_html::send::{Element, HtmlRewriter, Settings};
use lol_html::{AsciiCompatibleEncoding, MemorySettings};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A token larger than this (a comment, a tag with its attributes) is given up on.
const MEMORY: usize = 4 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) at: Range<usize>,
    pub(super) what: What,
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pragma {
    pub(super) http_equiv: String,
    /// As written, with its character references.
    pub(super) content: String,
    /// Where the value is, without its quotes.
    pub(super) content_at: Range<usize>,
}

/// What came out since last asked.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// In the document's order. End tags are not among them: they are what lies between.
    pub(super) tokens: Vec<Token>,
    /// Everything before this offset belongs to a whole token.
    pub(super) complete: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the HTML parser gave up: a tag or comment is larger than {MEMORY} bytes")]
pub(super) struct GaveUp;

type Sink = Box<dyn FnMut(&[u8]) + Send>;

#[derive(Debug)]
pub(super) struct Tokenizer {
    rewriter: HtmlRewriter<'static, Sink>,
    found: Arc<Mutex<Found>>,
}

impl Tokenizer {
    pub(super) fn new() -> Tokenizer {
        let found = Arc::new(Mutex::new(Found::default()));
        let push = |found: &Arc<Mutex<Found>>| {
            let found = Arc::clone(found);
            move |at: Range<usize>, what: What| lock(&found).tokens.push(Token { at, what })
        };
        let (tag, text, comment, doctype) = (push(&found), push(&found), push(&found), push(&found));
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

    /// Finds nothing but where the values of `srcdoc` are, of frames without a sandbox, which may refuse scripts.
    pub(super) fn of_frames() -> Tokenizer {
        let found = Arc::new(Mutex::new(Found::default()));
        let values = Arc::clone(&found);
        let settings = settings().append_element_content_handler((
            std::borrow::Cow::Owned("iframe[srcdoc]".parse().expect("a selector")),
            lol_html::send::ElementContentHandlers::default().element(move |element: &mut Element<'_, '_>| {
                let first = |wanted: &str| element.attributes().iter().find(|attribute| attribute.name() == wanted);
                if first("sandbox").is_some() {
                    return Ok(());
                }
                if let Some(value) = first("srcdoc").and_then(|srcdoc| srcdoc.value_source_location()) {
                    let (at, what) = (value.bytes(), What::Nothing);
                    lock(&values).tokens.push(Token { at, what });
                }
                Ok(())
            }),
        ));
        Tokenizer::with(settings, found)
    }

    fn with(settings: Settings<'static, 'static>, found: Arc<Mutex<Found>>) -> Tokenizer {
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
    pub(super) fn take(&mut self) -> Found {
        let mut found = lock(&self.found);
        Found {
            tokens: std::mem::take(&mut found.tokens),
            complete: found.complete,
        }
    }
}

/// Nothing here panics while it holds the lock, and what it guards is whole after each step.
fn lock(found: &Mutex<Found>) -> MutexGuard<'_, Found> {
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

fn start_tag(element: &Element<'_, '_>) -> What {
    let name = element.tag_name();
    let first = |wanted: &str| element.attributes().iter().find(|attribute| attribute.name() == wanted);
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
