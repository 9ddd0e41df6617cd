//! What a small page says of itself that its recording must hold, in a comment at its end.
//!
//! ```html
//! <!-- expected
//! inline script 0 {timer 2}
//! timer first (3 ms) {random 1}
//! not timer never (1 ms)
//! -->
//! ```
//! One line for each event: its label, and the lists of its local object with their lengths. Events come in this order;
//! others may stand between them, because engines derive different ones. `not` names an event that must not be there.
//! `*` in a label stands for anything.

use anyhow::{Context, Result, bail};
use std::path::Path;
use xcheck_trace::Trace;
use xcheck_trace::event::{Event, LoadId, Local};

/// Holds the events of one document against what its file expects.
pub fn must_hold(trace: &Trace, load: LoadId, file: &Path) -> Result<()> {
    let lines = lines(file)?;
    let events: Vec<String> = trace
        .events_of(load)
        .iter()
        .map(|event| described(trace, event))
        .collect();
    let mut rest = events.iter();
    for line in &lines {
        let found = match line.strip_prefix("not ") {
            Some(unwanted) => !events.iter().any(|event| is(label_of(event), label_of(unwanted))),
            None => rest.any(|event| is(event, line)),
        };
        if !found {
            bail!(
                "`{line}` of {} does not hold for load {load}:\n  {}",
                file.display(),
                events.join("\n  ")
            );
        }
    }
    Ok(())
}

/// What a page's file expects, line by line.
pub fn lines(file: &Path) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(file)?;
    let (_, comment) = text.split_once("<!-- expected\n").context("the page expects nothing")?;
    let (lines, _) = comment.split_once("-->").context("the comment has an end")?;
    Ok(lines.lines().map(str::to_owned).collect())
}

/// As [`is`]; a pattern without lists is about the label alone.
pub fn is_or_begins(event: &str, pattern: &str) -> bool {
    let event = if pattern.contains(" {") { event } else { label_of(event) };
    is(event, pattern)
}

pub fn described(trace: &Trace, event: &Event) -> String {
    let lists = lists_of(&event.local);
    let label = trace.label(event);
    if lists.is_empty() {
        label
    } else {
        format!("{label} {{{}}}", lists.join(", "))
    }
}

fn lists_of(local: &Local) -> Vec<String> {
    let lengths = [
        ("timer", local.timer.len()),
        ("frame", local.frame.len()),
        ("idle", local.idle.len()),
        ("xhr", local.xhr.len()),
        ("fetch", local.fetch.len()),
        ("promise", local.promise.len()),
        ("host", local.host.len()),
        ("message", local.message.len()),
        ("ran", local.ran.len()),
        ("random", local.random.len()),
        ("bytes", local.bytes.len()),
        ("date", local.date.len()),
        ("now", local.now.len()),
    ];
    let some = lengths.iter().filter(|(_, length)| *length > 0);
    some.map(|(name, length)| format!("{name} {length}")).collect()
}

fn label_of(line: &str) -> &str {
    line.split_once(" {").map_or(line, |(label, _)| label)
}

/// `*` in a pattern stands for anything.
pub fn is(event: &str, pattern: &str) -> bool {
    let Some((before, after)) = pattern.split_once('*') else {
        return event == pattern;
    };
    event.strip_prefix(before).is_some_and(|rest| {
        (0..=rest.len())
            .filter(|at| rest.is_char_boundary(*at))
            .any(|at| is(&rest[at..], after))
    })
}

#[cfg(test)]
mod tests {
    use super::is;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(is("click on button {random 1}", "click on * {random 1}"));
        assert!(is("click", "click"));
        assert!(is("error: Uncaught x", "error: *x"));
        assert!(!is("click on button", "click on * {random 1}"));
        assert!(!is("click on", "click"));
    }
}
