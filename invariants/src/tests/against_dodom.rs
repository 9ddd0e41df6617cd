//! The published algorithm as the paper tells it, and what the default keeps beyond it.

use crate::dodom::{Invariant, Why};
use crate::testing::{deviations, learnt, node_count, tree};

const THRESHOLD: f64 = 0.95;

fn pruned(runs: &[String]) -> Invariant {
    let mut invariant = Invariant::first(&tree(&runs[0]));
    for run in &runs[1..] {
        invariant.prune(&tree(run), THRESHOLD);
    }
    invariant
}

fn news(titles: &[&str]) -> String {
    let entries: String = titles
        .iter()
        .map(|title| {
            let number = title.bytes().map(u32::from).sum::<u32>();
            let link = format!("      a [href=/news/{number}]\n        \"{title}\"\n");
            let when = format!("      time [datetime=2026-08-{number}]\n        \"{number} minutes ago\"\n");
            format!("    li.entry [data-id={number}]\n{link}{when}      button\n        \"Read\"\n")
        })
        .collect();
    format!("body\n  h1\n    \"News\"\n  ul\n{entries}  p\n    \"End\"\n")
}

#[test]
fn a_node_whose_contents_differ_becomes_a_dummy_and_keeps_its_children() {
    let runs = [
        "body\n  div [x=1]\n    p\n      \"a\"\n",
        "body\n  div [x=2]\n    p\n      \"a\"\n",
    ]
    .map(String::from);
    let invariant = pruned(&runs);
    let div = &invariant.children[0].children[0].children[0];
    assert!(div.dummy && !div.children[0].dummy);
    assert_eq!(
        invariant.mismatches(&tree("body\n  div [x=3]\n    p\n      \"a\"\n"), THRESHOLD),
        []
    );
}

#[test]
fn more_children_than_the_other_run_cost_the_parent() {
    let runs = [news(&["a", "b"]), news(&["a"])];
    let list = &pruned(&runs).children[0].children[0].children[1];
    assert!(list.dummy);
}

#[test]
fn a_missing_node_is_a_mismatch_at_its_place() {
    let runs = [news(&["a", "b"]), news(&["a", "b"])];
    let found = pruned(&runs).mismatches(&tree(&news(&["a"])), THRESHOLD);
    assert_eq!(found[0].why, Why::FewerChildren);
    assert_eq!(found[0].path, "#page > #document[0] > body[0] > ul[1]");
}

#[test]
fn a_low_threshold_keeps_nodes_whose_contents_vary() {
    let runs = [news(&["a"]), news(&["b"])];
    let mut loose = Invariant::first(&tree(&runs[0]));
    loose.prune(&tree(&runs[1]), 0.05);
    assert_eq!(loose.measure().nodes, node_count(&tree(&runs[0])) + 1);
}

/// The bar is a fifth more of the page under check where lists change, with no more false alarms.
#[test]
fn where_lists_change_the_default_holds_at_least_a_fifth_more() {
    let all: Vec<String> = [
        "u v w x",
        "t u v w",
        "s t u v w",
        "r s t u",
        "q r s t u",
        "p q r s",
        "o p q r",
        "n o p q r",
    ]
    .iter()
    .map(|titles| news(&titles.split(' ').collect::<Vec<_>>()))
    .collect();
    let (training, fresh) = all.split_at(6);
    let (published, ours) = (pruned(training), learnt(training));
    let published_wrong = fresh
        .iter()
        .filter(|run| !published.mismatches(&tree(run), THRESHOLD).is_empty())
        .count();
    let our_wrong = fresh.iter().filter(|run| !deviations(&ours, run).is_empty()).count();
    assert!(our_wrong <= published_wrong, "{our_wrong} against {published_wrong}");
    let (published, ours) = (published.measure().nodes, ours.measure().nodes);
    assert!(ours * 5 >= published * 6, "{ours} against {published}");
}
