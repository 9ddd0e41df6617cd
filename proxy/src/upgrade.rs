//! Connections that become something else, WebSockets above all.
//!
//! The origin is asked first and its own 101 goes back to the client; then bytes are relayed as they are, and a WebSocket's
//! are read along the way. Relaying bytes rather than messages keeps pings, fragments and close codes what they were.
//! Compression is not offered to the origin, so that what passes can be read.

use crate::body::{self, Body};
use crate::failure::Failure;
use crate::faults::Losing;
use crate::forward::prepare_head;
use crate::frames::{Message, Reader};
use crate::headers;
use crate::record::{Command, Recording, Tee};
use crate::session::Session;
use bytes::Bytes;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderValue, SEC_WEBSOCKET_EXTENSIONS, UPGRADE};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper::{Request, Response, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use xcheck_trace::exchange::{Frame, Payload, Peer};
use xcheck_trace::notice::{Notice, NoticeKind};

const WEBSOCKET: &str = "websocket";

pub(crate) async fn upgrade(
    session: &Arc<Session>,
    url: Uri,
    request: Request<Incoming>,
    protocol: &str,
) -> Response<Body> {
    let (mut head, incoming) = request.into_parts();
    let recording = match session.recorder() {
        None => None,
        Some(recorder) => {
            recorder.room().await;
            Some(recorder.begin(&head, &url))
        }
    };
    let client = head.extensions.remove::<OnUpgrade>();
    prepare_head(&mut head, url.clone());
    ask_for(protocol, &mut head.headers);
    if protocol == WEBSOCKET {
        head.headers.remove(SEC_WEBSOCKET_EXTENSIONS);
    }
    let body = match &recording {
        Some(recording) => Tee::request(incoming, recording),
        None => body::boxed(incoming),
    };
    match session.upstream.send_upgrade(Request::from_parts(head, body)).await {
        Ok(response) => answer(session, &url, protocol, client, response, recording),
        Err(error) => {
            let failure = Failure::upstream(&error, &url.to_string());
            if let Some(recording) = &recording {
                recording.fail(failure.reason());
            }
            failure.page()
        }
    }
}

/// Passes the origin's answer on; when it is a 101, starts to relay.
fn answer(
    session: &Session,
    url: &Uri,
    protocol: &str,
    client: Option<OnUpgrade>,
    response: Response<Incoming>,
    recording: Option<Recording>,
) -> Response<Body> {
    let (mut head, incoming) = response.into_parts();
    if let Some(recording) = &recording {
        recording.response_head(&head);
    }
    let (Some(client), StatusCode::SWITCHING_PROTOCOLS) = (client, head.status) else {
        headers::remove_hop_by_hop(&mut head.headers);
        let body = match recording {
            Some(recording) => body::boxed(Tee::response(incoming, recording)),
            None => body::boxed(incoming),
        };
        return Response::from_parts(head, body);
    };
    let origin = hyper::upgrade::on(Response::from_parts(head.clone(), incoming));
    let answered = headers::upgrade_wanted(&head.headers).unwrap_or_else(|| protocol.to_owned());
    headers::remove_hop_by_hop(&mut head.headers);
    ask_for(&answered, &mut head.headers);
    let websocket = protocol == WEBSOCKET;
    if let (Some(recording), false) = (&recording, websocket) {
        let text = format!("A connection to {url} became `{protocol}`; it passed, but what was said was not recorded.");
        let (url, exchange) = (Some(url.to_string()), Some(recording.id()));
        recording.recorder().notice(Notice {
            kind: NoticeKind::Unsupported,
            text,
            url,
            exchange,
            load: None,
        });
    }
    let losing = session.faults.of_messages(url).filter(|_| websocket);
    session
        .tasks
        .spawn_endless(relay(client, origin, recording, websocket, losing));
    Response::from_parts(head, body::empty())
}

fn ask_for(protocol: &str, headers: &mut hyper::HeaderMap) {
    headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    if let Ok(protocol) = HeaderValue::from_str(protocol) {
        headers.insert(UPGRADE, protocol);
    }
}

async fn relay(
    client: OnUpgrade,
    origin: OnUpgrade,
    recording: Option<Recording>,
    websocket: bool,
    losing: Option<Losing>,
) {
    let (client, origin) = match tokio::try_join!(client, origin) {
        Ok(both) => both,
        Err(error) => {
            if let Some(recording) = recording {
                recording.fail(format!("The connection broke off while it was upgraded: {error}"));
            }
            return;
        }
    };
    let (from_client, to_client) = split(TokioIo::<Upgraded>::new(client));
    let (from_origin, to_origin) = split(TokioIo::<Upgraded>::new(origin));
    let watch = |peer| {
        recording
            .clone()
            .filter(|_| websocket)
            .map(|recording| Watch::new(recording, peer))
    };
    let both = tokio::join!(
        one_way(from_client, to_origin, watch(Peer::Client), None),
        one_way(from_origin, to_client, watch(Peer::Server), losing),
    );
    if let (Err(error), _) | (_, Err(error)) = both {
        tracing::debug!(%error, "an upgraded connection broke off");
    }
}

/// Relays until one side has nothing more to say, and says so to the other.
async fn one_way(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut watch: Option<Watch>,
    mut losing: Option<Losing>,
) -> io::Result<()> {
    let mut buffer = vec![0; 16 * 1024];
    let result = loop {
        let count = match from.read(&mut buffer).await {
            Ok(0) => break Ok(()),
            Ok(count) => count,
            Err(error) => break Err(error),
        };
        if let Some(watch) = &mut watch {
            watch.see(&buffer[..count]).await;
        }
        let kept = losing.as_mut().map(|losing| losing.pass(&buffer[..count]));
        let (bytes, goes_on) = match &kept {
            Some((kept, goes_on)) => (&kept[..], *goes_on),
            None => (&buffer[..count], true),
        };
        if let Err(error) = to.write_all(bytes).await {
            break Err(error);
        }
        if !goes_on {
            break Ok(());
        }
    };
    to.shutdown().await.and(result)
}

/// Writes down the messages that one side sends.
struct Watch {
    recording: Recording,
    peer: Peer,
    reader: Reader,
}

impl Watch {
    fn new(recording: Recording, peer: Peer) -> Self {
        Watch {
            recording,
            peer,
            reader: Reader::default(),
        }
    }

    async fn see(&mut self, bytes: &[u8]) {
        self.recording.recorder().room().await;
        let mut messages = Vec::new();
        let troubles = self.reader.read(bytes, &mut messages);
        for message in messages {
            self.keep(message);
        }
        if let Some(trouble) = troubles {
            let notice = Notice {
                kind: NoticeKind::NotKept,
                text: format!("Messages of a WebSocket were not kept: {trouble}."),
                url: None,
                exchange: Some(self.recording.id()),
                load: None,
            };
            self.recording.recorder().notice(notice);
        }
    }

    fn keep(&self, message: Message) {
        let frame = |payload| Frame {
            exchange: self.recording.id(),
            from: self.peer,
            at_us: self.recording.elapsed_us(),
            payload,
        };
        let command = match message {
            Message::Text(text) => Command::Frame(frame(Payload::Text { text })),
            Message::Close { code, reason } => Command::Frame(frame(Payload::Close { code, reason })),
            Message::Binary(bytes) => {
                Command::BinaryFrame(frame(Payload::Text { text: String::new() }), Bytes::from(bytes))
            }
        };
        self.recording.recorder().send(command);
    }
}
