//! What a recording leaves on disk.

use std::fs;
use xcheck_trace::event::{Event, What};
use xcheck_trace::manifest::{FORMAT, Manifest};
use xcheck_trace::redact::Redaction;
use xcheck_trace::{Sha256, StoreError, TraceWriter};

fn manifest() -> Manifest {
    Manifest {
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
    }
}

fn event(id: u32) -> Event {
    Event {
        load: 1,
        id,
        at: f64::from(id),
        order: u64::from(id),
        what: Some(What::Script {
            key: "https://example.org/app.js".into(),
            order: Default::default(),
        }),
        local: Default::default(),
    }
}

#[cfg(unix)]
#[test]
fn everything_is_private_to_the_user() {
    use std::os::unix::fs::PermissionsExt;
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("trace");
    let trace = TraceWriter::create(&folder, manifest(), Redaction::none()).unwrap();
    trace.event(&event(0)).unwrap();
    let mut large = trace.body::<&str>(&[]);
    for _ in 0..100 {
        large.write(&[7; 10_000]).unwrap();
    }
    large.finish().unwrap();
    trace.bodies().put(b"small").unwrap();
    trace.finish(1).unwrap();

    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            if entry.metadata().unwrap().is_dir() {
                folders.push(entry.path());
            } else {
                let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
                assert_eq!(mode, 0o600, "{}", entry.path().display());
            }
        }
    }
}

#[test]
fn a_body_that_is_there_already_is_not_stored_twice() {
    let place = tempfile::tempdir().unwrap();
    let trace = TraceWriter::create(&place.path().join("trace"), manifest(), Redaction::none()).unwrap();
    let chunk = [42_u8; 50_000];
    let mut hashes = Vec::new();
    for _ in 0..3 {
        let mut body = trace.body::<&str>(&[]);
        body.write(&chunk).unwrap();
        body.write(&chunk).unwrap();
        let body = body.finish().unwrap();
        assert_eq!((body.bytes, body.partial), (100_000, false));
        hashes.push(body.sha256);
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]));
    let files: Vec<_> = walk(&place.path().join("trace/bodies"));
    assert_eq!(files.len(), 1, "{files:?}");
    assert_eq!(trace.bodies().bytes(&hashes[0], 100_000).unwrap().len(), 100_000);
    assert!(trace.bodies().bytes(&hashes[0], 99_999).is_err());
}

#[test]
fn a_body_given_up_leaves_nothing_behind() {
    let place = tempfile::tempdir().unwrap();
    let trace = TraceWriter::create(&place.path().join("trace"), manifest(), Redaction::none()).unwrap();
    let mut body = trace.body::<&str>(&[]);
    body.write(&[1; 100_000]).unwrap();
    drop(body);
    assert_eq!(walk(&place.path().join("trace/bodies")).len(), 0);
}

#[test]
fn a_changed_body_is_noticed_when_it_is_read() {
    let place = tempfile::tempdir().unwrap();
    let trace = TraceWriter::create(&place.path().join("trace"), manifest(), Redaction::none()).unwrap();
    let hash = trace.bodies().put(b"what was sent").unwrap();
    let other = trace.bodies().put(b"something else").unwrap();
    let [path, other_path] = [&hash, &other].map(|hash| {
        place
            .path()
            .join("trace/bodies")
            .join(&hash[..2])
            .join(format!("{hash}.zst"))
    });
    fs::copy(other_path, path).unwrap();
    let error = trace.bodies().bytes(&hash, 1000).unwrap_err();
    assert!(matches!(error, StoreError::BodyDamaged { .. }), "{error}");
    let missing = Sha256::of(b"never stored");
    let error = trace.bodies().bytes(&missing, 1000).unwrap_err();
    assert!(matches!(error, StoreError::BodyMissing(_)), "{error}");
}

#[test]
fn a_trace_is_never_written_over_another() {
    let place = tempfile::tempdir().unwrap();
    TraceWriter::create(place.path(), manifest(), Redaction::none()).expect("an empty folder is fine");
    let error = TraceWriter::create(place.path(), manifest(), Redaction::none())
        .err()
        .unwrap();
    assert!(error.to_string().contains("choose another name"), "{error}");
}

