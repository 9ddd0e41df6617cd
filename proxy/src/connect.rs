//! CONNECT: a tunnel that somebody asked for, and what turns out to be spoken in it.
//!
//! The client is told "200" before anything is known, because it speaks first. TLS is ended here and looked into, plain
//! HTTP (browsers open `ws://` this way) is served as it is, and what is neither is passed through unseen.

use crate::background::is_background;
use crate::body::{self, Body};
use crate::failure::{Failure, chain, find};
use crate::prefixed::Prefixed;
use crate::session::{Mode, Session};
use crate::sniff::{Spoken, spoken};
use crate::target::{Inside, port};
use bytes::BytesMut;
use hyper::body::Incoming;
use hyper::http::uri::{Authority, Scheme};
use hyper::{Request, Response, Uri};
use hyper_util::rt::TokioIo;
use rustls::server::Acceptor;
use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::LazyConfigAcceptor;
use xcheck_trace::notice::{Notice, NoticeKind};

/// A client that is silent for so long waits for the server to speak first.
const SILENCE: Duration = Duration::from_secs(3);

/// Each half of a handshake with a client, who is near.
const HANDSHAKE: Duration = Duration::from_secs(30);

pub(crate) fn connect(session: &Arc<Session>, request: Request<Incoming>) -> Response<Body> {
    let authority = match tunnel_to(request.uri()) {
        Ok(authority) => authority,
        Err(failure) => return failure.page(),
    };
    let upgrade = hyper::upgrade::on(request);
    let within = session.clone();
    session.tasks.spawn(async move {
        match upgrade.await {
            Ok(upgraded) => serve_tunnel(within, TokioIo::new(upgraded), authority).await,
            Err(error) => tracing::debug!(%error, "a client asked for a tunnel and went away"),
        }
    });
    Response::new(body::empty())
}

fn tunnel_to(uri: &Uri) -> Result<Authority, Failure> {
    let bad = |why: String| Failure::bad_request("This is not a place to tunnel to", why);
    let authority = uri
        .authority()
        .ok_or_else(|| bad(format!("`{uri}` is not host:port.")))?;
    match port(authority).map_err(bad)? {
        Some(port) if port != 0 && !authority.host().is_empty() => Ok(authority.clone()),
        _ => Err(bad(format!("`{authority}` is not host:port."))),
    }
}

async fn serve_tunnel<I>(session: Arc<Session>, mut io: I, authority: Authority)
where
    I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut first = BytesMut::with_capacity(4096);
    let spoken = match sniff(&mut io, &mut first, Some(SILENCE)).await {
        Sniffed::Silence if matches!(session.mode, Mode::Serve(_)) => sniff(&mut io, &mut first, None).await,
        Sniffed::Silence => return wait_for_either(session, io, authority).await,
        sniffed => sniffed,
    };
    serve_spoken(session, Prefixed::new(first.freeze(), io), authority, spoken).await;
}

async fn serve_spoken<I>(session: Arc<Session>, io: I, authority: Authority, spoken: Sniffed)
where
    I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    match spoken {
        Sniffed::Gone | Sniffed::Silence => {}
        Sniffed::Spoken(Spoken::Tls) => end_tls(session, io, authority).await,
        Sniffed::Spoken(Spoken::Http) => {
            crate::connection::serve(
                session,
                io,
                Inside::Tunnel {
                    scheme: Scheme::HTTP,
                    authority,
                },
            )
            .await;
        }
        Sniffed::Spoken(Spoken::Other | Spoken::NotYet) => {
            if let Some(origin) = connect_origin(&session, &authority).await {
                pass_through(&session, io, origin, &authority).await;
            }
        }
    }
}

/// The client says nothing. It may have connected ahead of need, or wait for the server to begin.
async fn wait_for_either<I>(session: Arc<Session>, mut io: I, authority: Authority)
where
    I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let Some(origin) = connect_origin(&session, &authority).await else {
        return;
    };
    let mut first = BytesMut::with_capacity(4096);
    let spoken = tokio::select! {
        spoken = sniff(&mut io, &mut first, None) => Some(spoken),
        _ = origin.readable() => None,
    };
    match spoken {
        Some(spoken) => {
            drop(origin);
            serve_spoken(session, Prefixed::new(first.freeze(), io), authority, spoken).await;
        }
        None => pass_through(&session, Prefixed::new(first.freeze(), io), origin, &authority).await,
    }
}

enum Sniffed {
    Spoken(Spoken),
    Silence,
    Gone,
}

