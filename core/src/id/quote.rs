//! Values of callers in messages.

/// What a message shows instead of a key.
pub(crate) const LIKE_A_KEY: &str = "(not shown, since it looks like a key)";

/// Most characters of a value that a message repeats.
const LONGEST: usize = 64;

/// Most hexadecimal digits in a row that a message repeats: more than an id has, and fewer than a key of public ids.
const MOST_DIGITS: usize = 40;

/// Quotes a value for a message, and cuts it if it is long. What looks like a key of public ids is not shown.
pub(crate) fn quoted(text: &str) -> String {
    if digits_in_a_row(text) > MOST_DIGITS {
        return LIKE_A_KEY.to_owned();
    }
    match text.char_indices().nth(LONGEST) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}... ({} characters)", &text[..end], text.chars().count()),
    }
}

/// Returns the most hexadecimal digits that are next to each other, letters among them: a key has some, a number none.
pub(crate) fn digits_in_a_row(text: &str) -> usize {
    let rows = text.split(|character: char| !character.is_ascii_hexdigit());
    rows.filter(|row| row.contains(|digit: char| digit.is_ascii_alphabetic())).map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_the_digits_of_a_key_is_not_shown() {
        let digits = "0123456789abcdefABCDEF0123456789abcdef012";
        assert_eq!(quoted(digits), LIKE_A_KEY);
        assert_eq!(quoted(&format!("M-{digits}")), LIKE_A_KEY);
        assert_eq!(quoted(&digits[1..]), format!("{:?}", &digits[1..]));
        let number = "7".repeat(50);
        assert_eq!(quoted(&number), format!("{number:?}"));
    }
}
