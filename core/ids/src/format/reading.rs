//! Reads numbers.
//!
//! There is one reader, which accepts what people write. A strict reading compares the text with the one that the parts
//! are written as. So a text has one spelling, and a refusal can show it.

use super::check::Check;
use super::field::{Field, NumberParts, Part, is_key};
use super::period::CalendarDate;
use super::radix::{MOST_DIGITS, Radix, Unreadable};
use super::writing::write;
use crate::text::{beginning, quoted};

type Result<T> = std::result::Result<T, String>;

/// Reads a number, or returns why the text is none.
pub(super) fn read<'a>(parts: &[Part], text: &'a str, forgiving: bool) -> Result<NumberParts<'a>> {
    let mut found = Found::default();
    let mut rest = text;
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Literal(literal) => rest = after_literal(literal, rest)?,
            Part::Field(field) => {
                rest = rest.trim_start_matches('-');
                let (written, after) = rest.split_at(end_of(*field, &parts[at + 1..], rest));
                found.take(*field, written)?;
                rest = after;
            }
        }
    }
    if !rest.bytes().all(|byte| byte == b'-') {
        return Err(format!("expected its end, found {}", quoted(rest)));
    }
    let values = found.values()?;
    let spelled = write(parts, &values).map_err(|error| error.message().to_owned())?;
    found.compare_check(&spelled)?;
    let accepted = spelled == text || forgiving && (!needs_hyphens(parts) || same_hyphens(&spelled, text));
    if accepted { Ok(values) } else { Err(format!("it is written {}", quoted(&spelled))) }
}

/// Returns whether two fields have no fixed width, so that only hyphens may show where they end.
fn needs_hyphens(parts: &[Part]) -> bool {
    parts.iter().filter(|part| significant(part).is_none()).count() > 1
}

fn same_hyphens(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).all(|(one, other)| (one == b'-') == (other == b'-'))
}

/// Returns the text after a literal. Case and hyphens do not count.
fn after_literal<'a>(literal: &str, text: &'a str) -> Result<&'a str> {
    let mut rest = text;
    for wanted in literal.chars().filter(|wanted| *wanted != '-') {
        let mut characters = rest.trim_start_matches('-').chars();
        if !characters.next().is_some_and(|found| found.eq_ignore_ascii_case(&wanted)) {
            let shown = literal.chars().count() + 1;
            return Err(format!("expected {}, found {}", quoted(literal), quoted(beginning(text, shown))));
        }
        rest = characters.as_str();
    }
    Ok(rest)
}

/// Returns where a field at the beginning of a text ends.
fn end_of(field: Field, after: &[Part], text: &str) -> usize {
    if let Some(width) = field.width() {
        return beginning(text, width).len();
    }
    if after.contains(&Part::Field(Field::Key)) {
        // A key may be anything, but what is next to the number is neither a digit nor a letter.
        return text.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(text.len());
    }
    let mut before = text;
    for part in after.iter().rev() {
        before = before.trim_end_matches('-');
        before = match significant(part) {
            Some(count) => without_last(before, count),
            None => before.trim_end_matches(|character: char| character.is_ascii_alphanumeric()),
        };
    }
    before.trim_end_matches('-').len()
}

/// Returns the number of characters of a part besides hyphens, if it is fixed.
fn significant(part: &Part) -> Option<usize> {
    match part {
        Part::Literal(literal) => Some(literal.chars().filter(|character| *character != '-').count()),
        Part::Field(field) => field.width(),
    }
}

/// Cuts characters off the end, and the hyphens between them.
fn without_last(text: &str, count: usize) -> &str {
    let Some(nth) = count.checked_sub(1) else { return text };
    let start = text.char_indices().rev().filter(|(_, character)| *character != '-').nth(nth).map_or(0, |(at, _)| at);
    &text[..start]
}

/// What was read.
#[derive(Default)]
struct Found<'a> {
    number: i64,
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    key: Option<&'a str>,
    shard: Option<i64>,
    check: Option<(Check, &'a str)>,
}

