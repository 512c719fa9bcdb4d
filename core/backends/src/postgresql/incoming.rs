//! Reads along what the server sends, message by message, and refuses what the driver must not see.
//!
//! * A request for the password in clear text, on a connection that anyone may have answered.
//! * A column of a type that the driver does not know. It would ask the server for that type, and for the types that
//!   this one is made of, calling itself for each: a server that makes them up ends the process. No column that we ask
//!   for has such a type.
//! * Parameters of the session of ever new names: the driver keeps them all.
//! * More messages than fit the allowance: each costs memory, also if it is empty.
//!
//! A connection, and each answer on it, may have a number of bytes only.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_postgres::types::Type;

/// Length of what begins each message: its kind, and the length of the rest, in which it counts itself.
const HEADER: usize = 5;
const LENGTH: usize = 4;

/// Maximum length of a description of columns, and of all parameters that a session reports.
const MOST_COLUMNS: usize = 16 << 10;
const MOST_PARAMETERS: usize = 64 << 10;

/// What a message costs the driver, in bytes, beyond its own.
const EACH: usize = 32;

/// The ways of logging in have numbers; this one wants the password itself.
const CLEAR_TEXT: [u8; 4] = [0, 0, 0, 3];

/// What has come of the present message.
pub(super) struct Incoming {
    allowance: Allowance,
    allows_clear_text: bool,
    /// The answer to the request to encrypt, one byte, is still to come.
    answers_first: bool,
    header: Vec<u8>,
    /// The part of the message behind the header that is to be looked at.
    kept: Vec<u8>,
    /// The number of bytes of the message that are still to come.
    left: usize,
    parameters: usize,
}

impl Incoming {
    pub(super) fn new(allowance: Allowance, allows_clear_text: bool) -> Self {
        let (header, kept) = (Vec::with_capacity(HEADER), Vec::new());
        Self { allowance, allows_clear_text, answers_first: false, header, kept, left: 0, parameters: 0 }
    }

    /// Expects the answer to a request to encrypt before the first message.
    pub(super) fn behind_a_request(self, is_sent: bool) -> Self {
        Self { answers_first: is_sent, ..self }
    }

    /// Takes in bytes that the server sent, before the driver sees them.
    pub(super) fn read(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        if self.answers_first && !bytes.is_empty() {
            self.answers_first = false;
            bytes = &bytes[1..];
        }
        while !bytes.is_empty() {
            bytes = if self.header.len() < HEADER { self.begin(bytes)? } else { self.go_on(bytes) };
            if self.header.len() == HEADER && self.left == 0 {
                self.end()?;
            }
        }
        Ok(())
    }

    /// Reads the header, and returns what is behind it.
    fn begin<'a>(&mut self, bytes: &'a [u8]) -> io::Result<&'a [u8]> {
        let (header, rest) = bytes.split_at(bytes.len().min(HEADER - self.header.len()));
        self.header.extend_from_slice(header);
        if let [kind, a, b, c, d] = self.header[..] {
            let length = u32::from_be_bytes([a, b, c, d]) as usize;
            let shorter = || invalid("a message of the server is shorter than its header");
            self.left = length.checked_sub(LENGTH).ok_or_else(shorter)?;
            self.check_length(kind)?;
        }
        Ok(rest)
    }

    fn check_length(&mut self, kind: u8) -> io::Result<()> {
        if kind == b'S' {
            self.parameters = self.parameters.saturating_add(self.left);
        }
        if kind == b'T' && self.left > MOST_COLUMNS || self.parameters > MOST_PARAMETERS {
            return Err(invalid("the server describes more columns or parameters than leafmint asks for"));
        }
        Ok(())
    }

    /// Reads of the message, and returns what is behind it.
    fn go_on<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let (part, rest) = bytes.split_at(bytes.len().min(self.left));
        self.left -= part.len();
        let most = match self.header[0] {
            b'T' => MOST_COLUMNS,
            b'R' => CLEAR_TEXT.len(),
            _ => 0,
        };
        self.kept.extend_from_slice(&part[..part.len().min(most - self.kept.len())]);
        rest
    }

    /// Looks at a message that has come to its end.
    fn end(&mut self) -> io::Result<()> {
        let kind = self.header[0];
        self.header.clear();
        let kept = std::mem::take(&mut self.kept);
        if kind == b'R' && kept == CLEAR_TEXT && !self.allows_clear_text {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, CLEAR_TEXT_REFUSED));
        }
        if kind == b'T' && !are_known(&kept) {
            return Err(invalid("the server answers with a column of a type that leafmint never asks for"));
        }
        self.allowance.take(EACH)
    }
}

