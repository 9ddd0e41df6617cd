//! What comes over requests that the page's code does not send itself: the events of an `EventSource`, and what its workers
//! ask for. Where one of them breaks off a browser asks again, so all connections to the address are disturbed alike.
//!
//! None is made slow: a page does not say that it waits for them, so nobody knows when to look at it.

use super::addresses::Addresses;
use super::messages::without_fragment;
use super::{Done, Injection, Slowness, Wrong, how_of, place};
use std::collections::BTreeSet;
use xcheck_proxy::{At, Fault};
use xcheck_trace::Trace;
use xcheck_trace::event::{Event, What};
use xcheck_trace::exchange::Exchange;
use xcheck_trace::run::Place;

pub(super) fn disturb(trace: &Trace, addresses: &Addresses<'_>, status: u16, all: &mut Vec<Injection>) {
    let by_page: BTreeSet<&str> = trace
        .events
        .iter()
        .flat_map(|event| event.local.xhr.iter().chain(&event.local.fetch))
        .map(without_fragment)
        .collect();
    let workers = Workers::of(trace);
    let mut opened = opened_sources(trace).into_iter();
    let mut done = BTreeSet::new();
    for exchange in &trace.exchanges {
        let url = exchange.request.url.as_str();
        let (kind, place) = match () {
            () if by_page.contains(url) => continue,
            () if is_source(exchange) => ("EventSource", opened.next()),
            () if workers.asked_for(exchange) => ("worker's", None),
            () => continue,
        };
        let method = &exchange.request.method;
        if !done.insert((method, url)) {
            continue;
        }
        let at = At::Request {
            method: method.clone(),
            address: addresses.of(method, url),
            nth: None,
        };
        for wrong in [Wrong::NotAnswered, Wrong::Error, Wrong::Cut, Wrong::Garbled] {
            let how = how_of(wrong, Slowness { millis: 0 }, status);
            all.push(Injection {
                place,
                target: format!("{kind} {method} {url}"),
                wrong,
                done: Done::Network(Fault { at: at.clone(), how }),
            });
        }
    }
}

fn is_source(exchange: &Exchange) -> bool {
    exchange
        .request
        .header("accept")
        .is_some_and(|accepted| accepted.eq_ignore_ascii_case("text/event-stream"))
}

/// Where the page made its sources, in their order.
fn opened_sources(trace: &Trace) -> Vec<Place> {
    let made = |(number, event): (u32, &Event)| {
        let sources = event.local.host.iter().filter(|host| *host == "EventSource");
        let place = place(number, event);
        sources.map(move |_| place).collect::<Vec<_>>()
    };
    (0..).zip(trace.order()).flat_map(made).collect()
}

/// The scripts of workers, by which their requests say who asks.
struct Workers<'t>(BTreeSet<&'t str>);

impl<'t> Workers<'t> {
    fn of(trace: &'t Trace) -> Workers<'t> {
        // Not every engine says what it asks for, and not every worker has something of its own in the log.
        let logged = trace.events.iter().filter_map(|event| match event.what {
            Some(What::Worker { exchange, .. }) => trace.exchange(exchange?),
            _ => None,
        });
        let named = trace.exchanges.iter().filter(|exchange| {
            let dest = exchange.request.header("sec-fetch-dest");
            matches!(dest, Some("worker" | "sharedworker"))
        });
        Workers(
            logged
                .chain(named)
                .map(|exchange| exchange.request.url.as_str())
                .collect(),
        )
    }

    /// Not a script that it imports: without those it is not there.
    fn asked_for(&self, exchange: &Exchange) -> bool {
        let by_worker = exchange
            .request
            .header("referer")
            .is_some_and(|referrer| self.0.contains(referrer));
        let is_script = exchange
            .request
            .header("sec-fetch-dest")
            .is_some_and(|dest| dest != "empty");
        by_worker && !is_script && !self.0.contains(exchange.request.url.as_str())
    }
}
