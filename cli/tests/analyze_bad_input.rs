//! `xcheck analyze` on runs that something happened to: each has a name and an exit code, and none looks like "no
//! difference".

use serde_json::Value;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use xcheck_trace::hash::Sha256;
use xcheck_trace::manifest::{BrowserInfo, Engine, Viewport};
use xcheck_trace::page::{DocumentData, Node, PageData};
use xcheck_trace::run::{Checkpoint, FORMAT, Outcome, Place, ReplayOutcome, ReplayedEvent, Run};
use xcheck_trace::runs::RunWriter;

const REPLAYS: [(&str, &str, Engine); 3] = [
    ("chromium", "chromium", Engine::Blink),
    ("chromium-2", "chromium", Engine::Blink),
    ("firefox", "firefox", Engine::Gecko),
];

/// A run of one event: a page with one paragraph, which reads as given in Firefox.
fn run(folder: &Path, in_firefox: &str) -> PathBuf {
    let folder = folder.join("run");
    let writer = RunWriter::create(
        &folder,
        &Run {
            format: FORMAT,
            trace: "shop.trace".to_owned(),
            trace_sha256: "0".repeat(64).parse::<Sha256>().unwrap(),
            viewport: Viewport { width: 100, height: 40 },
            replays: REPLAYS.iter().map(|(name, ..)| (*name).to_owned()).collect(),
            reference: Some("chromium".to_owned()),
            reference_again: Some("chromium-2".to_owned()),
        },
    )
    .unwrap();
    for (name, browser, engine) in REPLAYS {
        let mut replay = writer.replay(name).unwrap();
        let text = if browser == "firefox" { in_firefox } else { "Sold out" };
        let place = Place {
            number: 0,
            load: 1,
            event: 0,
        };
        replay
            .event(&ReplayedEvent {
                place,
                label: "load".to_owned(),
                divergences: Vec::new(),
                notes: Vec::new(),
                complaints: Vec::new(),
                after_divergence: false,
                registered_by: None,
            })
            .unwrap();
        let checkpoint = Checkpoint {
            place,
            load: 1,
            url: "https://shop.example/".to_owned(),
            page_sha256: replay.page(&page(text)).unwrap(),
            screenshot_sha256: Some(replay.screenshot(&picture(text)).unwrap()),
            screenshot_missing: None,
            after_divergence: false,
            ahead: false,
            pointer: None,
        };
        replay.checkpoint(&checkpoint).unwrap();
        replay
            .finish(&ReplayOutcome {
                browser: BrowserInfo {
                    name: browser.to_owned(),
                    engine,
                    version: "1".to_owned(),
                    user_agent: String::new(),
                },
                outcome: Outcome::Replayed,
                wall_ms: 1,
                events: 1,
            })
            .unwrap();
    }
    folder
}

fn page(text: &str) -> PageData {
    let node = |id, parent, tag: &str, rect| Node {
        id,
        parent,
        tag: tag.to_owned(),
        rect,
        visible: true,
        ..Node::default()
    };
    let words = Node {
        text: text.to_owned(),
        lines: 1,
        ..node(4, 3, "#text", [8.0, 8.0, 60.0, 18.0])
    };
    PageData {
        documents: vec![DocumentData {
            load: 1,
            whole: true,
            viewport: [100.0, 40.0],
            page: [100.0, 40.0],
            nodes: vec![
                node(1, 0, "html", [0.0, 0.0, 100.0, 40.0]),
                node(2, 1, "body", [0.0, 0.0, 100.0, 40.0]),
                node(3, 2, "p", [8.0, 8.0, 84.0, 18.0]),
                words,
            ],
            ..DocumentData::default()
        }],
    }
}

/// White, and a little else in each browser's shade.
fn picture(text: &str) -> Vec<u8> {
    let mut image = image::RgbaImage::from_pixel(100, 40, image::Rgba([255; 4]));
    image.put_pixel(99, 39, image::Rgba([text.len() as u8, 0, 0, 255]));
    let mut png = Cursor::new(Vec::new());
    image.write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}

/// Exit code, the JSON where there is any, and what was said.
fn analyze(folder: &Path) -> (i32, Value, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_xcheck"))
        .args(["analyze", "--format", "json"])
        .arg(folder)
        .output()
        .unwrap();
    let json = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), json, said)
}

