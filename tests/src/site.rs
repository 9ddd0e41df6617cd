//! A web server on loopback for subjects and for small pages of our own.
//!
//! It serves a folder, and below `/~/` answers that a folder cannot give: slow, endless, broken, redirected ones
//! ([`special`]). With a *prelude* every HTML page gets one more script, the same whether or not a proxy stands in
//! between: it reports the page's errors to the server, and can give the page the same random numbers each time.

mod files;
mod prelude;
mod special;
mod tls;

use anyhow::{Context, Result};
use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::Incoming;
use hyper::header::{DATE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

pub use prelude::Prelude;

pub(crate) type Body = UnsyncBoxBody<Bytes, std::io::Error>;

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct Site {
    origin: String,
    address: SocketAddr,
    /// PEM of the authority that signed the server's certificate, when it speaks TLS.
    pub authority_pem: Option<String>,
    content: Arc<Content>,
    serving: tokio::task::JoinHandle<()>,
}

#[derive(Debug)]
pub(crate) struct Content {
    root: PathBuf,
    prelude: Prelude,
    errors: Mutex<Vec<String>>,
    counted: AtomicU64,
    asked: Mutex<Vec<String>>,
}

impl Site {
    pub async fn http(root: impl AsRef<Path>, prelude: Prelude) -> Result<Site> {
        Site::start(root.as_ref(), prelude, None).await
    }

    /// With a certificate for `localhost` and 127.0.0.1, signed by an authority made for this server.
    pub async fn https(root: impl AsRef<Path>, prelude: Prelude) -> Result<Site> {
        Site::start(root.as_ref(), prelude, Some(tls::Identity::make()?)).await
    }

    async fn start(root: &Path, prelude: Prelude, identity: Option<tls::Identity>) -> Result<Site> {
        let root = root
            .canonicalize()
            .with_context(|| format!("the site's folder {}", root.display()))?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let content = Arc::new(Content {
            root,
            prelude,
            errors: Mutex::default(),
            counted: AtomicU64::default(),
            asked: Mutex::default(),
        });
        let (acceptor, authority_pem) = identity.map(|made| (made.acceptor, made.authority_pem)).unzip();
        let scheme = if acceptor.is_some() { "https" } else { "http" };
        Ok(Site {
            origin: format!("{scheme}://{address}"),
            address,
            authority_pem,
            serving: tokio::spawn(accept(listener, acceptor, content.clone())),
            content,
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// `path` begins with a slash.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// The same page on another origin: by name rather than by number.
    pub fn other_origin_url(&self, path: &str) -> String {
        self.url(path).replace("127.0.0.1", "localhost")
    }

    /// Whether a request for this path came.
    pub fn asked_for(&self, path: &str) -> bool {
        let asked = self.content.asked.lock().expect("no panic while held");
        asked.iter().any(|known| known == path)
    }

    /// What the pages' preludes reported so far: exceptions, rejections, `console.error`, resources that failed.
    pub fn errors(&self) -> Vec<String> {
        self.content.errors.lock().expect("no panic while held").clone()
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn accept(listener: TcpListener, acceptor: Option<TlsAcceptor>, content: Arc<Content>) {
    // The set ends its connections when this task is aborted.
    let mut connections = tokio::task::JoinSet::new();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                connections.spawn(serve(stream, acceptor.clone(), content.clone()));
            }
            Err(error) => eprintln!("test site: accepting failed: {error}"),
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn serve(stream: TcpStream, acceptor: Option<TlsAcceptor>, content: Arc<Content>) {
    let answer = service_fn(move |request| answer(content.clone(), request));
    let builder = Builder::new(TokioExecutor::new());
    // A client may leave whenever it likes: how a connection ended is nothing that a test looks at here.
    let _ended = match acceptor {
        None => {
            builder
                .serve_connection_with_upgrades(TokioIo::new(stream), answer)
                .await
        }
        Some(acceptor) => match acceptor.accept(stream).await {
            Ok(stream) => {
                builder
                    .serve_connection_with_upgrades(TokioIo::new(stream), answer)
                    .await
            }
            Err(_refused_by_client) => Ok(()),
        },
    };
}

async fn answer(content: Arc<Content>, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
    let path = request.uri().path().to_owned();
    content.asked.lock().expect("no panic while held").push(path);
    let answered = match request.uri().path().strip_prefix("/~/") {
        Some(_) => special::answer(&content, request).await,
        None => files::answer(&content, &request).await,
    };
    let mut response = answered.unwrap_or_else(|error| files::plain(500, format!("{error:#}")));
    // Some pages show it.
    response
        .headers_mut()
        .insert(DATE, HeaderValue::from_static("Thu, 01 Jan 2026 00:00:00 GMT"));
    Ok(response)
}
