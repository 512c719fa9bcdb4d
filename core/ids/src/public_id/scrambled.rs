//! Ids as short numbers with a check, scrambled by FF1.

use super::ff1::Ff1;
use super::keys::check_number;
use super::{IdKeys, check_id, check_name};
use crate::error::{ConfigErrors, Result};
use crate::format::{Format, NumberParts};
use crate::text::quoted;
use std::fmt;

/// What the keys of this construction are derived for, with its version.
const PURPOSE: &str = "leafmint/scrambled/1/";

/// Fewest numbers of a format: FF1 is not secure for fewer.
const FEWEST: u64 = 1_000_000;
/// Most numbers of a format: all of them are ids.
const MOST: u64 = 1 << 63;

/// Writes ids as short numbers for people, such as the member number `M-48301577-3`, and reads them back.
///
/// The numbers of a [`Format`] change places, by a secret order that depends on the key and the name. A number hides
/// how many there are, and their order and time. The check of the format finds what was mistyped.
///
/// **It can be guessed.** Each number of the format, with its check, is read as an id. If *n* ids are in use, one guess
/// in 10^*w* / *n* hits one of them, with *w* decimal digits: one in 100 for a million ids and eight digits. The check
/// does not change that, because anyone can compute it. Take as many digits as people bear, ask for something else too,
/// such as the name of the member, and limit the attempts. If there is room for 26 characters, take
/// [`PublicIds`](super::PublicIds), whose texts cannot be guessed.
///
/// A text has no room for the number of a key, so one key writes and reads all of them, for ever.
///
/// ```
/// use leafmint_ids::format::Format;
/// use leafmint_ids::public_id::{IdKeys, ScrambledNumbers};
/// let keys = IdKeys::parse("lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef")?;
/// let members = ScrambledNumbers::new("member", &keys, None, &Format::new("M-{number:8}-{check:damm}")?)?;
/// let text = members.encode(42)?;
/// assert_eq!(members.decode(&text)?, 42);
/// assert_eq!(members.decode_forgiving(&text.to_lowercase().replace('-', ""))?, 42);
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
#[derive(Clone)]
pub struct ScrambledNumbers {
    name: String,
    format: Format,
    key_number: u8,
    ff1: Ff1,
}

impl ScrambledNumbers {
    /// Makes the scrambled numbers of a name.
    ///
    /// Numbers of different names have nothing in common, because the keys are derived for the name. A name has 1 to 63
    /// characters: small letters, digits and underscores, a letter first and no underscore last. If there are several
    /// keys, `key_number` says which one is used.
    ///
    /// The format has literals, a number of fixed width, and a check. The width gives a million numbers or more: 6 to
    /// 18 decimal digits, or 4 to 12 in base 32 or 36. Raises `invalid_config`, whose message lists everything that is
    /// wrong.
    pub fn new(name: &str, keys: &IdKeys, key_number: Option<i64>, format: &Format) -> Result<Self> {
        let mut errors = ConfigErrors::default();
        let shape = check(name, format, &mut errors);
        let number = choose(&keys.numbers(), key_number, &mut errors);
        errors.into_result("scrambled numbers")?;
        let ((radix, width), key_number) = (shape.expect("it was checked"), number.expect("it was chosen"));
        let mut derived = keys.derive(PURPOSE, name).into_iter();
        let (_, key) = derived.find(|(number, _)| *number == key_number).expect("the key was chosen");
        let ff1 = Ff1::new(&key, name.as_bytes(), radix, width);
        Ok(Self { name: name.to_owned(), format: format.clone(), key_number, ff1 })
    }

    /// Returns the format.
    pub fn format(&self) -> &Format {
        &self.format
    }

    /// Returns the largest id.
    pub fn largest(&self) -> i64 {
        self.format.largest()
    }

    /// Returns a regular expression that matches each text, and few others, as JSON Schema has it.
    pub fn pattern(&self) -> String {
        self.format.pattern()
    }

    /// Writes an id.
    ///
    /// Raises `id_space_exhausted` if it is above [`largest`](Self::largest), and `invalid_id` if it is negative.
    pub fn encode(&self, id: i64) -> Result<String> {
        let plain = check_id(id)?;
        let number = if id <= self.largest() { self.ff1.encrypt(plain.into()) as i64 } else { id };
        // A number above the largest one is refused here.
        self.format.format(&NumberParts { number, ..NumberParts::default() })
    }

