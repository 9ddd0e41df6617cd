//! Whatever the pages are, learning keeps what it has seen.

use crate::testing::{learnt, tree};
use proptest::prelude::*;

/// An outline of a few levels, with few enough names that runs have something in common.
fn outline() -> impl Strategy<Value = String> {
    let line = (0usize..4, 0usize..4, 0usize..3, 0u32..4);
    proptest::collection::vec(line, 1..14).prop_map(|lines| {
        let mut text = String::from("body\n");
        let mut deepest = 0;
        for (level, tag, class, word) in lines {
            let level = level.min(deepest);
            deepest = level + 1;
            let indent = "  ".repeat(level + 1);
            let tag = ["div", "li", "p", "span"][tag];
            let class = ["", ".a", ".b"][class];
            text.push_str(&format!("{indent}{tag}{class}\n{indent}  \"word {word} {class}\"\n"));
        }
        text
    })
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
}
