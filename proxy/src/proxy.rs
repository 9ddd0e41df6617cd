//! The running proxy: starting, stopping, and what it tells meanwhile.

use crate::ca::Authority;
use crate::config::{Config, Mode};
use crate::connection;
use crate::earlier::{Earlier, Sent};
use crate::modules::Modules;
use crate::pages::Pages;
use crate::record::{Command, Counts, Recorder, Summary};
use crate::service_workers::ServiceWorkers;
use crate::session::{self, Session};
use crate::target::Inside;
use crate::tasks::Tasks;
use crate::upstream::{Upstream, UpstreamError};
use hyper::header::HeaderValue;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use xcheck_trace::Trace;
use xcheck_trace::exchange::ExchangeId;

/// What is going on when a recording stops may take so long to end by itself. A replay has nothing to lose.
const GRACE: Duration = Duration::from_secs(1);

/// How long the first words of a page may take to arrive that ran just before it was left.
const HELLO: Duration = Duration::from_secs(1);

/// The one task that is no client's: it takes new connections.
const LISTENING: usize = 1;

#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("{0} is taken by another program; choose another port, or 0 for any free one")]
    PortTaken(SocketAddr),
    #[error("this machine has no address {0} to listen on")]
    NoSuchAddress(SocketAddr),
    #[error("no permission to listen on {0}; ports below 1024 usually need an administrator")]
    NotPermitted(SocketAddr),
    #[error("cannot listen on {address}: {source}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error(transparent)]
    Upstream(#[from] UpstreamError),
    #[error("cannot start the thread that writes the trace: {0}")]
    Thread(io::Error),
}

/// A running proxy. Dropping it ends it at once; [`Proxy::stop`] ends it in order.
pub struct Proxy {
    session: Arc<Session>,
    counts: watch::Receiver<Counts>,
}

impl Proxy {
    pub async fn start(config: Config) -> Result<Proxy, StartError> {
        let listener = TcpListener::bind(config.listen)
            .await
            .map_err(|error| cannot_listen(config.listen, error))?;
        let own = listener.local_addr().map_err(|source| StartError::Listen {
            address: config.listen,
            source,
        })?;
        let via = HeaderValue::try_from(format!("1.1 xcheck-{}", crate::random::hex::<8>())).expect("hexadecimal");
        let upstream = Upstream::new(&config.upstream_proxy, &config.upstream_trust, own, &via)?;
        let (mode, counts) = match config.mode {
            Mode::Pass => (session::Mode::Pass, watch::Sender::new(Counts::default()).subscribe()),
            Mode::Serve(serve) => (
                session::Mode::Serve(Arc::new(serve)),
                watch::Sender::new(Counts::default()).subscribe(),
            ),
            Mode::Record(trace) => {
                let (recorder, counts) = Recorder::start(trace).map_err(StartError::Thread)?;
                (session::Mode::Record(recorder), counts)
            }
        };
        let session = Arc::new(Session {
            authority: config.authority,
            own,
            via,
            upstream,
            pages: Pages::new(),
            service_workers: ServiceWorkers::default(),
            tasks: Tasks::new(),
            faults: config.faults,
            earlier: Earlier::default(),
            modules: Modules::default(),
            mode,
            profiles: config.profiles,
            live: config.live,
        });
        session.tasks.spawn(accept(session.clone(), listener));
        Ok(Proxy { session, counts })
    }

    /// Where clients find it.
    pub fn address(&self) -> SocketAddr {
        self.session.own
    }

    /// What its documents know each other by: a DOM event named `xcheck-` and this is answered by our script in a window.
    pub fn session_name(&self) -> &str {
        self.session.pages.session_name()
    }

    pub fn ca(&self) -> &Authority {
        &self.session.authority
    }

    /// Live numbers for a status line; they change a few times a second at most.
    pub fn counts(&self) -> watch::Receiver<Counts> {
        self.counts.clone()
    }

    /// Recording, requests are answered from an earlier recording from now on, as long as it has what is asked for, and kept all
    /// the same.
    pub fn lead_back(&self, earlier: Arc<Trace>) {
        self.session.earlier.begin(earlier);
    }

    /// From now on this one answers, and the one before what it does not have: another piece of the way. Not where something
    /// was missing already.
    pub fn lead_on(&self, earlier: Arc<Trace>) {
        self.session.earlier.go_on(earlier);
    }

