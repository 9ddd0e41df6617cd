//! One request to an origin and its response on the way back, kept as they pass.

use crate::body::{self, Body};
use crate::expect::hold_until_wanted;
use crate::failure::{Answer, Asker, Failure};
use crate::headers;
use crate::inject::{KEPT_APART, RequestFacts, prepare_request};
use crate::instrument::{instrument, instrument_worker, without_effect};
use crate::record::{Recorder, Recording, Tee};
use crate::session::{Mode, Session};
use hyper::body::Incoming;
use hyper::header::{CACHE_CONTROL, HOST, HeaderMap, HeaderValue, VARY};
use hyper::http::request;
use hyper::{Request, Response, Uri, Version};
use xcheck_trace::notice::{Notice, NoticeKind};

pub(crate) async fn forward(session: &Session, url: Uri, request: Request<Incoming>) -> Answer {
    match &session.mode {
        Mode::Record(recorder) => record(session, recorder, url, request).await,
        Mode::Pass | Mode::Serve(_) if session.live.is_some() => pass_live(session, url, request).await,
        Mode::Pass | Mode::Serve(_) => pass(session, url, request).await,
    }
}

/// Forwards and changes nothing, for comparison.
async fn pass(session: &Session, url: Uri, request: Request<Incoming>) -> Answer {
    let (mut head, incoming) = request.into_parts();
    prepare_head(&mut head, url.clone());
    let mut outgoing = Request::from_parts(head, body::boxed(incoming));
    hold_until_wanted(&mut outgoing);
    match session.upstream.send(outgoing).await {
        Err(error) => Ok(Failure::upstream(&error, &url.to_string()).page()),
        Ok(response) => {
            let (mut head, incoming) = response.into_parts();
            headers::remove_hop_by_hop(&mut head.headers);
            Ok(Response::from_parts(head, body::boxed(incoming)))
        }
    }
}

/// Forwards, with live pages, and keeps nothing.
async fn pass_live(session: &Session, url: Uri, request: Request<Incoming>) -> Answer {
    let (mut head, incoming) = request.into_parts();
    let facts = prepare_request(&head.method, &url, &mut head.headers);
    prepare_head(&mut head, url.clone());
    let asker = Asker::of(&facts, &head.headers);
    let mut outgoing = Request::from_parts(head, body::boxed(incoming));
    hold_until_wanted(&mut outgoing);
    let response = match session.upstream.send(outgoing).await {
        Ok(response) => response,
        Err(error) => {
            session.document_failed(&facts, &url);
            return Failure::upstream(&error, &url.to_string()).answer(asker);
        }
    };
    let (mut head, incoming) = response.into_parts();
    headers::remove_hop_by_hop(&mut head.headers);
    let script = || session.script_for(&url, None);
    let instrumented = instrument(&facts, head, body::boxed(incoming), script, || |_: Notice| {}).await;
    session.document_answered(&facts, &url, &instrumented);
    for notice in &instrumented.notices {
        tracing::debug!(%url, "{}", notice.text);
    }
    if let Some(script) = instrumented.injected {
        session.pages.register(script, None);
    }
    Ok(instrumented.response)
}

async fn record(session: &Session, recorder: &Recorder, url: Uri, request: Request<Incoming>) -> Answer {
    recorder.room().await;
    let (mut head, incoming) = request.into_parts();
    let recording = recorder.begin(&head, &url);
    session.service_workers.began(&head, &url, &recording);
    let facts = prepare_request(&head.method, &url, &mut head.headers);
    if let Some(response) = session.earlier.answer(&url, &head, facts.is_for_a_window()).await {
        return Ok(answer(session, &facts, &url, response, recording).await);
    }
    prepare_head(&mut head, url.clone());
    let asker = Asker::of(&facts, &head.headers);
    let mut outgoing = Request::from_parts(head, Tee::request(incoming, &recording));
    hold_until_wanted(&mut outgoing);
    match session.upstream.send(outgoing).await {
        Ok(response) => Ok(answer(session, &facts, &url, response, recording).await),
        Err(error) => {
            let failure = Failure::upstream(&error, &url.to_string());
            recording.fail(failure.reason());
            session.document_failed(&facts, &url);
            failure.answer(asker)
        }
    }
}

