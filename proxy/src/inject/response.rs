//! Is this response a document that gets the script?
//!
//! A response that a browser would show as a page and that does not get it says why, in a notice. What is no page, or a
//! page that somebody asked for as data, passes in silence.

use super::charset;
use super::coding::{Coding, content_codings};
use super::csp::{self, Needs};
use super::decode::{Decoder, Flow};
use super::headers::{HeaderEdits, latin1};
use super::html::Tag;
use super::media_type::{Kind, kind, media_type};
use super::plan::{Document, Plan};
use super::prescan;
use super::xml::{self, Place};
use super::{RequestFacts, Script};
use encoding_rs::Encoding;
use hyper::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, HeaderMap, LOCATION};
use hyper::{Method, StatusCode};
use xcheck_trace::notice::{Notice, NoticeKind};

#[derive(Debug)]
pub(crate) enum Decision {
    /// The body goes on as it is. A document that should have been instrumented says why it was not.
    Pass {
        edits: HeaderEdits,
        notice: Option<Notice>,
    },
    /// Ask again with more of the body; never said once it ended.
    NeedBytes,
    Inject(Box<Plan>),
}

/// As much of a body as is looked at before it is let go.
const LONGEST_LOOK: usize = 64 * 1024;

/// `first` is the body so far, as it came; `ended` says that there is no more.
pub(crate) fn decide(
    request: &RequestFacts,
    status: StatusCode,
    headers: &HeaderMap,
    first: &[u8],
    ended: bool,
    script: &Script,
) -> Decision {
    let media_type = media_type(headers);
    let by_type = kind(headers, media_type.as_ref(), b"", false);
    if by_type == Kind::Other || request.method == Method::HEAD || has_no_page(status, headers) {
        return pass();
    }
    if request.is_for_part_of_a_page() {
        let edits = if by_type == Kind::Html {
            HeaderEdits::keep_apart()
        } else {
            HeaderEdits::default()
        };
        return Decision::Pass { edits, notice: None };
    }
    if let Some(why) = unreadable(status, &by_type) {
        return not_instrumented(&by_type, why);
    }
    let codings = match content_codings(headers) {
        Ok(codings) => codings,
        Err(unknown) => {
            return not_instrumented(&by_type, &format!("its content coding {unknown:?} is not known here"));
        }
    };
    let charset = media_type.as_ref().and_then(|found| found.charset.clone());
    if charset.as_deref().is_some_and(charset::is_refused) {
        return not_instrumented(&by_type, "its charset is one that browsers refuse to decode");
    }
    let look = match look(&codings, first, ended) {
        Ok(Some(look)) => look,
        Ok(None) => return Decision::NeedBytes,
        Err(damage) => return not_instrumented(&by_type, &damage),
    };
    let kind = match kind(headers, media_type.as_ref(), &look.text, look.ended) {
        Kind::Unknown => return Decision::NeedBytes,
        Kind::Other | Kind::Multipart => return pass(),
        kind => kind,
    };
    if kind == (Kind::Xml { certain: false }) {
        match place_in_xml(charset.as_deref(), &look.text) {
            Place::Unknown if !look.ended && look.text.len() < LONGEST_LOOK => return Decision::NeedBytes,
            Place::Unknown | Place::Nowhere(_) => return pass(),
            Place::At(_) | Place::Open { .. } => {}
        }
    }
    let sandboxed = headers
        .get_all(CONTENT_SECURITY_POLICY)
        .iter()
        .any(|line| latin1(line).split(',').any(csp::forbids_all_scripts));
    if sandboxed {
        return not_instrumented(
            &kind,
            "its Content-Security-Policy is a sandbox in which no script runs",
        );
    }
    // The first piece of the body can say what the head does not.
    if kind == Kind::Html && charset.is_none() && first.is_empty() && !ended {
        return Decision::NeedBytes;
    }
    let needs = Needs::new(script);
    let (mut edits, policies) = HeaderEdits::instrument(headers, &needs);
    if let (Kind::Html, None, Some(encoding)) = (&kind, &charset, declared_late(&look.text)) {
        edits.declare(headers, encoding);
    }
    let tag = Tag {
        first: script.first_path(),
        path: script.path.clone(),
        nonce: policies.uses_nonce.then(|| script.nonce.clone()),
    };
    let document = Document {
        is_xml: kind != Kind::Html,
        charset,
        tag,
        needs,
        tells_imports: script.tells_imports,
    };
    Decision::Inject(Box::new(Plan::new(edits, Decoder::new(&codings), document, policies)))
}

