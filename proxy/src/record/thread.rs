//! The thread that owns the trace's files.

use super::Command;
use super::contents::Arriving;
use super::exchange::{Gathered, Side};
use super::queue::Queue;
use super::workers::Workers;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::sync::{oneshot, watch};
use xcheck_trace::event::Load;
use xcheck_trace::exchange::{Body, Exchange, ExchangeId, Frame, Payload};
use xcheck_trace::manifest::Viewport;
use xcheck_trace::notice::{Notice, NoticeKind};
use xcheck_trace::{RecordedBody, StoreError, TraceWriter, Written};

/// Warnings remembered for the summary; all of them are in the trace.
const MOST_WARNINGS: usize = 1_000;

/// What a live line shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub pages: u64,
    pub events: u64,
    pub requests: u64,
    pub bytes: u64,
}

/// What a recording came to.
#[derive(Debug, Clone)]
pub struct Summary {
    pub folder: PathBuf,
    pub written: Written,
    /// The first of the trace's notices, as they came; `written.notices` counts them all.
    pub notices: Vec<Notice>,
    /// What could not be written, and why.
    pub not_written: Vec<String>,
}

pub(super) struct Keeper {
    trace: TraceWriter,
    queue: Arc<Queue>,
    counts: watch::Sender<Counts>,
    bodies: HashMap<(ExchangeId, Side), RecordedBody>,
    /// By the secret of the document that tells them.
    contents: HashMap<String, Arriving>,
    workers: Workers,
    notices: Vec<Notice>,
    not_written: Vec<String>,
    manifest_complete: bool,
}

impl Keeper {
    pub(super) fn new(trace: TraceWriter, queue: Arc<Queue>, counts: watch::Sender<Counts>) -> Self {
        Keeper {
            trace,
            queue,
            counts,
            bodies: HashMap::new(),
            contents: HashMap::new(),
            workers: Workers::default(),
            notices: Vec::new(),
            not_written: Vec::new(),
            manifest_complete: false,
        }
    }

    /// Until the trace is finished, or nobody is left who could send anything. What has gathered is written and flushed
    /// at one go.
    pub(super) fn run(mut self) {
        loop {
            let commands = self.queue.take();
            if commands.is_empty() {
                return;
            }
            for command in commands {
                let weight = command.weight();
                if let Command::Finish(done) = command {
                    return self.finish(done);
                }
                let result = self.keep(command);
                self.note(result);
                self.queue.done(weight);
            }
            let result = self.trace.flush();
            self.note(result);
            self.count();
        }
    }

    fn keep(&mut self, command: Command) -> Result<(), StoreError> {
        match command {
            Command::Body {
                exchange,
                side,
                headers,
                chunks,
            } => {
                self.body(exchange, side, headers, &chunks);
                Ok(())
            }
            Command::Ended {
                exchange,
                request,
                response,
            } => self.ended(exchange.as_exchange(), request, response),
            Command::Frame(frame) => self.trace.frame(&frame),
            Command::BinaryFrame(frame, bytes) => self.binary_frame(frame, &bytes),
            Command::Load(load) => self.load(&load),
            Command::Event(event) => {
                self.workers.see_event(&event);
                self.trace.event(&event)
            }
            Command::Source(source) => self.trace.source(&source),
            Command::Notice(notice) => self.notice(notice),
            Command::MadeWorker => {
                self.workers.see_made();
                Ok(())
            }
            Command::Contents { of, origin, lines } => self.contents(of, origin, &lines),
            Command::ContentsEnd { of, keep, done } => self.end_contents(&of, keep, done),
            Command::Finish(_) => unreachable!("handled by run"),
        }
    }

    fn body(
        &mut self,
        exchange: ExchangeId,
        side: Side,
        headers: Option<Vec<(String, String)>>,
        chunks: &[bytes::Bytes],
    ) {
        let key = (exchange, side);
        if let Some(headers) = headers {
            self.bodies.insert(key, self.trace.body(&headers));
        }
        // A body that failed to be written is gone from here, and its exchange will say that it was not kept.
        let Some(body) = self.bodies.get_mut(&key) else {
            return;
        };
        if let Err(error) = chunks.iter().try_for_each(|chunk| body.write(chunk)) {
            self.bodies.remove(&key);
            self.not_kept(exchange, error);
        }
    }

    fn ended(&mut self, mut exchange: Exchange<&str>, request: Gathered, response: Gathered) -> Result<(), StoreError> {
        let id = exchange.id;
        self.workers.see_request(&exchange.request);
        let body = self.end_body((id, Side::Request), request, &exchange.request.headers);
        exchange.request.body = self.kept_or_noted(id, body);
        if let Some(head) = &mut exchange.response {
            let body = self.end_body((id, Side::Response), response, &head.headers);
            head.body = self.kept_or_noted(id, body);
        }
        self.trace.exchange(&exchange)
    }

