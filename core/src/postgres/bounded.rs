//! A connection that refuses an answer of more than a given number of bytes.

use super::incoming::Incoming;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// The number of bytes that the server may still send.
#[derive(Clone)]
pub(super) struct Allowance(Arc<AtomicUsize>);

impl Allowance {
    pub(super) fn of(bytes: usize) -> Self {
        Self(Arc::new(AtomicUsize::new(bytes)))
    }

    pub(super) fn renew(&self, bytes: usize) {
        self.0.store(bytes, Ordering::Relaxed);
    }

    /// Takes bytes off. Fails once more have come than were allowed.
    pub(super) fn take(&self, bytes: usize) -> io::Result<()> {
        let left = self.0.load(Ordering::Relaxed).checked_sub(bytes);
        self.0.store(left.unwrap_or(0), Ordering::Relaxed);
        left.map(drop).ok_or_else(|| io::Error::new(io::ErrorKind::FileTooLarge, TOO_LONG))
    }
}

const TOO_LONG: &str = "the server's answer is longer than any of leafmint's tables";

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
