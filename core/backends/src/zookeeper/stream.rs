//! Connections, encrypted or not, and the frames that are sent on them: records behind their length.
//!
//! Records are in Jute, the encoding of ZooKeeper's protocol: big-endian numbers, and bytes behind their length.

use crate::sessions::tls::config as tls_config;
use crate::sessions::{DatabaseSettings, Failure, Outcome, SslMode, connect, of_tls};
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

/// A record that is being written.
#[derive(Default)]
pub(super) struct Record(Vec<u8>);

impl Record {
    pub(super) fn int(mut self, value: i32) -> Self {
        self.0.extend(value.to_be_bytes());
        self
    }

    pub(super) fn long(mut self, value: i64) -> Self {
        self.0.extend(value.to_be_bytes());
        self
    }

    pub(super) fn boolean(mut self, value: bool) -> Self {
        self.0.push(value.into());
        self
    }

    pub(super) fn bytes(self, value: &[u8]) -> Self {
        let mut record = self.int(value.len() as i32);
        record.0.extend(value);
        record
    }

    pub(super) fn text(self, value: &str) -> Self {
        self.bytes(value.as_bytes())
    }

    /// Appends another record's bytes.
    pub(super) fn record(mut self, other: &Record) -> Self {
        self.0.extend(&other.0);
        self
    }

    /// Returns the record with its length before it, as it is sent.
    pub(super) fn into_frame(self) -> Vec<u8> {
        Record::default().bytes(&self.0).0
    }

    #[cfg(test)]
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// A record that is being read. Every method fails if the record ends before its value does.
pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn int(&mut self) -> Outcome<i32> {
        self.take().map(i32::from_be_bytes)
    }

    pub(super) fn long(&mut self) -> Outcome<i64> {
        self.take().map(i64::from_be_bytes)
    }

    /// Reads bytes behind their length. A negative length is that of no bytes at all.
    pub(super) fn bytes(&mut self) -> Outcome<&'a [u8]> {
        let length = usize::try_from(self.int()?).unwrap_or(0);
        let (bytes, rest) = self.0.split_at_checked(length).ok_or_else(malformed)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(super) fn text(&mut self) -> Outcome<&'a str> {
        std::str::from_utf8(self.bytes()?).map_err(|_| malformed())
    }

    fn take<const N: usize>(&mut self) -> Outcome<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk::<N>().ok_or_else(malformed)?;
        self.0 = rest;
        Ok(*bytes)
    }
}

/// Describes an answer that is none of ZooKeeper's.
pub(super) fn malformed() -> Failure {
    Failure::broken("the answer is malformed: is it a ZooKeeper server, and this its client port?")
}
