//! One task owns the WebSocket; everybody else sends it commands and gets answers.

use crate::browser::DriverError;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Message, protocol::WebSocketConfig};

type Socket = WebSocketStream<TcpStream>;

/// `(error, message)` of the protocol.
type Answer = Result<Value, (String, String)>;

struct Call {
    method: &'static str,
    params: Value,
    answer: oneshot::Sender<Answer>,
}

#[derive(Debug)]
pub(super) struct Event {
    pub(super) method: String,
    pub(super) params: Value,
}

#[derive(Clone)]
pub(super) struct Connection {
    calls: mpsc::UnboundedSender<Call>,
    deadline: Duration,
}

impl Connection {
    pub(super) async fn open(
        address: &str,
        deadline: Duration,
    ) -> Result<(Connection, mpsc::UnboundedReceiver<Event>), DriverError> {
        let what = || "connect".to_owned();
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let refused = |message: String| DriverError::Refused { what: what(), message };
        let connect = async {
            let host = address
                .trim_start_matches("ws://")
                .split('/')
                .next()
                .unwrap_or_default();
            let stream = TcpStream::connect(host)
                .await
                .map_err(|error| refused(error.to_string()))?;
            stream.set_nodelay(true).map_err(|error| refused(error.to_string()))?;
            tokio_tungstenite::client_async_with_config(address, stream, Some(config))
                .await
                .map_err(|error| refused(error.to_string()))
        };
        let (socket, _) = tokio::time::timeout(deadline, connect)
            .await
            .map_err(|_| DriverError::Deadline {
                what: what(),
                after: deadline,
            })??;
        let (calls, to_send) = mpsc::unbounded_channel();
        let (tell, events) = mpsc::unbounded_channel();
        tokio::spawn(run(socket, to_send, tell));
        Ok((Connection { calls, deadline }, events))
    }

    pub(super) async fn call(&self, method: &'static str, params: Value) -> Result<Value, DriverError> {
        let what = || method.to_owned();
        let gone = || DriverError::Gone {
            what: what(),
            stderr: Vec::new(),
        };
        let (answer, answered) = oneshot::channel();
        self.calls.send(Call { method, params, answer }).map_err(|_| gone())?;
        let answer = tokio::time::timeout(self.deadline, answered)
            .await
            .map_err(|_| DriverError::Deadline {
                what: what(),
                after: self.deadline,
            })?
            .map_err(|_| gone())?;
        answer.map_err(|(error, message)| match error.as_str() {
            "no such frame" | "no such history entry" if method == "browsingContext.traverseHistory" => {
                DriverError::Refused { what: what(), message }
            }
            "no such frame" => DriverError::Interrupted { what: what() },
            _ if is_interruption(&message) => DriverError::Interrupted { what: what() },
            _ => DriverError::Refused {
                what: what(),
                message: format!("{error}: {message}"),
            },
        })
    }
}

/// Firefox reports a document that went away during a command as an unknown error with one of these inside.
fn is_interruption(message: &str) -> bool {
    [
        "AbortError",
        "JSWindowActor",
        "actor destroyed",
        "no longer available",
        "Realm was destroyed",
        "realm destroyed",
    ]
    .iter()
    .any(|known| message.contains(known))
}

/// Ends when the browser goes, or when nobody can call any more. Whoever still waits then sees that the answer's
/// sender is gone.
async fn run(mut socket: Socket, mut to_send: mpsc::UnboundedReceiver<Call>, tell: mpsc::UnboundedSender<Event>) {
    let mut pending: HashMap<u64, oneshot::Sender<Answer>> = HashMap::new();
    let mut next_id = 0;
    loop {
        tokio::select! {
            call = to_send.recv() => {
                let Some(call) = call else { return };
                next_id += 1;
                let text = json!({"id": next_id, "method": call.method, "params": call.params}).to_string();
                if socket.send(Message::text(text)).await.is_err() {
                    return;
                }
                pending.insert(next_id, call.answer);
            }
            message = socket.next() => match message {
                Some(Ok(Message::Text(text))) => match serde_json::from_str(&text) {
                    Ok(message) => take(message, &mut pending, &tell),
                    Err(error) => tracing::debug!(%error, "a message of the browser could not be read"),
                },
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return,
            },
        }
    }
}

fn take(mut message: Value, pending: &mut HashMap<u64, oneshot::Sender<Answer>>, tell: &mpsc::UnboundedSender<Event>) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if message["type"] == "event" {
        let event = Event {
            method: text(&message["method"]),
            params: message["params"].take(),
        };
        // Nobody listens any more when the driver is being closed.
        let _ = tell.send(event);
        return;
    }
    let Some(answer) = message["id"].as_u64().and_then(|id| pending.remove(&id)) else {
        tracing::debug!(%message, "an answer to nothing");
        return;
    };
    let result = if message["type"] == "success" {
        Ok(message["result"].take())
    } else {
        Err((text(&message["error"]), text(&message["message"])))
    };
    // The caller may have given up at its deadline.
    let _ = answer.send(result);
}
