//! Faults put into what passes, on purpose, to see what an application makes of them.
//!
//! One place decides, before a request goes any further: so that what is recorded, what comes from a trace and what comes
//! from a running application fail in the same ways. A fault names what it meets (a request by method, address and how
//! many of the kind went before it, a host, a message of a WebSocket) and what becomes of it there. Browsers ask again
//! where a connection broke before an answer began, so a fault that shall be met once never breaks off before that.

mod answer;
mod messages;

pub(crate) use answer::{Met, meet};
pub(crate) use messages::Losing;

use crate::query::Query;
use hyper::{Method, Uri};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub at: At,
    pub how: How,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum At {
    Request {
        method: String,
        address: Address,
        /// How many such requests go before it; nothing for all of them.
        nth: Option<u32>,
    },
    /// Everything from this host and port, as they stand in a URL.
    Host(String),
    /// A message of the server's over the WebSocket at this address, by how many of its messages go before it.
    Message { address: Address, nth: u32 },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Address {
    Exactly(String),
    /// The same but for some values in the query: times, random numbers. Its parameters in any order, those without a `=`
    /// with any value.
    ButForValues(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// No answer, ever. The server is not asked either.
    Silence,
    /// An answer of this status, without the server.
    Status(u16),
    /// The right answer, so much later.
    Late { millis: u64 },
    /// The right answer, and the connection breaks in the middle of it.
    Cut,
    /// The right status and type, with something else in it.
    Garbled,
    /// The connection is closed, as where nobody listens.
    Refused,
}

impl How {
    pub fn late(by: Duration) -> How {
        How::Late {
            millis: u64::try_from(by.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// The faults of a proxy, and what they met. Cheap to clone; all clones are one. Empty, it is in nobody's way.
#[derive(Debug, Clone, Default)]
pub struct Faults(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    faults: Vec<Armed>,
    /// By method and URL, how often it was asked for.
    asked: BTreeMap<(String, String), u32>,
}

#[derive(Debug)]
struct Armed {
    fault: Fault,
    /// Requests that it could have been meant for, so far.
    passed: u32,
    met: u32,
}

impl Faults {
    /// These from now on, and everything is counted from the beginning.
    pub fn set(&self, faults: impl IntoIterator<Item = Fault>) {
        let armed = faults.into_iter().map(|fault| Armed {
            fault,
            passed: 0,
            met: 0,
        });
        *self.state() = State {
            faults: armed.collect(),
            asked: BTreeMap::new(),
        };
    }

    /// How often any of them was met.
    pub fn met(&self) -> u32 {
        self.state().faults.iter().map(|armed| armed.met).sum()
    }

    /// What was asked for since they were set, by method and URL, and how often.
    pub fn asked(&self) -> BTreeMap<(String, String), u32> {
        self.state().asked.clone()
    }

    /// What shall become of this request, if not what becomes of others.
    pub(crate) fn of_request(&self, method: &Method, url: &Uri) -> Option<How> {
        let text = url.to_string();
        let mut state = self.state();
        *state.asked.entry((method.to_string(), text.clone())).or_default() += 1;
        let mut found = None;
        for armed in &mut state.faults {
            let meets = match &armed.fault.at {
                At::Request {
                    method: of,
                    address,
                    nth,
                } => {
                    if of != method.as_str() || !address.is(&text) {
                        continue;
                    }
                    let place = armed.passed;
                    armed.passed += 1;
                    nth.is_none_or(|nth| nth == place)
                }
                At::Host(host) => url.authority().is_some_and(|of| of.as_str().eq_ignore_ascii_case(host)),
                At::Message { .. } => false,
            };
            if meets && found.is_none() {
                armed.met += 1;
                found = Some(armed.fault.how);
            }
        }
        found
    }

    /// Which of the server's messages on this WebSocket is lost, if one is.
    pub(crate) fn of_messages(&self, url: &Uri) -> Option<Losing> {
        let text = url.to_string();
        let state = self.state();
        state.faults.iter().find_map(|armed| match &armed.fault.at {
            At::Message { address, nth } if address.is(&text) && armed.met == 0 => {
                Some(Losing::new(*nth, armed.fault.how == How::Cut, self.clone()))
            }
            _ => None,
        })
    }

    /// What shall become of this message of a server's, where messages are given whole: from a trace.
    pub(crate) fn of_message(&self, url: &str, before: u32) -> Option<How> {
        let mut state = self.state();
        let armed = state.faults.iter_mut().find(|armed| match &armed.fault.at {
            At::Message { address, nth } => armed.met == 0 && *nth == before && address.is(url),
            At::Request { .. } | At::Host(_) => false,
        })?;
        armed.met += 1;
        Some(armed.fault.how)
    }

    fn lost_a_message(&self) {
        for armed in &mut self.state().faults {
            if matches!(armed.fault.at, At::Message { .. }) {
                armed.met += 1;
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Address {
    pub fn is(&self, url: &str) -> bool {
        match self {
            Address::Exactly(known) => known == url,
            Address::ButForValues(known) => {
                let (known, url) = (Query::of(known), Query::of(url));
                known.is_alike(&url)
                    && known
                        .parameters
                        .iter()
                        .zip(&url.parameters)
                        .all(|(known, of)| known.1.is_none() || known == of)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(url: &str, nth: Option<u32>) -> At {
        At::Request {
            method: "GET".into(),
            address: Address::Exactly(url.into()),
            nth,
        }
    }

    #[track_caller]
    fn check(at: At, requests: &[&str], expected: &[bool]) {
        let faults = Faults::default();
        faults.set([Fault { at, how: How::Refused }]);
        let met: Vec<bool> = requests
            .iter()
            .map(|request| {
                let (method, url) = request.split_once(' ').unwrap();
                faults
                    .of_request(&method.parse().unwrap(), &url.parse().unwrap())
                    .is_some()
            })
            .collect();
        assert_eq!(met, expected);
        assert_eq!(faults.met() as usize, expected.iter().filter(|met| **met).count());
    }

    #[test]
    fn a_request_is_known_by_method_address_and_its_place_among_its_like() {
        let requests = [
            "GET http://a/x",
            "POST http://a/x",
            "GET http://a/y",
            "GET http://a/x",
            "GET http://a/x",
        ];
        check(
            request("http://a/x", Some(1)),
            &requests,
            &[false, false, false, true, false],
        );
        check(
            request("http://a/x", None),
            &requests,
            &[true, false, false, true, true],
        );
    }

    #[test]
    fn values_of_a_query_may_be_others_where_that_was_said() {
        let address = Address::ButForValues("http://a/x?t&page=2".into());
        let met = [
            "http://a/x?page=2&t=99",
            "http://a/x?t&page=2",
            "http://a/x?page=7&t=99",
            "http://a/x?t=1",
            "http://a/y?t=1&page=2",
        ];
        assert_eq!(met.map(|url| address.is(url)), [true, true, false, false, false]);
        assert!(!Address::Exactly("http://a/x?t=1".into()).is("http://a/x?t=2"));
    }

    #[test]
    fn a_host_is_known_with_its_port() {
        let requests = [
            "GET http://A.test:81/x",
            "POST http://a.test:81/",
            "GET http://a.test/x",
        ];
        check(At::Host("a.test:81".into()), &requests, &[true, true, false]);
    }

    #[test]
    fn what_was_asked_for_is_counted_from_the_time_they_were_set() {
        let faults = Faults::default();
        let ask = || faults.of_request(&Method::GET, &"http://a/x".parse().unwrap());
        assert_eq!((ask(), ask()), (None, None));
        assert_eq!(faults.asked()[&("GET".to_owned(), "http://a/x".to_owned())], 2);
        faults.set([]);
        assert!(faults.asked().is_empty());
    }
}
