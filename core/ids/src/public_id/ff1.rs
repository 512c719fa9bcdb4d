//! FF1 with AES-128: a permutation of the numbers of a fixed width.
//!
//! [NIST SP 800-38G](https://doi.org/10.6028/NIST.SP.800-38G), for texts whose halves fit in 64 bits. All that one key,
//! tweak and width have in common is encrypted once.

use aes::Aes128;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};

const ROUNDS: u8 = 10;
/// Bytes of a block.
const BLOCK: usize = 16;

/// A permutation of the numbers below `radix` to the power of `width`.
#[derive(Clone)]
pub(super) struct Ff1 {
    cipher: Aes128,
    /// What the last block of each round has in common with those of all rounds, and the sum of the blocks before it.
    start: u128,
    /// Place of the round's number in the last block, above the half.
    round_bits: u32,
    /// Bits of a block that a round leaves out.
    unused_bits: u32,
    /// Numbers of the first half, and of the second one.
    moduli: [u64; 2],
}

impl Ff1 {
    /// Makes a permutation.
    ///
    /// # Panics
    ///
    /// If the larger half of the digits has more than 2^63 numbers.
    pub(super) fn new(key: &[u8; 16], tweak: &[u8], radix: u32, width: u32) -> Self {
        let cipher = Aes128::new(&Array(*key));
        let (first, second) = (width / 2, width - width / 2);
        let moduli = [first, second].map(|digits| u64::from(radix).pow(digits));
        assert!(moduli[1] <= 1 << 63, "the sum of two halves fits in 64 bits");
        let half_bits = (moduli[1] - 1).checked_ilog2().map_or(0, |bits| bits + 1);
        let half_bytes = half_bits.div_ceil(8);
        let used_bytes = 4 * half_bytes.div_ceil(4) + 4;
        let fixed = fixed_bytes(tweak, radix, width, half_bytes as usize);
        let (blocks, last) = fixed.split_at(fixed.len() - BLOCK);
        let sum = blocks.chunks_exact(BLOCK).fold(0, |sum, block| encrypt(&cipher, sum ^ number(block)));
        let unused_bits = 8 * (BLOCK as u32 - used_bytes);
        Self { start: sum ^ number(last), cipher, round_bits: 8 * half_bytes, unused_bits, moduli }
    }

    /// Encrypts a number, which is below `radix` to the power of `width`.
    pub(super) fn encrypt(&self, number: u128) -> u128 {
        let (mut a, mut b) = self.split(number);
        for round in 0..ROUNDS {
            let modulus = self.moduli[usize::from(round % 2)];
            (a, b) = (b, below(modulus, a + self.of_round(round, b, modulus)));
        }
        self.join(a, b)
    }

    /// Decrypts a number, which is below `radix` to the power of `width`.
    pub(super) fn decrypt(&self, number: u128) -> u128 {
        let (mut a, mut b) = self.split(number);
        for round in (0..ROUNDS).rev() {
            let modulus = self.moduli[usize::from(round % 2)];
            (a, b) = (below(modulus, b + modulus - self.of_round(round, a, modulus)), a);
        }
        self.join(a, b)
    }

    /// Returns what a round adds to one half, which depends on the other one.
    fn of_round(&self, round: u8, half: u64, modulus: u64) -> u64 {
        let last = self.start ^ u128::from(round) << self.round_bits ^ u128::from(half);
        let used = encrypt(&self.cipher, last) >> self.unused_bits;
        // A half of 32 bits uses 64 bits, whose division is a single instruction.
        u64::try_from(used).map_or_else(|_| (used % u128::from(modulus)) as u64, |used| used % modulus)
    }

    fn split(&self, number: u128) -> (u64, u64) {
        let second = u128::from(self.moduli[1]);
        ((number / second) as u64, (number % second) as u64)
    }

    fn join(&self, first: u64, second: u64) -> u128 {
        u128::from(first) * u128::from(self.moduli[1]) + u128::from(second)
    }
}

