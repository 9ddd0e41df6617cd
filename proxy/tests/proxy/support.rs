//! A proxy of the test's own, a client to use it, and origins to be reached through it.

use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;
use xcheck_proxy::{Authority, Config, Mode, Proxy, Summary, UpstreamProxy, UpstreamTrust};
use xcheck_trace::TraceWriter;
use xcheck_trace::event::{Event, Load};
use xcheck_trace::exchange::{Body, Exchange, Frame};
use xcheck_trace::manifest::{FORMAT, Manifest};
use xcheck_trace::notice::Notice;
use xcheck_trace::redact::Redaction;

/// No test waits longer than this for anything.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

pub(crate) async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(DEADLINE, future).await.expect("within a minute")
}

pub(crate) fn authority() -> (TempDir, Arc<Authority>) {
    let folder = tempfile::tempdir().unwrap();
    let authority = Authority::open(folder.path()).unwrap();
    (folder, authority)
}

/// A recording proxy.
pub(crate) struct Rig {
    pub(crate) proxy: Proxy,
    pub(crate) folder: TempDir,
    _ca: TempDir,
    trace: TraceWriter,
}

impl Rig {
    pub(crate) async fn start() -> Rig {
        Rig::with(|_| ()).await
    }

    /// One that trusts any origin, for origins with certificates of their own making.
    pub(crate) async fn trusting() -> Rig {
        Rig::with(|config| {
            config.upstream_trust = UpstreamTrust {
                insecure: true,
                extra_ca: vec![],
            }
        })
        .await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut Config)) -> Rig {
        let (ca, authority) = authority();
        let folder = tempfile::tempdir().unwrap();
        let trace = TraceWriter::create(&folder.path().join("trace"), manifest(), Redaction::default()).unwrap();
        let mut config = Config::new(authority, Mode::Record(trace.clone()));
        config.upstream_proxy = UpstreamProxy::Direct;
        change(&mut config);
        let proxy = Proxy::start(config).await.unwrap();
        Rig {
            proxy,
            folder,
            _ca: ca,
            trace,
        }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.proxy.address()
    }

    /// Runs curl through the proxy, trusting its authority alone.
    pub(crate) async fn curl(&self, arguments: &[&str]) -> Curl {
        curl_through(self.address(), self.proxy.ca().certificate_path(), arguments).await
    }

    pub(crate) fn trace_folder(&self) -> PathBuf {
        self.folder.path().join("trace")
    }

    /// Stops the proxy and reads what it recorded.
    pub(crate) async fn stop(self) -> Recorded {
        let trace_folder = self.trace_folder();
        let summary = within(self.proxy.stop()).await.expect("a summary of the recording");
        assert_eq!(summary.not_written, Vec::<String>::new());
        Recorded {
            exchanges: lines(&trace_folder, "exchanges"),
            frames: lines(&trace_folder, "frames"),
            loads: lines(&trace_folder, "loads"),
            events: lines(&trace_folder, "events"),
            notices: lines(&trace_folder, "notices"),
            summary,
            trace: self.trace,
            _folder: self.folder,
        }
    }
}

pub(crate) struct Recorded {
    pub(crate) exchanges: Vec<Exchange>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) loads: Vec<Load>,
    pub(crate) events: Vec<Event>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) summary: Summary,
    trace: TraceWriter,
    _folder: TempDir,
}

impl Recorded {
    /// The only exchange there is.
    pub(crate) fn exchange(&self) -> &Exchange {
        assert_eq!(self.exchanges.len(), 1, "{:#?}", self.exchanges);
        &self.exchanges[0]
    }

    pub(crate) fn body(&self, body: &Option<Body>) -> Vec<u8> {
        let body = body.as_ref().expect("a body was recorded");
        self.trace.bodies().bytes(&body.sha256, 1 << 30).unwrap()
    }

    pub(crate) fn response_body(&self, exchange: &Exchange) -> Vec<u8> {
        self.body(&exchange.response.as_ref().expect("a response was recorded").body)
    }
}

