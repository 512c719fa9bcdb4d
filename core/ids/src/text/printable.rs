//! Text that is safe to print: one line, no control characters, bounded.
//!
//! Messages carry values that other parties chose: a server's error text, the endpoint of another process, a tag. A
//! value with line breaks or escape sequences could forge log lines or control a terminal
//! (<https://owasp.org/www-community/attacks/Log_Injection>).

/// Most characters of a text.
const LONGEST: usize = 4096;

/// Characters kept of the end of a longer text, which says what to do.
const TAIL: usize = 1024;

/// Characters kept of its beginning. Beginning, end and the note between them fit in [`LONGEST`].
const HEAD: usize = LONGEST - TAIL - 64;

/// Escapes control characters, and cuts the middle out of a text that is too long.
///
/// Backslashes are not escaped, so that a second call changes nothing.
pub fn printable(text: String) -> String {
    let shown: usize = text.chars().map(width).sum();
    if shown > LONGEST {
        return without_middle(&text);
    }
    if text.chars().any(is_unprintable) { escape(&text) } else { text }
}

fn without_middle(text: &str) -> String {
    let fits = |most: usize| {
        let mut shown = 0;
        move |character: char| {
            shown += width(character);
            shown <= most
        }
    };
    let mut fits_head = fits(HEAD);
    let end_of_head =
        text.char_indices().find(|&(_, character)| !fits_head(character)).map_or(text.len(), |(at, _)| at);
    let mut fits_tail = fits(TAIL);
    let tail = text.char_indices().rev().take_while(|&(_, character)| fits_tail(character)).last();
    let start_of_tail = tail.map_or(text.len(), |(at, _)| at);
    let left_out = text[end_of_head..start_of_tail].chars().count();
    format!("{} … ({left_out} characters left out) … {}", escape(&text[..end_of_head]), escape(&text[start_of_tail..]))
}

/// Returns the number of characters that a character is printed as.
fn width(character: char) -> usize {
    if is_unprintable(character) { character.escape_default().count() } else { 1 }
}

/// Returns the first characters of a text, all of them if it has no more.
pub fn beginning(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(end, _)| &text[..end])
}

/// Cuts a text that has more characters, and shows that it was cut.
pub fn cut(text: &str, most: usize) -> String {
    let shown = beginning(text, most);
    format!("{shown}{}", if shown.len() < text.len() { "…" } else { "" })
}

/// Joins several lines of SQL to one, for a message.
pub fn one_line(sql: &str) -> String {
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

/// Returns whether a character is a control character, one of Unicode's two line separators, or a mark that changes the
/// direction of text.
pub(crate) fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_forge_lines_or_control_a_terminal_are_escaped() {
        let hostile = "a\r\nINFO b\u{1b}[2J\u{9b}c\0\u{7f}\u{202e}d\u{2028}";
        assert_eq!(printable(hostile.into()), r"a\r\nINFO b\u{1b}[2J\u{9b}c\u{0}\u{7f}\u{202e}d\u{2028}");
    }

    #[test]
    fn other_text_and_escaped_text_stay_as_they_are() {
        for text in ["", "tag \"订单🙂\" is 'x'", r"a\nb\\c", "é"] {
            assert_eq!(printable(text.into()), text);
            assert_eq!(printable(printable(text.into())), text);
        }
    }

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        let text = printable(format!("begin {} end", "ü".repeat(1_000_000)));
        assert!(
            text.starts_with("begin ü") && text.ends_with("ü end") && text.contains("characters left out"),
            "{text}"
        );
        assert!(text.chars().count() < 4200);
        let limit = "x".repeat(4096);
        assert_eq!(printable(limit.clone()), limit);
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!([0, 1, 2, 3].map(|most| beginning("é🙂", most)), ["", "é", "é🙂", "é🙂"]);
        assert_eq!([cut("é🙂", 1), cut("é🙂", 2), cut("", 0)], ["é…", "é🙂", ""]);
    }

    #[test]
    fn escaped_characters_count_as_printed_and_are_cut_once() {
        for text in ["\u{9b}".repeat(4096), format!("{}end", "\n".repeat(2046)), "x\u{202e}".repeat(1_000_000)] {
            let safe = printable(text);
            assert!(safe.chars().count() <= 4096, "{} characters", safe.chars().count());
            assert_eq!(printable(safe.clone()), safe);
        }
    }
}
