//! Nothing that a trace or a run may contain makes a reader panic, hang or leave its folder.

use proptest::prelude::*;
use std::fs;
use std::path::Path;
use xcheck_trace::page::{DocumentData, Node, PageData};
use xcheck_trace::runs::RunReader;
use xcheck_trace::{Trace, export_har, verify};

const FILES: [&str; 7] = [
    "manifest.json",
    "loads.jsonl",
    "events.jsonl",
    "exchanges.jsonl",
    "frames.jsonl",
    "notices.jsonl",
    "sources.jsonl",
];

const STRANGE: [&str; 14] = [
    "0",
    "-1",
    "4294967295",
    "9223372036854775808",
    "18446744073709551615",
    "1e308",
    "-1e308",
    "\"\"",
    "\"../../../../etc/passwd\"",
    "\"\\u0000\\ud83d\\ude00\"",
    "null",
    "[]",
    "{}",
    "[[[[[[[[[[]]]]]]]]]]",
];

/// One change to one file.
#[derive(Debug, Clone)]
enum Damage {
    Byte(usize, u8),
    Cut(usize),
    Repeat(usize),
    /// Another value in the place of the n-th number or string.
    Value(usize, &'static str),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        1 => any::<(usize, u8)>().prop_map(|(at, byte)| Damage::Byte(at, byte)),
        1 => any::<usize>().prop_map(Damage::Cut),
        1 => any::<usize>().prop_map(Damage::Repeat),
        6 => (any::<usize>(), prop::sample::select(&STRANGE[..])).prop_map(|(at, value)| Damage::Value(at, value)),
    ]
}

fn apply(text: &mut Vec<u8>, damage: &Damage) {
    if text.is_empty() {
        return;
    }
    match *damage {
        Damage::Byte(at, byte) => {
            let at = at % text.len();
            text[at] = byte;
        }
        Damage::Cut(at) => text.truncate(at % text.len()),
        Damage::Repeat(number) => {
            let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
            let line = lines[number % lines.len()].to_vec();
            text.extend(line);
        }
        Damage::Value(number, value) => {
            let places = values(text);
            if !places.is_empty() {
                let (start, end) = places[number % places.len()];
                text.splice(start..end, value.bytes());
            }
        }
    }
}

/// Where values stand: after a colon, a comma or a bracket.
fn values(text: &[u8]) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for (at, pair) in text.windows(2).enumerate() {
        if !b":,[".contains(&pair[0]) {
            continue;
        }
        let start = at + 1;
        let end = match pair[1] {
            b'"' => text[start + 1..]
                .iter()
                .position(|byte| *byte == b'"')
                .map(|length| start + length + 2),
            b'0'..=b'9' => text[start..]
                .iter()
                .position(|byte| b",]}".contains(byte))
                .map(|length| start + length),
            _ => None,
        };
        places.extend(end.map(|end| (start, end)));
    }
    places
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_damaged_trace_is_read_or_refused(damages in prop::collection::vec((0..FILES.len(), damage()), 1..6)) {
        let original = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/whole-1.0");
        let place = tempfile::tempdir().unwrap();
        for file in FILES {
            fs::copy(original.join(file), place.path().join(file)).unwrap();
        }
        for (file, damage) in &damages {
            let path = place.path().join(FILES[*file]);
            let mut text = fs::read(&path).unwrap();
            apply(&mut text, damage);
            fs::write(&path, text).unwrap();
        }
        match Trace::open(place.path()) {
            Err(error) => prop_assert!(!error.to_string().is_empty()),
            Ok((trace, warnings)) => {
                warnings.iter().for_each(|warning| drop(warning.to_string()));
                let order = trace.order();
                prop_assert_eq!(order.len(), trace.events.len());
                order.iter().for_each(|event| drop(trace.label(event)));
                verify(&trace);
                let mut har = Vec::new();
                export_har(&trace, &mut har).unwrap();
                prop_assert!(serde_json::from_slice::<serde_json::Value>(&har).is_ok());
            }
        }
    }

    #[test]
    fn damaged_page_data_is_put_together_or_refused(damages in prop::collection::vec((any::<usize>(), any::<u8>()), 0..8)) {
        let node = |id: u32, parent: u32| Node { id, parent, tag: "p".into(), text: "some text".into(), ..Node::default() };
        let document = |whole: bool, nodes: Vec<Node>| DocumentData { load: 1, whole, nodes, ..DocumentData::default() };
        let pages = [
            PageData { documents: vec![document(true, vec![node(1, 0), node(2, 1), node(3, 2)])] },
            PageData { documents: vec![DocumentData { removed: vec![2], ..document(false, vec![node(3, 1)]) }] },
        ];
        let place = tempfile::tempdir().unwrap();
        let store = xcheck_trace::BodyStore::create(place.path().join("store")).unwrap();
        fs::create_dir(place.path().join("chromium")).unwrap();
        let mut lines = String::new();
        for (number, page) in pages.iter().enumerate() {
            let mut bytes = postcard::to_stdvec(page).unwrap();
            for (at, byte) in &damages {
                let at = at % bytes.len();
                bytes[at] = *byte;
            }
            let hash = store.put(&bytes).unwrap();
            let place = format!(r#"{{"number":{number},"load":1,"event":{number}}}"#);
            lines += &format!(r#"{{"place":{place},"load":1,"url":"","page_sha256":"{hash}"}}"#);
            lines.push('\n');
        }
        fs::write(place.path().join("chromium/checkpoints.jsonl"), lines).unwrap();
        fs::write(place.path().join("chromium/events.jsonl"), "").unwrap();
        let run = r#"{"format":"1.0","trace":"t","trace_sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "viewport":{"width":1,"height":1},"replays":["chromium"],"reference":null,"reference_again":null}"#;
        fs::write(place.path().join("run.json"), run).unwrap();
        let (reader, _) = RunReader::open(place.path()).unwrap();
        let (replay, _) = reader.replay("chromium").unwrap();
        prop_assert_eq!(replay.checkpoints.len(), 2);
        let whole: Vec<_> = reader.whole_pages(&replay).collect();
        prop_assert_eq!(whole.len(), 2);
        if damages.is_empty() {
            let ids = |number: usize| -> Vec<u32> {
                let page = &whole[number].as_ref().unwrap().page;
                page.documents[0].nodes.iter().map(|node| node.id).collect()
            };
            prop_assert_eq!((ids(0), ids(1)), (vec![1, 2, 3], vec![1, 3]));
        }
    }
}
