//! Requests of the page's code, each at the event that sent it.

use super::addresses::Addresses;
use super::{Done, Injection, Slowness, Wrong, how_of, place};
use std::collections::{BTreeSet, HashMap};
use xcheck_proxy::{Address, At, Fault};
use xcheck_trace::Trace;
use xcheck_trace::event::Request;

pub(super) fn disturb(trace: &Trace, addresses: &Addresses<'_>, slow: Slowness, status: u16, all: &mut Vec<Injection>) {
    let sent: BTreeSet<(&str, &str)> = trace
        .exchanges
        .iter()
        .map(|exchange| (exchange.request.method.as_str(), exchange.request.url.as_str()))
        .collect();
    let mut before: HashMap<String, Vec<String>> = HashMap::new();
    for (number, event) in (0..).zip(trace.order()) {
        let requests = event.local.xhr.iter().map(|request| ("XHR", request));
        for (kind, request) in requests.chain(event.local.fetch.iter().map(|request| ("fetch", request))) {
            let url = without_fragment(request);
            if !sent.contains(&(request.method.as_str(), url)) {
                continue;
            }
            let address = addresses.of(&request.method, url);
            let before = before.entry(request.method.clone()).or_default();
            let at = At::Request {
                method: request.method.clone(),
                nth: Some(how_many(before, &address)),
                address,
            };
            before.push(addresses.now(url));
            for wrong in [
                Wrong::NotAnswered,
                Wrong::Error,
                Wrong::Slow,
                Wrong::Cut,
                Wrong::Garbled,
            ] {
                let how = how_of(wrong, slow, status);
                all.push(Injection {
                    place: Some(place(number, event)),
                    target: format!("{kind} {} {url}", request.method),
                    wrong,
                    done: Done::Network(Fault { at: at.clone(), how }),
                });
            }
        }
    }
}

/// Of the requests before it, those that are its like.
fn how_many(before: &[String], address: &Address) -> u32 {
    before.iter().map(|url| u32::from(address.is(url))).sum()
}

pub(super) fn without_fragment(request: &Request) -> &str {
    request.url.split('#').next().unwrap_or_default()
}
