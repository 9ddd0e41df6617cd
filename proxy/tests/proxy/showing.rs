//! Shows documents to a real browser and asks it what it made of them: mode, encoding, tree.
//!
//! One page shows them all, each in a frame. It declares windows-1252, which frames that declare nothing inherit; so
//! documents whose head declares nothing are shown in windows of their own too.

use crate::support::{origin, within};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;

/// A browser shows hundreds of documents one after the other, on a machine that may be busy.
const SHOW: Duration = Duration::from_secs(180);

/// Lines of the head, and the body, by name.
pub(crate) type Documents = BTreeMap<String, (String, Vec<u8>)>;

/// What a browser said of each document.
pub(crate) struct Shown {
    pub(crate) seen: BTreeMap<String, String>,
    /// The origin they came from: `http://127.0.0.1:1234`.
    pub(crate) origin: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Browser {
    Chromium,
    Firefox,
    WebKit,
}

impl Browser {
    pub(crate) async fn show(self, documents: &Arc<Documents>, proxy: Option<SocketAddr>) -> Shown {
        let (sender, mut seen) = mpsc::unbounded_channel();
        let served = Arc::clone(documents);
        let address = origin(move |mut socket| {
            let (served, sender) = (Arc::clone(&served), sender.clone());
            async move {
                let (path, body) = read_request(&mut socket).await;
                if path == "/seen" {
                    sender.send(serde_json::from_slice(&body).unwrap()).unwrap();
                }
                // A browser that has seen enough may be gone already.
                let _ = socket.write_all(&answer(&path, &served)).await;
                let _ = socket.shutdown().await;
            }
        })
        .await;
        let profile = tempfile::tempdir().unwrap();
        let display = if self == Browser::WebKit {
            Some(display().await)
        } else {
            None
        };
        let origin = format!("http://{address}");
        let mut command = self.command(proxy, profile.path());
        if let Some((_, number)) = &display {
            command.env("DISPLAY", format!(":{number}"));
        }
        command.arg(format!(
            "{origin}/{}",
            if self == Browser::WebKit { "" } else { "?windows" }
        ));
        command.env("HOME", profile.path()).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let _running = command
            .spawn()
            .unwrap_or_else(|error| panic!("{self:?} is needed for this test: {error}"));
        let seen = tokio::time::timeout(SHOW, seen.recv()).await;
        let seen = seen.expect("the browser shows all documents in time").unwrap();
        Shown { seen, origin }
    }

    fn command(self, proxy: Option<SocketAddr>, profile: &Path) -> Command {
        match self {
            Browser::Chromium => chromium(proxy, profile),
            Browser::Firefox => firefox(proxy, profile),
            Browser::WebKit => webkit(proxy),
        }
    }
}

fn chromium(proxy: Option<SocketAddr>, profile: &Path) -> Command {
    let mut command = Command::new("chromium");
    let flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-component-update \
                 --disable-background-networking --disable-sync --disable-dev-shm-usage --disable-popup-blocking";
    command.args(flags.split_ascii_whitespace());
    command.arg(format!("--user-data-dir={}", profile.display()));
    match proxy {
        Some(proxy) => command.args([
            format!("--proxy-server={proxy}"),
            "--proxy-bypass-list=<-loopback>".into(),
        ]),
        None => command.arg("--no-proxy-server"),
    };
    command
}

fn firefox(proxy: Option<SocketAddr>, profile: &Path) -> Command {
    let mut preferences = vec![
        ("network.proxy.allow_hijacking_localhost", "true".to_owned()),
        ("browser.shell.checkDefaultBrowser", "false".to_owned()),
        ("datareporting.policy.dataSubmissionEnabled", "false".to_owned()),
        ("app.update.enabled", "false".to_owned()),
        ("dom.disable_open_during_load", "false".to_owned()),
        ("dom.popup_maximum", "1000".to_owned()),
    ];
    if let Some(proxy) = proxy {
        preferences.push(("network.proxy.type", "1".to_owned()));
        preferences.push(("network.proxy.http", format!("'{}'", proxy.ip())));
        preferences.push(("network.proxy.http_port", proxy.port().to_string()));
    }
    let line = |(name, value): &(&str, String)| format!("user_pref('{name}', {value});\n");
    std::fs::write(
        profile.join("user.js"),
        preferences.iter().map(line).collect::<String>(),
    )
    .unwrap();
    let mut command = Command::new("firefox-esr");
    command.args(["--headless", "--no-remote", "--profile"]).arg(profile);
    command
}

/// WebKitGTK. Its windows do not tell their opener that they have loaded, so it gets frames alone.
fn webkit(proxy: Option<SocketAddr>) -> Command {
    let mut command = Command::new("/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser");
    command.arg("--private");
    if let Some(proxy) = proxy {
        command.arg(format!("--proxy=http://{proxy}"));
    }
    command
}

/// A screen that nobody sees, and its number.
async fn display() -> (Child, String) {
    let mut server = Command::new("Xvfb");
    server.args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "1280x800x24"]);
    server
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let mut server = server.spawn().expect("Xvfb is needed for this test");
    let mut lines = tokio::io::BufReader::new(server.stdout.take().unwrap()).lines();
    let number = within(lines.next_line())
        .await
        .unwrap()
        .expect("Xvfb names its display");
    (server, number)
}

fn answer(path: &str, documents: &Documents) -> Vec<u8> {
    match path {
        "/" | "/?windows" => respond("content-type: text/html\n", include_bytes!("showing.html")),
        "/names" => respond("", &serde_json::to_vec(&names(documents)).unwrap()),
        "/seen" => respond("", b""),
        _ => match path.strip_prefix("/documents/").and_then(|name| documents.get(name)) {
            Some((head, body)) => respond(head, body),
            None => b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(),
        },
    }
}

/// Each document's name, and whether its head leaves no doubt about its encoding.
fn names(documents: &Documents) -> Vec<(&str, bool)> {
    let declared = |head: &str| !head.starts_with("content-type: text/html\n");
    documents
        .iter()
        .map(|(name, (head, _))| (name.as_str(), declared(head)))
        .collect()
}

fn respond(head: &str, body: &[u8]) -> Vec<u8> {
    let (head, length) = (head.replace('\n', "\r\n"), body.len());
    let head = format!("HTTP/1.1 200 OK\r\n{head}content-length: {length}\r\nconnection: close\r\n\r\n");
    [head.as_bytes(), body].concat()
}

/// A request's path and body.
async fn read_request(socket: &mut tokio::net::TcpStream) -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(index) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break index + 4;
        }
        if socket.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return (String::new(), Vec::new());
        }
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse::<usize>().unwrap())
    });
    while bytes.len() < head_end + length.unwrap_or(0) {
        if socket.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            break;
        }
    }
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    (path, bytes.split_off(head_end))
}
