//! Which parts of a trace were asked for.

use super::Args;
use std::collections::BTreeSet;
use xcheck_trace::Trace;
use xcheck_trace::event::{Event, Load, What};
use xcheck_trace::exchange::{Exchange, Frame};
use xcheck_trace::notice::Notice;

pub(super) struct Selection<'a> {
    pub(super) loads: Vec<&'a Load>,
    /// With their number in the trace's order.
    pub(super) events: Vec<(usize, &'a Event)>,
    pub(super) exchanges: Vec<&'a Exchange>,
    pub(super) frames: Vec<&'a Frame>,
    pub(super) notices: Vec<&'a Notice>,
}

impl<'a> Selection<'a> {
    pub(super) fn of(trace: &'a Trace, args: &Args) -> Selection<'a> {
        let kinds = !args.kind.is_empty();
        let contains = |url: &str| args.url.as_ref().is_none_or(|part| url.contains(part.as_str()));
        let loads: Vec<&Load> = trace
            .loads
            .iter()
            .filter(|load| args.load.is_none_or(|number| number == load.load))
            .filter(|load| args.exchange.is_none_or(|exchange| load.exchange == Some(exchange)))
            .filter(|load| contains(&load.url))
            .collect();
        let numbers: BTreeSet<u32> = loads.iter().map(|load| load.load).collect();
        // A damaged trace may have events of documents that it does not have: they are shown when nothing was left out.
        let of_shown_load = |event: &Event| {
            numbers.contains(&event.load) || (args.url.is_none() && args.load.is_none_or(|number| number == event.load))
        };
        let wanted = args.exchange.and_then(|id| trace.exchange(id));
        let of_exchange =
            |event: &Event| args.exchange.is_none() || wanted.is_some_and(|exchange| asks_for(event, exchange));
        let events = trace.order().into_iter().enumerate();
        let events = events
            .filter(|(_, event)| !kinds || args.kind.iter().any(|kind| is_of_kind(event, kind)))
            .filter(|(_, event)| of_shown_load(event) || args.exchange.is_some())
            .filter(|(_, event)| of_exchange(event))
            .collect();
        let brought: BTreeSet<u64> = loads.iter().filter_map(|load| load.exchange).collect();
        let exchanges: Vec<&Exchange> = trace
            .exchanges
            .iter()
            .filter(|exchange| !kinds && args.exchange.is_none_or(|id| id == exchange.id))
            .filter(|exchange| args.load.is_none() || brought.contains(&exchange.id))
            .filter(|exchange| contains(&exchange.request.url))
            .collect();
        let shown: BTreeSet<u64> = exchanges.iter().map(|exchange| exchange.id).collect();
        let notices = trace
            .notices
            .iter()
            .filter(|notice| !kinds && args.load.is_none_or(|load| notice.load == Some(load)))
            .filter(|notice| args.exchange.is_none_or(|id| notice.exchange == Some(id)))
            .filter(|notice| args.url.is_none() || notice.url.as_deref().is_some_and(contains))
            .collect();
        Selection {
            loads: if kinds { Vec::new() } else { loads },
            events,
            frames: trace
                .frames
                .iter()
                .filter(|frame| shown.contains(&frame.exchange))
                .collect(),
            exchanges,
            notices,
        }
    }
}

fn is_of_kind(event: &Event, wanted: &str) -> bool {
    match &event.what {
        Some(What::Dom(dom)) => wanted == "dom" || dom.name == wanted || (wanted == "gesture" && dom.gesture),
        Some(what) => kind_of(what) == wanted,
        None => false,
    }
}

/// As the trace writes it.
fn kind_of(what: &What) -> &'static str {
    match what {
        What::Script { .. } => "script",
        What::Dom(_) => "dom",
        What::Timer { .. } => "timer",
        What::Frame { .. } => "frame",
        What::Idle { .. } => "idle",
        What::Xhr { .. } => "xhr",
        What::Settle { .. } => "settle",
        What::Host { .. } => "host",
        What::Error(_) => "error",
        What::Worker { .. } => "worker",
    }
}

/// The event sent a request like that of the exchange; the trace does not say which one it was.
fn asks_for(event: &Event, exchange: &Exchange) -> bool {
    let mut requests = event.local.xhr.iter().chain(&event.local.fetch);
    requests.any(|request| request.method == exchange.request.method && request.url == exchange.request.url)
}
