//! Learning from six runs of a session of 13 events on pages of 5,000 nodes, by both algorithms: one in which lists roll
//! and a clock runs, and a table with a column of numbers at random. `cargo bench -p xcheck-invariants`.

use std::time::{Duration, Instant};
use xcheck_invariants::dodom::Invariant;
use xcheck_invariants::{Learner, Tree};
use xcheck_trace::page::{DocumentData, Node, PageData};
use xcheck_trace::run::Place;

const NODES: u32 = 5_000;
const EVENTS: u32 = 13;
const RUNS: u32 = 6;

fn main() {
    measure("rolling lists", rolling);
    measure("a table", table);
}

fn measure(name: &str, page: impl Fn(u32, u32) -> PageData) {
    println!("{name}:");
    let runs: Vec<Vec<PageData>> = (0..RUNS)
        .map(|run| (0..EVENTS).map(|event| page(run, event)).collect())
        .collect();

    let begun = Instant::now();
    let mut learner = Learner::default();
    let mut given_up = Vec::new();
    for run in &runs {
        let shown = (0..).zip(run).map(|(number, page)| {
            (
                Place {
                    number,
                    load: 1,
                    event: number,
                },
                "event",
                page,
            )
        });
        given_up.push(learner.run(shown).given_up);
    }
    let model = learner.model();
    say("default", begun.elapsed(), model.events[0].page.measure().nodes);
    println!("constraints given up by each run: {given_up:?}");

    let begun = Instant::now();
    let trees: Vec<Vec<Tree>> = runs.iter().map(|run| run.iter().map(Tree::of).collect()).collect();
    let mut held = 0;
    for event in 0..EVENTS as usize {
        let mut invariant = Invariant::first(&trees[0][event]);
        for run in &trees[1..] {
            invariant.prune(&run[event], 0.95);
        }
        held = invariant.measure().nodes;
    }
    say("as published", begun.elapsed(), held);
}

fn say(algorithm: &str, took: Duration, held: u64) {
    println!(
        "{algorithm:>14}: {:6.0} ms for {RUNS} runs of {EVENTS} events, {held} of {NODES} nodes held",
        took.as_secs_f64() * 1e3
    );
}

/// Articles of five nodes each; of every twenty one is new with every run, and all have a time.
fn rolling(run: u32, event: u32) -> PageData {
    let mut page = Outline::default();
    let mut add = |parent, index, tag, attributes, text| page.add(parent, index, tag, attributes, text);
    let body = add(0, 0, "body", vec![], String::new());
    let sections = NODES / 101;
    for section in 0..sections {
        let list = add(
            body,
            section,
            "section",
            vec![("id", format!("s{section}"))],
            String::new(),
        );
        for entry in 0..20 {
            let number = section * 100 + entry + 20 - run;
            let article = add(list, entry, "article", vec![("class", "entry".into())], String::new());
            let link = add(
                article,
                0,
                "a",
                vec![("href", format!("/news/{number}"))],
                String::new(),
            );
            add(link, 0, "#text", vec![], format!("Headline {}", word(number)));
            let time = add(article, 1, "time", vec![], String::new());
            add(
                time,
                0,
                "#text",
                vec![],
                format!("{} minutes ago, event {event}", number + run),
            );
        }
    }
    page.page()
}

/// Rows of seven nodes; after each event there is one more.
fn table(run: u32, event: u32) -> PageData {
    let mut page = Outline::default();
    let table = page.add(0, 0, "table", vec![], String::new());
    for row in 0..NODES / 7 + event {
        let cells = page.add(table, row, "tr", vec![], String::new());
        let sold = (row * 7919 + run * 104_729) % 100;
        let texts = [format!("Number {row}"), "in stock".to_owned(), format!("{sold} sold")];
        for (place, text) in (0..).zip(texts) {
            let cell = page.add(cells, place, "td", vec![], String::new());
            page.add(cell, 0, "#text", vec![], text);
        }
    }
    page.page()
}

#[derive(Default)]
struct Outline {
    nodes: Vec<Node>,
}

impl Outline {
    fn add(&mut self, parent: u32, index: u32, tag: &str, attributes: Vec<(&str, String)>, text: String) -> u32 {
        let id = self.nodes.len() as u32 + 1;
        let attributes = attributes.into_iter().map(|(name, value)| (name.to_owned(), value));
        self.nodes.push(Node {
            id,
            parent,
            index,
            tag: tag.into(),
            attributes: attributes.collect(),
            text,
            visible: true,
            ..Node::default()
        });
        id
    }

    fn page(self) -> PageData {
        PageData {
            documents: vec![DocumentData {
                load: 1,
                whole: true,
                nodes: self.nodes,
                ..DocumentData::default()
            }],
        }
    }
}

fn word(number: u32) -> String {
    (0..5)
        .map(|place| char::from(b'a' + ((number * 7919) >> (place * 3)) as u8 % 26))
        .collect()
}
