//! One exchange while it goes on. However it ends, it ends up in the trace exactly once: whoever drops the last handle
//! of an exchange that nobody ended has aborted it.

use super::head::{Passing, PassingResponse, Texts};
use super::{Command, Recorder};
use crate::inject::Script;
use bytes::Bytes;
use hyper::http::{request, response};
use hyper::{Uri, Version};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use xcheck_trace::exchange::{End, ExchangeId, WorkerPart};
use xcheck_trace::notice::{Notice, NoticeKind};

/// Bodies up to this size wait in memory until their exchange ends: one message to the trace's thread instead of many.
const HELD: usize = 32 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    Request,
    Response,
}

/// A body on its way: what is held here, and whether more of it was sent ahead.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(super) chunks: Vec<Bytes>,
    bytes: usize,
    pub(super) sent_ahead: bool,
    pub(super) whole: bool,
    /// There is a body at all, if only an empty one.
    pub(super) expected: bool,
}

impl Gathered {
    pub(super) fn held(&self) -> usize {
        self.bytes
    }
}

/// Handle of an exchange that is going on; all clones mean the same one.
#[derive(Clone)]
pub(crate) struct Recording {
    going_on: Arc<GoingOn>,
}

struct GoingOn {
    recorder: Recorder,
    id: ExchangeId,
    started: Instant,
    state: Mutex<State>,
}

struct State {
    /// Taken when the exchange ends.
    exchange: Option<Box<Passing>>,
    request: Gathered,
    response: Gathered,
    /// What is not known yet: whether the document is instrumented, and what a service worker makes of it. The body may be over
    /// before that is.
    undecided: u8,
    /// How it ended meanwhile.
    ended: Option<End>,
}

impl Recorder {
    pub(crate) fn begin(&self, request: &request::Parts, url: &Uri) -> Recording {
        let id = self.shared.last_exchange.fetch_add(1, Ordering::Relaxed) + 1;
        let exchange = Passing {
            id,
            request: Texts::of_request(&request.method, url, &request.headers),
            request_version: version(request.version),
            response: None,
            end: End::Open,
            started_ms: now_ms(),
            head_ms: None,
            end_ms: None,
            finished_order: 0,
            injected: false,
            imports_told: false,
            worker: None,
        };
        let state = State {
            exchange: Some(Box::new(exchange)),
            request: Gathered::default(),
            response: Gathered::default(),
            undecided: 0,
            ended: None,
        };
        let going_on = GoingOn {
            recorder: self.clone(),
            id,
            started: Instant::now(),
            state: Mutex::new(state),
        };
        Recording {
            going_on: Arc::new(going_on),
        }
    }
}

impl Recording {
    pub(crate) fn id(&self) -> ExchangeId {
        self.going_on.id
    }

    pub(crate) fn recorder(&self) -> &Recorder {
        &self.going_on.recorder
    }

    /// Microseconds since the request arrived.
    pub(crate) fn elapsed_us(&self) -> u64 {
        self.going_on.started.elapsed().as_micros() as u64
    }

    /// What did not come over the network, whole, begun at `started_ms` by the browser's clock.
    pub(crate) fn told(&self, response: &response::Parts, body: Bytes, started_ms: f64) {
        self.response_head(response);
        self.going_on.with(|exchange| {
            exchange.started_ms = exchange.started_ms.min(started_ms);
            exchange.head_ms = Some(0.0);
        });
        self.expect_body(Side::Response);
        self.chunk(Side::Response, body);
        self.body_whole(Side::Response);
    }

    pub(crate) fn response_head(&self, response: &response::Parts) {
        let ms = self.going_on.elapsed_ms();
        self.going_on.with(|exchange| {
            exchange.head_ms = Some(ms);
            exchange.response = Some(PassingResponse {
                status: response.status.as_u16(),
                version: version(response.version),
                headers: Texts::of(&response.headers),
                trailers: Vec::new(),
            });
        });
    }

    /// The exchange does not end before [`Recording::decided`], [`Recording::imports_told`] or [`Recording::worker`], as often as
    /// this was called.
    pub(crate) fn undecided(&self) {
        self.going_on.state().undecided += 1;
    }

    /// What a service worker had to do with it.
    pub(crate) fn worker(&self, part: WorkerPart) {
        self.going_on.with(|exchange| exchange.worker = Some(part));
        self.one_decided();
    }

    /// Which script is put into it, if it is a document.
    pub(crate) fn decided(&self, injected: Option<&Script>) {
        self.going_on.with(|exchange| {
            exchange.injected = injected.is_some();
            exchange.imports_told = injected.is_some_and(|script| script.tells_imports);
        });
        self.one_decided();
    }