/// The encoding of a `<meta>` that the script may push out of where browsers look. Behind a script of the page's own it
/// can neither be repeated nor be overtaken, so the head says it; what comes later than the first bytes, nobody can.
fn declared_late(text: &[u8]) -> Option<&'static Encoding> {
    /// No tag of ours is longer.
    const TAG: usize = 256;
    let window = &text[..text.len().min(prescan::WINDOW)];
    let found = prescan::declaration(window)?;
    let is_marked = Encoding::for_bom(window).is_some();
    (found.end + TAG > prescan::WINDOW && !is_marked).then_some(found.encoding)
}

fn place_in_xml(charset: Option<&str>, text: &[u8]) -> Place {
    if text.len() < charset::MARK {
        return Place::Unknown;
    }
    let transport = charset::transport(charset, text);
    xml::place(&xml::projected(&transport.projection, transport.mark, text))
}

/// Answers that a browser shows no body of.
fn has_no_page(status: StatusCode, headers: &HeaderMap) -> bool {
    let redirects = matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) && headers.contains_key(LOCATION);
    // Browsers save everything but "inline" and what names no type at all.
    let saved = headers.get(CONTENT_DISPOSITION).is_some_and(|value| {
        let value = latin1(value).to_ascii_lowercase();
        let disposition = value.split(';').next().unwrap_or_default().trim();
        !disposition.is_empty() && disposition != "inline" && !disposition.contains('=')
    });
    redirects || saved || matches!(status, StatusCode::NO_CONTENT | StatusCode::RESET_CONTENT)
}

fn unreadable(status: StatusCode, kind: &Kind) -> Option<&'static str> {
    match status {
        StatusCode::NOT_MODIFIED => Some("the browser was told to use the copy it has"),
        StatusCode::PARTIAL_CONTENT => Some("only a part of it was sent"),
        _ if *kind == Kind::Multipart => Some("it is a sequence of documents (multipart/x-mixed-replace)"),
        _ => None,
    }
}

/// The beginning of a body, decoded.
struct Look {
    text: Vec<u8>,
    ended: bool,
}

/// `Ok(None)`: nothing can be seen yet. `Err`: not even the beginning can be decoded, so nothing is touched and the
/// browser shows what it would have shown.
fn look(codings: &[Coding], first: &[u8], ended: bool) -> Result<Option<Look>, String> {
    let mut decoder = Decoder::new(codings);
    let mut text = Vec::new();
    let mut rest = first;
    loop {
        match decoder.decode(&mut rest, &mut text) {
            Ok(Flow::Full) if text.len() < LONGEST_LOOK => {}
            Ok(_) => break,
            Err(damage) if text.is_empty() => return Err(damage.to_string()),
            Err(_) => return Ok(Some(Look { text, ended: true })),
        }
    }
    if text.is_empty() && !ended && !codings.is_empty() {
        return Ok(None);
    }
    Ok(Some(Look { text, ended }))
}

fn pass() -> Decision {
    Decision::Pass {
        edits: HeaderEdits::default(),
        notice: None,
    }
}

/// Only what is surely a page is worth a notice: other XML, and bodies of no known type, may be anything.
fn not_instrumented(kind: &Kind, why: &str) -> Decision {
    let is_page = matches!(kind, Kind::Html | Kind::Multipart | Kind::Xml { certain: true });
    Decision::Pass {
        edits: HeaderEdits::default(),
        notice: is_page.then(|| Notice::new(NoticeKind::NotInstrumented, not_instrumented_text(why))),
    }
}

pub(super) fn not_instrumented_text(why: &str) -> String {
    format!("The document has no recorder in it: {why}.")
}
