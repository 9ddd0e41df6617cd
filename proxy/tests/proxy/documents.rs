//! Real browsers show documents of every awkward kind, straight from the origin and through a recording proxy, and must
//! make the same of both: mode, encoding, tree. The documents stand in `tests/documents`, each with the head it is sent
//! with. One page shows them all, each in a frame. It declares windows-1252, which frames that declare nothing inherit; so
//! documents whose head declares nothing are shown in windows of their own too.

use crate::support::*;
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use xcheck_trace::notice::NoticeKind;

/// A browser shows more than a hundred documents one after the other, on a machine that may be busy.
const SHOW: Duration = Duration::from_secs(120);

#[tokio::test]
async fn chromium_makes_the_same_of_a_document_with_and_without_our_script() {
    check("chromium", "?windows", |proxy, profile, url| {
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
        command.arg(url);
        command
    })
    .await;
}

#[tokio::test]
async fn firefox_makes_the_same_of_a_document_with_and_without_our_script() {
    check("firefox-esr", "?windows", |proxy, profile, url| {
        let mut preferences = String::from(
            "user_pref('network.proxy.allow_hijacking_localhost', true);\n\
             user_pref('browser.shell.checkDefaultBrowser', false);\n\
             user_pref('datareporting.policy.dataSubmissionEnabled', false);\n\
             user_pref('app.update.enabled', false);\n\
             user_pref('dom.disable_open_during_load', false);\n\
             user_pref('dom.popup_maximum', 1000);\n",
        );
        if let Some(proxy) = proxy {
            preferences += &format!(
                "user_pref('network.proxy.type', 1);\nuser_pref('network.proxy.http', '{}');\n\
                 user_pref('network.proxy.http_port', {});\n",
                proxy.ip(),
                proxy.port()
            );
        }
        std::fs::write(profile.join("user.js"), preferences).unwrap();
        let mut command = Command::new("firefox-esr");
        command
            .args(["--headless", "--no-remote", "--profile"])
            .arg(profile)
            .arg(url);
        command
    })
    .await;
}

#[tokio::test]
async fn webkit_makes_the_same_of_a_document_with_and_without_our_script() {
    let (_display, number) = display().await;
    // Its windows do not tell their opener that they have loaded.
    check("MiniBrowser", "", |proxy, _, url| {
        let mut command = Command::new("/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser");
        command.env("DISPLAY", format!(":{number}")).arg("--private");
        if let Some(proxy) = proxy {
            command.arg(format!("--proxy=http://{proxy}"));
        }
        command.arg(url);
        command
    })
    .await;
}

/// A screen that nobody sees.
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

async fn check(browser: &str, windows: &str, launch: impl Fn(Option<SocketAddr>, &Path, &str) -> Command) {
    let documents = Arc::new(documents());
    let (straight, _) = show(&documents, None, &launch, browser, windows).await;
    let rig = Rig::start().await;
    let (recorded, origin) = show(&documents, Some(rig.address()), &launch, browser, windows).await;
    let trace = rig.stop().await;

    let different: Vec<&String> = straight
        .keys()
        .filter(|name| straight.get(*name) != recorded.get(*name))
        .collect();
    for name in different.iter().filter(|name| !SHOWS.contains(&name.as_str())) {
        eprintln!("{name}\n  without: {}\n  with:    {}", straight[*name], recorded[*name]);
    }
    assert_eq!(different, SHOWS, "documents of which {browser} makes something else");

    assert_eq!(
        silent_documents(&trace, &origin),
        NO_SCRIPT,
        "documents without a recorder in {browser}"
    );
    let told: Vec<&str> = trace
        .notices
        .iter()
        .filter(|notice| notice.kind == NoticeKind::NotInstrumented)
        .filter_map(|notice| notice.url.as_deref()?.strip_prefix(&format!("{origin}/documents/")))
        .collect();
    assert_eq!(told, ["csp-sandbox"], "{browser}");
}

/// Where a page can see what we did: the column of a syntax error, and the text of a policy in a `<meta>`.
const SHOWS: [&str; 3] = ["csp-meta", "csp-meta-encoded", "xhtml-malformed"];

