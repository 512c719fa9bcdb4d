//! A small text that is overwritten in place, in a file that stays the same one.
//!
//! Any process that knows a path can replace the file there by a rename. Here only the process that has the file open
//! and locked writes it, so an owner whose files were replaced can no longer reach those of its successor.
//!
//! The file has two slots, which are written in turn: a write that is cut short leaves the previous text intact.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

const SLOT: usize = 8192;
const HEADING: &str = "slot ";

/// What a file holds.
#[derive(Debug, PartialEq, Eq)]
pub enum Content {
    /// The file is empty.
    Nothing,
    Text(String),
    /// Truncated, overwritten, or cut short in the middle of a write: there may have been a later text than can be
    /// read.
    Damaged,
}

/// The newest text, and the number of writes up to it.
struct Newest {
    turn: u64,
    text: String,
}

/// Reads the newest text.
pub fn read(file: &File) -> io::Result<Content> {
    Ok(parse(&bytes_of(file)?))
}

/// Reads the file, up to one byte more than its maximum size.
fn bytes_of(file: &File) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; 2 * SLOT + 1];
    let mut length = 0;
    while length < bytes.len() {
        match file.read_at(&mut bytes[length..], length as u64)? {
            0 => break,
            count => length += count,
        }
    }
    bytes.truncate(length);
    Ok(bytes)
}

pub(super) fn parse(bytes: &[u8]) -> Content {
    match newest(bytes) {
        _ if bytes.is_empty() => Content::Nothing,
        Some(newest) => Content::Text(newest.text),
        None => Content::Damaged,
    }
}

/// Overwrites the text. Once it returns, the text survives a crash of the process and of the host; until then, either
/// the text before it does or the file counts as damaged.
pub fn write(file: &File, text: &str) -> io::Result<()> {
    let before = newest(&bytes_of(file)?).map_or(0, |newest| newest.turn);
    if before == 0 {
        // Nothing, or what damaged the file, may stay in either slot. Until both are written the file counts as
        // damaged.
        file.set_len(2 * SLOT as u64)?;
        write_slot(file, 1, text)?;
    }
    write_slot(file, before.max(1) + 1, text)
}

fn write_slot(file: &File, turn: u64, text: &str) -> io::Result<()> {
    file.write_all_at(&slot_of(turn, text)?, (turn % 2) * SLOT as u64)?;
    file.sync_all()
}

fn slot_of(turn: u64, text: &str) -> io::Result<Vec<u8>> {
    let mut slot = format!("{HEADING}{turn} {:08x}\n{text}", checksum(turn, text)).into_bytes();
    if slot.len() >= SLOT {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the state is longer than 8 KB: use shorter names"));
    }
    slot.resize(SLOT, 0);
    Ok(slot)
}

/// Returns a file with these slots.
#[cfg(test)]
pub(super) fn slots(both: [(u64, &str); 2]) -> Vec<u8> {
    both.map(|(turn, text)| slot_of(turn, text).unwrap()).concat()
}

fn newest(bytes: &[u8]) -> Option<Newest> {
    if bytes.len() != 2 * SLOT {
        return None;
    }
    let (even, odd) = (slot(&bytes[..SLOT], 0)?, slot(&bytes[SLOT..], 1)?);
    let follows = |later: &Newest, earlier: &Newest| earlier.turn.checked_add(1) == Some(later.turn);
    match (even, odd) {
        (even, odd) if follows(&odd, &even) => Some(odd),
        (even, odd) => follows(&even, &odd).then_some(even),
    }
}

/// Reads one slot, which is written at every other turn.
fn slot(bytes: &[u8], parity: u64) -> Option<Newest> {
    let end = bytes.iter().rposition(|&byte| byte != 0)? + 1;
    let (turn, rest) = std::str::from_utf8(&bytes[..end]).ok()?.strip_prefix(HEADING)?.split_once(' ')?;
    let (sum, text) = rest.split_once('\n')?;
    let turn: u64 = turn.parse().ok()?;
    let whole = sum == format!("{:08x}", checksum(turn, text)) && turn % 2 == parity;
    whole.then(|| Newest { turn, text: text.to_owned() })
}

fn checksum(turn: u64, text: &str) -> u32 {
    let mut hash = crc32fast::Hasher::new();
    hash.update(&turn.to_le_bytes());
    hash.update(text.as_bytes());
    hash.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn text(turn: usize) -> String {
        format!("the text of turn {turn}\nend\n")
    }

    fn written(turns: usize) -> File {
        let file = tempfile::tempfile().unwrap();
        (0..turns).for_each(|turn| write(&file, &text(turn)).unwrap());
        file
    }

    #[test]
    fn what_was_written_last_is_read() {
        assert_eq!(read(&tempfile::tempfile().unwrap()).unwrap(), Content::Nothing);
        for turns in 1..5 {
            assert_eq!(read(&written(turns)).unwrap(), Content::Text(text(turns - 1)));
        }
    }

    #[test]
    fn a_text_without_a_checksum_is_damage() {
        for text in ["leafmint worker id 2\nhorizon 5\nend\n", "leafmint lead 1\nuntil 5\nend\n", "slot 2", "any text"]
        {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            assert_eq!(read(&file).unwrap(), Content::Damaged, "{text}");
        }
    }

    #[test]
    fn a_file_that_ends_early_is_damaged_wherever_it_ends() {
        for length in (1..2 * SLOT as u64).step_by(61).chain([SLOT as u64, 2 * SLOT as u64 + 1]) {
            let file = written(3);
            file.set_len(length).unwrap();
            assert_eq!(read(&file).unwrap(), Content::Damaged, "{length}");
        }
    }

    #[test]
    fn a_changed_byte_in_either_slot_is_damage_and_the_next_write_mends_it() {
        for turns in [2, 3] {
            for at in [7, 20, SLOT as u64 + 7, SLOT as u64 + 20] {
                let file = written(turns);
                file.write_all_at(b"#", at).unwrap();
                assert_eq!(read(&file).unwrap(), Content::Damaged, "{turns} {at}");
                write(&file, &text(9)).unwrap();
                assert_eq!(read(&file).unwrap(), Content::Text(text(9)));
            }
        }
    }

    #[test]
    fn a_text_that_does_not_fit_is_refused() {
        let file = written(2);
        assert!(write(&file, &"x".repeat(SLOT)).is_err());
        assert_eq!(read(&file).unwrap(), Content::Text(text(1)));
    }
}