/// Damages a run, and expects that Firefox is not measured or a part of it is not, with these words, and exit code 3.
#[track_caller]
fn check(damage: impl FnOnce(&Path), words: &str) {
    let folder = TempDir::new().unwrap();
    let run = run(folder.path(), "Sold out");
    damage(&run);
    let (code, json, said) = analyze(&run);
    assert_eq!(code, 3, "{said}\n{json}");
    let mut results = json["results"].as_array().into_iter().flatten();
    let result = results.rfind(|result| result["browser"] == "firefox");
    let reasons = match result {
        Some(result) => format!("{} {}", result["reason"], result["unmeasured"]),
        None => said,
    };
    assert!(reasons.contains(words), "{reasons}");
}

/// Rewrites one file of the run.
fn edit(file: PathBuf, change: impl FnOnce(String) -> String) {
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(file, change(text)).unwrap();
}

/// Where the run keeps what the first checkpoint of a replay refers to.
fn stored(run: &Path, replay: &str, what: &str) -> PathBuf {
    let text = std::fs::read_to_string(run.join(replay).join("checkpoints.jsonl")).unwrap();
    let checkpoint: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let hash = checkpoint[what].as_str().unwrap().to_owned();
    run.join("store").join(&hash[..2]).join(format!("{hash}.zst"))
}

#[test]
fn a_whole_run_says_0_or_1() {
    let folder = TempDir::new().unwrap();
    let same = run(folder.path(), "Sold out");
    assert_eq!(analyze(&same).0, 0);
    let folder = TempDir::new().unwrap();
    let other = run(folder.path(), "Ausverkauft");
    let (code, json, _) = analyze(&other);
    assert_eq!(code, 1);
    assert_eq!(json["results"][0]["xbis"][0]["kind"], "text");
}

#[test]
fn a_replay_that_did_not_finish_is_not_measured() {
    check(
        |run| std::fs::remove_file(run.join("firefox/outcome.json")).unwrap(),
        "did not finish",
    );
}

#[test]
fn a_replay_that_is_missing_is_not_measured() {
    check(
        |run| std::fs::remove_dir_all(run.join("firefox")).unwrap(),
        "did not finish",
    );
}

#[test]
fn without_the_reference_nothing_is_measured() {
    check(
        |run| std::fs::remove_dir_all(run.join("chromium")).unwrap(),
        "the reference was not measured",
    );
}

#[test]
fn a_run_without_checkpoints_is_not_measured() {
    check(
        |run| std::fs::write(run.join("firefox/checkpoints.jsonl"), "").unwrap(),
        "no checkpoint",
    );
}

#[test]
fn page_data_that_is_missing_or_damaged_is_not_measured() {
    let of_firefox = |run: &Path| {
        // Its own, so that the reference keeps what it has.
        edit(run.join("firefox/checkpoints.jsonl"), |text| {
            let hash = stored(run, "firefox", "page_sha256");
            let hash = hash.file_stem().unwrap().to_str().unwrap().to_owned();
            text.replace(&hash, &"a".repeat(64))
        });
    };
    check(of_firefox, "the other browser");
    check(
        |run| std::fs::write(stored(run, "firefox", "page_sha256"), "no zstd").unwrap(),
        "no checkpoint could be compared",
    );
}

#[test]
fn a_screenshot_that_is_missing_or_no_picture_leaves_that_part_unmeasured() {
    check(
        |run| std::fs::remove_file(stored(run, "firefox", "screenshot_sha256")).unwrap(),
        "screenshot",
    );
    check(
        |run| std::fs::write(stored(run, "firefox", "screenshot_sha256"), "no picture").unwrap(),
        "screenshot",
    );
}

#[test]
fn a_replay_of_another_trace_is_not_compared() {
    check(
        |run| {
            edit(run.join("firefox/events.jsonl"), |text| {
                text.replace("\"load\"", "\"click on #buy\"")
                    .replace("\"click on #buy\":1", "\"load\":1")
            })
        },
        "another trace",
    );
}

#[test]
fn a_run_of_another_format_is_refused_by_name() {
    for (format, words) in [("0.9", "0.9"), ("2.0", "2.0")] {
        check(
            |run| {
                edit(run.join("run.json"), |text| {
                    text.replace("\"1.0\"", &format!("\"{format}\""))
                })
            },
            words,
        );
    }
}

#[test]
fn what_is_no_run_is_a_usage_error_or_could_not_be_read() {
    let empty = TempDir::new().unwrap();
    let (code, _, said) = analyze(empty.path());
    assert!(matches!(code, 2 | 3), "{code}");
    assert!(said.contains("run.json"), "{said}");
}
