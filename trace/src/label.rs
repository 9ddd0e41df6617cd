//! What a person would call an event.

use crate::event::{DomEvent, Event, Outcome, PromiseList, Registered, Request, Target, What};
use crate::trace::Trace;

const LONGEST_URL: usize = 100;

/// Of a callback without a name.
const LONGEST_TEXT: usize = 60;

pub(crate) fn label(trace: &Trace, event: &Event) -> String {
    let Some(what) = &event.what else {
        return "nothing".into();
    };
    let by = |of: &Registered| trace.event(event.load, of.0).map(|by| &by.local);
    let index = |of: &Registered| of.1 as usize;
    let named = |hash: &String| {
        let name = trace.source(event.load, hash).and_then(name_of);
        name.map_or_else(String::new, |name| format!(" {name}"))
    };
    let callback = |hash: Option<&String>| hash.map_or_else(String::new, named);
    match what {
        What::Script { key, .. } => match key.strip_prefix('#') {
            Some(number) => format!("inline script {number}"),
            None => format!("script {}", short(key)),
        },
        What::Dom(dom) => dom_label(dom),
        What::Timer { of } => match by(of).and_then(|local| local.timer.get(index(of))) {
            Some(timer) => {
                let kind = if timer.repeat { "interval" } else { "timer" };
                let name = named(&timer.callback);
                format!("{kind}{name} ({} ms)", timer.delay)
            }
            None => "timer".into(),
        },
        What::Frame { of, .. } => {
            let hash = by(of).and_then(|local| local.frame.get(index(of)));
            format!("animation frame{}", callback(hash))
        }
        What::Idle { of, .. } => {
            let hash = by(of).and_then(|local| local.idle.get(index(of)));
            format!("idle callback{}", callback(hash))
        }
        What::Xhr { of, event, .. } => {
            let request = by(of).and_then(|local| local.xhr.get(index(of)));
            format!(
                "{event} of {}",
                request.map_or_else(|| "a request".into(), request_label)
            )
        }
        What::Settle { list, of, outcome, .. } => {
            let what = match list {
                PromiseList::Fetch => by(of)
                    .and_then(|local| local.fetch.get(index(of)))
                    .map(|request| format!("fetch {}", request_label(request))),
                PromiseList::Promise => by(of).and_then(|local| local.promise.get(index(of))).cloned(),
            };
            let what = what.unwrap_or_else(|| "a promise".into());
            match outcome {
                Outcome::Fulfilled => format!("{what} fulfilled"),
                Outcome::Rejected => format!("{what} rejected"),
            }
        }
        What::Host { of, event, .. } => match by(of).and_then(|local| local.host.get(index(of))) {
            Some(host) => format!("{event} of {host}"),
            None => event.clone(),
        },
        What::Worker { .. } => "worker".into(),
        What::Error(error) => format!("{}: {}", error.via, error.message.lines().next().unwrap_or_default()),
    }
}

fn dom_label(dom: &DomEvent) -> String {
    let key = dom.data.get("key").and_then(|key| key.as_str());
    let target = target_label(&dom.target);
    match key {
        Some(key) => format!("{} {key:?} on {target}", dom.name),
        None => format!("{} on {target}", dom.name),
    }
}

/// The shortest locator that a person would recognise.
fn target_label(target: &Target) -> String {
    if let Some(object @ ("window" | "document")) = target.object.as_deref() {
        return object.to_owned();
    }
    if let Some(id) = &target.id {
        return format!("#{id}");
    }
    if let Some(test_id) = &target.test_id {
        return test_id.clone();
    }
    match (&target.role, &target.name, &target.path) {
        (Some(role), Some(name), _) => format!("{role} {name:?}"),
        (_, _, Some(path)) => path.clone(),
        (Some(role), None, None) => role.clone(),
        _ => "something".into(),
    }
}

fn request_label(request: &Request) -> String {
    format!("{} {}", request.method, short(&request.url))
}

/// What a person knows a callback by: its name, or else how its text begins.
pub(crate) fn callback_label(text: &str) -> String {
    if let Some(name) = name_of(text) {
        return name.to_owned();
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("`{}`", cut(&words.join(" "), LONGEST_TEXT))
}

/// `remind` for `function remind() {…}`; nothing for callbacks without a name.
fn name_of(text: &str) -> Option<&str> {
    let text = text.trim_start().trim_start_matches("async ").trim_start();
    let text = text
        .strip_prefix("function")
        .map_or(text, |rest| rest.trim_start_matches('*').trim_start());
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    // A method is `name(…) {`, an arrow function `name => …` or `(…) => …` has no name.
    let named = !name.is_empty() && rest.starts_with('(') && !name.starts_with(|c: char| c.is_ascii_digit());
    named.then_some(name)
}

fn short(url: &str) -> String {
    cut(url, LONGEST_URL)
}

fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
