//! Traces checked, and exported for other tools.

use serde_json::Value;
use std::path::Path;
use xcheck_trace::event::Event;
use xcheck_trace::exchange::{End, Exchange, Frame, Payload, Peer, RequestHead, ResponseHead};
use xcheck_trace::manifest::{FORMAT, Manifest};
use xcheck_trace::redact::Redaction;
use xcheck_trace::{Trace, TraceWriter, export_har, verify};

fn fixture(name: &str) -> Trace {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    Trace::open(&path).unwrap().0
}

fn problems(trace: &Trace) -> Vec<String> {
    verify(trace).problems.iter().map(ToString::to_string).collect()
}

fn har(trace: &Trace) -> Value {
    let mut text = Vec::new();
    export_har(trace, &mut text).unwrap();
    serde_json::from_slice(&text).unwrap()
}

#[test]
fn a_whole_trace_has_no_problems() {
    let result = verify(&fixture("whole-1.0"));
    assert!(result.problems.is_empty(), "{:?}", result.problems);
    assert_eq!(
        (result.loads, result.events, result.exchanges, result.bodies),
        (2, 4, 3, 2)
    );
}

#[test]
fn missing_bodies_are_named_where_they_are_used() {
    let problems = problems(&fixture("missing-body-1.0"));
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(
        problems[0].starts_with("exchange 1, response: body ") && problems[0].ends_with("is missing from the store")
    );
}

/// What stood in databases and caches is a body like others: checked, and sent along to other machines.
#[test]
fn databases_and_caches_of_a_load_are_among_the_bodies() {
    let mut trace = fixture("whole-1.0");
    let (there, bytes) = {
        let response = trace
            .exchanges
            .iter()
            .find_map(|exchange| exchange.response.as_ref()?.body.as_ref());
        let body = response.expect("an exchange with a body");
        (body.sha256.clone(), body.bytes)
    };
    let kept = |sha256: &str, bytes: u64| {
        let storage = serde_json::json!({"databases": {"sha256": sha256, "bytes": bytes}});
        Some(serde_json::from_value(storage).unwrap())
    };
    trace.loads[0].storage = kept(&there, bytes);
    assert_eq!(problems(&trace), Vec::<String>::new());
    trace.loads[0].storage = kept(&there, bytes + 1);
    assert!(problems(&trace)[0].starts_with("load 1, databases and caches: its body has"));
    let missing = "0".repeat(64);
    trace.loads[0].storage = kept(&missing, 1);
    assert!(problems(&trace)[0].ends_with("is missing from the store"));
    assert!(trace.bodies_named().iter().any(|hash| **hash == *missing));
}

