//! Requests to origins: pooled connections, through another proxy where one is set, over verified TLS.

mod again;
mod dial;
mod resolve;
mod tls;
mod within;

pub(crate) use dial::{DialError, Socket};

use crate::body::Body;
use again::Original;
use dial::Dial;
use hyper::body::Incoming;
use hyper::header::{HeaderValue, PROXY_AUTHORIZATION, VIA};
use hyper::{Request, Response, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::{Client, Error};
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use within::Within;

/// Idle connections are given up before servers that keep them for the usual minute do so under our hands.
const IDLE: Duration = Duration::from_secs(50);
const IDLE_PER_HOST: usize = 16;

/// Chromium takes 256 KiB of response headers; a little more than that, and what is beyond is refused by name.
pub(crate) const LONGEST_HEAD: usize = 512 * 1024;

/// hyper makes room for as many headers as may come, with each message; its hundred cost nothing. The few answers that
/// have more are asked for once more by a client that has room for so many.
pub(crate) const MOST_HEADERS: usize = 20_000;

/// Small windows keep memory bounded when a page is slower than its server; large enough not to slow a fast network.
const STREAM_WINDOW: u32 = 1024 * 1024;
const CONNECTION_WINDOW: u32 = 4 * 1024 * 1024;
const SEND_BUFFER: usize = 256 * 1024;

/// Which proxy stands between us and origins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum UpstreamProxy {
    /// `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in either case.
    #[default]
    Environment,
    /// Always this one, such as `http://user:password@proxy.example:3128`, except for `no_proxy` (a comma-separated list).
    Fixed { url: String, no_proxy: String },
    /// Origins are reached directly.
    Direct,
}

/// Whom to trust upstream.
#[derive(Debug, Clone, Default)]
pub struct UpstreamTrust {
    /// PEM files with authorities to trust beside the system's.
    pub extra_ca: Vec<PathBuf>,
    /// Accept any certificate. Only for a person who asked for it.
    pub insecure: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum UpstreamError {
    #[error("cannot read authorities from {path}: {why}")]
    ExtraCa { path: PathBuf, why: String },
    #[error("`{0}` is not the address of a proxy such as http://proxy.example:3128")]
    ProxyAddress(String),
    #[error("cannot set up TLS: {0}")]
    Tls(#[from] rustls::Error),
}

type Connector = Within<HttpsConnector<Dial>>;

pub(crate) struct Upstream {
    any_version: Client<Connector, Body>,
    /// For requests that want to upgrade, which HTTP/2 cannot.
    http1: Client<Connector, Body>,
    /// For answers with more headers than the others take.
    roomy: Client<Connector, Body>,
    dial: Dial,
    proxies: Arc<Matcher>,
    via: HeaderValue,
}

impl Upstream {
    /// `own` is where we listen, so that a request to ourselves is noticed whatever name it went by.
    pub(crate) fn new(
        proxy: &UpstreamProxy,
        trust: &UpstreamTrust,
        own: SocketAddr,
        via: &HeaderValue,
    ) -> Result<Self, UpstreamError> {
        let proxies = Arc::new(matcher(proxy)?);
        let dial = Dial::new(proxies.clone(), own, via.clone());
        let tls = tls::client_config(trust)?;
        let any_version = HttpsConnectorBuilder::new()
            .with_tls_config(tls.clone())
            .https_or_http()
            .enable_all_versions()
            .wrap_connector(dial.clone());
        let http1 = HttpsConnectorBuilder::new()
            .with_tls_config(tls)
            .https_or_http()
            .enable_http1()
            .wrap_connector(dial.clone());
        Ok(Upstream {
            any_version: client(any_version, IDLE_PER_HOST, None),
            roomy: client(http1.clone(), 0, Some(MOST_HEADERS)),
            http1: client(http1, 0, None),
            dial,
            proxies,
            via: via.clone(),
        })
    }

    /// Sends a request with an absolute URI; again where the origin has not looked at it, see [`again`].
    pub(crate) async fn send(&self, mut request: Request<Body>) -> Result<Response<Incoming>, Error> {
        self.mark_for_proxy(&mut request);
        let (original, mut request) = Original::of(request);
        let mut attempt = 1;
        loop {
            let error = match self.any_version.request(request).await {
                Ok(response) => {
                    dial::count_use(&response);
                    return Ok(response);
                }
                Err(error) => error,
            };
            if is_too_large(&error)
                && let Some(once_more) = original.if_harmless()
            {
                return self.roomy.request(once_more).await;
            }
            match original.again(&error) {
                Some(once_more) if attempt < again::ATTEMPTS => request = once_more,
                _ => return Err(error),
            }
            attempt += 1;
        }
    }

    /// Sends a request that wants another protocol on a connection of its own.
    pub(crate) async fn send_upgrade(&self, mut request: Request<Body>) -> Result<Response<Incoming>, Error> {
        self.mark_for_proxy(&mut request);
        self.http1.request(request).await
    }

    /// A bare connection to `host:port`, through the upstream proxy where there is one.
    pub(crate) async fn connect(&self, authority: &Uri) -> Result<Socket, DialError> {
        self.dial.clone().connect(authority.clone()).await
    }

    /// Plain requests go to an upstream proxy as they are, so credentials and the mark against loops stand in them.
    fn mark_for_proxy(&self, request: &mut Request<Body>) {
        if request.uri().scheme_str() != Some("http") {
            return;
        }
        if let Some(proxy) = self.proxies.intercept(request.uri()) {
            if let Some(credentials) = proxy.basic_auth() {
                request.headers_mut().insert(PROXY_AUTHORIZATION, credentials.clone());
            }
            request.headers_mut().append(VIA, self.via.clone());
        }
    }
}

fn is_too_large(error: &Error) -> bool {
    crate::failure::find::<hyper::Error>(error).is_some_and(hyper::Error::is_parse_too_large)
}

fn client(
    connector: HttpsConnector<Dial>,
    idle_per_host: usize,
    most_headers: Option<usize>,
) -> Client<Connector, Body> {
    let mut client = Client::builder(TokioExecutor::new());
    if let Some(most_headers) = most_headers {
        client.http1_max_headers(most_headers);
    }
    client
        .timer(TokioTimer::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(IDLE)
        .pool_max_idle_per_host(idle_per_host)
        .http1_max_buf_size(LONGEST_HEAD)
        // As browsers write most of them. Keeping each client's own spelling would cost a map for every message, and
        // nothing that follows the standard can tell.
        .http1_title_case_headers(true)
        .http1_allow_obsolete_multiline_headers_in_responses(true)
        .http1_allow_spaces_after_header_name_in_responses(true)
        .http2_initial_stream_window_size(STREAM_WINDOW)
        .http2_initial_connection_window_size(CONNECTION_WINDOW)
        .http2_max_header_list_size(LONGEST_HEAD as u32)
        .http2_max_send_buf_size(SEND_BUFFER)
        .build(Within(connector))
}

fn matcher(proxy: &UpstreamProxy) -> Result<Matcher, UpstreamError> {
    match proxy {
        UpstreamProxy::Environment => Ok(Matcher::from_env()),
        UpstreamProxy::Direct => Ok(Matcher::builder().build()),
        UpstreamProxy::Fixed { url, no_proxy } => {
            let parsed: Result<Uri, _> = url.parse();
            match parsed {
                Ok(uri) if uri.host().is_some() => {}
                _ => return Err(UpstreamError::ProxyAddress(url.clone())),
            }
            Ok(Matcher::builder().all(url.as_str()).no(no_proxy.as_str()).build())
        }
    }
}
