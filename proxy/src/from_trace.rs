//! One request while a trace is served: what `forward` is while recording.

use crate::body::{self, Body, BoxError};
use crate::failure::{Answer, Asker, Failure};
use crate::forward::prepare_head;
use crate::headers;
use crate::inject::{RequestFacts, prepare_request};
use crate::instrument::{instrument, instrument_worker, without_effect};
use crate::serve::{Serve, ServeEvent, Served, accept_socket, answering, find, missing, readable, serve};
use crate::session::Session;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body as _, Incoming};
use hyper::http::request::Parts;
use hyper::upgrade::OnUpgrade;
use hyper::{Method, Request, Response, Uri};
use xcheck_trace::exchange::ExchangeId;
use xcheck_trace::hash::{Hasher, Sha256};
use xcheck_trace::notice::Notice;

pub(crate) async fn answer(session: &Session, from: &Serve, url: Uri, request: Request<Incoming>) -> Answer {
    let (mut head, incoming) = request.into_parts();
    let upgrade = head.extensions.remove::<OnUpgrade>();
    let asked = match read(incoming, from.rules.live).await {
        Ok(asked) => asked,
        Err(error) => return Ok(Failure::bad_request("The request broke off", error.to_string()).page()),
    };
    let upgrading = headers::upgrade_wanted(&head.headers).is_some();
    let facts = prepare_request(&head.method, &url, &mut head.headers);
    let by = session.service_workers.who_asks(&head.method, &url, &head.headers);
    let found = find(from, by, &head.method, &url, &head.headers, asked.hash).or_else(|| {
        // A replay that goes on at a page which a form led to can only ask for it plainly.
        let plainly = head.method == Method::GET && !facts.is_for_part_of_a_page();
        plainly
            .then(|| find(from, by, &Method::POST, &url, &head.headers, None))
            .flatten()
    });
    if let (true, Some(exchange), Some(upgrade)) = (upgrading, found, upgrade)
        && let Some(response) = accept_socket(session, from, exchange, &head.headers, upgrade)
    {
        return Ok(response);
    }
    match serve(from, by, found, &head.method, &url, &head.headers).await {
        Served::Recorded { response, exchange } => {
            let response = readable(&head.headers, response);
            if facts.is_for_service_worker() && session.has_service_workers() {
                let (head, body) = response.into_parts();
                return Ok(session.instrument_service_worker(head, body, &url).await.0);
            }
            if facts.is_for_service_worker() {
                return Ok(without_effect(response).await);
            }
            let worker = from.worker(exchange);
            // Not every engine says what it asks for.
            if facts.is_for_worker() || worker.is_some() {
                let (head, body) = response.into_parts();
                return Ok(instrument_worker(head, body, || answering(worker)).await);
            }
            Ok(with_script(session, &facts, &url, response, Some(exchange)).await)
        }
        Served::Failed { reason } => Failure::as_recorded(&reason).answer(Asker::of(&facts, &head.headers)),
        Served::Made(response) => Ok(response),
        Served::Missing if from.rules.live => live(session, from, &facts, url, head, asked.kept).await,
        Served::Missing => Ok(missing(from, &head.method, &url, &head.headers)),
    }
}

/// The body of a request: what matching needs of it, and all of it if it may have to go on.
struct Asked {
    hash: Option<Sha256>,
    kept: Bytes,
}

async fn read(mut incoming: Incoming, keep: bool) -> Result<Asked, BoxError> {
    if incoming.is_end_stream() {
        return Ok(Asked {
            hash: None,
            kept: Bytes::new(),
        });
    }
    let (mut hasher, mut kept) = (Hasher::default(), Vec::new());
    while let Some(frame) = incoming.frame().await {
        if let Some(data) = frame?.data_ref() {
            hasher.update(data);
            if keep {
                kept.extend_from_slice(data);
            }
        }
    }
    Ok(Asked {
        hash: Some(hasher.finish()),
        kept: kept.into(),
    })
}

async fn with_script(
    session: &Session,
    facts: &RequestFacts,
    url: &Uri,
    response: Response<Body>,
    exchange: Option<ExchangeId>,
) -> Response<Body> {
    let script = || session.script_for(url, exchange);
    let (head, body) = response.into_parts();
    // What there is to say about injecting was said when this was recorded.
    let instrumented = instrument(facts, head, body, script, || |_: Notice| {}).await;
    session.document_answered(facts, url, &instrumented);
    if let Some(script) = instrumented.injected {
        session.pages.register(script, exchange);
    }
    instrumented.response
}

/// Lets a request through that the trace does not have, because the person said so.
async fn live(session: &Session, from: &Serve, facts: &RequestFacts, url: Uri, mut head: Parts, kept: Bytes) -> Answer {
    from.tell(ServeEvent::WentLive {
        method: head.method.to_string(),
        url: url.to_string(),
    });
    let asker = Asker::of(facts, &head.headers);
    prepare_head(&mut head, url.clone());
    let body = Full::new(kept).map_err(|never| match never {}).boxed_unsync();
    match session.upstream.send(Request::from_parts(head, body)).await {
        Err(error) => Failure::upstream(&error, &url.to_string()).answer(asker),
        Ok(response) => {
            let (mut head, incoming) = response.into_parts();
            headers::remove_hop_by_hop(&mut head.headers);
            let response = Response::from_parts(head, body::boxed(incoming));
            Ok(with_script(session, facts, &url, response, None).await)
        }
    }
}