    /// Reads an id.
    ///
    /// Raises `invalid_id`, whose message says what is wrong with the text. A text with the right check is always the
    /// number of some id: whether it is in use is for the caller to find out.
    pub fn decode(&self, text: &str) -> Result<i64> {
        self.format.parse(text).map(|parts| self.unscramble(parts.number))
    }

    /// Reads an id that a person wrote, as [`Format::parse_forgiving`] does. Raises what [`decode`](Self::decode)
    /// raises.
    pub fn decode_forgiving(&self, text: &str) -> Result<i64> {
        self.format.parse_forgiving(text).map(|parts| self.unscramble(parts.number))
    }

    fn unscramble(&self, number: i64) -> i64 {
        self.ff1.decrypt(number as u128) as i64
    }
}

/// Checks what needs no keys.
pub(super) fn check_declaration(name: &str, format: &Format, key_number: Option<i64>, errors: &mut ConfigErrors) {
    check(name, format, errors);
    if let Some(problem) = key_number.and_then(|number| check_number(number).err()) {
        errors.add(format!("key_number: {problem}"));
    }
}

/// Returns the radix and the width of the numbers, unless they are wrong.
fn check(name: &str, format: &Format, errors: &mut ConfigErrors) -> Option<(u32, u32)> {
    check_name("name", name, errors);
    check_fields(format, errors);
    if !format.has_check() {
        errors.add(format!("{} has no check: end it with one, such as {{check:mod37_36}}", of(format)));
    }
    check_width(format, errors)
}

/// Refuses a format that shows more than a number.
pub(super) fn check_fields(format: &Format, errors: &mut ConfigErrors) {
    let others = format.other_fields();
    if !others.is_empty() {
        errors.add(format!("{} has {}, but an id is a number only", of(format), others.join(", ")));
    }
}

fn check_width(format: &Format, errors: &mut ConfigErrors) -> Option<(u32, u32)> {
    let (radix, width) = format.radix_and_width();
    let Some(width) = width.map(|width| width as u32) else {
        errors.add(format!("{} has a number without a width: write one, as in {{number:8}}", of(format)));
        return None;
    };
    let numbers = u64::from(radix).checked_pow(width).filter(|numbers| (FEWEST..=MOST).contains(numbers));
    if numbers.is_none() {
        let (fewest, most) = ((FEWEST - 1).ilog(radix.into()) + 1, MOST.ilog(radix.into()));
        errors.add(format!("{} has {width} digits: the number needs {fewest} to {most}", of(format)));
    }
    numbers.map(|_| (radix, width))
}

fn of(format: &Format) -> String {
    format!("format={}", quoted(format.text()))
}

/// Returns the number of the key that is used.
fn choose(numbers: &[u8], wanted: Option<i64>, errors: &mut ConfigErrors) -> Option<u8> {
    let chosen = match (wanted, numbers) {
        (None, [only]) => Some(*only),
        (None, _) => None,
        (Some(wanted), _) => numbers.iter().copied().find(|number| i64::from(*number) == wanted),
    };
    match (chosen, wanted) {
        (None, Some(wanted)) => errors.add(format!("key_number={wanted}, but the keys have the numbers {numbers:?}")),
        (None, None) => errors.add(format!(
            "a number does not show its key, so key_number must be one of {numbers:?}, the same for ever"
        )),
        (Some(_), _) => {}
    }
    chosen
}