    /// Whether the calls of `import()` in this script say what they promise.
    pub(crate) fn imports_told(&self, told: bool) {
        self.going_on.with(|exchange| exchange.imports_told = told);
        self.one_decided();
    }

    fn one_decided(&self) {
        let ended = {
            let mut state = self.going_on.state();
            state.undecided = state.undecided.saturating_sub(1);
            if state.undecided > 0 {
                return;
            }
            state.ended.take()
        };
        if let Some(end) = ended {
            self.end(end);
        }
    }

    pub(super) fn trailers(&self, trailers: Vec<(String, String)>) {
        self.going_on.with(|exchange| {
            if let Some(response) = &mut exchange.response {
                response.trailers = trailers;
            }
        });
    }

    pub(super) fn expect_body(&self, side: Side) {
        self.going_on.state().side(side).expected = true;
    }

    pub(super) fn chunk(&self, side: Side, chunk: Bytes) {
        let mut state = self.going_on.state();
        let Some(exchange) = &state.exchange else { return };
        let gathered = match side {
            Side::Request => &state.request,
            Side::Response => &state.response,
        };
        let ahead = gathered.sent_ahead || gathered.bytes + chunk.len() > HELD;
        let headers = (ahead && !gathered.sent_ahead).then(|| match side {
            Side::Request => exchange.request_headers(),
            Side::Response => exchange.response_headers(),
        });
        let gathered = state.side(side);
        gathered.bytes += chunk.len();
        gathered.chunks.push(chunk);
        if ahead {
            gathered.sent_ahead = true;
            gathered.bytes = 0;
            let chunks = std::mem::take(&mut gathered.chunks);
            self.recorder().send(Command::Body {
                exchange: self.id(),
                side,
                headers,
                chunks,
            });
        }
    }

    pub(super) fn body_whole(&self, side: Side) {
        self.going_on.state().side(side).whole = true;
    }

    /// Ends the exchange, unless it has ended already.
    pub(crate) fn end(&self, end: End) {
        self.going_on.end(end);
    }

    pub(crate) fn fail(&self, reason: String) {
        let url = self
            .going_on
            .state()
            .exchange
            .as_ref()
            .map(|exchange| exchange.url().to_owned());
        let Some(url) = url else { return };
        self.recorder().notice(Notice {
            kind: NoticeKind::Upstream,
            text: reason.clone(),
            url: Some(url),
            exchange: Some(self.id()),
            load: None,
        });
        self.end(End::Failed { reason });
    }
}

impl GoingOn {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with(&self, change: impl FnOnce(&mut Passing)) {
        if let Some(exchange) = &mut self.state().exchange {
            change(exchange);
        }
    }

    fn elapsed_ms(&self) -> f64 {
        (self.started.elapsed().as_micros() as f64) / 1000.0
    }

    fn end(&self, end: End) {
        let mut state = self.state();
        let Some(exchange) = &mut state.exchange else {
            return;
        };
        if end != End::Open && exchange.end_ms.is_none() {
            exchange.end_ms = Some(self.elapsed_ms());
        }
        if state.undecided > 0 {
            state.ended.get_or_insert(end);
            return;
        }
        let Some(mut exchange) = state.exchange.take() else {
            return;
        };
        exchange.end = end;
        exchange.finished_order = self.recorder.shared.last_finished.fetch_add(1, Ordering::Relaxed) + 1;
        let (request, response) = (std::mem::take(&mut state.request), std::mem::take(&mut state.response));
        self.recorder.send(Command::Ended {
            exchange,
            request,
            response,
        });
    }
}

impl Drop for GoingOn {
    fn drop(&mut self) {
        let ended = {
            let mut state = self.state();
            state.undecided = 0;
            state.ended.take()
        };
        if let Some(end) = ended {
            return self.end(end);
        }
        let end = match &self.state().exchange {
            Some(exchange)
                if exchange
                    .response
                    .as_ref()
                    .is_some_and(|response| response.status == 101) =>
            {
                End::Upgraded
            }
            _ if self.recorder.is_ending() => End::Open,
            _ => End::Aborted,
        };
        self.end(end);
    }
}

impl State {
    fn side(&mut self, side: Side) -> &mut Gathered {
        match side {
            Side::Request => &mut self.request,
            Side::Response => &mut self.response,
        }
    }
}

fn version(version: Version) -> &'static str {
    match version {
        Version::HTTP_09 => "HTTP/0.9",
        Version::HTTP_10 => "HTTP/1.0",
        Version::HTTP_2 => "HTTP/2.0",
        _ => "HTTP/1.1",
    }
}

fn now_ms() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_micros() as f64) / 1000.0
}
