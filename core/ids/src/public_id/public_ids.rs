//! Ids as texts of 26 characters and a prefix: AES-128 over zeros and the id.

use super::base32::LENGTH;
use super::{IdKeys, base32, check_id, check_name, invalid_id};
use crate::error::{ConfigErrors, Result};
use crate::text::quoted;
use aes::Aes128;
use aes::cipher::{Array, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use std::fmt;

/// What the keys of this construction are derived for, with its version.
const PURPOSE: &str = "leafmint/public/1/";

/// Number of texts whose blocks a processor works on at once.
const AT_ONCE: usize = 32;

type Block = Array<u8, aes::cipher::consts::U16>;

/// Writes ids as texts for strangers, such as `order_4hq0q7ybr0e1v6wdnt9z2x8mk3`, and reads them back.
///
/// A text hides the id, how many there are, and their order and time, from everyone without the key. A text that was
/// not written with one of the keys, for this name and prefix, is refused, all but one in 2^65. It is neither a
/// password nor a permission: a client that was given a text can show it to others.
///
/// The same id has the same text for as long as the first key is the same. Store ids as numbers, never their texts.
///
/// ```
/// use leafmint_ids::public_id::{PublicIds, IdKeys};
/// let keys = IdKeys::parse("lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef")?;
/// let orders = PublicIds::new("order", &keys)?;
/// let text = orders.encode(42)?;
/// assert!(text.starts_with("order_") && text.len() == orders.length());
/// assert_eq!(orders.decode(&text)?, 42);
/// assert!(PublicIds::new("customer", &keys)?.decode(&text.replace("order", "customer")).is_err());
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
#[derive(Clone)]
pub struct PublicIds {
    name: String,
    /// With its underscore.
    prefix: String,
    numbers: Vec<u8>,
    ciphers: Vec<Aes128>,
}

impl PublicIds {
    /// Makes the public ids of a name, which is also their prefix.
    ///
    /// Ids of different names have nothing in common, because the keys are derived for the name. A name has 1 to 63
    /// characters: small letters, digits and underscores, a letter first and no underscore last. Raises
    /// `invalid_config`.
    pub fn new(name: &str, keys: &IdKeys) -> Result<Self> {
        Self::with_prefix(name, keys, name)
    }

    /// Makes the public ids of a name, with another prefix. Raises `invalid_config`.
    pub fn with_prefix(name: &str, keys: &IdKeys, prefix: &str) -> Result<Self> {
        let mut errors = ConfigErrors::default();
        check_names(name, prefix, &mut errors);
        errors.into_result("public ids")?;
        let (numbers, ciphers) =
            keys.derive(PURPOSE, name).into_iter().map(|(number, key)| (number, Aes128::new(&Array(*key)))).unzip();
        Ok(Self { name: name.to_owned(), prefix: format!("{prefix}_"), numbers, ciphers })
    }

    /// Returns the name, for which the keys were derived.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the prefix, without the underscore after it.
    pub fn prefix(&self) -> &str {
        self.prefix.strip_suffix('_').expect("the constructor adds it")
    }

    /// Returns the number of bytes of each text: those of the prefix, and 27.
    pub fn length(&self) -> usize {
        self.prefix.len() + LENGTH
    }

    /// Returns a regular expression that matches each text, and few others, as JSON Schema has it.
    pub fn pattern(&self) -> String {
        pattern(self.prefix())
    }

    /// Writes an id. Raises `invalid_id` if it is negative.
    #[inline]
    pub fn encode(&self, id: i64) -> Result<String> {
        let mut block = block_of(id)?;
        self.ciphers[0].encrypt_block(&mut block);
        let mut text = [0; LENGTH];
        base32::write(self.numbers[0], block.0, &mut text);
        let mut written = String::with_capacity(self.length());
        written.push_str(&self.prefix);
        written.push_str(str::from_utf8(&text).expect("digits are ASCII"));
        Ok(written)
    }

    /// Reads an id.
    ///
    /// Raises `invalid_id` for a text that was not written with one of the keys, for this name and prefix. The message
    /// does not say what is wrong with it, and the time does not show it.
    #[inline]
    pub fn decode(&self, text: &str) -> Result<i64> {
        self.read(text.as_bytes()).ok_or_else(|| self.refused(text))
    }

    /// Writes ids into a column: their texts one after another, each of [`length`](PublicIds::length) bytes.
    ///
    /// Raises `invalid_id` if one is negative; what the column contains then is undefined.
    ///
    /// # Panics
    ///
    /// If the column has another length.
    #[inline]
    pub fn encode_column(&self, ids: &[i64], column: &mut [u8]) -> Result<()> {
        assert_eq!(column.len(), ids.len() * self.length(), "the column has room for the texts");
        let mut blocks = [Block::default(); AT_ONCE];
        for (at, (ids, texts)) in ids.chunks(AT_ONCE).zip(column.chunks_mut(AT_ONCE * self.length())).enumerate() {
            let blocks = &mut blocks[..ids.len()];
            for (place, (block, id)) in blocks.iter_mut().zip(ids).enumerate() {
                *block = block_of(*id).map_err(|error| in_column(at * AT_ONCE + place, &error))?;
            }
            self.ciphers[0].encrypt_blocks(blocks);
            for (block, text) in blocks.iter().zip(texts.chunks_exact_mut(self.length())) {
                let (prefix, text) = text.split_at_mut(self.prefix.len());
                prefix.copy_from_slice(self.prefix.as_bytes());
                base32::write(self.numbers[0], block.0, text.try_into().expect("this is what the prefix leaves"));
            }
        }
        Ok(())
    }

    /// Reads the ids of a column, as [`encode_column`](PublicIds::encode_column) writes it.
    ///
    /// Raises `invalid_id`, whose message has the first place that is wrong; what `ids` contains then is undefined.
    ///
    /// # Panics
    ///
    /// If `ids` has not as many places as the column.
    #[inline]
    pub fn decode_column(&self, column: &[u8], ids: &mut [i64]) -> Result<()> {
        assert_eq!(column.len(), ids.len() * self.length(), "each text has a place");
        let mut blocks = [Block::default(); AT_ONCE];
        let chunks = column.chunks(AT_ONCE * self.length()).zip(ids.chunks_mut(AT_ONCE));
        for (at, (texts, ids)) in chunks.enumerate() {
            let texts = texts.chunks_exact(self.length());
            let blocks = &mut blocks[..ids.len()];
            let mut all = [0; AT_ONCE];
            let mut are_texts = true;
            for ((text, block), number) in texts.clone().zip(&mut *blocks).zip(&mut all) {
                let (read, sealed, is_text) = self.parse(text);
                (*number, block.0) = (read, sealed);
                are_texts &= is_text;
            }
            let numbers = &all[..ids.len()];
            let cipher = self.cipher(numbers[0]).filter(|_| are_texts && numbers.iter().all(|of| *of == numbers[0]));
            // Texts of several keys, or of none, are read one by one.
            let mut opened = cipher.is_some();
            if let Some(cipher) = cipher {
                cipher.decrypt_blocks(blocks);
                for (block, id) in blocks.iter().zip(&mut *ids) {
                    match id_of(*block) {
                        Some(read) => *id = read,
                        None => opened = false,
                    }
                }
            }
            if opened {
                continue;
            }
            for (place, (text, id)) in texts.zip(ids).enumerate() {
                *id = self
                    .read(text)
                    .ok_or_else(|| in_column(at * AT_ONCE + place, &self.refused(&String::from_utf8_lossy(text))))?;
            }
        }
        Ok(())
    }

    /// Reads an id. All texts take the same steps, whatever is wrong with them.
    #[inline]
    fn read(&self, text: &[u8]) -> Option<i64> {
        let (number, sealed, is_text) = self.parse(text);
        let cipher = self.cipher(number);
        let mut block = Array(sealed);
        cipher.unwrap_or(&self.ciphers[0]).decrypt_block(&mut block);
        id_of(block).filter(|_| is_text & cipher.is_some())
    }

    /// Returns a key's number, a block, and whether the text has the form of one.
    #[inline]
    fn parse(&self, text: &[u8]) -> (u8, [u8; 16], bool) {
        let digits = text.strip_prefix(self.prefix.as_bytes()).and_then(|digits| digits.try_into().ok());
        let (number, sealed, are_digits) = base32::read(digits.unwrap_or(&[b'0'; LENGTH]));
        (number, sealed, are_digits & digits.is_some())
    }

    fn cipher(&self, number: u8) -> Option<&Aes128> {
        self.numbers.iter().position(|of| *of == number).map(|at| &self.ciphers[at])
    }

    #[cold]
    fn refused(&self, text: &str) -> crate::error::Error {
        invalid_id(format!("{} is not an id of this kind: {:?}", quoted(text), self.prefix()))
    }
}

/// Shows the name, the prefix and the numbers of the keys.
impl fmt::Debug for PublicIds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("PublicIds");
        shown.field("name", &self.name).field("prefix", &self.prefix()).field("keys", &self.numbers).finish()
    }
}