/// Shows the name, the format and the number of the key.
impl fmt::Debug for ScrambledNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("ScrambledNumbers");
        fields.field("name", &self.name).field("format", &self.format.text()).field("key", &self.key_number).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    const KEYS: &str = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef
                        lmk3_202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f";

    fn numbers(name: &str, key_number: i64, format: &str) -> ScrambledNumbers {
        let keys = IdKeys::parse(KEYS).unwrap();
        ScrambledNumbers::new(name, &keys, Some(key_number), &Format::new(format).unwrap()).unwrap()
    }

    fn refusal(name: &str, keys: &str, key_number: Option<i64>, format: &str) -> String {
        let keys = IdKeys::parse(keys).unwrap();
        let error = ScrambledNumbers::new(name, &keys, key_number, &Format::new(format).unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidConfig);
        error.message().to_owned()
    }

    #[test]
    fn the_ends_of_each_radix_and_width_are_written_and_read() {
        let formats = (6..=18).map(|width| format!("M-{{number:{width}}}-{{check:damm}}"));
        let of_letters =
            |radix: &'static str| (4..=12).map(move |width| format!("{{number:{radix}:{width}}}{{check:mod37_36}}"));
        for format in formats.chain(of_letters("base32")).chain(of_letters("base36")) {
            let numbers = numbers("member", 0, &format);
            for id in [0, 1, 999_999, numbers.largest() - 1, numbers.largest()] {
                assert_eq!(numbers.decode(&numbers.encode(id).unwrap()), Ok(id), "{format}");
            }
            let error = numbers.encode(numbers.largest() + 1).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::IdSpaceExhausted, "{error}");
            assert_eq!(numbers.encode(-1).unwrap_err().kind(), ErrorKind::InvalidId);
        }
    }

    #[test]
    fn another_name_and_another_key_have_other_numbers() {
        let format = "{number:12}{check:damm}";
        let written =
            [("member", 0), ("member", 3), ("guest", 0)].map(|(name, key)| numbers(name, key, format).encode(42));
        assert!(written[0] != written[1] && written[0] != written[2] && written[1] != written[2], "{written:?}");
    }

    #[test]
    fn a_refusal_says_what_is_wrong_with_the_text() {
        let numbers = numbers("member", 0, "M-{number:8}-{check:damm}");
        let text = numbers.encode(42).unwrap();
        let last = if text.ends_with('0') { "1" } else { "0" };
        let error = numbers.decode(&format!("{}{last}", &text[..text.len() - 1])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidId);
        assert!(error.message().contains("at {check:damm}: expected"), "{error}");
        let bare = text.replace('-', "").to_lowercase();
        assert!(numbers.decode(&bare).is_err());
        assert_eq!(numbers.decode_forgiving(&bare), Ok(42));
    }

    #[test]
    fn everything_that_is_wrong_is_listed() {
        let message = refusal("Member", KEYS, Some(2), "{number:5}-{yy}");
        let begin = "scrambled numbers: 5 problems: the name \"Member\" is not 1 to 63 small letters, digits and \
                     underscores, a letter first and no underscore last; format=\"{number:5}-{yy}\" has {yy}, but an \
                     id is a number only; format=\"{number:5}-{yy}\" has no check: end it with one, such as \
                     {check:mod37_36}; format=\"{number:5}-{yy}\" has 5 digits: the number needs 6 to 18; \
                     key_number=2, but the keys have the numbers [0, 3]";
        assert_eq!(message, begin);
    }

    #[test]
    fn widths_of_too_few_and_too_many_numbers_are_refused() {
        for (radix, fewest, most) in [("", 6, 18), ("base32:", 4, 12), ("base36:", 4, 12)] {
            for width in (1..fewest).chain(most + 1..=20) {
                let message = refusal("member", KEYS, Some(0), &format!("{{number:{radix}{width}}}{{check:mod37_36}}"));
                assert!(
                    message.ends_with(&format!("has {width} digits: the number needs {fewest} to {most}")),
                    "{message}"
                );
            }
        }
        let message = refusal("member", KEYS, Some(0), "{number}{check:mod37_36}");
        assert!(message.ends_with("has a number without a width: write one, as in {number:8}"), "{message}");
    }

    #[test]
    fn several_keys_need_the_number_of_one() {
        let message = refusal("member", KEYS, None, "{number:6}{check:damm}");
        assert!(message.contains("key_number must be one of [0, 3]"), "{message}");
        let only = IdKeys::parse(KEYS.lines().next().unwrap()).unwrap();
        let format = Format::new("{number:6}{check:damm}").unwrap();
        let alone = ScrambledNumbers::new("member", &only, None, &format).unwrap();
        assert_eq!(alone.encode(42), numbers("member", 0, format.text()).encode(42));
        assert_eq!(
            format!("{alone:?}"),
            "ScrambledNumbers { name: \"member\", format: \"{number:6}{check:damm}\", key: 0 }"
        );
    }
}
