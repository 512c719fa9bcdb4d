//! Values in statements: no driver and no database looks for anything else in them.

/// Writes a text. None of these products reads a backslash; that none is cut at a NUL, the session checks.
pub(super) fn text(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

/// Writes a number. A negative one has parentheses, so that no two signs make a comment.
pub(super) fn number(value: i64) -> String {
    match value {
        // The number without its sign is out of range.
        i64::MIN => format!("({} - 1)", i64::MIN + 1),
        0.. => value.to_string(),
        _ => format!("({value})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_it() {
        assert_eq!(text("o'clock"), "'o''clock'");
        assert_eq!(text("'; DROP TABLE x --"), "'''; DROP TABLE x --'");
        assert_eq!(text(r"\'"), r"'\'''");
        assert_eq!(text(""), "''");
    }

    #[test]
    fn a_number_is_read_with_its_sign() {
        assert_eq!([7, 0, -5].map(number), ["7", "0", "(-5)"]);
        assert_eq!(number(i64::MIN), "(-9223372036854775807 - 1)");
    }
}
