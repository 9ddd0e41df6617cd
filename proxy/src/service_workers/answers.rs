//! What a service worker tells: a line of JSON, and behind it the bytes of what it answered.

use super::ServiceWorkers;
use crate::body::{self, Body};
use crate::forward::{keep_apart_otherwise, notifier};
use crate::inject::prepare_request;
use crate::instrument::instrument;
use crate::pages::{PREFIX, plain};
use crate::record::Recorder;
use crate::session::Session;
use crate::target;
use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::http::{request, response};
use hyper::{Method, Request, Response, StatusCode, Uri};
use serde::Deserialize;
use xcheck_trace::exchange::{End, WorkerPart};
use xcheck_trace::notice::{Notice, NoticeKind};

/// One answer, and all of one worker's.
const ANSWER: usize = 64 * 1024 * 1024;
const ANSWERS: u64 = 1024 * 1024 * 1024;

/// What stands before the address in our tag is shorter.
const LONGEST_TAG: usize = 1024;

/// What one worker may have written down about it, so that a page which speaks in its name cannot fill the disk.
const NOTICES: u32 = 100;
const NOTICE: usize = 400;

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Told {
    Fetching(Vec<Announced>),
    Over { id: u64, passed: bool },
    Notice(String),
    Answered(Box<Answered>),
}

#[derive(Deserialize)]
struct Announced {
    id: u64,
    method: String,
    url: String,
}

/// A request that a page made, and what it was given.
#[derive(Deserialize)]
struct Answered {
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    /// Milliseconds since the epoch.
    started: f64,
    /// Absent where the page was given an error.
    answer: Option<Given>,
}

#[derive(Deserialize)]
struct Given {
    status: u16,
    headers: Vec<(String, String)>,
}

/// Takes what a worker says. What is refused becomes a notice; the worker learns nothing of it.
pub(crate) async fn hear(session: &Session, origin: &str, secret: &str, body: Incoming) -> Response<Body> {
    let nothing = || plain(StatusCode::NO_CONTENT);
    if !session.service_workers.is_known(secret, origin) {
        return nothing();
    }
    let told = match Limited::new(body, ANSWER).collect().await {
        Ok(collected) => collected.to_bytes(),
        Err(error) => {
            let text = format!("What a service worker answered was not kept: {error}.");
            note(session, secret, NoticeKind::LogRefused, text);
            return nothing();
        }
    };
    let end = told.iter().position(|byte| *byte == b'\n').unwrap_or(told.len());
    let bytes = told.slice((end + 1).min(told.len())..);
    match serde_json::from_slice(&told[..end]) {
        Ok(told) => take(session, origin, secret, told, bytes).await.unwrap_or_else(nothing),
        Err(error) => {
            let text = format!("A service worker was not understood: {error}.");
            note(session, secret, NoticeKind::LogRefused, text);
            nothing()
        }
    }
}

async fn take(session: &Session, origin: &str, secret: &str, told: Told, bytes: Bytes) -> Option<Response<Body>> {
    let workers: &ServiceWorkers = &session.service_workers;
    match told {
        Told::Fetching(list) => {
            for announced in list {
                workers.announce(secret, announced.id, announced.method, &announced.url);
            }
        }
        Told::Over { id, passed: true } => workers.over(secret, id, WorkerPart::PassedOn),
        Told::Over { id, passed: false } => workers.over(secret, id, WorkerPart::Fetched),
        Told::Notice(text) => note(session, secret, NoticeKind::Unsupported, text),
        Told::Answered(answered) => {
            let recorder = session.recorder()?;
            let refused = |why: &str| note(session, secret, NoticeKind::LogRefused, why.to_owned());
            if !workers.has_room(secret, bytes.len() as u64) {
                refused("A service worker's answers are over their limit; one was not kept.");
                return None;
            }
            return match answered.understood() {
                Some(asked) if asked.is_foreign_document(origin) => {
                    refused(
                        "A service worker answered for a document of another origin, which none can; it was not kept.",
                    );
                    None
                }
                Some(asked) => keep(session, recorder, asked, bytes).await,
                None => {
                    refused("A service worker's answer was not understood.");
                    None
                }
            };
        }
    }
    None
}

impl ServiceWorkers {
    fn has_room(&self, secret: &str, bytes: u64) -> bool {
        let mut state = self.state();
        let worker = state.worker(secret);
        let fits = worker.bytes + bytes <= ANSWERS;
        if fits {
            worker.bytes += bytes;
        }
        fits
    }

    fn may_note(&self, secret: &str) -> bool {
        let mut state = self.state();
        let worker = state.worker(secret);
        worker.notices += 1;
        worker.notices <= NOTICES
    }
}

struct Asked {
    request: request::Parts,
    url: Uri,
    started_ms: f64,
    response: Option<response::Parts>,
}

impl Asked {
    fn is_foreign_document(&self, origin: &str) -> bool {
        let facts = prepare_request(&self.request.method, &self.url, &mut self.request.headers.clone());
        facts.is_for_a_document() && target::origin(&self.url) != origin
    }
}

