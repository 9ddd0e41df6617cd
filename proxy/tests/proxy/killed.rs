//! The recorder is killed without a warning: what it had written can be read.

use crate::support::*;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;
use xcheck_proxy::{Authority, Config, Mode, Proxy, UpstreamProxy};
use xcheck_trace::redact::Redaction;
use xcheck_trace::{Trace, TraceWriter};

/// Not a test: the process that is killed by the test below.
#[tokio::test]
#[ignore = "started by killing_the_recorder_loses_nothing_that_was_written"]
async fn a_recorder_to_be_killed() {
    let folder = std::path::PathBuf::from(std::env::var_os("XCHECK_TEST_FOLDER").expect("set by the test"));
    let trace = TraceWriter::create(&folder.join("trace"), manifest(), Redaction::default()).unwrap();
    let mut config = Config::new(Authority::open(&folder.join("ca")).unwrap(), Mode::Record(trace));
    config.upstream_proxy = UpstreamProxy::Direct;
    let proxy = Proxy::start(config).await.unwrap();
    println!("\nlistening {}", proxy.address());
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn killing_the_recorder_loses_nothing_that_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut recorder = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed::a_recorder_to_be_killed", "--ignored", "--nocapture"])
        .env("XCHECK_TEST_FOLDER", folder.path())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(recorder.stdout.take().unwrap()).lines();
    let address = within(async {
        loop {
            let line = lines.next_line().await.unwrap().expect("it says where it listens");
            if let Some(address) = line.strip_prefix("listening ") {
                return address.parse().unwrap();
            }
        }
    })
    .await;
    let origin = answering("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello").await;
    let ca = folder.path().join("ca/xcheck-ca.pem");
    curl_through(address, &ca, &[&format!("http://{origin}/")]).await.ok();
    let log = folder.path().join("trace/exchanges.jsonl");
    within(async {
        while !std::fs::read_to_string(&log).unwrap().ends_with('\n') {
            tokio::task::yield_now().await;
        }
    })
    .await;
    recorder.kill().await.unwrap();
    let (trace, warnings) = Trace::open(&folder.path().join("trace")).unwrap();
    assert!(!warnings.is_empty(), "it says that the recording did not end in order");
    let body = trace.exchanges[0].response.as_ref().unwrap().body.as_ref().unwrap();
    assert_eq!(trace.bodies().bytes(&body.sha256, 100).unwrap(), b"hello");
}
