//! Batches of log lines from pages: checked, counted, and handed to the trace.

use super::log::{self, Line};
use super::windows::Arrival;
use super::{PageLoad, limits};
use crate::body::BoxError;
use crate::record::{Command, Recorder};
use crate::session::Session;
use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use xcheck_trace::event::LoadId;
use xcheck_trace::notice::{Notice, NoticeKind};

/// Keeps what is understood and belongs here; what is refused becomes a notice.
///
/// `number` is the page's own count: a page that is told of no answer sends a batch again that may have arrived.
pub(super) async fn take(
    session: &Session,
    recorder: &Recorder,
    origin: &str,
    secret: &str,
    number: Option<u32>,
    body: Incoming,
) {
    recorder.room().await;
    let batch = Limited::new(body, limits::BATCH).collect().await;
    let batch = batch.map(|collected| collected.to_bytes());
    if let Err(why) = keep(session, recorder, origin, secret, number, batch) {
        recorder.notice(why);
    }
    session.pages.changed.send_modify(|count| *count += 1);
}

/// Batches of one page, each confirmed by an empty message once it was taken: its first line is its number.
pub(super) async fn take_all(session: &Session, origin: &str, secret: &str, upgraded: Upgraded) {
    let Some(recorder) = session.recorder() else { return };
    let limits = WebSocketConfig::default()
        .max_message_size(Some(limits::BATCH))
        .max_frame_size(Some(limits::BATCH));
    let mut socket = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, Some(limits)).await;
    // One that breaks off is no news: the page keeps what was not confirmed, and sends it otherwise.
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else { continue };
        let text = Bytes::from(text);
        let end = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
        let number = str::from_utf8(&text[..end]).ok().and_then(|number| number.parse().ok());
        recorder.room().await;
        if let Err(why) = keep(session, recorder, origin, secret, number, Ok(text.slice(end..))) {
            recorder.notice(why);
        }
        session.pages.changed.send_modify(|count| *count += 1);
        if socket.send(Message::text("")).await.is_err() {
            return;
        }
    }
}

fn keep(
    session: &Session,
    recorder: &Recorder,
    origin: &str,
    secret: &str,
    number: Option<u32>,
    batch: Result<Bytes, BoxError>,
) -> Result<(), Notice> {
    let mut state = session.pages.state();
    let session_bytes = state.bytes;
    let Some(page) = state.loads.get_mut(secret).filter(|page| page.origin == origin) else {
        return Err(refused(
            None,
            format!("A log that came to {origin} belongs to no page of this session there."),
        ));
    };
    page.spoke = true;
    let batch = match batch {
        Ok(batch) => batch,
        Err(error) if error.is::<LengthLimitError>() => {
            return page.refuse(format!(
                "A batch of more than {} MiB was not kept.",
                limits::BATCH / 1024 / 1024
            ));
        }
        Err(error) => return page.refuse(format!("A batch broke off and was not kept: {error}.")),
    };
    let size = batch.len() as u64;
    if page.bytes + size > limits::LOAD || session_bytes + size > limits::SESSION {
        return page.refuse("The page's log is over its limit; what it sends from now on is not kept.".to_owned());
    }
    if number.is_some_and(|number| !page.is_first(number)) {
        return Ok(());
    }
    page.bytes += size;
    // It stayed after all, or came back.
    page.last = page.last.filter(|last| number.is_some_and(|number| number < *last));
    let (mut trouble, mut hello) = (Ok(()), None);
    for line in batch
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty())
    {
        match log::parse(line.trim_ascii(), page.load) {
            Ok(Line::Hello(_)) if page.greeted => trouble = page.refuse("A page said hello twice.".to_owned()),
            Ok(Line::Hello(mut said)) => {
                page.greeted = true;
                said.has_databases(page.asked, page.databases.take());
                hello = Some(said);
            }
            Ok(Line::Event(event)) => recorder.send(Command::Event(event)),
            Ok(Line::Source(source)) => recorder.send(Command::Source(source)),
            Ok(Line::Notice(notice)) => recorder.notice(notice),
            Ok(Line::Bye) => page.last = number,
            Err(error) => trouble = page.refuse(format!("A line of a page's log was not understood: {error}.")),
        }
    }
    let (load, exchange, leaves) = (page.load, page.exchange, page.last.is_some());
    state.bytes += size;
    if let Some(hello) = hello {
        let loads = state.windows.arrive(Arrival {
            load,
            exchange,
            hello: *hello,
        });
        loads
            .into_iter()
            .for_each(|load| recorder.send(Command::Load(Box::new(load))));
    }
    state.windows.touch(load, leaves);
    trouble
}

impl PageLoad {
    /// Whether no batch of this number came before. Batches that are sent again are recent ones.
    fn is_first(&mut self, number: u32) -> bool {
        if self.batches.contains(&number) {
            return false;
        }
        if self.batches.len() == limits::BATCHES_REMEMBERED {
            self.batches.pop_front();
        }
        self.batches.push_back(number);
        self.taken += 1;
        true
    }

    /// Counts a refusal; only the first few are told of.
    fn refuse(&mut self, text: String) -> Result<(), Notice> {
        self.refusals += 1;
        if self.refusals > limits::REFUSALS_TOLD {
            Ok(())
        } else {
            Err(refused(Some(self.load), text))
        }
    }
}

fn refused(load: Option<LoadId>, text: String) -> Notice {
    Notice {
        kind: NoticeKind::LogRefused,
        text,
        url: None,
        exchange: None,
        load,
    }
}
