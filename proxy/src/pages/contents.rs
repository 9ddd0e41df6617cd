//! The scripts that tell what stood in databases and caches and put it back, and what they say.

use super::limits;
use crate::inject::Errand;
use crate::record::{Command, Recorder};
use crate::serve::{Serve, ServeEvent};
use crate::session::{Mode, Session};
use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use xcheck_trace::contents::LARGEST;
use xcheck_trace::event::LoadId;
use xcheck_trace::notice::{Notice, NoticeKind};

type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// What runs before our script in a document: nothing where there is nothing to do (any more).
pub(super) async fn script(session: &Session, origin: &str, token: &str) -> Option<String> {
    let (errand, secret) = session.pages.begin_errand(token, origin).await?;
    let endpoint = format!("{}{secret}/kept", super::PREFIX);
    let (load, serve) = match (errand, &session.mode) {
        (Errand::Keep, _) => {
            return Some(xcheck_replay_js::keeper(
                &json!({"endpoint": endpoint, "limit": LARGEST}),
            ));
        }
        (Errand::Restore(load), Mode::Serve(serve)) => (load, serve),
        (Errand::Restore(_), Mode::Record(_) | Mode::Pass) => return None,
    };
    match kept(serve, load).await {
        Ok(Some(contents)) => return Some(xcheck_replay_js::restorer(&json!({"endpoint": endpoint}), &contents)),
        Ok(None) => {}
        Err(why) => serve.tell(ServeEvent::NotRestored {
            what: format!("what stood in databases and caches of {origin}: {why}"),
        }),
    }
    session.pages.end_errand(&secret, None);
    None
}

/// Lines of a load's databases and caches. They may be many megabytes.
async fn kept(serve: &Serve, load: LoadId) -> Result<Option<String>, String> {
    let load = serve.trace.load(load);
    let Some(body) = load.and_then(|load| load.storage.as_ref()?.databases.clone()) else {
        return Ok(None);
    };
    let trace = Arc::clone(&serve.trace);
    let read = move || {
        trace
            .bodies()
            .read(&body.sha256)
            .and_then(|reader| reader.bytes(LARGEST))
    };
    let bytes = tokio::task::spawn_blocking(read)
        .await
        .map_err(|error| error.to_string())?;
    let bytes = bytes.map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map(Some).map_err(|error| error.to_string())
}

/// A document went on without: that has to be said.
pub(super) fn given_up(session: &Session, origin: &str, errand: Errand) {
    match (errand, &session.mode) {
        (Errand::Restore(_), Mode::Serve(serve)) => serve.tell(ServeEvent::NotRestored {
            what: format!("what stood in databases and caches of {origin}: the page did not come to an end with it"),
        }),
        _ => session.notice(not_kept(format!(
            "What stood in databases and caches of {origin} before the session was not kept: it could not be read in time."
        ))),
    }
}

pub(super) async fn hear(session: &Session, origin: &str, secret: &str, errand: Errand, upgraded: Upgraded) {
    let largest = match errand {
        Errand::Keep => LARGEST as usize + limits::BATCH,
        Errand::Restore(_) => limits::BATCH,
    };
    let limits = WebSocketConfig::default()
        .max_message_size(Some(largest))
        .max_frame_size(Some(largest));
    let mut socket = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, Some(limits)).await;
    match (errand, &session.mode) {
        (Errand::Keep, Mode::Record(recorder)) => keep(session, recorder, origin, secret, &mut socket).await,
        (Errand::Restore(_), Mode::Serve(serve)) => hear_restored(session, serve, secret, &mut socket).await,
        _ => {}
    }
    // Whatever was not brought to an end.
    session.pages.errand_broke_off(secret);
}

/// Pieces that are confirmed one by one, until the last line of one says that there are no more.
async fn keep(session: &Session, recorder: &Recorder, origin: &str, secret: &str, socket: &mut Socket) {
    while let Some(lines) = text(socket).await {
        if !session.pages.hears_errand(secret) {
            break;
        }
        recorder.room().await;
        let end = end_in(&lines);
        recorder.send(Command::Contents {
            of: secret.to_owned(),
            origin: origin.to_owned(),
            lines,
        });
        if let Some(readable) = end {
            let kept = ended(recorder, secret, readable).await;
            match readable {
                true => session.pages.end_errand(secret, kept),
                false => session.pages.cannot_do_errand(secret),
            }
            let _ = socket.send(Message::text("")).await;
            return;
        }
        if socket.send(Message::text("")).await.is_err() {
            break;
        }
    }
    ended(recorder, secret, false).await;
}

async fn ended(recorder: &Recorder, secret: &str, keep: bool) -> Option<xcheck_trace::exchange::Body> {
    let (done, kept) = oneshot::channel();
    recorder.send(Command::ContentsEnd {
        of: secret.to_owned(),
        keep,
        done,
    });
    kept.await.ok().flatten()
}

/// Whether a piece is the last, and if so whether the origin had a storage there.
fn end_in(lines: &[u8]) -> Option<bool> {
    let last = lines.trim_ascii_end().rsplit(|byte| *byte == b'\n').next()?;
    match last {
        br#"{"end":true}"# => Some(true),
        br#"{"end":false}"# => Some(false),
        _ => None,
    }
}

async fn hear_restored(session: &Session, serve: &Serve, secret: &str, socket: &mut Socket) {
    /// Notes that are passed on.
    const MOST: usize = 20;
    #[derive(Deserialize)]
    struct Restored {
        restored: Vec<String>,
    }
    let Some(lines) = text(socket).await else { return };
    match serde_json::from_slice::<Restored>(&lines) {
        Ok(Restored { restored }) => restored
            .into_iter()
            .take(MOST)
            .for_each(|what| serve.tell(ServeEvent::NotRestored { what })),
        Err(error) => serve.tell(ServeEvent::NotRestored {
            what: format!("what stood in databases and caches: {error}"),
        }),
    }
    session.pages.end_errand(secret, None);
    let _ = socket.send(Message::text("")).await;
}

/// The next message; `None` when there are no more.
async fn text(socket: &mut Socket) -> Option<Bytes> {
    loop {
        if let Message::Text(text) = socket.next().await?.ok()? {
            return Some(text.into());
        }
    }
}

fn not_kept(text: String) -> Notice {
    Notice::new(NoticeKind::NotKept, text)
}

#[cfg(test)]
mod tests {
    use super::end_in;

    #[test]
    fn only_the_last_line_of_a_piece_ends_it() {
        assert_eq!(end_in(b"{\"record\":1}\n{\"end\":true}\n"), Some(true));
        assert_eq!(end_in(b"{\"end\":false}"), Some(false));
        assert_eq!(end_in(b"{\"end\":true}\n{\"record\":1}\n"), None);
        assert_eq!(end_in(b""), None);
    }
}
