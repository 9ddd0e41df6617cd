//! Runs on disk, and page data put together again.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use xcheck_trace::manifest::{BrowserInfo, Engine, Viewport};
use xcheck_trace::page::{DocumentData, Node, PageData};
use xcheck_trace::run::{Checkpoint, FORMAT, Outcome, Place, ReplayOutcome, ReplayedEvent, Run};
use xcheck_trace::runs::{RunReader, RunWriter};
use xcheck_trace::{Sha256, StoreError};

fn run(replays: &[&str]) -> Run {
    Run {
        format: FORMAT,
        trace: "books".into(),
        trace_sha256: Sha256::of(b"books"),
        viewport: Viewport::default(),
        replays: replays.iter().map(|name| (*name).to_owned()).collect(),
        reference: None,
        reference_again: None,
    }
}

fn place(number: u32) -> Place {
    Place {
        number,
        load: 1,
        event: number,
    }
}

fn checkpoint(number: u32, load: u32, page_sha256: Sha256) -> Checkpoint {
    Checkpoint {
        place: place(number),
        load,
        url: "https://books.example/".into(),
        page_sha256,
        screenshot_sha256: None,
        screenshot_missing: Some("not asked for".into()),
        after_divergence: false,
        ahead: false,
        pointer: None,
    }
}

fn node(id: u32, parent: u32, index: u32) -> Node {
    Node {
        id,
        parent,
        index,
        tag: format!("x-{id}"),
        ..Node::default()
    }
}

fn page(load: u32, whole: bool, nodes: Vec<Node>, removed: Vec<u32>) -> PageData {
    PageData {
        documents: vec![DocumentData {
            load,
            whole,
            nodes,
            removed,
            ..DocumentData::default()
        }],
    }
}

/// Writes the pages as checkpoints and reads them back whole.
fn round_trip(pages: &[(u32, PageData)]) -> Vec<Result<Vec<Node>, String>> {
    let place = tempfile::tempdir().unwrap();
    let writer = RunWriter::create(&place.path().join("run"), &run(&["chromium"])).unwrap();
    let mut replay = writer.replay("chromium").unwrap();
    for (number, (load, page)) in pages.iter().enumerate() {
        let hash = replay.page(page).unwrap();
        replay.checkpoint(&checkpoint(number as u32, *load, hash)).unwrap();
    }
    let (reader, _) = RunReader::open(writer.folder()).unwrap();
    let (replay, _) = reader.replay("chromium").unwrap();
    reader
        .whole_pages(&replay)
        .map(|whole| match whole {
            Ok(mut whole) => Ok(whole.page.documents.remove(0).nodes),
            Err(error) => Err(error.to_string()),
        })
        .collect()
}

#[test]
fn a_run_can_be_read_while_it_grows() {
    let folder = tempfile::tempdir().unwrap();
    let writer = RunWriter::create(folder.path(), &run(&["chromium", "firefox"])).unwrap();
    let mut replay = writer.replay("chromium").unwrap();
    let event = ReplayedEvent {
        place: place(0),
        label: "click on #save".into(),
        divergences: Vec::new(),
        notes: Vec::new(),
        complaints: Vec::new(),
        after_divergence: false,
        registered_by: None,
    };
    replay.event(&event).unwrap();
    let screenshot = replay.screenshot(b"a picture").unwrap();

    let (reader, _) = RunReader::open(folder.path()).unwrap();
    let (growing, warnings) = reader.replay("chromium").unwrap();
    assert_eq!((growing.events.len(), growing.outcome), (1, None));
    assert!(
        warnings[0]
            .to_string()
            .contains("chromium: the replay was not finished")
    );
    assert_eq!(reader.screenshot(&screenshot).unwrap(), b"a picture");
    let (_, warnings) = reader.replay("firefox").unwrap();
    assert!(warnings[0].to_string().contains("firefox: nothing of this replay"));

    let outcome = ReplayOutcome {
        browser: BrowserInfo {
            name: "chromium".into(),
            engine: Engine::Blink,
            version: "156".into(),
            user_agent: String::new(),
        },
        outcome: Outcome::Replayed,
        wall_ms: 5,
        events: 1,
    };
    replay.finish(&outcome).unwrap();
    let (finished, warnings) = reader.replay("chromium").unwrap();
    assert_eq!(finished.outcome, Some(outcome));
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn a_run_whose_names_are_paths_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let error = RunWriter::create(folder.path(), &run(&["../elsewhere"])).unwrap_err();
    assert!(error.to_string().contains("cannot be the name of a replay"), "{error}");
    let hostile = serde_json::to_vec(&run(&["../elsewhere"])).unwrap();
    std::fs::write(folder.path().join("run.json"), hostile).unwrap();
    assert!(RunReader::open(folder.path()).is_err());
}

