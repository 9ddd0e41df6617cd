//! Everything that can be made to go wrong in a session, one at a time: read from its trace, before anything runs.
//!
//! A request is known by its method, its address and how many of its like went before it, a timer by its callback and which
//! of the callback's registrations it was: so they are found again in a run that is not the recording. A request that
//! was never sent over the network (from a cache, a `data:` address) cannot be disturbed there and is left out.
//!
//! Left alone is what no page can make anything of: the answer to a beacon, which nobody sees, and that to a form or a link, in
//! whose place the browser shows a page of its own.

mod addresses;
mod messages;
mod sockets;
mod streams;

pub use addresses::{Asked, Runs};

use super::actions::Action;
use crate::replay::classify::dom;
use addresses::Addresses;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use url::Url;
use xcheck_proxy::{At, Fault, How};
use xcheck_trace::Trace;
use xcheck_trace::event::{Event, What};
use xcheck_trace::exchange::Exchange;
use xcheck_trace::run::Place;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wrong {
    NotReplayed,
    NotAnswered,
    Error,
    Slow,
    Cut,
    Garbled,
    NotFired,
    DomainBlocked,
    DomainSlow,
    ScriptFailed,
}

impl Wrong {
    pub const ALL: [Wrong; 10] = [
        Wrong::NotReplayed,
        Wrong::NotAnswered,
        Wrong::Error,
        Wrong::Slow,
        Wrong::Cut,
        Wrong::Garbled,
        Wrong::NotFired,
        Wrong::DomainBlocked,
        Wrong::DomainSlow,
        Wrong::ScriptFailed,
    ];

