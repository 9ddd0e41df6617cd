//! An agent as seen from here: its address, what has to be shown to it, and what it has to show.

use super::token::Token;
use super::trust::{Trust, TrustError};
use super::wire::{BROWSERS, REPLAY, configuration};
use bytes::Bytes;
use http_body_util::{BodyExt, Empty, Limited};
use hyper::header::{AUTHORIZATION, HOST};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use serde::Deserialize;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error as SocketError;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use xcheck_trace::manifest::Engine;

/// To reach it, and for its first answer: it may have to ask every browser for its version.
const PATIENCE: Duration = Duration::from_secs(60);

const LARGEST_LIST: usize = 1024 * 1024;

/// `agent://HOST:PORT`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentAddress {
    host: String,
    port: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not the address of a browser behind an agent: agent://HOST:PORT/BROWSER")]
pub struct NotAnAddress(String);

impl AgentAddress {
    /// `agent://HOST:PORT/BROWSER`, and the browser.
    pub fn parse(text: &str) -> Result<(AgentAddress, String), NotAnAddress> {
        let wrong = || NotAnAddress(text.to_owned());
        let rest = text.strip_prefix("agent://").ok_or_else(wrong)?;
        let (place, browser) = rest.split_once('/').unwrap_or((rest, ""));
        let (host, port) = place.rsplit_once(':').ok_or_else(wrong)?;
        let port = port.parse().map_err(|_| wrong())?;
        let in_name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        let is_v6 = host.starts_with('[') && host.ends_with(']') && bare(host).parse::<IpAddr>().is_ok();
        if browser.contains('/') || host.is_empty() || !(is_v6 || host.chars().all(in_name)) {
            return Err(wrong());
        }
        let address = AgentAddress {
            host: host.to_owned(),
            port,
        };
        Ok((address, browser.to_owned()))
    }

    /// No other machine is on the way.
    pub fn is_loopback(&self) -> bool {
        let address = bare(&self.host).parse::<IpAddr>();
        self.host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
    }
}

fn bare(host: &str) -> &str {
    host.trim_start_matches('[').trim_end_matches(']')
}

impl std::fmt::Display for AgentAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// How to speak to one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    pub address: AgentAddress,
    pub token: Option<Token>,
    /// `None`: without TLS, which is for loopback addresses only.
    pub tls: Option<Trust>,
}

/// A browser that an agent offers.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RemoteBrowser {
    pub name: String,
    pub engine: Engine,
    pub version: String,
}

#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    #[error("the agent at {address} cannot be reached: {why}")]
    Unreachable { address: AgentAddress, why: String },
    #[error("the agent at {address} is not one that is trusted: {why}")]
    NotTrusted { address: AgentAddress, why: String },
    #[error("{0} is on another machine, and an agent there is spoken to by TLS only")]
    NoTls(AgentAddress),
    #[error(transparent)]
    Trust(#[from] TrustError),
    #[error(
        "the agent at {address} does not accept {}: give it with --token-file, in XCHECK_AGENT_TOKEN or in xcheck.toml",
        if *.given { "this token" } else { "anybody without a token" }
    )]
    Token { address: AgentAddress, given: bool },
    #[error("the agent at {address} answered what makes no sense: {why}")]
    Answer { address: AgentAddress, why: String },
}

pub(super) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

impl Agent {
    pub async fn browsers(&self) -> Result<Vec<RemoteBrowser>, AgentError> {
        let listed = async {
            let io = TokioIo::new(self.connect().await?);
            let (mut sender, connection) = hyper::client::conn::http1::handshake(io)
                .await
                .map_err(|error| self.unreachable(error))?;
            // Ends with the answer; an error is the request's, too.
            tokio::spawn(connection);
            let mut request = Request::get(BROWSERS).header(HOST, self.address.to_string());
            if let Some(token) = &self.token {
                request = request.header(AUTHORIZATION, token.as_header());
            }
            let request = request
                .body(Empty::<Bytes>::new())
                .map_err(|error| self.nonsense(error))?;
            let response = sender
                .send_request(request)
                .await
                .map_err(|error| self.not_understood(error))?;
            self.accepted(response.status())?;
            let body = Limited::new(response.into_body(), LARGEST_LIST).collect().await;
            let body = body.map_err(|error| self.nonsense(error))?.to_bytes();
            let list: List = serde_json::from_slice(&body).map_err(|error| self.nonsense(error))?;
            Ok(list.browsers)
        };
        tokio::time::timeout(PATIENCE, listed)
            .await
            .map_err(|_| self.unreachable("it does not answer"))?
    }

