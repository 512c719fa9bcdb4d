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

    /// Returns the number of digits of a number, which is not negative.
    pub(super) const fn length(self, number: u64) -> usize {
        match number.checked_ilog(self.digits().len() as u64) {
            Some(below) => below as usize + 1,
            None => 1,
        }
    }

    /// Returns the largest number of this width.
    pub(super) fn largest(self, width: usize) -> i64 {
        let base = self.digits().len() as i64;
        base.checked_pow(width as u32).map_or(i64::MAX, |above| above - 1)
    }

    /// Appends a number, filled up with zeros to its width. Returns whether it fits; if not, the text means nothing.
    pub(super) fn write(self, mut number: u64, width: Option<usize>, text: &mut Vec<u8>) -> bool {
        let (digits, start) = (self.digits(), text.len());
        text.resize(start + width.unwrap_or_else(|| self.length(number)), b'0');
        for place in text[start..].iter_mut().rev() {
            // Divisions by constants, which cost a tenth of others.
            let (rest, digit) = match self {
                Radix::Decimal => (number / 10, number % 10),
                Radix::Base32 => (number / 32, number % 32),
                Radix::Base36 => (number / 36, number % 36),
            };
            *place = digits[digit as usize];
            number = rest;
        }
        number == 0
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

/// Why a text is not a number.
pub(super) enum Unreadable {
    /// It has a character that is not a digit, or none at all.
    NotDigits,
    /// It is above 2^63 - 1.
    TooLarge,
}