pub(super) fn check_names(name: &str, prefix: &str, errors: &mut ConfigErrors) {
    check_name("name", name, errors);
    if prefix != name {
        check_name("prefix", prefix, errors);
    }
}

pub(super) fn pattern(prefix: &str) -> String {
    format!("^{prefix}_[0-9a-hjkmnp-tv-z]{{{LENGTH}}}$")
}

/// Returns a text of the right shape, which no key is likely to have written.
pub(super) fn example(prefix: &str) -> String {
    format!("{prefix}_4hq0q7ybr0e1v6wdnt9z2x8mk3")
}

/// Returns zeros and an id, which is not negative.
#[inline]
fn block_of(id: i64) -> Result<Block> {
    Ok(Array(u128::from(check_id(id)?).to_be_bytes()))
}

/// Returns the id behind the zeros. Everything else was encrypted with another key, or by no key.
#[inline]
fn id_of(block: Block) -> Option<i64> {
    i64::try_from(u128::from_be_bytes(block.0)).ok()
}

fn in_column(place: usize, error: &crate::error::Error) -> crate::error::Error {
    invalid_id(format!("ids[{place}]: {}", error.message()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn a_text_has_the_prefix_and_the_length_that_are_promised() {
        let keys = IdKeys::parse("lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef").unwrap();
        let ids = PublicIds::with_prefix("customer", &keys, "cus").unwrap();
        let text = ids.encode(42).unwrap();
        assert_eq!((ids.name(), ids.prefix(), ids.length()), ("customer", "cus", text.len()));
        assert_eq!(ids.pattern(), "^cus_[0-9a-hjkmnp-tv-z]{26}$");
        assert_eq!(example("cus").len(), text.len());
        assert_eq!(ids.decode(&example("cus")).unwrap_err().kind(), ErrorKind::InvalidId);
    }

    #[test]
    fn a_block_that_does_not_begin_with_65_zeros_is_no_id() {
        assert_eq!(id_of(block_of(i64::MAX).unwrap()), Some(i64::MAX));
        for bit in 63..128 {
            assert_eq!(id_of(Array((1_u128 << bit | 42).to_be_bytes())), None);
        }
    }

    #[test]
    #[should_panic(expected = "the column has room for the texts")]
    fn a_column_of_another_length_is_a_bug_of_the_caller() {
        let keys = IdKeys::parse("lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef").unwrap();
        let ids = PublicIds::new("order", &keys).unwrap();
        let _ = ids.encode_column(&[1, 2], &mut vec![0; ids.length()]);
    }
}
