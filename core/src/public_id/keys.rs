//! The secret keys of public ids, which the application supplies.

use super::invalid_config;
use crate::config_errors::ConfigErrors;
use crate::error::Result;
use crate::id::quoted;
use crate::trusted_path;
use ring::hkdf;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use zeroize::Zeroizing;

/// Most keys that are in use at once: two bits of each text number the key.
const MOST_KEYS: usize = 4;
/// Fewest and most bytes of a key.
const SECRET_BYTES: std::ops::RangeInclusive<usize> = 32..=64;
/// Most bytes of a file of keys, which is far more than four keys and their comments take.
const MOST_FILE_BYTES: u64 = 64 << 10;

const EXPECTED: &str = "a number from 0 to 3, a colon, and 64 to 128 hexadecimal digits, as `leafmint public keys new` \
                        prints it";

/// A value, or why it is wrong.
type Checked<T> = std::result::Result<T, String>;
type NumberAndSecret = (i64, Zeroizing<Vec<u8>>);

/// One to four secret keys of public ids. The first one encodes; all decode.
///
/// A key's text is its number, a colon and 32 to 64 random bytes in hexadecimal, as `leafmint public keys new` prints
/// it. The number is part of each id's text, so a key keeps its number for as long as such texts exist. To replace a
/// key, add a new one with another number in front of it; remove the old one when no text of it is left.
///
/// [`Debug`](fmt::Debug) shows the numbers only, no message contains a key, and the memory is cleared at the end.
///
/// ```
/// let keys = leafmint::PublicKeys::parse("
///     ## since November
///     1:6a1d1c1f0e5b4b8fa6c0b6d3c7f0d9e82b7a4c5d6e7f8091a2b3c4d5e6f70819
///     0:00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef
/// ")?;
/// assert_eq!(format!("{keys:?}"), "PublicKeys([1, 0])");
/// # Ok::<(), leafmint::Error>(())
/// ```
#[derive(Clone)]
pub struct PublicKeys(Vec<PublicKey>);

#[derive(Clone)]
struct PublicKey {
    number: u8,
    secret: Zeroizing<Vec<u8>>,
}

impl PublicKeys {
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
    /// Raises `invalid_config` as [`PublicKeys::new`] does, and if a text is not a key's.
    pub fn parse(text: &str) -> Result<Self> {
        Self::read("the keys of public ids", text)
    }

