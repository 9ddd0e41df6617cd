//! Opens connections: straight to the origin, or through the proxy that stands before us.

use super::resolve::Resolver;
use hyper::Uri;
use hyper::header::{HeaderMap, HeaderValue, VIA};
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use hyper_util::rt::TokioIo;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpStream;
use tower_service::Service;

const CONNECT_WITHIN: Duration = Duration::from_secs(30);

#[derive(Debug, thiserror::Error)]
pub(crate) enum DialError {
    #[error("the request leads back to this proxy")]
    Loop,
    #[error("the upstream proxy {0} speaks a protocol other than http")]
    ProxyProtocol(Uri),
    #[error("cannot reach the upstream proxy {proxy}")]
    Proxy {
        proxy: Uri,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    #[error("{0}")]
    Connect(#[source] Box<dyn std::error::Error + Send + Sync>),
}

#[derive(Clone)]
pub(super) struct Dial {
    tcp: HttpConnector<Resolver>,
    proxies: Arc<Matcher>,
    own: SocketAddr,
    via: HeaderValue,
}

impl Dial {
    pub(super) fn new(proxies: Arc<Matcher>, own: SocketAddr, via: HeaderValue) -> Self {
        let mut tcp = HttpConnector::new_with_resolver(Resolver::new());
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECT_WITHIN));
        Dial { tcp, proxies, own, via }
    }

    pub(super) async fn connect(mut self, target: Uri) -> Result<Socket, DialError> {
        match self.proxies.intercept(&target) {
            None => {
                let socket = self
                    .tcp
                    .call(target)
                    .await
                    .map_err(|error| DialError::Connect(error.into()))?;
                self.refuse_loop(&socket)?;
                Ok(Socket::new(socket, false))
            }
            Some(proxy) if proxy.uri().scheme_str() != Some("http") => {
                Err(DialError::ProxyProtocol(without_credentials(proxy.uri())))
            }
            Some(proxy) if target.scheme_str() == Some("http") => {
                let reached = self.tcp.call(proxy.uri().clone()).await;
                let socket = reached.map_err(|error| proxy_failed(&proxy, error.into()))?;
                self.refuse_loop(&socket)?;
                Ok(Socket::new(socket, true))
            }
            Some(proxy) => self.tunnel(proxy, target).await,
        }
    }

    async fn tunnel(self, proxy: Intercept, target: Uri) -> Result<Socket, DialError> {
        let mut tunnel = Tunnel::new(proxy.uri().clone(), self.tcp.clone())
            .with_headers(HeaderMap::from_iter([(VIA, self.via.clone())]));
        if let Some(credentials) = proxy.basic_auth() {
            tunnel = tunnel.with_auth(credentials.clone());
        }
        let socket = tunnel
            .call(target)
            .await
            .map_err(|error| proxy_failed(&proxy, error.into()))?;
        self.refuse_loop(&socket)?;
        Ok(Socket::new(socket, false))
    }

    /// Compares addresses rather than names: any name may lead to us.
    fn refuse_loop(&self, socket: &TokioIo<TcpStream>) -> Result<(), DialError> {
        let Ok(peer) = socket.inner().peer_addr() else {
            // Closed already; the request will say so better than we could.
            return Ok(());
        };
        let own = self.own.ip();
        let same_host = peer.ip() == own || (own.is_unspecified() && is_local(&peer.ip(), socket));
        if peer.port() == self.own.port() && same_host {
            Err(DialError::Loop)
        } else {
            Ok(())
        }
    }
}

/// A connection whose two ends have one address does not leave the machine.
fn is_local(peer: &IpAddr, socket: &TokioIo<TcpStream>) -> bool {
    peer.is_loopback() || socket.inner().local_addr().is_ok_and(|local| local.ip() == *peer)
}

fn proxy_failed(proxy: &Intercept, source: Box<dyn std::error::Error + Send + Sync>) -> DialError {
    DialError::Proxy {
        proxy: without_credentials(proxy.uri()),
        source,
    }
}

/// Error pages and traces must not show the password of a proxy.
fn without_credentials(uri: &Uri) -> Uri {
    let Some(authority) = uri.authority() else {
        return uri.clone();
    };
    let host = authority.as_str().rsplit('@').next().unwrap_or_default();
    format!("{}://{host}", uri.scheme_str().unwrap_or("http"))
        .parse()
        .unwrap_or_else(|_| Uri::from_static("/"))
}

impl Service<Uri> for Dial {
    type Response = Socket;
    type Error = DialError;
    type Future = Pin<Box<dyn Future<Output = Result<Socket, DialError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), DialError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, target: Uri) -> Self::Future {
        Box::pin(self.clone().connect(target))
    }
}

/// A TCP connection that knows whether it ends at a proxy, and how many requests it has carried.
pub(crate) struct Socket {
    tcp: TokioIo<TcpStream>,
    to_proxy: bool,
    uses: Uses,
}

#[derive(Debug, Clone, Default)]
struct Uses(Arc<AtomicU32>);

impl Socket {
    fn new(tcp: TokioIo<TcpStream>, to_proxy: bool) -> Self {
        Socket {
            tcp,
            to_proxy,
            uses: Uses::default(),
        }
    }

    pub(crate) fn into_tcp(self) -> TcpStream {
        self.tcp.into_inner()
    }
}

impl Connection for Socket {
    fn connected(&self) -> Connected {
        self.tcp.connected().proxy(self.to_proxy).extra(self.uses.clone())
    }
}

/// The connection that brought this response has carried one request more.
pub(super) fn count_use<B>(response: &hyper::Response<B>) {
    if let Some(Uses(count)) = response.extensions().get::<Uses>() {
        count.fetch_add(1, Ordering::Relaxed);
    }
}

pub(super) fn was_used(connection: &Connected) -> bool {
    let mut extras = hyper::http::Extensions::new();
    connection.get_extras(&mut extras);
    extras
        .get::<Uses>()
        .is_some_and(|Uses(count)| count.load(Ordering::Relaxed) > 0)
}

impl Read for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_read(context, buffer)
    }
}

impl Write for Socket {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.tcp).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.tcp.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.tcp).poll_write_vectored(context, slices)
    }
}
