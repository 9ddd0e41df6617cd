//! The command as a person or a script uses it: what it prints where, and how it exits.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../trace/tests/fixtures")
        .join(name)
}

struct Ran {
    status: i32,
    out: String,
    err: String,
}

fn xcheck(arguments: &[&str]) -> Ran {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_xcheck"))
        .args(arguments)
        .output()
        .unwrap();
    Ran {
        status: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn show(arguments: &[&str]) -> Value {
    let trace = fixture("whole-1.0");
    let all = [
        &["trace", "show", trace.to_str().unwrap(), "--format", "json"],
        arguments,
    ]
    .concat();
    let ran = xcheck(&all);
    assert_eq!(ran.status, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

fn labels(shown: &Value) -> Vec<&str> {
    let events = shown["events"].as_array().unwrap().iter();
    events.map(|event| event["label"].as_str().unwrap()).collect()
}

#[test]
fn help_has_examples_and_usage_errors_exit_with_2() {
    let help = xcheck(&["--help"]);
    assert_eq!(help.status, 0);
    assert!(
        help.out.contains("Examples:") && help.out.contains("Exit codes:"),
        "{}",
        help.out
    );
    assert_eq!(xcheck(&[]).status, 2);
    assert_eq!(xcheck(&["recrd"]).status, 2);
    assert_eq!(xcheck(&["record"]).status, 2);
    assert_eq!(xcheck(&["record", "not a url"]).status, 2);
}

#[test]
fn a_trace_is_shown_for_people() {
    let trace = fixture("whole-1.0");
    let ran = xcheck(&["trace", "show", trace.to_str().unwrap()]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    for expected in [
        "recorded in chromium 156.0",
        "1280×720, Europe/Paris, en-GB, 5.0 s, 2 documents, 4 events, 3 exchanges",
        "click on #save",
        "timer: 200 ms function remind()",
        "random: 0.25, 0.75",
        "failed: connection reset",
        "was widened by one path",
    ] {
        assert!(ran.out.contains(expected), "{expected}\n{}", ran.out);
    }
    assert!(!ran.out.contains('\u{1b}'), "no colours where there is no terminal");
}

#[test]
fn filters_leave_what_they_can_speak_of() {
    let all = show(&[]);
    assert_eq!(labels(&all).len(), 4);
    assert_eq!(all["sessions"][0]["pages"].as_array().unwrap().len(), 2);
    assert_eq!(all["format"], "1.0");

    let clicks = show(&["--kind", "click,timer"]);
    assert_eq!(labels(&clicks), ["timer remind (200 ms)", "click on #save"]);
    assert_eq!(clicks["exchanges"].as_array().unwrap().len(), 0);

    let frame = show(&["--load", "2"]);
    assert_eq!(labels(&frame), ["inline script 0"]);

    let script = show(&["--url", "app.js"]);
    assert_eq!(script["exchanges"].as_array().unwrap().len(), 1);
    assert_eq!(labels(&script).len(), 0);

    let saving = show(&["--exchange", "3"]);
    assert_eq!(labels(&saving), ["click on #save"]);
    assert_eq!(saving["exchanges"][0]["end"]["reason"], "connection reset");
}

#[test]
fn an_exchange_is_shown_with_headers_and_body() {
    let trace = fixture("whole-1.0");
    let ran = xcheck(&["trace", "show", trace.to_str().unwrap(), "--exchange", "1"]);
    for expected in [
        "GET https://books.example/ HTTP/2.0",
        "content-type: text/html",
        "<title>Books</title>",
    ] {
        assert!(ran.out.contains(expected), "{expected}\n{}", ran.out);
    }
}

#[test]
fn what_cannot_be_read_exits_with_3_and_says_why() {
    let future = xcheck(&["trace", "show", fixture("future-2.0").to_str().unwrap()]);
    assert_eq!(future.status, 3);
    assert!(
        future.err.contains("format 2.0") && future.err.contains("use a newer xcheck"),
        "{}",
        future.err
    );
    let nothing = xcheck(&["trace", "show", "/no/such/trace"]);
    assert_eq!(nothing.status, 3);
    assert!(nothing.err.contains("/no/such/trace"), "{}", nothing.err);
}

#[test]
fn verify_tells_whole_from_torn_from_damaged() {
    let verify = |name: &str| xcheck(&["trace", "verify", fixture(name).to_str().unwrap()]);
    let whole = verify("whole-1.0");
    assert_eq!(whole.status, 0);
    assert!(
        whole
            .out
            .contains(": whole. Checked 2 documents, 4 events, 3 exchanges"),
        "{}",
        whole.out
    );
    let torn = verify("torn-1.0");
    assert_eq!(torn.status, 0);
    assert!(torn.out.contains("readable, with warnings"), "{}", torn.out);
    let missing = verify("missing-body-1.0");
    assert_eq!(missing.status, 3);
    assert!(missing.out.contains("damaged: 2 problems"), "{}", missing.out);
}

#[test]
fn a_trace_is_packed_shown_exported_and_unpacked() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let (packed, har) = (path("books.xcheck.tar"), path("books.har"));
    assert_eq!(
        xcheck(&["trace", "pack", fixture("whole-1.0").to_str().unwrap(), &packed]).status,
        0
    );
    assert_eq!(xcheck(&["trace", "show", &packed]).status, 0);
    assert_eq!(xcheck(&["trace", "export", "--har", &packed, "--out", &har]).status, 0);
    let exported: Value = serde_json::from_slice(&std::fs::read(&har).unwrap()).unwrap();
    assert_eq!(exported["log"]["entries"].as_array().unwrap().len(), 3);
    let again = xcheck(&["trace", "export", "--har", &packed, "--out", &har]);
    assert_eq!(again.status, 2, "a file that is there is not overwritten");
    assert_eq!(xcheck(&["trace", "unpack", &packed]).status, 0);
    assert_eq!(xcheck(&["trace", "verify", &path("books")]).status, 0);
}

#[test]
fn a_run_is_shown_for_people_and_programs() {
    let run = fixture("run-1.0");
    let shown = xcheck(&["run", "show", run.to_str().unwrap(), "--format", "json"]);
    assert_eq!(shown.status, 0, "{}", shown.err);
    let shown: Value = serde_json::from_str(&shown.out).unwrap();
    let [chromium, firefox] = [&shown["browsers"][0], &shown["browsers"][1]];
    assert_eq!(
        (&shown["format"], &shown["trace"]),
        (&"1.0".into(), &"whole-1.0".into())
    );
    assert_eq!(
        (&chromium["browser"], &chromium["outcome"]),
        (&"chromium".into(), &"replayed".into())
    );
    assert_eq!(
        (&firefox["outcome"], &firefox["reason"]),
        (&"not-measured".into(), &"the browser ended".into())
    );
    assert_eq!((&chromium["wall_ms"], &chromium["events"]), (&12.into(), &2.into()));
    assert_eq!(chromium["divergences"][0]["event"], 1);
    assert_eq!(chromium["divergences"][0]["kind"], "callback-missing");
    assert_eq!(chromium["checkpoints"].as_array().unwrap().len(), 2);
    assert!(chromium["checkpoints"][1]["page_sha256"].is_string());
    let text = xcheck(&["run", "show", run.to_str().unwrap()]);
    for expected in [
        "(reference): replayed in 0.0 s, 2 events",
        "not measured: the browser ended",
        "callback-missing: expected",
    ] {
        assert!(text.out.contains(expected), "{expected}\n{}", text.out);
    }
}

#[test]
fn a_reader_that_stops_early_is_no_failure() {
    let command = format!(
        "'{}' trace show '{}' --format json | head -n 1; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_xcheck"),
        fixture("whole-1.0").display()
    );
    let output = Command::new("bash").args(["-c", &command]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn the_authority_is_made_once_and_explained() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().to_str().unwrap();
    let first = xcheck(&["ca", "--data-dir", folder, "--format", "json"]);
    let second = xcheck(&["--data-dir", folder, "ca", "--format", "json"]);
    assert_eq!((first.status, &first.out), (0, &second.out), "{}", first.err);
    let about: Value = serde_json::from_str(&first.out).unwrap();
    let certificate = about["certificate"].as_str().unwrap();
    assert!(Path::new(certificate).starts_with(place.path()));
    let text = xcheck(&["ca", "--data-dir", folder]).out;
    assert!(text.contains(about["fingerprint_sha256"].as_str().unwrap()));
    for client in [
        "Debian, Ubuntu",
        "Fedora",
        "macOS",
        "Windows",
        "Firefox",
        "curl",
        "Node.js",
        "Python",
    ] {
        assert!(text.contains(client), "{client}");
    }
}

#[test]
fn custom_browsers_are_listed_with_the_others() {
    let place = tempfile::tempdir().unwrap();
    let config = place.path().join("xcheck.toml");
    std::fs::write(
        &config,
        "[[browser]]\nname = 'old'\nengine = 'blink'\nbinary = '/no/such/browser'\n",
    )
    .unwrap();
    let config = config.to_str().unwrap();
    let ran = xcheck(&["browsers", "--config", config, "--format", "json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let listed: Value = serde_json::from_str(&ran.out).unwrap();
    let old = listed["browsers"]
        .as_array()
        .unwrap()
        .iter()
        .find(|browser| browser["name"] == "old")
        .unwrap();
    assert_eq!(old["installed"], false);
    assert!(old["reason"].as_str().unwrap().contains("/no/such/browser"));
    std::fs::write(config, "[[browser]]\nnme = 1\n").unwrap();
    assert_eq!(xcheck(&["browsers", "--config", config]).status, 2);
}
