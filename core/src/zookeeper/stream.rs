//! Connections, encrypted or not, and the frames that are sent on them: records behind their length.

use super::jute::{Record, malformed};
use crate::database::{DatabaseSettings, Failure, Outcome, SslMode, connect, of_tls, tls_config};
use rustls::pki_types::ServerName;
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio_rustls::TlsConnector;

/// Longest answer that is read, in bytes. A server's own limit (`jute.maxbuffer`) is 1 MB unless it was raised.
const MOST_BYTES: i32 = 4 << 20;

trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Connection for T {}

/// A connection with one server.
pub(super) struct Stream {
    connection: BufReader<Box<dyn Connection>>,
    pub(super) is_encrypted: bool,
}

impl Stream {
    /// Connects to a server. ZooKeeper cannot agree on encryption: a port expects it, or does not.
    pub(super) async fn connect(settings: &DatabaseSettings, host: usize) -> Outcome<Self> {
        let (name, port) = &settings.hosts[host];
        let tcp = connect(settings, name, *port).await?;
        let is_encrypted = settings.ssl_mode >= SslMode::Required;
        let connection: Box<dyn Connection> = match is_encrypted {
            false => Box::new(tcp),
            true => {
                let config = tls_config(settings, settings.ssl_mode).await?;
                let name = ServerName::try_from(name.clone()).map_err(|error| Failure::broken(error.to_string()))?;
                Box::new(TlsConnector::from(config).connect(name, tcp).await.map_err(of_handshake)?)
            }
        };
        Ok(Self { connection: BufReader::new(connection), is_encrypted })
    }

    pub(super) async fn send(&mut self, record: Record) -> Outcome<()> {
        self.send_frames(&record.into_frame()).await
    }

    /// Sends records that have their lengths before them.
    pub(super) async fn send_frames(&mut self, frames: &[u8]) -> Outcome<()> {
        self.connection.write_all(frames).await.map_err(broken)?;
        self.connection.flush().await.map_err(broken)
    }

    /// Waits for the next record. Memory is taken only for bytes that have come.
    pub(super) async fn receive(&mut self) -> Outcome<Vec<u8>> {
        let length = self.connection.read_i32().await.map_err(broken)?;
        if length > MOST_BYTES {
            return Err(too_long(length));
        }
        if length < 0 {
            return Err(malformed());
        }
        let mut record = Vec::new();
        let length = length as usize;
        (&mut self.connection).take(length as u64).read_to_end(&mut record).await.map_err(broken)?;
        if record.len() < length {
            return Err(broken(io::ErrorKind::UnexpectedEof.into()));
        }
        Ok(record)
    }
}

fn too_long(length: i32) -> Failure {
    Failure::broken(format!(
        "the server announced an answer of {length} bytes, and leafmint reads {MOST_BYTES} at most: a node below the path of the URL \
         has too many children, or this is no ZooKeeper: delete the children that nothing uses"
    ))
}

fn of_handshake(error: io::Error) -> Failure {
    of_tls(&error).unwrap_or_else(|| Failure::of_io(&error, format!("TLS: {error}")))
}

fn broken(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Failure::broken("the server closed the connection"),
        _ => Failure::of_io(&error, error.to_string()),
    }
}
