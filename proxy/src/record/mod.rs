//! Keeps what passes: exchanges, page logs, WebSocket frames.
//!
//! One thread owns the trace's files; everything else sends it commands and goes on. Hashing and compressing therefore
//! cost the page nothing but the processor's time, and a full disk is met in one place. What waits for the thread is
//! bounded: bodies stop flowing while it is too far behind.

mod contents;
mod exchange;
mod head;
mod queue;
mod tee;
mod thread;
mod workers;

pub(crate) use exchange::{Recording, Side};
pub(crate) use tee::Tee;
pub use thread::{Counts, Summary};

use exchange::Gathered;
use head::Passing;
use queue::Queue;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tokio::sync::{oneshot, watch};
use xcheck_trace::TraceWriter;
use xcheck_trace::event::{Event, Load, SourceText};
use xcheck_trace::exchange::{Body, ExchangeId, Frame};
use xcheck_trace::notice::Notice;

pub(crate) enum Command {
    /// A body too large to be held until its exchange ends. `headers` come with its first chunk.
    Body {
        exchange: ExchangeId,
        side: Side,
        headers: Option<Vec<(String, String)>>,
        chunks: Vec<bytes::Bytes>,
    },
    Ended {
        exchange: Box<Passing>,
        request: Gathered,
        response: Gathered,
    },
    Frame(Frame),
    BinaryFrame(Frame, bytes::Bytes),
    Load(Box<Load>),
    Event(Box<Event>),
    Source(SourceText),
    Notice(Notice),
    /// A worker that a document has made has got our script.
    MadeWorker,
    /// More of what stands in an origin's databases and caches, as the document of this secret tells it.
    Contents {
        of: String,
        origin: String,
        lines: bytes::Bytes,
    },
    /// There is no more of it. Answered by what was kept of it, if anything.
    ContentsEnd {
        of: String,
        keep: bool,
        done: oneshot::Sender<Option<Body>>,
    },
    Finish(oneshot::Sender<Summary>),
}

/// Where everything that is to be kept is sent. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Recorder {
    shared: Arc<Shared>,
}

struct Shared {
    trace: TraceWriter,
    service_workers: bool,
    queue: Arc<Queue>,
    last_exchange: AtomicU64,
    last_finished: AtomicU64,
    ending: AtomicBool,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.queue.close();
    }
}

impl Recorder {
    /// No command line said it, and no page yet.
    pub(crate) fn lacks_time_zone(&self) -> bool {
        self.shared.trace.manifest().time_zone.is_none()
    }

    pub(crate) fn has_service_workers(&self) -> bool {
        self.shared.service_workers
    }

    /// The number of the exchange that began last.
    pub(crate) fn last_exchange(&self) -> ExchangeId {
        self.shared.last_exchange.load(Ordering::Relaxed)
    }

    /// Starts the thread that owns `trace`.
    pub(crate) fn start(trace: TraceWriter) -> std::io::Result<(Recorder, watch::Receiver<Counts>)> {
        let queue = Arc::<Queue>::default();
        let counts = watch::Sender::new(Counts::default());
        let receiver_of_counts = counts.subscribe();
        let keeper = thread::Keeper::new(trace.clone(), queue.clone(), counts);
        std::thread::Builder::new()
            .name("xcheck-trace".into())
            .spawn(move || keeper.run())?;
        let shared = Shared {
            service_workers: trace.manifest().service_workers,
            trace,
            queue,
            last_exchange: AtomicU64::new(0),
            last_finished: AtomicU64::new(0),
            ending: AtomicBool::new(false),
        };
        Ok((
            Recorder {
                shared: Arc::new(shared),
            },
            receiver_of_counts,
        ))
    }

    pub(crate) fn send(&self, command: Command) {
        if self.shared.queue.push(command).is_err() {
            tracing::error!("the trace is closed already; something was not kept");
        }
    }

    pub(crate) fn notice(&self, notice: Notice) {
        self.send(Command::Notice(notice));
    }

    pub(crate) fn made_worker(&self) {
        self.send(Command::MadeWorker);
    }

    /// Waits until the thread has caught up enough to take more.
    pub(crate) async fn room(&self) {
        self.shared.queue.room().await;
    }

    pub(crate) fn is_full(&self) -> bool {
        self.shared.queue.is_full()
    }

    /// What ends from now on ends because the recording does.
    pub(crate) fn begin_ending(&self) {
        self.shared.ending.store(true, Ordering::Relaxed);
    }

    fn is_ending(&self) -> bool {
        self.shared.ending.load(Ordering::Relaxed)
    }

    /// Writes all that was sent and closes the trace.
    pub(crate) async fn finish(&self) -> Summary {
        let (sender, receiver) = oneshot::channel();
        self.send(Command::Finish(sender));
        receiver.await.unwrap_or_else(|_| Summary {
            folder: self.shared.trace.folder().to_owned(),
            written: self.shared.trace.written(),
            notices: Vec::new(),
            not_written: vec!["The thread that writes the trace failed; what came after that is not in it.".to_owned()],
        })
    }
}

impl Command {
    /// Roughly how much memory it holds while it waits.
    fn weight(&self) -> usize {
        let head = 512;
        head + match self {
            Command::Body { chunks, .. } => chunks.iter().map(bytes::Bytes::len).sum(),
            Command::Ended { request, response, .. } => 2 * 1024 + request.held() + response.held(),
            Command::BinaryFrame(_, bytes) => bytes.len(),
            Command::Frame(Frame {
                payload: xcheck_trace::exchange::Payload::Text { text },
                ..
            }) => text.len(),
            Command::Source(source) => source.text.len(),
            Command::Contents { lines, .. } => lines.len(),
            _ => 512,
        }
    }
}
