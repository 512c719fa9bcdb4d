//! What the values of an option are, and whether a value is one of them.

use super::value::{self, OptionValue};

/// What the values of an option are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// A duration of at most a year.
    Duration,
    /// A whole number in a range; [`i64::MAX`] if another option bounds it.
    Count {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A time in Unix milliseconds, or a date in UTC.
    Time,
    /// True or false.
    Boolean,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Text, or a whole number as its digits.
    Text,
    /// The path of a file or a directory.
    Path,
    /// Texts.
    List,
    /// Texts of the form `key=value`.
    Map,
}

impl Shape {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Duration => "duration",
            Shape::Count { .. } => "count",
            Shape::Time => "time",
            Shape::Boolean => "boolean",
            Shape::Choice(_) => "choice",
            Shape::Text => "text",
            Shape::Path => "path",
            Shape::List => "list",
            Shape::Map => "map",
        }
    }

    /// Returns in words what the values are.
    pub fn values(self) -> String {
        match self {
            Shape::Duration => "0 to one year".to_owned(),
            Shape::Count { min, max: i64::MAX } => format!("{min} or more"),
            Shape::Count { min, max } => match max.count_ones() == 1 && max > 1 << 20 {
                true => format!("{min} to 2^{}", max.trailing_zeros()),
                false => format!("{min} to {max}"),
            },
            Shape::Time => "a date in UTC, or Unix milliseconds".to_owned(),
            Shape::Boolean => "true or false".to_owned(),
            Shape::Choice(words) => words.join(", "),
            Shape::Text => "text".to_owned(),
            Shape::Path => "a path".to_owned(),
            Shape::List => "texts".to_owned(),
            Shape::Map => "entries key=value".to_owned(),
        }
    }

    /// Reads a value: text as in a URL, or typed. The result is of the variant of [`OptionValue`] that this shape has.
    pub(super) fn read(self, name: &str, value: OptionValue) -> Result<OptionValue, String> {
        let typed = match value {
            OptionValue::Text(text) => self.parse(name, text)?,
            typed => typed,
        };
        self.check(name, typed)
    }

    fn parse(self, name: &str, text: String) -> Result<OptionValue, String> {
        match self {
            Shape::Duration => value::duration(name, &text).map(OptionValue::from),
            Shape::Count { min, max } => match text.trim().parse() {
                Ok(count) => Ok(OptionValue::Count(count)),
                Err(_) => Err(out_of_range(name, &text, min, max)),
            },
            Shape::Time => value::time(name, &text).map(OptionValue::Count),
            Shape::Boolean => match text.as_str() {
                "true" => Ok(OptionValue::Boolean(true)),
                "false" => Ok(OptionValue::Boolean(false)),
                _ => Err(format!("{name}={text} is neither true nor false")),
            },
            Shape::Choice(words) => match words.iter().find(|word| is_word(word, &text)) {
                Some(word) => Ok((*word).into()),
                None => Err(format!("{name}={text} is none of {}", words.join(", "))),
            },
            Shape::Text | Shape::Path => Ok(OptionValue::Text(text)),
            Shape::List | Shape::Map => {
                let items = text.split(',').filter(|item| !item.is_empty());
                Ok(OptionValue::List(items.map(str::to_owned).collect()))
            }
        }
    }

    fn check(self, name: &str, value: OptionValue) -> Result<OptionValue, String> {
        match (self, value) {
            (Shape::Duration, OptionValue::Duration(duration)) => {
                value::at_most_a_year(name, humantime::format_duration(duration), duration).map(OptionValue::from)
            }
            (Shape::Duration, OptionValue::Count(count)) => {
                value::seconds(name, count, count as f64).map(OptionValue::from)
            }
            (Shape::Duration, OptionValue::Number(number)) => {
                value::seconds(name, number, number).map(OptionValue::from)
            }
            // What knows the bound of a number without one checks it, and names the bound.
            (Shape::Count { max: i64::MAX, .. }, value @ OptionValue::Count(_)) => Ok(value),
            (Shape::Count { min, max }, OptionValue::Count(count)) if !(min..=max).contains(&count) => {
                Err(out_of_range(name, &count.to_string(), min, max))
            }
            (Shape::Text | Shape::Path, OptionValue::Count(number)) => Ok(OptionValue::Text(number.to_string())),
            (Shape::Count { .. } | Shape::Time, value @ OptionValue::Count(_))
            | (Shape::Boolean, value @ OptionValue::Boolean(_))
            | (Shape::Choice(_) | Shape::Text | Shape::Path, value @ OptionValue::Text(_))
            | (Shape::List | Shape::Map, value @ OptionValue::List(_)) => Ok(value),
            (shape, value) => Err(format!("{name}: a {} cannot be used as a {}", value.kind(), shape.name())),
        }
    }
}

/// Returns whether a text is a word, in whatever case, with either of its hyphens: constants of an enum have only one.
fn is_word(word: &str, text: &str) -> bool {
    word.eq_ignore_ascii_case(&text.replace('-', "_")) || word.eq_ignore_ascii_case(&text.replace('_', "-"))
}

/// Says that a number is not in the range of an option, or of another option that bounds it.
pub(super) fn out_of_range(name: &str, text: &str, min: i64, max: i64) -> String {
    match max {
        i64::MAX => format!("{name}={text} is not a whole number of {min} or more"),
        _ => format!("{name}={text} is not a whole number from {min} to {max}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_in_any_case_and_with_either_hyphen() {
        for (word, texts) in [("pooled-lo", ["pooled_lo", "POOLED-LO"]), ("verify_ca", ["VERIFY_CA", "verify-ca"])] {
            assert!(texts.iter().all(|text| is_word(word, text)), "{word}");
        }
        assert!(!is_word("pooled-lo", "pooled") && !is_word("pooled-lo", "pooled lo"));
    }
}
