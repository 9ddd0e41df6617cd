//! Back to a known state by what was recorded on the way there, rather than by asking the server again: when that is sound.
//!
//! The server must not need to have seen the way. It need not where the way only asked: where nothing but `GET`, `HEAD` and `OPTIONS`
//! went over, each was answered to its end. Where it set a cookie on the way, it may hold something for whoever has it: then the way
//! goes on in the session that this was, which the server must still know and which all of the way must be of. That questions
//! change nothing is HTTP's word, not the server's: an application that breaks it is to be crawled live.

use crate::model::Path;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use xcheck_trace::exchange::{End, Exchange, ExchangeId};

/// How states are returned to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Back {
    /// By the live server.
    #[default]
    Live,
    /// By the trace, where the server's state allows it.
    Trace,
}

/// How often states were returned to by the trace, and by the live server for which reason.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaysBack {
    pub by_trace: usize,
    pub live: BTreeMap<String, usize>,
}

impl WaysBack {
    pub(crate) fn live(&mut self, why: impl Into<String>) {
        *self.live.entry(why.into()).or_default() += 1;
    }
}

/// A point of a trace at which the page was at rest in a known state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Reached {
    trace: usize,
    /// Of its edges, those taken before.
    edges: usize,
    /// The last exchange before.
    exchanges: ExchangeId,
    /// What the crawl had changed at the server by then, as a count.
    changes: u64,
}

/// What of a trace answers on a piece of a way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub(crate) trace: &'a str,
    /// The last exchange before it.
    after: ExchangeId,
    /// Its own last exchange.
    until: ExchangeId,
    pub(crate) changes: u64,
}

impl Piece<'_> {
    pub(crate) fn has(&self, exchange: ExchangeId) -> bool {
        exchange > self.after && exchange <= self.until
    }
}

/// All points from which can be gone on, and what was changed so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trail {
    reached: Vec<Reached>,
    /// Requests of the crawl that were more than questions.
    pub(crate) changes: u64,
    /// Nobody knows what went over these.
    pub(crate) sockets: u64,
    pub(crate) ways: WaysBack,
}

impl Trail {
    /// Nobody knows what happened to the server since.
    pub(crate) fn another_day(&mut self) {
        self.changes += 1;
    }

    /// The newest trace has come to rest in a known state.
    pub(crate) fn reach(&mut self, traces: &[Path], exchanges: ExchangeId, changes: u64) {
        if let Some(path) = traces.last() {
            self.reached.push(Reached {
                trace: traces.len() - 1,
                edges: path.edges.len(),
                exchanges,
                changes,
            });
        }
    }

    /// The newest trace that begins with this way and nothing else.
    pub(crate) fn whole<'a>(&self, traces: &'a [Path], way: &[usize]) -> Option<Piece<'a>> {
        self.reached.iter().rev().find_map(|reached| {
            let path = traces.get(reached.trace)?;
            let is_way = path.edges.get(..reached.edges)? == way;
            is_way.then_some(Piece {
                trace: &path.trace,
                after: 0,
                until: reached.exchanges,
                changes: reached.changes,
            })
        })
    }

    /// The start page, and then each edge of the way, by the newest traces that have it.
    pub(crate) fn pieces<'a>(&self, traces: &'a [Path], way: &[usize]) -> Option<Vec<Piece<'a>>> {
        let start = self.whole(traces, &[]);
        let edges = way.iter().map(|edge| self.of_edge(traces, *edge));
        std::iter::once(start).chain(edges).collect()
    }

    fn of_edge<'a>(&self, traces: &'a [Path], edge: usize) -> Option<Piece<'a>> {
        self.reached.iter().enumerate().rev().find_map(|(number, reached)| {
            let path = traces.get(reached.trace)?;
            let taken = reached.edges.checked_sub(1)?;
            let is_edge = path.edges.get(taken) == Some(&edge);
            // The page was at rest before, too, and nothing else was done between.
            let before = self.reached[..number]
                .last()
                .filter(|before| before.trace == reached.trace)?;
            (is_edge && before.edges == taken).then_some(Piece {
                trace: &path.trace,
                after: before.exchanges,
                until: reached.exchanges,
                changes: reached.changes,
            })
        })
    }
}

/// Why the server has to see a way, for what was recorded on it; nothing where it need not.
pub(crate) fn needs_server(way: &[Exchange]) -> Option<String> {
    way.iter().find_map(|exchange| {
        let named = |headers: &[(String, String)], wanted: &str| {
            headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted))
        };
        let request = &exchange.request;
        if !matches!(request.method.as_str(), "GET" | "HEAD" | "OPTIONS") {
            return Some(format!("the way sends something ({})", request.method));
        }
        if named(&request.headers, "authorization") {
            return Some("the way says who is asking".into());
        }
        if exchange.end == End::Upgraded || named(&request.headers, "upgrade") {
            return Some("the way opens a socket".into());
        }
        (exchange.end != End::Complete || exchange.response.is_none())
            .then(|| "not all of the way was answered to its end".into())
    })
}

