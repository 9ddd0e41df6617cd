//! The page's code as a whole: its own tests under Node, what it names, and its size.

use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn modules(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the page's folder is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            found.extend(modules(&path));
        } else if path.extension().is_some_and(|extension| extension == "js") {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn the_parts_that_need_no_document_pass_under_node() {
    let output = Command::new("node")
        .args(["--test", "test/page/pure.test.mjs", "test/page/kept.test.mjs"])
        .current_dir(folder())
        .output()
        .expect("Node is installed: these tests need it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn a_frame_begins_alike_whoever_makes_it() {
    let script = xcheck_replay_js::recorder(&serde_json::json!({}));
    assert!(script.contains(xcheck_replay_js::FIRST_IN_FRAMES));
}

/// Whoever looks a built-in up by name when it is needed gets what the page has put there.
#[test]
fn only_natives_names_what_a_page_can_replace() {
    let replaceable = [
        "Date",
        "setTimeout",
        "setInterval",
        "fetch",
        "performance",
        "XMLHttpRequest",
        "Math",
        "JSON",
        "Promise",
        "Reflect",
        "Object",
        "Array",
        "Map",
        "WeakMap",
        "Set",
        "String",
        "document",
        "window",
    ];
    let mut named = Vec::new();
    for path in modules(&folder().join("page")) {
        let shown = path.strip_prefix(folder()).unwrap_or(&path).display().to_string();
        if [
            "page/natives.js",
            "page/more-natives.js",
            "page/collect/",
            "page/target/",
        ]
        .iter()
        .any(|own| shown.starts_with(own))
        {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a module can be read");
        for (number, line) in text.lines().enumerate() {
            let code = line.trim_start();
            if code.starts_with('*') || code.starts_with('/') {
                continue;
            }
            // It runs before anything of the page's does.
            let code = code.replace(xcheck_replay_js::FIRST_IN_FRAMES, "");
            if let Some(name) = replaceable.iter().find(|name| uses(&code, name)) {
                named.push(format!("{shown}:{}: {name}", number + 1));
            }
        }
    }
    assert!(named.is_empty(), "{named:#?}");
}

/// `name` is called or asked for a member, and is neither a member nor a declaration itself.
fn uses(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = &code[..at];
        let after = code[at + name.len()..].chars().next();
        let free =
            !before.ends_with(|c: char| c.is_alphanumeric() || "._'\"`$".contains(c)) && !before.ends_with("function ");
        // `setTimeout(…) {` in an object is a replacement being written.
        free && (after == Some('.') || (after == Some('(') && !code.ends_with('{')))
    })
}

/// Every document carries it: 16 KB as a browser that takes Brotli would get it.
#[test]
fn the_recorder_stays_small() {
    let config =
        serde_json::json!({"load": 1, "endpoint": "/__xcheck/0123456789abcdef0123456789abcdef", "session": "x"});
    let script = xcheck_replay_js::recorder(&config);
    let mut compressed = Vec::new();
    let settings = brotli::enc::BrotliEncoderParams::default();
    brotli::BrotliCompress(&mut script.as_bytes(), &mut compressed, &settings).expect("text can be compressed");
    assert!(compressed.len() <= 16 * 1024, "{} bytes", compressed.len());
    println!("{} bytes, {} by Brotli", script.len(), compressed.len());
}
