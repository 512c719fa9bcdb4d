//! The secret keys of public ids, which the application supplies.

use crate::error::{ConfigErrors, Result};
use ring::hkdf;
use std::fmt;
use zeroize::Zeroizing;

/// Most keys that are in use at once: two bits of each text number the key.
const MOST_KEYS: usize = 4;
/// Fewest and most bytes of a key.
const SECRET_BYTES: std::ops::RangeInclusive<usize> = 32..=64;

/// What each text of a key begins with, so that scanners for secrets know one.
const PREFIX: &str = "lmk";

/// What a fingerprint is derived for, which no text of an id is.
const FINGERPRINT: &str = "leafmint/fingerprint/1/";

const EXPECTED: &str = "lmk, a number from 0 to 3, an underscore, and 64 to 128 hexadecimal digits, as `leafmint \
                        id-keys new` prints it";

/// A value, or why it is wrong.
type Checked<T> = std::result::Result<T, String>;
type NumberAndSecret = (i64, Zeroizing<Vec<u8>>);

/// One to four secret keys of public ids. The first one encodes; all decode.
///
/// A key's text is `lmk`, its number, an underscore and 32 to 64 random bytes in hexadecimal, as `leafmint id-keys new`
/// prints it: scanners find it by `lmk[0-3]_[0-9A-Fa-f]{64}`. The number is part of each id's text, so a key keeps its
/// number for as long as such texts exist. To replace a key, give every service a new one with another number behind
/// the old one, then move it to the front everywhere; remove the old one when no text of it is left.
///
/// [`Debug`](fmt::Debug) shows the numbers only, no message contains a key, and the memory is cleared at the end.
///
/// ```
/// let keys = leafmint_ids::public_id::IdKeys::parse("
///     ## since November
///     lmk1_6a1d1c1f0e5b4b8fa6c0b6d3c7f0d9e82b7a4c5d6e7f8091a2b3c4d5e6f70819
///     lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef
/// ")?;
/// assert_eq!(format!("{keys:?}"), "IdKeys([1, 0])");
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
#[derive(Clone)]
pub struct IdKeys(Vec<IdKey>);

#[derive(Clone)]
struct IdKey {
    number: u8,
    secret: Zeroizing<Vec<u8>>,
}

impl IdKeys {
    /// Makes keys from pairs of a number and 32 to 64 random bytes.
    ///
    /// Raises `invalid_config`, whose message names every problem, if there is no key, if there are more than four, if
    /// a number is above 3 or occurs twice, or if a secret is too short, too long or not random.
    pub fn new(keys: impl IntoIterator<Item = (i64, Vec<u8>)>) -> Result<Self> {
        let keys = keys.into_iter().map(|(number, secret)| Ok((number, Zeroizing::new(secret))));
        Self::check("the keys of public ids", keys.collect())
    }

    /// Reads the texts of keys, separated by white space or commas. A line that begins with `#` is a comment.
    ///
    /// Raises `invalid_config` as [`IdKeys::new`] does, and if a text is not a key's.
    pub fn parse(text: &str) -> Result<Self> {
        Self::read("the keys of public ids", text)
    }

    /// Returns the text of a new random key, for [`IdKeys::parse`].
    ///
    /// Raises `invalid_argument` if the number is above 3.
    pub fn generate(number: i64) -> Result<String> {
        check_number(number).map_err(super::invalid_argument)?;
        let mut secret = Zeroizing::new([0; *SECRET_BYTES.start()]);
        getrandom::fill(secret.as_mut_slice()).expect("the operating system has random numbers");
        let mut text = format!("{PREFIX}{number}_");
        text.extend(secret.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(hex_digit));
        Ok(text)
    }

