//! Bodies out of the trace: read and decompressed a piece at a time, on threads that may wait for disks.

use crate::body::{Body, BoxError, boxed};
use bytes::Bytes;
use hyper::body::{Frame, SizeHint};
use std::io::Read;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc;
use xcheck_trace::BodyReader;

const PIECE: usize = 64 * 1024;

/// What happens after the last recorded byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    End,
    /// The connection breaks, as it did.
    Break,
    /// Nothing, as long as the client stays: the response was still going on when the recording ended.
    Silence,
}

/// The bytes `skip..skip + length` of a body. `damaged` is told when it turns out not to be what was recorded.
pub(super) fn stream(
    reader: BodyReader,
    skip: u64,
    length: u64,
    after: After,
    damaged: impl FnOnce(String) + Send + 'static,
) -> Body {
    let (sender, pieces) = mpsc::channel(2);
    tokio::task::spawn_blocking(move || {
        if let Err(error) = read(reader, skip, length, &sender) {
            damaged(error.to_string());
            // A client that went away needs to know nothing.
            let _ = sender.blocking_send(Err(error));
        }
    });
    let known = (after == After::End).then_some(length);
    boxed(Stored {
        pieces: Some(pieces),
        left: known,
        after,
    })
}

/// No recorded bytes at all, and then what came after them.
pub(super) fn nothing(after: After) -> Body {
    match after {
        After::End => crate::body::empty(),
        _ => boxed(Stored {
            pieces: None,
            left: None,
            after,
        }),
    }
}

/// Sends piece by piece, the last one when what follows is known to be as it should: the hash of a body is checked at
/// its end.
fn read(
    mut reader: BodyReader,
    skip: u64,
    length: u64,
    sender: &mpsc::Sender<std::io::Result<Bytes>>,
) -> std::io::Result<()> {
    std::io::copy(&mut (&mut reader).take(skip), &mut std::io::sink())?;
    let mut left = length;
    loop {
        let mut piece = vec![0; PIECE.min(usize::try_from(left).unwrap_or(PIECE))];
        let count = fill(&mut reader, &mut piece)?;
        left -= count as u64;
        if count < piece.len() {
            return Err(std::io::Error::other(format!("{left} bytes are missing at its end")));
        }
        if left == 0 {
            // Of a part, the rest is nobody's concern, but its hash is.
            std::io::copy(&mut reader, &mut std::io::sink())?;
        }
        // A client that went away needs no more of it.
        if (!piece.is_empty() && sender.blocking_send(Ok(Bytes::from(piece))).is_err()) || left == 0 {
            return Ok(());
        }
    }
}

fn fill(reader: &mut impl Read, piece: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < piece.len() {
        match reader.read(&mut piece[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}

struct Stored {
    pieces: Option<mpsc::Receiver<std::io::Result<Bytes>>>,
    /// Bytes still to come, where that is certain.
    left: Option<u64>,
    after: After,
}

impl hyper::body::Body for Stored {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Some(pieces) = &mut self.pieces {
            match pieces.poll_recv(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(Ok(piece))) => {
                    self.left = self.left.map(|left| left.saturating_sub(piece.len() as u64));
                    return Poll::Ready(Some(Ok(Frame::data(piece))));
                }
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error.into()))),
                Poll::Ready(None) => self.pieces = None,
            }
        }
        match self.after {
            After::End => Poll::Ready(None),
            After::Break => Poll::Ready(Some(Err("the response broke off here when it was recorded".into()))),
            // Nobody will wake this up, and nobody needs to: the connection is dropped when the client leaves.
            After::Silence => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.left == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        self.left.map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
