//! Formats of numbers that people read: `INV-{yy}{month}{day}-{number:6}-{check:damm}`.

mod check;
mod declaration;
mod field;
mod period;
mod radix;
mod reading;
mod writing;

use crate::error::{Result, invalid_id};
use crate::text::quoted;
use field::{Field, Part};
pub use field::{NumberParts, check_key};
pub use period::{CalendarDate, Period};
use std::fmt;

/// The format of a number that people read: literals, and fields in braces.
///
/// | field | text |
/// |---|---|
/// | `{number}`, `{number:6}` | the number in decimal; with a width of 1 to 20 digits, filled up with zeros |
/// | `{number:base32:8}`, `{number:base36}` | in [Crockford's base 32][crockford], or in digits and capitals |
/// | `{year}`, `{yy}`, `{month}`, `{day}` | the date: 4, 2, 2 and 2 digits; `{yy}` is for the years 2000 to 2099 |
/// | `{key}` | the key: 1 to 64 visible ASCII characters, a hyphen neither first nor last |
/// | `{shard:4}` | the shard, such as a table: 1 to 9 digits |
/// | `{check:damm}` | a digit that shows every wrong digit before it, and every swap of two neighbours |
/// | `{check:mod37_36}` | the same for digits and letters, except for one pair of 630 that a swap may hide |
/// | `{check:luhn}`, `{check:mod97_10}` | as on payment cards, and as in an IBAN or LEI |
///
/// Each field occurs once at most, `{number}` exactly once, and a check ends the format. `{{` and `}}` are braces.
///
/// A text depends on nothing but its parts, never on a clock. Two different parts have different texts, and each text
/// is read as the parts that it was written from.
///
/// ```
/// use leafmint_ids::format::{CalendarDate, Format, NumberParts};
/// let invoices = Format::new("INV-{yy}{month}{day}-{number:6}-{check:damm}")?;
/// let parts = NumberParts { number: 42, date: Some(CalendarDate::new(2026, 11, 25)?), ..NumberParts::default() };
/// assert_eq!(invoices.format(&parts)?, "INV-261125-000042-6");
/// assert_eq!(invoices.parse("INV-261125-000042-6")?, parts);
/// assert_eq!(invoices.parse_forgiving("inv-26-11-25-OOOO42-6")?, parts);
/// # Ok::<(), leafmint_ids::error::Error>(())
/// ```
///
/// [crockford]: https://www.crockford.com/base32.html
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Format {
    text: String,
    parts: Vec<Part>,
}

impl Format {
    /// Makes a format. Raises `invalid_config`, whose message lists everything that is wrong, such as fields whose
    /// texts could be read in two ways.
    pub fn new(text: &str) -> Result<Self> {
        let parts = declaration::parse(text)?;
        Ok(Self { text: text.to_owned(), parts })
    }

    /// Makes the format of a name that has nothing but a date. Raises `invalid_config`.
    pub(super) fn of_date(text: &str) -> Result<Self> {
        let parts = declaration::parse_date(text)?;
        Ok(Self { text: text.to_owned(), parts })
    }

    /// Writes the name of a day.
    pub(super) fn of_day(&self, day: CalendarDate) -> Result<String> {
        self.format(&NumberParts { date: Some(day), ..NumberParts::default() })
    }

    /// Returns the shortest period that the texts show.
    pub(super) fn finest_period(&self) -> Period {
        let has = |wanted| self.fields().any(|field| field == wanted);
        match (has(Field::Day), has(Field::Month)) {
            (true, _) => Period::Day,
            (false, true) => Period::Month,
            (false, false) => Period::Year,
        }
    }

    /// Returns the format's own text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the largest number that fits.
    pub fn largest(&self) -> i64 {
        let number = self.fields().find_map(|field| match field {
            Field::Number { radix, width: Some(width) } => Some(radix.largest(width)),
            _ => None,
        });
        number.unwrap_or(i64::MAX)
    }

    /// Returns the number's radix and its width, if that is fixed.
    pub(crate) fn radix_and_width(&self) -> (u32, Option<usize>) {
        let number = self.fields().find_map(|field| match field {
            Field::Number { radix, width } => Some((radix.base(), width)),
            _ => None,
        });
        number.expect("each format has a number")
    }

    pub(crate) fn has_check(&self) -> bool {
        self.fields().any(|field| matches!(field, Field::Check(_)))
    }

    /// Returns the fields that are neither the number nor a check, as the format writes them.
    pub(crate) fn other_fields(&self) -> Vec<String> {
        let others = self.fields().filter(|field| !matches!(field, Field::Number { .. } | Field::Check(_)));
        others.map(|field| field.to_string()).collect()
    }

    /// Returns a regular expression that matches each text, and few others, for JSON Schema, Python and Java alike.
    pub fn pattern(&self) -> String {
        reading::of(&self.parts)
    }

    fn fields(&self) -> impl Iterator<Item = Field> {
        self.parts.iter().filter_map(|part| match part {
            Part::Literal(_) => None,
            Part::Field(field) => Some(*field),
        })
    }

    /// Returns the most bytes of a text, without those of the key.
    pub fn most_bytes(&self) -> usize {
        writing::most_bytes(&self.parts, None)
    }

    /// Refuses a format whose texts do not show the period and the key of a series, or show what it does not have:
    /// numbers of two periods would have one text. Raises `invalid_config`.
    pub fn check_series(&self, period: Period, has_key: bool) -> Result<()> {
        field::check(&self.text, &self.parts, period, has_key)
    }

    /// Writes a number.
    ///
    /// Raises `id_space_exhausted` if the number does not fit its width, and `invalid_argument` if it is negative, or
    /// if another part does not fit, is missing, or is given although the format has no field of it.
    pub fn format(&self, parts: &NumberParts<'_>) -> Result<String> {
        writing::write(&self.parts, parts)
    }

    /// Reads a number. It accepts exactly the texts that [`Format::format`] writes. Of a date, what the format does not
    /// have is 1.
    ///
    /// Raises `invalid_id`, whose message names the field, its text and what was expected.
    pub fn parse<'a>(&self, text: &'a str) -> Result<NumberParts<'a>> {
        self.read(text, false).map_err(|why| self.refuse(text, &why))
    }

    /// Reads a number that a person wrote. It also accepts small letters for capitals and the reverse, hyphens left out
    /// or added between fields, O for 0, and I and L for 1 in digits and in base 32.
    ///
    /// A key is taken as it is written. If the format has a key and a number without a width, only their hyphens say
    /// where each ends, so all hyphens must be there. Raises what [`Format::parse`] raises.
    pub fn parse_forgiving<'a>(&self, text: &'a str) -> Result<NumberParts<'a>> {
        self.read(text, true).map_err(|why| self.refuse(text, &why))
    }

    /// Reads a number, or returns why the text is none.
    pub(super) fn read<'a>(&self, text: &'a str, forgiving: bool) -> std::result::Result<NumberParts<'a>, String> {
        reading::read(&self.parts, text, forgiving)
    }

    fn refuse(&self, text: &str, why: &str) -> crate::error::Error {
        invalid_id(format!("{} is not a number of the format {}: {why}", quoted(text), quoted(&self.text)))
    }
}

/// Writes the format's own text.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
