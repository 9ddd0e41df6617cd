//! A trace for reading.

use super::Args;
use super::filter::Selection;
use super::local::{lines, one_line};
use crate::terminal::{BAD, BOLD, DIM, WARNING, bytes, count, printable, styled};
use std::io::{self, Write};
use xcheck_trace::Trace;
use xcheck_trace::event::{Load, What};
use xcheck_trace::exchange::{Body, End, Exchange, Frame, Payload, Peer, WorkerPart};

const LONGEST_BODY: usize = 4_000;
const LARGEST_BODY: u64 = 64 * 1024 * 1024;

pub(super) fn write(out: &mut impl Write, args: &Args, trace: &Trace, selection: &Selection<'_>) -> io::Result<()> {
    head(out, args, trace)?;
    if !selection.loads.is_empty() {
        section(out, "Pages")?;
        for load in &selection.loads {
            page(out, trace, load)?;
        }
    }
    if !selection.events.is_empty() {
        section(out, "Events")?;
        events(out, args, trace, selection)?;
    }
    if !selection.exchanges.is_empty() {
        section(out, "Exchanges")?;
        for exchange in &selection.exchanges {
            line_of(out, exchange)?;
            if args.exchange.is_some() {
                details(out, args, trace, exchange)?;
            }
        }
    }
    if !selection.frames.is_empty() {
        section(out, "WebSocket messages")?;
        for frame in &selection.frames {
            message(out, args, frame)?;
        }
    }
    if !selection.notices.is_empty() {
        section(out, "Notices")?;
        for notice in &selection.notices {
            writeln!(out, "  {}", styled(WARNING, printable(&notice.text)))?;
        }
    }
    Ok(())
}

fn section(out: &mut impl Write, title: &str) -> io::Result<()> {
    writeln!(out, "\n{}", styled(BOLD, title))
}

fn head(out: &mut impl Write, args: &Args, trace: &Trace) -> io::Result<()> {
    let manifest = &trace.manifest;
    let browser = manifest.browser.as_ref().map_or_else(
        || "an unknown client".into(),
        |browser| format!("{} {}", browser.name, browser.version),
    );
    writeln!(
        out,
        "{}: recorded in {browser} by xcheck {}",
        styled(BOLD, args.trace.display()),
        manifest.recorder
    )?;
    let mut about = vec![format!("format {}", manifest.format)];
    about.extend(
        manifest
            .viewport
            .map(|viewport| format!("{}×{}", viewport.width, viewport.height)),
    );
    about.extend(manifest.time_zone.clone());
    about.extend(manifest.languages.first().cloned());
    if let Some(finished) = manifest.finished_at_ms {
        let seconds = finished.saturating_sub(manifest.started_at_ms) as f64 / 1e3;
        about.push(format!("{seconds:.1} s"));
    }
    about.extend([
        count(trace.loads.len() as u64, "document"),
        count(trace.events.len() as u64, "event"),
        count(trace.exchanges.len() as u64, "exchange"),
    ]);
    writeln!(out, "{}", about.join(", "))?;
    if !manifest.redactions.is_empty() {
        writeln!(out, "redacted: {}", manifest.redactions.join(", "))?;
    }
    Ok(())
}

fn page(out: &mut impl Write, trace: &Trace, load: &Load) -> io::Result<()> {
    let indent = "  ".repeat(load.path.len());
    let place = match load.path.last() {
        Some(index) => format!(
            "frame {index} of load {}",
            load.parent.map_or("?".into(), |parent| parent.to_string())
        ),
        None => format!("window {}, page {}", load.window, load.sequence),
    };
    let exchange = load
        .exchange
        .map_or(String::new(), |exchange| format!(", exchange {exchange}"));
    let events = count(trace.events_of(load.load).len() as u64, "event");
    writeln!(
        out,
        "  {indent}{:>3}  {}  {}",
        load.load,
        printable(&load.url),
        styled(DIM, format!("{place}{exchange}, {events}"))
    )
}

fn events(out: &mut impl Write, args: &Args, trace: &Trace, selection: &Selection<'_>) -> io::Result<()> {
    let first = trace
        .events
        .iter()
        .map(|event| event.at)
        .min_by(f64::total_cmp)
        .unwrap_or_default();
    for (number, event) in &selection.events {
        let label = printable(&trace.label(event));
        let label = match &event.what {
            Some(What::Error(_)) => styled(BAD, label),
            Some(What::Dom(dom)) if dom.gesture => styled(BOLD, label),
            _ => label,
        };
        let place = styled(
            DIM,
            format!("{:>10.1} ms  {}:{}", event.at - first, event.load, event.id),
        );
        writeln!(out, "  {number:>5}  {place}  {label}")?;
        for line in lines(trace, event, args.full) {
            writeln!(out, "                              {}", styled(DIM, printable(&line)))?;
        }
    }
    Ok(())
}

