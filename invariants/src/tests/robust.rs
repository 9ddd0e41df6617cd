//! Whatever the pages are, learning keeps what it has seen.

use crate::Template;
use crate::testing::{learnt, tree};
use proptest::prelude::*;

/// Level, tag, class and word.
type Line = (usize, usize, usize, u32);

fn line() -> impl Strategy<Value = Line> {
    (0usize..4, 0usize..4, 0usize..3, 0u32..4)
}

/// A page of a few levels, with few enough names that runs have something in common.
fn outline() -> impl Strategy<Value = String> {
    proptest::collection::vec(line(), 1..14).prop_map(|lines| written(&lines))
}

/// Runs as they mostly are: one page, of which a line or two are others or not there.
fn alike() -> impl Strategy<Value = Vec<String>> {
    let changes = proptest::collection::vec((0usize..20, proptest::option::of(line())), 0..3);
    let runs = proptest::collection::vec(changes, 1..8);
    (proptest::collection::vec(line(), 1..20), runs).prop_map(|(lines, runs)| {
        let changed = runs.into_iter().map(|changes| {
            let mut lines: Vec<Option<Line>> = lines.iter().copied().map(Some).collect();
            for (place, change) in changes {
                let place = place % lines.len();
                lines[place] = change;
            }
            written(&lines.into_iter().flatten().collect::<Vec<_>>())
        });
        changed.collect()
    })
}

fn written(lines: &[Line]) -> String {
    let mut text = String::from("body\n");
    let mut deepest = 0;
    for &(level, tag, class, word) in lines {
        let level = level.min(deepest);
        deepest = level + 1;
        let indent = "  ".repeat(level + 1);
        let tag = ["div", "li", "p", "span"][tag];
        let class = ["", ".a", ".b"][class];
        text.push_str(&format!("{indent}{tag}{class}\n{indent}  \"word {word} {class}\"\n"));
    }
    text
}

proptest! {
    #[test]
    fn no_run_that_was_learnt_from_deviates(runs in proptest::collection::vec(outline(), 1..6)) {
        let learnt = learnt(&runs);
        for run in &runs {
            let found = learnt.deviations(&tree(run));
            prop_assert!(found.is_empty(), "{found:#?}\n{run}\nlearnt: {learnt:#?}");
        }
    }

    #[test]
    fn learning_twice_the_same_gives_the_same(runs in proptest::collection::vec(outline(), 1..5)) {
        prop_assert_eq!(learnt(&runs), learnt(&runs));
    }

    #[test]
    fn a_page_taken_in_teaches_what_its_template_would(runs in prop_oneof![alike(), proptest::collection::vec(outline(), 1..6)]) {
        let mut taken = Template::of(&tree(&runs[0]));
        let mut merged = taken.clone();
        for run in &runs[1..] {
            let tree = tree(run);
            prop_assert_eq!(taken.take_in(&tree), merged.merge(Template::of(&tree)), "{}", run);
            prop_assert_eq!(&taken, &merged);
        }
    }
}
