//! The WebSocket between our script in a document and whoever gives it commands.

use crate::body::Body;
use crate::serve::{Awaited, switching};
use crate::session::{Mode, Session};
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::OnUpgrade;
use hyper::{HeaderMap, Response};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use xcheck_trace::event::LoadId;
use xcheck_trace::exchange::ExchangeId;

/// Page data of a large page is tens of megabytes.
const LARGEST_MESSAGE: usize = 512 * 1024 * 1024;

/// Messages that may wait for their reader before the page has to.
const WAITING: usize = 64;

/// What becomes of documents, as it comes.
#[derive(Debug)]
pub enum PageNews {
    Opened(PageChannel),
    /// The document of this load has said that it goes. What it said before may still come on its channel.
    Leaves(LoadId),
}

/// A document that came to life and whose script waits for commands.
#[derive(Debug)]
pub struct PageChannel {
    /// When a trace is served: the recorded load it is, or a number that none has.
    pub load: LoadId,
    /// The exchange that brought it, of the trace that is served or written.
    pub exchange: Option<ExchangeId>,
    /// The inside of its `{"hello": …}`.
    pub hello: Value,
    pub sender: PageSender,
    pub receiver: PageReceiver,
}

#[derive(Debug, Clone)]
pub struct PageSender(mpsc::Sender<Value>);

#[derive(Debug)]
pub struct PageReceiver(mpsc::Receiver<Value>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the document is gone")]
pub struct PageGone;

impl PageSender {
    pub async fn send(&self, message: Value) -> Result<(), PageGone> {
        self.0.send(message).await.map_err(|_| PageGone)
    }
}

impl PageReceiver {
    /// The next message; `None` when the document is gone.
    pub async fn receive(&mut self) -> Option<Value> {
        self.0.recv().await
    }
}

/// Accepts the channel of `load`. `pages` hears of it once the document has said hello.
pub(crate) fn open(
    session: &Session,
    pages: mpsc::UnboundedSender<PageNews>,
    load: LoadId,
    exchange: Option<ExchangeId>,
    headers: &HeaderMap,
    upgrade: OnUpgrade,
) -> Option<Response<Body>> {
    let response = switching(headers)?;
    let awaited = match &session.mode {
        Mode::Serve(serve) => Some(serve.awaited()),
        Mode::Record(_) | Mode::Pass => None,
    };
    session.tasks.spawn_endless(async move {
        let Ok(upgraded) = upgrade.await else { return };
        let limits = WebSocketConfig::default()
            .max_message_size(Some(LARGEST_MESSAGE))
            .max_frame_size(Some(LARGEST_MESSAGE));
        let socket = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, Some(limits)).await;
        run(socket, &pages, load, exchange, awaited.as_ref()).await;
        if let Some(awaited) = awaited {
            awaited.is_gone(load);
        }
    });
    Some(response)
}

type Socket = WebSocketStream<TokioIo<hyper::upgrade::Upgraded>>;

async fn run(
    mut socket: Socket,
    pages: &mpsc::UnboundedSender<PageNews>,
    load: LoadId,
    exchange: Option<ExchangeId>,
    awaited: Option<&Awaited>,
) {
    let Some(hello) = hello(&mut socket).await else {
        tracing::debug!(load, "a document opened its channel and did not say hello");
        return;
    };
    let (to_page, mut commands) = mpsc::channel::<Value>(WAITING);
    let (from_page, messages) = mpsc::channel(WAITING);
    let page = PageChannel {
        load,
        exchange,
        hello,
        sender: PageSender(to_page),
        receiver: PageReceiver(messages),
    };
    if pages.send(PageNews::Opened(page)).is_err() {
        return;
    }
    let (mut write, mut read) = socket.split();
    let outgoing = async {
        while let Some(command) = commands.recv().await {
            if write.send(Message::text(command.to_string())).await.is_err() {
                return;
            }
        }
        // Nobody wants the document any more.
        let _ = write.close().await;
    };
    let incoming = async {
        while let Some(Ok(message)) = read.next().await {
            let Some(message) = json(&message) else {
                if message.is_text() {
                    tracing::warn!(load, "a document said something that is not JSON");
                }
                continue;
            };
            if awaited.is_some_and(|awaited| awaited.hears(load, &message)) {
                continue;
            }
            if from_page.send(message).await.is_err() {
                return;
            }
        }
    };
    // Either end may go first.
    tokio::select! {
        () = outgoing => {}
        () = incoming => {}
    }
}

async fn hello(socket: &mut Socket) -> Option<Value> {
    loop {
        let message = socket.next().await?.ok()?;
        if message.is_text() {
            return json(&message)?.get_mut("hello").map(Value::take);
        }
    }
}

fn json(message: &Message) -> Option<Value> {
    match message {
        Message::Text(text) => serde_json::from_str(text).ok(),
        _ => None,
    }
}
