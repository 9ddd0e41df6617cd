//! Exports the exchanges of a trace as HAR 1.2, for tools that know nothing of us.
//!
//! Entries are written one by one, so that a large trace needs no more memory than its largest body. Content codings are
//! taken off, as other tools expect; what is not text is base64. WebSocket messages go into `_webSocketMessages`, as
//! Chromium's developer tools write them. <http://www.softwareishard.com/blog/har-12-spec/>

mod entry;
mod message;

use crate::event::{Load, LoadId, What};
use crate::trace::Trace;
use entry::entry;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};
use time::OffsetDateTime;
use time::macros::format_description;

/// What could not be put into the export as it was is said in the entries' comments; the number of them is returned.
pub fn export_har(trace: &Trace, out: &mut dyn Write) -> io::Result<u64> {
    let mut frames: HashMap<u64, Vec<&crate::exchange::Frame>> = HashMap::new();
    for frame in &trace.frames {
        frames.entry(frame.exchange).or_default().push(frame);
    }
    let pages = Pages::of(trace);
    let head = json!({
        "version": "1.2",
        "creator": {"name": "xcheck", "version": trace.manifest.recorder},
        "browser": trace.manifest.browser.as_ref().map_or_else(
            || json!({"name": "unknown", "version": ""}),
            |browser| json!({"name": browser.name, "version": browser.version}),
        ),
        "pages": pages.values(trace),
    });
    let head = head.to_string();
    out.write_all(b"{\"log\":")?;
    out.write_all(&head.as_bytes()[..head.len() - 1])?;
    out.write_all(b",\"entries\":[\n")?;
    let mut incomplete = 0;
    for (number, exchange) in trace.exchanges.iter().enumerate() {
        if number > 0 {
            out.write_all(b",\n")?;
        }
        let frames = frames.get(&exchange.id).map_or(&[][..], Vec::as_slice);
        let (entry, comments) = entry(trace, exchange, frames, pages.page_of(exchange));
        incomplete += comments;
        serde_json::to_writer(&mut *out, &entry)?;
    }
    out.write_all(b"\n]}}\n")?;
    out.flush()?;
    Ok(incomplete)
}

/// Top-level documents, and which one an exchange belongs to.
struct Pages<'a> {
    top: Vec<&'a Load>,
    by_exchange: HashMap<u64, LoadId>,
}

impl<'a> Pages<'a> {
    fn of(trace: &'a Trace) -> Pages<'a> {
        let top = trace.loads.iter().filter(|load| load.path.is_empty()).collect();
        let by_exchange = trace
            .loads
            .iter()
            .filter_map(|load| Some((load.exchange?, top_of(trace, load))))
            .collect();
        Pages { top, by_exchange }
    }

    fn values(&self, trace: &Trace) -> Vec<Value> {
        self.top.iter().map(|load| page(trace, load)).collect()
    }

    /// The document's own request names it. Others belong to what was last open when they began: the trace does not say.
    fn page_of(&self, exchange: &crate::exchange::Exchange) -> Option<LoadId> {
        let own = self.by_exchange.get(&exchange.id).copied();
        own.or_else(|| {
            let before = self.top.iter().filter(|load| load.at <= exchange.started_ms);
            before.max_by(|a, b| a.at.total_cmp(&b.at)).map(|load| load.load)
        })
    }
}

/// Bounded by the number of loads: a hostile trace may name parents in a ring.
fn top_of(trace: &Trace, load: &Load) -> LoadId {
    let mut load = load;
    for _ in 0..trace.loads.len() {
        match load.parent.and_then(|parent| trace.load(parent)) {
            Some(parent) if !load.path.is_empty() => load = parent,
            _ => break,
        }
    }
    load.load
}

fn page(trace: &Trace, load: &Load) -> Value {
    let started = load
        .exchange
        .and_then(|id| trace.exchange(id))
        .map_or(load.at, |exchange| exchange.started_ms);
    let timing = |wanted: &str| {
        let happened = trace.events_of(load.load).iter().find(|event| match &event.what {
            Some(What::Dom(dom)) => dom.name == wanted,
            _ => false,
        });
        happened.map_or(-1.0, |event| (event.at - started).max(0.0))
    };
    json!({
        "startedDateTime": date_time(started),
        "id": page_id(load.load),
        "title": load.url,
        "pageTimings": {"onContentLoad": timing("DOMContentLoaded"), "onLoad": timing("load")},
    })
}

fn page_id(load: LoadId) -> String {
    format!("page_{load}")
}

/// ISO 8601 in UTC.
fn date_time(ms: f64) -> String {
    let format = format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms as i64) * 1_000_000)
        .ok()
        .and_then(|time| time.format(format).ok())
        .unwrap_or_else(|| "1970-01-01T00:00:00.000Z".into())
}

#[cfg(test)]
mod tests {
    use super::date_time;

    #[test]
    fn times_are_iso_8601() {
        assert_eq!(date_time(1_700_000_000_123.9), "2023-11-14T22:13:20.123Z");
        assert_eq!(date_time(f64::MAX), "1970-01-01T00:00:00.000Z");
    }
}
