//! What the page's collector sends is what the trace crate reads, field by field.

use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;
use xcheck_trace::page::DocumentData;

/// Everything in `sent` stands in `read` with the same value; `read` may have more, its defaults.
fn holds_all(sent: &Value, read: &Value, at: &str) {
    match (sent, read) {
        (Value::Object(sent), Value::Object(read)) => {
            for (key, value) in sent {
                let known = read.get(key).unwrap_or_else(|| panic!("{at}.{key} is not read"));
                holds_all(value, known, &format!("{at}.{key}"));
            }
        }
        (Value::Array(sent), Value::Array(read)) => {
            assert_eq!(sent.len(), read.len(), "{at}");
            for (index, (sent, read)) in sent.iter().zip(read).enumerate() {
                holds_all(sent, read, &format!("{at}[{index}]"));
            }
        }
        (Value::Number(sent), Value::Number(read)) => {
            let (sent, read) = (sent.as_f64().unwrap(), read.as_f64().unwrap());
            assert!((sent - read).abs() < 0.001, "{at}: {sent} was read as {read}");
        }
        _ => assert_eq!(sent, read, "{at}"),
    }
}

#[test]
fn page_data_of_a_real_browser_is_read_without_loss() {
    let root = env!("CARGO_MANIFEST_DIR");
    let output = Command::new("node")
        .args(["test/collect/print.mjs", "chromium"])
        .current_dir(root)
        .output()
        .expect("node runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let pages: Value = serde_json::from_slice(&output.stdout).expect("the pages are JSON");
    let pages = pages.as_object().expect("an object of pages");
    assert!(pages.len() > 20);
    for (name, sent) in pages {
        let document: DocumentData = serde_json::from_value(sent.clone()).unwrap_or_else(|e| panic!("{name}: {e}"));
        holds_all(sent, &serde_json::to_value(&document).unwrap(), name);
        let styles: BTreeSet<u32> = document.styles.iter().map(|(index, _)| *index).collect();
        let ids: BTreeSet<u32> = document.nodes.iter().map(|node| node.id).collect();
        for node in &document.nodes {
            assert!(
                node.style == 0 || styles.contains(&node.style),
                "{name}: style {} of {} is missing",
                node.style,
                node.tag
            );
            assert!(
                node.parent == 0 || ids.contains(&node.parent),
                "{name}: the parent of {} is missing",
                node.tag
            );
        }
    }
}
