//! Small traces for tests of what is read from them.

use serde_json::{Value, json};
use xcheck_trace::event::{Event, Load};
use xcheck_trace::exchange::Exchange;
use xcheck_trace::manifest::{FORMAT, Manifest};
use xcheck_trace::redact::Redaction;
use xcheck_trace::{Trace, TraceWriter};

pub(super) fn check_trace(loads: &[Load], exchanges: &[Exchange], events: &[Event], check: impl FnOnce(&Trace)) {
    let folder = tempfile::tempdir().unwrap();
    let manifest = Manifest {
        format: FORMAT,
        recorder: String::new(),
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
    let writer = TraceWriter::create(&folder.path().join("trace"), manifest, Redaction::none()).unwrap();
    exchanges.iter().for_each(|exchange| writer.exchange(exchange).unwrap());
    loads.iter().for_each(|load| writer.load(load).unwrap());
    events.iter().for_each(|event| writer.event(event).unwrap());
    writer.finish(0).unwrap();
    let (trace, _) = Trace::open(&folder.path().join("trace")).unwrap();
    check(&trace);
}

pub(super) fn load(number: u32, url: &str) -> Load {
    let load = json!({"load": number, "exchange": number, "url": url, "path": [], "window": 0, "sequence": 0, "at": 0,
        "user_agent": "", "languages": [], "time_zone": "", "viewport": [800, 600]});
    serde_json::from_value(load).unwrap()
}

pub(super) fn exchange(id: u64, method: &str, url: &str) -> Exchange {
    let request = json!({"method": method, "url": url, "version": "HTTP/1.1", "headers": []});
    let response = json!({"status": 200, "version": "HTTP/1.1", "headers": []});
    let all = json!({"id": id, "request": request, "response": response, "end": {"end": "complete"}, "started_ms": id});
    serde_json::from_value(all).unwrap()
}

pub(super) fn event(id: u32, at: f64, what: Value, local: Value) -> Event {
    serde_json::from_value(json!({"load": 1, "id": id, "at": at, "what": what, "local": local})).unwrap()
}

pub(super) fn gesture(id: u32, name: &str, at: f64, target: &str, key: Option<&str>) -> Event {
    let mut data = json!({});
    if let Some(key) = key {
        data["key"] = json!(key);
    }
    let target = json!({"id": target.trim_start_matches('#')});
    let what = json!({"kind": "dom", "type": name, "gesture": true, "target": target, "data": data});
    event(id, at, what, json!({}))
}