fn line_of(out: &mut impl Write, exchange: &Exchange) -> io::Result<()> {
    let (status, kind, size) = match &exchange.response {
        None => ("–".to_owned(), String::new(), String::new()),
        Some(response) => {
            let kind = response
                .headers
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
            let kind = kind.and_then(|(_, value)| value.split(';').next()).unwrap_or_default();
            let size = response.body.as_ref().map_or(0, |body| body.bytes);
            (response.status.to_string(), kind.to_owned(), bytes(size))
        }
    };
    let bad = exchange.response.as_ref().is_none_or(|response| response.status >= 400);
    let status = if bad { styled(BAD, status) } else { status };
    let took = exchange.end_ms.map_or(String::new(), |ms| format!("{ms:.0} ms"));
    let end = match &exchange.end {
        End::Complete => String::new(),
        End::Aborted => styled(WARNING, "  aborted by the client"),
        End::Failed { reason } => styled(BAD, format!("  failed: {}", printable(reason))),
        End::Open => styled(WARNING, "  still open"),
        End::Upgraded => styled(DIM, "  upgraded"),
    };
    let injected = if exchange.injected {
        styled(DIM, "  with recorder")
    } else {
        String::new()
    };
    let worker = match exchange.worker {
        None => String::new(),
        Some(WorkerPart::Fetched) => styled(DIM, "  for a service worker"),
        Some(WorkerPart::PassedOn) => styled(DIM, "  passed on by a service worker"),
        Some(WorkerPart::Answered) => styled(DIM, "  answered by a service worker"),
    };
    writeln!(
        out,
        "  {:>5}  {:<6} {status}  {size:>9}  {took:>8}  {}  {}{injected}{worker}{end}",
        exchange.id,
        exchange.request.method,
        printable(&exchange.request.url),
        styled(DIM, printable(&kind)),
    )
}

fn details(out: &mut impl Write, args: &Args, trace: &Trace, exchange: &Exchange) -> io::Result<()> {
    let request = &exchange.request;
    writeln!(out, "\n    {} {} {}", request.method, request.url, request.version)?;
    headers(out, &request.headers)?;
    body(out, args, trace, request.body.as_ref())?;
    if let Some(response) = &exchange.response {
        writeln!(out, "\n    {} {}", response.version, response.status)?;
        headers(out, &response.headers)?;
        body(out, args, trace, response.body.as_ref())?;
        headers(out, &response.trailers)?;
    }
    Ok(())
}

fn headers(out: &mut impl Write, headers: &[(String, String)]) -> io::Result<()> {
    for (name, value) in headers {
        writeln!(out, "    {}: {}", styled(DIM, printable(name)), printable(value))?;
    }
    Ok(())
}

fn body(out: &mut impl Write, args: &Args, trace: &Trace, body: Option<&Body>) -> io::Result<()> {
    let Some(body) = body.filter(|body| body.bytes > 0) else {
        return Ok(());
    };
    let partial = if body.partial { ", not complete" } else { "" };
    writeln!(
        out,
        "\n    {}",
        styled(DIM, format!("{}{partial}, {}", bytes(body.bytes), body.sha256))
    )?;
    match trace.bodies().bytes(&body.sha256, LARGEST_BODY) {
        Err(error) => writeln!(out, "    {}", styled(BAD, error)),
        Ok(content) => match std::str::from_utf8(&content) {
            Ok(text) if !text.contains('\0') => {
                let end = if args.full {
                    text.len()
                } else {
                    text.floor_char_boundary(LONGEST_BODY)
                };
                for line in text[..end].lines() {
                    writeln!(out, "    {}", printable(line))?;
                }
                match text.len() - end {
                    0 => Ok(()),
                    more => writeln!(
                        out,
                        "    {}",
                        styled(DIM, format!("… {} more, see --full", bytes(more as u64)))
                    ),
                }
            }
            _ => writeln!(out, "    {}", styled(DIM, "(not text)")),
        },
    }
}

fn message(out: &mut impl Write, args: &Args, frame: &Frame) -> io::Result<()> {
    let arrow = match frame.from {
        Peer::Client => "→",
        Peer::Server => "←",
    };
    let text = match &frame.payload {
        Payload::Text { text } => printable(&one_line(text, if args.full { usize::MAX } else { 120 })),
        Payload::Binary { body } => format!("{} of binary data", bytes(body.bytes)),
        Payload::Close { code, reason } => format!("closed: {code} {}", printable(reason)),
    };
    writeln!(
        out,
        "  {:>5}  {:>10.1} ms  {arrow} {text}",
        frame.exchange,
        frame.at_us as f64 / 1e3
    )
}