impl Answered {
    fn understood(self) -> Option<Asked> {
        let url: Uri = self.url.parse().ok()?;
        if !matches!(url.scheme_str(), Some("http" | "https")) || url.authority().is_none() {
            return None;
        }
        let (mut request, ()) = Request::new(()).into_parts();
        request.method = Method::from_bytes(self.method.as_bytes()).ok()?;
        request.uri = url.clone();
        request.headers = header_map(&self.headers)?;
        let response = match self.answer {
            None => None,
            Some(given) => {
                let (mut head, ()) = Response::new(()).into_parts();
                head.status = StatusCode::from_u16(given.status).ok()?;
                head.headers = header_map(&given.headers)?;
                Some(head)
            }
        };
        Some(Asked {
            request,
            url,
            started_ms: self.started,
            response,
        })
    }
}

fn header_map(pairs: &[(String, String)]) -> Option<HeaderMap> {
    let mut map = HeaderMap::new();
    for (name, value) in pairs {
        // Scripts see a header's bytes each as the character of that number.
        let value: Option<Vec<u8>> = value.chars().map(|c| u8::try_from(c).ok()).collect();
        map.append(HeaderName::try_from(name).ok()?, HeaderValue::from_bytes(&value?).ok()?);
    }
    Some(map)
}

/// Writes an answer down. A document goes back with our script in it; for anything else nothing is to be said.
async fn keep(session: &Session, recorder: &Recorder, asked: Asked, bytes: Bytes) -> Option<Response<Body>> {
    let Asked {
        mut request,
        url,
        started_ms,
        response,
    } = asked;
    recorder.room().await;
    let recording = recorder.begin(&request, &url);
    recording.undecided();
    recording.worker(WorkerPart::Answered);
    let Some(head) = response else {
        recording.end(End::Failed {
            reason: "The service worker answered with an error.".to_owned(),
        });
        return None;
    };
    let bytes = without_our_tags(bytes);
    recording.told(&head, bytes.clone(), started_ms);
    recording.undecided();
    recording.end(End::Complete);
    let facts = prepare_request(&request.method, &url, &mut request.headers);
    if !facts.is_for_a_document() {
        recording.decided(None);
        return None;
    }
    let script = || session.script_for(&url, None);
    let notify = || notifier(&recording, &url);
    let instrumented = instrument(&facts, head, body::full(bytes), script, notify).await;
    recording.decided(instrumented.injected.as_ref());
    session.document_answered(&facts, &url, &instrumented);
    instrumented.notices.into_iter().for_each(notify());
    session.pages.register(instrumented.injected?, Some(recording.id()));
    let mut response = instrumented.response;
    keep_apart_otherwise(response.headers_mut());
    // The worker has the real one.
    *response.status_mut() = StatusCode::OK;
    Some(response)
}

/// A worker may keep a document that had come for a page, and give it to another. Two tags of ours may stand in it, one behind
/// the other.
fn without_our_tags(mut bytes: Bytes) -> Bytes {
    for _ in 0..2 {
        let Some(tag) = our_tag(&bytes) else { break };
        bytes = [&bytes[..tag.start], &bytes[tag.end..]].concat().into();
    }
    bytes
}

fn our_tag(bytes: &[u8]) -> Option<std::ops::Range<usize>> {
    let find = |what: &[u8], from: usize| {
        let found = bytes.get(from..)?.windows(what.len()).position(|window| window == what);
        found.map(|at| from + at)
    };
    let ours = format!("src=\"{PREFIX}");
    let mut source = find(ours.as_bytes(), 0)?;
    let start = loop {
        match begin_of_tag(bytes, source) {
            Some(start) => break start,
            None => source = find(ours.as_bytes(), source + 1)?,
        }
    };
    let closes = find(b">", start)?;
    let end = match bytes[closes - 1] {
        b'/' => closes + 1,
        _ => find(b"</script>", closes)? + b"</script>".len(),
    };
    Some(start..end)
}

/// Where the tag begins that this attribute stands in, if it is a script's.
fn begin_of_tag(bytes: &[u8], attribute: usize) -> Option<usize> {
    const SCRIPT: &[u8] = b"<script ";
    let from = attribute.saturating_sub(LONGEST_TAG);
    let before = &bytes[from..attribute];
    let start = before.windows(SCRIPT.len()).rposition(|window| window == SCRIPT)?;
    (!before[start..].contains(&b'>')).then_some(from + start)
}

fn note(session: &Session, secret: &str, kind: NoticeKind, text: String) {
    if session.service_workers.may_note(secret) {
        session.notice(Notice::new(kind, text.chars().take(NOTICE).collect()));
    }
}

#[cfg(test)]
mod tests {
    use super::without_our_tags;
    use bytes::Bytes;

    #[test]
    fn a_document_that_was_kept_loses_the_tag_it_had_come_with_and_nothing_else() {
        let check = |document: &'static str, expected: &str| {
            assert_eq!(without_our_tags(Bytes::from_static(document.as_bytes())), expected);
        };
        check(
            r#"<!doctype html><head><script src="/__xcheck/0a.js" nonce="1f"></script><script src="/a.js"></script>"#,
            r#"<!doctype html><head><script src="/a.js"></script>"#,
        );
        check(
            r#"<script >1</script><html><script xmlns="http://www.w3.org/1999/xhtml" src="/__xcheck/0a.js"/><p/>"#,
            r#"<script >1</script><html><p/>"#,
        );
        check(
            r#"<head><script src="/__xcheck/0a/first.js"></script><script src="/__xcheck/0a.js"></script><title>"#,
            "<head><title>",
        );
        for kept in [
            "",
            "<p>",
            r#"<script src="/a.js"></script>"#,
            r#"<script src="/__xcheck/0"#,
        ] {
            check(kept, kept);
        }
    }
}
