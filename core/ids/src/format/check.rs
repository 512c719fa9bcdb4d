//! Checks: digits that show whether a number was mistyped.

use super::radix::Radix;

/// A check of the digits, or of the digits and letters, before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Check {
    /// One digit. Finds every wrong digit, and every swap of two neighbours.
    ///
    /// H. Michael Damm, 2004: <https://en.wikipedia.org/wiki/Damm_algorithm>.
    Damm,
    /// One digit or letter. Finds every wrong character, and all swaps of neighbours but one pair of 630 at each place.
    ///
    /// ISO/IEC 7064, Mod 37,36: <https://www.iso.org/standard/31531.html>; an example is the
    /// [GRid](https://en.wikipedia.org/wiki/Global_Release_Identifier).
    Mod37x36,
    /// One digit. Finds every wrong digit, and all swaps of neighbours but 09 and 90.
    ///
    /// <https://en.wikipedia.org/wiki/Luhn_algorithm>, used by payment cards.
    Luhn,
    /// Two digits. Finds every wrong digit, and every swap of two neighbouring digits.
    ///
    /// ISO/IEC 7064, Mod 97-10, with letters as 10 to 35 as in an IBAN or an
    /// [LEI](https://en.wikipedia.org/wiki/Legal_Entity_Identifier).
    Mod97x10,
}

impl Check {
    pub(super) const ALL: [Check; 4] = [Check::Damm, Check::Mod37x36, Check::Luhn, Check::Mod97x10];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Check::Damm => "damm",
            Check::Mod37x36 => "mod37_36",
            Check::Luhn => "luhn",
            Check::Mod97x10 => "mod97_10",
        }
    }

    /// Returns the number of characters.
    pub(super) const fn width(self) -> usize {
        if matches!(self, Check::Mod97x10) { 2 } else { 1 }
    }

    pub(super) const fn covers_letters(self) -> bool {
        matches!(self, Check::Mod37x36 | Check::Mod97x10)
    }

    pub(super) const fn radix(self) -> Radix {
        if matches!(self, Check::Mod37x36) { Radix::Base36 } else { Radix::Decimal }
    }

    /// Returns the check of a text. What is not of its alphabet does not count; small letters count as capitals.
    pub(super) fn of(self, text: &[u8]) -> u32 {
        match self {
            Check::Damm => damm(values(text, 10)),
            Check::Mod37x36 => mod_37_36(values(text, 36)),
            Check::Luhn => luhn(values(text, 10).rev()),
            Check::Mod97x10 => mod_97_10(values(text, 36)),
        }
    }
}

/// Returns the values of a text's digits, and of its letters if the base is 36.
fn values(text: &[u8], base: u32) -> impl DoubleEndedIterator<Item = u32> {
    text.iter().filter_map(move |byte| char::from(*byte).to_digit(base))
}

/// A totally anti-symmetric quasigroup: `x * y = y * x` and `(c * x) * y = (c * y) * x` hold only for equal x and y.
const QUASIGROUP: [[u8; 10]; 10] = [
    [0, 3, 1, 7, 5, 9, 8, 6, 4, 2],
    [7, 0, 9, 2, 1, 5, 4, 8, 6, 3],
    [4, 2, 0, 6, 8, 7, 1, 3, 5, 9],
    [1, 7, 5, 0, 9, 8, 3, 4, 2, 6],
    [6, 1, 2, 3, 0, 4, 5, 9, 7, 8],
    [3, 6, 7, 4, 2, 0, 9, 5, 8, 1],
    [5, 8, 6, 9, 7, 2, 0, 1, 3, 4],
    [8, 9, 4, 5, 3, 6, 2, 0, 1, 7],
    [9, 4, 3, 8, 6, 1, 7, 2, 0, 5],
    [2, 5, 8, 1, 4, 3, 6, 7, 9, 0],
];

fn damm(digits: impl Iterator<Item = u32>) -> u32 {
    digits.fold(0, |interim, digit| QUASIGROUP[interim as usize][digit as usize].into())
}

fn mod_37_36(values: impl Iterator<Item = u32>) -> u32 {
    let product = values.fold(36, |product, value| {
        let sum = (product + value) % 36;
        (if sum == 0 { 36 } else { sum }) * 2 % 37
    });
    // The check makes the last sum 1 (mod 36).
    (37 - product) % 36
}

/// Takes the digits from the last to the first.
fn luhn(digits: impl Iterator<Item = u32>) -> u32 {
    let doubled = |digit| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let sum: u32 = digits.enumerate().map(|(at, digit)| if at % 2 == 0 { doubled(digit) } else { digit }).sum();
    (10 - sum % 10) % 10
}

fn mod_97_10(values: impl Iterator<Item = u32>) -> u32 {
    let rest = values.fold(0, |rest, value| (rest * if value < 10 { 10 } else { 100 } + value) % 97);
    98 - rest * 100 % 97
}