pub(crate) fn lines<T: serde::de::DeserializeOwned>(folder: &Path, log: &str) -> Vec<T> {
    let text = match std::fs::read(folder.join(format!("{log}.jsonl.zst"))) {
        Ok(compressed) => zstd::decode_all(&compressed[..]).unwrap(),
        Err(_) => std::fs::read(folder.join(format!("{log}.jsonl"))).unwrap(),
    };
    let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).unwrap()).collect()
}

pub(crate) fn manifest() -> Manifest {
    Manifest {
        format: FORMAT,
        recorder: "test".into(),
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

#[derive(Debug)]
pub(crate) struct Curl {
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
    pub(crate) status: i32,
}

impl Curl {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }

    #[track_caller]
    pub(crate) fn ok(self) -> Curl {
        assert_eq!(self.status, 0, "{}\n{}", self.err, self.text());
        self
    }
}

pub(crate) async fn curl_through(proxy: SocketAddr, ca: &Path, arguments: &[&str]) -> Curl {
    let mut command = Command::new("curl");
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default());
    // By the environment, so that it holds for every transfer of a command line with several.
    command
        .env("http_proxy", format!("http://{proxy}"))
        .env("https_proxy", format!("http://{proxy}"));
    command.env("CURL_CA_BUNDLE", ca);
    command
        .args(["--silent", "--show-error", "--max-time", "60"])
        .args(arguments);
    let output = command.stdin(Stdio::null()).kill_on_drop(true).output().await;
    let output = output.expect("curl is installed");
    Curl {
        out: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
        status: output.status.code().unwrap_or(-1),
    }
}

/// An origin that treats each connection as `serve` says. It ends with the test's runtime.
pub(crate) async fn origin<F>(serve: impl Fn(TcpStream) -> F + Send + Sync + 'static) -> SocketAddr
where
    F: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(serve(socket));
        }
    });
    address
}

/// An origin that reads one request head and then writes `answer` and closes.
pub(crate) async fn answering(answer: impl Into<Vec<u8>>) -> SocketAddr {
    let answer = answer.into();
    origin(move |mut socket| {
        let answer = answer.clone();
        async move {
            read_head(&mut socket).await;
            // A client that has seen enough may be gone already.
            let _ = socket.write_all(&answer).await;
            let _ = socket.shutdown().await;
        }
    })
    .await
}

/// Reads up to the empty line; what follows in the same packets is returned too.
pub(crate) async fn read_head(socket: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        if socket.read_buf(&mut head).await.unwrap_or(0) == 0 {
            break;
        }
    }
    String::from_utf8_lossy(&head).into_owned()
}

pub(crate) fn page(html: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {}\r\n\r\n{html}",
        html.len()
    )
}

pub(crate) fn header<'a>(headers: &'a [(String, String)], wanted: &str) -> Option<&'a str> {
    headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
        .map(|(_, value)| value.as_str())
}

/// Where a document that passed the proxy gets its script from.
pub(crate) fn script_path(html: &str) -> String {
    let (_, rest) = html
        .split_once("src=\"/__xcheck/")
        .unwrap_or_else(|| panic!("no script in {html}"));
    format!("/__xcheck/{}", rest.split('"').next().unwrap())
}

/// The secret that a script was given.
pub(crate) fn secret_in(script: &str) -> String {
    let (_, rest) = script
        .rsplit_once("/__xcheck/")
        .unwrap_or_else(|| panic!("no end point in {script}"));
    rest.chars().take_while(char::is_ascii_hexdigit).collect()
}

pub(crate) type Socket = tokio_tungstenite::WebSocketStream<TcpStream>;

/// A WebSocket as browsers open one through a proxy: in a tunnel, also on plain HTTP.
pub(crate) async fn open_socket(proxy: SocketAddr, host: &str, path: &str) -> Result<Socket, String> {
    let mut tcp = TcpStream::connect(proxy).await.unwrap();
    let tunnel = if host.contains(':') {
        host.to_owned()
    } else {
        format!("{host}:80")
    };
    tcp.write_all(format!("CONNECT {tunnel} HTTP/1.1\r\nhost: {host}\r\n\r\n").as_bytes())
        .await
        .unwrap();
    read_head(&mut tcp).await;
    let opened = tokio_tungstenite::client_async(format!("ws://{host}{path}"), tcp).await;
    opened.map(|(socket, _)| socket).map_err(|error| error.to_string())
}
