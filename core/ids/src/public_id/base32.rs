//! 26 small characters of [Crockford's base 32](https://www.crockford.com/base32.html), which hold 130 bits: the number
//! of a key, and a block.

/// Number of characters.
pub(super) const LENGTH: usize = 26;

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Marks a character that is no digit.
const NONE: u8 = 0x80;

/// The value of each character. Capitals, and I, L, O and U, are no digits: a block has one text.
static VALUES: [u8; 256] = {
    let mut values = [NONE; 256];
    let mut value = 0;
    while value < DIGITS.len() {
        values[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    values
};

/// The two characters of each ten bits: half of the look-ups.
static PAIRS: [[u8; 2]; 1024] = {
    let mut pairs = [[0; 2]; 1024];
    let mut value = 0;
    while value < pairs.len() {
        pairs[value] = [DIGITS[value >> 5], DIGITS[value & 31]];
        value += 1;
    }
    pairs
};

/// Writes a key's number, of two bits, and a block.
#[inline]
pub(super) fn write(number: u8, block: [u8; 16], text: &mut [u8; LENGTH]) {
    let bits = u128::from_be_bytes(block);
    let (pairs, _) = text.as_chunks_mut::<2>();
    pairs[0] = pair(u64::from(number) << 8 | (bits >> 120) as u64);
    // Halves of 60 bits, since a shift of 128 bits costs more.
    let (first, second) = ((bits >> 60) as u64, bits as u64);
    for at in 0..6 {
        pairs[1 + at] = pair(first >> (50 - 10 * at));
        pairs[7 + at] = pair(second >> (50 - 10 * at));
    }
}

fn pair(value: u64) -> [u8; 2] {
    PAIRS[(value & 1023) as usize]
}

/// Reads a key's number and a block, and returns whether all characters are digits. The time is the same if not.
#[inline]
pub(super) fn read(text: &[u8; LENGTH]) -> (u8, [u8; 16], bool) {
    let value = |at: usize| u64::from(VALUES[usize::from(text[at])]);
    let (mut first, mut second, mut marks) = (0, 0, value(0) | value(25));
    for at in 0..12 {
        let (one, other) = (value(1 + at), value(13 + at));
        (first, second, marks) = (first << 5 | one, second << 5 | other, marks | one | other);
    }
    let ends = u128::from(value(0) & 7) << 125 | u128::from(value(25));
    let bits = ends | u128::from(first) << 65 | u128::from(second) << 5;
    ((value(0) >> 3 & 3) as u8, bits.to_be_bytes(), marks & u64::from(NONE) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_what_was_written() {
        for number in 0..4 {
            for bit in 0..128 {
                let block = (1_u128 << bit | 1).to_be_bytes();
                let mut text = [0; LENGTH];
                write(number, block, &mut text);
                assert_eq!(read(&text), (number, block, true));
            }
        }
    }

    #[test]
    fn the_text_is_the_number_of_130_bits_in_base_32() {
        let mut text = [0; LENGTH];
        write(2, (31_u128 << 120 | 17).to_be_bytes(), &mut text);
        assert_eq!(&text, b"gz00000000000000000000000h");
        write(3, [255; 16], &mut text);
        assert_eq!(&text, b"zzzzzzzzzzzzzzzzzzzzzzzzzz");
    }

    #[test]
    fn one_character_that_is_no_digit_is_noticed_at_each_place() {
        for at in 0..LENGTH {
            for character in 0..=u8::MAX {
                let mut text = [b'7'; LENGTH];
                text[at] = character;
                assert_eq!(read(&text).2, DIGITS.contains(&character), "{character}");
            }
        }
    }
}
