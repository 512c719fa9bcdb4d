//! Jute, the encoding of ZooKeeper's protocol: big-endian numbers, and bytes behind their length.

use crate::database::{Failure, Outcome};

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
