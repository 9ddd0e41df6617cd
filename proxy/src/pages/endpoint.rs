//! What the proxy answers below `/__xcheck/`, on every origin, without asking the origin.

use super::{NewLoad, batch, contents};
use crate::body::{self, Body};
use crate::channel::PageNews;
use crate::channel::open as open_channel;
use crate::config::Profiles;
use crate::live::Live;
use crate::record::Recorder;
use crate::serve::{Serve, switching};
use crate::service_workers;
use crate::session::{Mode, Session};
use hyper::body::Incoming;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL,
    CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS,
};
use hyper::{Method, Request, Response, StatusCode, Uri};
use serde_json::json;
use std::sync::Arc;
use tokio::sync::mpsc;
use xcheck_trace::event::{LoadId, Made};
use xcheck_trace::exchange::ExchangeId;

pub(crate) const PREFIX: &str = "/__xcheck/";

/// Paths that never go upstream.
pub(crate) fn is_ours(path: &str) -> bool {
    path.starts_with(PREFIX) || path == "/__xcheck"
}

/// Answers a request below [`PREFIX`] on `origin`.
pub(crate) async fn answer(session: &Arc<Session>, origin: &str, request: Request<Incoming>) -> Response<Body> {
    let rest = request.uri().path().strip_prefix(PREFIX).unwrap_or_default().to_owned();
    let parts: Vec<&str> = rest.split('/').collect();
    let method = request.method().clone();
    match (method, parts.as_slice()) {
        (Method::GET, [script]) if script.ends_with(".js") => {
            self::script(session, origin, script.trim_end_matches(".js")).await
        }
        (Method::GET, [token, "first.js"]) => first_script(session, origin, token).await,
        (Method::GET, [secret, "kept"]) => kept_socket(session, origin, secret, request),
        (Method::GET, ["storage"]) => empty_page(),
        (Method::GET, [secret, "channel"]) => channel(session, origin, secret, request),
        (Method::GET, [secret, "log"]) if request.uri().query().is_some() => {
            made_worker(session, origin, secret, request.uri())
        }
        (Method::GET, [secret, "log"]) => log_socket(session, origin, secret, request),
        (Method::POST, [secret, "log"]) => log(session, origin, secret, request).await,
        (Method::POST, [secret, "worker"]) => service_workers::hear(session, origin, secret, request.into_body()).await,
        (Method::OPTIONS, [_, "log"]) => preflight(),
        (Method::POST, [secret, "bye"]) => bye(session, origin, secret),
        _ => plain(StatusCode::NOT_FOUND),
    }
}

async fn script(session: &Session, origin: &str, token: &str) -> Response<Body> {
    if let Some(errand) = session.pages.errand_is_over(token, origin).await {
        contents::given_up(session, origin, errand);
    }
    let start = |number: &dyn Fn(Option<ExchangeId>) -> Option<LoadId>| session.pages.start_load(token, origin, number);
    let load = match &session.mode {
        Mode::Record(_) | Mode::Pass => start(&|_| None),
        Mode::Serve(serve) => start(&|exchange| Some(serve.next_load(exchange))),
    };
    let text = load.map(|load| match (&session.live, &session.mode) {
        (Some(live), _) => live_script(session, live, &load),
        (None, Mode::Serve(serve)) => replayer(session, serve, &load),
        (None, Mode::Record(_) | Mode::Pass) => recorder(session, &load),
    });
    let Some(text) = text else {
        return plain(StatusCode::NOT_FOUND);
    };
    of_script(text)
}

/// What runs before the document's own script. It is asked for again by a document from the browser's cache, too: then nothing
/// but its tag has to go.
async fn first_script(session: &Session, origin: &str, token: &str) -> Response<Body> {
    let script = contents::script(session, origin, token).await;
    of_script(script.unwrap_or_else(|| "document.currentScript?.remove();\n".to_owned()))
}

/// What runs before the script of a worker that a document has made, which the query says.
fn made_worker(session: &Session, origin: &str, secret: &str, url: &Uri) -> Response<Body> {
    let number = url.query().and_then(|query| query.parse().ok());
    let load = session.pages.load_of(secret, origin);
    let made = number.zip(load).map(|(number, (load, _))| Made { load, number });
    match made.and_then(|made| session.made_worker_script(origin, made)) {
        Some(text) => of_script(text),
        None => plain(StatusCode::NOT_FOUND),
    }
}

fn of_script(text: String) -> Response<Body> {
    let mut response = Response::new(body::full(text));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    open_to_all(&mut response);
    response
}

/// By which the script that runs first speaks.
fn kept_socket(session: &Arc<Session>, origin: &str, secret: &str, mut request: Request<Incoming>) -> Response<Body> {
    let Some(errand) = session.pages.errand_by(secret, origin) else {
        return plain(StatusCode::NOT_FOUND);
    };
    let Some(response) = switching(request.headers()) else {
        return plain(StatusCode::BAD_REQUEST);
    };
    let upgrade = hyper::upgrade::on(&mut request);
    let (session_of_task, origin, secret) = (session.clone(), origin.to_owned(), secret.to_owned());
    session.tasks.spawn_endless(async move {
        if let Ok(upgraded) = upgrade.await {
            contents::hear(&session_of_task, &origin, &secret, errand, upgraded).await;
        }
    });
    response
}