#[test]
fn what_was_flushed_is_on_disk_while_writing_goes_on() {
    let place = tempfile::tempdir().unwrap();
    let trace = TraceWriter::create(&place.path().join("trace"), manifest(), Redaction::none()).unwrap();
    trace.event(&event(0)).unwrap();
    trace.flush().unwrap();
    trace.event(&event(1)).unwrap();
    let text = fs::read_to_string(place.path().join("trace/events.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 1);
    assert_eq!(trace.written().events, 2);
}

#[test]
fn many_threads_can_write_one_trace() {
    let place = tempfile::tempdir().unwrap();
    let trace = TraceWriter::create(&place.path().join("trace"), manifest(), Redaction::none()).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8_u32 {
            let trace = &trace;
            scope.spawn(move || {
                for number in 0..500 {
                    trace.event(&event(thread * 500 + number)).unwrap();
                    trace.bodies().put(&number.to_le_bytes()).unwrap();
                }
            });
        }
    });
    trace.finish(1).unwrap();
    assert!(matches!(trace.event(&event(1)), Err(StoreError::Finished(_))));
    let compressed = fs::read(place.path().join("trace/events.jsonl.zst")).unwrap();
    let text = String::from_utf8(zstd::decode_all(&compressed[..]).unwrap()).unwrap();
    assert_eq!(text.lines().count(), 4000);
    assert!(text.lines().all(|line| serde_json::from_str::<Event>(line).is_ok()));
    assert!(!place.path().join("trace/events.jsonl").exists());
    assert_eq!(walk(&place.path().join("trace/bodies")).len(), 500);
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(walk(&path));
        } else {
            files.push(path);
        }
    }
    files
}

#[test]
fn redacted_values_are_nowhere_in_the_trace() {
    let rules = "
        headers = ['authorization', 'cookie']
        query = ['token']
        json = ['$..password']
        inputs = ['[name=pin]']
        storage = ['session']
    ";
    let place = tempfile::tempdir().unwrap();
    let redaction = Redaction::parse(rules).unwrap();
    let trace = TraceWriter::create(&place.path().join("trace"), manifest(), redaction).unwrap();
    let load = serde_json::json!({
        "load": 1, "exchange": 1, "url": "https://a.example/?token=SECRET", "path": [], "window": 0, "sequence": 0, "at": 1.0,
        "user_agent": "", "languages": [], "time_zone": "", "viewport": [1, 1],
        "storage": {"local": {"session": "SECRET", "theme": "dark"}, "cookies": "a=SECRET; b=SECRET"},
    });
    trace.load(&serde_json::from_value(load).unwrap()).unwrap();
    let typed = |data: serde_json::Value| {
        let what = serde_json::json!({"kind": "dom", "type": "keydown", "target": {"field_name": "pin"}, "data": data});
        serde_json::from_value::<Event>(serde_json::json!({"load": 1, "id": 0, "at": 1.0, "what": what})).unwrap()
    };
    trace
        .event(&typed(serde_json::json!({"key": "S", "code": "KeyS"})))
        .unwrap();
    trace
        .event(&typed(serde_json::json!({"key": "Enter", "code": "Enter"})))
        .unwrap();
    trace
        .event(&typed(
            serde_json::json!({"value": "SECRET", "inputType": "insertText"}),
        ))
        .unwrap();
    let json = [("content-type".to_owned(), "application/json".to_owned())];
    let mut body = trace.body(&json);
    body.write(b"{\"password\":\"SEC").unwrap();
    body.write(b"RET\",\"n\":1.0}").unwrap();
    let body = body.finish().unwrap();
    assert_eq!(
        trace.bodies().bytes(&body.sha256, 100).unwrap(),
        b"{\"password\":\"[redacted]\",\"n\":1.0}"
    );
    let mut torn = trace.body(&json);
    torn.write(b"{\"password\":\"SECRET").unwrap();
    assert_eq!(torn.finish_partial().unwrap().bytes, 0);
    trace.flush().unwrap();

    let logs: String = walk(&place.path().join("trace"))
        .iter()
        .filter(|path| path.extension().is_none_or(|extension| extension != "zst"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    assert!(!logs.contains("SECRET") && !logs.contains("KeyS"), "{logs}");
    for kept in [
        "dark",
        "Enter",
        "insertText",
        "\"******\"",
        "query: token",
        "was not kept",
    ] {
        assert!(logs.contains(kept), "{kept} in {logs}");
    }
}
