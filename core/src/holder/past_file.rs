//! The counters of a worker id for the past, in the file `<id>.past`: one record a block, at its place.
//!
//! A record is written in place and synced before what it leases is used. A record that cannot be read counts as used
//! up: it may have held more than any process can know.

use super::past::PastBlock;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt;

/// The size of a record: block, next sequence number, checksum, each in 8 bytes of little endian, and zeros.
const RECORD: usize = 32;

type Record = [u8; RECORD];

/// Leases sequence numbers of a block in a locked file; `None` if none is left. Once it returns, the lease survives a
/// crash.
pub(super) fn lease(file: &File, block: PastBlock) -> io::Result<Option<Range<i64>>> {
    let at = u64::try_from(block.block).map_err(io::Error::other)? * RECORD as u64;
    let Some(sequences) = parse(&read(file, at)?, block.block).and_then(|next| block.after(next)) else {
        return Ok(None);
    };
    file.write_all_at(&record(block.block, sequences.end), at)?;
    file.sync_all()?;
    Ok(Some(sequences))
}

/// Reads a record, with zeros for what is beyond the end of the file.
fn read(file: &File, at: u64) -> io::Result<Record> {
    let mut bytes = [0; RECORD];
    let mut length = 0;
    while length < RECORD {
        match file.read_at(&mut bytes[length..], at + length as u64)? {
            0 => break,
            count => length += count,
        }
    }
    Ok(bytes)
}

/// Returns the first sequence number that is not leased; `None` for a record that is damaged.
fn parse(bytes: &Record, block: i64) -> Option<i64> {
    if bytes.iter().all(|&byte| byte == 0) {
        return Some(0);
    }
    let next = i64::from_le_bytes(bytes[8..16].try_into().ok()?);
    (*bytes == record(block, next)).then_some(next)
}

fn record(block: i64, next: i64) -> Record {
    let mut bytes = [0; RECORD];
    bytes[..8].copy_from_slice(&block.to_le_bytes());
    bytes[8..16].copy_from_slice(&next.to_le_bytes());
    let checksum = u64::from(crc32fast::hash(&bytes[..16]));
    bytes[16..24].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leased(file: &File, block: i64, count: i64) -> Option<Range<i64>> {
        lease(file, PastBlock { block, count, limit: 10 }).unwrap()
    }

    #[test]
    fn leases_of_a_block_follow_one_another_and_blocks_are_apart() {
        let file = tempfile::tempfile().unwrap();
        assert_eq!(
            [leased(&file, 7, 4), leased(&file, 3, 4), leased(&file, 7, 4)],
            [Some(0..4), Some(0..4), Some(4..8)]
        );
        assert_eq!([leased(&file, 7, 4), leased(&file, 7, 4)], [Some(8..10), None]);
        assert_eq!(leased(&file, 8, 1), Some(0..1));
    }

    #[test]
    fn a_changed_byte_uses_the_block_up_and_leaves_the_others() {
        for at in 0..RECORD as u64 {
            let file = tempfile::tempfile().unwrap();
            leased(&file, 1, 2);
            leased(&file, 2, 2);
            let at = RECORD as u64 + at;
            let mut byte = [0];
            file.read_exact_at(&mut byte, at).unwrap();
            file.write_all_at(&[byte[0] ^ 0x10], at).unwrap();
            assert_eq!((leased(&file, 1, 1), leased(&file, 2, 1)), (None, Some(2..3)), "byte {at}");
        }
    }

    #[test]
    fn a_file_that_ends_in_a_record_uses_its_block_up() {
        let file = tempfile::tempfile().unwrap();
        leased(&file, 0, 2);
        file.set_len(12).unwrap();
        assert_eq!(leased(&file, 0, 1), None);
    }
}