fn recorder(session: &Session, load: &NewLoad) -> String {
    xcheck_replay_js::recorder(&json!({
        "zone": session.recorder().is_some_and(Recorder::lacks_time_zone),
        "load": load.load,
        "endpoint": format!("{PREFIX}{}", load.secret),
        "session": session.pages.session,
        // To ask takes a new browser four milliseconds, and what it has comes of what is recorded.
        "storage": load.first_of_origin && session.profiles == Profiles::Used,
        "sockets": load.sockets,
        "inline": load.inline,
    }))
}

fn live_script(session: &Session, live: &Live, load: &NewLoad) -> String {
    let mut config = live.settings();
    let own = json!({
        "load": load.load,
        "endpoint": format!("{PREFIX}{}", load.secret),
        "session": session.pages.session,
        "storage": load.first_of_origin,
        "sockets": load.sockets,
        "inline": load.inline,
        "zone": session.recorder().is_some_and(Recorder::lacks_time_zone),
        "log": session.recorder().is_some(),
    });
    config.extend(own.as_object().cloned().unwrap_or_default());
    xcheck_replay_js::live(&config.into())
}

fn replayer(session: &Session, serve: &Serve, load: &NewLoad) -> String {
    let recorded = serve.trace.load(load.load);
    let config = json!({
        "load": load.load,
        "endpoint": format!("{PREFIX}{}", load.secret),
        "session": session.pages.session,
        "storage": recorded.and_then(|load| load.storage.as_ref()),
        "screen": recorded.and_then(|load| load.screen),
        "exchange": load.exchange,
        "engine": serve.trace.manifest.browser.as_ref().map(|browser| browser.engine),
        "own": serve.rules.own,
        "left": serve.trace.left_at(load.load),
        "drawings": serve.trace.has_moving_drawings(),
        "asks": serve.trace.asks_for_animations(),
        "inline": load.inline,
    });
    xcheck_replay_js::replayer(&config, serve.trace.events_of(load.load)) + &serve.rules.handicap
}

/// Hands the document's channel to whoever gives it commands.
fn channel(session: &Session, origin: &str, secret: &str, mut request: Request<Incoming>) -> Response<Body> {
    let Some(pages) = who_hears(session) else {
        return plain(StatusCode::NOT_FOUND);
    };
    let Some((load, exchange)) = session.pages.load_of(secret, origin) else {
        return plain(StatusCode::NOT_FOUND);
    };
    let upgrade = hyper::upgrade::on(&mut request);
    let opened = open_channel(session, pages, load, exchange, request.headers(), upgrade);
    opened.unwrap_or_else(|| plain(StatusCode::BAD_REQUEST))
}

/// By a beacon, which outlives the document; its channel may be cut off before.
fn bye(session: &Session, origin: &str, secret: &str) -> Response<Body> {
    if let (Some(pages), Some((load, _))) = (who_hears(session), session.pages.load_of(secret, origin))
        && pages.send(PageNews::Leaves(load)).is_err()
    {
        tracing::debug!(load, "a document goes, and nobody listens any more");
    }
    let mut response = plain(StatusCode::NO_CONTENT);
    open_to_all(&mut response);
    response
}

/// Of documents, where somebody gives them commands.
fn who_hears(session: &Session) -> Option<mpsc::UnboundedSender<PageNews>> {
    match (&session.live, &session.mode) {
        (Some(live), _) => Some(live.pages()),
        (None, Mode::Serve(serve)) => Some(serve.pages()),
        (None, Mode::Record(_) | Mode::Pass) => None,
    }
}

/// The answer is always the same, so that nobody learns anything from it.
async fn log(session: &Session, origin: &str, secret: &str, request: Request<Incoming>) -> Response<Body> {
    if let Mode::Record(recorder) = &session.mode {
        let number = request.uri().query().and_then(|query| query.parse().ok());
        batch::take(session, recorder, origin, secret, number, request.into_body()).await;
    }
    let mut response = plain(StatusCode::NO_CONTENT);
    open_to_all(&mut response);
    response
}

/// The same by a connection that stays, which costs the page a tenth of what a request does.
fn log_socket(session: &Arc<Session>, origin: &str, secret: &str, mut request: Request<Incoming>) -> Response<Body> {
    let known = session.recorder().is_some() && session.pages.load_of(secret, origin).is_some();
    let Some(response) = switching(request.headers()).filter(|_| known) else {
        return plain(StatusCode::NOT_FOUND);
    };
    let upgrade = hyper::upgrade::on(&mut request);
    let (session_of_task, origin, secret) = (session.clone(), origin.to_owned(), secret.to_owned());
    session.tasks.spawn_endless(async move {
        if let Ok(upgraded) = upgrade.await {
            batch::take_all(&session_of_task, &origin, &secret, upgraded).await;
        }
    });
    response
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

/// A page of the origin, with no script in it. An answer without a body is no page in Chromium, which shows one of its own
/// instead, of no origin.
fn empty_page() -> Response<Body> {
    let mut response = Response::new(body::full("<!doctype html>"));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

pub(crate) fn plain(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(body::empty());
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
