//! Reads the text of a format, and refuses what could not be read back.

use super::field::{Field, Part};
use super::radix::Radix;
use crate::error::{ConfigErrors, Result};
use crate::text::{is_unprintable, quoted};
use std::mem;

/// Most bytes of a format's text.
pub(super) const LONGEST_TEXT: usize = 200;

const KNOWN: &str = "{number}, {number:6}, {number:base32:8}, {number:base36:8}, {year}, {yy}, {month}, {day}, {key}, \
                     {shard:4}, {check:damm}, {check:mod37_36}, {check:luhn}, {check:mod97_10}";

/// Reads a format.
pub(super) fn parse(text: &str) -> Result<Vec<Part>> {
    read(text, "format", |fields, parts, errors| {
        check_counts(fields, errors);
        check_date(fields, errors);
        check_check(fields, parts, errors);
        check_ends(parts, errors);
    })
}

/// Reads the format of a name that has a date and no other field.
pub(super) fn parse_date(text: &str) -> Result<Vec<Part>> {
    read(text, "pattern", |fields, _, errors| {
        check_repeats(fields, errors);
        check_date(fields, errors);
        let is_date = |field: &&Field| is_year(field) || matches!(field, Field::Month | Field::Day);
        if let Some(other) = fields.iter().find(|field| !is_date(field)) {
            errors.add(format!("{other} is no part of a date"));
        }
        if fields.is_empty() {
            errors.add("{year} or {yy} is missing");
        }
    })
}

fn read(text: &str, what: &str, check: impl FnOnce(&[Field], &[Part], &mut ConfigErrors)) -> Result<Vec<Part>> {
    let mut errors = ConfigErrors::default();
    let mut parts = Vec::new();
    if text.len() > LONGEST_TEXT {
        errors.add(format!("it is longer than {LONGEST_TEXT} bytes"));
    } else {
        parts = split(text, &mut errors);
        let fields: Vec<Field> = parts.iter().filter_map(field_of).collect();
        check(&fields, &parts, &mut errors);
    }
    errors.into_result(&format!("{what}={}", quoted(text)))?;
    Ok(parts)
}

fn field_of(part: &Part) -> Option<Field> {
    match part {
        Part::Literal(_) => None,
        Part::Field(field) => Some(*field),
    }
}

/// Splits a format's text into its literals and fields.
fn split(text: &str, errors: &mut ConfigErrors) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let next = &rest[character.len_utf8()..];
        if matches!(character, '{' | '}') && next.starts_with(character) {
            literal.push(character);
            rest = &next[1..];
        } else if character == '{' {
            let (field, after) = match next.split_once('}') {
                Some((field, after)) => (Field::parse(field), after),
                None => (None, ""),
            };
            match field {
                Some(field) => parts.extend([Part::Literal(mem::take(&mut literal)), Part::Field(field)]),
                None => {
                    let written = quoted(&rest[..rest.len() - after.len()]);
                    errors.add(format!("{written} is not a field: known are {KNOWN}"));
                }
            }
            rest = after;
        } else {
            if character == '}' {
                errors.add("a brace is closed but not opened: write }} for a brace");
            }
            if is_unprintable(character) {
                errors.add(format!("the character {character:?} cannot be printed"));
            }
            literal.push(character);
            rest = next;
        }
    }
    parts.push(Part::Literal(literal));
    parts.retain(|part| !matches!(part, Part::Literal(literal) if literal.is_empty()));
    parts
}

fn check_counts(fields: &[Field], errors: &mut ConfigErrors) {
    if !fields.iter().any(|field| matches!(field, Field::Number { .. })) {
        errors.add("{number} is missing");
    }
    check_repeats(fields, errors);
}

fn check_repeats(fields: &[Field], errors: &mut ConfigErrors) {
    for (at, field) in fields.iter().enumerate() {
        let same = |other: &&Field| other.name() == field.name() || is_year(other) && is_year(field);
        if let Some(other) = fields[..at].iter().find(same) {
            errors.add(format!("{field} repeats {other}"));
        }
    }
}

fn is_year(field: &Field) -> bool {
    matches!(field, Field::Year | Field::ShortYear)
}

/// Refuses a day without its month and a month without its year, which a counter would write again.
fn check_date(fields: &[Field], errors: &mut ConfigErrors) {
    if fields.contains(&Field::Day) && !fields.contains(&Field::Month) {
        errors.add("{day} needs {month}");
    }
    if fields.contains(&Field::Month) && !fields.iter().any(is_year) {
        errors.add("{month} needs {year} or {yy}");
    }
}

fn check_check(fields: &[Field], parts: &[Part], errors: &mut ConfigErrors) {
    let Some((field, check)) = fields.iter().find_map(|field| match field {
        Field::Check(check) => Some((field, check)),
        _ => None,
    }) else {
        return;
    };
    if !matches!(parts.last(), Some(Part::Field(Field::Check(_)))) {
        errors.add(format!("{field} covers what is before it: move it to the end"));
    }
    let letters = fields.iter().find(|field| matches!(field, Field::Number { radix, .. } if *radix != Radix::Decimal));
    if let (Some(number), false) = (letters, check.covers_letters()) {
        errors.add(format!("{field} covers digits only, not the letters of {number}: take {{check:mod37_36}}"));
    }
}

/// Refuses a key and a number without a width if nothing shows where the number ends.
fn check_ends(parts: &[Part], errors: &mut ConfigErrors) {
    let place = |wanted: fn(&Field) -> bool| parts.iter().position(|part| field_of(part).is_some_and(|f| wanted(&f)));
    let key = place(|field| matches!(field, Field::Key));
    let number = place(|field| matches!(field, Field::Number { width: None, .. }));
    let (Some(key), Some(number)) = (key, number) else { return };
    let next = if key < number { &parts[number - 1] } else { &parts[number + 1] };
    let end = match next {
        Part::Field(_) => None,
        Part::Literal(literal) if key < number => literal.chars().next_back(),
        Part::Literal(literal) => literal.chars().next(),
    };
    if end.is_none_or(|end| end.is_ascii_alphanumeric()) {
        errors.add(
            "nothing shows where {key} and {number} end: give the number a width, as in {number:6}, or put a \
             character such as - next to it, towards the key",
        );
    }
}
