//! What the proxy answers below `/__xcheck/`, on every origin, without asking the origin.

use super::log::{self, Line};
use super::{NewLoad, PageLoad, limits};
use crate::body::{self, Body};
use crate::record::{Command, Recorder};
use crate::serve::{Serve, open_channel};
use crate::session::{Mode, Session};
use bytes::Bytes;
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL,
    CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::json;
use xcheck_trace::event::LoadId;
use xcheck_trace::exchange::ExchangeId;
use xcheck_trace::notice::{Notice, NoticeKind};

pub(crate) const PREFIX: &str = "/__xcheck/";

/// Paths that never go upstream.
pub(crate) fn is_ours(path: &str) -> bool {
    path.starts_with(PREFIX) || path == "/__xcheck"
}

/// Answers a request below [`PREFIX`] on `origin`.
pub(crate) async fn answer(session: &Session, origin: &str, request: Request<Incoming>) -> Response<Body> {
    let rest = request.uri().path().strip_prefix(PREFIX).unwrap_or_default().to_owned();
    let parts: Vec<&str> = rest.split('/').collect();
    let method = request.method().clone();
    match (method, parts.as_slice()) {
        (Method::GET, [script]) if script.ends_with(".js") => {
            self::script(session, origin, script.trim_end_matches(".js"))
        }
        (Method::GET, [secret, "channel"]) => channel(session, origin, secret, request),
        (Method::POST, [secret, "log"]) => log_batch(session, origin, secret, request.into_body()).await,
        (Method::OPTIONS, [_, "log"]) => preflight(),
        _ => plain(StatusCode::NOT_FOUND),
    }
}

fn script(session: &Session, origin: &str, token: &str) -> Response<Body> {
    let start = |number: &dyn Fn(Option<ExchangeId>) -> Option<LoadId>| session.pages.start_load(token, origin, number);
    let text = match &session.mode {
        Mode::Record(_) => start(&|_| None).map(|load| recorder(session, &load)),
        Mode::Serve(serve) => {
            start(&|exchange| Some(serve.next_load(exchange))).map(|load| replayer(session, serve, &load))
        }
        Mode::Pass => None,
    };
    let Some(text) = text else {
        return plain(StatusCode::NOT_FOUND);
    };
    let mut response = Response::new(body::full(text));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    open_to_all(&mut response);
    response
}

fn recorder(session: &Session, load: &NewLoad) -> String {
    xcheck_replay_js::recorder(&json!({
        "load": load.load,
        "endpoint": format!("{PREFIX}{}", load.secret),
        "session": session.pages.session,
        "storage": load.first_of_origin,
    }))
}

fn replayer(session: &Session, serve: &Serve, load: &NewLoad) -> String {
    let storage = serve.trace.load(load.load).and_then(|load| load.storage.as_ref());
    let config = json!({
        "load": load.load,
        "endpoint": format!("{PREFIX}{}", load.secret),
        "session": session.pages.session,
        "storage": storage,
        "exchange": load.exchange,
    });
    xcheck_replay_js::replayer(&config, serve.trace.events_of(load.load))
}

/// Hands the document's channel to the replay loop.
fn channel(session: &Session, origin: &str, secret: &str, mut request: Request<Incoming>) -> Response<Body> {
    let Mode::Serve(serve) = &session.mode else {
        return plain(StatusCode::NOT_FOUND);
    };
    let Some((load, exchange)) = session.pages.load_of(secret, origin) else {
        return plain(StatusCode::NOT_FOUND);
    };
    let upgrade = hyper::upgrade::on(&mut request);
    let opened = open_channel(session, serve, load, exchange, request.headers(), upgrade);
    opened.unwrap_or_else(|| plain(StatusCode::BAD_REQUEST))
}

/// Takes a batch of lines. The answer is always the same, so that nobody learns anything from it.
async fn log_batch(session: &Session, origin: &str, secret: &str, body: Incoming) -> Response<Body> {
    if let Mode::Record(recorder) = &session.mode {
        recorder.room().await;
        let batch = Limited::new(body, limits::BATCH).collect().await;
        let batch = batch.map(|collected| collected.to_bytes());
        if let Err(why) = take_batch(session, recorder, origin, secret, batch) {
            recorder.notice(why);
        }
    }
    let mut response = plain(StatusCode::NO_CONTENT);
    open_to_all(&mut response);
    response
}

fn take_batch(
    session: &Session,
    recorder: &Recorder,
    origin: &str,
    secret: &str,
    batch: Result<Bytes, body::BoxError>,
) -> Result<(), Notice> {
    let mut state = session.pages.state();
    let session_bytes = state.bytes;
    let Some(page) = state.loads.get_mut(secret).filter(|page| page.origin == origin) else {
        return Err(refused(
            None,
            format!("A log that came to {origin} belongs to no page of this session there."),
        ));
    };
    let batch = match batch {
        Ok(batch) => batch,
        Err(error) if error.is::<http_body_util::LengthLimitError>() => {
            return page.refuse(format!(
                "A batch of more than {} MiB was not kept.",
                limits::BATCH / 1024 / 1024
            ));
        }
        Err(error) => return page.refuse(format!("A batch broke off and was not kept: {error}.")),
    };
    let size = batch.len() as u64;
    if page.bytes + size > limits::LOAD || session_bytes + size > limits::SESSION {
        return page.refuse("The page's log is over its limit; what it sends from now on is not kept.".to_owned());
    }
    page.bytes += size;
    let mut trouble = Ok(());
    let mut hello = None;
    for line in batch
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
    {
        match log::parse(line.trim_ascii(), page.load) {
            Ok(Line::Hello(_)) if page.greeted => trouble = page.refuse("A page said hello twice.".to_owned()),
            Ok(Line::Hello(said)) => {
                page.greeted = true;
                hello = Some(said);
            }
            Ok(Line::Event(event)) => recorder.send(Command::Event(event)),
            Ok(Line::Source(source)) => recorder.send(Command::Source(source)),
            Ok(Line::Notice(notice)) => recorder.notice(notice),
            Err(error) => trouble = page.refuse(format!("A line of a page's log was not understood: {error}.")),
        }
    }
    let (load, exchange) = (page.load, page.exchange);
    state.bytes += size;
    if let Some(hello) = hello {
        let seat = state.windows.seat(load, &hello);
        recorder.send(Command::Load(Box::new(hello.into_load(load, exchange, seat))));
    }
    state.windows.touch(load);
    trouble
}

impl PageLoad {
    /// Counts a refusal; only the first few are told of.
    fn refuse(&mut self, text: String) -> Result<(), Notice> {
        self.refusals += 1;
        if self.refusals > limits::REFUSALS_TOLD {
            Ok(())
        } else {
            Err(refused(Some(self.load), text))
        }
    }
}

fn refused(load: Option<LoadId>, text: String) -> Notice {
    Notice {
        kind: NoticeKind::LogRefused,
        text,
        url: None,
        exchange: None,
        load,
    }
}

fn preflight() -> Response<Body> {
    let mut response = plain(StatusCode::NO_CONTENT);
    open_to_all(&mut response);
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
    headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("content-type"));
    response
}

/// A sandboxed document has no origin, and a document with COEP takes only what says so; both load our script.
fn open_to_all(response: &mut Response<Body>) {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
}

fn plain(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(body::empty());
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