/// Returns the remainder of a sum of two numbers below the modulus.
fn below(modulus: u64, sum: u64) -> u64 {
    if sum < modulus { sum } else { sum - modulus }
}

/// Returns the blocks that a round's function encrypts, with zeros for the number of the round and the half.
fn fixed_bytes(tweak: &[u8], radix: u32, width: u32, half_bytes: usize) -> Vec<u8> {
    let [_, radix @ ..] = radix.to_be_bytes();
    let first_half = (width / 2) as u8;
    let mut bytes = vec![1, 2, 1, radix[0], radix[1], radix[2], ROUNDS, first_half];
    bytes.extend(width.to_be_bytes());
    bytes.extend((tweak.len() as u32).to_be_bytes());
    bytes.extend(tweak);
    bytes.resize((bytes.len() + 1 + half_bytes).next_multiple_of(BLOCK), 0);
    bytes
}

fn encrypt(cipher: &Aes128, block: u128) -> u128 {
    let mut block = Array(block.to_be_bytes());
    cipher.encrypt_block(&mut block);
    u128::from_be_bytes(block.0)
}

fn number(block: &[u8]) -> u128 {
    u128::from_be_bytes(block.try_into().expect("a block has 16 bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fpe::ff1::{FF1, FlexibleNumeralString};
    use proptest::prelude::*;

    const KEY: [u8; 16] = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
    /// The 19 smallest digits of radix 36, in their order.
    const DIGITS: &str = "0123456789abcdefghi";

    fn digits(number: u128, radix: u32, width: usize) -> Vec<u16> {
        let mut rest = number;
        let mut digits = vec![0; width];
        for digit in digits.iter_mut().rev() {
            *digit = (rest % u128::from(radix)) as u16;
            rest /= u128::from(radix);
        }
        digits
    }

    fn check(tweak: &[u8], radix: u32, plain: &str, sealed: &str) {
        let ff1 = Ff1::new(&KEY, tweak, radix, plain.len() as u32);
        let read = |text: &str| {
            text.chars().fold(0, |number, c| number * u128::from(radix) + u128::from(c.to_digit(radix).unwrap()))
        };
        assert_eq!(ff1.encrypt(read(plain)), read(sealed));
        assert_eq!(ff1.decrypt(read(sealed)), read(plain));
    }

    /// FF1samples.pdf of <https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values>.
    #[test]
    fn the_samples_of_nist_with_aes_128_are_met() {
        check(b"", 10, &DIGITS[..10], "2433477484");
        check(b"9876543210", 10, &DIGITS[..10], "6124200773");
        check(b"7777pqrs777", 36, DIGITS, "a9tv40mll9kdu509eum");
    }

    #[test]
    fn all_numbers_of_a_small_width_change_places() {
        let ff1 = Ff1::new(&KEY, b"order", 10, 3);
        let mut sealed: Vec<u128> = (0..1000).map(|number| ff1.encrypt(number)).collect();
        assert!((0..1000).all(|number| ff1.decrypt(sealed[number as usize]) == number));
        sealed.sort_unstable();
        assert!(sealed.into_iter().eq(0..1000));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

        #[test]
        fn another_implementation_agrees(
            key in any::<[u8; 16]>(), tweak in prop::collection::vec(any::<u8>(), 0..=64), radix in 2_u32..=36,
            width in 2_u32..=24, any in any::<u128>(),
        ) {
            // The other one refuses less than a million numbers.
            let domain = u128::from(radix).pow(width);
            prop_assume!(domain >= 1_000_000);
            let plain = any % domain;
            let other = FF1::<Aes128>::new(&key, radix).unwrap();
            let as_text = FlexibleNumeralString::from(digits(plain, radix, width as usize));
            let ff1 = Ff1::new(&key, &tweak, radix, width);
            let sealed = ff1.encrypt(plain);
            let theirs: Vec<u16> = other.encrypt(&tweak, &as_text).unwrap().into();
            prop_assert_eq!(theirs, digits(sealed, radix, width as usize));
            prop_assert_eq!(ff1.decrypt(sealed), plain);
        }
    }
}