/// Turns the client's head into ours. `Host` is written anew from the URL unless it says something else.
pub(crate) fn prepare_head(head: &mut request::Parts, url: Uri) {
    headers::remove_hop_by_hop(&mut head.headers);
    if names_the_same_host(&head.headers, &url) {
        head.headers.remove(HOST);
    }
    head.uri = url;
    head.version = Version::HTTP_11;
}

/// HTTP/2 takes the host from the URL, and servers refuse a request that says it twice.
fn names_the_same_host(headers: &HeaderMap, url: &Uri) -> bool {
    let (Some(host), Some(authority)) = (headers.get(HOST), url.authority()) else {
        return false;
    };
    let host = host.as_bytes();
    let port = if url.scheme_str() == Some("https") {
        &b":443"[..]
    } else {
        b":80"
    };
    host.strip_suffix(port)
        .unwrap_or(host)
        .eq_ignore_ascii_case(authority.as_str().as_bytes())
}

async fn answer<B>(
    session: &Session,
    facts: &RequestFacts,
    url: &Uri,
    response: Response<B>,
    recording: Recording,
) -> Response<Body>
where
    B: body::Passing,
{
    let (mut head, incoming) = response.into_parts();
    recording.response_head(&head);
    headers::remove_hop_by_hop(&mut head.headers);
    if facts.is_for_service_worker() && session.has_service_workers() {
        let notify = notifier(&recording, url);
        let body = body::boxed(Tee::response(incoming, recording));
        let (response, changes) = session.instrument_service_worker(head, body, url).await;
        for change in changes {
            notify(Notice {
                kind: NoticeKind::PolicyRelaxed,
                text: format!("A service worker's policy was widened for the recorder. {change}."),
                url: None,
                exchange: None,
                load: None,
            });
        }
        return response;
    }
    if facts.is_for_service_worker() {
        notifier(&recording, url)(Notice {
            kind: NoticeKind::Unsupported,
            text: "A service worker was kept from running: the page has one that does nothing. `--service-workers` lets it run.".to_owned(),
            url: None,
            exchange: None,
            load: None,
        });
        let body = body::boxed(Tee::response(incoming, recording));
        return without_effect(Response::from_parts(head, body)).await;
    }
    if facts.is_for_worker() {
        let (id, body) = (recording.id(), body::boxed(Tee::response(incoming, recording)));
        return instrument_worker(head, body, || session.worker_recorder(url, id)).await;
    }
    let script = || session.script_for(url, None);
    recording.undecided();
    let body = body::boxed(Tee::response(incoming, recording.clone()));
    let notify = || notifier(&recording, url);
    let instrumented = instrument(facts, head, body, script, notify).await;
    recording.decided(instrumented.injected.as_ref());
    session.document_answered(facts, url, &instrumented);
    let was_missed = instrumented.injected.is_none() && !instrumented.notices.is_empty();
    if !instrumented.notices.is_empty() {
        instrumented.notices.into_iter().for_each(notify());
    }
    let mut response = match instrumented.injected {
        Some(script) => {
            session.pages.register(script, Some(recording.id()));
            session.modules.look_at(instrumented.response)
        }
        None if session.marks_modules() => session.modules.mark(facts, instrumented.response, &recording),
        None => instrumented.response,
    };
    if was_missed {
        session.modules.missed_one();
    }
    if session.has_service_workers() {
        keep_apart_otherwise(response.headers_mut());
    }
    response
}

/// What keeps copies for different uses apart in the browser's cache would keep a worker from finding them in its own, which goes by
/// `Vary`, too: there is only one copy then, and it is asked about each time.
pub(crate) fn keep_apart_otherwise(headers: &mut HeaderMap) {
    let kept: Vec<HeaderValue> = headers
        .get_all(VARY)
        .iter()
        .filter(|value| *value != KEPT_APART)
        .cloned()
        .collect();
    if kept.len() == headers.get_all(VARY).iter().count() {
        return;
    }
    headers.remove(VARY);
    for value in kept {
        headers.append(VARY, value);
    }
    headers.append(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
}

/// Fills in where a notice comes from. Holds no handle of the exchange: that would keep it from ending.
pub(crate) fn notifier(recording: &Recording, url: &Uri) -> impl Fn(Notice) + Send + Unpin + 'static + use<> {
    let (recorder, exchange, url) = (recording.recorder().clone(), recording.id(), url.clone());
    move |mut notice: Notice| {
        notice.exchange.get_or_insert(exchange);
        notice.url.get_or_insert_with(|| url.to_string());
        recorder.notice(notice);
    }
}
