//! A connection that refuses an answer of more than a given number of bytes.

use super::allowance::Allowance;
use super::incoming::Incoming;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A connection with an [`Allowance`].
pub(super) struct Bounded {
    stream: TcpStream,
    allowance: Allowance,
    /// `None` once the bytes are encrypted.
    incoming: Option<Incoming>,
}

impl Bounded {
    pub(super) fn new(stream: TcpStream, allowance: Allowance, incoming: Incoming) -> Self {
        Self { stream, allowance, incoming: Some(incoming) }
    }

    /// Passes on bytes as they are from now on.
    pub(super) fn note_encryption(&mut self) {
        self.incoming = None;
    }
}

impl AsyncRead for Bounded {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        let bytes = &buffer.filled()[before..];
        self.allowance.take(bytes.len())?;
        Poll::Ready(self.incoming.as_mut().map_or(Ok(()), |incoming| incoming.read(bytes)))
    }
}

impl AsyncWrite for Bounded {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