impl<'a> Found<'a> {
    fn take(&mut self, field: Field, text: &'a str) -> Result<()> {
        let number = match field.radix() {
            Some(radix) => read_digits(field, radix, text)?,
            None if is_key(text) => 0,
            None => return Err(unexpected(field, &field.expected(), text)),
        };
        match field {
            Field::Year => self.year = Some(number),
            Field::ShortYear => self.year = Some(2000 + number),
            Field::Month => self.month = Some(number),
            Field::Day => self.day = Some(number),
            Field::Key => self.key = Some(text),
            Field::Number { .. } => self.number = number,
            Field::Shard { .. } => self.shard = Some(number),
            Field::Check(check) => self.check = Some((check, text)),
        }
        Ok(())
    }

    fn values(&self) -> Result<NumberParts<'a>> {
        let date = |year| CalendarDate::new(year, self.month.unwrap_or(1), self.day.unwrap_or(1));
        let date = self.year.map(date).transpose().map_err(|error| error.message().to_owned())?;
        Ok(NumberParts { number: self.number, date, key: self.key, shard: self.shard })
    }

    /// Compares the check with that of the right spelling.
    fn compare_check(&self, spelled: &str) -> Result<()> {
        let Some((check, found)) = self.check else { return Ok(()) };
        let right = &spelled[spelled.len() - check.width()..];
        let value = |text| check.radix().read(text).ok();
        if value(right) == value(found) {
            return Ok(());
        }
        Err(unexpected(Field::Check(check), &quoted(right), found))
    }
}

fn read_digits(field: Field, radix: Radix, text: &str) -> Result<i64> {
    match radix.read(text) {
        Ok(number) if text.len() == field.width().unwrap_or_else(|| radix.length(number.unsigned_abs())) => Ok(number),
        Err(Unreadable::TooLarge) => Err(unexpected(field, &format!("at most {}", i64::MAX), text)),
        Ok(_) | Err(Unreadable::NotDigits) => Err(unexpected(field, &field.expected(), text)),
    }
}

fn unexpected(field: Field, expected: &str, found: &str) -> String {
    format!("at {field}: expected {expected}, found {}", quoted(found))
}

/// Returns a regular expression that matches each text of a format.
pub(super) fn of(parts: &[Part]) -> String {
    let parts: String = parts.iter().map(of_part).collect();
    format!("^{parts}$")
}

fn of_part(part: &Part) -> String {
    match part {
        Part::Literal(literal) => literal.chars().map(escaped).collect(),
        Part::Field(field) => of_field(*field),
    }
}

/// Escapes what has a meaning. JSON Schema's expressions have no other escapes.
fn escaped(character: char) -> String {
    match character {
        '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' => format!("\\{character}"),
        _ => character.into(),
    }
}

fn of_field(field: Field) -> String {
    let Some(radix) = field.radix() else { return "[!-~]{1,64}".to_owned() };
    let (first, each) = match radix {
        Radix::Decimal => ("1-9", "0-9"),
        Radix::Base32 => ("1-9A-HJKMNP-TV-Z", "0-9A-HJKMNP-TV-Z"),
        Radix::Base36 => ("1-9A-Z", "0-9A-Z"),
    };
    match field.width() {
        Some(1) => format!("[{each}]"),
        Some(width) => format!("[{each}]{{{width}}}"),
        None => format!("(0|[{first}][{each}]{{0,{}}})", MOST_DIGITS - 2),
    }
}

#[cfg(test)]
mod tests {
    use crate::format::Format;

    #[test]
    fn a_pattern_is_made_of_the_parts() {
        let patterns = [
            ("{number}", "^(0|[1-9][0-9]{0,18})$"),
            ("M-{number:base32:7}-{check:mod37_36}", "^M-[0-9A-HJKMNP-TV-Z]{7}-[0-9A-Z]$"),
            ("{number:base36:5}{check:mod97_10}", "^[0-9A-Z]{5}[0-9]{2}$"),
            ("{key}/{yy}{month}.{number}", "^[!-~]{1,64}/[0-9]{2}[0-9]{2}\\.(0|[1-9][0-9]{0,18})$"),
            ("号 ({number:6})^$\\*+?[]|{{}}", "^号 \\([0-9]{6}\\)\\^\\$\\\\\\*\\+\\?\\[\\]\\|\\{\\}$"),
        ];
        for (format, pattern) in patterns {
            assert_eq!(Format::new(format).unwrap().pattern(), pattern);
        }
    }
}
