//! One request, answered as it was when it was recorded: also by breaking off, and by saying nothing.

use super::body::{After, nothing, stream};
use super::coding::ending_with;
use super::conditions::{Part, is_whole, part};
use super::cookies;
use super::hold::Waited;
use super::index::{AskedBy, Wanted};
use super::still::standing;
use super::{Serve, ServeEvent, lock};
use crate::body::{self, Body};
use crate::failure::Failure;
use crate::modules::with_calls_told;
use hyper::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, HeaderMap, HeaderName, HeaderValue,
    IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION, ORIGIN, RANGE, REFERER,
};
use hyper::{Method, Response, StatusCode, Uri};
use time::OffsetDateTime;
use xcheck_trace::exchange::{End, Exchange, ExchangeId, ResponseHead, WorkerPart};
use xcheck_trace::hash::Sha256;

/// What serving a request came to.
pub(crate) enum Served {
    /// As recorded; the exchange says which load a document in it is.
    Recorded {
        response: Response<Body>,
        exchange: ExchangeId,
    },
    /// There was no answer when this was recorded, for this reason.
    Failed {
        reason: String,
    },
    /// Not in the trace, but pages do not see that it is not.
    Made(Response<Body>),
    Missing,
}

/// The recorded exchange for a request, by what its head and the hash of its body say.
pub(crate) fn find(
    serve: &Serve,
    by: AskedBy,
    method: &Method,
    url: &Uri,
    headers: &HeaderMap,
    body: Option<Sha256>,
) -> Option<ExchangeId> {
    let text = url.to_string();
    let wanted = Wanted {
        by,
        method: method.as_str(),
        url: &text,
        body,
        conditional: headers.contains_key(IF_NONE_MATCH) || headers.contains_key(IF_MODIFIED_SINCE),
        range: headers.get(RANGE).and_then(|range| range.to_str().ok()),
    };
    let mut index = lock(&serve.index);
    let found = index.take(&wanted)?;
    let exchange = serve.trace.exchange(found)?;
    // It would wait for the other page, and this one for it.
    if serve.gate.holds(found) && is_of_another_page(exchange, headers) {
        index.give_back(found);
        return index.given_before(&wanted).or_else(|| index.take(&wanted));
    }
    Some(found)
}

fn is_of_another_page(exchange: &Exchange, headers: &HeaderMap) -> bool {
    let recorded = exchange.request.header(REFERER.as_str());
    let asked = headers.get(REFERER).and_then(|referer| referer.to_str().ok());
    matches!((recorded, asked), (Some(one), Some(other)) if one != other)
}

/// Answers with `found`, after the gate has let it pass where it is for a page, or says that there is nothing.
pub(crate) async fn serve(
    serve: &Serve,
    by: AskedBy,
    found: Option<ExchangeId>,
    method: &Method,
    url: &Uri,
    headers: &HeaderMap,
) -> Served {
    let Some(exchange) = found.and_then(|id| serve.trace.exchange(id)) else {
        if let Some(made) = preflight(serve, method, url, headers) {
            return Served::Made(made);
        }
        let by_itself = serve.rules.live || serve.rules.repeat_all;
        if !by_itself && serve.given_up.has(method.as_str(), &url.to_string()) {
            std::future::pending::<()>().await;
        }
        return Served::Missing;
    };
    let exchange = match stands_in(serve, exchange, method, url).await {
        Some(other) => other,
        None => exchange,
    };
    serve.gate.is_asked_for(exchange.id);
    if by == AskedBy::Page && serve.gate.holds(exchange.id) {
        serve.tell(ServeEvent::Held { exchange: exchange.id });
        if serve.gate.passed(exchange.id).await == Waited::TurnedAway {
            lock(&serve.index).give_back(exchange.id);
            return Served::Made(come_again(url, headers));
        }
        serve.tell(ServeEvent::Released { exchange: exchange.id });
    }
    match (&exchange.response, &exchange.end) {
        (Some(head), _) => {
            let mut served = recorded(serve, exchange, head, headers.get(RANGE));
            if let Served::Recorded { response, .. } = &mut served {
                let kept = std::mem::replace(response, Response::new(body::empty()));
                *response = prepared(serve, exchange, head, headers, kept).await;
            }
            served
        }
        (None, End::Failed { reason }) => Served::Failed { reason: reason.clone() },
        // The client left, or the recording ended, before anything came: nothing comes now.
        (None, _) => std::future::pending().await,
    }
}

