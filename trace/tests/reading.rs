//! What can be read of a trace, also when it is torn, old, from the future, or from somebody who means harm.

use std::fs;
use std::path::{Path, PathBuf};
use xcheck_trace::{Sha256, StoreError, Trace, pack, unpack};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn open(path: &Path) -> (Trace, Vec<String>) {
    let (trace, warnings) = Trace::open(path).unwrap();
    (trace, warnings.iter().map(ToString::to_string).collect())
}

fn copy_of(name: &str) -> (tempfile::TempDir, PathBuf) {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            let target = to.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                copy(&entry.path(), &target);
            } else {
                fs::copy(entry.path(), target).unwrap();
            }
        }
    }
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("trace");
    copy(&fixture(name), &folder);
    (place, folder)
}

#[test]
fn a_whole_trace_is_read_with_nothing_to_say() {
    let (trace, warnings) = open(&fixture("whole-1.0"));
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(trace.loads.len(), 2);
    assert_eq!(trace.exchanges.len(), 3);
    let body = trace
        .exchange(2)
        .unwrap()
        .response
        .as_ref()
        .unwrap()
        .body
        .as_ref()
        .unwrap();
    assert!(
        trace
            .bodies()
            .bytes(&body.sha256, body.bytes)
            .unwrap()
            .starts_with(b"setTimeout")
    );
    let order: Vec<_> = trace.order().iter().map(|event| (event.load, event.id)).collect();
    assert_eq!(order, [(1, 0), (2, 0), (1, 1), (1, 2)]);
    assert_eq!(trace.events_of(1).len(), 3);
}

#[test]
fn a_continuation_line_is_merged_into_its_event() {
    let (trace, _) = open(&fixture("whole-1.0"));
    let local = &trace.event(1, 1).unwrap().local;
    assert_eq!(local.random, [0.25, 0.75]);
    assert_eq!(local.date, [1_700_000_000_202, 3]);
}

#[test]
fn a_torn_last_line_and_a_missing_end_are_warnings() {
    let (trace, warnings) = open(&fixture("torn-1.0"));
    assert_eq!(trace.events.len(), 3);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].contains("not finished"), "{warnings:?}");
    assert!(
        warnings[1].contains("events.jsonl: the last line is torn"),
        "{warnings:?}"
    );
}

#[test]
fn a_newer_major_version_is_refused_by_its_name() {
    let error = Trace::open(&fixture("future-2.0")).unwrap_err();
    assert!(matches!(error, StoreError::NewerFormat { .. }));
    let text = error.to_string();
    assert!(text.contains("2.0") && text.contains("newer xcheck"), "{text}");
}

#[test]
fn a_newer_minor_version_is_read_as_far_as_it_is_known() {
    let (trace, warnings) = open(&fixture("newer-minor-1.9"));
    assert_eq!(trace.events.len(), 1);
    assert!(warnings.iter().any(|text| text.contains("1.9")), "{warnings:?}");
    assert!(
        warnings.iter().any(|text| text.contains("events.jsonl: line 2")),
        "{warnings:?}"
    );
}

#[test]
fn a_missing_body_is_an_error_when_it_is_asked_for() {
    let (trace, warnings) = open(&fixture("missing-body-1.0"));
    assert!(warnings.is_empty());
    let body = trace
        .exchange(1)
        .unwrap()
        .response
        .as_ref()
        .unwrap()
        .body
        .as_ref()
        .unwrap();
    let error = trace.bodies().bytes(&body.sha256, 1000).unwrap_err();
    assert!(matches!(error, StoreError::BodyMissing(_)), "{error}");
}

#[test]
fn what_is_no_trace_is_called_so() {
    let place = tempfile::tempdir().unwrap();
    let error = Trace::open(place.path()).unwrap_err().to_string();
    assert!(error.contains("is not a trace: it has no manifest.json"), "{error}");
    let file = place.path().join("file");
    fs::write(&file, "hello").unwrap();
    let error = Trace::open(&file).unwrap_err().to_string();
    assert!(error.contains("is not a packed trace"), "{error}");
    assert!(Trace::open(&place.path().join("nothing")).is_err());
}

#[test]
fn packing_and_unpacking_changes_nothing_that_counts() {
    let place = tempfile::tempdir().unwrap();
    let [packed, unpacked, again] = ["trace.tar", "trace", "again.tar"].map(|name| place.path().join(name));
    pack(&fixture("whole-1.0"), &packed).unwrap();
    let (folder, _) = open(&fixture("whole-1.0"));
    let (trace, warnings) = open(&packed);
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(trace.events, folder.events);
    assert_eq!(trace.identity(), folder.identity());
    for exchange in &trace.exchanges {
        for body in exchange.response.iter().filter_map(|response| response.body.as_ref()) {
            assert_eq!(
                trace.bodies().bytes(&body.sha256, 10_000).unwrap().len() as u64,
                body.bytes
            );
        }
    }
    unpack(&packed, &unpacked).unwrap();
    assert_eq!(open(&unpacked).0.identity(), folder.identity());
    pack(&unpacked, &again).unwrap();
    assert_eq!(fs::read(&packed).unwrap(), fs::read(&again).unwrap());
    assert!(matches!(unpack(&packed, &unpacked), Err(StoreError::Exists(_))));
}

