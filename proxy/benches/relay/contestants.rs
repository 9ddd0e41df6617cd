//! Who is measured: ourselves, a relay of bare hyper, and mitmdump.

use crate::measure;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioIo};
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use xcheck_proxy::{Authority, Config, Mode, Proxy, UpstreamProxy};
use xcheck_trace::TraceWriter;
use xcheck_trace::manifest::{FORMAT, Manifest};
use xcheck_trace::redact::Redaction;

pub(crate) enum Kind {
    /// hyper's server and pooled client with nothing in between.
    Bare,
    /// Ourselves, changing and keeping nothing.
    Pass,
    /// Ourselves, recording to a temporary folder.
    Record,
    /// mitmproxy's command line, by its path.
    Mitmdump(String),
}

impl Kind {
    pub(crate) fn name(&self) -> &str {
        match self {
            Kind::Bare => "bare hyper relay",
            Kind::Pass => "xcheck, passing",
            Kind::Record => "xcheck, recording",
            Kind::Mitmdump(_) => "mitmdump",
        }
    }
}

pub(crate) struct Contestant {
    process: Child,
    /// Where it keeps what it must; removed after it, because who is killed cannot clean up.
    _folder: TempDir,
    pub(crate) address: SocketAddr,
}

impl Contestant {
    pub(crate) async fn start(kind: &Kind) -> Contestant {
        let own = std::env::current_exe().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let as_ourselves = |name: &str| {
            let arguments = [own.to_str().unwrap(), "--as", name, folder.path().to_str().unwrap()];
            arguments.map(str::to_owned)
        };
        match kind {
            Kind::Bare => Contestant::that_tells_its_address(&as_ourselves("bare"), folder).await,
            Kind::Pass => Contestant::that_tells_its_address(&as_ourselves("pass"), folder).await,
            Kind::Record => Contestant::that_tells_its_address(&as_ourselves("record"), folder).await,
            Kind::Mitmdump(path) => Contestant::mitmdump(path, folder).await,
        }
    }

    async fn that_tells_its_address(command: &[String], folder: TempDir) -> Contestant {
        let mut process = on_one_core(command).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = lines
            .next_line()
            .await
            .unwrap()
            .expect("it tells its address")
            .parse()
            .unwrap();
        Contestant {
            process,
            _folder: folder,
            address,
        }
    }

    async fn mitmdump(path: &str, folder: TempDir) -> Contestant {
        let free = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap();
        let port = free.port().to_string();
        let command = [path, "-q", "--listen-host", "127.0.0.1", "-p", &port].map(str::to_owned);
        let process = on_one_core(&command).spawn().expect("MITMDUMP can be run");
        while TcpStream::connect(free).await.is_err() {
            tokio::task::yield_now().await;
        }
        Contestant {
            process,
            _folder: folder,
            address: free,
        }
    }

    pub(crate) fn cpu(&self) -> Duration {
        measure::cpu(self.process.id().expect("it still runs"))
    }

    pub(crate) fn peak_memory(&self) -> u64 {
        measure::peak_memory(self.process.id().expect("it still runs"))
    }
}

/// `taskset` replaces itself by what it starts, so the process stays the same.
fn on_one_core(command: &[String]) -> Command {
    let mut pinned = Command::new("taskset");
    pinned.args(["-c", "0"]).args(command).kill_on_drop(true);
    pinned
}

/// The contestant's side: listens, tells where, and serves until it is killed.
pub(crate) fn run(name: &str, folder: &Path) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        match name {
            "bare" => bare().await,
            "pass" => ourselves(Mode::Pass, folder).await,
            "record" => {
                let trace = TraceWriter::create(&folder.join("trace"), manifest(), Redaction::default());
                ourselves(Mode::Record(trace.unwrap()), folder).await;
            }
            other => panic!("nobody is called {other}"),
        }
    });
}

async fn ourselves(mode: Mode, folder: &Path) {
    let mut config = Config::new(Authority::open(&folder.join("ca")).unwrap(), mode);
    config.upstream_proxy = UpstreamProxy::Direct;
    let proxy = Proxy::start(config).await.unwrap();
    println!("{}", proxy.address());
    std::future::pending::<()>().await;
}

async fn bare() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("{}", listener.local_addr().unwrap());
    let client: Client<_, Incoming> = Client::builder(TokioExecutor::new()).build_http();
    loop {
        let (socket, _) = listener.accept().await.unwrap();
        socket.set_nodelay(true).unwrap();
        let client = client.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request: Request<Incoming>| {
                let client = client.clone();
                async move {
                    let response = client.request(request).await?;
                    Ok::<_, hyper_util::client::legacy::Error>(response.map(|body: Incoming| body.boxed_unsync()))
                        as Result<Response<_>, _>
                }
            });
            let served = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(socket), service)
                .await;
            if let Err(error) = served {
                eprintln!("bare relay: {error}");
            }
        });
    }
}

fn manifest() -> Manifest {
    Manifest {
        format: FORMAT,
        recorder: "bench".into(),
        browser: None,
        viewport: None,
        start_url: None,
        time_zone: None,
        languages: vec![],
        started_at_ms: 0,
        finished_at_ms: None,
        service_workers: false,
        redactions: vec![],
    }
}
