//! Requests whose heads nobody could read, answered so that a person can do something about it.
//!
//! hyper refuses them by itself, with an empty answer that no service sees: more than a hundred headers, a head that is too
//! long, an address that is none. So we stand between it and the client, and where it writes such an answer we write a
//! page instead. Then what the client still sends is read for a while: a connection that is closed before that is reset,
//! and browsers throw away what they have read from one.

use crate::failure::Failure;
use crate::upstream::LONGEST_HEAD;
use hyper::StatusCode;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// How long a client that was refused may go on sending.
const PATIENCE: Duration = Duration::from_secs(1);

/// The status of the last answer that was really given on a connection: one like hyper's own may come from an origin.
#[derive(Clone, Default)]
pub(crate) struct LastAnswer(Arc<AtomicU16>);

impl LastAnswer {
    pub(crate) fn was(&self, status: StatusCode) {
        self.0.store(status.as_u16(), Ordering::Relaxed);
    }
}

/// A client's connection, on which hyper's own answers become pages.
pub(crate) struct Explaining<T> {
    client: T,
    last: LastAnswer,
    /// What is left of the page to write.
    page: Vec<u8>,
    refused: bool,
    patience: Option<Pin<Box<Sleep>>>,
}

impl<T> Explaining<T> {
    pub(crate) fn new(client: T, last: LastAnswer) -> Self {
        Explaining {
            client,
            last,
            page: Vec::new(),
            refused: false,
            patience: None,
        }
    }

    /// Whether `bytes` begin an answer of hyper's own; then a page takes its place.
    fn replaces(&mut self, bytes: &[u8]) -> bool {
        let Some(status) = own_answer(bytes) else {
            return false;
        };
        let last = self.last.0.load(Ordering::Relaxed);
        // What is written after a change of protocol is no answer of anybody's.
        if last == status.as_u16() || last == StatusCode::SWITCHING_PROTOCOLS.as_u16() {
            return false;
        }
        self.refused = true;
        self.page = page(status);
        true
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> Explaining<T> {
    fn poll_page(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.page.is_empty() {
            let count = ready!(Pin::new(&mut self.client).poll_write(context, &self.page))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.page.drain(..count);
        }
        Poll::Ready(Ok(()))
    }

    /// Reads and forgets until the client has nothing more to say.
    fn poll_rest(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let patience = self
            .patience
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(PATIENCE)));
        let mut bytes = [0; 8 * 1024];
        while patience.as_mut().poll(context).is_pending() {
            let mut buffer = ReadBuf::new(&mut bytes);
            match ready!(Pin::new(&mut self.client).poll_read(context, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => {}
                _ => break,
            }
        }
        Poll::Ready(())
    }
}

/// hyper's own answers have no body and but few headers, and go out in one piece.
fn own_answer(bytes: &[u8]) -> Option<StatusCode> {
    let status = StatusCode::from_bytes(bytes.strip_prefix(b"HTTP/1.1 ")?.get(..3)?).ok()?;
    let is_own = matches!(
        status,
        StatusCode::BAD_REQUEST | StatusCode::URI_TOO_LONG | StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE
    );
    let is_empty = bytes.len() < 200 && bytes.ends_with(b"\r\n\r\n") && contains(bytes, b"content-length: 0\r\n");
    (is_own && is_empty).then_some(status)
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn page(status: StatusCode) -> Vec<u8> {
    const _: () = assert!(LONGEST_HEAD == 512 * 1024, "the text below names it");
    let (what, why, advice) = match status {
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => (
            "This request has too large a head",
            "xcheck takes requests of up to 100 headers and 512 KiB.",
            "Cookies are the usual reason: remove those of this site, or record with a fresh profile.",
        ),
        StatusCode::URI_TOO_LONG => (
            "This address is too long",
            "xcheck takes addresses of up to 64 KiB.",
            "Send what is so long as the body of a POST instead.",
        ),
        _ => (
            "This request is not HTTP",
            "Its first line or one of its headers cannot be read.",
            "Check that the program is set up to use xcheck as an HTTP proxy, and not as one for SOCKS or TLS.",
        ),
    };
    let failure = Failure {
        status,
        what: what.to_owned(),
        why: why.to_owned(),
        advice,
    };
    let html = failure.html();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncache-control: no-store\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n",
        html.len()
    );
    [head, html].concat().into_bytes()
}

impl<T: AsyncRead + Unpin> AsyncRead for Explaining<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.client).poll_read(context, buffer)
    }
}

impl<T: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Explaining<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.replaces(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.client).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_page(context))?;
        Pin::new(&mut self.client).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_page(context))?;
        if self.patience.is_none() {
            ready!(Pin::new(&mut self.client).poll_shutdown(context))?;
        }
        if self.refused {
            ready!(self.poll_rest(context));
        }
        Poll::Ready(Ok(()))
    }

    fn is_write_vectored(&self) -> bool {
        self.client.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [only] = slices
            && self.replaces(only)
        {
            return Poll::Ready(Ok(only.len()));
        }
        Pin::new(&mut self.client).poll_write_vectored(context, slices)
    }
}