/// What was kept, with what a replay needs otherwise: scripts that tell of their calls, endings, pictures that stand still, and
/// headers by which a page may read what a service worker of the recording gave it.
async fn prepared(
    serve: &Serve,
    exchange: &Exchange,
    head: &ResponseHead,
    asked: &HeaderMap,
    mut response: Response<Body>,
) -> Response<Body> {
    let is_whole = response.status() == StatusCode::OK;
    // What stands in a document is told of where its own script is put in.
    if is_whole && exchange.imports_told && !exchange.injected {
        response = with_calls_told(response);
    }
    if let Some(text) = serve.gate.ending_of(exchange.id)
        && is_whole
    {
        response = ending_with(response, text);
    }
    response = standing(asked, response).await;
    if let Some(WorkerPart::Answered) = exchange.worker {
        let names: Vec<&str> = head.headers.iter().map(|(name, _)| name.as_str()).collect();
        open_to(response.headers_mut(), asked.get(ORIGIN));
        if let Ok(names) = HeaderValue::try_from(names.join(", ")) {
            response.headers_mut().insert(ACCESS_CONTROL_EXPOSE_HEADERS, names);
        }
    }
    response
}

/// For an exchange that ended before anything came: once a document waits for what cannot come by it, the one by which it came.
async fn stands_in<'s>(serve: &'s Serve, exchange: &Exchange, method: &Method, url: &Uri) -> Option<&'s Exchange> {
    if exchange.response.is_some() || matches!(exchange.end, End::Failed { .. }) {
        return None;
    }
    let other = lock(&serve.index).answered_instead_of(exchange.id)?;
    serve.awaited.until(method.as_str(), &url.to_string()).await;
    serve.trace.exchange(other)
}

fn recorded(serve: &Serve, exchange: &Exchange, head: &ResponseHead, range: Option<&HeaderValue>) -> Served {
    let says_all_by_its_head = exchange.end == End::Aborted && is_refused_script(exchange, head);
    let after = match exchange.end {
        End::Complete | End::Upgraded => After::End,
        End::Aborted if says_all_by_its_head => After::End,
        End::Failed { .. } => After::Break,
        End::Aborted | End::Open => After::Silence,
    };
    let mut response = Response::new(body::empty());
    *response.status_mut() = StatusCode::from_u16(head.status).unwrap_or(StatusCode::BAD_GATEWAY);
    *response.headers_mut() = header_map(&head.headers);
    crate::headers::remove_hop_by_hop(response.headers_mut());
    if says_all_by_its_head {
        response.headers_mut().remove(CONTENT_LENGTH);
    }
    if serve.gate.is_asked_again(exchange.id) {
        response
            .headers_mut()
            .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    cookies::renew(response.headers_mut(), exchange.started_ms, OffsetDateTime::now_utc());
    let Some(stored) = &head.body else {
        *response.body_mut() = nothing(after);
        return Served::Recorded {
            response,
            exchange: exchange.id,
        };
    };
    let reader = match serve.trace.bodies().read(&stored.sha256) {
        Ok(reader) => reader,
        Err(error) => {
            let reason = error.to_string();
            serve.tell(ServeEvent::Damaged {
                exchange: exchange.id,
                reason: reason.clone(),
            });
            return Served::Failed { reason };
        }
    };
    let whole = Part {
        start: 0,
        length: stored.bytes,
    };
    let is_whole = is_whole(exchange);
    let wanted = range
        .filter(|_| is_whole)
        .and_then(|range| part(range.to_str().ok()?, stored.bytes));
    if is_whole && range.is_none() {
        *response.status_mut() = StatusCode::OK;
        response.headers_mut().remove(CONTENT_RANGE);
    }
    if let Some(Part { start, length }) = wanted {
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
        let range = format!("bytes {start}-{}/{}", start + length - 1, stored.bytes);
        let headers = response.headers_mut();
        headers.insert(CONTENT_RANGE, HeaderValue::try_from(range).expect("digits"));
        headers.insert(CONTENT_LENGTH, length.into());
    }
    let Part { start, length } = wanted.unwrap_or(whole);
    let (events, id) = (serve.events.clone(), exchange.id);
    let damaged = move |reason| {
        if events.send(ServeEvent::Damaged { exchange: id, reason }).is_err() {
            tracing::debug!("nobody listens to what happens while serving");
        }
    };
    *response.body_mut() = stream(reader, start, length, after, damaged);
    Served::Recorded {
        response,
        exchange: exchange.id,
    }
}

/// A script that was not found runs nothing, whatever else comes: Chromium does not wait for it, and others do.
fn is_refused_script(exchange: &Exchange, head: &ResponseHead) -> bool {
    head.status >= 400 && exchange.request.header("sec-fetch-dest") == Some("script")
}

fn header_map(headers: &[(String, String)]) -> HeaderMap {
    let pairs = headers.iter().filter_map(|(name, value)| {
        // What was read from the wire can be written to it; a trace from elsewhere may hold anything.
        Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?))
    });
    let mut map = HeaderMap::new();
    for (name, value) in pairs {
        map.append(name, value);
    }
    map
}

