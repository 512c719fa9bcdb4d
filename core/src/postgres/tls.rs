//! Encryption of a connection, by the TLS that the process has already.

use super::bounded::Bounded;
use super::certificate;
use super::incoming::Incoming;
use crate::database::{DatabaseSettings, SslMode, tls_config};
use crate::error::Result;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;

/// Encrypts one connection, if the server agrees to it.
pub(super) struct Tls {
    /// `None` for a connection that is not to be encrypted.
    config: Option<Arc<ClientConfig>>,
    host: String,
    /// The server agreed.
    began: Arc<AtomicBool>,
    incoming: Incoming,
}

impl Tls {
    /// Prepares what a mode asks for. Reads the authorities to trust.
    pub(super) async fn prepare(settings: &DatabaseSettings, host: &str, incoming: Incoming) -> Result<Self> {
        let config = match settings.ssl_mode {
            SslMode::Disabled => None,
            mode => Some(tls_config(settings, mode).await?),
        };
        Ok(Self { config, host: host.to_owned(), began: Arc::default(), incoming })
    }

    /// Returns whether encryption of the connection began, once it is connected.
    pub(super) fn began(&self) -> Arc<AtomicBool> {
        self.began.clone()
    }
}

impl TlsConnect<Bounded> for Tls {
    type Stream = Encrypted;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted>> + Send>>;

    fn connect(self, mut stream: Bounded) -> Self::Future {
        Box::pin(async move {
            stream.note_encryption();
            self.began.store(true, Ordering::Relaxed);
            let config = self.config.ok_or_else(|| io::Error::other("this connection is not to be encrypted"))?;
            let name = ServerName::try_from(self.host).map_err(io::Error::other)?;
            let stream = Box::new(TlsConnector::from(config).connect(name, stream).await?);
            Ok(Encrypted { stream, incoming: self.incoming })
        })
    }
}

/// An encrypted connection.
pub(super) struct Encrypted {
    stream: Box<tokio_rustls::client::TlsStream<Bounded>>,
    incoming: Incoming,
}

impl TlsStream for Encrypted {
    fn channel_binding(&self) -> ChannelBinding {
        let certificate = self.stream.get_ref().1.peer_certificates().and_then(<[_]>::first);
        let end_point = certificate.and_then(|certificate| certificate::end_point(certificate));
        end_point.map_or_else(ChannelBinding::none, ChannelBinding::tls_server_end_point)
    }
}

impl AsyncRead for Encrypted {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, buffer))?;
        Poll::Ready(self.incoming.read(&buffer.filled()[before..]))
    }
}

impl AsyncWrite for Encrypted {
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
