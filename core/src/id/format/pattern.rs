//! Regular expressions of formats, of the part that JSON Schema (ECMA 262), Python and Java have in common.

use super::field::{Field, Part};
use super::radix::{MOST_DIGITS, Radix};

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
    use crate::id::Format;

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
