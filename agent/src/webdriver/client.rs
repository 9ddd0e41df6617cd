//! Commands and answers: JSON over HTTP, one connection for each command.

use crate::browser::DriverError;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::time::Duration;
use tokio::net::TcpStream;

#[derive(Debug, Clone)]
pub(super) struct Client {
    /// `host:port`.
    authority: String,
    /// Before every path: `/wd/hub` of some grids, `/session/ID` once there is a session.
    base: String,
    deadline: Duration,
}

impl Client {
    pub(super) fn new(authority: &str, base: &str, deadline: Duration) -> Client {
        Client {
            authority: authority.to_owned(),
            base: base.to_owned(),
            deadline,
        }
    }

    pub(super) fn in_session(&self, id: &str) -> Client {
        Client {
            base: format!("{}/session/{id}", self.base),
            ..self.clone()
        }
    }

    pub(super) async fn get(&self, path: &str) -> Result<Value, DriverError> {
        self.send(Method::GET, path, None).await
    }

    pub(super) async fn post(&self, path: &str, body: Value) -> Result<Value, DriverError> {
        self.send(Method::POST, path, Some(body)).await
    }

    pub(super) async fn delete(&self, path: &str) -> Result<Value, DriverError> {
        self.send(Method::DELETE, path, None).await
    }

    async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Result<Value, DriverError> {
        let what = format!("{method} {path}");
        let exchange = self.exchange(method, path, body);
        let (status, bytes) = tokio::time::timeout(self.deadline, exchange)
            .await
            .map_err(|_| DriverError::Deadline {
                what: what.clone(),
                after: self.deadline,
            })?
            .map_err(|error| {
                tracing::debug!(%error, what, "no answer from the driver");
                DriverError::Gone {
                    what: what.clone(),
                    stderr: Vec::new(),
                }
            })?;
        let mut answer: Value = serde_json::from_slice(&bytes).map_err(|error| DriverError::Answer {
            what: what.clone(),
            message: error.to_string(),
        })?;
        let value = answer["value"].take();
        if status.is_success() {
            return Ok(value);
        }
        Err(refusal(what, &value))
    }

    async fn exchange(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<(StatusCode, Bytes), Box<dyn std::error::Error + Send + Sync>> {
        let stream = TcpStream::connect(&self.authority).await?;
        stream.set_nodelay(true)?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
        let connection = tokio::spawn(connection);
        let body = body.map_or_else(Bytes::new, |body| body.to_string().into());
        let request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header("host", &self.authority)
            .header("content-type", "application/json; charset=utf-8")
            .header("content-length", body.len())
            .header("connection", "close")
            .body(Full::new(body))?;
        let response = sender.send_request(request).await?;
        let status = response.status();
        let bytes = response.into_body().collect().await?.to_bytes();
        connection.abort();
        Ok((status, bytes))
    }
}

fn refusal(what: String, value: &Value) -> DriverError {
    let message = value["message"].as_str().unwrap_or_default().to_owned();
    match value["error"].as_str().unwrap_or_default() {
        "no such window" | "no such frame" | "stale element reference" => DriverError::Interrupted { what },
        "javascript error" if message.contains("navigat") || message.contains("unloaded") => {
            DriverError::Interrupted { what }
        }
        "javascript error" => DriverError::Thrown(message),
        // The browser went and its driver stayed.
        "invalid session id" => DriverError::Gone {
            what,
            stderr: Vec::new(),
        },
        "script timeout" | "timeout" => DriverError::Deadline {
            what,
            after: Duration::ZERO,
        },
        error => DriverError::Refused {
            what,
            message: format!("{error}: {message}"),
        },
    }
}
