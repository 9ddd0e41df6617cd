//! A local object in a few lines: what an event registered, asked for and was given.

use xcheck_trace::Trace;
use xcheck_trace::event::{Event, Request};

const MOST: usize = 6;

/// One line for each list that is not empty.
pub(super) fn lines(trace: &Trace, event: &Event, full: bool) -> Vec<String> {
    let local = &event.local;
    let callback = |hash: &String| match trace.source(event.load, hash) {
        Some(text) => one_line(text, if full { usize::MAX } else { 60 }),
        None => hash.clone(),
    };
    let request = |request: &Request| format!("{} {}", request.method, request.url);
    let lists = [
        list("timer", full, &local.timer, |timer| {
            let repeat = if timer.repeat { "every " } else { "" };
            format!("{repeat}{} ms {}", timer.delay, callback(&timer.callback))
        }),
        list("frame", full, &local.frame, callback),
        list("idle", full, &local.idle, callback),
        list("xhr", full, &local.xhr, request),
        list("fetch", full, &local.fetch, request),
        list("promise", full, &local.promise, String::clone),
        list("host", full, &local.host, String::clone),
        list("message", full, &local.message, String::clone),
        list("ran", full, &local.ran, u64::to_string),
        list("task", full, &local.task, String::clone),
        list("random", full, &local.random, f64::to_string),
        list("bytes", full, &local.bytes, |bytes| {
            one_line(bytes, if full { usize::MAX } else { 40 })
        }),
        list("date", full, &local.date, i64::to_string),
        list("now", full, &local.now, i64::to_string),
        list("answer", full, &local.answer, |(api, answer)| {
            format!("{api} = {answer}")
        }),
    ];
    lists.into_iter().flatten().collect()
}

fn list<T>(name: &str, full: bool, values: &[T], show: impl Fn(&T) -> String) -> Option<String> {
    if values.is_empty() {
        return None;
    }
    let most = if full { values.len() } else { MOST };
    let shown: Vec<String> = values.iter().take(most).map(show).collect();
    let more = match values.len().saturating_sub(most) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    Some(format!("{name}: {}{more}", shown.join(", ")))
}

/// White space collapsed, cut after `most` characters.
pub(super) fn one_line(text: &str, most: usize) -> String {
    let text: Vec<&str> = text.split_whitespace().collect();
    let text = text.join(" ");
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