#[test]
fn a_run_from_a_newer_xcheck_is_refused_by_its_format() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.json"), r#"{"format": "7.3", "odd": 1}"#).unwrap();
    let error = RunReader::open(folder.path()).unwrap_err();
    assert!(matches!(error, StoreError::NewerFormat { .. }), "{error}");
    assert!(error.to_string().contains("runs up to format 1.0"), "{error}");
    assert!(RunReader::open(Path::new("/nowhere/at/all")).is_err());
}

#[test]
fn a_run_from_an_older_xcheck_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("run.json"), r#"{"format": "0.9"}"#).unwrap();
    let error = RunReader::open(folder.path()).unwrap_err().to_string();
    assert!(
        error.contains("format 0.9") && error.contains("replay the trace again"),
        "{error}"
    );
}

/// When this fails because the types of page data changed, `run::FORMAT` needs a new major version, and this test the
/// new fixture.
#[test]
fn a_run_written_long_ago_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/run-1.0");
    let (reader, warnings) = RunReader::open(&folder).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    let (chromium, _) = reader.replay("chromium").unwrap();
    assert_eq!(chromium.events[1].divergences[0].expected, "timer remind (200 ms)");
    let pages: Vec<_> = reader.whole_pages(&chromium).map(Result::unwrap).collect();
    let tags = |number: usize| -> Vec<&str> {
        pages[number].page.documents[0]
            .nodes
            .iter()
            .map(|node| node.tag.as_str())
            .collect()
    };
    assert_eq!(tags(0), ["html", "body", "button", "#text"]);
    assert_eq!(tags(1), ["html", "body", "button", "p"]);
    assert_eq!(pages[1].page.documents[0].styles.len(), 1);
    let screenshot = pages[0].checkpoint.screenshot_sha256.as_ref().unwrap();
    assert_eq!(reader.screenshot(screenshot).unwrap(), b"not really a PNG");
    let (firefox, _) = reader.replay("firefox").unwrap();
    assert!(matches!(firefox.outcome.unwrap().outcome, Outcome::NotMeasured { .. }));
}

#[test]
fn two_windows_that_take_turns_keep_their_pages() {
    let whole = round_trip(&[
        (1, page(1, true, vec![node(1, 0, 0)], vec![])),
        (2, page(2, true, vec![node(7, 0, 0)], vec![])),
        (1, page(1, false, vec![node(2, 1, 0)], vec![])),
        (2, page(2, false, vec![], vec![])),
    ]);
    let ids: Vec<Vec<u32>> = whole
        .into_iter()
        .map(|nodes| nodes.unwrap().iter().map(|node| node.id).collect())
        .collect();
    assert_eq!(ids, [vec![1], vec![7], vec![1, 2], vec![7]]);
}

#[test]
fn changes_without_a_page_to_change_are_an_error() {
    let whole = round_trip(&[(1, page(1, false, vec![node(1, 0, 0)], vec![]))]);
    assert!(
        whole[0].as_ref().unwrap_err().contains("whole page is missing"),
        "{whole:?}"
    );
}

#[test]
fn after_an_unreadable_page_nothing_is_guessed() {
    let whole = round_trip(&[
        (1, page(1, true, vec![node(1, 0, 0)], vec![])),
        (1, page(1, false, vec![node(9, 8, 0)], vec![])),
        (1, page(1, false, vec![node(2, 1, 0)], vec![])),
        (1, page(1, true, vec![node(1, 0, 0)], vec![])),
    ]);
    let readable: Vec<bool> = whole.iter().map(Result::is_ok).collect();
    assert_eq!(readable, [true, false, false, true], "{whole:?}");
}