/// Whether what was recorded belongs to a session at the server.
pub(crate) fn is_of_a_session(way: &[Exchange]) -> bool {
    let sets_cookie = |(name, _): &(String, String)| name.eq_ignore_ascii_case("set-cookie");
    let mut answers = way.iter().filter_map(|exchange| exchange.response.as_ref());
    answers.any(|answer| answer.headers.iter().any(sets_cookie))
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcheck_trace::exchange::{RequestHead, ResponseHead};

    fn asked(method: &str, request: &[(&str, &str)], response: &[(&str, &str)], end: End) -> Exchange {
        let pairs = |pairs: &[(&str, &str)]| {
            let own = pairs.iter().map(|(name, value)| ((*name).into(), (*value).into()));
            own.collect()
        };
        Exchange {
            id: 1,
            request: RequestHead {
                method: method.into(),
                url: "http://a.test/".into(),
                version: "HTTP/1.1".into(),
                headers: pairs(request),
                body: None,
            },
            response: Some(ResponseHead {
                status: 200,
                version: "HTTP/1.1".into(),
                headers: pairs(response),
                body: None,
                trailers: vec![],
            }),
            end,
            started_ms: 0.0,
            head_ms: None,
            end_ms: None,
            finished_order: 1,
            injected: false,
            imports_told: false,
            worker: None,
        }
    }

    fn check(exchange: Exchange, expected: Option<&str>) {
        let question = asked("GET", &[("cookie", "theme=dark")], &[], End::Complete);
        let why = needs_server(&[question, exchange]);
        assert_eq!(why.as_deref(), expected);
    }

    #[test]
    fn a_way_of_questions_needs_no_server() {
        check(asked("GET", &[], &[("etag", "1")], End::Complete), None);
        check(asked("HEAD", &[], &[], End::Complete), None);
    }

    #[test]
    fn what_the_server_may_remember_needs_it() {
        let complete = End::Complete;
        check(
            asked("POST", &[], &[], complete.clone()),
            Some("the way sends something (POST)"),
        );
        let cookie = [asked("GET", &[], &[("Set-Cookie", "s=1")], complete.clone())];
        let without = [asked("GET", &[], &[], complete.clone())];
        assert!(is_of_a_session(&cookie) && !is_of_a_session(&without));
        check(
            asked("GET", &[("Authorization", "Bearer x")], &[], complete),
            Some("the way says who is asking"),
        );
        check(asked("GET", &[], &[], End::Upgraded), Some("the way opens a socket"));
        for end in [End::Open, End::Aborted] {
            check(
                asked("GET", &[], &[], end),
                Some("not all of the way was answered to its end"),
            );
        }
    }

    #[test]
    fn a_way_is_found_where_a_trace_begins_with_it_alone() {
        let path = |edges: &[usize]| Path {
            trace: format!("{edges:?}"),
            edges: edges.to_vec(),
        };
        let mut trail = Trail::default();
        let mut traces = vec![path(&[])];
        trail.reach(&traces, 2, 0);
        traces[0].edges.push(4);
        trail.reach(&traces, 3, 0);
        traces[0].edges.push(5);
        trail.reach(&traces, 5, 0);
        let exchanges = |way: &[usize]| trail.whole(&traces, way).map(|piece| piece.until);
        assert_eq!(
            [exchanges(&[]), exchanges(&[4]), exchanges(&[4, 5]), exchanges(&[5])],
            [Some(2), Some(3), Some(5), None]
        );
    }

    #[test]
    fn a_way_is_put_together_where_each_of_its_edges_was_taken_from_rest_to_rest() {
        let path = |name: &str, edges: &[usize]| Path {
            trace: name.to_owned(),
            edges: edges.to_vec(),
        };
        let mut trail = Trail::default();
        let mut traces = vec![path("one", &[])];
        trail.reach(&traces, 2, 0);
        traces[0].edges.push(4);
        trail.reach(&traces, 3, 0);
        traces.push(path("two", &[]));
        trail.reach(&traces, 1, 0);
        traces[1].edges.extend([5, 6]);
        trail.reach(&traces, 7, 0);
        traces[1].edges.push(7);
        trail.reach(&traces, 9, 0);
        let pieces = |way: &[usize]| {
            let pieces = trail.pieces(&traces, way)?;
            Some(
                pieces
                    .iter()
                    .map(|piece| (piece.trace, piece.after, piece.until))
                    .collect(),
            )
        };
        let expected: Vec<(&str, ExchangeId, ExchangeId)> = vec![("two", 0, 1), ("one", 2, 3), ("two", 7, 9)];
        assert_eq!(pieces(&[4, 7]), Some(expected));
        // Where the page was between these two is not known.
        assert_eq!(pieces(&[4, 6]), None);
    }
}