    /// Reads the texts of keys as [`IdKeys::parse`] does; `what` names their source in errors.
    pub fn read(what: &str, text: &str) -> Result<Self> {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let words = lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || c == ','));
        Self::check(what, words.filter(|word| !word.is_empty()).map(read_key).collect())
    }

    fn check(what: &str, keys: Vec<Checked<NumberAndSecret>>) -> Result<Self> {
        let mut errors = ConfigErrors::default();
        let mut checked: Vec<IdKey> = Vec::new();
        if keys.is_empty() {
            errors.add("there is no key: make one with `leafmint id-keys new`");
        }
        if keys.len() > MOST_KEYS {
            errors.add(format!("there are {} keys; the maximum is {MOST_KEYS}", keys.len()));
        }
        for (at, key) in keys.into_iter().enumerate() {
            match key.and_then(|(number, secret)| IdKey::check(number, secret, &checked)) {
                Ok(key) => checked.push(key),
                Err(problem) => errors.add(format!("key {}: {problem}", at + 1)),
            }
        }
        errors.into_result(what)?;
        Ok(Self(checked))
    }

    /// Returns the numbers of the keys, in their order.
    pub fn numbers(&self) -> Vec<u8> {
        self.0.iter().map(|key| key.number).collect()
    }

    /// Returns the number and the fingerprint of each key, in their order.
    ///
    /// A fingerprint is eight hexadecimal digits that two keys share by chance only, once in 2^32. It says nothing of
    /// the secret, so logs and metrics may show it.
    ///
    /// ```
    /// let key = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";
    /// let keys = leafmint_ids::public_id::IdKeys::parse(key)?;
    /// assert_eq!(keys.fingerprints(), [(0, "0173b469".to_owned())]);
    /// # Ok::<(), leafmint_ids::error::Error>(())
    /// ```
    pub fn fingerprints(&self) -> Vec<(u8, String)> {
        let derived = self.derive(FINGERPRINT, "").into_iter();
        derived
            .map(|(number, key)| {
                (number, key[..4].iter().flat_map(|byte| [byte >> 4, byte & 15]).map(hex_digit).collect())
            })
            .collect()
    }

    /// Derives a key of AES-128 from each key for one use and one name, in their order:
    /// [HKDF](https://www.rfc-editor.org/rfc/rfc5869)-SHA256 without a salt.
    pub(super) fn derive(&self, purpose: &str, name: &str) -> Vec<(u8, Zeroizing<[u8; 16]>)> {
        let derive = |key: &IdKey| {
            let mut derived = Zeroizing::new([0; 16]);
            let random = hkdf::Salt::new(hkdf::HKDF_SHA256, &[]).extract(&key.secret);
            let info = [purpose.as_bytes(), name.as_bytes()];
            let filled = random.expand(&info, Aes128Key).and_then(|output| output.fill(derived.as_mut_slice()));
            filled.expect("16 bytes are less than HKDF's maximum");
            (key.number, derived)
        };
        self.0.iter().map(derive).collect()
    }
}

/// Shows the numbers of the keys.
impl fmt::Debug for IdKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("IdKeys").field(&self.numbers()).finish()
    }
}

struct Aes128Key;

impl hkdf::KeyType for Aes128Key {
    fn len(&self) -> usize {
        16
    }
}

impl IdKey {
    fn check(number: i64, secret: Zeroizing<Vec<u8>>, others: &[Self]) -> Checked<Self> {
        let number = check_number(number)?;
        if !SECRET_BYTES.contains(&secret.len()) {
            return Err(format!("a secret has 32 to 64 bytes, not {}", secret.len()));
        }
        // Catches placeholders, such as zeros, and text: each byte of 32 random ones occurs about once.
        let mut values = Zeroizing::new(secret.to_vec());
        values.sort_unstable();
        values.dedup();
        if values.len() < 16 {
            return Err(format!("its secret has {} different bytes only: it is not random", values.len()));
        }
        if others.iter().any(|other| other.number == number) {
            return Err(format!("the number {number} is another key's too"));
        }
        match others.iter().find(|other| other.secret == secret) {
            Some(other) => Err(format!("it has the same secret as the key with the number {}", other.number)),
            None => Ok(Self { number, secret }),
        }
    }
}

pub(super) fn check_number(number: i64) -> Checked<u8> {
    u8::try_from(number)
        .ok()
        .filter(|number| usize::from(*number) < MOST_KEYS)
        .ok_or_else(|| format!("the number {number} is out of range (0 to 3)"))
}