#[test]
fn rings_of_parents_end() {
    let ring = vec![node(1, 0, 0), node(2, 3, 0), node(3, 2, 0)];
    let whole = round_trip(&[
        (1, page(1, true, ring, vec![])),
        (1, page(1, true, vec![node(0, 0, 0)], vec![])),
        (1, page(1, true, vec![node(1, 1, 0)], vec![1])),
    ]);
    assert!(whole.iter().all(Result::is_err), "{whole:?}");
}

/// A tree that is changed at random, as a model of what an increment must say.
#[derive(Debug, Clone)]
enum Change {
    Add(usize),
    Remove(usize),
    Move(usize, usize),
    Retitle(usize),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => any::<usize>().prop_map(Change::Add),
        1 => any::<usize>().prop_map(Change::Remove),
        1 => any::<(usize, usize)>().prop_map(|(what, to)| Change::Move(what, to)),
        1 => any::<usize>().prop_map(Change::Retitle),
    ]
}

#[derive(Default)]
struct Model {
    children: BTreeMap<u32, Vec<u32>>,
    text: BTreeMap<u32, u32>,
    last: u32,
}

impl Model {
    fn nodes(&self) -> Vec<Node> {
        let mut nodes = Vec::new();
        self.below(0, &mut nodes);
        nodes
    }

    fn below(&self, parent: u32, nodes: &mut Vec<Node>) {
        for (index, id) in self.children.get(&parent).into_iter().flatten().enumerate() {
            let text = self.text.get(id).map(u32::to_string).unwrap_or_default();
            nodes.push(Node {
                text,
                ..node(*id, parent, index as u32)
            });
            self.below(*id, nodes);
        }
    }

    fn apply(&mut self, change: &Change) {
        let nodes = self.nodes();
        let pick = |number: usize| {
            nodes
                .get(number % nodes.len().max(1))
                .map(|node| (node.id, node.parent))
        };
        match *change {
            Change::Add(under) => {
                self.last += 1;
                let parent = pick(under).map_or(0, |(id, _)| id);
                let siblings = self.children.entry(parent).or_default();
                siblings.insert(under % (siblings.len() + 1), self.last);
            }
            Change::Remove(what) => {
                let Some((id, parent)) = pick(what) else { return };
                self.children.entry(parent).or_default().retain(|child| *child != id);
            }
            Change::Move(what, to) => {
                let (Some((id, parent)), Some((target, _))) = (pick(what), pick(to)) else {
                    return;
                };
                let mut inside = Vec::new();
                self.below(id, &mut inside);
                if target != id && inside.iter().all(|node| node.id != target) {
                    self.children.entry(parent).or_default().retain(|child| *child != id);
                    self.children.entry(target).or_default().push(id);
                }
            }
            Change::Retitle(what) => {
                if let Some((id, _)) = pick(what) {
                    *self.text.entry(id).or_default() += 1;
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn increments_add_up_to_the_whole_page(steps in prop::collection::vec(prop::collection::vec(change(), 0..6), 1..12)) {
        let mut model = Model::default();
        model.apply(&Change::Add(0));
        let mut before: BTreeMap<u32, Node> = BTreeMap::new();
        let mut pages = Vec::new();
        let mut expected = Vec::new();
        for step in &steps {
            step.iter().for_each(|change| model.apply(change));
            let nodes = model.nodes();
            let now: BTreeMap<u32, Node> = nodes.iter().map(|node| (node.id, node.clone())).collect();
            let changed = nodes.iter().filter(|node| before.get(&node.id) != Some(node)).cloned().collect();
            let removed = before.keys().filter(|id| !now.contains_key(id)).copied().collect();
            pages.push((1, page(1, pages.is_empty(), changed, removed)));
            expected.push(Ok(nodes));
            before = now;
        }
        prop_assert_eq!(round_trip(&pages), expected);
    }
}