/// Reads into `first` until it is clear what is spoken, or for `patience`.
async fn sniff(io: &mut (impl AsyncRead + Unpin), first: &mut BytesMut, patience: Option<Duration>) -> Sniffed {
    loop {
        let read = io.read_buf(first);
        let count = match patience {
            None => read.await,
            Some(patience) => match tokio::time::timeout(patience, read).await {
                Ok(count) => count,
                Err(_) if first.is_empty() => return Sniffed::Silence,
                // What it said so far is all there will be for now.
                Err(_) => return Sniffed::Spoken(Spoken::Other),
            },
        };
        match count {
            Err(_) => return Sniffed::Gone,
            Ok(0) if first.is_empty() => return Sniffed::Gone,
            Ok(0) => return Sniffed::Spoken(Spoken::Other),
            Ok(_) => {}
        }
        let spoken = spoken(first);
        if spoken != Spoken::NotYet {
            return Sniffed::Spoken(spoken);
        }
    }
}

async fn end_tls<I>(session: Arc<Session>, io: I, authority: Authority)
where
    I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let hello = match in_time(LazyConfigAcceptor::new(Acceptor::default(), io)).await {
        Ok(hello) => hello,
        Err(error) => return not_intercepted(&session, &authority, &error),
    };
    let name = hello
        .client_hello()
        .server_name()
        .unwrap_or(authority.host())
        .to_owned();
    let authority = by_name(authority, &name);
    let config = match session.authority.server_config(&name) {
        Ok(config) => config,
        Err(error) => return not_intercepted(&session, &authority, &io::Error::other(error)),
    };
    match in_time(hello.into_stream(config)).await {
        Ok(stream) => {
            crate::connection::serve(
                session,
                stream,
                Inside::Tunnel {
                    scheme: Scheme::HTTPS,
                    authority,
                },
            )
            .await;
        }
        Err(error) => not_intercepted(&session, &authority, &error),
    }
}

/// A client that goes silent in the middle of a handshake must not keep its connection for ever.
async fn in_time<T>(step: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    let ended = tokio::time::timeout(HANDSHAKE, step).await;
    ended.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// A client that hangs up during a handshake is no news, browsers do it all the time; one that distrusts us is.
fn not_intercepted(session: &Session, authority: &Authority, error: &io::Error) {
    use rustls::AlertDescription::{BadCertificate, CertificateUnknown, UnknownCA};
    let distrust = matches!(
        find::<rustls::Error>(error),
        Some(rustls::Error::AlertReceived(
            UnknownCA | BadCertificate | CertificateUnknown
        ))
    );
    if is_background(authority.host()) {
        return;
    }
    if !distrust && find::<rustls::Error>(error).is_none() && find::<crate::ca::CaError>(error).is_none() {
        return;
    }
    let text = if distrust {
        format!(
            "The client does not trust xcheck's certificate authority, so nothing of {authority} was recorded; see `xcheck ca`."
        )
    } else {
        format!(
            "TLS with the client failed, so nothing of this connection to {authority} was recorded: {}.",
            chain(error)
        )
    };
    session.notice(notice(NoticeKind::NotInstrumented, authority, text));
}

/// A client that looked up the address itself still says in its handshake which host it means.
fn by_name(authority: Authority, name: &str) -> Authority {
    let is_address = authority.host().trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
    match (is_address, name.parse::<IpAddr>(), authority.port_u16()) {
        (true, Err(_), Some(port)) => format!("{name}:{port}").parse().unwrap_or(authority),
        _ => authority,
    }
}

async fn connect_origin(session: &Session, authority: &Authority) -> Option<TcpStream> {
    if matches!(session.mode, Mode::Serve(_)) {
        return None;
    }
    // With the scheme of a tunnel, so that an upstream proxy is asked for one.
    let target = Uri::builder()
        .scheme(Scheme::HTTPS)
        .authority(authority.clone())
        .path_and_query("/")
        .build();
    match session
        .upstream
        .connect(&target.expect("an authority makes a URL"))
        .await
    {
        Ok(socket) => Some(socket.into_tcp()),
        Err(error) => {
            let failure = Failure::upstream(&error, authority.as_str());
            session.notice(notice(NoticeKind::Upstream, authority, failure.reason()));
            None
        }
    }
}

/// Neither TLS nor HTTP: passed through, said, not recorded.
async fn pass_through(
    session: &Session,
    mut io: impl AsyncRead + AsyncWrite + Unpin,
    mut origin: TcpStream,
    authority: &Authority,
) {
    let text = format!("What was spoken with {authority} is neither TLS nor HTTP; it passed, but was not recorded.");
    session.notice(notice(NoticeKind::Unsupported, authority, text));
    tokio::select! {
        () = session.tasks.stopping() => {}
        copied = tokio::io::copy_bidirectional(&mut io, &mut origin) => if let Err(error) = copied {
            tracing::debug!(%error, %authority, "a tunnel broke off");
        },
    }
}

fn notice(kind: NoticeKind, authority: &Authority, text: String) -> Notice {
    Notice {
        kind,
        text,
        url: Some(authority.to_string()),
        exchange: None,
        load: None,
    }
}