/// Returns whether the driver knows the types of all columns that a message describes.
fn are_known(description: &[u8]) -> bool {
    let Some((_, mut columns)) = description.split_first_chunk::<2>() else { return false };
    while !columns.is_empty() {
        let Some(end) = columns.iter().position(|byte| *byte == 0) else { return false };
        // The numbers of the table, of its column and of the type; the type's length and modifier, and the format.
        let Some((numbers, rest)) = columns[end + 1..].split_first_chunk::<18>() else { return false };
        if Type::from_oid(u32::from_be_bytes([numbers[6], numbers[7], numbers[8], numbers[9]])).is_none() {
            return false;
        }
        columns = rest;
    }
    true
}

fn invalid(text: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, text)
}

const CLEAR_TEXT_REFUSED: &str = "the server asks for the password in clear text, and nothing shows that it is the right server: set \
                    ssl_mode=verify_identity or verify_ca, or let the server ask for scram-sha-256 (pg_hba.conf)";

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many bytes are taken in, one at a time or all at once, before one is refused.
    fn refused_at(incoming: impl Fn() -> Incoming, sent: &[u8]) -> Option<usize> {
        let mut cut = incoming();
        let at = sent.chunks(1).position(|byte| cut.read(byte).is_err());
        assert_eq!(incoming().read(sent).is_err(), at.is_some(), "{sent:?}");
        at
    }

    fn new(allows_clear_text: bool) -> Incoming {
        Incoming::new(Allowance::of(1 << 20), allows_clear_text)
    }

    fn message(kind: u8, body: &[u8]) -> Vec<u8> {
        [&[kind][..], &(body.len() as u32 + 4).to_be_bytes(), body].concat()
    }

    fn column(oid: u32) -> Vec<u8> {
        [&b"name\0\0\0\0\0\0\0"[..], &oid.to_be_bytes(), &[0; 8]].concat()
    }

    #[test]
    fn a_request_for_the_password_is_found_however_it_is_cut_and_no_other_message_is() {
        let request = message(b'R', &CLEAR_TEXT);
        assert_eq!(refused_at(|| new(false), &request), Some(8));
        assert_eq!(refused_at(|| new(true), &request), None);
        let behind = || new(false).behind_a_request(true);
        assert_eq!(refused_at(behind, &[b"N", &request[..]].concat()), Some(9));
        for body in [&b"\0\0\0\0"[..], b"\0\0\0\x05salt", b""] {
            assert_eq!(refused_at(|| new(false), &message(b'R', body)), None);
        }
    }

    #[test]
    fn columns_of_types_that_the_driver_would_ask_for_are_refused() {
        let described = |types: &[u32]| {
            let columns: Vec<u8> = types.iter().flat_map(|oid| column(*oid)).collect();
            message(b'T', &[&(types.len() as u16).to_be_bytes()[..], &columns].concat())
        };
        let refused = |sent: Vec<u8>| refused_at(|| new(true), &[sent, message(b'C', b"x")].concat());
        assert_eq!(refused(described(&[20, 25, 16])), None);
        assert_eq!(refused(described(&[])), None);
        for types in [&[16_384][..], &[20, 9_999], &[0]] {
            assert!(refused(described(types)).is_some(), "{types:?}");
        }
        assert!(refused(message(b'T', b"\0\x01name")).is_some(), "cut off");
        assert_eq!(refused(described(&[20; 2_000])), Some(4), "longer than any of ours");
    }

    #[test]
    fn parameters_are_counted_for_as_long_as_the_session_lasts() {
        let mut incoming = new(true);
        let parameter = message(b'S', &[b'x'; 100]);
        let taken = (0..1000).take_while(|_| incoming.read(&parameter).is_ok()).count();
        assert_eq!(taken, MOST_PARAMETERS / 100);
    }

    #[test]
    fn empty_messages_use_up_the_allowance_too() {
        let mut incoming = new(true);
        assert!(incoming.read(&message(b'D', b"").repeat(1000)).is_ok());
        assert!(incoming.read(&message(b'D', b"").repeat((1 << 20) / EACH)).is_err());
    }

    #[test]
    fn a_length_that_leaves_no_room_for_itself_is_refused() {
        assert_eq!(refused_at(|| new(true), b"Z\0\0\0\x03I"), Some(4));
        assert_eq!(refused_at(|| new(true), b"Z\0\0\0\x05IZ\0\0\0\x04"), None);
    }
}
