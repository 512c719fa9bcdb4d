//! Encryption of a connection, by the TLS that the process has already.

use super::incoming::{Bounded, Incoming};
use crate::sessions::tls::config as tls_config;
use crate::sessions::{DatabaseSettings, SslMode};
use leafmint_ids::error::Result;
use ring::digest;
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
        let end_point = certificate.and_then(|certificate| end_point(certificate));
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

/// Returns the hash of a certificate, or `None` if its signature names no hash that is known here.
///
/// The hash is that of the certificate's signature, or SHA-256 if that is MD5 or SHA-1.
pub(super) fn end_point(certificate: &[u8]) -> Option<Vec<u8>> {
    let hash = match signature_algorithm(certificate)? {
        // RSA with MD5, SHA-1, SHA-256, SHA-384 and SHA-512.
        [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, last] => match last {
            0x04 | 0x05 | 0x0b => &digest::SHA256,
            0x0c => &digest::SHA384,
            0x0d => &digest::SHA512,
            _ => return None,
        },
        // ECDSA with SHA-1, SHA-256, SHA-384 and SHA-512.
        [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x01] => &digest::SHA256,
        [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, last] => match last {
            0x02 => &digest::SHA256,
            0x03 => &digest::SHA384,
            0x04 => &digest::SHA512,
            _ => return None,
        },
        _ => return None,
    };
    Some(digest::digest(hash, certificate).as_ref().to_vec())
}

/// Returns the identifier of the algorithm that the certificate is signed with: the first part of the second element of
/// the outer sequence.
fn signature_algorithm(certificate: &[u8]) -> Option<&[u8]> {
    let (outer, _) = element(certificate, 0x30)?;
    let (_, rest) = element(outer, 0x30)?;
    let (algorithm, _) = element(rest, 0x30)?;
    Some(element(algorithm, 0x06)?.0)
}

/// Splits off the first element of an encoding (DER), which has this tag: its content, and what follows it.
fn element(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&[first, length], rest) = bytes.split_first_chunk::<2>()?;
    let (length, rest) = match length {
        0..=0x7f => (usize::from(length), rest),
        0x81..=0x84 => {
            let (digits, rest) = rest.split_at_checked(usize::from(length & 0x7f))?;
            (digits.iter().fold(0, |sum, digit| sum << 8 | usize::from(*digit)), rest)
        }
        _ => return None,
    };
    (first == tag).then(|| rest.split_at_checked(length)).flatten()
}
