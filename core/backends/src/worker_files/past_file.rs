//! The counters of a worker id for the past, in the file `<id>.past`: one record a block, at its place, after the mark
//! of their generation.
//!
//! A record is written in place and synced before what it leases is used. A record that cannot be read counts as used
//! up: it may have held more than any process can know. A file without the mark that the worker id's state file names
//! is not the one that its ids were leased from.

use leafmint_engine::holder::past::BlockLease;
use leafmint_engine::holder::{Generation, PastBlock};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// The size of a record: block, next sequence number, checksum, each in 8 bytes of little endian, and zeros.
const RECORD: usize = 32;

/// The block of no tick, whose record is the mark. It is the first one.
const MARK: i64 = -1;

type Record = [u8; RECORD];

/// Marks a new file, which is locked.
pub fn mark(file: &File, generation: Generation) -> io::Result<()> {
    file.write_all_at(&record(MARK, generation.number()), 0)?;
    file.sync_all()
}

/// Leases sequence numbers of a block in a locked file, if at least `least` are left. Once it returns, the lease
/// survives a crash.
pub fn lease(file: &File, generation: Generation, block: PastBlock, least: i64) -> io::Result<BlockLease> {
    if parse(&read(file, 0)?, MARK) != Some(generation.number()) {
        return Ok(BlockLease::Unmarked);
    }
    let at = u64::try_from(block.block + 1).map_err(io::Error::other)? * RECORD as u64;
    let next = parse(&read(file, at)?, block.block).unwrap_or(block.limit);
    let sequences = match block.after(next, least) {
        Ok(sequences) => sequences,
        Err(left) => return Ok(BlockLease::Left(left)),
    };
    file.write_all_at(&record(block.block, sequences.end), at)?;
    file.sync_all()?;
    Ok(BlockLease::Leased(sequences))
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

    fn generation(number: i64) -> Generation {
        Generation::of(number).unwrap()
    }

    fn marked() -> File {
        let file = tempfile::tempfile().unwrap();
        mark(&file, generation(5)).unwrap();
        file
    }

    fn leased(file: &File, block: i64, count: i64) -> BlockLease {
        lease(file, generation(5), PastBlock { block, count, limit: 10 }, 1).unwrap()
    }

    fn change_byte(file: &File, at: u64) {
        let mut byte = [0];
        file.read_exact_at(&mut byte, at).unwrap();
        file.write_all_at(&[byte[0] ^ 0x10], at).unwrap();
    }

    #[test]
    fn leases_of_a_block_follow_one_another_and_blocks_are_apart() {
        let file = marked();
        let [first, second, last] = [0..4, 4..8, 8..10].map(BlockLease::Leased);
        assert_eq!([leased(&file, 7, 4), leased(&file, 3, 4), leased(&file, 7, 4)], [first.clone(), first, second]);
        let few = lease(&file, generation(5), PastBlock { block: 7, count: 4, limit: 10 }, 4).unwrap();
        assert_eq!([few, leased(&file, 7, 4), leased(&file, 7, 4)], [BlockLease::Left(2), last, BlockLease::Left(0)]);
        assert_eq!(leased(&file, 8, 1), BlockLease::Leased(0..1));
    }

    #[test]
    fn a_changed_byte_uses_the_block_up_and_leaves_the_others() {
        for at in 0..RECORD as u64 {
            let file = marked();
            leased(&file, 1, 2);
            leased(&file, 2, 2);
            change_byte(&file, 2 * RECORD as u64 + at);
            let both = (leased(&file, 1, 1), leased(&file, 2, 1));
            assert_eq!(both, (BlockLease::Left(0), BlockLease::Leased(2..3)), "byte {at}");
        }
    }

    #[test]
    fn a_file_with_another_mark_or_a_damaged_one_or_none_leases_nothing() {
        let other = marked();
        mark(&other, generation(6)).unwrap();
        let damaged = (0..RECORD as u64).map(|at| {
            let file = marked();
            change_byte(&file, at);
            file
        });
        for file in [tempfile::tempfile().unwrap(), other].into_iter().chain(damaged) {
            assert_eq!(leased(&file, 0, 1), BlockLease::Unmarked);
        }
    }

    #[test]
    fn a_file_that_ends_in_a_record_uses_its_block_up() {
        let file = marked();
        leased(&file, 0, 2);
        file.set_len(RECORD as u64 + 12).unwrap();
        assert_eq!(leased(&file, 0, 1), BlockLease::Left(0));
    }
}