#[test]
fn references_that_lead_nowhere_are_found() {
    let mut trace = fixture("whole-1.0");
    let stray = |text: &str| serde_json::from_str::<Event>(text).unwrap();
    trace
        .events
        .push(stray(r#"{"load":2,"id":5,"at":1,"what":{"kind":"timer","of":[9,0]}}"#));
    trace.events.push(stray(
        r#"{"load":2,"id":6,"at":1,"what":{"kind":"frame","of":[5,0],"time":1}}"#,
    ));
    trace.events.push(stray(r#"{"load":9,"id":0,"at":1}"#));
    trace.exchanges.remove(0);
    let problems = problems(&trace).join("\n");
    for expected in [
        "load 1: exchange 1, which brought it, is missing",
        "load 2: events 1 to 4 are missing",
        "event 5 of load 2: event 9, which registered it, is missing",
        "event 6 of load 2: event 5 registered 0 of `frame`, and it claims number 0",
        "load 9: it has events but is itself missing",
        "notice: exchange 1, which it is about, is missing",
    ] {
        assert!(problems.contains(expected), "{expected}\n{problems}");
    }
}

#[test]
fn the_export_has_every_field_that_har_requires() {
    let har = har(&fixture("whole-1.0"));
    let has = |value: &Value, fields: &[&str]| {
        for field in fields {
            assert!(!value[field].is_null(), "{field} in {value}");
        }
    };
    let log = &har["log"];
    assert_eq!(log["version"], "1.2");
    has(log, &["creator", "browser", "pages", "entries"]);
    for page in log["pages"].as_array().unwrap() {
        has(page, &["startedDateTime", "id", "title", "pageTimings"]);
    }
    assert_eq!(log["pages"].as_array().unwrap().len(), 1, "frames are no pages");
    let entries = log["entries"].as_array().unwrap();
    assert_eq!(entries.len(), 3);
    for entry in entries {
        has(
            entry,
            &["startedDateTime", "time", "request", "response", "cache", "timings"],
        );
        let head = ["httpVersion", "cookies", "headers", "headersSize", "bodySize"];
        has(
            &entry["request"],
            &[&head[..], &["method", "url", "queryString"]].concat(),
        );
        has(
            &entry["response"],
            &[&head[..], &["status", "statusText", "content", "redirectURL"]].concat(),
        );
        has(&entry["response"]["content"], &["size", "mimeType"]);
        has(&entry["timings"], &["send", "wait", "receive"]);
        let sum = entry["timings"]["wait"].as_f64().unwrap() + entry["timings"]["receive"].as_f64().unwrap();
        assert_eq!(entry["time"].as_f64().unwrap(), sum);
    }
    assert_eq!(entries[0]["pageref"], "page_1");
    assert!(
        entries[1]["response"]["content"]["text"]
            .as_str()
            .unwrap()
            .starts_with("setTimeout")
    );
    assert_eq!(entries[2]["response"]["status"], 0);
    assert_eq!(entries[2]["_error"], "connection reset");
}

#[test]
fn bodies_are_exported_without_their_coding_and_binary_ones_in_base64() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("trace");
    let manifest = Manifest {
        format: FORMAT,
        recorder: "test".into(),
        browser: None,
        viewport: None,
        start_url: None,
        time_zone: None,
        languages: Vec::new(),
        started_at_ms: 0,
        finished_at_ms: None,
        service_workers: false,
        redactions: Vec::new(),
    };
    let writer = TraceWriter::create(&folder, manifest, Redaction::none()).unwrap();
    let store = |headers: &[(String, String)], bytes: &[u8]| {
        let mut body = writer.body(headers);
        body.write(bytes).unwrap();
        body.finish().unwrap()
    };
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let exchange =
        |id, request: Vec<(String, String)>, sent: &[u8], response: Vec<(String, String)>, received: &[u8]| Exchange {
            id,
            request: RequestHead {
                method: "POST".into(),
                url: "https://a.example/x?q=a%20b&empty".into(),
                version: "HTTP/1.1".into(),
                body: Some(store(&request, sent)),
                headers: request,
            },
            response: Some(ResponseHead {
                status: 200,
                version: "HTTP/1.1".into(),
                body: Some(store(&response, received)),
                headers: response,
                trailers: Vec::new(),
            }),
            end: End::Complete,
            started_ms: 0.0,
            head_ms: None,
            end_ms: None,
            finished_order: id,
            injected: false,
            imports_told: false,
            worker: None,
        };
    let coded = zstd::encode_all(&b"{\"answer\":42}"[..], 1).unwrap();
    let form = vec![
        header("Content-Type", "application/x-www-form-urlencoded"),
        header("Cookie", "a=1; b"),
    ];
    let json = vec![
        header("content-type", "application/json"),
        header("content-encoding", "zstd"),
        header("set-cookie", "s=1; Path=/; Secure; HttpOnly"),
    ];
    let image = vec![header("content-type", "image/png")];
    writer
        .exchange(&exchange(1, form, b"name=J%C3%BCrgen+X", json, &coded))
        .unwrap();
    writer
        .exchange(&exchange(2, image.clone(), b"\x89PNG", image, b"\x89PNG\0"))
        .unwrap();
    for (from, text) in [(Peer::Client, "ping"), (Peer::Server, "pong")] {
        let payload = Payload::Text { text: text.into() };
        writer
            .frame(&Frame {
                exchange: 2,
                from,
                at_us: 1_500_000,
                payload,
            })
            .unwrap();
    }
    writer.finish(1).unwrap();

    let har = har(&Trace::open(&folder).unwrap().0);
    let [first, second] = [&har["log"]["entries"][0], &har["log"]["entries"][1]];
    assert_eq!(first["response"]["content"]["text"], "{\"answer\":42}");
    assert_eq!(first["response"]["content"]["size"], 13);
    assert_eq!(first["response"]["bodySize"], coded.len());
    assert_eq!(first["response"]["cookies"][0]["httpOnly"], true);
    assert_eq!(first["request"]["postData"]["params"][0]["value"], "Jürgen X");
    assert_eq!(first["request"]["queryString"][0]["value"], "a b");
    assert_eq!(first["request"]["cookies"].as_array().unwrap().len(), 2);
    assert_eq!(second["response"]["content"]["encoding"], "base64");
    assert_eq!(second["response"]["content"]["text"], "iVBORwA=");
    assert_eq!(second["response"]["content"]["size"], 5);
    assert_eq!(second["_webSocketMessages"][0]["type"], "send");
    assert_eq!(second["_webSocketMessages"][1]["time"], 1.5);
}
