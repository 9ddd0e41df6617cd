mod input;
mod modules;
mod pages;
mod sheets;

use super::*;
use serde_json::json;
use xcheck_trace::TraceWriter;
use xcheck_trace::exchange::{Exchange, RequestHead};
use xcheck_trace::manifest::{FORMAT, Manifest};
use xcheck_trace::redact::Redaction;

fn dom(load: u32, id: u32, name: &str, gesture: bool) -> Event {
    // A window's own is another matter.
    let object = if ["focus", "blur"].contains(&name) {
        "node"
    } else {
        "window"
    };
    let what = json!({"kind": "dom", "type": name, "gesture": gesture, "target": {"object": object}});
    event(load, id, what)
}

fn event(load: u32, id: u32, what: serde_json::Value) -> Event {
    let at = f64::from(load * 1000 + id);
    serde_json::from_value(json!({"load": load, "id": id, "at": at, "what": what})).unwrap()
}

fn timer(load: u32, id: u32) -> Event {
    event(load, id, json!({"kind": "timer", "of": [0, 0]}))
}

fn load(number: u32, path: &[u32]) -> Load {
    let load = json!({"load": number, "exchange": number, "url": format!("http://a.test/{number}"), "path": path, "window": 0,
        "sequence": 0, "at": f64::from(number * 1000), "user_agent": "", "languages": [], "time_zone": "", "viewport": [1, 1]});
    serde_json::from_value(load).unwrap()
}

/// One word for each step: `open1`, `run2` (two events), `pointerup+1` (one derived event), `leave1`, `look`, `let1`, `module1`.
fn check(loads: &[Load], events: &[Event], checkpoints: Checkpoints, expected: &str) {
    check_with(&[], loads, events, checkpoints, expected);
}

fn check_with(exchanges: &[Exchange], loads: &[Load], events: &[Event], checkpoints: Checkpoints, expected: &str) {
    check_in(
        LateModules::AsRecorded,
        &Graph::new(),
        exchanges,
        loads,
        events,
        checkpoints,
        expected,
    );
}

fn check_in(
    modules: LateModules,
    imports: &Graph,
    exchanges: &[Exchange],
    loads: &[Load],
    events: &[Event],
    checkpoints: Checkpoints,
    expected: &str,
) {
    let (_folder, trace) = trace_of(exchanges, loads, events);
    let steps: Vec<String> = plan(&trace, checkpoints, modules, imports)
        .steps
        .iter()
        .map(word)
        .collect();
    assert_eq!(steps.join(" "), expected);
}

fn trace_of(exchanges: &[Exchange], loads: &[Load], events: &[Event]) -> (tempfile::TempDir, Trace) {
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
    (folder, trace)
}

fn word(step: &Step<'_>) -> String {
    match step {
        Step::Open(load) => format!("open{}", load.load),
        Step::Hold(exchange) => format!("hold{exchange}"),
        Step::Release(exchange) => format!("let{exchange}"),
        Step::Module { exchange, .. } => format!("module{exchange}"),
        Step::Sheet { exchange, .. } => format!("sheet{exchange}"),
        Step::Awaited { sheets, .. } => format!("awaited{sheets:?}"),
        Step::LateModules(load) => format!("late{load}"),
        Step::Depart { exchange, .. } => format!("depart{exchange}"),
        Step::Run { events, .. } => format!("run{}", events.len()),
        Step::Pass { events, moves, .. } => format!("{}{}", if *moves { "move" } else { "rest" }, events.len()),
        Step::Gesture { gesture, derived, .. } => {
            format!(
                "{}+{}",
                super::super::classify::dom(gesture).unwrap().name,
                derived.len()
            )
        }
        Step::Resize { viewport, .. } => format!("size{}x{}", viewport.width, viewport.height),
        Step::Leave { events } => format!("leave{}", events.len()),
        Step::Checkpoint { .. } => "look".to_owned(),
    }
}

/// The request for a page that a page asked for.
fn asked_for(id: u64, started_ms: f64) -> Exchange {
    let headers = [["sec-fetch-site", "same-origin"]];
    let request =
        json!({"method": "GET", "url": format!("http://a.test/{id}"), "version": "HTTP/1.1", "headers": headers});
    let exchange = json!({"id": id, "request": request, "end": {"end": "complete"}, "started_ms": started_ms, "finished_order": id});
    serde_json::from_value(exchange).unwrap()
}
