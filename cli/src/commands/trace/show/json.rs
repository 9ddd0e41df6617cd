//! A trace as JSON. Events, exchanges, frames and notices are as on disk, with each event's number and label added.

use super::Args;
use super::filter::Selection;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};
use xcheck_trace::event::Load;
use xcheck_trace::{Trace, Warning};

pub(super) fn write(
    out: &mut impl Write,
    args: &Args,
    trace: &Trace,
    selection: &Selection<'_>,
    warnings: &[Warning],
) -> io::Result<()> {
    let manifest = &trace.manifest;
    let events = selection.events.iter().map(|(number, event)| {
        let mut value = json!(event);
        value["number"] = json!(number);
        value["label"] = json!(trace.label(event));
        value
    });
    let document = json!({
        "format": manifest.format,
        "trace": args.trace.display().to_string(),
        "sha256": trace.identity(),
        "recorder": manifest.recorder,
        "browser": manifest.browser,
        "viewport": manifest.viewport,
        "start_url": manifest.start_url,
        "time_zone": manifest.time_zone,
        "languages": manifest.languages,
        "started_at_ms": manifest.started_at_ms,
        "finished_at_ms": manifest.finished_at_ms,
        "redactions": manifest.redactions,
        "warnings": warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "sessions": sessions(trace, selection),
        "events": events.collect::<Vec<_>>(),
        "exchanges": selection.exchanges,
        "frames": selection.frames,
        "notices": selection.notices,
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

/// One for each window, with its pages in order.
fn sessions(trace: &Trace, selection: &Selection<'_>) -> Vec<Value> {
    let mut windows: BTreeMap<u32, Vec<&Load>> = BTreeMap::new();
    for load in &selection.loads {
        windows.entry(load.window).or_default().push(load);
    }
    windows
        .into_iter()
        .map(|(window, loads)| json!({"window": window, "pages": pages(trace, loads)}))
        .collect()
}

fn pages(trace: &Trace, loads: Vec<&Load>) -> Vec<Value> {
    let page = |load: &Load| {
        let mut value = json!(load);
        value["events"] = json!(trace.events_of(load.load).len());
        value
    };
    loads.into_iter().map(page).collect()
}