    pub(super) async fn open(&self) -> Result<WebSocketStream<Box<dyn Stream>>, AgentError> {
        let opened = async {
            let url = format!("ws://{}{REPLAY}", self.address);
            let mut request = url.into_client_request().map_err(|error| self.nonsense(error))?;
            if let Some(token) = &self.token {
                let header = token.as_header().try_into().map_err(|error| self.nonsense(error))?;
                request.headers_mut().insert(AUTHORIZATION, header);
            }
            let stream = self.connect().await?;
            match tokio_tungstenite::client_async_with_config(request, stream, Some(configuration())).await {
                Ok((socket, _)) => Ok(socket),
                Err(SocketError::Http(response)) => {
                    self.accepted(response.status())?;
                    Err(self.nonsense(response.status()))
                }
                Err(error) => Err(self.not_understood(error)),
            }
        };
        tokio::time::timeout(PATIENCE, opened)
            .await
            .map_err(|_| self.unreachable("it does not answer"))?
    }

    async fn connect(&self) -> Result<Box<dyn Stream>, AgentError> {
        let Some(trust) = &self.tls else {
            return match self.address.is_loopback() {
                true => Ok(Box::new(self.dial().await?)),
                false => Err(AgentError::NoTls(self.address.clone())),
            };
        };
        let connector = TlsConnector::from(Arc::new(trust.client_config()?));
        let name =
            ServerName::try_from(bare(&self.address.host).to_owned()).map_err(|error| self.unreachable(error))?;
        let socket = self.dial().await?;
        match connector.connect(name, socket).await {
            Ok(stream) => Ok(Box::new(stream)),
            Err(error) => Err(AgentError::NotTrusted {
                address: self.address.clone(),
                why: error.to_string(),
            }),
        }
    }

    async fn dial(&self) -> Result<TcpStream, AgentError> {
        let socket = TcpStream::connect((bare(&self.address.host), self.address.port))
            .await
            .map_err(|error| self.unreachable(error))?;
        socket.set_nodelay(true).map_err(|error| self.unreachable(error))?;
        Ok(socket)
    }

    fn accepted(&self, status: StatusCode) -> Result<(), AgentError> {
        match status {
            StatusCode::OK => Ok(()),
            StatusCode::UNAUTHORIZED => Err(AgentError::Token {
                address: self.address.clone(),
                given: self.token.is_some(),
            }),
            status => Err(self.nonsense(status)),
        }
    }

    fn unreachable(&self, why: impl std::fmt::Display) -> AgentError {
        AgentError::Unreachable {
            address: self.address.clone(),
            why: why.to_string(),
        }
    }

    /// On this machine an agent may speak TLS or not, and the two do not understand each other.
    fn not_understood(&self, why: impl std::fmt::Display) -> AgentError {
        match self.tls {
            Some(_) => self.unreachable(why),
            None => self.unreachable(format!(
                "{why}; if it speaks TLS, say whom to trust by --agent-fingerprint or --agent-ca"
            )),
        }
    }

    fn nonsense(&self, why: impl std::fmt::Display) -> AgentError {
        AgentError::Answer {
            address: self.address.clone(),
            why: why.to_string(),
        }
    }
}

#[derive(Deserialize)]
struct List {
    browsers: Vec<RemoteBrowser>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_host_port_and_browser() {
        let (address, browser) = AgentAddress::parse("agent://lab.example:7433/firefox").unwrap();
        assert_eq!(
            (address.to_string().as_str(), browser.as_str()),
            ("lab.example:7433", "firefox")
        );
        assert!(!address.is_loopback());
        let (address, _) = AgentAddress::parse("agent://[::1]:7433/firefox").unwrap();
        assert!(address.is_loopback());
        assert_eq!(AgentAddress::parse("agent://127.0.0.1:1").unwrap().1, "");
        for wrong in [
            "agent://lab/firefox",
            "agent://:1/x",
            "agent://a b:1/x",
            "agent://h:1/a/b",
            "agent://h@i:1/x",
            "lab:1",
        ] {
            assert!(AgentAddress::parse(wrong).is_err(), "{wrong}");
        }
    }
}
