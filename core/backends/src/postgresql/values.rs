//! What statements carry, and what rows hold: from our own driver as it is, from the application's as texts.

use crate::sessions::Outcome;
use leafmint_ids::error::{Error, ErrorKind};
use tokio_postgres::types::{FromSql, ToSql, Type};

/// A value that a statement carries.
pub type Param<'a> = (&'a (dyn ToSql + Sync), Type);

/// Returns a text as a parameter.
pub fn text<'a>(text: &'a &'a str) -> Param<'a> {
    (text, Type::TEXT)
}

/// Returns a text, or NULL, as a parameter.
pub fn optional<'a>(text: &'a Option<&'a str>) -> Param<'a> {
    (text, Type::TEXT)
}

/// Returns a number as a parameter.
pub fn number(number: &(impl ToSql + Sync)) -> Param<'_> {
    (number, Type::INT8)
}

/// Returns numbers as a parameter, an array.
pub fn numbers(numbers: &Vec<i64>) -> Param<'_> {
    (numbers, Type::INT8_ARRAY)
}

/// A row of an answer.
pub enum Row {
    /// From our own driver.
    Native(tokio_postgres::Row),
    /// From the application's, as texts.
    Texts(Vec<Option<String>>),
}

/// Reads a column of a row.
pub fn column<'a, T: FromSql<'a> + OfText<'a>>(row: &'a Row, at: usize) -> Outcome<T> {
    let found = match row {
        Row::Native(row) => row.try_get(at).ok(),
        Row::Texts(texts) => texts.get(at).and_then(|text| T::of_text(text.as_deref())),
    };
    found.ok_or_else(|| {
        let text = format!("the server's answer has no column {at} of the type that leafmint asked for");
        Error::new(ErrorKind::StoreUnavailable, text).into()
    })
}

/// What a driver's text can be read as.
pub trait OfText<'a>: Sized {
    /// Reads it, if it is one.
    fn of_text(text: Option<&'a str>) -> Option<Self>;
}

impl<'a> OfText<'a> for &'a str {
    fn of_text(text: Option<&'a str>) -> Option<Self> {
        text
    }
}

impl OfText<'_> for String {
    fn of_text(text: Option<&str>) -> Option<Self> {
        text.map(str::to_owned)
    }
}

impl OfText<'_> for i64 {
    fn of_text(text: Option<&str>) -> Option<Self> {
        text?.parse().ok()
    }
}

impl OfText<'_> for i32 {
    fn of_text(text: Option<&str>) -> Option<Self> {
        text?.parse().ok()
    }
}

impl OfText<'_> for bool {
    fn of_text(text: Option<&str>) -> Option<Self> {
        boolean(text?)
    }
}

/// Arrays as the server writes them, or as Python does.
impl OfText<'_> for Vec<i64> {
    fn of_text(text: Option<&str>) -> Option<Self> {
        let numbers = text?.trim_matches(['{', '}', '[', ']']);
        numbers
            .split(',')
            .map(str::trim)
            .filter(|number| !number.is_empty())
            .map(|number| number.parse().ok())
            .collect()
    }
}

impl<'a, T: OfText<'a>> OfText<'a> for Option<T> {
    fn of_text(text: Option<&'a str>) -> Option<Self> {
        match text {
            None => Some(None),
            some => T::of_text(some).map(Some),
        }
    }
}

fn boolean(text: &str) -> Option<bool> {
    match text {
        "t" | "true" => Some(true),
        "f" | "false" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_what_was_asked_for_or_not_at_all() {
        assert_eq!(Vec::<i64>::of_text(Some("{1,-2}")), Some(vec![1, -2]));
        assert_eq!(Vec::<i64>::of_text(Some("[1, -2]")), Some(vec![1, -2]));
        assert_eq!(Vec::<i64>::of_text(Some("{}")), Some(vec![]));
        assert_eq!(<Option<bool>>::of_text(None), Some(None));
        assert_eq!((bool::of_text(Some("t")), bool::of_text(Some("2"))), (Some(true), None));
        assert_eq!((i64::of_text(Some("1.0")), i64::of_text(None)), (None, None));
    }
}
