//! Keeps what passes: exchanges, page logs, WebSocket frames.
//!
//! One thread owns the trace's files; everything else sends it commands and goes on. Hashing and compressing therefore
//! cost the page nothing but the processor's time, and a full disk is met in one place. What waits for the thread is
//! bounded: bodies stop flowing while it is too far behind.

mod exchange;
mod tee;
mod thread;

pub(crate) use exchange::{Recording, Side};
pub(crate) use tee::Tee;
pub use thread::{Counts, Summary};

use exchange::Gathered;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc;
use tokio::sync::{Notify, oneshot, watch};
use xcheck_trace::TraceWriter;
use xcheck_trace::event::{Event, Load, SourceText};
use xcheck_trace::exchange::{Exchange, ExchangeId, Frame};
use xcheck_trace::notice::Notice;

/// Bytes that may wait for the thread before bodies stop flowing.
const MOST_WAITING: usize = 8 * 1024 * 1024;

pub(crate) enum Command {
    /// A body too large to be held until its exchange ends. `headers` come with its first chunk.
    Body {
        exchange: ExchangeId,
        side: Side,
        headers: Option<Vec<(String, String)>>,
        chunks: Vec<bytes::Bytes>,
    },
    Ended {
        exchange: Box<Exchange>,
        request: Gathered,
        response: Gathered,
    },
    Frame(Frame),
    BinaryFrame(Frame, bytes::Bytes),
    Load(Box<Load>),
    Event(Box<Event>),
    Source(SourceText),
    Notice(Notice),
    Finish(oneshot::Sender<Summary>),
}

/// Where everything that is to be kept is sent. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Recorder {
    shared: Arc<Shared>,
}

struct Shared {
    trace: TraceWriter,
    commands: mpsc::Sender<Command>,
    backlog: Arc<Backlog>,
    last_exchange: AtomicU64,
    last_finished: AtomicU64,
    ending: AtomicBool,
}

#[derive(Default)]
pub(crate) struct Backlog {
    bytes: AtomicUsize,
    shrunk: Notify,
    /// The thread is gone; nobody will ever catch up.
    abandoned: AtomicBool,
}

impl Recorder {
    /// Starts the thread that owns `trace`.
    pub(crate) fn start(trace: TraceWriter) -> std::io::Result<(Recorder, watch::Receiver<Counts>)> {
        let (commands, receiver) = mpsc::channel();
        let backlog = Arc::<Backlog>::default();
        let counts = watch::Sender::new(Counts::default());
        let receiver_of_counts = counts.subscribe();
        let keeper = thread::Keeper::new(trace.clone(), backlog.clone(), counts);
        std::thread::Builder::new()
            .name("xcheck-trace".into())
            .spawn(move || keeper.run(receiver))?;
        let shared = Shared {
            trace,
            commands,
            backlog,
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
        self.shared.backlog.bytes.fetch_add(command.weight(), Ordering::Relaxed);
        if self.shared.commands.send(command).is_err() {
            tracing::error!("the trace is closed already; something was not kept");
        }
    }

    pub(crate) fn notice(&self, notice: Notice) {
        self.send(Command::Notice(notice));
    }

    /// Waits until the thread has caught up enough to take more.
    pub(crate) async fn room(&self) {
        while self.is_full() {
            let shrunk = self.shared.backlog.shrunk.notified();
            if !self.is_full() {
                return;
            }
            shrunk.await;
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        let backlog = &self.shared.backlog;
        backlog.bytes.load(Ordering::Relaxed) > MOST_WAITING && !backlog.abandoned.load(Ordering::Relaxed)
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

impl Backlog {
    fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
        self.shrunk.notify_waiters();
    }

    fn shrink(&self, bytes: usize) {
        let before = self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        if before > MOST_WAITING && before - bytes <= MOST_WAITING {
            self.shrunk.notify_waiters();
        }
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
            _ => 512,
        }
    }
}