/// Documents that run no script, so that there is nothing to record.
const NO_SCRIPT: [&str; 4] = ["csp-sandbox", "not-sniffed", "text-plain", "xml-feed"];

/// Documents from which no recorder reported.
fn silent_documents(trace: &Recorded, origin: &str) -> Vec<String> {
    let loads: BTreeSet<Option<u64>> = trace.loads.iter().map(|load| load.exchange).collect();
    let of_documents = trace.exchanges.iter().filter_map(|exchange| {
        let name = exchange.request.url.strip_prefix(&format!("{origin}/documents/"))?;
        (!loads.contains(&Some(exchange.id))).then(|| name.to_owned())
    });
    let silent: BTreeSet<String> = of_documents.collect();
    silent.into_iter().collect()
}

/// Head and body of each document.
fn documents() -> BTreeMap<String, (String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let parse = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let bytes = std::fs::read(&path).unwrap();
        let (head, body) = match bytes.strip_prefix(b"\n") {
            Some(body) => (String::new(), body.to_vec()),
            None => {
                let end = bytes.windows(2).position(|window| window == b"\n\n").unwrap();
                let head = String::from_utf8(bytes[..end].to_vec()).unwrap().replace('\n', "\r\n");
                (head + "\r\n", bytes[end + 2..].to_vec())
            }
        };
        (name, (head, body))
    };
    files.map(parse).collect()
}

/// Starts the browser and waits for what it saw. Returns that and the origin's address.
async fn show(
    documents: &Arc<BTreeMap<String, (String, Vec<u8>)>>,
    proxy: Option<SocketAddr>,
    launch: &impl Fn(Option<SocketAddr>, &Path, &str) -> Command,
    browser: &str,
    windows: &str,
) -> (BTreeMap<String, String>, String) {
    let (sender, mut seen) = mpsc::unbounded_channel();
    let served = Arc::clone(documents);
    let address = origin(move |mut socket| {
        let (served, sender) = (Arc::clone(&served), sender.clone());
        async move {
            let (path, body) = read_request(&mut socket).await;
            let answer = match path.as_str() {
                "/" | "/?windows" => respond("content-type: text/html\r\n", include_bytes!("documents.html")),
                "/names" => respond("", &serde_json::to_vec(&names(&served)).unwrap()),
                "/seen" => {
                    sender.send(serde_json::from_slice(&body).unwrap()).unwrap();
                    respond("", b"")
                }
                _ => match path.strip_prefix("/documents/").and_then(|name| served.get(name)) {
                    Some((head, body)) => respond(head, body),
                    None => b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".to_vec(),
                },
            };
            // A browser that has seen enough may be gone already.
            let _ = socket.write_all(&answer).await;
            let _ = socket.shutdown().await;
        }
    })
    .await;
    let profile = tempfile::tempdir().unwrap();
    let url = format!("http://{address}");
    let _browser = start(
        launch(proxy, profile.path(), &format!("{url}/{windows}")),
        &profile,
        browser,
    );
    let seen = tokio::time::timeout(SHOW, seen.recv()).await;
    (seen.expect("the browser shows all documents in time").unwrap(), url)
}

/// Each document's name, and whether its head leaves no doubt about its encoding.
fn names(documents: &BTreeMap<String, (String, Vec<u8>)>) -> Vec<(&str, bool)> {
    let declared = |head: &str| !head.starts_with("content-type: text/html\r\n");
    documents
        .iter()
        .map(|(name, (head, _))| (name.as_str(), declared(head)))
        .collect()
}

fn start(mut command: Command, home: &TempDir, browser: &str) -> Child {
    command.env("HOME", home.path()).kill_on_drop(true);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
        .spawn()
        .unwrap_or_else(|error| panic!("{browser} is needed for this test: {error}"))
}

fn respond(head: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!("HTTP/1.1 200 OK\r\n{head}content-length: {length}\r\nconnection: close\r\n\r\n");
    [head.as_bytes(), body].concat()
}

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
