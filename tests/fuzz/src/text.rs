//! Reads a corpus: one input a line, with `\n`, `\\`, `\xNN` and the like for other than printable ASCII; `#` begins a
//! comment.

use std::fs;
use std::path::Path;

pub(super) fn read(path: &Path) -> Vec<Vec<u8>> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.starts_with('#')).map(from_line).collect()
}

pub(super) fn to_line(input: &[u8]) -> String {
    let line = input.escape_ascii().to_string();
    line.strip_prefix('#').map(|rest| format!("\\x23{rest}")).unwrap_or(line)
}

pub(super) fn to_hex(input: &[u8]) -> String {
    input.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_line(line: &str) -> Vec<u8> {
    let mut input = Vec::new();
    let mut rest = line.bytes();
    while let Some(byte) = rest.next() {
        input.push(if byte == b'\\' { escaped(&mut rest, line) } else { byte });
    }
    input
}

fn escaped(rest: &mut std::str::Bytes<'_>, line: &str) -> u8 {
    let hex = |digit: Option<u8>| digit.and_then(|digit| char::from(digit).to_digit(16)).expect(line) as u8;
    match rest.next() {
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(b'x') => hex(rest.next()) << 4 | hex(rest.next()),
        Some(other) => other,
        None => panic!("a corpus line ends with a backslash: {line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_read_as_it_was_written() {
        for input in [(0..=255).collect::<Vec<u8>>(), b"# no comment".to_vec(), Vec::new()] {
            let line = to_line(&input);
            assert!(!line.starts_with('#') && line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line}");
            assert_eq!(from_line(&line), input);
        }
    }
}