/// Reads a key's text. No message has a part of it: a secret may be where its number belongs.
fn read_key(text: &str) -> Checked<NumberAndSecret> {
    let wrong = || format!("it is not {EXPECTED}");
    let (number, digits) = text.strip_prefix(PREFIX).and_then(|rest| rest.split_once('_')).ok_or_else(wrong)?;
    let number = match number.as_bytes() {
        [digit @ b'0'..=b'9'] => i64::from(digit - b'0'),
        _ => return Err(wrong()),
    };
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    if !rest.is_empty() {
        return Err(wrong());
    }
    // Memory that does not grow leaves no copies behind.
    let mut secret = Zeroizing::new(Vec::with_capacity(pairs.len()));
    for [high, low] in pairs {
        let byte = hex_value(*high).zip(hex_value(*low)).map(|(high, low)| high << 4 | low);
        secret.push(byte.ok_or_else(wrong)? as u8);
    }
    Ok((number, secret))
}

fn hex_value(character: u8) -> Option<u32> {
    char::from(character).to_digit(16)
}

fn hex_digit(value: u8) -> char {
    char::from_digit(value.into(), 16).expect("four bits are a digit")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    fn refusal(keys: Result<IdKeys>) -> String {
        let error = keys.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        error.message().to_owned()
    }

    #[test]
    fn the_memory_of_a_secret_does_not_grow_while_it_is_read() {
        let (_, secret) = read_key(&format!("lmk0_{}", "5a".repeat(33))).unwrap();
        assert_eq!((secret.len(), secret.capacity()), (33, 33));
    }

    #[test]
    fn the_derivation_is_hkdf_of_the_purpose_and_the_name() {
        let keys = IdKeys::parse("lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef").unwrap();
        let derived = keys.derive("leafmint/public/1/", "order");
        // From Python's hmac and hashlib.
        assert_eq!(u128::from_be_bytes(*derived[0].1), 0x0ed9_5236_1c9e_900f_4ed1_5378_20e3_3ae6);
        assert_ne!(*keys.derive("leafmint/scrambled/1/", "order")[0].1, *derived[0].1);
    }

    #[test]
    fn fingerprints_differ_between_keys_and_from_what_encrypts() {
        let one = "lmk3_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";
        let other = "lmk1_7692C3AD3540BB803C020B3AEE66CD8887123234EA0C6E7143C0ADD73FF431ED";
        let keys = IdKeys::parse(&format!("{one} {other}")).unwrap();
        // From Python's hmac and hashlib.
        assert_eq!(keys.fingerprints(), [(3, "0173b469".to_owned()), (1, "c2eb8f0c".to_owned())]);
        let renumbered = IdKeys::parse(&one.replace("lmk3", "lmk0")).unwrap();
        assert_eq!(renumbered.fingerprints(), [(0, "0173b469".to_owned())]);
    }

    #[test]
    fn a_generated_key_is_read_and_never_the_same() {
        let texts: Vec<String> = (0..4).map(|number| IdKeys::generate(number).unwrap()).collect();
        assert_eq!(IdKeys::parse(&texts.join("\n")).unwrap().numbers(), [0, 1, 2, 3]);
        assert!(texts.iter().all(|text| text.len() == 69));
        assert_ne!(IdKeys::generate(0), IdKeys::generate(0));
        for number in [-1, 4, i64::MAX] {
            let error = IdKeys::generate(number).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            assert_eq!(error.message(), format!("the number {number} is out of range (0 to 3)"));
        }
    }

    #[test]
    fn pairs_are_checked_like_texts() {
        let secret = |first: u8, length: u8| (first..first + length).collect::<Vec<u8>>();
        assert_eq!(IdKeys::new([(3, secret(0, 32)), (0, secret(1, 64))]).unwrap().numbers(), [3, 0]);
        let wrong = [(4, secret(0, 32)), (0, secret(0, 31)), (1, secret(0, 65)), (2, vec![7; 32]), (-1, secret(0, 32))];
        assert_eq!(
            refusal(IdKeys::new(wrong)),
            "the keys of public ids: 6 problems: there are 5 keys; the maximum is 4; key 1: the number 4 is out of range \
             (0 to 3); key 2: a secret has 32 to 64 bytes, not 31; key 3: a secret has 32 to 64 bytes, not 65; key 4: its \
             secret has 1 different bytes only: it is not random; key 5: the number -1 is out of range (0 to 3)"
        );
    }
}
