//! One task owns the WebSocket; everybody else sends it commands and gets answers.

use crate::browser::DriverError;
use chromiumoxide::types::{CallId, EventMessage, Message, Method, MethodId};
use futures_util::StreamExt;
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};

/// Something the browser said by itself. The session stands at the top level, where chromiumoxide's own type for
/// undecoded events does not look for it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Event {
    pub(super) method: String,
    #[serde(default, rename = "sessionId")]
    pub(super) session: Option<String>,
    #[serde(default)]
    pub(super) params: Value,
}

impl Method for Event {
    fn identifier(&self) -> MethodId {
        self.method.clone().into()
    }
}

impl EventMessage for Event {
    fn session_id(&self) -> Option<&str> {
        self.session.as_deref()
    }
}

struct Call {
    method: &'static str,
    session: Option<String>,
    params: Value,
    answer: oneshot::Sender<Result<Value, Refusal>>,
}

/// Why there is no answer.
#[derive(Debug)]
enum Refusal {
    Said(String),
    SessionGone,
    Unreadable(String),
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
        let what = "connect";
        let socket = tokio::time::timeout(deadline, chromiumoxide::Connection::<Event>::connect(address))
            .await
            .map_err(|_| DriverError::Deadline {
                what: what.to_owned(),
                after: deadline,
            })?
            .map_err(|error| DriverError::Refused {
                what: what.to_owned(),
                message: error.to_string(),
            })?;
        let (calls, to_send) = mpsc::unbounded_channel();
        let (tell, events) = mpsc::unbounded_channel();
        tokio::spawn(run(socket, to_send, tell));
        Ok((Connection { calls, deadline }, events))
    }

    pub(super) async fn call(
        &self,
        session: Option<&str>,
        method: &'static str,
        params: Value,
    ) -> Result<Value, DriverError> {
        let what = || method.to_owned();
        let gone = || DriverError::Gone {
            what: what(),
            stderr: Vec::new(),
        };
        let (answer, answered) = oneshot::channel();
        let session = session.map(str::to_owned);
        let asked = Instant::now();
        self.calls
            .send(Call {
                method,
                session,
                params,
                answer,
            })
            .map_err(|_| gone())?;
        let answer = tokio::time::timeout(self.deadline, answered)
            .await
            .map_err(|_| DriverError::Deadline {
                what: what(),
                after: self.deadline,
            })?
            .map_err(|_| gone())?;
        tracing::trace!(took = ?asked.elapsed(), method, "the browser answered");
        answer.map_err(|refusal| match refusal {
            Refusal::SessionGone => DriverError::Interrupted { what: what() },
            Refusal::Unreadable(message) => DriverError::Answer { what: what(), message },
            Refusal::Said(message) if is_interruption(&message) => DriverError::Interrupted { what: what() },
            Refusal::Said(message) => DriverError::Refused { what: what(), message },
        })
    }
}

/// The protocol has one error code for everything.
fn is_interruption(message: &str) -> bool {
    [
        "Inspected target navigated or closed",
        "Execution context was destroyed",
        "Cannot find context with specified id",
        "Session with given id not found",
        "Promise was collected",
    ]
    .iter()
    .any(|known| message.contains(known))
}

type Pending = HashMap<CallId, (Option<String>, oneshot::Sender<Result<Value, Refusal>>)>;

/// Ends when the browser goes, or when nobody can call any more. Whoever still waits then sees that the answer's
/// sender is gone.
async fn run(
    mut socket: chromiumoxide::Connection<Event>,
    mut to_send: mpsc::UnboundedReceiver<Call>,
    tell: mpsc::UnboundedSender<Event>,
) {
    let mut pending = Pending::new();
    loop {
        tokio::select! {
            call = to_send.recv() => {
                let Some(call) = call else { return };
                let session = call.session.clone().map(Into::into);
                match socket.submit_command(call.method.into(), session, call.params) {
                    Ok(id) => {
                        pending.insert(id, (call.session, call.answer));
                    }
                    Err(error) => {
                        // The caller may have given up; then nobody wants to know.
                        let _ = call.answer.send(Err(Refusal::Said(error.to_string())));
                    }
                }
            }
            message = socket.next() => match message {
                None => return,
                Some(Ok(Message::Response(response))) => {
                    let Some((_, answer)) = pending.remove(&response.id) else { continue };
                    let result = match (response.result, response.error) {
                        (_, Some(error)) => Err(Refusal::Said(error.message)),
                        (Some(result), None) => Ok(result),
                        (None, None) => Err(Refusal::Unreadable("neither result nor error".to_owned())),
                    };
                    let _ = answer.send(result);
                }
                Some(Ok(Message::Event(event))) => {
                    if event.method == "Target.detachedFromTarget" {
                        forget_session(&mut pending, &event.params);
                    }
                    let _ = tell.send(event);
                }
                Some(Err(error)) => {
                    if matches!(error, chromiumoxide::error::CdpError::Ws(_)) {
                        tracing::debug!(%error, "the browser's connection broke");
                        return;
                    }
                    tracing::debug!(%error, "a message of the browser could not be read");
                }
            },
        }
    }
}

/// A command to a page that closes during it, such as the click on its own close button, is never answered.
fn forget_session(pending: &mut Pending, params: &Value) {
    let Some(gone) = params["sessionId"].as_str() else {
        return;
    };
    let ids: Vec<CallId> = pending
        .iter()
        .filter(|(_, (session, _))| session.as_deref() == Some(gone))
        .map(|(id, _)| *id)
        .collect();
    for id in ids {
        if let Some((_, answer)) = pending.remove(&id) {
            let _ = answer.send(Err(Refusal::SessionGone));
        }
    }
}
