//! JUnit XML of a check: one test case for each event.

use super::Checked;
use crate::junit::escape;
use std::fmt::Write as _;

pub fn checked_junit(checked: &Checked) -> String {
    let mut cases = String::new();
    let mut failures = 0;
    for event in &checked.events {
        let mut said = String::new();
        for found in &event.deviations {
            // Writing to a string cannot fail.
            let _ = writeln!(
                said,
                "{} {}\n  learnt: {}\n  here: {}",
                found.what, found.at, found.expected, found.actual
            );
        }
        let once: String = event
            .once
            .iter()
            .map(|found| format!("{} {}\n", found.what, found.at))
            .collect();
        let once = match once.as_str() {
            "" => String::new(),
            once => format!("<system-out>in one of two runs only:\n{}</system-out>", escape(once)),
        };
        let inner = if said.is_empty() {
            once
        } else {
            failures += 1;
            let first = format!("{} {}", event.deviations[0].what, event.deviations[0].at);
            format!(
                "<failure type=\"invariant\" message=\"{}\">{}</failure>{once}",
                escape(&first),
                escape(&said)
            )
        };
        cases += &case(&format!("{} {}", event.event, event.label), &inner);
    }
    if let Some(diverged) = &checked.diverged {
        failures += 1;
        let inner = format!("<failure type=\"divergence\" message=\"{}\"/>", escape(&diverged.why));
        cases += &case(&format!("{} {}", diverged.event, diverged.label), &inner);
    }
    let tests = checked.events.len() + usize::from(checked.diverged.is_some());
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"xcheck invariants\">\n  <testsuite name=\"{}\" \
         tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">\n{cases}  </testsuite>\n</testsuites>\n",
        escape(&checked.browser)
    )
}

fn case(name: &str, inner: &str) -> String {
    format!(
        "    <testcase classname=\"invariants\" name=\"{}\">{inner}</testcase>\n",
        escape(name)
    )
}
