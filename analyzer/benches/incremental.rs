//! What incremental analysis saves: `cargo bench -p xcheck-analyzer --bench incremental` prints a table.
//!
//! Generated pages, ten nodes changed per event, the same session compared in both modes. Times are the time between
//! two requests for the next checkpoint, so that making the pages is not in them.

use std::cell::RefCell;
use std::time::{Duration, Instant};
use xcheck_analyzer::findings::Mode;
use xcheck_analyzer::replay::{NoScreenshots, Replay, Shown};
use xcheck_analyzer::{Mask, Options, compare};
use xcheck_trace::hash::Sha256;
use xcheck_trace::manifest::{BrowserInfo, Engine};
use xcheck_trace::page::{DocumentData, Node, PageData};
use xcheck_trace::run::{Checkpoint, Place, ReplayedEvent};

const CHANGED: usize = 10;

fn main() {
    if std::env::args().any(|argument| argument == "--memory") {
        return memory();
    }
    println!("| nodes | first pair, ms | incremental, ms/event | full, ms/event | ratio |");
    println!("|---:|---:|---:|---:|---:|");
    let mut flat = Vec::new();
    for (nodes, events) in [(500, 200), (1_000, 200), (2_000, 200), (10_000, 100), (50_000, 50)] {
        let (first, incremental) = session(nodes, events, Mode::Incremental);
        let full_events = if nodes > 5_000 { 3 } else { 20 };
        let (_, full) = session(nodes, full_events, Mode::Full);
        println!(
            "| {nodes} | {:.2} | {:.4} | {:.2} | {:.0} |",
            milliseconds(first),
            milliseconds(incremental),
            milliseconds(full),
            full.as_secs_f64() / incremental.as_secs_f64()
        );
        flat.push((nodes, incremental));
    }
    let of = |nodes: usize| {
        flat.iter()
            .find(|(known, _)| *known == nodes)
            .map_or(0.0, |(_, time)| time.as_secs_f64())
    };
    println!(
        "\nper event at 50,000 nodes against 2,000: {:.2}",
        of(50_000) / of(2_000)
    );
    let child = std::env::current_exe().and_then(|this| std::process::Command::new(this).arg("--memory").status());
    if let Err(problem) = child {
        println!("memory not measured: {problem}");
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Time of the first pair, and the median of the others.
fn session(nodes: usize, events: usize, mode: Mode) -> (Duration, Duration) {
    let marks = RefCell::new(Vec::new());
    let reference = Session::new(nodes, events, 0.0);
    let other = Session::new(nodes, events, 1.0);
    let timed = reference.inspect(|_| marks.borrow_mut().push(Instant::now()));
    // The other side's page is made while the clock runs unless it is made before.
    let made: Vec<Shown> = other.collect();
    let labels = labels(events + 1);
    let options = Options {
        mode,
        ..Options::default()
    };
    let (result, _) = compare(
        replay("chromium", &labels, timed),
        replay("firefox", &labels, made.into_iter()),
        &Mask::default(),
        &options,
    );
    assert_eq!(result.checkpoints as usize, events + 1);
    marks.borrow_mut().push(Instant::now());
    let marks = marks.into_inner();
    let mut times: Vec<Duration> = marks.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let first = times.remove(0);
    times.sort();
    (first, times[times.len() / 2])
}

/// Peak memory over a thousand checkpoints of five thousand nodes: of one document, and of a document each.
fn memory() {
    let labels = labels(1000);
    for (name, fresh) in [("one document", false), ("a new document each", true)] {
        let make = |skew: f32| {
            let mut template = Session::new(5_000, 1000, skew);
            let first = template.next();
            let mut rest = template;
            (0..1000_u32).filter_map(move |at| {
                let mut shown = if fresh || at == 0 { first.clone()? } else { rest.next()? };
                let load = if fresh { at + 1 } else { 1 };
                shown.checkpoint.place = place(at + 1);
                shown.checkpoint.load = load;
                shown
                    .page
                    .iter_mut()
                    .flat_map(|page| &mut page.documents)
                    .for_each(|document| document.load = load);
                Some(shown)
            })
        };
        let (result, _) = compare(
            replay("chromium", &labels, make(0.0)),
            replay("firefox", &labels, make(1.0)),
            &Mask::default(),
            &Options::default(),
        );
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let peak = status
            .lines()
            .find(|line| line.starts_with("VmHWM"))
            .unwrap_or("VmHWM: unknown");
        println!("{} checkpoints of 5,000 nodes, {name}: {peak}", result.checkpoints);
    }
}

fn replay<'a>(name: &str, events: &'a [ReplayedEvent], checkpoints: impl Iterator<Item = Shown> + 'a) -> Replay<'a> {
    Replay {
        browser: BrowserInfo {
            name: name.to_owned(),
            engine: Engine::Blink,
            version: "1".to_owned(),
            user_agent: String::new(),
        },
        events,
        checkpoints: Box::new(checkpoints),
        screenshots: &NoScreenshots,
    }
}

fn labels(count: usize) -> Vec<ReplayedEvent> {
    (1..=count as u32)
        .map(|number| ReplayedEvent {
            place: place(number),
            label: format!("click {number}"),
            divergences: Vec::new(),
            notes: Vec::new(),
            complaints: Vec::new(),
            after_divergence: false,
            registered_by: None,
        })
        .collect()
}

fn place(number: u32) -> Place {
    Place {
        number,
        load: 1,
        event: number,
    }
}

/// A page of sections, articles and lines, and events that each change ten lines.
struct Session {
    nodes: Vec<Node>,
    lines: Vec<usize>,
    events: usize,
    next: usize,
    seed: u64,
}

impl Session {
    fn new(count: usize, events: usize, skew: f32) -> Self {
        let mut nodes = vec![
            node(1, 0, 0, "html", [0.0, 0.0, 1280.0, 0.0]),
            node(2, 1, 0, "body", [0.0, 0.0, 1280.0, 0.0]),
        ];
        let (mut lines, mut y) = (Vec::new(), 0.0);
        let (mut section, mut sections, mut article, mut articles) = (0, 0, 0, 0);
        let mut in_article = 0;
        while nodes.len() < count {
            if section == 0 || articles == 10 {
                section = nodes.len() as u32 + 1;
                nodes.push(node(section, 2, sections, "section", [0.0, y, 1280.0, 0.0]));
                (sections, articles, in_article) = (sections + 1, 0, 10);
            }
            if in_article == 10 {
                article = nodes.len() as u32 + 1;
                nodes.push(node(article, section, articles, "article", [0.0, y, 1280.0, 180.0]));
                (articles, in_article) = (articles + 1, 0);
            }
            let line = nodes.len() as u32 + 1;
            nodes.push(node(line, article, in_article, "p", [0.0, y, 600.0, 18.0]));
            nodes.push(node(line + 1, line, 0, "#text", [0.0, y, 80.0 + skew, 18.0]));
            let text = nodes.len() - 1;
            nodes[text].text = format!("line {line}");
            nodes[text].lines = 1;
            lines.push(text);
            in_article += 1;
            y += 18.0;
        }
        nodes[0].rect[3] = y;
        nodes[1].rect[3] = y;
        Session {
            nodes,
            lines,
            events: events + 1,
            next: 0,
            seed: 7,
        }
    }

    /// A linear congruence: the same lines in both browsers.
    fn draw(&mut self) -> usize {
        self.seed = self
            .seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) as usize
    }
}

impl Iterator for Session {
    type Item = Shown;

    fn next(&mut self) -> Option<Shown> {
        if self.next == self.events {
            return None;
        }
        self.next += 1;
        let whole = self.next == 1;
        let nodes = if whole {
            self.nodes.clone()
        } else {
            let mut changed: Vec<usize> = (0..CHANGED).map(|_| self.draw() % self.lines.len()).collect();
            changed.sort_unstable();
            changed.dedup();
            let at = self.next;
            changed
                .into_iter()
                .map(|line| {
                    let node = &mut self.nodes[self.lines[line]];
                    node.text = format!("line {line} at {at}");
                    node.rect[2] += 1.0;
                    node.clone()
                })
                .collect()
        };
        let document = DocumentData {
            load: 1,
            whole,
            nodes,
            ..DocumentData::default()
        };
        Some(Shown {
            checkpoint: Checkpoint {
                place: place(self.next as u32),
                load: 1,
                url: String::new(),
                page_sha256: Sha256::of(b""),
                screenshot_sha256: None,
                screenshot_missing: None,
                after_divergence: false,
                ahead: false,
                pointer: None,
            },
            page: Ok(PageData {
                documents: vec![document],
            }),
        })
    }
}

fn node(id: u32, parent: u32, index: u32, tag: &str, rect: [f32; 4]) -> Node {
    Node {
        id,
        parent,
        index,
        tag: tag.to_owned(),
        rect,
        visible: true,
        style: 1,
        ..Node::default()
    }
}
