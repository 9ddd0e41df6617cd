//! Checks that a trace is what it says it is: every body there and unchanged, every reference leading somewhere.

use crate::event::{Event, LoadId, What};
use crate::exchange::{Body, Exchange, Payload};
use crate::trace::Trace;
use std::collections::BTreeMap;
use std::fmt;

/// What was looked at, and what is wrong with it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verification {
    pub loads: usize,
    pub events: usize,
    pub exchanges: usize,
    pub frames: usize,
    /// Different bodies, and their bytes when decompressed.
    pub bodies: usize,
    pub body_bytes: u64,
    pub problems: Vec<Problem>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// `event 3 of load 1`, `exchange 7`.
    pub place: String,
    pub text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

pub fn verify(trace: &Trace) -> Verification {
    let mut check = Check {
        trace,
        result: Verification {
            loads: trace.loads.len(),
            events: trace.events.len(),
            exchanges: trace.exchanges.len(),
            frames: trace.frames.len(),
            ..Verification::default()
        },
        bodies: BTreeMap::new(),
    };
    check.loads();
    check.events();
    for exchange in &trace.exchanges {
        check.exchange(exchange);
    }
    check.frames();
    check.notices();
    check.result
}

struct Check<'a> {
    trace: &'a Trace,
    result: Verification,
    /// What reading each body led to, so that each is read once.
    bodies: BTreeMap<&'a str, Result<u64, String>>,
}

impl<'a> Check<'a> {
    fn problem(&mut self, place: impl fmt::Display, text: impl Into<String>) {
        self.result.problems.push(Problem {
            place: place.to_string(),
            text: text.into(),
        });
    }

    fn loads(&mut self) {
        for load in &self.trace.loads {
            let place = format!("load {}", load.load);
            if let Some(exchange) = load.exchange.filter(|id| self.trace.exchange(*id).is_none()) {
                self.problem(&place, format!("exchange {exchange}, which brought it, is missing"));
            }
            if let Some(parent) = load.parent.filter(|parent| self.trace.load(*parent).is_none()) {
                self.problem(&place, format!("its parent, load {parent}, is missing"));
            }
            if let Some(databases) = load.storage.as_ref().and_then(|storage| storage.databases.as_ref()) {
                self.body(format!("{place}, databases and caches"), databases);
            }
        }
    }

    fn events(&mut self) {
        for events in self.trace.events.chunk_by(|a, b| a.load == b.load) {
            let load = events[0].load;
            if self.trace.load(load).is_none() && !crate::order::is_worker(events) {
                self.problem(format!("load {load}"), "it has events but is itself missing");
            }
            let mut expected = 0;
            for event in events {
                if event.id > expected {
                    let text = match event.id - 1 {
                        last if last == expected => format!("event {expected} is missing"),
                        last => format!("events {expected} to {last} are missing"),
                    };
                    self.problem(format!("load {load}"), text);
                }
                expected = event.id.saturating_add(1);
                self.registration(event);
            }
        }
    }

    fn registration(&mut self, event: &Event) {
        let Some((list, of)) = event.what.as_ref().and_then(What::registered) else {
            return;
        };
        let place = format!("event {} of load {}", event.id, event.load);
        let length = self.trace.event(event.load, of.0).map(|by| length_of(by, list));
        match length {
            None => self.problem(place, format!("event {}, which registered it, is missing", of.0)),
            Some(_) if of.0 > event.id => self.problem(place, format!("event {}, which registered it, is later", of.0)),
            Some(length) if of.1 as usize >= length => self.problem(
                place,
                format!(
                    "event {} registered {length} of `{list}`, and it claims number {}",
                    of.0, of.1
                ),
            ),
            Some(_) => {}
        }
    }

    fn exchange(&mut self, exchange: &'a Exchange) {
        if let Some(body) = &exchange.request.body {
            self.body(format!("exchange {}, request", exchange.id), body);
        }
        if let Some(body) = exchange.response.as_ref().and_then(|response| response.body.as_ref()) {
            self.body(format!("exchange {}, response", exchange.id), body);
        }
    }

    fn frames(&mut self) {
        for frame in &self.trace.frames {
            let place = || format!("WebSocket frame at {} µs of exchange {}", frame.at_us, frame.exchange);
            if self.trace.exchange(frame.exchange).is_none() {
                self.problem(place(), "the exchange is missing");
            }
            if let Payload::Binary { body } = &frame.payload {
                self.body(place(), body);
            }
        }
    }

    fn notices(&mut self) {
        for notice in &self.trace.notices {
            let load: Option<LoadId> = notice.load.filter(|load| self.trace.load(*load).is_none());
            if let Some(load) = load {
                self.problem("notice", format!("load {load}, which it is about, is missing"));
            }
            if let Some(exchange) = notice.exchange.filter(|id| self.trace.exchange(*id).is_none()) {
                self.problem("notice", format!("exchange {exchange}, which it is about, is missing"));
            }
        }
    }

    fn body(&mut self, place: String, body: &'a Body) {
        let known = self.bodies.get(&*body.sha256).cloned();
        let read = known.unwrap_or_else(|| {
            let read = self.trace.bodies().read(&body.sha256).and_then(|reader| reader.check());
            let read = read.map_err(|error| error.to_string());
            self.result.bodies += 1;
            self.result.body_bytes += read.as_ref().unwrap_or(&0);
            self.bodies.insert(&body.sha256, read.clone());
            read
        });
        match read {
            Ok(bytes) if bytes == body.bytes => {}
            Ok(bytes) => self.problem(
                place,
                format!("its body has {bytes} bytes, {} were recorded", body.bytes),
            ),
            Err(error) => self.problem(place, error),
        }
    }
}

fn length_of(event: &Event, list: &str) -> usize {
    let local = &event.local;
    match list {
        "timer" => local.timer.len(),
        "frame" => local.frame.len(),
        "idle" => local.idle.len(),
        "xhr" => local.xhr.len(),
        "fetch" => local.fetch.len(),
        "promise" => local.promise.len(),
        _ => local.host.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Registered;

    #[test]
    fn every_kind_of_registration_names_a_list() {
        let of = Registered(0, 0);
        for (what, expected) in [
            (What::Timer { of }, Some("timer")),
            (What::Frame { of, time: 0.0 }, Some("frame")),
            (What::Error(Box::default()), None),
        ] {
            assert_eq!(what.registered().map(|(list, _)| list), expected);
        }
    }
}