    /// As it stands in JSON and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Wrong::NotReplayed => "not-replayed",
            Wrong::NotAnswered => "not-answered",
            Wrong::Error => "error",
            Wrong::Slow => "slow",
            Wrong::Cut => "cut",
            Wrong::Garbled => "garbled",
            Wrong::NotFired => "not-fired",
            Wrong::DomainBlocked => "domain-blocked",
            Wrong::DomainSlow => "domain-slow",
            Wrong::ScriptFailed => "script-failed",
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing that goes wrong in one run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Injection {
    /// The event that is disturbed, where it is one.
    pub place: Option<Place>,
    /// `click on #save`, `fetch GET http://…`, `domain cdn.example`
    pub target: String,
    pub wrong: Wrong,
    /// How it is done.
    pub done: Done,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Done {
    /// The action at this place is left out.
    Skip(Place),
    Network(Fault),
    /// The timer with this callback that is registered as the `index`-th of its kind in its document.
    Timer {
        callback: String,
        index: u32,
    },
}

/// How long what is slow takes longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slowness {
    pub millis: u64,
}

/// `runs` are those that were made without a fault: none, where nothing was made yet.
pub fn injections(
    trace: &Trace,
    actions: &[Action<'_>],
    slow: Slowness,
    status: u16,
    runs: &Runs<'_>,
) -> Vec<Injection> {
    let addresses = Addresses::new(trace, runs);
    let mut all = Vec::new();
    for action in actions.iter().filter(|action| action.is_deliberate()) {
        all.push(Injection {
            place: Some(action.place),
            target: action.label.clone(),
            wrong: Wrong::NotReplayed,
            done: Done::Skip(action.place),
        });
    }
    messages::disturb(trace, &addresses, slow, status, &mut all);
    streams::disturb(trace, &addresses, status, &mut all);
    sockets::disturb(trace, &addresses, &mut all);
    timers(trace, &mut all);
    // By the event they disturb, each one's faults in the order of the list.
    all.sort_by_key(|injection| injection.place.map(|place| place.number));
    scripts(trace, &addresses, &mut all);
    domains(trace, &addresses, slow, &mut all);
    all
}

fn how_of(wrong: Wrong, slow: Slowness, status: u16) -> How {
    match wrong {
        Wrong::Error => How::Status(status),
        Wrong::Slow | Wrong::DomainSlow => How::Late { millis: slow.millis },
        Wrong::Cut => How::Cut,
        Wrong::Garbled => How::Garbled,
        Wrong::DomainBlocked | Wrong::ScriptFailed => How::Refused,
        Wrong::NotAnswered | Wrong::NotReplayed | Wrong::NotFired => How::Silence,
    }
}

/// Timers that fired, once each: one that repeats is one timer.
fn timers(trace: &Trace, all: &mut Vec<Injection>) {
    // By document and place of registration, which of its callback's registrations it is.
    let mut index_of = HashMap::new();
    for load in &trace.loads {
        let mut registered: HashMap<&str, u32> = HashMap::new();
        for event in trace.events_of(load.load) {
            for (place, timer) in (0..).zip(&event.local.timer) {
                let index = registered.entry(&timer.callback).or_default();
                index_of.insert((load.load, event.id, place), (timer.callback.clone(), *index));
                *index += 1;
            }
        }
    }
    let mut done = BTreeSet::new();
    for (number, event) in (0..).zip(trace.order()) {
        let Some(What::Timer { of }) = &event.what else {
            continue;
        };
        let Some((callback, index)) = index_of.get(&(event.load, of.0, of.1)) else {
            continue;
        };
        if done.insert((event.load, of.0, of.1)) {
            all.push(Injection {
                place: Some(place(number, event)),
                target: trace.label(event),
                wrong: Wrong::NotFired,
                done: Done::Timer {
                    callback: callback.clone(),
                    index: *index,
                },
            });
        }
    }
}

fn scripts(trace: &Trace, addresses: &Addresses<'_>, all: &mut Vec<Injection>) {
    let mut done = BTreeSet::new();
    for (number, event) in (0..).zip(trace.order()) {
        let Some(What::Script { key, .. }) = &event.what else {
            continue;
        };
        let fetched = trace.exchanges.iter().find(|exchange| exchange.request.url == *key);
        if let (Some(exchange), true) = (fetched, done.insert(key.as_str())) {
            all.push(Injection {
                place: Some(place(number, event)),
                target: format!("script {key}"),
                wrong: Wrong::ScriptFailed,
                done: Done::Network(Fault {
                    at: At::Request {
                        method: exchange.request.method.clone(),
                        address: addresses.of(&exchange.request.method, key),
                        nth: None,
                    },
                    how: How::Refused,
                }),
            });
        }
    }
}

fn domains(trace: &Trace, addresses: &Addresses<'_>, slow: Slowness, all: &mut Vec<Injection>) {
    let of = |exchange: &Exchange| {
        let url = &exchange.request.url;
        Some((host_of(url)?, host_of(&addresses.now(url))?))
    };
    let hosts: BTreeSet<(String, String)> = trace.exchanges.iter().filter_map(of).collect();
    for (host, now) in hosts {
        for wrong in [Wrong::DomainBlocked, Wrong::DomainSlow] {
            all.push(Injection {
                place: None,
                target: format!("domain {host}"),
                wrong,
                done: Done::Network(Fault {
                    at: At::Host(now.clone()),
                    how: how_of(wrong, slow, 0),
                }),
            });
        }
    }
}

/// With the port where it is not the scheme's own, as it stands in a URL.
fn host_of(url: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?;
    Some(
        url.port()
            .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")),
    )
}

fn place(number: u32, event: &Event) -> Place {
    Place {
        number,
        load: event.load,
        event: event.id,
    }
}

impl Injection {
    /// Whether the disturbed event is a person's doing rather than the page's or the network's.
    pub fn is_of_a_person(&self, trace: &Trace) -> bool {
        let event = self.place.and_then(|place| trace.event(place.load, place.event));
        event.and_then(dom).is_some_and(|dom| dom.gesture)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rerun::actions::actions;
    use crate::rerun::testing::{check_trace, event, exchange, gesture, load};
    use serde_json::json;

    #[track_caller]
    fn check(exchanges: &[Exchange], events: &[Event], expected: &[&str]) {
        check_trace(&[load(1, "http://a.test/")], exchanges, events, |trace| {
            let all = injections(trace, &actions(trace), Slowness { millis: 5 }, 500, &Runs::default());
            let said: Vec<String> = all
                .iter()
                .map(|injection| {
                    let nth = match &injection.done {
                        Done::Network(Fault {
                            at: At::Request { nth: Some(nth), .. },
                            ..
                        }) => format!(" {nth}"),
                        Done::Timer { callback, index } => format!(" {callback} {index}"),
                        _ => String::new(),
                    };
                    format!("{} {}{nth}", injection.target, injection.wrong)
                })
                .collect();
            assert_eq!(said, expected);
        });
    }

    #[test]
    fn every_kind_of_event_has_its_faults() {
        let exchanges = [
            exchange(1, "GET", "http://a.test/"),
            exchange(2, "GET", "http://cdn.test:81/app.js"),
            exchange(3, "GET", "http://a.test/api"),
            exchange(4, "GET", "http://a.test/api"),
        ];
        let request = json!({"method": "GET", "url": "http://a.test/api#x"});
        let elsewhere = json!({"method": "GET", "url": "data:,x"});
        let timer = json!({"callback": "c1", "delay": 5});
        let events = [
            event(
                0,
                1.0,
                json!({"kind": "script", "key": "http://cdn.test:81/app.js"}),
                json!({"fetch": [request, elsewhere], "timer": [timer, timer]}),
            ),
            event(1, 2.0, json!({"kind": "timer", "of": [0, 1]}), json!({})),
            gesture(2, "pointerdown", 3.0, "#save", None),
            event(
                3,
                4.0,
                json!({"kind": "dom", "type": "click", "target": {"id": "save"}}),
                json!({"xhr": [request]}),
            ),
        ];
        check(
            &exchanges,
            &events,
            &[
                "fetch GET http://a.test/api not-answered 0",
                "fetch GET http://a.test/api error 0",
                "fetch GET http://a.test/api slow 0",
                "fetch GET http://a.test/api cut 0",
                "fetch GET http://a.test/api garbled 0",
                "timer (5 ms) not-fired c1 1",
                "click on #save not-replayed",
                "XHR GET http://a.test/api not-answered 1",
                "XHR GET http://a.test/api error 1",
                "XHR GET http://a.test/api slow 1",
                "XHR GET http://a.test/api cut 1",
                "XHR GET http://a.test/api garbled 1",
                "script http://cdn.test:81/app.js script-failed",
                "domain a.test domain-blocked",
                "domain a.test domain-slow",
                "domain cdn.test:81 domain-blocked",
                "domain cdn.test:81 domain-slow",
            ],
        );
    }
}