/// The answer to a request that the trace does not have, and word of it to the replay loop.
pub(crate) fn missing(serve: &Serve, method: &Method, url: &Uri, headers: &HeaderMap) -> Response<Body> {
    let mut response = Response::new(body::empty());
    if !is_the_browsers_own(method, url) {
        let referrer = headers
            .get(REFERER)
            .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        serve.tell(ServeEvent::NotInTrace {
            method: method.to_string(),
            url: url.to_string(),
            referrer,
        });
        response = Failure::not_in_trace(method, url).page();
    }
    *response.status_mut() = StatusCode::from_u16(serve.rules.miss_status).unwrap_or(StatusCode::NOT_FOUND);
    // Anybody may read that there is nothing: otherwise it would be an error of another kind.
    open_to(response.headers_mut(), headers.get(ORIGIN));
    response
}

/// What a service worker answers is readable wherever it is said to come from, and so is that there is nothing.
fn open_to(headers: &mut HeaderMap, origin: Option<&HeaderValue>) {
    if let Some(origin) = origin {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
    }
}

/// The browser asks for the same once more, when others have asked that wait in it.
fn come_again(url: &Uri, headers: &HeaderMap) -> Response<Body> {
    let mut response = Response::new(body::empty());
    *response.status_mut() = StatusCode::TEMPORARY_REDIRECT;
    open_to(response.headers_mut(), headers.get(ORIGIN));
    response
        .headers_mut()
        .insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(url) = HeaderValue::try_from(url.to_string()) {
        response.headers_mut().insert(LOCATION, url);
    }
    response
}

/// Browsers differ in when they ask for permission to ask, so what was recorded of it may be missing here.
fn preflight(serve: &Serve, method: &Method, url: &Uri, headers: &HeaderMap) -> Option<Response<Body>> {
    let asked = headers.get(ACCESS_CONTROL_REQUEST_METHOD)?;
    let known = lock(&serve.index).knows(asked.to_str().ok()?, &url.to_string());
    if *method != Method::OPTIONS || !known {
        return None;
    }
    let mut response = Response::new(body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let allowed = response.headers_mut();
    allowed.insert(ACCESS_CONTROL_ALLOW_METHODS, asked.clone());
    allowed.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
    allowed.insert(ACCESS_CONTROL_ALLOW_ORIGIN, headers.get(ORIGIN)?.clone());
    if let Some(names) = headers.get(ACCESS_CONTROL_REQUEST_HEADERS) {
        allowed.insert(ACCESS_CONTROL_ALLOW_HEADERS, names.clone());
    }
    Some(response)
}

/// Icons and notes that some browsers look for on every site by themselves: no difference of the page's.
fn is_the_browsers_own(method: &Method, url: &Uri) -> bool {
    let path = url.path();
    *method == Method::GET
        && (path == "/favicon.ico"
            || path.starts_with("/apple-touch-icon")
            || path.starts_with("/.well-known/appspecific/"))
}
