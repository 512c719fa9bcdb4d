//! Numbers as digits.

use std::result::Result;

/// Most digits of a number: a 64-bit number has 20 in decimal.
pub(super) const MOST_DIGITS: usize = 20;

/// The digits that a number is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Radix {
    Decimal,
    /// Crockford's base 32, which leaves out I, L, O and U: <https://www.crockford.com/base32.html>.
    Base32,
    Base36,
}

impl Radix {
    pub(super) const ALL: [Radix; 3] = [Radix::Decimal, Radix::Base32, Radix::Base36];

    /// Returns the name in a format's text; decimal has none.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Radix::Decimal => "",
            Radix::Base32 => "base32",
            Radix::Base36 => "base36",
        }
    }

    const fn digits(self) -> &'static [u8] {
        match self {
            Radix::Decimal => b"0123456789",
            Radix::Base32 => b"0123456789ABCDEFGHJKMNPQRSTVWXYZ",
            Radix::Base36 => b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        }
    }

    pub(super) const fn base(self) -> u32 {
        self.digits().len() as u32
    }

    /// Returns the number of digits of a number, which is not negative.
    pub(super) const fn length(self, number: u64) -> usize {
        let logarithm = match self {
            Radix::Decimal => number.checked_ilog10(),
            Radix::Base32 => number.checked_ilog(32),
            Radix::Base36 => number.checked_ilog(36),
        };
        match logarithm {
            Some(below) => below as usize + 1,
            None => 1,
        }
    }

    /// Returns the largest number of this width.
    pub(super) fn largest(self, width: usize) -> i64 {
        let base = self.digits().len() as i64;
        base.checked_pow(width as u32).map_or(i64::MAX, |above| above - 1)
    }

    /// Writes the last digits of a number, and returns whether there are no others.
    pub(super) fn fill(self, number: u64, places: &mut [u8]) -> bool {
        // Each base is a constant: a division by one costs a tenth of others.
        let rest = match self {
            Radix::Decimal => fill::<10>(self.digits(), number, places),
            Radix::Base32 => fill::<32>(self.digits(), number, places),
            Radix::Base36 => fill::<36>(self.digits(), number, places),
        };
        rest == 0
    }

    /// Reads a number, also if it is written with what people take for its digits. Returns why the text is none.
    pub(super) fn read(self, text: &str) -> Result<i64, Unreadable> {
        if text.is_empty() {
            return Err(Unreadable::NotDigits);
        }
        let base = self.digits().len() as i64;
        let mut number = Some(0_i64);
        for byte in text.bytes() {
            let digit = self.digit(byte).ok_or(Unreadable::NotDigits)?;
            number = number.and_then(|number| number.checked_mul(base)?.checked_add(digit));
        }
        number.ok_or(Unreadable::TooLarge)
    }

    fn digit(self, byte: u8) -> Option<i64> {
        let byte = match (self, byte.to_ascii_uppercase()) {
            (Radix::Decimal | Radix::Base32, b'O') => b'0',
            (Radix::Decimal | Radix::Base32, b'I' | b'L') => b'1',
            (_, byte) => byte,
        };
        self.digits().iter().position(|digit| *digit == byte).map(|digit| digit as i64)
    }
}

fn fill<const BASE: u64>(digits: &[u8], mut number: u64, places: &mut [u8]) -> u64 {
    for place in places.iter_mut().rev() {
        *place = digits[(number % BASE) as usize];
        number /= BASE;
    }
    number
}

/// Why a text is not a number.
pub(super) enum Unreadable {
    /// It has a character that is not a digit, or none at all.
    NotDigits,
    /// It is above 2^63 - 1.
    TooLarge,
}
