//! Values of callers in messages.

/// Most characters of a value that a message repeats.
const LONGEST: usize = 64;

/// Quotes a value for a message, and cuts it if it is long.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}... ({} characters)", &text[..end], text.chars().count()),
    }
}
