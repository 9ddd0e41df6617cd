//! Documents that take commands and the conversation with each of them.

use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot, watch};
use xcheck_proxy::{PageChannel, PageNews, PageReceiver, PageSender};
use xcheck_trace::event::LoadId;

/// What a document said by itself: a divergence or a note.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) load: LoadId,
    pub(crate) message: Value,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum PageError {
    #[error("the document went away during `{0}`")]
    Gone(&'static str),
    #[error("the document did not answer `{command}` within {} s", .after.as_secs())]
    Deadline { command: &'static str, after: Duration },
    #[error("our script in the page failed in `{command}`: {message}")]
    Failed { command: &'static str, message: String },
}

/// What was asked and not answered, by number: it is asked again on another connection, and the document knows by the
/// number what it has heard before.
type Pending = BTreeMap<u64, (Value, oneshot::Sender<Value>)>;

/// A document whose script takes commands.
#[derive(Clone)]
pub(crate) struct Page {
    pub(crate) load: LoadId,
    pub(crate) url: String,
    pub(crate) path: Vec<u32>,
    /// As the page counts them; the trace may know better.
    pub(crate) window: u32,
    /// Of the latest connection.
    sender: Arc<Mutex<PageSender>>,
    /// `None` when the document is gone.
    pending: Arc<Mutex<Option<Pending>>>,
    /// Counts its connections.
    connection: Arc<AtomicU64>,
    said_goodbye: Arc<watch::Sender<bool>>,
}

/// A document that lost its connection says goodbye or connects again. One that was ended without a word, as by a
/// crash, does neither.
const SILENCE: Duration = Duration::from_secs(20);

impl Page {
    /// `before` is the same document on an earlier connection: what was asked there may be answered here.
    pub(crate) fn open(channel: PageChannel, before: Option<&Page>, said: mpsc::UnboundedSender<Said>) -> Page {
        let text = |name: &str| channel.hello[name].as_str().unwrap_or_default().to_owned();
        let path = channel.hello["path"].as_array();
        let page = Page {
            load: channel.load,
            url: text("url"),
            window: channel.hello["window"].as_u64().unwrap_or(0) as u32,
            path: path
                .into_iter()
                .flatten()
                .filter_map(|index| u32::try_from(index.as_u64()?).ok())
                .collect(),
            sender: match before {
                Some(before) => {
                    *before.sender.lock().unwrap() = channel.sender;
                    before.sender.clone()
                }
                None => Arc::new(Mutex::new(channel.sender)),
            },
            pending: before.map_or_else(
                || Arc::new(Mutex::new(Some(Pending::new()))),
                |before| before.pending.clone(),
            ),
            connection: before.map_or_else(Arc::default, |before| before.connection.clone()),
            said_goodbye: before.map_or_else(Arc::default, |before| before.said_goodbye.clone()),
        };
        let number = page.connection.fetch_add(1, Ordering::Relaxed) + 1;
        tokio::spawn(page.clone().listen(channel.receiver, number, said));
        page
    }

    /// Something else is in its place. Its connection may stay open all the same: a browser can keep a page for the
    /// way back.
    pub(crate) fn left(&self) {
        self.pending.lock().unwrap().take();
    }

    /// It is gone as soon as its connection is: what it said on it comes first.
    pub(crate) fn says_goodbye(&self) {
        self.said_goodbye.send_replace(true);
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.pending.lock().unwrap().is_none()
    }

    /// `body` is an object; the command's name and number are added to it.
    pub(crate) async fn command(
        &self,
        command: &'static str,
        mut body: Value,
        deadline: Duration,
    ) -> Result<Value, PageError> {
        let number = next_number();
        let since = Instant::now();
        body["n"] = json!(number);
        body["do"] = json!(command);
        let (answer, answered) = oneshot::channel();
        match self.pending.lock().unwrap().as_mut() {
            Some(pending) => pending.insert(number, (body.clone(), answer)),
            None => return Err(PageError::Gone(command)),
        };
        let asked = async {
            // Without a connection it is asked on the next one, or answered by the end of the document.
            let sender = self.sender.lock().unwrap().clone();
            let _ = sender.send(body).await;
            answered.await.map_err(|_| PageError::Gone(command))
        };
        let mut message = tokio::time::timeout(deadline, asked)
            .await
            .map_err(|_| PageError::Deadline {
                command,
                after: deadline,
            })??;
        tracing::trace!(took = ?since.elapsed(), method = format_args!("page.{command}"), "the page answered");
        if let Some(message) = message["error"].as_str() {
            return Err(PageError::Failed {
                command,
                message: message.to_owned(),
            });
        }
        Ok(message["ok"].take())
    }
}

fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Page {
    async fn listen(self, mut receiver: PageReceiver, connection: u64, said: mpsc::UnboundedSender<Said>) {
        let unanswered: Vec<Value> = match self.pending.lock().unwrap().as_ref() {
            Some(pending) => pending.values().map(|(body, _)| body.clone()).collect(),
            None => return,
        };
        for body in unanswered {
            let sender = self.sender.lock().unwrap().clone();
            let _ = sender.send(body).await;
        }
        while let Some(message) = receiver.receive().await {
            let Some(number) = message["n"].as_u64() else {
                // All is over when nobody listens.
                let _ = said.send(Said {
                    load: self.load,
                    message,
                });
                continue;
            };
            let answer = self
                .pending
                .lock()
                .unwrap()
                .as_mut()
                .and_then(|pending| pending.remove(&number));
            if let Some((_, answer)) = answer {
                // Whoever asked may have met the deadline.
                let _ = answer.send(message);
            }
        }
        let mut goodbye = self.said_goodbye.subscribe();
        // Without a word from it, it is taken for gone in the end.
        let _ = tokio::time::timeout(SILENCE, goodbye.wait_for(|said| *said)).await;
        if self.connection.load(Ordering::Relaxed) == connection {
            // Whoever still waits sees that no answer will come.
            self.left();
        }
    }
}

/// Documents as they come, and what they say by themselves.
pub(crate) fn arrivals(
    news: mpsc::UnboundedReceiver<PageNews>,
) -> (mpsc::UnboundedReceiver<Page>, mpsc::UnboundedReceiver<Said>) {
    let (tell, said) = mpsc::unbounded_channel();
    let (forward, arriving) = mpsc::unbounded_channel();
    tokio::spawn(connect(news, forward, tell));
    (arriving, said)
}

/// Takes connections as they come. One of a document that is known, and not gone, goes on where the last one broke off;
/// nobody hears of it.
async fn connect(
    mut news: mpsc::UnboundedReceiver<PageNews>,
    forward: mpsc::UnboundedSender<Page>,
    tell: mpsc::UnboundedSender<Said>,
) {
    let mut known: HashMap<LoadId, Page> = HashMap::new();
    while let Some(news) = news.recv().await {
        let channel = match news {
            PageNews::Opened(channel) => channel,
            PageNews::Leaves(load) => {
                if let Some(page) = known.get(&load) {
                    page.says_goodbye();
                }
                continue;
            }
        };
        let before = known.get(&channel.load).filter(|page| !page.is_gone());
        let again = before.is_some();
        let page = Page::open(channel, before, tell.clone());
        known.insert(page.load, page.clone());
        if !again && forward.send(page).is_err() {
            return;
        }
    }
}
