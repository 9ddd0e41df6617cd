use crate::testing::{deviations, learnt, page, tree};
use crate::{Learner, Volatile};
use xcheck_trace::run::Place;

fn shop(count: &str, news: &[&str]) -> String {
    let entries: String = news
        .iter()
        .map(|title| {
            format!(
                "    li.entry\n      a [href=/news/{}]\n        \"{title}\"\n",
                title.len()
            )
        })
        .collect();
    format!("body\n  h1\n    \"Shop\"\n  span#cart\n    \"{count}\"\n  ul\n{entries}  footer\n    \"Imprint\"\n")
}

#[track_caller]
fn check(runs: &[String], fresh: &str, expected: &[&str]) {
    assert_eq!(deviations(&learnt(runs), fresh), expected);
}

#[test]
fn a_page_that_never_changes_may_not_change() {
    let runs = vec![shop("3 items", &["Bread", "Butter"]); 3];
    check(&runs, &shop("3 items", &["Bread", "Butter"]), &[]);
    check(
        &runs,
        &shop("3 items", &["Bread", "Jam"]),
        &["a @href: /news/6 -> /news/3", "#text text: Butter -> Jam"],
    );
}

#[test]
fn a_number_that_varies_may_be_any_number() {
    let runs = ["3 items", "4 items", "12 items"].map(|count| shop(count, &["Bread"]));
    check(&runs, &shop("7 items", &["Bread"]), &[]);
    check(
        &runs,
        &shop("", &["Bread"]),
        &["#text text: something like 0 items -> "],
    );
}

#[test]
fn a_list_that_rolls_is_held_by_what_its_entries_are() {
    let runs = [
        shop("0", &["Alpha one", "Beta two", "Gamma three"]),
        shop("0", &["Delta", "Alpha one", "Beta two", "Gamma three", "Nu"]),
        shop("0", &["Epsilon", "Delta", "Alpha one"]),
        shop("0", &["Zeta", "Epsilon", "Delta", "Eta"]),
    ];
    check(&runs, &shop("0", &["Theta", "Iota", "Kappa"]), &[]);
    check(&runs, &shop("0", &[]), &["li.entry count: 1 to 7 -> 0"]);
    let broken = shop("0", &["Theta", "Iota", "Kappa"]).replacen("      a [href=/news/5]\n        \"Theta\"\n", "", 1);
    check(&runs, &broken, &["a missing: a -> "]);
}

/// No two runs that follow each other tell: the second has all of the first, and the third lacks one of it for another.
#[test]
fn a_list_of_which_some_are_shown_at_random_is_held_by_what_its_entries_are() {
    let all = [
        "Bread",
        "Milk is",
        "Tea",
        "Salt and",
        "Rice or",
        "Figs",
        "Soup with",
        "Cake",
    ];
    let shown = |which: &[usize]| shop("0", &which.iter().map(|&one| all[one]).collect::<Vec<_>>());
    let runs = [
        shown(&[0, 1, 2, 3, 4]),
        shown(&[0, 1, 2, 3, 4, 5, 6]),
        shown(&[0, 1, 2, 3, 5]),
    ];
    check(&runs, &shown(&[1, 3, 4, 5, 7]), &[]);
    check(&runs, &shown(&[]), &["li.entry count: 3 to 9 -> 0"]);
}

#[test]
fn labels_of_an_axis_are_a_list_though_they_differ_in_numbers_only() {
    let axis = |most: u32, by: usize| -> String {
        let labels: String = (0..=most)
            .step_by(by)
            .map(|label| format!("    text.tick [x={}]\n      \"{label}\"\n", f64::from(label) / 8.0))
            .collect();
        format!("body\n  g\n{labels}")
    };
    let runs = [axis(100, 10), axis(100, 10), axis(90, 10), axis(100, 10)];
    check(&runs, &axis(75, 5), &["text.tick count: 7 to 14 -> 16"]);
    check(&runs, &axis(110, 10), &[]);
    check(&runs, &axis(60, 5), &[]);
}

#[test]
fn one_notice_more_does_not_make_a_list_of_its_neighbours() {
    let plain = "body\n  p\n    \"One\"\n  p\n    \"Two\"\n".to_owned();
    let noticed = "body\n  p\n    \"One\"\n  p\n    \"Sale today\"\n  p\n    \"Two\"\n".to_owned();
    let runs = [plain.clone(), noticed.clone(), plain.clone()];
    check(&runs, &noticed, &[]);
    check(
        &runs,
        "body\n  p\n    \"One\"\n  p\n    \"Sale today\"\n",
        &["p missing: p \"Two\" -> "],
    );
}

#[test]
fn what_came_in_several_orders_may_come_in_any() {
    let page = |order: [&str; 3]| -> String {
        let widgets: String = order
            .iter()
            .map(|id| format!("  div#{id}\n    \"{id} panel\"\n"))
            .collect();
        format!("body\n{widgets}")
    };
    let runs = [page(["a", "b", "c"]), page(["c", "a", "b"])];
    check(&runs, &page(["b", "c", "a"]), &[]);
    let steady = vec![page(["a", "b", "c"]); 2];
    check(
        &steady,
        &page(["b", "a", "c"]),
        &["body order: div, div, div -> div, div, div"],
    );
}

#[test]
fn an_attribute_that_nothing_ever_had_is_a_deviation() {
    let runs = vec!["body\n  button\n    \"Buy\"\n".to_owned(); 2];
    check(
        &runs,
        "body\n  button [disabled=]\n    \"Buy\"\n",
        &["button @disabled: (none) -> "],
    );
}

#[test]
fn learning_ends_when_runs_teach_nothing() {
    let place = Place {
        number: 1,
        load: 1,
        event: 1,
    };
    let mut learner = Learner::default();
    let mut teach = |text: &str| learner.run([(place, "load", &page(&shop(text, &["Bread"])))]).given_up;
    assert_eq!(teach("1 item"), 0);
    assert!(teach("2 item") > 0);
    assert_eq!(teach("3 item"), 0);
    assert_eq!(teach("9 item"), 0);
    assert!(learner.has_converged());
}

#[test]
fn what_varied_is_named_and_nothing_else() {
    let runs = ["3 items", "4 items"].map(|count| shop(count, &["Bread"]));
    let found = learnt(&runs).volatile(&tree(&runs[1]));
    assert_eq!(
        found,
        [Volatile {
            load: 1,
            node: 5,
            fields: vec!["text".into()]
        }]
    );
}

#[test]
fn a_model_is_the_same_after_it_was_stored() {
    let runs = ["3 items", "4 items"].map(|count| shop(count, &["Bread"]));
    let mut learnt = learnt(&runs);
    let text = serde_json::to_string(&learnt).expect("a template can be written");
    let read: crate::Template = serde_json::from_str(&text).expect("and read");
    forget(&mut learnt);
    assert_eq!(read, learnt);
}

fn forget(template: &mut crate::Template) {
    template.node = 0;
    template.children.iter_mut().for_each(forget);
}
