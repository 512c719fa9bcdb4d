//! Mutations of the inputs of a corpus.

use fastrand::Rng;

/// Texts that parsers compare with, and numbers at the limits of their types.
const PIECES: [&str; 56] = [
    "0",
    "-1",
    "1",
    "00",
    "+7",
    "4095",
    "4096",
    "65536",
    "2147483647",
    "2147483648",
    "2305843009213693952",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "1e308",
    "1e-9",
    "nan",
    "inf",
    "%",
    "%00",
    "%0a",
    "%40",
    "%ff",
    "%25",
    "@",
    ":",
    "//",
    "/",
    "?",
    "&",
    "=",
    "#",
    "[",
    "]",
    ",",
    ";",
    "+",
    " ",
    "\n",
    "\r\n",
    "\0",
    "\u{1b}[2J",
    "\u{85}",
    "\u{202e}",
    "🙂",
    "ü",
    "none",
    "true",
    "NULL",
    "ms",
    "y",
    "end\n",
    "leaf",
    "mysql+x:",
    "\u{9b}",
];

pub(super) struct Mutator(Rng);

impl Mutator {
    pub(super) fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    /// Returns one of the inputs with one to eight changes.
    pub(super) fn mutate(&mut self, inputs: &[Vec<u8>], longest: usize) -> Vec<u8> {
        let mut input = self.0.choice(inputs).cloned().unwrap_or_default();
        for _ in 0..1 << self.0.u32(..4) {
            self.change(&mut input, inputs);
        }
        input.truncate(longest);
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, inputs: &[Vec<u8>]) {
        let (from, to) = self.piece_of(input.len());
        match self.0.u32(..9) {
            0 => input.iter_mut().skip(from).take(1).for_each(|byte| *byte ^= 1 << self.0.u32(..8)),
            1 => input.iter_mut().skip(from).take(1).for_each(|byte| *byte = self.0.u8(..)),
            2 => drop(input.drain(from..to)),
            3 => input.truncate(from),
            4 => {
                let copy = input[from..to].repeat(if self.0.u32(..8) == 0 { self.0.usize(..200) } else { 1 });
                input.splice(from..from, copy);
            }
            5 | 6 => {
                let piece = self.0.choice(PIECES).unwrap_or_default();
                let to = if self.0.bool() { from } else { to };
                input.splice(from..to, piece.bytes());
            }
            7 => {
                let number = (self.0.i64(..) >> self.0.u32(..64)).to_string();
                input.splice(from..from, number.into_bytes());
            }
            _ => {
                let other = self.0.choice(inputs).cloned().unwrap_or_default();
                let (start, end) = self.piece_of(other.len());
                input.splice(from..to, other[start..end].iter().copied());
            }
        }
    }

    /// Chooses a piece, mostly a short one.
    fn piece_of(&mut self, length: usize) -> (usize, usize) {
        let from = self.0.usize(..=length);
        let most = if self.0.bool() { 8 } else { length };
        (from, self.0.usize(from..=length.min(from + most)))
    }
}