    /// Reads the keys in a file, such as a mounted secret, as [`PublicKeys::parse`] does.
    ///
    /// Raises `invalid_config`, also if the file cannot be read or has more than 64 KiB, or if a user other than this
    /// process's and root owns it, may write to it, or may put another one in its place.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self> {
        let what = format!("the file of public ids' keys {}", quoted(&path.as_ref().to_string_lossy()));
        // Memory that does not grow leaves no copies behind.
        let mut text = Zeroizing::new(String::with_capacity(MOST_FILE_BYTES as usize + 1));
        let path = path.as_ref();
        let opened = std::path::absolute(path).and_then(|path| Ok((File::open(&path)?, path)));
        if let Ok((file, path)) = &opened {
            trusted_path::check(path)?;
            let status = file.metadata().ok().filter(std::fs::Metadata::is_file);
            status.map_or(Ok(()), |status| trusted_path::check_file(path, &status))?;
        }
        let read = opened.and_then(|(file, _)| file.take(MOST_FILE_BYTES + 1).read_to_string(&mut text));
        match read {
            Err(error) => Err(invalid_config(format!("{what} cannot be read: {error}"))),
            Ok(bytes) if bytes as u64 > MOST_FILE_BYTES => {
                Err(invalid_config(format!("{what} has more than {MOST_FILE_BYTES} bytes")))
            }
            Ok(_) => Self::read(&what, &text),
        }
    }

    /// Reads the keys in an environment variable, as [`PublicKeys::parse`] does.
    ///
    /// Raises `invalid_config`, also if the variable is not set.
    pub fn from_env(variable: &str) -> Result<Self> {
        let what = format!("the environment variable {}, the keys of public ids", quoted(variable));
        match std::env::var(variable).map(Zeroizing::new) {
            Ok(text) => Self::read(&what, &text),
            Err(std::env::VarError::NotPresent) => Err(invalid_config(format!("{what}, is not set"))),
            // The error's own text has the value.
            Err(std::env::VarError::NotUnicode(_)) => Err(invalid_config(format!("{what}, is not UTF-8"))),
        }
    }

    /// Returns the text of a new random key, for [`PublicKeys::parse`].
    ///
    /// Raises `invalid_argument` if the number is above 3.
    pub fn generate(number: i64) -> Result<String> {
        check_number(number).map_err(super::invalid_argument)?;
        let mut secret = Zeroizing::new([0; *SECRET_BYTES.start()]);
        getrandom::fill(secret.as_mut_slice()).expect("the operating system has random numbers");
        let mut text = format!("{number}:");
        text.extend(secret.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(hex_digit));
        Ok(text)
    }

    fn read(what: &str, text: &str) -> Result<Self> {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let words = lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || c == ','));
        Self::check(what, words.filter(|word| !word.is_empty()).map(read_key).collect())
    }

    fn check(what: &str, keys: Vec<Checked<NumberAndSecret>>) -> Result<Self> {
        let mut errors = ConfigErrors::default();
        let mut checked: Vec<PublicKey> = Vec::new();
        if keys.is_empty() {
            errors.add("there is no key: make one with `leafmint public keys new`");
        }
        if keys.len() > MOST_KEYS {
            errors.add(format!("there are {} keys; the maximum is {MOST_KEYS}", keys.len()));
        }
        for (at, key) in keys.into_iter().enumerate() {
            match key.and_then(|(number, secret)| PublicKey::check(number, secret, &checked)) {
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

    /// Derives a key of AES-128 from each key for one use and one name, in their order:
    /// [HKDF](https://www.rfc-editor.org/rfc/rfc5869)-SHA256 without a salt.
    pub(super) fn derive(&self, purpose: &str, name: &str) -> Vec<(u8, Zeroizing<[u8; 16]>)> {
        let derive = |key: &PublicKey| {
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
impl fmt::Debug for PublicKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PublicKeys").field(&self.numbers()).finish()
    }
}

struct Aes128Key;

impl hkdf::KeyType for Aes128Key {
    fn len(&self) -> usize {
        16
    }
}

impl PublicKey {
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
    let (number, digits) = text.split_once(':').ok_or_else(wrong)?;
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
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, chown};

    const TEXT: &str = "1:6a1d1c1f0e5b4b8fa6c0b6d3c7f0d9e82b7a4c5d6e7f8091a2b3c4d5e6f70819";

    fn refusal(keys: Result<PublicKeys>) -> String {
        let error = keys.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        error.message().to_owned()
    }

    #[test]
    fn the_memory_of_a_secret_does_not_grow_while_it_is_read() {
        let (_, secret) = read_key(&format!("0:{}", "5a".repeat(33))).unwrap();
        assert_eq!((secret.len(), secret.capacity()), (33, 33));
    }

    #[test]
    fn the_derivation_is_hkdf_of_the_purpose_and_the_name() {
        let keys = PublicKeys::parse("0:00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef").unwrap();
        let derived = keys.derive("leafmint/public/1/", "order");
        // From Python's hmac and hashlib.
        assert_eq!(u128::from_be_bytes(*derived[0].1), 0x0ed9_5236_1c9e_900f_4ed1_5378_20e3_3ae6);
        assert_ne!(*keys.derive("leafmint/scrambled/1/", "order")[0].1, *derived[0].1);
    }

    #[test]
    fn a_file_that_another_user_may_write_or_replace_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        std::fs::write(&path, TEXT).unwrap();
        let set = |path: &Path, mode| std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        for mode in [0o600, 0o644] {
            set(&path, mode);
            assert_eq!(PublicKeys::from_file(&path).unwrap().numbers(), [1]);
        }
        set(&path, 0o646);
        assert!(refusal(PublicKeys::from_file(&path)).contains("every user of this host may write to it (mode 646)"));
        set(&path, 0o600);
        set(folder.path(), 0o777);
        assert!(refusal(PublicKeys::from_file(&path)).contains("may rename what is in it (mode 777)"));
        set(folder.path(), 0o700);
        if chown(&path, Some(65_534), None).is_ok() {
            assert!(refusal(PublicKeys::from_file(&path)).contains("belongs to user 65534"));
        }
    }

    #[test]
    fn a_generated_key_is_read_and_never_the_same() {
        let texts: Vec<String> = (0..4).map(|number| PublicKeys::generate(number).unwrap()).collect();
        assert_eq!(PublicKeys::parse(&texts.join("\n")).unwrap().numbers(), [0, 1, 2, 3]);
        assert!(texts.iter().all(|text| text.len() == 66));
        assert_ne!(PublicKeys::generate(0), PublicKeys::generate(0));
        for number in [-1, 4, i64::MAX] {
            let error = PublicKeys::generate(number).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            assert_eq!(error.message(), format!("the number {number} is out of range (0 to 3)"));
        }
    }

    #[test]
    fn a_file_is_read_to_its_end_but_not_a_large_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        std::fs::write(&path, format!("# of the shop\n{TEXT}\n")).unwrap();
        assert_eq!(PublicKeys::from_file(&path).unwrap().numbers(), [1]);
        let padded =
            |length: usize| std::fs::write(&path, format!("{TEXT}{}", " ".repeat(length - TEXT.len()))).unwrap();
        padded(64 << 10);
        assert!(PublicKeys::from_file(&path).is_ok());
        padded((64 << 10) + 1);
        assert!(refusal(PublicKeys::from_file(&path)).ends_with("has more than 65536 bytes"));
        std::fs::write(&path, [0xff; 8]).unwrap();
        assert!(refusal(PublicKeys::from_file(&path)).contains("cannot be read"));
        std::fs::write(&path, "").unwrap();
        assert!(
            refusal(PublicKeys::from_file(&path))
                .ends_with("there is no key: make one with `leafmint public keys new`")
        );
        let missing = refusal(PublicKeys::from_file(folder.path().join("none")));
        assert!(
            missing.starts_with("the file of public ids' keys \"/") && missing.contains("No such file"),
            "{missing}"
        );
    }

    #[test]
    fn a_variable_that_is_missing_or_holds_no_key_is_named() {
        let missing = refusal(PublicKeys::from_env("LEAFMINT_NO_SUCH_VARIABLE"));
        assert_eq!(
            missing,
            "the environment variable \"LEAFMINT_NO_SUCH_VARIABLE\", the keys of public ids, is not set"
        );
        // PATH is set in each process, and is no key.
        let other = refusal(PublicKeys::from_env("PATH"));
        let begin = "the environment variable \"PATH\", the keys of public ids: ";
        assert!(other.starts_with(begin) && !other.contains("/bin"), "{other}");
    }

    #[test]
    fn pairs_are_checked_like_texts() {
        let secret = |first: u8, length: u8| (first..first + length).collect::<Vec<u8>>();
        assert_eq!(PublicKeys::new([(3, secret(0, 32)), (0, secret(1, 64))]).unwrap().numbers(), [3, 0]);
        let wrong = [(4, secret(0, 32)), (0, secret(0, 31)), (1, secret(0, 65)), (2, vec![7; 32]), (-1, secret(0, 32))];
        assert_eq!(
            refusal(PublicKeys::new(wrong)),
            "the keys of public ids: 6 problems: there are 5 keys; the maximum is 4; key 1: the number 4 is out of range \
             (0 to 3); key 2: a secret has 32 to 64 bytes, not 31; key 3: a secret has 32 to 64 bytes, not 65; key 4: its \
             secret has 1 different bytes only: it is not random; key 5: the number -1 is out of range (0 to 3)"
        );
    }
}
