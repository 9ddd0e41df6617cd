//! A recording that begins as an earlier one did: while a browser is led back to where that one was, requests are answered
//! from it, and kept as if their origin had answered. The first that it has no answer for ends that: from then on all go to
//! their origins, so that never an old answer follows a new one.
//!
//! With the answers come the cookies of then. Whether a server still knows whoever they name can be asked before it is gone on with
//! them ([`Earlier::is_still_known`]).

mod known;

use crate::body::Body;
use crate::headers;
use crate::serve::{AskedBy, Serve, ServeRules, Served, find, serve};
use crate::upstream::Upstream;
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, Uri};
use known::{Cookies, Known};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use xcheck_trace::Trace;

/// What went to origins that may have changed something there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sent {
    /// Requests that are more than questions.
    pub changes: u64,
    /// Connections that became something else, over which anything may go.
    pub sockets: u64,
}

#[derive(Default)]
pub(crate) struct Earlier(Mutex<State>);

#[derive(Default)]
struct State {
    /// The newest last; none where origins answer.
    from: Vec<Arc<Serve>>,
    /// What the earlier recording has no answer for.
    missed: Option<String>,
    /// The last page that it answered with.
    page: Option<Known>,
    /// Those that came with its answers.
    cookies: Cookies,
    sent: Sent,
}

impl Earlier {
    /// From now on, as long as it has what is asked for.
    pub(crate) fn begin(&self, trace: Arc<Trace>) {
        let mut state = self.state();
        *state = State {
            from: vec![served(trace)],
            sent: state.sent,
            ..State::default()
        };
    }

    /// From now on this one answers, and those before it what it does not have. Not where something was missing: then
    /// origins do.
    pub(crate) fn go_on(&self, trace: Arc<Trace>) {
        let mut state = self.state();
        if !state.from.is_empty() {
            state.from.push(served(trace));
        }
    }

    /// From now on origins answer. Says what was missing, if anything was.
    pub(crate) fn end(&self) -> Option<String> {
        let mut state = self.state();
        state.from.clear();
        state.missed.take()
    }

    /// Whether the server answers the last page as it was answered then, if it is asked with the cookies of then. Where none
    /// came, it knows nobody.
    pub(crate) async fn is_still_known(&self, upstream: &Upstream) -> bool {
        let (page, cookies) = {
            let state = self.state();
            (state.page.clone(), state.cookies.clone())
        };
        match page {
            _ if cookies.is_empty() => true,
            Some(page) => page.is_answered_as_then(&cookies, upstream).await,
            None => false,
        }
    }

    pub(crate) fn sent(&self) -> Sent {
        self.state().sent
    }

    /// The answer to a question that was asked before; `is_page` where it is for a window.
    pub(crate) async fn answer(&self, url: &Uri, head: &Parts, is_page: bool) -> Option<Response<Body>> {
        let from = self.state().from.clone();
        if is_question(&head.method) {
            for from in from.iter().rev() {
                let found = find(from, AskedBy::Page, &head.method, url, &head.headers, None);
                if found.is_some()
                    && let Served::Recorded { response, exchange } =
                        serve(from, AskedBy::Page, found, &head.method, url, &head.headers).await
                {
                    let mut state = self.state();
                    state.cookies.take(url, response.headers());
                    if is_page {
                        state.page = Some(Known::new(url, head, from.trace.clone(), exchange));
                    }
                    return Some(response);
                }
            }
        }
        self.miss(format!("{} {url}", head.method));
        None
    }

    /// Counts what goes to an origin, as far as it may change something there.
    pub(crate) fn goes_on<B>(&self, request: &Request<B>, url: &Uri) {
        if headers::upgrade_wanted(request.headers()).is_some() {
            self.state().sent.sockets += 1;
            self.miss(format!("a socket to {url}"));
        } else if !is_question(request.method()) {
            self.state().sent.changes += 1;
        }
    }

    fn miss(&self, what: String) {
        let mut state = self.state();
        if !state.from.is_empty() {
            state.from.clear();
            state.missed = Some(what);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nobody waits for what happens while serving: an answer that is damaged breaks off, and another page comes of it.
fn served(trace: Arc<Trace>) -> Arc<Serve> {
    Arc::new(Serve::new(trace, ServeRules::default()).0)
}

/// What a server may be asked as often as one likes (RFC 9110, 9.2.1).
fn is_question(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}
