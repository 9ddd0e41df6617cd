//! The pages. Plain markup that every browser shows as it is; pictures are in it.

use super::chart::chart;
use super::{Checked, Deviation, Learnt};
use crate::counted;
use crate::html::{data_address, escape};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const STYLE: &str = include_str!("../../assets/invariants.css");

/// Deviations of one event that are written out; the number of the others is said.
const MOST: usize = 40;

pub(super) fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">\
         <meta http-equiv=content-security-policy content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\
         <title>{title}</title><style>{STYLE}</style><main>{body}</main></html>\n",
        title = escape(title)
    )
}

pub(super) fn picture(png: &[u8], caption: &str) -> String {
    format!(
        "<figure><figcaption>{caption}</figcaption><img loading=lazy alt=\"{caption}\" src=\"{}\"></figure>",
        data_address(png),
        caption = escape(caption)
    )
}

pub fn learnt_page(learnt: &Learnt) -> String {
    let mut body = format!(
        "<h1>Invariants of {}</h1><p>Played in {} against {}, learnt by the {} algorithm. ",
        escape(&learnt.trace),
        escape(&learnt.browser),
        escape(&learnt.against),
        escape(&learnt.algorithm)
    );
    body += &match learnt.converged_after {
        Some(runs) => format!("<b class=good>Converged after {runs} runs.</b></p>"),
        None => "<b class=warning>Not converged: the last runs still taught something.</b></p>".to_owned(),
    };
    body += "<h2>What is held, event by event</h2><p>One line for each number of runs; the dark one is the last.</p><div class=row>";
    let titles = [
        "Nodes",
        "Children of a node",
        "Levels below a node",
        "Nodes below a node",
    ];
    for (index, title) in titles.iter().enumerate() {
        let lines: Vec<(String, BTreeMap<u32, f64>)> = (1..)
            .zip(&learnt.curve)
            .map(|(runs, held)| {
                (
                    counted(runs, "run"),
                    held.iter().map(|(event, measures)| (*event, measures[index])).collect(),
                )
            })
            .collect();
        body += &chart(title, &lines);
    }
    body += "</div><h2>Events</h2><table><tr><th>Event<th>What happened<th>Nodes<th>Held<th>Share";
    let nodes = |held: Option<&BTreeMap<u32, [f64; 4]>>, event: &u32| {
        held.and_then(|held| held.get(event)).map_or(0.0, |all| all[0])
    };
    for (event, label) in &learnt.events {
        let (first, last) = (nodes(learnt.curve.first(), event), nodes(learnt.curve.last(), event));
        // Writing to a string cannot fail.
        let _ = write!(
            body,
            "<tr><td>{event}<td>{}<td>{first:.0}<td>{last:.0}<td>{:.1} %",
            escape(label),
            last * 100.0 / first.max(1.0)
        );
    }
    body += "</table><h2>Runs</h2><table><tr><th>Run<th>Took<th>";
    for (number, (took, left_out)) in (1..).zip(&learnt.runs) {
        let said = left_out.as_ref().map_or("learnt from".to_owned(), |why| {
            format!("<span class=warning>left out: {}</span>", escape(why))
        });
        let _ = write!(body, "<tr><td>{number}<td>{:.1} s<td>{said}", *took as f64 / 1e3);
    }
    body += "</table><h2>The session</h2><div class=row>";
    for (event, label) in &learnt.events {
        if let Some(png) = learnt.pictures.get(event) {
            body += &picture(png, &format!("{event}: {label}"));
        }
    }
    body += "</div>";
    page(&format!("Invariants of {}", learnt.trace), &body)
}

pub fn checked_page(checked: &Checked) -> String {
    let mut body = format!(
        "<h1>{} against its invariants</h1><p>Played in {} against {}. Learnt: {}.</p>",
        escape(&checked.trace),
        escape(&checked.browser),
        escape(&checked.against),
        escape(&checked.model)
    );
    body += &match checked.count() {
        0 => format!(
            "<p><b class=good>As learnt, after each of {} events.</b></p>",
            checked.events.len()
        ),
        count => format!("<p><b class=bad>{count} deviations.</b></p>"),
    };
    if let Some(once) = checked.seen_once() {
        let _ = write!(body, "<p class=warning>And {once}.</p>");
    }
    for note in &checked.notes {
        let _ = write!(body, "<p class=note>{}</p>", escape(note));
    }
    if let Some(diverged) = &checked.diverged_once {
        let _ = write!(
            body,
            "<p class=warning>In one of two runs the session could not go on at event {} ({}): {}.</p>",
            diverged.event,
            escape(&diverged.label),
            escape(&diverged.why)
        );
    }
    if let Some(diverged) = &checked.diverged {
        let _ = write!(
            body,
            "<p class=bad>The session cannot go on at event {} ({}): {}.</p>",
            diverged.event,
            escape(&diverged.label),
            escape(&diverged.why)
        );
    }
    for event in &checked.events {
        let _ = write!(body, "<h2>{} {}</h2>", event.event, escape(&event.label));
        if !event.known {
            body += "<p class=warning>Nothing was learnt of this event.</p>";
        } else if event.deviations.is_empty() {
            let still = match event.still {
                0 => String::new(),
                still => format!(" beyond {still} deviations from before"),
            };
            let _ = write!(body, "<p class=good>As learnt{still}.</p>");
        } else {
            body += &deviations(&event.deviations);
        }
        if !event.once.is_empty() {
            body += "<p class=warning>In one of two runs only:</p>";
            body += &deviations(&event.once);
        }
        for note in &event.notes {
            let _ = write!(body, "<p class=note>{}</p>", escape(note));
        }
        if let Some(png) = &event.picture {
            body += &picture(png, "what it shows");
        }
    }
    page(&format!("{} against its invariants", checked.trace), &body)
}

pub(super) fn deviations(all: &[Deviation]) -> String {
    let mut table = "<table><tr><th>What<th>Where<th>Learnt<th>Here".to_owned();
    for found in all.iter().take(MOST) {
        let _ = write!(
            table,
            "<tr><td>{}<td><code>{}</code><td>{}<td>{}",
            escape(&found.what),
            escape(&found.at),
            escape(&found.expected),
            escape(&found.actual)
        );
    }
    if all.len() > MOST {
        let _ = write!(table, "<tr><td colspan=4>and {} more", all.len() - MOST);
    }
    table + "</table>"
}
