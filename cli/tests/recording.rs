//! `xcheck record -- COMMAND` against a small server, with curl as the client.

#![cfg(unix)]

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// Answers every request with the same page until the test ends.
fn server() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(|| answer(stream));
        }
    });
    address
}

fn answer(mut stream: TcpStream) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    while let Some(Ok(line)) = lines.next() {
        if line.is_empty() {
            let body = "<!doctype html><title>Hello</title>";
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nset-cookie: session=SECRET\r\nconnection: close";
            let _ = write!(stream, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            return;
        }
    }
}

struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        Place { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn record(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xcheck"));
        command
            .current_dir(self.folder.path())
            .arg("--data-dir")
            .arg(self.path("data"))
            .arg("record")
            .args(arguments);
        for name in [
            "HTTP_PROXY",
            "http_proxy",
            "HTTPS_PROXY",
            "https_proxy",
            "ALL_PROXY",
            "all_proxy",
            "NODE_EXTRA_CA_CERTS",
        ] {
            command.env_remove(name);
        }
        command.env("NO_PROXY", "localhost,127.0.0.1");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.record(arguments).output().unwrap()
    }
}

fn exchanges(trace: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(trace.join("exchanges.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_command_goes_through_the_proxy_loopback_included() {
    let place = Place::new();
    let url = format!("http://{}/page", server());
    let output = place.run(&["--out", "t", "--", "curl", "-sS", &url]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("<title>Hello</title>"));
    let recorded = exchanges(&place.path("t"));
    assert_eq!(recorded.len(), 1);
    assert_eq!(recorded[0]["request"]["url"], url.as_str());
    assert_eq!(recorded[0]["response"]["status"], 200);
    assert!(text(&output.stderr).contains("1 request"), "{}", text(&output.stderr));
}

#[test]
fn the_commands_exit_status_is_passed_on() {
    let place = Place::new();
    let output = place.run(&["--out", "a", "--", "sh", "-c", "exit 7"]);
    assert_eq!(output.status.code(), Some(7));
    let output = place.run(&["--out", "b", "--", "sh", "-c", "kill -KILL $$"]);
    assert_eq!(output.status.code(), Some(137));
    let output = place.run(&["--out", "c", "--", "/no/such/program"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!place.path("c").exists(), "no empty trace is left behind");
}

#[test]
fn the_environment_names_proxy_and_authorities() {
    let place = Place::new();
    let script = "echo \"$HTTP_PROXY $https_proxy $XCHECK_PROXY ${NO_PROXY-unset} $XCHECK_URL\"; \
                  grep -c BEGIN \"$SSL_CERT_FILE\"; cmp \"$XCHECK_CA\" \"$NODE_EXTRA_CA_CERTS\" && echo same";
    let output = place.run(&["http://a.example/", "--out", "t", "--", "sh", "-c", script]);
    let out = text(&output.stdout);
    let lines: Vec<&str> = out.lines().collect();
    let words: Vec<&str> = lines[0].split(' ').collect();
    assert!(words[0].starts_with("http://127.0.0.1:"), "{out}");
    assert_eq!(words[0..3], [words[0]; 3]);
    assert_eq!(words[3..], ["unset", "http://a.example/"]);
    assert!(lines[1].parse::<u32>().unwrap() >= 1, "{out}");
    assert_eq!(lines.get(2), Some(&"same"), "{out}{}", text(&output.stderr));
}

#[test]
fn a_name_is_found_when_none_is_given_and_nothing_is_overwritten() {
    let place = Place::new();
    for expected in ["a.example.trace", "a.example-2.trace"] {
        let output = place.run(&["http://a.example/", "--", "true"]);
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
        assert!(place.path(expected).join("manifest.json").exists());
    }
    let output = place.run(&["--out", "a.example.trace", "--", "true"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("choose another name"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn what_is_in_the_way_is_said_with_what_to_do() {
    let place = Place::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = place.run(&["--listen", &address, "--out", "t", "--", "true"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("choose another port"),
        "{}",
        text(&output.stderr)
    );
    assert!(!place.path("t").exists());

    std::fs::write(place.path("file"), "").unwrap();
    let output = place.run(&["--out", "file/t", "--", "true"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("file/t"), "{}", text(&output.stderr));

    std::fs::write(place.path("rules.toml"), "headrs = ['cookie']").unwrap();
    let output = place.run(&["--redact", "rules.toml", "--", "true"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("headrs"), "{}", text(&output.stderr));
}

#[test]
fn redacted_headers_are_not_in_the_trace() {
    let place = Place::new();
    std::fs::write(
        place.path("rules.toml"),
        "headers = ['set-cookie', 'x-key']\nquery = ['token']",
    )
    .unwrap();
    let url = format!("http://{}/?token=SECRET", server());
    let curl = ["curl", "-sS", "-H", "X-Key: SECRET", &url];
    let output = place.run(&[&["--redact", "rules.toml", "--out", "t", "--"], &curl[..]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let log = std::fs::read_to_string(place.path("t/exchanges.jsonl")).unwrap();
    assert!(log.contains("[redacted]") && !log.contains("SECRET"), "{log}");
}

/// Starts, waits for the line that the command prints, and hands over.
fn start(place: &Place, arguments: &[&str]) -> (Child, String) {
    let mut child = place
        .record(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap())
        .read_line(&mut line)
        .unwrap();
    (child, line.trim().to_owned())
}

fn signal(child: &Child, name: &str) {
    kill(name, child.id());
}

/// By the shell's own `kill`: not every machine has one as a program.
fn kill(name: &str, pid: u32) {
    let command = format!("kill -s {name} {pid}");
    assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
}

#[test]
fn a_signal_finishes_the_trace_and_leaves_no_process() {
    let place = Place::new();
    // The command starts something that outlives it and holds on to nothing of ours, and itself ignores being asked.
    let script = "trap 'exit 5' TERM; setsid sleep 600 >/dev/null 2>&1 & echo $!; wait; sleep 600";
    let (mut child, left) = start(&place, &["--out", "t", "--", "bash", "-c", script]);
    assert!(Path::new(&format!("/proc/{left}")).exists());
    signal(&child, "TERM");
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(5));
    assert!(!is_running(left.parse().unwrap()));
    let manifest: Value = serde_json::from_slice(&std::fs::read(place.path("t/manifest.json")).unwrap()).unwrap();
    assert!(manifest["finished_at_ms"].is_u64());
}

#[test]
fn a_killed_recording_can_be_read_up_to_its_last_flush() {
    let place = Place::new();
    let url = format!("http://{}/page", server());
    let script = format!(
        "curl -sS -o /dev/null {url}; while ! [ -s t/exchanges.jsonl ]; do :; done; echo there; exec sleep 600"
    );
    let (mut child, line) = start(&place, &["--out", "t", "--", "bash", "-c", &script]);
    assert_eq!(line, "there");
    child.kill().unwrap();
    child.wait().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_xcheck"))
        .args(["trace", "show", "--format", "json"])
        .arg(place.path("t"))
        .output()
        .unwrap();
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["exchanges"].as_array().unwrap().len(), 1);
    assert!(shown["warnings"][0].as_str().unwrap().contains("not finished"));
    end_marked(&place);
}

/// A killed recorder cannot end its command; the test does.
fn end_marked(place: &Place) {
    let folder = place.folder.path().to_str().unwrap();
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        let cwd = std::fs::read_link(process.path().join("cwd")).unwrap_or_default();
        if cwd.starts_with(folder) {
            kill("KILL", process.file_name().to_str().unwrap().parse().unwrap());
        }
    }
}

#[test]
fn listening_serves_any_client_until_it_is_told_to_stop() {
    let place = Place::new();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut child = place
        .record(&["--listen", &port.to_string(), "--out", "t"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.contains(&format!("http://{port}")), "{line}");
    let url = format!("http://{}/page", server());
    let output = Command::new("curl")
        .args(["-sS", "--noproxy", "", "--proxy", &format!("http://{port}"), &url])
        .output()
        .unwrap();
    assert!(text(&output.stdout).contains("Hello"), "{}", text(&output.stderr));
    signal(&child, "INT");
    assert!(child.wait().unwrap().success());
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("1 request"), "{rest}");
    assert_eq!(exchanges(&place.path("t")).len(), 1);
}

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !condition() {
        assert!(std::time::Instant::now() < deadline, "waited in vain: {what}");
        std::thread::yield_now();
    }
}

#[test]
fn a_browser_is_recorded_until_it_is_told_to_stop() {
    let place = Place::new();
    let url = format!("http://{}/page", server());
    let mut child = place
        .record(&[
            &url,
            "--headless",
            "--browser",
            "chromium",
            "--viewport",
            "600x400",
            "--out",
            "t",
        ])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let events = place.path("t/events.jsonl");
    wait_until("events are recorded", || {
        let ended = child.try_wait().unwrap();
        assert!(
            ended.is_none(),
            "{ended:?}: is chromium installed? `xcheck browsers` tells"
        );
        std::fs::read_to_string(&events).is_ok_and(|text| text.contains("\"load\""))
    });
    let browsers = descendants(child.id());
    assert!(browsers.len() > 1, "{browsers:?}");
    signal(&child, "INT");
    assert!(child.wait().unwrap().success());
    let left: Vec<_> = browsers.iter().filter(|pid| is_running(**pid)).collect();
    assert!(left.is_empty(), "{left:?}");

    let output = Command::new(env!("CARGO_BIN_EXE_xcheck"))
        .args(["trace", "show", "--format", "json"])
        .arg(place.path("t"))
        .output()
        .unwrap();
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["browser"]["name"], "chromium");
    assert_eq!(shown["start_url"], url.as_str());
    assert_eq!(shown["warnings"], serde_json::json!([]));
    let page = &shown["sessions"][0]["pages"][0];
    assert_eq!(page["url"], url.as_str());
    assert_eq!(page["viewport"], serde_json::json!([600.0, 400.0]));
}

fn descendants(of: u32) -> Vec<u32> {
    let mut found = vec![of];
    let mut next = 0;
    while next < found.len() {
        let parent = found[next].to_string();
        for process in std::fs::read_dir("/proc").unwrap().flatten() {
            let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
            // The name stands in brackets and may hold anything; state and parent follow it.
            let after_name = stat.rsplit(") ").next().unwrap_or_default();
            if after_name.split(' ').nth(1) == Some(&parent) {
                found.extend(process.file_name().to_str().and_then(|pid| pid.parse::<u32>().ok()));
            }
        }
        next += 1;
    }
    found.remove(0);
    found
}

fn is_running(pid: u32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    !state.is_empty() && !state.contains(") Z ")
}
