//! Writes numbers.

use super::declaration::LONGEST_TEXT;
use super::field::{Field, LONGEST_KEY, NumberParts, Part, check_key};
use super::period::CalendarDate;
use super::radix::{MOST_DIGITS, Radix};
use crate::error::{Error, Result, exhausted, invalid_argument};

/// The years that two digits stand for.
const SHORT_YEARS: std::ops::Range<i64> = 2000..2100;

/// No text is longer: of a format's fields, only a key and a number may take more bytes than the format says them in.
const LONGEST: usize = LONGEST_TEXT + LONGEST_KEY + MOST_DIGITS;

/// A text that is being written. It is on the stack, where it never grows.
struct Text {
    bytes: [u8; LONGEST],
    end: usize,
}

impl Text {
    fn push(&mut self, bytes: &[u8]) {
        self.space(bytes.len()).copy_from_slice(bytes);
    }

    /// Returns the next bytes of the text, to write to.
    fn space(&mut self, length: usize) -> &mut [u8] {
        let start = self.end;
        self.end += length;
        &mut self.bytes[start..self.end]
    }

    fn written(&self) -> &[u8] {
        &self.bytes[..self.end]
    }
}

/// Writes a number. Allocates nothing but the text.
pub(super) fn write(parts: &[Part], values: &NumberParts<'_>) -> Result<String> {
    check_given(parts, values)?;
    let mut text = Text { bytes: [0; LONGEST], end: 0 };
    for part in parts {
        match part {
            Part::Literal(literal) => text.push(literal.as_bytes()),
            Part::Field(field) => write_field(*field, values, &mut text)?,
        }
    }
    Ok(str::from_utf8(text.written()).expect("literals and keys are text, and all else is ASCII").to_owned())
}

/// Refuses a part that the format would leave out: the numbers of two keys would be the same.
fn check_given(parts: &[Part], values: &NumberParts<'_>) -> Result<()> {
    let (mut date, mut key, mut shard) = (false, false, false);
    for part in parts {
        match part {
            Part::Field(Field::Year | Field::ShortYear | Field::Month | Field::Day) => date = true,
            Part::Field(Field::Key) => key = true,
            Part::Field(Field::Shard { .. }) => shard = true,
            Part::Field(Field::Number { .. } | Field::Check(_)) | Part::Literal(_) => {}
        }
    }
    let given = [
        ("date", values.date.is_some(), date),
        ("key", values.key.is_some(), key),
        ("shard", values.shard.is_some(), shard),
    ];
    match given.into_iter().find(|(_, given, has)| given != has) {
        None => Ok(()),
        Some((what, true, _)) => Err(invalid_argument(format!("a {what} is given, but the format has no field of it"))),
        Some((what, false, _)) => Err(invalid_argument(format!("the format has a {what}, but none is given"))),
    }
}

/// Returns the most bytes of a text with this key.
pub(super) fn most_bytes(parts: &[Part], key: Option<&str>) -> usize {
    let of_part = |part: &Part| match part {
        Part::Literal(literal) => literal.len(),
        Part::Field(Field::Key) => key.map_or(0, str::len),
        Part::Field(field) => field.width().unwrap_or(MOST_DIGITS),
    };
    parts.iter().map(of_part).sum()
}

fn write_field(field: Field, values: &NumberParts<'_>, text: &mut Text) -> Result<()> {
    // What is missing was refused before, so that no default is written.
    let of_date = |part: fn(CalendarDate) -> i64| values.date.map_or(0, part);
    match field {
        Field::Year => write_digits(field, of_date(CalendarDate::year), text),
        Field::ShortYear => {
            let year = of_date(CalendarDate::year);
            if !SHORT_YEARS.contains(&year) {
                return Err(invalid_argument(format!("{field} is from 2000 to 2099, and the year is {year}")));
            }
            write_digits(field, year - SHORT_YEARS.start, text)
        }
        Field::Month => write_digits(field, of_date(CalendarDate::month), text),
        Field::Day => write_digits(field, of_date(CalendarDate::day), text),
        Field::Key => {
            let key = values.key.unwrap_or_default();
            check_key(key)?;
            text.push(key.as_bytes());
            Ok(())
        }
        Field::Number { .. } => write_digits(field, values.number, text),
        Field::Shard { .. } => write_digits(field, values.shard.unwrap_or_default(), text),
        Field::Check(check) => {
            let value = check.of(text.written());
            check.radix().fill(value.into(), text.space(check.width()));
            Ok(())
        }
    }
}

fn write_digits(field: Field, value: i64, text: &mut Text) -> Result<()> {
    let radix = field.radix().unwrap_or(Radix::Decimal);
    match u64::try_from(value) {
        Ok(number) if radix.fill(number, text.space(field.width().unwrap_or_else(|| radix.length(number)))) => Ok(()),
        _ => Err(unfit(field, value)),
    }
}

#[cold]
fn unfit(field: Field, value: i64) -> Error {
    let name = field.name();
    if value < 0 {
        return invalid_argument(format!("{name}={value} is negative"));
    }
    let message = format!("{name}={value} does not fit {field}, which is {}", field.expected());
    let is_number = matches!(field, Field::Number { .. });
    if is_number { exhausted(message) } else { invalid_argument(message) }
}
