//! Values of callers in messages, any of which may be a key by mistake.

use crate::id::{LIKE_A_KEY, digits_in_a_row, quoted};

/// Fewest hexadecimal digits, one after another, that are taken for a part of a key.
const KEY_DIGITS: usize = 32;

/// Quotes a value for a message, unless it looks like a key.
pub(super) fn shown(text: &str) -> String {
    if digits_in_a_row(text) >= KEY_DIGITS {
        return LIKE_A_KEY.to_owned();
    }
    quoted(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_key_is_not_shown() {
        let key = "0123456789abcdefABCDEF0123456789";
        for text in [key.to_owned(), format!("1:{key}"), format!("/run/{key}/keys"), key.repeat(4)] {
            assert_eq!(shown(&text), "(not shown, since it looks like a key)");
        }
        assert_eq!(shown(&key[1..]), format!("{:?}", &key[1..]));
        assert_eq!(shown("order"), "\"order\"");
    }
}
