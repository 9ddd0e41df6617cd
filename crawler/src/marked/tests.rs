use super::*;
use crate::compare::tests::model;
use crate::replayed::departures;
use crate::replayed::departures::tests::replays;

/// Edges of which something is said: from, label, to, not in, only in.
fn said(marked: &Marked) -> Vec<(usize, String, usize, String, String)> {
    let edges = marked.model.edges.iter().zip(&marked.edges);
    let of_interest = edges.filter(|(_, marks)| **marks != Marks::default());
    of_interest
        .map(|(edge, marks)| {
            (
                edge.from,
                edge.label.locator.clone() + &edge.label.text,
                edge.to.unwrap(),
                marks.missing_in.join(" "),
                marks.only_in.join(" "),
            )
        })
        .collect()
}

fn edge(
    from: usize,
    label: &str,
    to: usize,
    missing_in: &str,
    only_in: &str,
) -> (usize, String, usize, String, String) {
    (from, label.into(), to, missing_in.into(), only_in.into())
}

#[test]
fn transitions_and_states_that_replays_lack_have_the_names_of_the_browsers() {
    let reference = replays(&[1, 2, 3], &[&[(0, "#menu", 1), (1, "#back", 0), (0, "#far", 2)]]);
    let dead = replays(&[1, 3], &[&[(0, "#menu", 0), (0, "#back", 0), (0, "#far", 1)]]);
    let dead_too = replays(&[1, 3], &[&[(0, "#menu", 0), (0, "#back", 0), (0, "#far", 1)]]);
    let (one, two) = (departures(&reference, &dead), departures(&reference, &dead_too));
    let others = [
        ("firefox", &dead, one.as_slice()),
        ("webkit", &dead_too, two.as_slice()),
    ];
    let marked = Marked::of_replays(reference.model("chromium", &[]), &reference, others);
    assert_eq!(said(&marked), [edge(0, "#menu", 1, "firefox webkit", "")]);
    assert_eq!(marked.states[1].missing_in, ["firefox", "webkit"]);
    assert_eq!(marked.states[2], Marks::default());
}

#[test]
fn what_only_another_browser_has_is_added_with_its_name() {
    let reference = replays(&[1, 2], &[&[(0, "#off", 0), (0, "#next", 1)]]);
    let mut other = replays(&[1, 9, 2], &[&[(0, "#off", 1), (1, "#next", 2)]]);
    other.places[1].content = (1..12).collect();
    let found = departures(&reference, &other);
    let marked = Marked::of_replays(
        reference.model("chromium", &[]),
        &reference,
        [("firefox", &other, found.as_slice())],
    );
    assert_eq!(
        said(&marked),
        [edge(0, "#off", 2, "", "firefox"), edge(2, "#next", 1, "", "firefox")]
    );
    assert_eq!((marked.model.states.len(), marked.model.states[2].depth), (3, 1));
    assert_eq!(marked.states[2].only_in, ["firefox"]);
}

#[test]
fn crawls_are_marked_by_whatever_numbers_their_states_have() {
    let reference = model(&[1, 2, 3], &[(0, "a", 1), (1, "b", 2), (0, "dead", 0)]);
    let other = model(&[1, 7, 2], &[(0, "a", 2), (2, "b", 2), (0, "dead", 1), (1, "on", 0)]);
    let marked = Marked::of_crawls(&reference, [("firefox", &other)]);
    assert_eq!(
        said(&marked),
        [
            edge(1, "b", 2, "firefox", ""),
            edge(0, "dead", 3, "", "firefox"),
            edge(3, "on", 0, "", "firefox"),
        ]
    );
    assert_eq!(marked.states[2].missing_in, ["firefox"]);
    assert_eq!(marked.states[3].only_in, ["firefox"]);
    assert_eq!(marked.model.states[3].content, [7; 4]);
}

#[test]
fn models_that_are_the_same_have_no_marks() {
    let one = model(&[1, 2], &[(0, "a", 1), (1, "home", 0)]);
    assert!(!Marked::of_crawls(&one, [("firefox", &one)]).is_marked());
}