    fn end_body(
        &mut self,
        key: (ExchangeId, Side),
        gathered: Gathered,
        headers: &[(&str, &str)],
    ) -> Result<Option<Body>, StoreError> {
        let mut body = match self.bodies.remove(&key) {
            Some(body) => body,
            // What was sent ahead could not be written; that was said when it happened.
            None if gathered.sent_ahead || !gathered.expected => return Ok(None),
            None => self.trace.body(headers),
        };
        for chunk in &gathered.chunks {
            body.write(chunk)?;
        }
        let body = if gathered.whole {
            body.finish()?
        } else {
            body.finish_partial()?
        };
        Ok(Some(body))
    }

    /// An exchange without its body is worth more than none.
    fn kept_or_noted(&mut self, exchange: ExchangeId, body: Result<Option<Body>, StoreError>) -> Option<Body> {
        match body {
            Ok(body) => body,
            Err(error) => {
                self.not_kept(exchange, error);
                None
            }
        }
    }

    fn not_kept(&mut self, exchange: ExchangeId, error: StoreError) {
        let text = format!("The body of an exchange was not kept: {error}.");
        let notice = Notice {
            kind: NoticeKind::NotKept,
            text,
            url: None,
            exchange: Some(exchange),
            load: None,
        };
        let result = self.notice(notice);
        self.note(result);
        self.note(Err(error));
    }

    fn contents(&mut self, of: String, origin: String, lines: &[u8]) -> Result<(), StoreError> {
        let arriving = self.contents.entry(of);
        let arriving = arriving.or_insert_with(|| Arriving::new(origin, self.trace.contents()));
        let notices = arriving.take(lines);
        notices.into_iter().try_for_each(|notice| self.notice(notice))
    }

    fn end_contents(&mut self, of: &str, keep: bool, done: oneshot::Sender<Option<Body>>) -> Result<(), StoreError> {
        let ended = match self.contents.remove(of).filter(|_| keep) {
            Some(arriving) => arriving.finish(),
            None => Ok((None, None)),
        };
        let (kept, result) = match ended {
            Ok((kept, notice)) => (kept, notice.map_or(Ok(()), |notice| self.notice(notice))),
            Err(error) => (None, Err(error)),
        };
        // A document that is gone does not wait for it.
        let _ = done.send(kept);
        result
    }

    fn binary_frame(&mut self, mut frame: Frame, bytes: &[u8]) -> Result<(), StoreError> {
        let mut body = self.trace.body::<&str>(&[]);
        body.write(bytes)?;
        frame.payload = Payload::Binary { body: body.finish()? };
        self.trace.frame(&frame)
    }

    /// The first page tells what no command line did: time zone, languages, viewport.
    fn load(&mut self, load: &Load) -> Result<(), StoreError> {
        self.trace.load(load)?;
        if self.manifest_complete || !load.path.is_empty() {
            return Ok(());
        }
        self.manifest_complete = true;
        self.trace.update_manifest(|manifest| {
            manifest.start_url.get_or_insert_with(|| load.url.clone());
            manifest.time_zone.get_or_insert_with(|| load.time_zone.clone());
            let [width, height] = load.viewport.map(|side| side.round().max(0.0) as u32);
            manifest.viewport.get_or_insert(Viewport { width, height });
            if manifest.languages.is_empty() {
                manifest.languages.clone_from(&load.languages);
            }
            match &mut manifest.browser {
                Some(browser) if browser.user_agent.is_empty() => browser.user_agent.clone_from(&load.user_agent),
                Some(_) => {}
                None => manifest.browser = crate::user_agent::browser(&load.user_agent),
            }
        })
    }

    fn notice(&mut self, notice: Notice) -> Result<(), StoreError> {
        let result = self.trace.notice(&notice);
        if self.notices.len() < MOST_WARNINGS {
            self.notices.push(notice);
        }
        result
    }

    fn note(&mut self, result: Result<(), StoreError>) {
        let Err(error) = result else { return };
        let text = error.to_string();
        if self.not_written.len() < MOST_WARNINGS && !self.not_written.contains(&text) {
            tracing::error!("{text}");
            self.not_written.push(text);
        }
    }

    fn count(&self) {
        let written = self.trace.written();
        self.counts.send_replace(Counts {
            pages: written.pages,
            events: written.events,
            requests: written.exchanges,
            bytes: written.body_bytes,
        });
    }

    fn finish(mut self, done: oneshot::Sender<Summary>) {
        self.bodies.clear();
        self.contents.clear();
        if let Some(notice) = self.workers.notice() {
            let result = self.notice(notice);
            self.note(result);
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let result = self.trace.finish(now.as_millis() as u64);
        self.note(result);
        self.count();
        let summary = Summary {
            folder: self.trace.folder().to_owned(),
            written: self.trace.written(),
            notices: std::mem::take(&mut self.notices),
            not_written: std::mem::take(&mut self.not_written),
        };
        // Nobody waits for the summary of a proxy that was dropped rather than stopped.
        let _ = done.send(summary);
    }
}

/// However the thread ends, nobody must wait for it any longer.
impl Drop for Keeper {
    fn drop(&mut self) {
        self.queue.abandon();
    }
}
