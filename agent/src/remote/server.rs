//! The daemon: where it listens, what it demands for that, and its end.

use super::door;
use super::stock::Stock;
use super::token::Token;
use crate::find::CustomBrowser;
use crate::launch::process::{Process, Spec};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio_rustls::{LazyConfigAcceptor, server::TlsStream};
use xcheck_proxy::Authority;
use xcheck_trace::StoreError;

pub struct DaemonConfig {
    pub listen: SocketAddr,
    pub token: Option<Token>,
    pub tls: ServerTls,
    /// Of the proxies that replays go through.
    pub authority: Arc<Authority>,
    /// Offered beside those that are known everywhere.
    pub browsers: Vec<CustomBrowser>,
    /// Replays at once; others wait.
    pub at_once: usize,
    /// After which a replay is ended, however it goes.
    pub longest: Duration,
    /// Bytes of bodies kept for later.
    pub stock: u64,
    /// Bytes of one trace.
    pub largest_trace: u64,
}

pub enum ServerTls {
    None,
    /// Certificates for whatever name the machine is called by, signed by our own authority.
    Own(Arc<Authority>),
    Given {
        certificate: PathBuf,
        key: PathBuf,
    },
}

#[derive(Debug, thiserror::Error)]
pub enum DaemonError {
    #[error(
        "{0} can be reached from other machines, and whoever reaches an agent without a token runs browsers here: \
         give it a token with --token-file, or listen on 127.0.0.1"
    )]
    NoToken(SocketAddr),
    #[error(
        "{0} can be reached from other machines, and without TLS the token and the traces could be read on the way: \
         add --tls, or --tls-cert and --tls-key, or listen on 127.0.0.1"
    )]
    NoTls(SocketAddr),
    #[error("cannot listen on {address}: {source}")]
    Listen {
        address: SocketAddr,
        source: std::io::Error,
    },
    #[error("the certificate in {path} cannot be used: {why}")]
    Certificate { path: PathBuf, why: String },
    #[error("its folder could not be made: {0}")]
    Folder(std::io::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A running daemon. Dropping it ends all replays; [`Daemon::stop`] also waits until its files are gone.
pub struct Daemon {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: JoinSet<()>,
    /// Holds the folder: however we end, it goes.
    janitor: Process,
}

pub(super) struct Shared {
    pub(super) config: DaemonConfig,
    pub(super) folder: PathBuf,
    pub(super) stock: Stock,
    pub(super) turns: Arc<Semaphore>,
    /// Replays that run or wait.
    pub(super) replays: AtomicUsize,
    pub(super) stopping: watch::Sender<bool>,
}

/// Before any token is seen: so many connections, and so long for a handshake.
const CONNECTIONS: usize = 256;
const HANDSHAKE: Duration = Duration::from_secs(10);

impl Daemon {
    pub async fn start(config: DaemonConfig) -> Result<Daemon, DaemonError> {
        demand(&config)?;
        let given = given_tls(&config.tls)?;
        let cannot_listen = |source| DaemonError::Listen {
            address: config.listen,
            source,
        };
        let listener = TcpListener::bind(config.listen).await.map_err(cannot_listen)?;
        let address = listener.local_addr().map_err(cannot_listen)?;
        let folder = tempfile::Builder::new()
            .prefix("xcheck-agent-")
            .tempdir()
            .map_err(DaemonError::Folder)?
            .keep();
        let janitor = Process::spawn(Spec {
            program: Path::new("true"),
            arguments: Vec::new(),
            environment: Vec::new(),
            folder: Some(folder.clone()),
        })
        .map_err(DaemonError::Folder)?;
        let shared = Arc::new(Shared {
            stock: Stock::create(&folder.join("stock"), config.stock)?,
            folder,
            turns: Arc::new(Semaphore::new(config.at_once.max(1))),
            replays: AtomicUsize::new(0),
            stopping: watch::Sender::new(false),
            config,
        });
        let mut accepting = JoinSet::new();
        accepting.spawn(accept(shared.clone(), listener, given));
        Ok(Daemon {
            address,
            shared,
            accepting,
            janitor,
        })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Clients are told, browsers end, files go.
    pub async fn stop(mut self) -> std::io::Result<()> {
        self.shared.stopping.send_replace(true);
        while self.accepting.join_next().await.is_some() {}
        self.janitor.end().await
    }
}

/// What an address that others can reach has to have.
fn demand(config: &DaemonConfig) -> Result<(), DaemonError> {
    if config.listen.ip().is_loopback() {
        return Ok(());
    }
    if config.token.is_none() {
        return Err(DaemonError::NoToken(config.listen));
    }
    match config.tls {
        ServerTls::None => Err(DaemonError::NoTls(config.listen)),
        ServerTls::Own(_) | ServerTls::Given { .. } => Ok(()),
    }
}

fn given_tls(tls: &ServerTls) -> Result<Option<Arc<rustls::ServerConfig>>, DaemonError> {
    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    let ServerTls::Given { certificate, key } = tls else {
        return Ok(None);
    };
    let unusable = |path: &Path, why: String| DaemonError::Certificate {
        path: path.to_owned(),
        why,
    };
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| unusable(certificate, error.to_string()))?;
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| unusable(key, error.to_string()))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, private))
        .map_err(|error| unusable(certificate, error.to_string()))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Some(Arc::new(config)))
}

