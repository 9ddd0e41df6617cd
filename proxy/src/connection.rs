//! One connection from a client, HTTP/1 or HTTP/2, and what each request on it is for.

use crate::background;
use crate::body::ThenFail;
use crate::connect;
use crate::failure::{Answer, Failure, NoAnswer};
use crate::faults::{self, Met};
use crate::forward;
use crate::from_trace;
use crate::headers;
use crate::pages;
use crate::refused::{Explaining, LastAnswer};
use crate::session::{Mode, Session};
use crate::target::{self, Inside};
use crate::upgrade;
use crate::upstream::LONGEST_HEAD;
use hyper::body::Incoming;
use hyper::header::{UPGRADE, VIA};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode, Uri};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};

/// The window of the whole connection holds those of all its streams: one upload that waits for its origin cannot
/// starve the others.
const STREAMS: u32 = 100;
const STREAM_WINDOW: u32 = 256 * 1024;
const SEND_BUFFER: usize = 256 * 1024;

/// Serves a connection until it ends or the proxy stops. Boxed, because what comes out of a CONNECT is served again.
pub(crate) fn serve<I>(session: Arc<Session>, io: I, inside: Inside) -> Pin<Box<dyn Future<Output = ()> + Send>>
where
    I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    Box::pin(async move {
        let last = LastAnswer::default();
        let io = Explaining::new(io, last.clone());
        let shared = session.clone();
        let service = service_fn(move |request| {
            let (session, inside, last) = (shared.clone(), inside.clone(), last.clone());
            async move {
                let changes_protocol = request.method() == Method::CONNECT;
                let response = handle(session, inside, request).await?;
                last.was(if changes_protocol {
                    StatusCode::SWITCHING_PROTOCOLS
                } else {
                    response.status()
                });
                Ok::<_, NoAnswer>(response.map(ThenFail::new))
            }
        });
        let server = server();
        let connection = server.serve_connection_with_upgrades(TokioIo::new(io), service);
        let mut connection = std::pin::pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = session.tasks.stopping() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = ended {
            tracing::debug!(error = crate::failure::chain(&*error), "a client's connection ended");
        }
    })
}

fn server() -> auto::Builder<TokioExecutor> {
    let mut server = auto::Builder::new(TokioExecutor::new());
    server
        .http1()
        .max_buf_size(LONGEST_HEAD)
        .auto_date_header(false)
        .http2()
        .auto_date_header(false)
        .max_concurrent_streams(STREAMS)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(STREAMS * STREAM_WINDOW)
        .max_header_list_size(LONGEST_HEAD as u32)
        .max_send_buf_size(SEND_BUFFER);
    server
}

async fn handle(session: Arc<Session>, inside: Inside, request: Request<Incoming>) -> Answer {
    if request.method() == Method::CONNECT {
        return Ok(connect::connect(&session, request));
    }
    let (mut head, body) = request.into_parts();
    // An offer to speak HTTP/2 that nobody need take up; as any other request it is answered all the same.
    if headers::upgrade_wanted(&head.headers).as_deref() == Some("h2c") {
        head.headers.remove(UPGRADE);
    }
    let url = match target::target(&head, &inside) {
        Ok(url) => url,
        Err(failure) => return Ok(failure.page()),
    };
    let request = Request::from_parts(head, body);
    let Mode::Serve(serve) = &session.mode else {
        return answer(&session, url, request).await;
    };
    let (method, asked) = (request.method().clone(), serve.asked());
    asked.begins();
    let answer = answer(&session, url.clone(), request).await;
    asked.ends(&method, &url, answer.as_ref().ok().map(Response::status));
    answer
}

async fn answer(session: &Arc<Session>, url: Uri, request: Request<Incoming>) -> Answer {
    if pages::is_ours(url.path()) {
        return Ok(pages::answer(session, &target::origin(&url), request).await);
    }
    // What the trace answers is forwarded nowhere: the application that was recorded may have listened where we do now.
    let is_loop = !matches!(session.mode, Mode::Serve(_)) && target::is_own(&url, session.own);
    if is_loop || came_through_us(session, &request) {
        return Ok(Failure::to_itself(&url.to_string()).page());
    }
    if let Some(host) = url.host()
        && background::is_background(host)
    {
        return Ok(background::answer(host));
    }
    let Some(how) = session.faults.of_request(request.method(), &url) else {
        return ask(session, url, request).await;
    };
    match faults::meet(how, request.headers()).await {
        Met::Answered(answer) => answer,
        Met::Spoilt(spoilt) => spoilt.spoil(ask(session, url, request).await),
    }
}

/// Whoever has the answer: the trace, or the origin.
async fn ask(session: &Arc<Session>, url: Uri, request: Request<Incoming>) -> Answer {
    if let Mode::Serve(serve) = &session.mode {
        return from_trace::answer(session, serve, url, request).await;
    }
    session.earlier.goes_on(&request, &url);
    if let Some(protocol) = headers::upgrade_wanted(request.headers()) {
        return Ok(upgrade::upgrade(session, url, request, &protocol).await);
    }
    forward::forward(session, url, request).await
}

fn came_through_us(session: &Session, request: &Request<Incoming>) -> bool {
    request.headers().get_all(VIA).iter().any(|via| {
        via.as_bytes()
            .windows(session.via.len())
            .any(|part| part == session.via.as_bytes())
    })
}
