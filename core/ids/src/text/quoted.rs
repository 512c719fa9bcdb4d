//! Values of callers in messages.

use super::beginning;

/// What a message shows instead of a key.
const LIKE_A_KEY: &str = "(not shown, since it looks like a key)";

/// Most characters of a value that a message repeats.
const LONGEST: usize = 64;

/// Fewest hexadecimal digits in a row that are taken for a part of a key of public ids. An id has fewer.
const KEY_DIGITS: usize = 32;

/// Quotes a value for a message, and cuts it if it is long. What looks like a key of public ids is not shown: any value
/// may be one by mistake.
pub fn quoted(text: &str) -> String {
    if digits_in_a_row(text) >= KEY_DIGITS {
        return LIKE_A_KEY.to_owned();
    }
    let shown = beginning(text, LONGEST);
    if shown.len() < text.len() {
        format!("{shown:?}... ({} characters)", text.chars().count())
    } else {
        format!("{text:?}")
    }
}

/// Returns the most hexadecimal digits that are next to each other, letters among them: a key has some, a number none.
fn digits_in_a_row(text: &str) -> usize {
    let rows = text.split(|character: char| !character.is_ascii_hexdigit());
    rows.filter(|row| row.contains(|digit: char| digit.is_ascii_alphabetic())).map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_key_is_not_shown() {
        let key = "0123456789abcdefABCDEF0123456789";
        for text in
            [key.to_owned(), format!("lmk1_{key}"), format!("M-{key}"), format!("/run/{key}/keys"), key.repeat(4)]
        {
            assert_eq!(quoted(&text), "(not shown, since it looks like a key)");
        }
        assert_eq!(quoted(&key[1..]), format!("{:?}", &key[1..]));
        let number = "7".repeat(50);
        assert_eq!(quoted(&number), format!("{number:?}"));
        assert_eq!(quoted("order"), "\"order\"");
    }
}