async fn accept(shared: Arc<Shared>, listener: TcpListener, given: Option<Arc<rustls::ServerConfig>>) {
    let mut stopping = shared.stopping.subscribe();
    let permits = Arc::new(Semaphore::new(CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopping.wait_for(|stopping| *stopping) => break,
        };
        while connections.try_join_next().is_some() {}
        let (socket, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file descriptors, most likely: connections that end give some back.
                tracing::warn!(%error, "cannot take new connections just now");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Ok(permit) = permits.clone().try_acquire_owned() else {
            tracing::warn!(%peer, "too many connections, this one is turned away");
            continue;
        };
        let (shared, given) = (shared.clone(), given.clone());
        connections.spawn(async move {
            let _permit = permit;
            serve(shared, socket, given).await;
        });
    }
    while connections.join_next().await.is_some() {}
}

async fn serve(shared: Arc<Shared>, socket: TcpStream, given: Option<Arc<rustls::ServerConfig>>) {
    if let Err(error) = socket.set_nodelay(true) {
        tracing::debug!(%error, "a client's socket cannot be set up; it is slower, not wrong");
    }
    let own = match &shared.config.tls {
        ServerTls::None => return door::serve(shared, socket).await,
        ServerTls::Own(authority) => Some(authority.clone()),
        ServerTls::Given { .. } => None,
    };
    match tokio::time::timeout(HANDSHAKE, handshake(socket, own, given)).await {
        Ok(Ok(stream)) => door::serve(shared, stream).await,
        Ok(Err(error)) => tracing::debug!(error, "a client's handshake failed"),
        Err(_) => tracing::debug!("a client did not finish its handshake"),
    }
}

async fn handshake(
    socket: TcpStream,
    own: Option<Arc<Authority>>,
    given: Option<Arc<rustls::ServerConfig>>,
) -> Result<TlsStream<TcpStream>, String> {
    let here: IpAddr = socket.local_addr().map_err(|error| error.to_string())?.ip();
    let start = LazyConfigAcceptor::new(rustls::server::Acceptor::default(), socket)
        .await
        .map_err(|error| error.to_string())?;
    let config = match (own, given) {
        (Some(authority), _) => {
            // Clients that know us by our address name no host.
            let name = start.client_hello().server_name().map(str::to_owned);
            let name = name.unwrap_or_else(|| here.to_canonical().to_string());
            let mut config = (*authority.server_config(&name).map_err(|error| error.to_string())?).clone();
            config.alpn_protocols = vec![b"http/1.1".to_vec()];
            Arc::new(config)
        }
        (None, Some(given)) => given,
        (None, None) => return Err("there is no certificate".to_owned()),
    };
    start.into_stream(config).await.map_err(|error| error.to_string())
}
