//! Learning from six runs of a session of 13 events on a page of 5,000 nodes, in which a list rolls and a clock runs,
//! by both algorithms: `cargo bench -p xcheck-invariants`.

use std::time::{Duration, Instant};
use xcheck_invariants::dodom::Invariant;
use xcheck_invariants::{Learner, Tree};
use xcheck_trace::page::{DocumentData, Node, PageData};
use xcheck_trace::run::Place;

const NODES: u32 = 5_000;
const EVENTS: u32 = 13;
const RUNS: u32 = 6;

fn main() {
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
fn page(run: u32, event: u32) -> PageData {
    let mut nodes = vec![Node {
        id: 1,
        tag: "body".into(),
        visible: true,
        ..Node::default()
    }];
    let mut add = |parent: u32, index: u32, tag: &str, attributes: &[(&str, String)], text: String| -> u32 {
        let id = nodes.len() as u32 + 1;
        let attributes = attributes
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect();
        nodes.push(Node {
            id,
            parent,
            index,
            tag: tag.into(),
            attributes,
            text,
            visible: true,
            ..Node::default()
        });
        id
    };
    let sections = NODES / 101;
    for section in 0..sections {
        let list = add(1, section, "section", &[("id", format!("s{section}"))], String::new());
        for entry in 0..20 {
            let number = section * 100 + entry + 20 - run;
            let article = add(list, entry, "article", &[("class", "entry".into())], String::new());
            let link = add(article, 0, "a", &[("href", format!("/news/{number}"))], String::new());
            add(link, 0, "#text", &[], format!("Headline {}", word(number)));
            let time = add(article, 1, "time", &[], String::new());
            add(
                time,
                0,
                "#text",
                &[],
                format!("{} minutes ago, event {event}", number + run),
            );
        }
    }
    PageData {
        documents: vec![DocumentData {
            load: 1,
            whole: true,
            nodes,
            ..DocumentData::default()
        }],
    }
}

fn word(number: u32) -> String {
    (0..5)
        .map(|place| char::from(b'a' + ((number * 7919) >> (place * 3)) as u8 % 26))
        .collect()
}