#[test]
fn an_archive_with_a_name_that_leaves_the_folder_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let packed = place.path().join("trace.tar");
    pack(&fixture("whole-1.0"), &packed).unwrap();
    let honest = fs::read(&packed).unwrap();
    for name in [
        "../evil",
        "/etc/evil",
        "bodies/../../evil",
        "bodies/aa/evil.zst",
        "notes.txt",
    ] {
        let mut bytes = honest.clone();
        bytes[..100].fill(0);
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        bytes[148..156].fill(b' ');
        let sum: u32 = bytes[..512].iter().map(|byte| u32::from(*byte)).sum();
        bytes[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        fs::write(&packed, &bytes).unwrap();
        let error = unpack(&packed, &place.path().join("target")).unwrap_err().to_string();
        assert!(error.contains("is no part of a trace"), "{error}");
        assert!(!place.path().join("target").exists());
    }
}

#[cfg(unix)]
#[test]
fn links_in_a_foreign_trace_are_not_followed() {
    use std::os::unix::fs::symlink;
    let secret = tempfile::NamedTempFile::new().unwrap();
    let (_place, folder) = copy_of("whole-1.0");
    fs::remove_file(folder.join("events.jsonl")).unwrap();
    symlink(secret.path(), folder.join("events.jsonl")).unwrap();
    let error = Trace::open(&folder).unwrap_err().to_string();
    assert!(error.contains("link"), "{error}");

    let (_place, folder) = copy_of("whole-1.0");
    let (_other_place, other) = copy_of("whole-1.0");
    fs::remove_dir_all(folder.join("bodies")).unwrap();
    symlink(other.join("bodies"), folder.join("bodies")).unwrap();
    let (trace, _) = open(&folder);
    let body = trace
        .exchange(1)
        .unwrap()
        .response
        .as_ref()
        .unwrap()
        .body
        .as_ref()
        .unwrap();
    assert!(trace.bodies().bytes(&body.sha256, 1000).is_err());
}

#[test]
fn a_path_in_place_of_a_hash_makes_the_line_unreadable() {
    let (_place, folder) = copy_of("whole-1.0");
    let path = folder.join("exchanges.jsonl");
    let hash = Sha256::of(b"").to_string();
    let text = fs::read_to_string(&path).unwrap();
    let first = text.lines().next().unwrap();
    let start = first.find("\"sha256\":\"").unwrap() + 10;
    let evil = format!(
        "{}../../../../etc/passwd{}",
        &first[..start],
        &first[start + hash.len()..]
    );
    fs::write(&path, text.replace(first, &evil)).unwrap();
    let (trace, warnings) = open(&folder);
    assert_eq!(trace.exchanges.len(), 2);
    assert!(warnings[0].contains("is not a SHA-256"), "{warnings:?}");
}

#[test]
fn every_beginning_of_a_log_can_be_read() {
    let (_place, folder) = copy_of("whole-1.0");
    let path = folder.join("events.jsonl");
    let whole = fs::read(&path).unwrap();
    for length in 0..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let (trace, warnings) = open(&folder);
        let complete = whole[..length].iter().filter(|byte| **byte == b'\n').count();
        assert!(trace.events.len() >= complete.min(3), "{length}");
        assert!(warnings.len() <= 1, "{warnings:?}");
    }
}

#[test]
fn a_compressed_log_that_breaks_off_is_read_up_to_there() {
    let (_place, folder) = copy_of("whole-1.0");
    let text = fs::read_to_string(folder.join("events.jsonl")).unwrap();
    let many: String = (0..2000)
        .map(|id| {
            text.lines()
                .next()
                .unwrap()
                .replace("\"id\":0", &format!("\"id\":{id}"))
                + "\n"
        })
        .collect();
    let compressed = zstd::encode_all(many.as_bytes(), 1).unwrap();
    fs::remove_file(folder.join("events.jsonl")).unwrap();
    fs::write(folder.join("events.jsonl.zst"), &compressed).unwrap();
    assert_eq!(open(&folder).0.events.len(), 2000);
    fs::write(folder.join("events.jsonl.zst"), &compressed[..compressed.len() - 10]).unwrap();
    let (_, warnings) = open(&folder);
    assert!(warnings.iter().any(|text| text.contains("damaged")), "{warnings:?}");
}

#[test]
fn a_line_without_end_does_not_fill_the_memory() {
    let (_place, folder) = copy_of("whole-1.0");
    let whole = fs::read(folder.join("events.jsonl")).unwrap();
    let mut bytes = vec![b'{'; 70 * 1024 * 1024];
    bytes.push(b'\n');
    bytes.extend_from_slice(&whole);
    let compressed = zstd::encode_all(&bytes[..], 1).unwrap();
    fs::remove_file(folder.join("events.jsonl")).unwrap();
    fs::write(folder.join("events.jsonl.zst"), compressed).unwrap();
    let (trace, warnings) = open(&folder);
    assert_eq!(trace.events.len(), 4);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[test]
fn events_have_names_that_a_person_would_use() {
    let (trace, _) = open(&fixture("whole-1.0"));
    let labels: Vec<String> = trace.order().iter().map(|event| trace.label(event)).collect();
    assert_eq!(
        labels,
        [
            "script https://books.example/app.js",
            "inline script 0",
            "timer remind (200 ms)",
            "click on #save"
        ]
    );
}

#[test]
fn a_continuation_that_overtook_its_event_is_merged_too() {
    let (_place, folder) = copy_of("whole-1.0");
    let path = folder.join("events.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.swap(2, 3);
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    let (trace, warnings) = open(&folder);
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(trace.event(1, 1).unwrap().local.random, [0.25, 0.75]);
}
