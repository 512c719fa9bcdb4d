//! Text that is safe to print: one line, no control characters, bounded.
//!
//! Messages carry values that other parties chose: a server's error text, the endpoint of another process, a tag. With line breaks or
//! escape sequences in them, those parties could forge log lines or drive a terminal
//! (<https://owasp.org/www-community/attacks/Log_Injection>).

/// The longest text, in characters.
const LONGEST: usize = 4096;

/// What is kept of the end of a longer one, which says what to do.
const TAIL: usize = 1024;

/// What is kept of its beginning. With what says that something is left out, all of it is no longer than [`LONGEST`].
const HEAD: usize = LONGEST - TAIL - 64;

/// Escapes control characters and cuts the middle out of what is too long.
///
/// Backslashes stay as they are, so that text that went through here before does not change.
pub fn printable(text: String) -> String {
    let shown: usize = text.chars().map(width).sum();
    if shown > LONGEST {
        return cut(&text);
    }
    if text.chars().any(is_unprintable) { escape(&text) } else { text }
}

fn cut(text: &str) -> String {
    let fits = |most: usize| {
        let mut shown = 0;
        move |character: char| {
            shown += width(character);
            shown <= most
        }
    };
    let mut fits_head = fits(HEAD);
    let end_of_head = text.char_indices().find(|&(_, character)| !fits_head(character)).map_or(text.len(), |(at, _)| at);
    let mut fits_tail = fits(TAIL);
    let tail = text.char_indices().rev().take_while(|&(_, character)| fits_tail(character)).last();
    let start_of_tail = tail.map_or(text.len(), |(at, _)| at);
    let left_out = text[end_of_head..start_of_tail].chars().count();
    format!("{} … ({left_out} characters left out) … {}", escape(&text[..end_of_head]), escape(&text[start_of_tail..]))
}

/// Returns the number of characters that a character becomes.
fn width(character: char) -> usize {
    if is_unprintable(character) { character.escape_default().count() } else { 1 }
}

/// Puts several lines of SQL into one, for a message.
pub(crate) fn one_line(sql: &str) -> String {
    sql.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if is_unprintable(character) {
            safe.extend(character.escape_default());
        } else {
            safe.push(character);
        }
    }
    safe
}

/// Control characters, the two line separators of Unicode, and the marks that turn the direction of text around.
fn is_unprintable(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn what_could_forge_a_line_or_drive_a_terminal_is_escaped() {
        let hostile = "a\r\nINFO b\u{1b}[2J\u{9b}c\0\u{7f}\u{202e}d\u{2028}";
        assert_eq!(printable(hostile.into()), r"a\r\nINFO b\u{1b}[2J\u{9b}c\u{0}\u{7f}\u{202e}d\u{2028}");
    }

    #[test]
    fn other_text_and_what_was_escaped_before_stay_as_they_are() {
        for text in ["", "biz_tag \"订单🙂\" is 'x'", r"a\nb\\c", "é"] {
            assert_eq!(printable(text.into()), text);
            assert_eq!(printable(printable(text.into())), text);
        }
    }

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        let text = printable(format!("begin {} end", "ü".repeat(1_000_000)));
        assert!(text.starts_with("begin ü") && text.ends_with("ü end") && text.contains("characters left out"), "{text}");
        assert!(text.chars().count() < 4200);
        let limit = "x".repeat(4096);
        assert_eq!(printable(limit.clone()), limit);
    }

    #[test]
    fn what_is_escaped_counts_as_long_as_it_is_shown_and_is_cut_once() {
        for text in ["\u{9b}".repeat(4096), format!("{}end", "\n".repeat(2046)), "x\u{202e}".repeat(1_000_000)] {
            let safe = printable(text);
            assert!(safe.chars().count() <= 4096, "{} characters", safe.chars().count());
            assert_eq!(printable(safe.clone()), safe);
        }
    }
}