    /// From now on origins answer, as they do otherwise. Says what the earlier recording had no answer for: since then they did.
    pub fn led_back(&self) -> Option<String> {
        self.session.earlier.end()
    }

    /// Before that: whether the server still knows whoever was there when the way was recorded, as far as it set cookies on it.
    pub async fn is_still_known(&self) -> bool {
        self.session.earlier.is_still_known(&self.session.upstream).await
    }

    /// What may have changed something at a server.
    pub fn sent(&self) -> Sent {
        self.session.earlier.sent()
    }

    /// The exchanges of this recording that have begun.
    pub fn exchanges(&self) -> ExchangeId {
        self.session.recorder().map_or(0, Recorder::last_exchange)
    }

    /// Waits until nobody has anything left to say: every page has gone and its log is here, or no client is connected
    /// any more. `false` when that was not so in time, because a page stays open or died without a word.
    pub async fn settled(&self, patience: Duration) -> bool {
        let nobody_is_left = async {
            self.have_taken_all().await;
            self.session.tasks.at_most(LISTENING).await;
        };
        let settled = async {
            tokio::select! {
                () = self.session.pages.have_left() => {}
                () = nobody_is_left => {}
                () = self.only_unheard_pages_are_left() => {}
            }
        };
        tokio::time::timeout(patience, settled).await.is_ok()
    }

    /// A page that was left before its script ran never says that it goes, nor anything else: one that has said nothing is
    /// waited for as long as a hello that is on its way may take.
    async fn only_unheard_pages_are_left(&self) {
        self.session.pages.that_spoke_have_left().await;
        tokio::time::sleep(HELLO).await;
        // One that has spoken meanwhile is waited for as any.
        self.session.pages.that_spoke_have_left().await;
    }

    /// Resolves when every connection made so far was taken: a client that is gone may have left one waiting, with its
    /// last words in it. One of our own stands behind all of them.
    async fn have_taken_all(&self) {
        let mut own = self.address();
        if own.ip().is_unspecified() {
            own.set_ip(if own.is_ipv4() {
                Ipv4Addr::LOCALHOST.into()
            } else {
                Ipv6Addr::LOCALHOST.into()
            });
        }
        let queue_up = async {
            let mut last = TcpStream::connect(own).await?;
            last.shutdown().await?;
            last.read_u8().await
        };
        if let Err(error) = queue_up.await
            && error.kind() != io::ErrorKind::UnexpectedEof
        {
            tracing::debug!(%error, "whether clients wait to be taken cannot be told");
        }
    }

    /// Ends all connections and closes the trace. `None` when nothing was recorded.
    pub async fn stop(self) -> Option<Summary> {
        let recorder = self.session.recorder().cloned();
        if let Some(recorder) = &recorder {
            recorder.begin_ending();
        }
        self.session
            .tasks
            .stop(if recorder.is_some() { GRACE } else { Duration::ZERO })
            .await;
        let recorder = recorder?;
        self.session.service_workers.let_go();
        self.session
            .pages
            .orphans()
            .into_iter()
            .for_each(|load| recorder.send(Command::Load(Box::new(load))));
        Some(recorder.finish().await)
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.session.tasks.end_at_once();
    }
}

fn cannot_listen(address: SocketAddr, source: io::Error) -> StartError {
    match source.kind() {
        io::ErrorKind::AddrInUse => StartError::PortTaken(address),
        io::ErrorKind::AddrNotAvailable => StartError::NoSuchAddress(address),
        io::ErrorKind::PermissionDenied => StartError::NotPermitted(address),
        _ => StartError::Listen { address, source },
    }
}

async fn accept(session: Arc<Session>, listener: TcpListener) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = session.tasks.stopping() => return,
        };
        match accepted {
            Ok((socket, _)) => {
                session
                    .tasks
                    .spawn(connection::serve(session.clone(), prepared(socket), Inside::Nothing))
            }
            Err(error) if is_of_one_connection(&error) => {}
            Err(error) => {
                // Out of file descriptors, most likely: connections that end give some back.
                tracing::warn!(%error, "cannot take new connections just now");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::Interrupted
    )
}

/// Small answers must not wait for the client's acknowledgement of earlier ones.
fn prepared(socket: TcpStream) -> TcpStream {
    if let Err(error) = socket.set_nodelay(true) {
        tracing::debug!(%error, "a client's socket cannot be set up; it is slower, not wrong");
    }
    socket
}
